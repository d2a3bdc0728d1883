"""The model answers of solutions/source/NAME.md, a module for each: from exercises.model_answers import warm_up."""
import ast
import functools
import inspect
from pathlib import Path
from types import ModuleType

from nwlab import exercises
from nwlab.authoring.source import read_lesson

SOURCES = Path(__file__).parents[2] / "solutions" / "source"


@functools.cache
def __getattr__(name):
    """What the text imports and defines, line for line where it stands, so that `inspect` finds its source."""
    if name not in exercises.NAMES:
        raise AttributeError(name)
    module, path = ModuleType(name), SOURCES / f"{name}.md"
    for cell in read_lesson(path).cells:
        if cell.kind == "code":
            tree = ast.increment_lineno(ast.parse(cell.text), cell.line - 1)
            tree.body = [part for part in tree.body if isinstance(part, (ast.Import, ast.ImportFrom, ast.FunctionDef))]
            exec(compile(tree, path, "exec"), vars(module))
    return module


def altered(names, function, *changes):
    """The function with other words in its source, which may be among the names. changes: old, new, old, new, ..."""
    source, found = inspect.getsource(function), {}
    for old, new in zip(changes[::2], changes[1::2]):
        assert old in source, f"{old!r} is not in {source}"
        source = source.replace(old, new)
    exec(source, function.__globals__ | names, found)
    return found[function.__name__]
