"""One exercise from stub to green, as a student does it in JupyterLab: stub, mistake, solution, hand in, restart.

What every check of every exercise says to someone who has not begun, tests/authoring asks without a browser. Here each
cell that JupyterLab runs by itself costs a third of a second of processor time: Run All costs little more than one.
"""
import json
import zipfile

from jupyter_page import CONTENT, wait_for, wait_until
from student_editions import checks, student

FAILED = f"""{CONTENT}.widgets.filter((cell) => cell.model.type === 'code' &&
    [...Array(cell.model.outputs.length).keys()].some((i) => cell.model.outputs.get(i).type === 'error'))
  .map((cell) => cell.model.id)"""


class Student:
    """Somebody who works through a notebook, cell by cell, by the ids of the cells."""

    def __init__(self, lab, notebook):
        self.lab, self.page, self.notebook = lab, lab.page, notebook
        self.at = {cell.id: index for index, cell in enumerate(notebook.cells)}
        # One number for each widget that JupyterLab makes of a cell; all are there, whether on the screen or not.
        self.page.wait_for_function(f"{CONTENT}.widgets.length === {len(self.at)}")

    def run(self, *ids):
        for id in ids:
            self.lab.run_cell(self.at[id])

    def write(self, id, text):
        self.page.evaluate(f"(text) => {CONTENT}.widgets[{self.at[id]}].model.sharedModel.setSource(text)", text)

    def sees(self, id, *words, never="") -> None:
        """Wait until these words stand under a cell, and the others do not."""
        wait_until(self.page, lambda: (shown := self.shown(id)) and all(word in shown for word in words)
                   and not (never and never in shown), lambda: f"under {id} stands {self.shown(id)}")

    def shown(self, id) -> str:
        """What stands under a cell, whether on the screen or not."""
        return self.page.evaluate(f"""() => {{
            const outputs = {CONTENT}.widgets[{self.at[id]}].model.outputs.toJSON();
            const page = document.createElement('div');
            const shown = outputs.map((one) => [one.data?.['text/html'] ?? one.text ?? one.traceback].flat().join(''));
            page.innerHTML = shown.join(' ');
            return page.textContent;
        }}""")


def test_from_stub_to_green(jupyterlab, root, scratch, name="warm_up"):
    folder = scratch / "exercises"
    folder.mkdir()
    (folder / f"{name}.ipynb").write_bytes((root / "exercises" / f"{name}.ipynb").read_bytes())
    lab = jupyterlab.open(f"exercises/{name}.ipynb", width=900, dark=True)
    me = Student(lab, student(name))
    answers = {cell.id: cell.source for cell in student(name, "solutions").cells}
    writes = {cell.id: cell.source for cell in me.notebook.cells if cell.id.startswith("write-")}
    first, *_ = todo = checks(me.notebook)
    stub = first.replace("check-", "write-")
    me.run("imports", stub, first)                       # first as it came: the check says what to do
    wait_for(lab.page, lambda: lab.page.evaluate(FAILED), [first])
    me.sees(first, "✗", "not written yet")
    me.write(stub, writes[stub].split("raise NotImplementedError")[0] + "return None")
    me.run(stub, first)
    me.sees(first, "✗", "return")                        # a mistake is named
    for id in writes:
        me.write(id, answers[id])
    lab.run_all()
    for check in todo:
        me.sees(check, "✓", never="✗")
    lab.command("docmanager:save")
    lab.page.wait_for_function("!window.jupyterapp.shell.currentWidget.context.model.dirty")
    me.run("hand-in")
    me.sees("hand-in", f"{name}-handin.zip")
    with zipfile.ZipFile(folder / f"{name}-handin.zip") as packed:
        assert set(packed.namelist()) == {f"{name}.ipynb", "progress.json"}
        note = json.loads(packed.read("progress.json"))
        assert sum(held is True for held in note["holds"].values()) == len(todo)
    lab.restart()                                        # and what holds is still known
    me.run("imports", "so-far")
    wait_until(lab.page, lambda: me.shown("so-far").count("✓") >= len(todo), "what held is forgotten")
    lab.assert_nothing_failed()
