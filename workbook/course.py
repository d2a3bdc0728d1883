"""What a course says about itself: all that this package knows about it."""
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType


@dataclass(frozen=True)
class Course:
    """A course is a package with `exercises/NAME/`, live figures in `explore`, and questions in `lesson/texts/`."""

    package: str                            # its import name, which is that of the distribution and the command too
    title: str                              # of its site
    about: str                              # one line that says what it is
    welcome: str                            # two or three sentences for those who see it for the first time
    first: str                              # the notebook that is opened first, without its ".ipynb"
    exercises: tuple[str, ...] = ()         # in the order in which a student meets them
    extras: tuple[str, ...] = ()            # in pyproject.toml: what its notebooks need beside the package's own needs
    later: dict[str, str] = field(default_factory=dict, hash=False)     # requirement -> which lessons need it
    needs_machine: tuple[str, ...] = ()     # notebooks that do not run in a browser tab
    slow: dict[str, tuple[str, ...]] = field(default_factory=dict, hash=False)      # word in a cell -> slow imports

    @property
    def folder(self) -> Path:
        """Where the package stands."""
        return Path(find_spec(self.package).origin).parent

    @property
    def texts(self) -> Path:
        """The folder of the questions' texts."""
        return self.folder / "lesson" / "texts"

    def module(self, name: str) -> ModuleType:
        """One of its modules, imported: "explore", "lesson", "exercises.warm_up"."""
        return import_module(f"{self.package}.{name}")

    def exercise(self, name: str):
        """The Exercise of that name. ModuleNotFoundError where there is none."""
        return self.module(f"exercises.{name}").EXERCISE
