"""One file to hand in: the saved notebook under its own name, and a note of what holds so far."""
import base64
import io
import json
import os
import re
import zipfile
from importlib.util import find_spec
from pathlib import Path

from workbook.checks import messages, progress, rerun
from workbook.checks.item import Verdict
from workbook.checks.judge import judge
from workbook.checks.quiet import isolated
from workbook.checks.run import run
from workbook.files import write
from workbook.language import say, say_count
from workbook.questions import kept
from workbook.questions.environment import in_browser

BINDER = ("BINDER_SERVICE_HOST", "BINDER_REPO_URL")


class Refusal(Exception):
    """Why nothing can be handed in yet, as a sentence that says what to do."""


def hand_in(exercise, notebook=None, folder=None, seed: int = 0, answers: bool | None = None) -> Path | None:
    """Write NAME-handin.zip and print where, and what does not hold from the saved file alone.

    answers: whether answers to questions go with it; None: as last ticked, and at first yes.
    If it cannot be written, print why and what to do; never raises.
    """
    try:
        path = find(exercise, notebook)
        data = path.read_bytes()
        cells = _all_saved(exercise, path.name, data)
        state = progress.held(exercise)                       # for information only: the grader judges again
        given, shared = kept.answers(), kept.may_share() if answers is None else answers
        target = (Path(folder) if folder else path.parent) / f"{exercise.name}-handin.zip"
        target.parent.stat()                                  # FileNotFoundError: `write` would make the folder
        write(target, _packed(exercise, data, state, given if shared else []))
    except Exception as error:                                # of whatever type: the notebook goes on
        why = error if isinstance(error, Refusal) else say(
            "{file} could not be written ({why}). Choose a folder you may write to:\n{call}",
            file=f"{exercise.name}-handin.zip", call='hand_in(folder="...")',
            why=getattr(error, "strerror", None) or f"{type(error).__name__}: {error}")
        messages.tell(messages.wrapped(say("Nothing was written. {why}", why=why)))
        return None
    written = (say("Written: {file}.", file=target) if folder else
               say("Written: {file}. It is in the same folder as the notebook.", file=target.name))
    lines = [written, say("It contains the notebook as you last saved it, without outputs. If you change something, "
                          "save the notebook and run this cell again."), *_differences(exercise, cells, state, seed)]
    if re.search(rerun.UNTOUCHED.pattern + r".*\s*\Z", rerun.words(cells)):
        lines.append(say("The question in words is not answered yet: its cell still says “Your answer: double-click "
                         "here”."))
    if any(os.environ.get(name) for name in BINDER):
        lines.append(say("You are on Binder: this machine forgets everything when you leave. Download the file now: "
                         "right-click it in the list of files on the left and choose Download, or follow the link."))
    words = say_count("your {n} answer to questions (which question, which answer, when, and nothing else)",
                      "your {n} answers to questions (which question, which answer, when, and nothing else)",
                      len(given))
    if given:
        line = (say("Handed in with it: {answers}. Your teacher sees how many gave which answer. To leave them out: "
                    "{call}") if shared else
                say("Left out: {answers}. Your teacher sees how many gave which answer. To add them: {call}"))
        lines.append(line.format(answers=words, call=f"{exercise.name}.hand_in(answers={not shared})"))
    messages.tell(messages.wrapped("\n".join(lines)))
    if messages.shell() and not folder:
        messages.display(_link(target), say("Download: {file}", file=target.name))
    if messages.shell() and given and answers is None:
        from workbook.questions import widgets

        def pack_again(ticked: bool) -> str:
            kept.keep(share=ticked)
            try:
                write(target, _packed(exercise, data, state, given if ticked else []))
            except OSError as error:
                return say("It could not be written again ({why}).", why=error.strerror)
            again = say("Written again, with your answers.") if ticked else say("Written again, without your answers.")
            return f"{again} " + _link(target) * in_browser()

        widgets.tick(say("Hand in {answers}", answers=words), shared, pack_again)
    return target


def _link(target: Path) -> str:
    href = target.name
    if in_browser():                                          # no server has the file: the link holds it
        href = f"data:application/zip;base64,{base64.b64encode(target.read_bytes()).decode()}"
    return f"<a download='{target.name}' href='{href}'>{say('Download {file}', file=target.name)}</a>"


def _packed(exercise, data: bytes, state: dict, given: list[dict]) -> bytes:
    """The archive: the notebook without outputs, and the note."""
    stored = rerun.load(data)
    for cell in rerun.cells_of(stored):
        if cell["cell_type"] == "code":
            cell["outputs"] = []
    points = sum(item.points for item in exercise.items if state[item.name])
    note = {"exercise": exercise.name, "points": points, "of": exercise.points, "holds": state, "answers": given}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{exercise.name}.ipynb", json.dumps(stored, indent=1))
        archive.writestr("progress.json", json.dumps(note, indent=1))
    return packed.getvalue()


def _differences(exercise, cells, state: dict, seed: int) -> list[str]:
    """What holds when the saved notebook is run from the top, as it is graded, and what holds in this session only."""
    try:
        verdicts = dry_run(exercise, cells, seed)
    except KeyboardInterrupt:
        return [say("Its answers were not run again, as you stopped that.")]
    right = [item for item in exercise.items if verdicts.get(item.name) and verdicts[item.name].holds]
    lines = [say("Run from its first cell on, as it will be graded: {n} of {all} items hold, {points} of {most} "
                 "points.", n=len(right), all=len(exercise.items), points=sum(item.points for item in right),
                 most=exercise.points)]
    for item in exercise.items:
        verdict = verdicts.get(item.name)
        if state[item.name] and not (verdict and verdict.holds):
            why = verdict.mistake if verdict else say("nothing in the file defines it")
            lines.append(say("{item} held in this session, but not there: {why}. Choose Run → Restart Kernel and Run "
                             "All Cells, mend what stops, save, and run this cell again.", item=item.name, why=why))
    return lines


def dry_run(exercise, cells, seed: int = 0) -> dict[str, Verdict]:
    """A verdict for each item that has an answer, from the cells of a saved notebook alone."""
    items = {item.name: item for item in exercise.items}
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    answers = {name: n for name in items for n, cell in enumerate(code)
               if f"write-{name}" in (cell["id"], cell["grade_id"])}
    names, found = rerun.fresh(), {}
    for step in rerun.plan([rerun.study(cell["source"]) for cell in code], [*items], answers).steps:
        item = items[step.items[0]]
        if step.source:
            with isolated():
                rerun.execute(step.source, names)
        elif not (item.name in found and found[item.name].holds) and (item.library != "torch" or find_spec("torch")):
            problems = item.problems(seed)
            found[item.name] = judge(item, problems, run(item, names.get(item.name), problems))
    return found


def find(exercise, notebook=None) -> Path:
    """The file `notebook`, or the one that Jupyter or VS Code names, or NAME.ipynb here. Refusal if there is none."""
    name = f"{exercise.name}.ipynb"
    if notebook is not None:
        if os.path.isfile(notebook):
            return Path(notebook)
        raise Refusal(say("There is no file {file}. Give the name of the notebook's file:\n{call}",
                          file=f"{str(notebook)!r:.200}", call=f'{exercise.name}.hand_in(notebook="{name}")'))
    user = getattr(messages.shell(), "user_ns", {})
    own = kept.home() / name
    places = os.environ.get("JPY_SESSION_NAME"), user.get("__vsc_ipynb_file__"), own
    for path in map(Path, filter(None, places)):
        if path.suffix == ".ipynb" and os.path.isfile(path) and (path == own or _has_check(exercise, path)):
            return path
    raise Refusal(say("I cannot find {name} here. Save the notebook (Ctrl+S) and run this cell again. If it has "
                      'another name or place, say so:\n{exercise}.hand_in(notebook="the name of your notebook.ipynb")',
                      name=name, exercise=exercise.name))


def _has_check(exercise, path: Path) -> bool:
    try:
        return any(f"{exercise.name}.check_" in cell["source"] for cell in rerun.read(path.read_bytes()).cells)
    except (OSError, ValueError):
        return False


def _all_saved(exercise, name: str, data: bytes) -> tuple[dict, ...]:
    """The cells of the file. Refusal where it is none of the exercise, or lacks a function as it was last run."""
    try:
        cells = rerun.read(data).cells
    except ValueError:
        raise Refusal(say("{name} is not a notebook that can be read. Save it again (Ctrl+S), then run this cell "
                          "again.", name=name)) from None
    known = {part for item in exercise.items for part in (f"write-{item.name}", f"check-{item.name}")}
    if not any(known & {cell["id"], cell["grade_id"]} or f"{exercise.name}.check_" in cell["source"] for cell in cells):
        raise Refusal(say("{name} contains no check of {exercise}. Is it the notebook of another exercise?", name=name,
                          exercise=exercise.name))
    sources = {rerun.trimmed(cell["source"]) for cell in cells}
    typed = getattr(getattr(messages.shell(), "history_manager", None), "input_hist_raw", ())
    for item in exercise.items:
        defines = re.compile(rerun.DEFINES.format(name=item.name), re.M)
        latest = [source for source in typed if defines.search(source)][-1:]
        if latest and rerun.trimmed(latest[0]) not in sources:
            raise Refusal(say("The {item} that you ran last is not in the saved {name}. Save the notebook (Ctrl+S), "
                              "wait until the dot beside its name is gone, then run this cell again.", item=item.name,
                              name=name))
    return cells
