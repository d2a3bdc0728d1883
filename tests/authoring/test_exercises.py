"""One source, two editions: what the student gets, what nobody gets, and what stops the build."""
import json
import sys
from dataclasses import dataclass
from types import ModuleType

import nbformat
import pytest
from workshop import lesson, make_workshop

import nwlab.exercises
from nwlab.authoring import notebook as notebooks
from nwlab.authoring.build import Sources, build, check
from nwlab.authoring.exercise import read_exercise, student_edition
from nwlab.authoring.project import BuildError

BODY = '''# Doubling

Twice as much. About it, see [the numbers](../notebooks/01_numbers.ipynb).

```{code-cell} python
:name: imports

from nwlab.exercises import doubling
```

## Write it

Return twice the number.

```{code-cell} python
def double(number):
    """Twice the number."""
    ### BEGIN SOLUTION
    twice_as_much = number + number
    return twice_as_much
    ### END SOLUTION
```

Does it hold?

```{code-cell} python
doubling.check_double(double)
```

Draw it.

```{code-cell} python
:tags: [student-only]

print("hand it in")
```

## In your words

Why does it double?

<!-- BEGIN SOLUTION (2 points) -->
Because a number and itself make two of them.
<!-- END SOLUTION -->
'''


@dataclass
class Item:
    name: str
    points: int = 3


@pytest.fixture(autouse=True)
def doubling(monkeypatch):
    """A module of checks for the exercise of these tests."""
    module = ModuleType("nwlab.exercises.doubling")
    module.ITEMS = (Item("double"),)

    def check_double(function):
        assert function(2) == 4
        print("double holds")

    module.check_double = check_double
    monkeypatch.setitem(sys.modules, "nwlab.exercises.doubling", module)
    monkeypatch.setattr(nwlab.exercises, "NAMES", ("doubling",))
    return module


def write(folder, body=BODY):
    source = folder / "solutions" / "source"
    source.mkdir(parents=True, exist_ok=True)
    path = source / "doubling.md"
    path.write_text(lesson(body, title="Doubling"), encoding="utf-8")
    return path


@pytest.fixture
def project(tmp_path):
    project = make_workshop(tmp_path)
    write(tmp_path)
    return project


def editions(project):
    sources = Sources(project)
    found = {edition.folder.name: notebooks.derive(edition.lesson, sources.tokens(edition.folder))
             for edition in sources.editions(("doubling",))}
    return found["solutions"], found["exercises"]


def cell(notebook, name):
    return next(cell for cell in notebook.cells if cell.id == name)


def test_a_solution_becomes_a_stub_and_an_answer_in_words_is_left_to_the_student(project):
    solution, student = editions(project)
    assert solution.cells[0].source.startswith("# Doubling\n\n*This is the edition with solutions.")
    assert cell(student, "write-double").source == (
        'def double(number):\n    """Twice the number."""\n'
        '    raise NotImplementedError("write double, then run this cell again")')
    assert "twice_as_much = number + number" in cell(solution, "write-double").source
    assert "### BEGIN SOLUTION" in cell(solution, "write-double").source       # nbgrader derives from it too
    assert "make two of them" in cell(solution, "answer").source
    assert "make two" not in cell(student, "answer").source and "Your answer" in cell(student, "answer").source
    assert cell(student, "answer").source.startswith("## In your words")


def test_metadata_is_nbgraders(project):
    common = {"schema_version": 3, "task": False}
    for edition in editions(project):
        marks = {c.id: c.metadata["nbgrader"] for c in edition.cells if "nbgrader" in c.metadata}
        assert marks == {
            "write-double": {"grade": False, "grade_id": "write-double", "locked": False, "solution": True, **common},
            "check-double": {"grade": True, "grade_id": "check-double", "locked": True, "points": 3, "solution": False,
                             **common},
            "answer": {"grade": True, "grade_id": "answer", "locked": False, "points": 2, "solution": True, **common},
        }


def test_only_exceptions_count_in_the_students_notebook_and_a_cell_may_be_for_one_edition_alone(project):
    solution, student = editions(project)
    assert all("nbval-ignore-output" in c.metadata["tags"] for c in student.cells if c.cell_type == "code")
    assert not any("nbval-ignore-output" in c.metadata.get("tags", []) for c in solution.cells)
    assert [any("hand it in" in c.source for c in edition.cells) for edition in (solution, student)] == [False, True]
    assert "student-only" not in notebooks.serialise(student)


def test_build_executes_the_solution_and_not_the_exercise(project):
    module = project.root / "checks.py"                  # the kernel is another process: give it the checks too
    module.write_text("def check_double(f):\n    assert f(2) == 4\n    print('double holds')\n")
    write(project.root, BODY.replace("from nwlab.exercises import doubling", "import sys; sys.path.insert(0, '..')\n"
                                                                              "import checks as doubling"))
    build(project, ("doubling",), say=lambda _: None)
    solution = nbformat.read(project.solutions / "doubling.ipynb", as_version=4)
    assert cell(solution, "check-double").outputs[0]["text"] == "double holds\n"
    stored = (project.exercises / "doubling.ipynb").read_bytes()
    student = json.loads(stored)
    assert all(not c["outputs"] and c["execution_count"] is None for c in student["cells"] if c["cell_type"] == "code")
    assert b"twice_as_much" not in stored and b"make two of them" not in stored
    assert not [line for line in check(project) if "doubling" in line]
    (project.exercises / "doubling.ipynb").write_bytes(stored.replace(b"Twice the number.", b"Twice the numbre."))
    assert [line for line in check(project) if "exercises/doubling.ipynb" in line]


def test_outputs_in_a_stored_exercise_are_drift(project):
    sources = Sources(project)
    student = sources.editions(("doubling",))[1]
    derived = notebooks.derive(student.lesson, sources.tokens(student.folder))
    next(c for c in derived.cells if c.cell_type == "code").execution_count = 1
    notebooks.write(student.path, notebooks.serialise(derived))
    assert any("exercises/doubling.ipynb" in line for line in check(project, ("doubling",)))


GIVEN = "\nLook.\n\n```{code-cell} python\n:tags: [%s]\n\nnumber = 3\nprint(number + number, 'is', it)\n```\n"
LEAK = "\nNote that `twice_as_much = number + number` is what you want.\n"


def line_of(body, text, last=False):
    """The line of the source in which `text` stands."""
    whole = lesson(body, title="Doubling")
    return whole[:whole.rindex(text) if last else whole.index(text)].count("\n") + 1


@pytest.mark.parametrize(("old", "new", "at", "says"), [
    ("Draw it.\n", "```python\ntwice_as_much=number  +number\n```\n", "twice_as_much=", "gives an answer away"),
    ("    ### END SOLUTION\n", "", "    ### BEGIN", "without an END SOLUTION"),
    ("    ### BEGIN SOLUTION\n", "", "    ### END", "without a BEGIN SOLUTION"),
    ("    twice_as_much =", "    ### BEGIN SOLUTION\n    twice_as_much =", "    ### BEGIN SOLUTION\n    twice",
     "inside the one"),
    ("    ### END SOLUTION", "  ### END SOLUTION", "  ### END SOLUTION", "indented by 2"),
    ("    ### BEGIN SOLUTION", "    ## BEGIN SOLUTION", "    ## BEGIN", "looks like a mark"),
    ("    ### BEGIN SOLUTION", "    ### Begin solution", "    ### Begin", "looks like a mark"),
    ("    ### BEGIN SOLUTION", "    ### BEGIN SOLUTION 1", "    ### BEGIN", "looks like a mark"),
    ("<!-- BEGIN SOLUTION (2 points) -->", "<!-- BEGIN SOLUTION -->", "<!-- BEGIN", "say what the answer is worth"),
    ("<!-- BEGIN SOLUTION (2 points) -->", "<!-- BEGINN SOLUTION -->", "<!-- END", "without a BEGIN SOLUTION"),
    ("<!-- END SOLUTION -->", "", "<!-- BEGIN", "without an END SOLUTION"),
    ("    twice_as_much = number + number\n    return twice_as_much\n", "\n", "    ### BEGIN", "no answer between"),
    ("    return twice_as_much", "  return twice_as_much", "  return twice", "indented less"),
    ("def double(number):", "def double(number:", "def double(number:", "no Python"),
    ("doubling.check_double(double)", "doubling.check_duoble(double)", "doubling.check_d", "does not know"),
    ("doubling.check_double(double)", "x = 1\ndoubling.check_double(double)", "x = 1", "stands alone"),
    ("doubling.check_double(double)", "double(3)", None, "no check cell for 'double'"),
    ("Draw it.\n", LEAK, "Note that", "gives an answer away"),
    ("    return twice_as_much\n", "    return double_of_it(number)\n", None, None),
    ("Draw it.\n", "Draw it.\n" + GIVEN % "nbval-ignore-output" + "\nAgain.\n", None, None),
])
def test_a_mistake_stops_with_file_and_line(tmp_path, old, new, at, says):
    assert BODY.count(old) == 1
    body = BODY.replace(old, new)
    path = write(tmp_path, body)
    if says is None:                                     # short lines in common give nothing away
        read_exercise(path)
        return
    with pytest.raises(BuildError, match="doubling.md:") as caught:
        read_exercise(path) and student_edition(read_exercise(path))
    assert says in str(caught.value)
    assert caught.value.line == (None if at is None else line_of(body, at)), str(caught.value)


@pytest.mark.parametrize(("again", "says"), [
    ("doubling.check_double(double)", "is taken, at line"),
    ("def double(x):\n    ### BEGIN SOLUTION\n    return x * 2\n    ### END SOLUTION", "is taken, at line"),
    ("### BEGIN SOLUTION\nvalue = 4\n### END SOLUTION", "inside a function"),
])
def test_a_second_check_or_function_of_a_name_and_a_solution_outside_of_one_stop(tmp_path, again, says):
    body = BODY.replace("Draw it.\n", f"Once more.\n\n```{{code-cell}} python\n{again}\n```\n\nDraw it.\n")
    with pytest.raises(BuildError, match=says) as caught:
        read_exercise(write(tmp_path, body))
    assert caught.value.line == line_of(body, again, last=True)


def test_a_worked_example_may_show_the_same_line(tmp_path):
    shown = "number = 3\ntwice_as_much = number + number"
    body = BODY.replace("Draw it.\n", f"Look.\n\n```{{code-cell}} python\n:tags: [%s]\n\n{shown}\n```\n\nDraw it.\n")
    with pytest.raises(BuildError, match="gives an answer away"):
        read_exercise(write(tmp_path, body.replace("%s", "hide-input")))
    student = student_edition(read_exercise(write(tmp_path, body.replace("%s", "worked"))))
    assert any(c.text == shown and "worked" not in c.tags for c in student.cells)


def test_an_exercise_without_checks_stops(tmp_path, monkeypatch):
    path = write(tmp_path)
    monkeypatch.delitem(sys.modules, "nwlab.exercises.doubling")
    with pytest.raises(BuildError, match=r"expected a package nwlab/exercises/doubling/"):
        read_exercise(path)
