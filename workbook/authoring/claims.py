"""`claims`: which sentence of a lesson is held by which test.

A sentence that states what an experiment shows carries an id, in a comment line above it that no reader of the notebook
sees; a test in tests/claims recomputes it over fresh samples and names the same id:

    % claim: 02-boxcar-worse
    At equal spread the boxcar is the worse kernel in most samples.

    @pytest.mark.claim("02-boxcar-worse")
    def test_boxcar_is_worse(seeds, record_property):
        \"""Worse in 94 to 97 of 100 samples, by 18 to 25 %.\"""       # the figure when it was written

The build stops at an id without a test, and at a test without a sentence.
"""
import ast
import contextlib
import io
import re
from dataclasses import dataclass
from pathlib import Path

from workbook.authoring.project import BuildError, Project

_MARK = re.compile(r"^% claim: *(?P<id>\S*) *\n", flags=re.MULTILINE)
_ID = re.compile(r"(\d\d|[a-z_]+)(-[a-z0-9]+)+")
_SENTENCE = re.compile(r".+?[.!?][*_)”]*(?=\s+[A-Z*_$`<“(]|$)", flags=re.DOTALL)


@dataclass(frozen=True)
class Proof:
    """A test that recomputes a claim: where it stands, and the figure that its docstring gives."""

    path: Path
    line: int
    name: str
    figure: str


@dataclass(frozen=True)
class Claim:
    """A marked sentence: its id, its words, where its mark stands, and its proof."""

    id: str
    sentence: str
    path: Path
    line: int
    proof: Proof


def without_marks(text: str) -> str:
    """A text as its readers see it."""
    return _MARK.sub("", text)


def ledger(project: Project) -> list[Claim]:
    """Every claim with its test. BuildError where one stands without the other."""
    tests, found = _tests(project), {}
    texts = project.root / project.course.package / "lesson" / "texts"
    folders = project.notebooks / "source", texts, project.solutions / "source"
    for path in (path for folder in folders for path in sorted(folder.glob("*.md"))):
        text = path.read_text(encoding="utf-8")
        for mark in _MARK.finditer(text):
            id, line = mark["id"], text[:mark.start()].count("\n") + 1
            if not _ID.fullmatch(id):
                raise BuildError(path, line, f"expected '% claim: 02-some-words', got {mark[0].strip()!r}")
            if id in found:
                where = f"{project.relative(found[id].path)}:{found[id].line}"
                raise BuildError(path, line, f"the claim {id!r} is taken, at {where}")
            if id not in tests:
                raise BuildError(path, line, f"no test in tests/claims is marked claim({id!r})")
            paragraph = " ".join(without_marks(text[mark.end():]).partition("\n\n")[0].split())
            sentence = _SENTENCE.match(paragraph)
            found[id] = Claim(id, sentence[0] if sentence else paragraph, path, line, tests[id])
    for id in set(tests) - set(found):
        raise BuildError(tests[id].path, tests[id].line, f"no sentence carries the mark '% claim: {id}'")
    return list(found.values())


def _tests(project: Project) -> dict[str, Proof]:
    """The tests in tests/claims that are marked `claim`, by the id that they name; they are read, not run."""
    found: dict[str, Proof] = {}
    for path in sorted((project.root / "tests" / "claims").glob("test_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8"), path.name).body:
            for mark in getattr(node, "decorator_list", ()):
                if not (isinstance(mark, ast.Call) and getattr(mark.func, "attr", "") == "claim"):
                    continue
                id, figure = ast.literal_eval(mark.args[0]), (ast.get_docstring(node) or "").partition("\n\n")[0]
                if not figure:
                    raise BuildError(path, node.lineno, f"{node.name} should say its figure in a docstring")
                if id in found:
                    raise BuildError(path, node.lineno, f"the claim {id!r} has a test already, {found[id].name}")
                found[id] = Proof(path, node.lineno, node.name, " ".join(figure.split()))
    return found


def measured(project: Project, claims: list[Claim], first_seed: int) -> dict[str, str]:
    """What the tests of these claims measure now (what they give to `record_property`), or that they fail, by id."""
    import pytest

    results: dict[str, list[str]] = {}

    class Listener:
        def pytest_runtest_logreport(self, report):
            if report.when == "call" or not report.passed:
                test = report.nodeid.rpartition("::")[2].partition("[")[0]
                figures = [f"{name} {value}" for name, value in report.user_properties]
                results.setdefault(test, []).extend([report.outcome] * report.failed + figures or ["passes"])

    nodes = [f"{claim.proof.path}::{claim.proof.name}" for claim in claims]
    options = ["-q", "--no-header", "--no-summary", "-p", "no:cacheprovider", f"--first-seed={first_seed}"]
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main([*options, f"--rootdir={project.root}", *nodes], plugins=[Listener()])
    return {claim.id: "; ".join(results.get(claim.proof.name, ["not run"])) for claim in claims}
