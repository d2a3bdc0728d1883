"""One file to hand in: the saved notebook under its own name, and a note of what holds so far."""
import ast
import base64
import json
import os
import re
import zipfile
from pathlib import Path

from workbook.checks import messages, progress
from workbook.questions.environment import in_browser

UNTOUCHED = "*Your answer: double-click here"      # as authoring/exercise.py writes it for an answer in words
BINDER = ("BINDER_SERVICE_HOST", "BINDER_REPO_URL")


class Refusal(Exception):
    """Why nothing can be handed in yet, as a sentence that says what to do."""


def hand_in(exercise, notebook=None, folder=None) -> Path | None:
    """Write NAME-handin.zip and print where. If it cannot be written, print why and what to do; never raises."""
    try:
        path = find(exercise, notebook)
        target = (Path(folder) if folder else path.parent) / f"{exercise.name}-handin.zip"
        text = path.read_text(encoding="utf-8")
        _all_saved(exercise, path.name, text)
        state = progress.held(exercise)                       # for information only: the grader judges again
        points = sum(item.points for item in exercise.items if state[item.name])
        note = {"exercise": exercise.name, "points": points, "of": exercise.points, "holds": state}
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(f"{exercise.name}.ipynb", text)
            archive.writestr("progress.json", json.dumps(note, indent=1))
    except Refusal as refusal:
        messages.say(messages.wrapped(f"Nothing was written. {refusal}"))
        return None
    except OSError as error:
        messages.say(messages.wrapped(f"Nothing was written. {target.name} could not be written ({error.strerror}). "
                                      'Choose a folder you may write to:\nhand_in(folder="...")'))
        return None
    place = "" if folder else " It is in the same folder as the notebook."
    lines = [f"Written: {target if folder else target.name}, {progress.so_far(exercise, ' hold')}.{place}",
             "It contains the notebook as you last saved it. If you change something, save the notebook and run this "
             "cell again."]
    if UNTOUCHED in text:
        lines.append("The question in words is not answered yet: its cell still says “Your answer: double-click here”.")
    if any(os.environ.get(name) for name in BINDER):
        lines.append("You are on Binder: this machine forgets everything when you leave. Download the file now: "
                     "right-click it in the list of files on the left and choose Download, or follow the link.")
    messages.say(messages.wrapped("\n".join(lines)))
    if messages.shell() and not folder:
        href = target.name
        if in_browser():                                      # no server has the file: the link holds it
            href = f"data:application/zip;base64,{base64.b64encode(target.read_bytes()).decode()}"
        messages.display(f"<a download='{target.name}' href='{href}'>Download {target.name}</a>",
                         f"Download: {target.name}")
    return target


def find(exercise, notebook=None) -> Path:
    """The file `notebook`, or the one that Jupyter or VS Code names, or NAME.ipynb here. Refusal if there is none."""
    name = f"{exercise.name}.ipynb"
    if notebook is not None:
        if Path(notebook).is_file():
            return Path(notebook)
        raise Refusal(f"There is no file {str(notebook)!r}. Give the name of the notebook's file:\n"
                      f'{exercise.name}.hand_in(notebook="{name}")')
    user = getattr(messages.shell(), "user_ns", {})
    check_call = f"{exercise.name}.check_".encode()
    own = progress.home() / name
    places = os.environ.get("JPY_SESSION_NAME"), user.get("__vsc_ipynb_file__"), own
    for path in map(Path, filter(None, places)):
        if path.suffix == ".ipynb" and path.is_file() and (path == own or check_call in path.read_bytes()):
            return path
    raise Refusal(f"I cannot find {name} here. Save the notebook (Ctrl+S) and run this cell again. If it has another "
                  f'name or place, say so:\n{exercise.name}.hand_in(notebook="the name of your notebook.ipynb")')


def _all_saved(exercise, name: str, text: str) -> None:
    """Refusal where the file is no notebook of the exercise, or lacks a function as it was last run in this session."""
    try:
        sources = ["".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError):
        raise Refusal(f"{name} is not a notebook that can be read. Save it again (Ctrl+S), then run this cell "
                      "again.") from None
    if not any(f"{exercise.name}.check_" in source for source in sources):
        raise Refusal(f"{name} contains no check of {exercise.name}. Is it the notebook of another exercise?")
    for item, latest in _answers(exercise).items():
        if trimmed(latest) not in map(trimmed, sources):
            raise Refusal(f"The {item} that you ran last is not in the saved {name}. Save the notebook "
                          "(Ctrl+S), wait until the dot beside its name is gone, then run this cell again.")


def _answers(exercise) -> dict[str, str]:
    """Item name -> the source of the cell that defined it last in this session, for those that were defined."""
    history, found = getattr(messages.shell(), "user_ns", {}).get("In", ()), {}
    for item in exercise.items:
        defines = re.compile(rf"^(?:async )?def {item.name}\b|^{item.name}\s*=[^=]", re.MULTILINE)
        found.update((item.name, source) for source in history if defines.search(source))
    return found


def left_behind(exercise, answers) -> list[str]:
    """Names of the notebook that the answers used, but that are not there when they are graded: [] if that is unknown.

    There are the names of the answer cells, and those that the notebook as it was handed out defines (its metadata).
    """
    try:
        given = json.loads(find(exercise).read_text(encoding="utf-8"))["metadata"]["workbook"]["given"]
        there = {*given, *(name for source in _answers(exercise).values() for name in defined(source))}
    except (Refusal, OSError, ValueError, KeyError, TypeError):
        return []
    own = {name for source in messages.shell().user_ns["In"] for name in defined(source)} if messages.shell() else set()
    used = dict.fromkeys(name for answer in answers for name in answer.reads)
    return [name for name in used if name in own - there]


def defined(source: str) -> list[str]:
    """The names that a cell defines, in order: what it assigns, imports or defines, but not inside of its functions."""
    found = {}
    try:
        left = [ast.parse(source)]
    except SyntaxError:                                       # perhaps a magic: its definitions are not known
        return []
    while left:
        node = left.pop(0)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found[node.name] = None
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found.update((alias.asname or alias.name.partition(".")[0], None) for alias in node.names)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found[node.id] = None
        elif not isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            left += ast.iter_child_nodes(node)
    return list(found)


def trimmed(source: str) -> str:
    """The source of a cell without white space at the ends of its lines."""
    return "\n".join(map(str.rstrip, source.strip().splitlines()))
