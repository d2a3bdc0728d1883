"""A saved notebook, and which of its cells run in which order, so that its answers can be checked from the file alone.

`hand_in`, the plug-in for nbval and the grader all ask this module, so that they come to one verdict. An answer is what
the student's cells define, in notebook order: the last definition that is no stub, with the helpers, imports and
constants that it reads. Cells that define nothing it needs are not run.
"""
import __future__

import ast
import builtins
import contextlib
import itertools
import json
import linecache
import re
import symtable
from collections.abc import Iterable
from typing import NamedTuple

from workbook import course

HEADING = re.compile("## (In your words|用你?自己的话说)")
ANSWER_HERE = {"en": "*Your answer: double-click here, write over this line, and press Shift+Enter.*",
               "zh": "*你的回答：双击这里，覆盖这一行，再按 Shift+Enter。*"}      # in the place of an answer in words
UNTOUCHED = re.compile(rf"(?:{'|'.join(re.escape(re.split('[,，]', words)[0]) for words in ANSWER_HERE.values())})")
CHECK = r"^[ \t]*(?:%\w+ +)?\w+\.check_{name}\("
DEFINES = r"^(?:async +)?(?:def|class) +{name}\b|^{name} *(?::[^=\n]*)?=(?!=)"      # whether or not it can be parsed
FILLING = {"append", "extend", "insert", "setdefault", "update", "add", "pop", "put", "copyto", "place", "putmask",
           "fill_diagonal"}             # methods and functions of NumPy, also within an expression
TRANSPARENT = "time", "capture", "prun"     # magics of a cell that run it as if they were not there
_numbers = itertools.count(1)


class Notebook(NamedTuple):
    """The cells of a notebook as dicts of texts, "id", "grade_id", "cell_type" and "source"; and its edition's hash."""

    cells: tuple[dict, ...]
    edition: str = ""              # "" where the file does not say it


class Studied(NamedTuple):
    """What `study` finds in a cell.

    defines: name -> the names of the notebook that it reads. reads: those that the cell reads, with all it defines; "*"
    is any name. changes: names of objects that it changes; fills: of those that it may change by a call. data: those of
    `defines` that are no function, class or module.
    """

    source: str
    defines: dict[str, list[str]]
    reads: list[str] = ["*"]
    changes: list[str] = []
    fills: list[str] = []
    data: list[str] = []


class CellRun(NamedTuple):
    """A cell to run, or with number -1 a check. items: those that are lost where it does not end."""

    items: tuple[str, ...]
    source: str = ""
    number: int = -1


class Plan(NamedTuple):
    """steps: what to run. calls: item -> the other items that it calls, also through helpers. ready: item -> the number
    of the cell below which its check can hold. own: item -> the numbers of the cells that it is made of.
    """

    steps: list[CellRun]
    calls: dict[str, list[str]]
    ready: dict[str, int]
    own: dict[str, set[int]]


def read(data: bytes) -> Notebook:
    """A notebook of any format and encoding. ValueError: why it is none."""
    try:
        stored = load(data)
        cells = tuple(map(_texts, cells_of(stored)))
        about = (stored.get("metadata") or {}).get("workbook")
        edition = about.get("version", "older") if about else ""
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ValueError(f"it is no notebook ({type(error).__name__}: {str(error)[:100]})") from None
    if not cells:
        raise ValueError("it has no cells")
    return Notebook(cells, str(edition)[:40])


def load(data: bytes):
    """What a notebook's file says, also one that an editor saved as UTF-16 or in the code page of Windows."""
    try:
        return json.loads(data)
    except UnicodeDecodeError:
        return json.loads(data.decode("cp1252", "replace"))


def cells_of(stored: dict) -> list[dict]:
    """The cells as they are stored, in format 4 or in one before it."""
    return stored["cells"] if "cells" in stored else [cell for sheet in stored["worksheets"] for cell in sheet["cells"]]


def _texts(cell: dict) -> dict[str, str]:
    kind, lines = str(cell["cell_type"]), cell["source"] if "source" in cell else cell["input"]
    text = "".join(map(str, lines))                                             # a text, or a list of lines
    if kind == "heading":
        kind, text = "markdown", f"{'#' * int(cell.get('level', 1))} {text}"
    return {"id": str(cell.get("id", "")), "cell_type": kind, "source": text,
            "grade_id": str(((cell.get("metadata") or {}).get("nbgrader") or {}).get("grade_id", ""))}


def words(cells: Iterable[dict], given: str = "") -> str:
    """What a student wrote in the cell of the answer in words and below it, up to the next heading or `progress()`.

    given: the text of that cell as it was handed out.
    """
    found, known = None, {line.strip() for line in given.splitlines()}
    for cell in cells:
        text = cell["source"]
        if found is not None:
            if re.match(r"#+ |\w+\.(progress|hand_in)\(", text):
                break
            found.append(text)
        elif is_in_words(cell):
            found = [text]
    lines = [line for text in found or () for line in text.splitlines() if line.strip() not in known]
    return "\n".join(lines).strip("\n")


def is_in_words(cell: dict) -> bool:
    text = cell["source"]
    return bool(UNTOUCHED.search(text) or cell["cell_type"] == "markdown" and (
        "answer" in (cell["id"], cell["grade_id"]) or HEADING.search(text)))


def trimmed(source: str) -> str:
    """The source of a cell without white space at the ends of its lines."""
    return "\n".join(map(str.rstrip, source.strip().splitlines()))


def is_stub(source: str, item: str) -> bool:
    """Whether the last definition of an item in a cell still raises what it was handed out with, in all cases."""
    source = re.sub(r"(\"\"\"|''').*?\1", "", source, flags=re.S)
    last = source[max((found.start() for found in re.finditer(DEFINES.format(name=item), source, re.M)), default=0):]
    first = re.search(rf'^[ \t]+(?:(?:return|yield|if|try)\b|raise (NotImplementedError\("write {item},))', last, re.M)
    return bool(first and first[1])


def python_of(source: str) -> str:
    """A cell as Python, in which magics are calls of the shell."""
    from IPython.core.inputtransformer2 import TransformerManager

    source = re.sub(r"^([ \t]*)%time +(?=\S)", r"\1", source, flags=re.M)
    if magic := re.match(r"\s*%%(\w+)(.*)", source):
        body = source[magic.end():].partition("\n")[2]
        source = body if magic[1] in TRANSPARENT else f"get_ipython().run_cell_magic({magic[1]!r}, '', '')"
    return TransformerManager().transform_cell(source)


def tree_of(python: str) -> ast.Module:
    """Without the calls of a lesson or an exercise outside of functions: checks, hints, figures. SyntaxError."""
    return ast.fix_missing_locations(_WithoutLesson().visit(ast.parse(python)))


class _WithoutLesson(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr):
        called = node.value.func if isinstance(node.value, ast.Call) else None
        ours = isinstance(called, ast.Attribute) and _base(called) in (*course.EXERCISES, "lesson", "explore")
        return ast.copy_location(ast.Pass(), node) if ours else node

    def visit_FunctionDef(self, node):
        return node


def _base(node: ast.AST) -> str:
    """The name at the beginning of `name.attribute[index]`."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def study(source: str) -> Studied:
    """What a cell defines and reads; without running it. Of a cell that is no Python, what it would define."""
    try:
        tree = tree_of(python_of(source))
        top = symtable.symtable(ast.unparse(tree), "cell", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        found = re.findall(r"^(?:def|class) +(\w+)|^(\w+) *=(?!=)", source, re.M)
        return Studied(source, {name: [] for name in itertools.chain(*found) if name})
    names = [one.get_name() for one in top.get_symbols() if one.is_assigned() or one.is_imported()]
    data = [name for name in names if not (top.lookup(name).is_imported() or top.lookup(name).is_namespace())]
    loops = {name for node in tree.body if isinstance(node, ast.For) for name in map(_base, ast.walk(node.target))}
    reads = {one.get_name() for one in top.get_symbols() if one.is_referenced()} - loops        # `i` of another loop
    inner: dict[str, set] = {}
    for part in top.get_children():
        inner.setdefault(part.get_name(), set()).update(_globals(part))
        names += [one.get_name() for one in part.get_symbols() if one.is_declared_global() and one.is_assigned()]
    functions = {name: inner.pop(name) for name in names if name in inner}
    reads = reads.union(*inner.values())                        # of lambdas and comprehensions
    changes, fills, nodes = set(), set(), [*tree.body]
    for node in nodes:                      # x[0] = 1 and x.a = 1 change x, x.append(1) and fill(x) may change it
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            nodes += ast.iter_child_nodes(node)
        if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
            changes.add(_base(node))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in FILLING:
                fills.update(map(_base, [node.func, *node.args]))
        elif isinstance(node, ast.Expr) and isinstance(call := node.value, ast.Call):
            if isinstance(call.func, ast.Attribute):
                fills.add(_base(call.func))
            elif not hasattr(builtins, _base(call.func) or "print"):
                fills.update(map(_base, [*call.args, *(one.value for one in call.keywords)]))
        if isinstance(node, ast.alias) and node.name == "*" or "set_default_" in getattr(node, "attr", ""):
            names.append("*")                                   # what all that follows may read: torch's default dtype
    return Studied(source, {name: sorted(functions.get(name, reads)) for name in names},
                   sorted(reads.union(["*"], *functions.values())), sorted(changes - {""}), sorted(fills - {""}), data)


def _globals(table: symtable.SymbolTable) -> set[str]:
    own = {one.get_name() for one in table.get_symbols() if one.is_global()}
    return own.union(*map(_globals, table.get_children()))


def plan(cells: list[Studied], items: list[str], answers: dict[str, int]) -> Plan:
    """What to run to check the items, in which order. answers: item -> the number of the cell it was to be written in.

    An item is checked below each of its own checks, and at last below its last definition.
    """
    places: dict[str, list[int]] = {}
    data = {name for cell in cells for name in cell.data}
    for number, cell in enumerate(cells):
        changed = {*cell.changes, *data.intersection(cell.fills)}.difference(items, cell.defines)
        for name in [*cell.defines, *sorted(changed)]:
            places.setdefault(name, []).append(number)
    solved = {item: [n for n in places.get(item, ()) if not is_stub(cells[n].source, item)] for item in items}
    for item, n in answers.items():
        if not places.get(item) and re.search(r"^\s*[^\s#]", cells[n].source, re.M):          # not comments alone
            solved[item] = [n]                                  # it says why nothing is defined
    places |= {item: numbers for item, numbers in solved.items() if numbers}
    tried = [item for item in items if solved[item]]
    own = {item: _reached(places[item], lambda n: {m for name in cells[n].reads for m in places.get(name, ())})
           for item in tried if item in places}
    calls, ready, checks = {}, {}, []
    for item in tried:
        names = _reached([item], lambda name: {read for n in places.get(name, ())
                                               for read in cells[n].defines.get(name, ())})
        calls[item] = [other for other in items if other in names and other != item]
        needed = {name: min(places[name]) for name in names if name in places}
        ready[item] = max(n for name, n in needed.items() if not hasattr(builtins, name))     # sum = 3 may stand below
        asked = [n for n, cell in enumerate(cells) if re.search(CHECK.format(name=item), cell.source, re.M)]
        below = max(solved[item]), max(*solved[item], *needed.values())
        checks += [(max(n, ready[item]), item) for n in (*asked, *below)]
    steps, used, since = [], set().union(*own.values()), set()        # since: what was checked since a cell was run
    for number, cell in enumerate(cells):
        if number in used:
            lost = [item for item in tried if number in solved[item]] or [item for item in tried if number in own[item]]
            steps.append(CellRun(tuple(lost), cell.source, number))
            since = set()
        new = [item for item in tried if (number, item) in checks and item not in since]
        steps += [CellRun((item,)) for item in new]
        since.update(new)
    return Plan(steps, calls, ready, own)


def _reached(begin: list, needs) -> set:
    """These, with all that they need, directly or not."""
    found = set(left := [*begin])
    for each in left:
        new = needs(each) - found
        found |= new
        left += new
    return found


class Silent:
    """Stands in for IPython's shell: what is called in it does nothing, as any magic or a command of the system."""

    def __getattr__(self, name: str):
        return self

    def __call__(self, *arguments, **options):
        return self


def fresh() -> dict:
    """The names with which a notebook begins."""
    shell = Silent()
    return {"__name__": "__main__", "__builtins__": builtins, "get_ipython": lambda: shell, "display": shell,
            "input": lambda *_: ""}


def execute(source: str, names: dict) -> BaseException | None:
    """Run a cell; what it raises first is returned.

    What stands below an error in the cell is run all the same, except below SystemExit, and nothing looks up the names
    in annotations: an experiment or the hint of a type beside an answer costs no points.
    """
    first, flags = None, __future__.annotations.compiler_flag | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        python, file = python_of(source), f"<cell {next(_numbers)}>"
        linecache.cache[file] = len(python), None, python.splitlines(keepends=True), file
        tree = tree_of(python)
        compile(tree, file, "exec", flags)                      # SyntaxError: nothing of it is run
    except (Exception, SystemExit) as error:
        return error
    for statement in tree.body:
        try:
            waits = eval(compile(ast.Module([statement], []), file, "exec", flags), names)
            with contextlib.suppress(StopIteration):
                while waits:                                    # a coroutine: the statement awaits something
                    waits.send(None)
        except (MemoryError, SystemExit) as error:
            return first or error
        except Exception as error:
            first = first or error
    return first
