"""What the machinery knows of the content, which it never imports by itself: names, words, and where it stands."""
from importlib import import_module
from pathlib import Path
from types import ModuleType

from workbook.language import say

DISTRIBUTION = "nwlab"                  # in pyproject.toml; files of progress and variables of the environment begin so
TITLE = say("Attention is a weighted average")
ABOUT = "Nadaraya-Watson kernel regression is attention pooling: a workbook"
WELCOME = say("""You know what six houses were sold for. What is another one worth? You average the prices, and listen
most to similar houses: that is attention.""")
FIRST = "00_start_here"                 # the notebook that is opened first
EXERCISES = ("warm_up", "how_sure", "parzen_equivalence", "unit_sphere", "sgd_bandwidth", "consistency_rate",
             "worth_of_w", "own_pooling", "one_head", "bug_museum", "online_softmax")    # in the order of the course
CONCEPTS = ("concepts-a", "concepts-b")  # the two forms of the concept test: how the names of their questions begin
EXTRAS = ("live", "torch")              # in pyproject.toml: what the notebooks need beside NumPy
LATER = {"torch": say("you need it from notebook 07 on")}                # requirement -> which lessons need it
NEEDS_MACHINE = ("07_from_kernel_to_attention", "08_learning_the_similarity", "09_in_context_regression",
                 "14_forum_court", "sgd_bandwidth", "own_pooling", "one_head")                      # not a browser tab
SLOW = {"torch": ("torch", "torch.nn.functional", "array_api_compat.torch", "nwlab.attention", "nwlab.training"),
        "optim": ("torch._dynamo",),    # word in a student's cell -> slow imports behind it
        "pyplot": ("matplotlib.pyplot", "matplotlib.backends.backend_agg")}

FOLDER = Path(__file__).parent
PACKAGES = FOLDER.parent / "nwlab", FOLDER
TEXTS = FOLDER / "lesson" / "texts"     # of the questions


def texts() -> list[Path]:
    """All texts that readers see, beside the notebooks: questions, hints, advice, and findings of the checks."""
    return sorted([*TEXTS.glob("*.md"), *FOLDER.glob("exercises/*/*.md"), FOLDER / "checks" / "findings.md"])


def module(name: str) -> ModuleType:
    """A module of the content, imported: "explore", "lesson", "exercises.warm_up"."""
    return import_module(f"workbook.{name}")


def exercise(name: str):
    """The Exercise of that name. ModuleNotFoundError where there is none."""
    return module(f"exercises.{name}").EXERCISE
