"""The strings in code that readers see: Babel collects them in zh/workbook.po, and compiles it into zh/workbook.mo."""
import ast
import io
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from workbook import course, language
from workbook.files import write

SAY = {"say": 1, "say_count": 2}                         # functions, and how many texts they begin with
EVER = datetime(2026, 1, 1, tzinfo=UTC)                  # the same bytes whenever it is built


def collected(folder: Path = course.FOLDER) -> Catalog:
    """The strings of a package, as they are now."""
    found = Catalog()
    for path in (*sorted(folder.rglob("*.py")), *sorted(folder.rglob("*.js"))):
        text = path.read_text(encoding="utf-8")
        for message in language.said_in(text) if path.suffix == ".js" else _said(ast.parse(text), path):
            found.add(message, locations=[(path.relative_to(folder).as_posix(), 0)])
    return found


def _said(node: ast.AST, path: Path) -> Iterator[str | tuple[str, ...]]:
    """The texts of say and say_count in a node, also within f-strings, where Babel's reader needs Python 3.12."""
    called = getattr(node, "func", None)                # say(...) or language.say(...)
    if (name := getattr(called, "id", getattr(called, "attr", ""))) in SAY:
        texts = tuple(one.value for one in node.args[:SAY[name]] if isinstance(one, ast.Constant))
        if texts and isinstance(texts[0], str):
            yield texts if len(texts) > 1 else texts[0]
    elif isinstance(node, ast.FunctionDef) and path.match("exercises/*/figures.py") and node.name[:5] == "show_":
        yield ast.get_docstring(node).partition("\n")[0]                         # which `figure_cell` says
    for below in ast.iter_child_nodes(node):
        yield from _said(below, path)


def build(folder: Path, name: str) -> list[str]:
    """Bring the two files of a language up to date. Returns a line for each string that is not translated."""
    source, out, compiled = folder / "workbook.po", io.BytesIO(), io.BytesIO()
    before = source.read_text(encoding="utf-8") if source.is_file() else ""
    catalogue = read_po(io.StringIO(before), locale=name, domain="workbook")
    catalogue.update(collected())                        # what resembles an earlier string is marked fuzzy
    catalogue.obsolete.clear()
    catalogue.creation_date = catalogue.revision_date = EVER
    write_po(out, catalogue, width=118, omit_header=True, sort_by_file=True, include_lineno=False)
    header, *messages = catalogue
    header.string = header.string.partition("Generated-By")[0]      # Babel's version, which is another tomorrow
    write_mo(compiled, type("Messages", (list,), {"charset": "utf-8"})([header, *messages]))    # without what is fuzzy
    write(source, out.getvalue())
    write(folder / "workbook.mo", compiled.getvalue())
    what = {True: "has the translation of a similar text", False: "is not translated"}
    return [f"{message.locations[0][0]}: {message.id!r} {what[message.fuzzy]}"
            for message in catalogue if message.id and (message.fuzzy or not message.string)]
