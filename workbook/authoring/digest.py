"""A digest of all that a picture depends on, so that a stored picture is replaced only when one of these has changed.

Two machines rarely draw the same PNG byte for byte, so bytes cannot be compared. Each stored picture carries the
digest in the metadata of its output; like the output itself, it is no part of what the drift test compares.
"""
import ast
import hashlib
import re
from collections.abc import Iterable
from modulefinder import ModuleFinder
from pathlib import Path

from nbformat import NotebookNode

import workbook
from workbook.authoring.outputs import pictures
from workbook.authoring.project import Project

_KEY = "workbook"
_PINNED = ("matplotlib==", "numpy==", "pillow==")        # what draws


def keep_pictures(executed: NotebookNode, stored: NotebookNode | None, project: Project) -> None:
    """Write its digest beside each picture of an executed notebook; put back the stored picture if it has the same
    digest, that is, if nothing that it depends on has changed.
    """
    cells = [cell for cell in executed.cells if cell.cell_type == "code"]
    stored_cells = {cell.get("id"): cell for cell in stored.cells} if stored else {}
    digest = hashlib.sha256(imports_digest(project, [cell.source for cell in cells]).encode())
    for cell in cells:
        digest.update(b"\0" + cell.source.encode())      # this cell and all above it
        new, old = ([output for output in each.get("outputs", []) if pictures(output)]
                    for each in (cell, stored_cells.get(cell.id, {})))
        for output in new:
            output["metadata"][_KEY] = {"stands_on": digest.hexdigest()[:16]}
        if len(new) == len(old) and all(map(_unchanged, new, old)):
            cell.outputs = [old.pop(0) if pictures(output) else output for output in cell.outputs]


def _unchanged(new: NotebookNode, old: NotebookNode) -> bool:
    return _KEY in old["metadata"] and (new["metadata"][_KEY] == old["metadata"][_KEY] or new["data"] == old["data"])


def imports_digest(project: Project, code: Iterable[str]) -> str:
    """A digest of what a notebook with these code cells imports from the course and from here, and of the pinned
    versions of what draws. Live figures count only if the notebook names them.
    """
    words = set(re.findall(r"\w+", " ".join(code)))
    figures = set(project.course.module("explore").__all__) - words
    digest = hashlib.sha256()
    for path in imported_files(project.root / project.course.package, code, figures):
        digest.update(path.name.encode() + b"\0" + meaning(path) + b"\0")
    constraints = project.root / "constraints.txt"
    for line in constraints.read_text(encoding="utf-8").splitlines() if constraints.is_file() else ():
        digest.update(line.encode() if line.startswith(_PINNED) else b"")
    return digest.hexdigest()


def imported_files(package: Path, code: Iterable[str], without_figures: Iterable[str] = ()) -> list[Path]:
    """The files of a course's package and of this one that the code imports, directly or not, and the data files
    beside them that they name. The live figures called `without_figures` are left out.
    """
    folders = [str(package.parent), str(Path(workbook.__file__).parent.parent)]
    finder = ModuleFinder(folders, excludes=[f"{package.name}.explore.{name}" for name in without_figures])
    notebook = finder.add_module("__main__")
    for source in code:
        try:
            finder.scan_code(compile(re.sub(r"^[%!].*", "", source, flags=re.MULTILINE), "cell", "exec"), notebook)
        except SyntaxError:                              # a cell that is wrong on purpose imports nothing
            continue
    modules = [Path(module.__file__) for module in finder.modules.values() if module.__file__]
    files = set(modules)
    for module in modules:
        text = module.read_text(encoding="utf-8")
        beside = [*module.parent.glob("*.*"), *module.parent.glob("files/*")]
        files.update(path for path in beside if path.suffix not in (".py", ".md") and path.name in text)
    return sorted(files)


def meaning(path: Path) -> bytes:
    """A file's bytes; of Python, its code without comments and docstrings."""
    if path.suffix != ".py":
        return path.read_bytes()
    tree = ast.parse(path.read_bytes())
    for node in ast.walk(tree):
        documented = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if documented and ast.get_docstring(node, clean=False) is not None:
            node.body[0].value = ast.Constant(None)
    return ast.unparse(tree).encode()
