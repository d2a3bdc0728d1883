"""What a notebook calls: the line, the panel, CheckFailed, hints, progress, figures, and the file to hand in."""
import errno
import json
import os
import re
import zipfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from workbook import exercises
from workbook.checks import CheckFailed, hand_in, messages, progress, rerun
from workbook.exercises import parzen_equivalence
from workbook.questions import kept, widgets
from workbook.questions.questions import inline

DENSITY = parzen_equivalence.EXERCISE.item("density")
HOLDS = f"density holds: {len(DENSITY.problems(0))} problems, 1 point"


def density(x, keys, bandwidth):
    d = x[0].size
    u = np.linalg.norm(x.reshape(-1, 1, d) - keys.reshape(1, -1, d), axis=2) / bandwidth
    return ((0.75 if d == 1 else 2 / np.pi) * np.maximum(0, 1 - u**2) / bandwidth**d).mean(axis=1)


def unsolved(x, keys, bandwidth):
    raise NotImplementedError("write density, then run this cell again")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder of its own for each test, and none of the variables that say something about the machine."""
    monkeypatch.chdir(tmp_path)
    for name in ("NWLAB_PROGRESS", "NWLAB_CHECK_SEED", "JPY_SESSION_NAME", *hand_in.BINDER):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(kept, "unwritten", [])
    monkeypatch.setattr(kept, "_home", None)
    monkeypatch.setattr(messages, "shell", lambda: None)
    return tmp_path


class Page:
    """In place of a notebook: an IPython shell's history, and what was displayed."""

    def __init__(self, monkeypatch, *cells):
        import IPython.display

        self.user_ns, self.bundles = {}, []
        self.history_manager = SimpleNamespace(input_hist_raw=["", *cells])
        monkeypatch.setattr(messages, "shell", lambda: self)
        monkeypatch.setattr(IPython.display, "display", lambda bundle, **options: self.bundles.append(bundle))


# --- the line, the panel, the error


def test_the_seed_of_the_environment_makes_other_problems(capfd, monkeypatch):
    tried = []
    for seed in ("", "0", "17"):
        monkeypatch.setenv("NWLAB_CHECK_SEED", seed)
        parzen_equivalence.check_density(density)
        with pytest.raises(CheckFailed) as failed:
            parzen_equivalence.check_density(
                lambda x, keys, bandwidth: density(x, keys, bandwidth) + (5 <= len(keys) < 12))
        tried.append(failed.value.verdict.tried)
    assert tried[0] == tried[1] != tried[2] and capfd.readouterr() == (3 * (HOLDS + "\n"), "")
    monkeypatch.setenv("NWLAB_CHECK_SEED", "abc")
    with pytest.raises(ValueError, match="NWLAB_CHECK_SEED: got 'abc', expected a whole number"):
        parzen_equivalence.check_density(density)


def test_a_wrong_answer_raises_its_text_and_none_of_our_stack(capfd):
    with pytest.raises(CheckFailed) as failed:
        parzen_equivalence.check_density(unsolved)
    text = str(failed.value)
    assert failed.value._render_traceback_() == [text.splitlines()[0]] and "workbook/exercises" not in text
    assert text.endswith('.\n  For a hint:  parzen_equivalence.hint("density", level=1)')
    assert text.startswith("density does not hold yet: not written yet\n") and capfd.readouterr() == ("", "")
    with pytest.raises(CheckFailed, match=r"\?\n  For a hint:  parzen_equivalence\.hint"):           # no "?." before it
        parzen_equivalence.check_density(lambda x, keys, bandwidth: 2 * density(x, keys, bandwidth))


def test_a_panel_has_symbol_word_and_colour_is_always_the_same_and_no_markup_breaks_it(monkeypatch, capsys):
    page = Page(monkeypatch)
    for _ in range(2):
        parzen_equivalence.check_density(density)
        with pytest.raises(CheckFailed):
            parzen_equivalence.check_density(unsolved)
    right, wrong = page.bundles[:2]
    assert page.bundles == [right, wrong] * 2
    for bundle, *words in ((right, "✓", "holds", "--jp-success-color1"), (wrong, "✗", "not yet", "--jp-warn-color1")):
        assert all(word in bundle["text/html"] for word in words)
    assert right["text/plain"] == HOLDS and capsys.readouterr().out == ""                  # said once, and there
    shown, *hints = wrong["text/html"].split("<details class='wb-hint'>")                   # each behind the one before
    assert "<details>" not in shown and "Run All" in shown and "level=" not in shown         # a stub has no details
    assert all(inline(text) in part for text, part in zip(DENSITY.hints, hints, strict=True))
    assert hints[-1].endswith("</details>" * 3 + "</div>")
    with pytest.raises(CheckFailed) as failed:
        parzen_equivalence.check_density(lambda *at: 2 * density(*at))
    folded = page.bundles[-1]["text/html"].partition("<details>")[2]
    assert "Came back" in folded and "2 times" not in folded
    assert page.bundles[-1]["text/plain"] == str(failed.value)
    assert inline("`a<b` & <i>, one ` alone") == "<code>a&lt;b</code> &amp; &lt;i&gt;, one ` alone"


def test_hints_lead_on_to_the_next_but_for_the_last(capsys):
    for name, level, more in (("density", 1, True), (density, 3, False)):
        parzen_equivalence.hint(name, level)
        out = capsys.readouterr().out
        assert f"Hint {level} of 3" in out and ('hint("density", level=2)' in out) == more == ("More" in out)
    for name, level, words in (("densty", 1, "got 'densty', expected one of kernel_table, density"),
                               ("density", 4, "level: got 4, expected 1, 2 or 3")):
        with pytest.raises(ValueError, match=re.escape(words)):
            parzen_equivalence.hint(name, level)


# --- progress

EXERCISE, FILE = parzen_equivalence.EXERCISE, ".nwlab-progress.txt"


def test_progress_is_kept_in_the_file_alone(folder, capsys):
    parzen_equivalence.check_density(density)
    exercises.progress()
    out = capsys.readouterr().out
    assert "✓ density" in out and "1 of 6 items hold, 1 of 11 points" in out and "scores_of" not in out
    (folder / "elsewhere").mkdir()
    os.chdir(folder / "elsewhere")                                          # as a notebook does to read its data
    with pytest.raises(CheckFailed):
        parzen_equivalence.check_density(unsolved)
    parzen_equivalence.progress()
    assert "✗ density" in capsys.readouterr().out and kept.unwritten == []
    assert len([line for line in (folder / FILE).read_text().splitlines() if line]) == 2
    (folder / FILE).unlink()
    assert {*progress.held(EXERCISE).values()} == {None}


def test_a_damaged_file_costs_only_its_damage(folder):
    progress.remember(EXERCISE, "density", True)
    with (folder / FILE).open("ab") as file:
        file.write(b'[1]\n7\n{}\n{"exercise": "parzen_equivalence", "item": {}}\n\xff\xfe\x00\n{"exercise": "parz')
    progress.remember(EXERCISE, "kernel_table", False)
    assert [*progress.held(EXERCISE).values()] == [False, True, None, None, None, None]


@pytest.mark.parametrize("place", ["missing/folder/progress", "."])
def test_what_cannot_be_written_is_remembered_and_said(monkeypatch, capsys, place):
    monkeypatch.setenv("NWLAB_PROGRESS", place)
    parzen_equivalence.check_density(density)
    parzen_equivalence.progress()
    out = capsys.readouterr().out
    assert "✓ density" in out and "only until the kernel stops" in out


# --- figures


def test_a_figure_cell_never_raises_and_says_why_or_is_a_picture_with_words(capfd, monkeypatch):
    import matplotlib.pyplot as plt

    open_before = plt.get_fignums()
    for function in (unsolved, lambda x, keys, bandwidth: keys, lambda x: 1 / 0, None, density, nothing, lambda *_: {}):
        parzen_equivalence.show_density(function)
    exercises.online_softmax.show_states(lambda *state: state)
    out, err = capfd.readouterr()
    lines = out.splitlines()
    assert lines[0] == "Not yet solved: write density, then run this cell again." and err == ""
    assert lines[1].startswith("No figure yet: ValueError: got shape (60,), expected (241,)")
    assert "TypeError" in lines[2] and "TypeError" in lines[3] and lines[4].startswith("Figure: The Parzen density")
    for line, got in zip(lines[5:], ("None, expected numbers from density", "something of type dict, expected numbers",
                                     "5 results, expected 3 from absorb"), strict=True):
        assert line.startswith(f"No figure yet: ValueError: got {got}")
    assert plt.get_fignums() == open_before
    page = Page(monkeypatch)
    parzen_equivalence.show_density(density)
    assert page.bundles[0].data.startswith('<div class="wb-picture"><img alt="The Parzen density')


def test_a_function_that_changes_its_inputs_changes_nothing_else_in_its_figure():
    def changing(x, keys, bandwidth):
        answer = density(x, keys, bandwidth)
        x[:] = keys[:] = 0
        return answer

    yours, right = (ax.lines for ax in parzen_equivalence.show_density.draw(changing).axes)
    for one, other in zip(yours, right, strict=True):
        np.testing.assert_allclose(one.get_xydata(), other.get_xydata())


# --- handing in


def nothing(*inputs):
    """A student's function that forgets to return."""


NAME, ZIP = "parzen_equivalence.ipynb", "parzen_equivalence-handin.zip"
CELLS = ["def density(x, keys, bandwidth):\n    return 1", "parzen_equivalence.check_density(density)"]


def notebook(path=NAME, cells=CELLS, encoding="utf-8"):
    cells = [{"cell_type": "code", "source": cell.splitlines(keepends=True), "metadata": {}, "outputs": ["a picture"]}
             for cell in cells]
    stored = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    Path(path).write_bytes(json.dumps(stored, ensure_ascii=False).encode(encoding))


@pytest.fixture
def handed(capsys):
    """Hands in, and returns what is said, its lines joined."""
    def hand_in(**arguments):
        assert parzen_equivalence.hand_in(**arguments) is None
        return " ".join(capsys.readouterr().out.split())

    return hand_in


def packed(name="progress.json"):
    with zipfile.ZipFile(ZIP) as archive:
        assert archive.namelist() == [NAME, "progress.json"]
        return json.loads(archive.read(name))


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16", "utf-8-sig"])
def test_the_zip_holds_the_saved_notebook_in_utf_8_without_outputs_and_a_note(handed, encoding):
    cells = ["# größer als ½", *CELLS]
    notebook(cells=cells, encoding=encoding)
    parzen_equivalence.check_density(density)
    out = handed()
    assert f"Written: {ZIP}" in out and "Binder" not in out and "words" not in out
    assert ("as it will be graded: 0 of 6 items hold, 0 of 11 points. density held in this session, but not "
            "there: one number where an array was expected" in out)
    saved, note = packed(NAME), packed()
    assert [cell.pop("outputs") for cell in saved["cells"]] == [[], [], []]
    assert ["".join(cell["source"]) for cell in saved["cells"]] == cells
    assert (note["points"], note["of"], note["holds"]["density"]) == (1, 11, True)


def test_an_untouched_answer_in_words_is_mentioned_and_that_binder_forgets(monkeypatch, handed):
    notebook(cells=[*CELLS, f"Why?\n\n{rerun.ANSWER_HERE['zh']}"])
    monkeypatch.setenv(hand_in.BINDER[0], "https://example.org")
    out = handed()
    assert "The question in words is not answered yet" in out and "forgets everything when you leave. Download" in out


def test_a_notebook_of_another_name_is_found_and_handed_in_under_its_own(folder, monkeypatch, handed):
    notebook("my copy.ipynb")
    monkeypatch.setenv("JPY_SESSION_NAME", str(folder / "my copy.ipynb"))
    handed()
    assert packed(NAME)
    notebook("another.ipynb", ["1 + 1"])
    for name in ("gone.ipynb", "another.ipynb", "console", "x" * 300 + ".ipynb"):       # a stale name is passed over
        notebook()
        monkeypatch.setenv("JPY_SESSION_NAME", name)
        assert hand_in.find(parzen_equivalence.EXERCISE).name == NAME
    (folder / "out").mkdir()
    handed(notebook="my copy.ipynb", folder="out")
    assert (folder / "out" / ZIP).is_file()


@pytest.mark.parametrize("prepare, arguments, words", [
    (lambda: None, {}, "I cannot find parzen_equivalence.ipynb here. Save"),
    (lambda: None, {"notebook": "x.ipynb"}, "There is no file 'x.ipynb'"),
    (lambda: Path(NAME).write_text("{"), {}, "is not a notebook that can be read"),
    (lambda: notebook(cells=["1"]), {}, "contains no check of parzen_equivalence"),
    (notebook, {"folder": "nowhere"}, "could not be written"),
    *((notebook, {argument: name}, words) for name in ("x" * 300, "x\0", "\ud800")
      for argument, words in (("notebook", "There is no file"), ("folder", "could not be written")))])
def test_what_cannot_be_handed_in_is_said_kindly(folder, capsys, prepare, arguments, words):
    prepare()
    assert parzen_equivalence.hand_in(**arguments) is None
    out = capsys.readouterr().out
    assert out.startswith("Nothing was written. ") and words in " ".join(out.split())
    assert all(len(line) <= messages.WIDTH or "xxx" in line for line in out.splitlines())
    assert not list(folder.glob("*.zip"))


def test_what_was_run_but_not_saved_is_noticed(folder, monkeypatch, handed):
    notebook()
    other = "def density(x, keys, bandwidth):\n    return 2"
    Page(monkeypatch, CELLS[0], other, CELLS[1])
    assert "The density that you ran last is not in the saved" in handed() and not list(folder.glob("*.zip"))
    magic = "%matplotlib inline\nnp.dot?\n" + CELLS[0]
    notebook(cells=[magic, CELLS[1]])
    page = Page(monkeypatch, other, magic + "  \n")
    assert "Written" in handed()
    assert f"href='{ZIP}'" in page.bundles[0]["text/html"]
    assert page.bundles[0]["text/plain"] == f"Download: {ZIP}"


def test_answers_to_questions_go_with_it_unless_the_student_unticks_them(monkeypatch, handed):
    notebook()
    assert handed().count("answer") == 0 and packed()["answers"] == []
    kept.keep_answer("01-castle", "270 again.")
    Page(monkeypatch)
    shown = []
    monkeypatch.setattr(widgets, "display", shown.append)
    assert "Handed in with it: your 1 answer to questions (which question, which answer, when" in handed()
    assert [(one["question"], one["choice"], len(one)) for one in packed()["answers"]] == [
        ("01-castle", "270 again.", 3)]
    box, below = shown[-1].children
    assert box.value and "nothing else" in box.description
    box.value = False
    assert packed()["answers"] == [] and below.value == "Written again, without your answers. "
    assert "Left out: your 1 answer" in handed() and packed()["answers"] == [] and not shown[-1].children[0].value
    for answers in (True, False):
        handed(answers=answers)
        assert bool(packed()["answers"]) == answers and len(shown) == 2
    shown[-1].children[0].value = True
    assert packed()["answers"] and handed() and packed()["answers"] and shown[-1].children[0].value
    Path(ZIP).unlink()
    Path(ZIP).mkdir()
    shown[-1].children[0].value = False
    assert "could not be written again" in shown[-1].children[1].value


@pytest.mark.parametrize("error", [
    OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), PermissionError(errno.EACCES, "Permission denied"),
    RuntimeError("whatever")])
def test_what_goes_wrong_while_it_writes_raises_nothing_and_spoils_no_earlier_file(folder, monkeypatch, handed, error):
    def refuse(path, data):
        path.touch()
        raise error

    notebook()
    handed()
    before = Path(ZIP).read_bytes()
    notebook(cells=[*CELLS, "1"])
    monkeypatch.setattr(Path, "write_bytes", refuse)
    assert "could not be written (" in handed()
    assert Path(ZIP).read_bytes() == before and not [*folder.glob(".*zip*")]
