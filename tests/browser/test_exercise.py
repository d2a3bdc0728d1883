"""One exercise from stub to green, as a student does it in JupyterLab: stub, mistake, hint, restart, hand in."""

from __future__ import annotations

import json
import zipfile

import pytest
from student_editions import EXERCISES, checks, solution, student

RUN = """async (index) => {
  const panel = window.jupyterapp.shell.currentWidget;
  await panel.context.ready; await panel.sessionContext.ready;
  panel.content.activeCellIndex = index;
  panel.content.deselectAll();
  await window.jupyterapp.commands.execute('notebook:run-cell');
}"""
WRITE = """([index, text]) =>
  window.jupyterapp.shell.currentWidget.content.widgets[index].model.sharedModel.setSource(text)"""
COMMAND = "(command) => window.jupyterapp.commands.execute(command)"
RESTART = "async () => { await window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart(); }"


class Student:
    """Somebody who works through a notebook, cell by cell, by the ids of the cells."""

    def __init__(self, lab, name):
        self.page, self.notebook = lab.page, student(name)
        self.at = {cell.id: index for index, cell in enumerate(self.notebook.cells)}
        # One number for each widget that JupyterLab makes of a cell; all are there, whether on the screen or not.
        self.page.wait_for_function(
            f"window.jupyterapp?.shell.currentWidget?.content?.widgets?.length === {len(self.at)}", timeout=60_000)

    def run(self, id):
        self.page.evaluate(RUN, self.at[id])

    def write(self, id, text):
        self.page.evaluate(WRITE, [self.at[id], text])
        self.run(id)

    def shown(self, id) -> str:
        """What stands under a cell."""
        content = "window.jupyterapp.shell.currentWidget.content"
        node = f"{content}.widgets[{self.at[id]}].node"
        self.page.evaluate(f"async () => {{ await {content}.scrollToItem({self.at[id]}); }}")
        self.page.wait_for_function(f"{node}.isConnected && {node}.querySelector('.jp-OutputArea-output')")
        return self.page.evaluate(f"{node}.querySelector('.jp-Cell-outputArea').textContent")


@pytest.fixture
def folder(lab_address, scratch, root):
    """The exercises, beside the notebooks that the server shows."""
    target = scratch / "exercises"
    target.mkdir(exist_ok=True)
    for name in EXERCISES:
        (target / f"{name}.ipynb").write_bytes((root / "exercises" / f"{name}.ipynb").read_bytes())
    return target


def test_from_stub_to_green(open_notebook, folder):
    name = "warm_up"
    lab = open_notebook(f"exercises/{name}.ipynb")
    me = Student(lab, name)
    answers = {cell.id: cell.source for cell in solution(name).cells}
    writes = {cell.id: cell.source for cell in me.notebook.cells if cell.id.startswith("write-")}
    for cell in me.notebook.cells:                       # first as it came: every check says what to do
        if cell.cell_type == "code" and cell.id != "hand-in":
            me.run(cell.id)
    for check in checks(me.notebook):
        assert "✗" in me.shown(check) and "not written yet" in me.shown(check)
    first = checks(me.notebook)[0]
    stub = next(id for id in writes if id.removeprefix("write-") == first.removeprefix("check-"))
    me.write(stub, writes[stub].split("raise NotImplementedError")[0] + "return None")
    me.run(first)
    assert "✗" in me.shown(first) and "return" in me.shown(first)       # a mistake is named
    for id in writes:
        me.write(id, answers[id])
    for cell in me.notebook.cells:
        if cell.cell_type == "code" and cell.id not in (*writes, "hand-in"):
            me.run(cell.id)
    for check in checks(me.notebook):
        assert "✓" in me.shown(check) and "✗" not in me.shown(check), me.shown(check)
    lab.page.evaluate(COMMAND, "docmanager:save")
    lab.page.wait_for_function("!window.jupyterapp.shell.currentWidget.context.model.dirty")
    me.run("hand-in")
    assert f"{name}-handin.zip" in me.shown("hand-in"), me.shown("hand-in")
    with zipfile.ZipFile(folder / f"{name}-handin.zip") as packed:
        note = json.loads(packed.read("progress.json"))
        assert set(packed.namelist()) == {f"{name}.ipynb", "progress.json"}
        assert note["held"] == len(checks(me.notebook))
    lab.page.evaluate(RESTART)                           # and what holds is still known
    me.run("imports")
    me.run("so-far")
    assert me.shown("so-far").count("✓") >= len(checks(me.notebook))
    assert lab.problems == []


# One in NumPy and one in torch: what every untouched exercise says, tests/authoring asks without a browser.
@pytest.mark.parametrize("name", ["parzen_equivalence", "sgd_bandwidth"])
def test_an_untouched_exercise_fails_in_its_checks_only(open_notebook, folder, name):
    lab = open_notebook(f"exercises/{name}.ipynb", width=900, dark=True)
    me = Student(lab, name)
    for cell in me.notebook.cells:
        if cell.cell_type == "code":
            me.run(cell.id)
    failed = lab.page.evaluate("""() => window.jupyterapp.shell.currentWidget.content.widgets
        .filter((cell) => cell.model.type === 'code' &&
                [...Array(cell.model.outputs.length).keys()].some((i) => cell.model.outputs.get(i).type === 'error'))
        .map((cell) => cell.model.id)""")
    assert sorted(failed) == sorted(checks(me.notebook))
    assert lab.problems == []
