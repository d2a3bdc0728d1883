"""The model answers of solutions/source/NAME.md, a module for each: from exercises.model_answers import warm_up.

Also makes functions of the rows in answers/NAME.py, and of declared mistakes.
"""
import ast
import functools
import inspect
from pathlib import Path
from types import ModuleType

import numpy as np

from workbook import exercises
from workbook.authoring.source import read_lesson

SOURCES = Path(__file__).parents[2] / "solutions" / "source"
KEPT = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.Try)      # a try that imports what may be missing


@functools.cache
def __getattr__(name):
    """What the text imports and defines, line for line where it stands, so that `inspect` finds its source."""
    if name not in exercises.NAMES:
        raise AttributeError(name)
    module, path = ModuleType(name), SOURCES / f"{name}.md"
    for cell in read_lesson(path).cells:
        if cell.kind == "code":
            tree = ast.increment_lineno(ast.parse(cell.text), cell.line - 1)
            tree.body = [part for part in tree.body if isinstance(part, KEPT)]
            exec(compile(tree, path, "exec"), vars(module))
    return module


def altered(names, function, *changes):
    """The function with changes in its source, which may also use `names`. changes: old, new, old, new, ..."""
    source, found = inspect.getsource(function), {}
    for old, new in zip(changes[::2], changes[1::2]):
        assert old in source, f"{old!r} is not in {source}"
        source = source.replace(old, new)
    exec(source, function.__globals__ | names, found)
    return found[function.__name__]


def complete(answers):
    """Puts the model answers first in RIGHT, and makes functions of the altered ones in RIGHT and ALTERED."""
    given = getattr(answers, "RIGHT", {})
    answers.RIGHT = {item.name: {"model": getattr(answers.model, item.name)} | {
        words: altered(vars(answers), *way) if isinstance(way, tuple) else way
        for words, way in given.get(item.name, {}).items()}
        for item in getattr(exercises, answers.__name__.rpartition(".")[2]).ITEMS}
    answers.WRONG = getattr(answers, "WRONG", {})
    for name, rows in getattr(answers, "ALTERED", {}).items():
        answers.WRONG.setdefault(name, {}).update(
            (" → ".join([function.__name__, *changes]), (altered(vars(answers), function, *changes), words))
            for function, *changes, words in rows)
    return answers


def nearest_where_nan(scores, values):
    """The answers of a softmax that is not shifted, and the nearest key's value where it is 0/0."""
    powers = np.exp(scores)
    return np.where(powers.any(axis=1), powers @ values / powers.sum(axis=1), values[scores.argmax(axis=1)])


def as_student(item, wrong):
    """The oracle of a mistake as a student's function, answering in the item's library."""
    import torch

    def tensors(answer):
        if isinstance(answer, (tuple, list)):
            return type(answer)(tensors(part) for part in answer)
        return answer if answer is None or isinstance(answer, str) else torch.as_tensor(np.asarray(answer))

    def student(*inputs):
        arrays = [x.detach().numpy() if isinstance(x, torch.Tensor) else x for x in inputs]
        answer = wrong(**dict(zip(item.arguments, arrays)))
        return tensors(answer) if item.library == "torch" else answer

    return student
