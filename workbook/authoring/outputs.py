"""What a stored output may hold: text that is the same everywhere, and pictures that last.

Outputs lose what belongs to one machine or one session. What would make nbval or a reader stumble stops the build.

Two machines rarely draw the same PNG, so a picture stays while it is true. Each carries a digest of what it stands on:
the code of its notebook up to its cell, what the notebook imports of the package, the pinned versions of what draws.
While the digest is the same, the stored picture stays. The digest lies in the metadata of the output; like the output,
it is no part of the drift.
"""
import ast
import base64
import hashlib
import re
from collections.abc import Collection, Iterable, Iterator
from io import BytesIO
from pathlib import Path

from nbformat import NotebookNode
from PIL import Image

import workbook
from workbook.authoring.project import Project
from workbook.authoring.source import IGNORED, Cell

PNG = "image/png"
WIDGET = "application/vnd.jupyter.widget-view+json"
_WIDGET_REPR = re.compile(r"\A[A-Z]\w*\((\w+=|\))")
_ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]{6,}")
_KEY = "workbook"
_DRAWS = ("matplotlib==", "numpy==", "pillow==")
_DATA = re.compile(r"[\w-]+\.(?!py$|md$)\w+")


def tidy(outputs: list[NotebookNode], cell: Cell, private: list[str]) -> list[NotebookNode]:
    """The outputs of ``cell`` as they are stored; raises ``BuildError`` for those that cannot be.

    ``private``: the folders of this machine that no output may name.
    """
    shows_widget = any(WIDGET in output.get("data", {}) for output in outputs)
    kept = [_tidy_one(output) for output in outputs]
    for problem in _problems(kept, shows_widget, cell, private):
        raise cell.problem(f"cell {cell.id!r} {problem}")
    return kept


def pictures(output: NotebookNode) -> list[str]:
    """The picture types of one output: also HTML with a picture in it, as `workbook.pictures` makes it."""
    return [kind for kind, held in output.get("data", {}).items()
            if kind.startswith("image/") or kind == "text/html" and "<img " in held]


def _tidy_one(output: NotebookNode) -> NotebookNode:
    data = output.get("data", {})
    if WIDGET in data:
        del data[WIDGET]
        if _WIDGET_REPR.match(data.get("text/plain", "")):
            del data["text/plain"]  # VBox(children=(...)) says nothing to anyone
    if PNG in data:
        data[PNG] = plain_png(data[PNG])
    return output


def _problems(kept: list[NotebookNode], shows_widget: bool, cell: Cell, private: list[str]) -> Iterator[str]:
    shows_picture = any(pictures(output) for output in kept)
    if IGNORED not in cell.tags and (shows_picture or shows_widget):
        yield f"shows a {'picture' if shows_picture else 'widget'}, so it needs :tags: [{IGNORED}]"
    for output in kept:
        if not output.get("data", {"not": "data"}):
            yield ("shows a widget with neither a picture nor words, so a reader who has not run it sees nothing: "
                   "give it a _repr_mimebundle_ with image/png or text")
        if output.output_type == "stream" and output.name == "stderr":
            yield f"writes to stderr: {output.text.strip()}"
        shown = [str(value) for kind, value in output.get("data", {}).items() if not kind.startswith("image/")]
        text = "\n".join([str(output.get("text", "")), *output.get("traceback", []), *shown])
        if IGNORED not in cell.tags and _ADDRESS.search(text):
            yield f"shows a memory address, which differs in every run: {_ADDRESS.search(text)[0]!r}"
        for folder in private:
            if folder in text:
                yield f"names a folder of this machine, {folder!r}"


def plain_png(encoded: str) -> str:
    """A base64 PNG without what its writer added: software, version, date."""
    image, plain = Image.open(BytesIO(base64.b64decode(encoded))), BytesIO()
    image.save(plain, "PNG", dpi=image.info.get("dpi"))
    return base64.b64encode(plain.getvalue()).decode("ascii")


def keep(derived: NotebookNode, stored: NotebookNode | None, project: Project) -> None:
    """Mark the pictures of an executed notebook with what they stand on, and put back the stored ones that are still
    true.
    """
    cells = [cell for cell in derived.cells if cell.cell_type == "code"]
    old = {cell.get("id"): cell for cell in stored.cells} if stored else {}
    digest = hashlib.sha256(ground(project, [cell.source for cell in cells]).encode())
    for cell in cells:
        digest.update(b"\0" + cell.source.encode())
        drawn, before = ([output for output in one.get("outputs", []) if pictures(output)]
                         for one in (cell, old.get(cell.id, {})))
        for output in drawn:
            output["metadata"][_KEY] = {"stands_on": digest.hexdigest()[:16]}
        if len(drawn) == len(before) and all(map(_still_true, drawn, before)):
            cell.outputs = [before.pop(0) if pictures(output) else output for output in cell.outputs]


def _still_true(output: NotebookNode, before: NotebookNode) -> bool:
    return _KEY in before["metadata"] and (
        output["metadata"][_KEY] == before["metadata"][_KEY] or output["data"] == before["data"])


def ground(project: Project, code: Iterable[str]) -> str:
    """A digest of what all pictures of a notebook with this code stand on: what it imports of the package, without its
    words, and the pinned versions of what draws. Of the live figures, those that it names.
    """
    package, words = project.root / project.course.package, set(re.findall(r"\w+", " ".join(code)))
    packages = package, Path(workbook.__file__).parent
    figures = {path for path in (package / "explore").glob("*.py") if path.stem not in words | {"__init__"}}
    digest = hashlib.sha256()
    for name, path in imported(packages, code, apart=figures):
        digest.update(name.encode() + b"\0" + meaning(path) + b"\0")
    if (constraints := project.root / "constraints.txt").is_file():
        lines = constraints.read_text(encoding="utf-8").splitlines()
        digest.update("\n".join(line for line in lines if line.startswith(_DRAWS)).encode())
    return digest.hexdigest()


def imported(packages: Iterable[Path], code: Iterable[str], apart: Collection[Path] = ()) -> list[tuple[str, Path]]:
    """The files of these packages that this code imports, directly or not, and the data beside them that they name;
    and what they are called from the folder that their package is in.

    apart: files that are left out where an `__init__` imports them, as it imports more than its reader uses.
    """
    inside = {package.name: package for package in packages}
    files, waiting = set(), [(None, _tree(text)) for text in code]
    while waiting:
        here, tree = waiting.pop()
        lazy = [node for node in tree.body if getattr(node, "name", "") == "__getattr__"]      # widgets: no picture
        for node in set(ast.walk(tree)).difference(*map(ast.walk, lazy)):
            told = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
            if here and _DATA.fullmatch(told):
                beside = here.parent / told, here.parent / "files" / told
                files.update(path for path in beside if path.is_file())
            for name in _modules(node):
                top, *parts = name.split(".")
                package = inside.get(top)
                for end in range(len(parts) + 1) if package else ():
                    place = package.joinpath(*parts[:end])
                    for path in (place / "__init__.py", place.with_suffix(".py")):
                        left_out = path in apart and (here is None or here.name == "__init__.py")
                        if path.is_file() and path not in files and not left_out:
                            files.add(path)
                            waiting.append((path, _tree(path.read_text(encoding="utf-8"))))
    return sorted((path.relative_to(package.parent).as_posix(), path)
                  for path in files for package in inside.values() if path.is_relative_to(package))


def _tree(code: str) -> ast.Module:
    """The syntax tree of a file or a cell; a cell that is not Python, or wrong on purpose, imports nothing."""
    try:
        return ast.parse(re.sub(r"^[%!].*", "", code, flags=re.MULTILINE))
    except SyntaxError:
        return ast.Module([], [])


def _modules(node: ast.AST) -> list[str]:
    """What an import names; `from a import b` may be the module a.b."""
    if isinstance(node, ast.ImportFrom):
        return [f"{node.module}.{each.name}" for each in node.names]
    return [each.name for each in node.names] if isinstance(node, ast.Import) else []


def meaning(path: Path) -> bytes:
    """A file's bytes, or for Python its code without comments and docstrings."""
    if path.suffix != ".py":
        return path.read_bytes()
    tree = ast.parse(path.read_bytes())
    for node in ast.walk(tree):
        documented = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if documented and ast.get_docstring(node, clean=False) is not None:
            node.body[0].value = ast.Constant(None)
    return ast.unparse(tree).encode()
