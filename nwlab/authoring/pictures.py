"""Keep a picture while it is true: redrawn bytes that show nothing new only make noise in the history.

Two machines rarely draw the same PNG. So each stored picture carries a digest of what it stands on: the code of its
notebook up to its cell, the package, the pinned versions of what draws. Same digest, or same pixels: the stored
picture stays. The digest lies in the metadata of the output, and is, like the output, not part of what drift means.
"""

from __future__ import annotations

import ast
import hashlib
from pathlib import Path

from nbformat import NotebookNode

from .outputs import PNG, pictures, same_pixels
from .project import Project

_KEY = "nwlab"
_DRAWS = ("matplotlib==", "numpy==", "pillow==")
_NOT_DRAWING = ("authoring", "__main__.py", "__pycache__")


def keep(derived: NotebookNode, stored: NotebookNode | None, ground: str) -> int:
    """Mark the pictures of an executed notebook with what they stand on, and put back the stored ones that are still
    true; returns how many pictures are new. ``ground`` is what all notebooks stand on, see ``common_ground``.
    """
    old = {cell.get("id"): cell for cell in stored.cells} if stored else {}
    digest = hashlib.sha256(ground.encode())
    new = 0
    for cell in derived.cells:
        if cell.cell_type != "code":
            continue
        digest.update(b"\0" + cell.source.encode())
        drawn = [output for output in cell.outputs if pictures(output)]
        before = [output for output in old.get(cell.id, {}).get("outputs", []) if pictures(output)]
        for place, output in enumerate(drawn):
            output["metadata"][_KEY] = {"stands_on": digest.hexdigest()[:16]}
            if place < len(before) and len(before) == len(drawn) and _still_true(output, before[place]):
                for kind in pictures(output):
                    output["data"][kind] = before[place]["data"][kind]
                output["metadata"][_KEY] = before[place]["metadata"][_KEY]
            else:
                new += 1
    return new


def _still_true(output: NotebookNode, before: NotebookNode) -> bool:
    if _KEY not in before["metadata"] or set(pictures(output)) != set(pictures(before)):
        return False
    if output["metadata"][_KEY] == before["metadata"][_KEY]:
        return True
    data, stored = output["data"], before["data"]
    return all(same_pixels(data[kind], stored[kind]) if kind == PNG else data[kind] == stored[kind]
               for kind in pictures(output))


def common_ground(project: Project) -> str:
    """Return a digest of what every picture stands on: the package without its words, its data, the pinned versions
    of what draws. A docstring or a comment draws nothing, so it leaves the digest as it is.
    """
    digest = hashlib.sha256()
    package = project.root / "nwlab"
    for path in sorted(package.rglob("*")):
        parts = path.relative_to(package).parts
        if path.is_file() and not set(parts) & set(_NOT_DRAWING):
            digest.update("/".join(parts).encode() + b"\0" + _meaning(path) + b"\0")
    constraints = project.root / "constraints.txt"
    if constraints.is_file():
        lines = constraints.read_text(encoding="utf-8").splitlines()
        digest.update("\n".join(line for line in lines if line.startswith(_DRAWS)).encode())
    return digest.hexdigest()


def _meaning(path: Path) -> bytes:
    """Return a file's bytes, or for Python its code without comments and docstrings."""
    if path.suffix != ".py":
        return path.read_bytes()
    tree = ast.parse(path.read_bytes())
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if node.body and ast.get_docstring(node, clean=False) is not None:
                node.body[0].value = ast.Constant(None)
    return ast.unparse(tree).encode()
