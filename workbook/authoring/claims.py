"""Which sentence of a lesson is held by which test.

A sentence that states what an experiment shows carries an id, in a comment line above it that no reader of the notebook
sees; a test in tests/claims recomputes it over fresh samples and names the same id:

    % claim: 02-boxcar-worse
    At equal spread the boxcar is the worse kernel in most samples.

    @pytest.mark.claim("02-boxcar-worse")
    def test_boxcar_is_worse(seeds, record_property):
        \"""Worse in 94 to 97 of 100 samples, by 18 to 25 %.\"""       # the figure when it was written
"""
import ast
import re
from pathlib import Path

from workbook.authoring.project import BuildError, Project

_MARK = re.compile(r"^% claim: *(?P<id>\S*) *\n", flags=re.MULTILINE)
_ID = re.compile(r"(\d\d|[a-z_]+)(-[a-z0-9]+)+")


def without_marks(text: str) -> str:
    """A text as its readers see it."""
    return _MARK.sub("", text)


def check_claims(project: Project) -> None:
    """BuildError where a sentence carries an id that no test names, or a test names one that no sentence carries."""
    tests, places = _tests(project), {}
    texts = project.root / project.course.package / "lesson" / "texts"
    folders = project.notebooks / "source", texts, project.solutions / "source"
    for path in (path for folder in folders for path in sorted(folder.glob("*.md"))):
        text = path.read_text(encoding="utf-8")
        for mark in _MARK.finditer(text):
            id, line = mark["id"], text[:mark.start()].count("\n") + 1
            if not _ID.fullmatch(id):
                raise BuildError(path, line, f"expected '% claim: 02-some-words', got {mark[0].strip()!r}")
            if id in places:
                raise BuildError(path, line, f"the claim {id!r} is taken, at {places[id]}")
            if id not in tests:
                raise BuildError(path, line, f"no test in tests/claims is marked claim({id!r})")
            places[id] = f"{project.relative(path)}:{line}"
    for id in set(tests) - set(places):
        raise BuildError(*tests[id], f"no sentence carries the mark '% claim: {id}'")


def _tests(project: Project) -> dict[str, tuple[Path, int]]:
    """File and line of each test in tests/claims that is marked `claim`, by its id. They are read, not run."""
    found: dict[str, tuple[Path, int]] = {}
    for path in sorted((project.root / "tests" / "claims").glob("test_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8"), path.name).body:
            for mark in getattr(node, "decorator_list", ()):
                if not (isinstance(mark, ast.Call) and getattr(mark.func, "attr", "") == "claim"):
                    continue
                id = ast.literal_eval(mark.args[0])
                if not ast.get_docstring(node):
                    raise BuildError(path, node.lineno, f"{node.name} should say its figure in a docstring")
                if id in found:
                    raise BuildError(path, node.lineno, f"the claim {id!r} has a test already, at line {found[id][1]}")
                found[id] = path, node.lineno
    return found
