"""The build as a whole: what it writes, what it keeps, what it leaves alone when something fails."""
import json
import re
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from workshop import NUMBERS, make_workshop, write_source

from workbook.authoring.build import build, check
from workbook.authoring.catalogue import collected
from workbook.authoring.execute import WIDGET, leave_out_widgets
from workbook.authoring.notebook import derive, keep_measured
from workbook.authoring.project import BuildError
from workbook.authoring.source import Cell, Lesson

DIFFERS = ("notebooks/01_numbers.ipynb: differs from what notebooks/source/01_numbers.md, its questions and tables "
           "make now: run `python -m workbook build 01_numbers`")


def stored(project, name="01_numbers"):
    return json.loads((project.notebooks / f"{name}.ipynb").read_text(encoding="utf-8"))


def change_source(project, old, new):
    assert old in NUMBERS
    return write_source(project.root, "01_numbers", NUMBERS.replace(old, new))


def files(project) -> dict[Path, bytes]:
    """What a build writes, by its place in the checkout."""
    return {path.relative_to(project.root): path.read_bytes()
            for path in (*project.notebooks.glob("*.ipynb"), project.readme)}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A built workshop, which tests only read."""
    project = make_workshop(tmp_path_factory.mktemp("built"))
    build(project, say=str)
    return project


@pytest.fixture
def copy(built, tmp_path):
    """A copy of the built workshop, to change."""
    project = make_workshop(tmp_path)
    for path, content in files(built).items():
        (tmp_path / path).write_bytes(content)
    return project


def test_what_is_written_is_executed_up_to_date_and_linked_from_the_readme(built):
    code = [cell for cell in stored(built)["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == [1, 2, 3]
    assert code[0]["outputs"] == [{"name": "stdout", "output_type": "stream", "text": ["3\n"]}]
    assert code[2]["outputs"][0]["ename"] == "ZeroDivisionError"
    assert sorted(path.name for path in built.notebooks.iterdir()) == [
        "00_start_here.ipynb", "01_numbers.ipynb", "images", "source"]
    assert check(built) == []
    page = built.readme.read_text(encoding="utf-8")
    assert "| [01 · A lesson](notebooks/01_numbers.ipynb) | What it is about | 5 |" in page.splitlines()
    assert "[![Open on Binder](notebooks/images/binder.svg)](https://mybinder" in page
    assert page.startswith("# A workbook\n") and page.endswith("\nThe end.\n") and "\nold\n" not in page
    assert "](01_numbers.ipynb) |" in "".join(stored(built, "00_start_here")["cells"][0]["source"])


def test_two_builds_in_two_places_give_the_same_bytes(built, tmp_path):
    other = make_workshop(tmp_path / "another place")
    build(other, say=str)
    assert files(other) == files(built)


# --- what stops a build, or may not be stored


@pytest.fixture
def untouched(copy):
    """The copy; after the test its notebooks are what they were, and nothing unfinished lies beside them."""
    before = files(copy)
    yield copy
    assert files(copy) == before and not list(copy.notebooks.glob(".*"))


@pytest.mark.parametrize("metadata, hidden", [({}, [2, 4]), ({"workbook": {"exercise": "a"}}, [])])
def test_what_a_question_of_a_lesson_asks_for_is_hidden_until_it_is_run(metadata, hidden):
    texts = ["lesson.predict('a')", "Look.", "draw()", "mine = 1\nlesson.task('b')", "fig = 1\nlesson.case(fig, 'a')",
             "Text.\n\n## Next", "draw()"]
    cells = [Cell("code" if "(" in text else "markdown", text, Path("a.md"), 1, f"cell-{i}",
                  ["hide-input"] * (text == "draw()")) for i, text in enumerate(texts)]
    made = derive(Lesson(Path("a.md"), "", "", 0, cells, metadata), lambda text, *_: text)
    folded = {"source_hidden": True}
    assert [cell.metadata.get("jupyter", {}) for cell in made.cells] == [
        ({"outputs_hidden": True} if i in hidden else {}) | (folded if text == "draw()" else {})
        for i, text in enumerate(texts)]


@pytest.mark.parametrize(("code", "says"), [
    ("y = 1\nz = y / 0", "ZeroDivisionError: division by zero (cell 'the-sum')"),
    ("import os\nos.write(2, b'no memory')\nos._exit(1)", "cell 'the-sum': Kernel died"),
])
def test_a_failing_notebook_names_the_line_and_what_its_kernel_says_is_shown(untouched, code, says, capfd):
    path = change_source(untouched, "total = 1 + 2\nprint(total)", code)
    line = path.read_text(encoding="utf-8").splitlines().index(code.splitlines()[0]) + 1 + ("Error" in says)
    with pytest.raises(BuildError, match=rf"01_numbers.md:{line}: .*{re.escape(says)}"):
        build(untouched, ("01_numbers",), say=str)
    assert ("no memory" in capfd.readouterr().err) == ("os.write" in code)


@pytest.mark.parametrize("name", ["02_x", "02", "1", "", "de/01_numbers"])
def test_a_name_of_nothing_stops(untouched, name):
    with pytest.raises(BuildError, match=rf"^build: got {re.escape(repr(name))}, expected one of 00_start_here, "):
        build(untouched, ("01_numbers", name), say=str)


@pytest.mark.parametrize(("words", "kept"), [
    ("VBox()", []), ("interactive(children=())", []), ("a slider", ["text/plain"])])
def test_a_widget_is_not_stored_but_its_words_are(words, kept):
    cell = new_code_cell("x", outputs=[new_output("execute_result", {WIDGET: {}, "text/plain": words})])
    leave_out_widgets(cell)
    assert [[*output.data] for output in cell.outputs] == [kept][:len(kept)]


@pytest.mark.parametrize(("tags", "source", "above", "kept"), [
    (["measured"], "x", "x", True), (["measured"], "new", "x", False), (["measured"], "x", "new", False),
    ([], "x", "x", False)])
def test_what_was_measured_is_kept_as_long_as_the_code_stays(tags, source, above, kept):
    def notebook(shown, source, above):
        cells = [new_code_cell(above, id="above"), new_code_cell(
            source, id="it", outputs=[new_output("stream", text=shown)], metadata={"tags": tags})]
        return new_notebook(cells=cells)

    made = notebook("1.2 ms", source, above)
    keep_measured(notebook("825 µs", "x", "x"), made)
    assert made.cells[1].outputs[0].text == ("825 µs" if kept else "1.2 ms")


def test_a_measured_time_is_written_once_and_again_only_where_the_notebook_was_removed(copy):
    timed = ":tags: [nbval-ignore-output, measured]\n\nimport time\ntotal = 3\nprint(f'{time.time()} s')"
    change_source(copy, "\ntotal = 1 + 2\nprint(total)", timed)
    assert build(copy, ("01",), say=str) == []
    first = files(copy)
    assert build(copy, ("01",), say=str) == [] and files(copy) == first
    (copy.notebooks / "01_numbers.ipynb").unlink()
    assert build(copy, ("01",), say=str) == [] and files(copy) != first


# --- what a check finds


@pytest.mark.parametrize(("old", "new", "differs"), [
    ("First some text.", "First some more text.", True),
    ('"id": "the-sum"', '"id": "other"', True),
    ('"language_info": {', '"language_info": {"version": "3.11.7",', True),
    ('"3\\n"', '"another\\n"', False),                    # outputs are not compared
])
def test_check_finds_an_edited_notebook(copy, old, new, differs):
    path = copy.notebooks / "01_numbers.ipynb"
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")
    assert check(copy) == [DIFFERS] * differs


def test_check_finds_an_edited_source_what_depends_on_it_orphans_and_gaps(copy):
    path = change_source(copy, "First", "Second")
    path.write_text(path.read_text(encoding="utf-8").replace("What it is", "All that it is"), encoding="utf-8")
    assert [problem.partition(":")[0] for problem in check(copy)] == [
        "notebooks/00_start_here.ipynb", "notebooks/01_numbers.ipynb", "README.md"]
    write_source(copy.root, "01_numbers", NUMBERS)
    (copy.notebooks / "00_start_here.ipynb").rename(copy.notebooks / "09_orphan.ipynb")
    missing, orphan = check(copy)
    assert missing.startswith("notebooks/00_start_here.ipynb: there is no such notebook, or none that can be read")
    assert orphan == "notebooks/09_orphan.ipynb: has no source"
    change_source(copy, "First", "Second")
    assert DIFFERS in build(copy, ("00_start_here",), say=str)


def test_texts_are_collected_wherever_they_are_said_in_the_order_of_the_file(tmp_path):
    (tmp_path / "one.py").write_text("""if deep:\n    say("one"), f"<b>{say('two')}</b>", say(words)\n"""
                                     """say_count("{n} key", "{n} keys", n), print("three")""")
    (tmp_path / "four.js").write_text("""place.innerHTML = `<b>${translate("four")}</b>` + translate("five", { n });""")
    assert [message.id for message in collected(tmp_path)] == [
        "", "one", "two", ("{n} key", "{n} keys"), "four", "five"]
