"""``claims``: which sentence of a lesson stands on which test.

A sentence that states what an experiment shows carries an id, in a comment line above it that no reader of the notebook
sees; a test in tests/claims recomputes it over fresh samples and names the same id:

    % claim: 02-boxcar-worse
    At equal spread the boxcar is the worse kernel in most samples.

    @pytest.mark.claim("02-boxcar-worse")
    def test_boxcar_is_worse(seeds, record_property):
        \"""Worse in 94 to 97 of 100 samples, by 18 to 25 %.\"""       # the figure, as it was when it was written

The build stops at an id without a test, and at a test without a sentence.
"""
import ast
import contextlib
import io
import re
from dataclasses import dataclass
from pathlib import Path

from workbook.authoring.project import BuildError, Project

MARK = re.compile(r"^% claim: *(?P<id>\S*) *\n", flags=re.MULTILINE)
_ID = re.compile(r"(\d\d|[a-z_]+)(-[a-z0-9]+)+")
_SENTENCE = re.compile(r".+?[.!?][*_)”]*(?=\s+[A-Z*_$`<“(]|$)", flags=re.DOTALL)


@dataclass(frozen=True)
class Claim:
    """A marked sentence: its id, where its mark stands, and its words."""

    id: str
    path: Path
    line: int
    sentence: str


@dataclass(frozen=True)
class Proof:
    """A test that recomputes a claim: the id it names, where it stands, and the figure its docstring gives."""

    id: str
    path: Path
    line: int
    name: str
    figure: str


def without_marks(text: str) -> str:
    """A text as its readers see it."""
    return MARK.sub("", text)


def claims(project: Project) -> list[Claim]:
    """The marked sentences of lessons, questions and exercises. ``BuildError`` at an id that is none, or taken."""
    texts = project.root / project.course.package / "lesson" / "texts"
    paths = [path for folder in (project.notebooks / "source", texts, project.solutions / "source")
             for path in sorted(folder.glob("*.md"))]
    found: dict[str, Claim] = {}
    for path in paths:
        text = path.read_text(encoding="utf-8")
        for match in MARK.finditer(text):
            line = text[: match.start()].count("\n") + 1
            if not _ID.fullmatch(match["id"]):
                raise BuildError(path, line, f"expected '% claim: 02-some-words', got {match[0].strip()!r}")
            if before := found.get(match["id"]):
                where = f"{project.relative(before.path)}:{before.line}"
                raise BuildError(path, line, f"the claim {match['id']!r} is taken, at {where}")
            found[match["id"]] = Claim(match["id"], path, line, _sentence(text[match.end():]))
    return list(found.values())


def _sentence(text: str) -> str:
    """The first sentence of a text, on one line."""
    paragraph = " ".join(without_marks(text).partition("\n\n")[0].split())
    match = _SENTENCE.match(paragraph)
    return match[0] if match else paragraph


def proofs(project: Project) -> list[Proof]:
    """All tests in tests/claims that are marked ``claim``; they are read, not run."""
    found = []
    for path in sorted((project.root / "tests" / "claims").glob("test_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8"), path.name).body:
            for mark in getattr(node, "decorator_list", ()):
                if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Attribute) and mark.func.attr == "claim":
                    figure = " ".join((ast.get_docstring(node) or "").partition("\n\n")[0].split())
                    if not figure:
                        raise BuildError(path, node.lineno, f"{node.name} should say its figure in a docstring")
                    found.append(Proof(ast.literal_eval(mark.args[0]), path, node.lineno, node.name, figure))
    return found


def ledger(project: Project) -> list[tuple[Claim, Proof]]:
    """Every claim with its test. Raises ``BuildError`` where one stands without the other."""
    tests: dict[str, Proof] = {}
    for proof in proofs(project):
        if before := tests.get(proof.id):
            raise BuildError(proof.path, proof.line, f"the claim {proof.id!r} has a test already, {before.name}")
        tests[proof.id] = proof
    pairs = []
    for claim in claims(project):
        if claim.id not in tests:
            raise BuildError(claim.path, claim.line, f"no test in tests/claims is marked claim({claim.id!r})")
        pairs.append((claim, tests.pop(claim.id)))
    for id, proof in tests.items():
        raise BuildError(proof.path, proof.line, f"no sentence carries the mark '% claim: {id}'")
    return pairs


def measured(project: Project, tests: list[Proof], first_seed: int) -> dict[Proof, str]:
    """What the tests measure now (what each gave to ``record_property``), or that they fail."""
    import pytest

    results: dict[str, str] = {}

    class Listener:
        def pytest_runtest_logreport(self, report):
            words = "; ".join(f"{name} {value}" for name, value in report.user_properties)
            if report.when == "call" or not report.passed:
                name = report.nodeid.rpartition("::")[2].partition("[")[0]
                failed = "" if report.passed else f"{report.outcome}; "
                results[name] = "; ".join(filter(None, [results.get(name), failed + words or "passes"]))

    nodes = [f"{proof.path}::{proof.name}" for proof in dict.fromkeys(tests)]
    options = ["-q", "--no-header", "--no-summary", "-p", "no:cacheprovider", f"--first-seed={first_seed}"]
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main([*options, f"--rootdir={project.root}", *nodes], plugins=[Listener()])
    return {proof: results.get(proof.name, "not run") for proof in tests}
