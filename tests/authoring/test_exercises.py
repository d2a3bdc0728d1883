"""One source, two editions: what the student gets, what nobody gets, and what stops the build."""
import sys
from types import ModuleType, SimpleNamespace

import pytest
from workshop import lesson, make_workshop

from workbook import course
from workbook.authoring import notebook as notebooks
from workbook.authoring.build import Sources
from workbook.authoring.exercise import read_exercise, student_edition
from workbook.authoring.project import BuildError

BODY = '''# Doubling

Twice as much. About it, see [the numbers](../notebooks/01_numbers.ipynb).

```{code-cell} python
:name: imports

from workbook.exercises import doubling
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


@pytest.fixture(autouse=True)
def doubling(monkeypatch):
    """A module of checks for the exercise of these tests."""
    module = ModuleType("workbook.exercises.doubling")
    module.EXERCISE = SimpleNamespace(items=(SimpleNamespace(name="double", points=3),))
    monkeypatch.setitem(sys.modules, "workbook.exercises.doubling", module)
    monkeypatch.setattr(course, "EXERCISES", ("doubling",))


def write(folder, body=BODY):
    path = folder / "solutions" / "source" / "doubling.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(lesson(body, title="Doubling"), encoding="utf-8")
    return path


def cell(notebook, name):
    return next(cell for cell in notebook.cells if cell.id == name)


def test_a_student_gets_stubs_and_both_editions_nbgraders_metadata(tmp_path):
    project = make_workshop(tmp_path)
    write(tmp_path)
    sources = Sources(project)
    solution, student = (sources.derive(edition) for edition in sources.editions(("doubling",)))
    assert solution.cells[0].source.startswith("# Doubling\n\n*This is the edition with solutions.")
    assert cell(student, "write-double").source == (
        'def double(number):\n    """Twice the number."""\n'
        '    raise NotImplementedError("write double, then run this cell again")')
    assert "twice_as_much = number + number" in cell(solution, "write-double").source
    assert "### BEGIN SOLUTION" in cell(solution, "write-double").source         # nbgrader takes these marks too
    assert "make two of them" in cell(solution, "answer").source
    assert "make two" not in cell(student, "answer").source and "Your answer" in cell(student, "answer").source
    assert cell(student, "answer").source.startswith("## In your words")
    for edition, is_students in ((solution, False), (student, True)):
        marks = {each.id: each.metadata["nbgrader"] for each in edition.cells if "nbgrader" in each.metadata}
        assert {name: (mark["solution"], mark["locked"], mark.get("points")) for name, mark in marks.items()} == {
            "write-double": (True, False, None), "check-double": (False, True, 3), "answer": (True, False, 2)}
        code = [each for each in edition.cells if each.cell_type == "code"]
        assert {"nbval-ignore-output" in each.metadata.get("tags", []) for each in code} == {is_students}
        assert any("hand it in" in each.source for each in edition.cells) == is_students      # a cell for one edition
        assert "student-only" not in notebooks.serialise(edition)


def look(code, tags=""):
    """One more cell in the place of a line of prose."""
    return "Draw it.\n", f"Look.\n\n```{{code-cell}} python\n:tags: [{tags}]\n\n{code}\n```\n\nDraw it.\n"


SHOWN = "number = 3\ntwice_as_much = number + number"
LEAK = "\nNote that `twice_as_much = number + number` is what you want.\n"
AGAIN = "def double(x):\n    ### BEGIN SOLUTION\n    return x * 2\n    ### END SOLUTION"


@pytest.mark.parametrize(("old", "new", "at", "says"), [
    ("    ### END SOLUTION\n", "", "    ### BEGIN", "no partner"),
    ("    twice_as_much =", "    ### BEGIN SOLUTION\n    twice_as_much =",
     "    ### BEGIN SOLUTION\n    twice", "no partner"),
    ("    ### END SOLUTION", "  ### END SOLUTION", "    ### BEGIN", "equally indented"),
    ("    ### BEGIN SOLUTION", "    ## BEGIN SOLUTION", "    ## BEGIN", "'## BEGIN SOLUTION' is no mark"),
    ("<!-- BEGIN SOLUTION (2 points) -->", "<!-- BEGIN SOLUTION -->", "<!-- BEGIN", "expected <!-- BEGIN SOLUTION (2"),
    ("doubling.check_double(double)", "doubling.check_duoble(double)", "doubling.check_d", "does not know"),
    ("doubling.check_double(double)", "x = 1\ndoubling.check_double(double)", "x = 1", "stands alone"),
    ("doubling.check_double(double)", "double(3)", None, "no check cell for 'double'"),
    ("Draw it.\n", LEAK, None, "gives an answer away"),
    ("Draw it.\n", "```python\ntwice_as_much=number  +number\n```\n", None, "gives an answer away"),
    ("    return twice_as_much\n", "    return double_of_it(number)\n", None, None),
    (*look("print(number + number, 'is', it)", "nbval-ignore-output"), None, None),
    (*look(SHOWN, "hide-input"), None, "gives an answer away"),
    (*look(SHOWN, "worked"), None, None),
    (*look("doubling.check_double(double)"), "doubling.check_double(double)", "is taken, at line"),
    (*look(AGAIN), "def double(x)", "is taken, at line"),
    (*look("### BEGIN SOLUTION\nvalue = 4\n### END SOLUTION"), "### BEGIN SOLUTION\nvalue", "inside a function"),
])
def test_a_mistake_stops_with_file_and_line(tmp_path, old, new, at, says):
    assert BODY.count(old) == 1
    path = write(tmp_path, BODY.replace(old, new))
    if says is None:                                     # short lines in common give nothing away, nor a worked example
        assert all("worked" not in each.tags for each in student_edition(read_exercise(path)).cells)
        return
    with pytest.raises(BuildError, match="doubling.md:") as caught:
        student_edition(read_exercise(path))
    assert says in str(caught.value)
    text = path.read_text(encoding="utf-8")
    assert caught.value.line == (None if at is None else text[:text.rindex(at)].count("\n") + 1), str(caught.value)
