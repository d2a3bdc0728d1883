"""The build as a whole: what it writes, what it keeps, what it leaves alone when something fails."""
import base64
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from nbformat.v4 import new_output
from workshop import NUMBERS, START, make_workshop, write_source

from nwlab.authoring import notebook as notebooks
from nwlab.authoring.build import build, check
from nwlab.authoring.outputs import PNG, WIDGET, common_ground, tidy
from nwlab.authoring.project import BuildError
from nwlab.authoring.source import Cell

ROOT = Path(__file__).resolve().parents[2]


def quiet(_):
    pass


def stored(project, name="01_numbers"):
    return json.loads((project.notebooks / f"{name}.ipynb").read_text(encoding="utf-8"))


def store(project, notebook):
    text = json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    (project.notebooks / "01_numbers.ipynb").write_text(text, encoding="utf-8")


def replace(project, old, new):
    assert old in NUMBERS
    return write_source(project.root, "01_numbers", NUMBERS.replace(old, new))


def picture(notebook):
    return next(output["data"] for cell in notebook["cells"] for output in cell.get("outputs", ())
                if PNG in output.get("data", {}))


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A built workshop; tests only read it."""
    project = make_workshop(tmp_path_factory.mktemp("built"))
    build(project, say=quiet)
    return project


@pytest.fixture
def copy(built, tmp_path):
    """A copy of the built workshop, to change."""
    project = make_workshop(tmp_path)
    for path in (*built.notebooks.glob("*.ipynb"), built.readme):
        (tmp_path / path.relative_to(built.root)).write_bytes(path.read_bytes())
    return project


def test_what_is_written_is_executed_and_up_to_date(built):
    code = [cell for cell in stored(built)["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == [1, 2]
    assert code[0]["outputs"] == [{"name": "stdout", "output_type": "stream", "text": ["3\n"]}]
    found = sorted(path.name for path in built.notebooks.iterdir())
    assert found == ["00_start_here.ipynb", "01_numbers.ipynb", "images", "source"]
    assert check(built) == []


def test_the_readme_gets_its_table_and_keeps_the_rest(built):
    page = built.readme.read_text(encoding="utf-8")
    row = "| [01 · A lesson](notebooks/01_numbers.ipynb) | What it is about | 5 | [Binder](https://mybinder.org/"
    assert row in page
    assert page.startswith("# A workbook\n") and page.endswith("\nThe end.\n") and "\nold\n" not in page
    assert "](01_numbers.ipynb) |" in "".join(stored(built, "00_start_here")["cells"][0]["source"])


def test_two_builds_in_two_places_give_the_same_bytes(built, tmp_path):
    other = make_workshop(tmp_path / "another place")
    build(other, say=quiet)
    for path in (*built.notebooks.glob("*.ipynb"), built.readme):
        assert (other.root / path.relative_to(built.root)).read_bytes() == path.read_bytes()


def redrawn(project, mark: bool) -> str:
    """Put the stored picture in other bytes, with one pixel changed if ``mark``, as another machine may draw it."""
    from PIL import Image

    notebook = stored(project)
    encoded, buffer = picture(notebook)[PNG], io.BytesIO()
    image = Image.open(io.BytesIO(base64.b64decode(encoded))).convert("RGBA")
    if mark:
        image.putpixel((0, 0), (1, 2, 3, 255))
    image.save(buffer, format="PNG", compress_level=1)
    picture(notebook)[PNG] = mine = base64.b64encode(buffer.getvalue()).decode()
    assert mine != encoded.strip()
    store(project, notebook)
    return mine


def build_again(project) -> str:
    build(project, ("01_numbers",), say=quiet)
    return picture(stored(project))[PNG].strip()


def test_a_picture_that_is_still_true_keeps_its_bytes(copy):
    mine = redrawn(copy, mark=False)
    replace(copy, "total = 1 + 2", "total = 2 + 1")      # the digest changes, the pixels do not
    assert build_again(copy) == mine
    replace(copy, "plt.plot([0, total]);", "plt.plot([total, 0]);")
    assert build_again(copy) != mine


def test_a_machine_that_draws_otherwise_changes_no_picture(copy):
    foreign = redrawn(copy, mark=True)
    assert build_again(copy) == foreign
    (copy.root / "nwlab" / "drawing.py").write_text("width = 3\n", encoding="utf-8")
    assert build_again(copy) != foreign


def test_words_in_the_package_draw_nothing_code_does(tmp_path):
    project = make_workshop(tmp_path)
    before = common_ground(project)
    for width, same in ((2, True), (3, False)):
        text = f'"""Said better."""\n\nwidth = {width}  # pixels\n'
        (tmp_path / "nwlab" / "drawing.py").write_text(text, encoding="utf-8")
        assert (common_ground(project) == before) == same


@pytest.mark.parametrize(("code", "says"), [
    ("y = 1\nz = y / 0", "ZeroDivisionError: division by zero (cell 'the-sum')"),
    ("y = 1\nz = = y", "SyntaxError"),
    ("import os\nos._exit(1)", "the kernel died in cell 'the-sum'"),
])
def test_a_failing_notebook_names_the_line_and_leaves_the_old_one(copy, code, says):
    before = (copy.notebooks / "01_numbers.ipynb").read_bytes()
    path = replace(copy, "total = 1 + 2\nprint(total)", code)
    line = path.read_text(encoding="utf-8").splitlines().index(code.splitlines()[0]) + 1 + ("Error" in says)
    with pytest.raises(BuildError) as caught:
        build(copy, ("01_numbers",), say=quiet)
    assert says in str(caught.value) and f"01_numbers.md:{line}: " in str(caught.value)
    assert (copy.notebooks / "01_numbers.ipynb").read_bytes() == before
    assert not list(copy.notebooks.glob(".*"))


@pytest.mark.parametrize(("output", "says"), [
    (new_output("stream", name="stderr", text="far"), "writes to stderr (tag it stderr-on-purpose if it should): far"),
    (new_output("stream", text="<object object at 0x7f00aa55>"), "shows a memory address"),
    (new_output("stream", text="/home/me/nwlab"), "names a folder of this machine, '/home/me/'"),
    (new_output("display_data", {"image/svg+xml": "<svg/>"}), "shows a picture, so it needs :tags: [nbval-ignore"),
    (new_output("execute_result", {WIDGET: {}, "text/plain": "VBox()"}), "shows a widget, so it needs :tags: [nbval-"),
    (new_output("execute_result", {WIDGET: {}, "text/plain": "VBox()"}), "with neither a picture nor words"),
])
def test_an_output_that_cannot_be_stored_is_named(output, says):
    cell = Cell("code", "x", Path("01_numbers.md"), 12, "the-sum", ["nbval-ignore-output"] if "neither" in says else [])
    with pytest.raises(BuildError, match=r"01_numbers.md:12: cell 'the-sum' .*" + re.escape(says)):
        tidy([output], cell, ["/home/me/"])


def test_tags_say_what_is_on_purpose(tmp_path):
    body = """# Tags

An error, shown.

```{code-cell} python
:tags: [raises-exception]
1 / 0
```

A warning.

```{code-cell} python
:tags: [stderr-on-purpose]
import sys
print("careful", file=sys.stderr)
```

A widget with words.

```{code-cell} python
:tags: [nbval-ignore-output]
import ipywidgets
class Spoken(ipywidgets.IntSlider):
    def _repr_mimebundle_(self, **options):
        return super()._repr_mimebundle_(**options) | {"text/plain": "a slider from 0 to 100"}
Spoken()
```
"""
    project = make_workshop(tmp_path, **{"01_tags": body})
    build(project, say=quiet)
    outputs = [cell["outputs"][0] for cell in stored(project, "01_tags")["cells"] if cell["cell_type"] == "code"]
    assert outputs[0]["ename"] == "ZeroDivisionError"
    assert outputs[1]["name"] == "stderr"
    assert outputs[2]["data"] == {"text/plain": ["a slider from 0 to 100"]}


def test_an_interrupt_leaves_the_old_notebook_and_says_so(copy, tmp_path):
    before = (copy.notebooks / "01_numbers.ipynb").read_bytes()
    mark = tmp_path / "running"
    replace(copy, "print(total)", f"open({str(mark)!r}, 'w').close()\nimport time\ntime.sleep(50)")
    # A shell's background job is born deaf to Ctrl-C, and so would be what it starts: give the signal back its meaning.
    process = subprocess.Popen([sys.executable, "-m", "nwlab", "build", "01_numbers"], cwd=copy.root, text=True,
                               env={**os.environ, "PYTHONPATH": str(ROOT)}, stderr=subprocess.PIPE,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    while not mark.exists() and process.poll() is None:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate()
    assert process.returncode == 1
    assert error.strip().endswith("stopped; what was not finished is as it was") and "Traceback" not in error
    assert (copy.notebooks / "01_numbers.ipynb").read_bytes() == before
    assert not list(copy.notebooks.glob(".*"))


def test_an_unknown_name_is_said(copy):
    with pytest.raises(BuildError, match="no lesson called '02_x'; there are 00_start_here, 01_numbers"):
        build(copy, ("02_x",), say=quiet)


def test_a_large_notebook_is_not_written(tmp_path):
    with pytest.raises(BuildError, match="would have 1,000,001 bytes, expected at most 1,000,000"):
        notebooks.write(tmp_path / "01_large.ipynb", "x" * 1_000_001)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("change", "says"), [
    (lambda nb: nb["cells"][0]["source"].append("\nmore"), "01_numbers.md:8 (cell 'numbers')"),
    (lambda nb: nb["cells"][1]["metadata"].update(tags=["x"]), "(cell 'the-sum')"),
    (lambda nb: nb["cells"][1].update(id="other"), "(cell 'the-sum')"),
    (lambda nb: nb["cells"].pop(), "has 3 cells, its source notebooks/source/01_numbers.md has 4"),
    (lambda nb: nb["metadata"]["language_info"].update(version="3.11.7"), "its metadata, its outputs or its layout"),
    (lambda nb: nb["cells"][1]["outputs"][0].update(text=["another\n"]), None),              # outputs are not compared
])
def test_check_finds_an_edited_notebook(copy, change, says):
    notebook = stored(copy)
    change(notebook)
    store(copy, notebook)
    problems = check(copy)
    assert len(problems) == (says is not None)
    assert not problems or problems[0].startswith("notebooks/01_numbers.ipynb: ") and says in problems[0]


def test_check_finds_an_edited_source_and_what_hangs_on_it(copy):
    path = replace(copy, "First", "Second")
    assert len(check(copy)) == 1
    path.write_text(path.read_text(encoding="utf-8").replace("minutes: 5", "minutes: 6"), encoding="utf-8")
    assert [problem.partition(":")[0] for problem in check(copy)] == [
        "notebooks/00_start_here.ipynb", "notebooks/01_numbers.ipynb", "README.md",
    ]


def test_check_finds_orphans_and_gaps(copy):
    (copy.notebooks / "00_start_here.ipynb").rename(copy.notebooks / "09_orphan.ipynb")
    assert check(copy) == [
        "notebooks/00_start_here.ipynb: there is no such notebook, or none that can be read",
        "notebooks/09_orphan.ipynb: has no source",
    ]


def test_an_unclosed_part_of_the_readme_is_said(tmp_path):
    project = make_workshop(tmp_path, **{"00_start_here": START.replace("#By-hand", ""), "01_numbers": "# N\n"})
    text = project.readme.read_text(encoding="utf-8")
    project.readme.write_text(text.replace("<!-- /nwlab -->\n\n", "\n", 1), encoding="utf-8")
    with pytest.raises(BuildError, match=r"README.md:3: this generated part is not closed"):
        check(project)
