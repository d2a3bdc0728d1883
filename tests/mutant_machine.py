"""Can a wrong function pass? Every item's model answer is made wrong by program, and each check should refuse it.

    python tests/mutant_machine.py [exercise] [-k item] [--seeds 3] [--out folder]

A mutant is the model answer with one thing changed: a node of its syntax tree (`CHANGES`), one argument before the
call (`ARGUMENTS`), or the answer after it (`ANSWERS`). It is killed if the check refuses it for every seed, and also if
it hangs. A survivor is `same` if it answers as the model answer does to some hundred hostile inputs too, which no check
need allow. Any other has a verdict in tests/exercises/survivors/NAME.toml, in a table for each item:

    "keys sorted" = "equivalent: the mean of the keys knows no order"
    "answer rounded*" = "tolerated: the text asks for two digits"          # * stands for anything

The table ["*"] is of every item, and every.toml of every exercise.

The script prints a line for each item (made, killed, same, equivalent, tolerated, unexplained), then what is
unexplained, each with an input that tells it from the model answer: a problem like it refuses the mutant. It ends with
1 if anything is unexplained. `test_mutants.py` runs a fixed part of it.
"""
import argparse
import ast
import contextlib
import copy
import re
import signal
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np

TESTS = Path(__file__).parent
sys.path[:0] = [path for path in (str(TESTS), str(TESTS.parent)) if path not in sys.path]

from exercises.model_answers import SOURCES  # noqa: E402

from nwlab import exercises  # noqa: E402
from nwlab.course import COURSE  # noqa: E402
from workbook.authoring.source import read_lesson  # noqa: E402
from workbook.checks.item import Problem  # noqa: E402
from workbook.checks.judge import judge  # noqa: E402
from workbook.checks.run import run  # noqa: E402
from workbook.checks.values import coarsest_dtype, same  # noqa: E402

VERDICTS = TESTS / "exercises" / "survivors"
SECONDS = 20                           # of processor time: a mutant that takes longer counts as killed
WORDS = ("equivalent", "tolerated")


# --- changes of one node: of the node come (the operator, what stands in its place)


def _name(node) -> str:
    """The last name of what is called: `np.sum` and `x.sum` are both "sum"."""
    return getattr(node, "attr", None) or getattr(node, "id", "")


def _expression(text: str, **parts) -> ast.expr:
    """The expression, with nodes in the place of names."""
    class Fill(ast.NodeTransformer):
        def visit_Name(self, node):
            return copy.deepcopy(parts.get(node.id, node))

    return Fill().visit(ast.parse(text, mode="eval").body)


def _with(node, **fields):
    changed = copy.deepcopy(node)
    for field, value in fields.items():
        setattr(changed, field, value)
    return changed


def constant(node):
    """0.5 → 1.5, −0.5, 1.0, 0.25, −0.5 and 0; true and false swapped. Axes have an operator of their own."""
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield "flag", ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        x = node.value
        for new in dict.fromkeys((x + 1, x - 1, 2 * x, x / 2, -x, 0)):
            if new != x and not (isinstance(x, int) and new != int(new)):
                yield "constant", ast.Constant(int(new) if isinstance(x, int) else new)


def axis(node):
    """axis= or dim= another, or none at all; keepdims= the other way."""
    for i, keyword in enumerate(getattr(node, "keywords", ())):
        if keyword.arg in ("axis", "dim", "keepdims", "keepdim"):
            yield f"{keyword.arg} dropped", _with(node, keywords=node.keywords[:i] + node.keywords[i + 1:])
        if keyword.arg in ("axis", "dim") and isinstance(keyword.value, ast.Constant):
            for new in {0, 1, -2} - {keyword.value.value}:
                changed = copy.deepcopy(node)
                changed.keywords[i].value = ast.Constant(new)
                yield "axis", changed


OPERATORS = {ast.Add: [ast.Sub], ast.Sub: [ast.Add], ast.Mult: [ast.Div, ast.Add], ast.Div: [ast.Mult, ast.FloorDiv],
             ast.MatMult: [ast.Mult], ast.Pow: [ast.Mult], ast.BitAnd: [ast.BitOr], ast.BitOr: [ast.BitAnd],
             ast.Lt: [ast.LtE, ast.Gt], ast.LtE: [ast.Lt, ast.GtE], ast.Gt: [ast.GtE, ast.Lt],
             ast.GtE: [ast.Gt, ast.LtE], ast.Eq: [ast.NotEq], ast.NotEq: [ast.Eq], ast.Is: [ast.IsNot],
             ast.IsNot: [ast.Is], ast.And: [ast.Or], ast.Or: [ast.And]}


def arithmetic(node):
    """Another operator, either side alone, sides swapped; an ε in a denominator; another power."""
    if isinstance(node, (ast.BinOp, ast.BoolOp)):
        for new in OPERATORS.get(type(node.op), ()):
            yield "operator", _with(node, op=new())
    if isinstance(node, ast.BinOp):
        yield "right side dropped", node.left
        if not isinstance(node.op, ast.Pow):
            yield "left side dropped", node.right
        if isinstance(node.op, (ast.Sub, ast.Div, ast.MatMult)):
            yield "sides swapped", _with(node, left=node.right, right=node.left)
        if isinstance(node.op, ast.MatMult):
            yield "left transposed", _expression("a.T @ b", a=node.left, b=node.right)
            yield "right transposed", _expression("a @ b.T", a=node.left, b=node.right)
        if isinstance(node.op, ast.Div):
            yield "ε in the denominator", _expression("a / (b + 1e-8)", a=node.left, b=node.right)
        if isinstance(node.op, ast.Pow):
            yield "abs, not a power", _expression("abs(a)", a=node.left)
            yield "signed power", _expression("a * abs(a)", a=node.left)


def compared(node):
    """A comparison the other way, or with its edge."""
    if isinstance(node, ast.Compare):
        for new in OPERATORS.get(type(node.ops[0]), ()):
            yield "comparison", _with(node, ops=[new(), *node.ops[1:]])


def unary(node):
    """Minus, not and ~ taken away; conditions turned round."""
    if isinstance(node, ast.UnaryOp):
        yield "unary dropped", node.operand
    if isinstance(node, ast.IfExp):
        yield "branches swapped", _with(node, body=node.orelse, orelse=node.body)
        yield "always the first branch", node.body
        yield "always the second branch", node.orelse


TWINS = {"sum": "mean", "mean": "sum", "max": "min", "min": "max", "argmin": "argmax", "argmax": "argmin",
         "maximum": "minimum", "minimum": "maximum", "any": "all", "all": "any", "zeros": "ones", "ones": "zeros",
         "exp": "expm1", "log": "log1p", "sqrt": "square", "square": "sqrt", "sin": "cos", "cos": "sin",
         "abs": "square",
         "softmax": "log_softmax", "floor": "ceil", "ceil": "floor", "sign": "tanh", "eye": "ones_like",
         "zeros_like": "ones_like", "ones_like": "zeros_like", "nanmean": "mean", "nansum": "sum", "median": "mean"}


def called(node):
    """Another function, only its first argument, two arguments swapped."""
    if not isinstance(node, ast.Call):
        return
    if _name(node.func) in TWINS:
        twin = copy.deepcopy(node)
        setattr(twin.func, "attr" if isinstance(node.func, ast.Attribute) else "id", TWINS[_name(node.func)])
        yield "another function", twin
    if isinstance(node.func, ast.Attribute) and _name(node.func.value) not in ("np", "torch", "math", "nwlab"):
        yield "call dropped", node.func.value                             # x.masked_fill(...) → x
    if node.args and not isinstance(node.args[0], ast.Starred):
        yield "only its argument", node.args[0]                           # np.exp(x) → x
    for i in range(len(node.args) - 1):
        args = node.args[:i] + [node.args[i + 1], node.args[i]] + node.args[i + 2:]
        yield "arguments swapped", _with(node, args=args)
    if _name(node.func) == "where" and len(node.args) == 3:
        yield "where: always the first", node.args[1]
        yield "where: always the second", node.args[2]
    if _name(node.func) == "range":
        yield "one fewer", _expression("list(a)[:-1]", a=node)
        yield "first left out", _expression("list(a)[1:]", a=node)
        yield "one more", _expression("[*a, *list(a)[-1:]]", a=node)


def indexed(node):
    """[:, None] the other way, without it; .T without; a slice one shorter."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield "index dropped", node.value
        if isinstance(node.slice, ast.Tuple) and len(node.slice.elts) > 1:
            yield "axes of the index swapped", _with(node, slice=_with(node.slice, elts=node.slice.elts[::-1]))
    if isinstance(node, ast.Attribute) and node.attr == "T":
        yield "not transposed", node.value
    if isinstance(node, ast.Attribute) and node.attr == "inf":
        yield "∞ as 1e9", ast.Constant(1e9)
        yield "∞ as 100", ast.Constant(100.0)
        yield "∞ as 0", ast.Constant(0.0)
    if isinstance(node, ast.Attribute) and node.attr == "nan":
        yield "NaN as 0", ast.Constant(0.0)


def values_of(node, torch: bool, slope: bool):
    """What is done to a value on the way: cut, rounded, clipped, made positive."""
    name = _name(getattr(node, "func", None))
    if not isinstance(node, (ast.BinOp, ast.Call)) or name in ("range", "len", "backward"):
        return
    yield "as float32 on the way", _expression("machine.coarse(a)", a=node)
    if isinstance(node, ast.BinOp):
        yield "abs", _expression("abs(a)", a=node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) or name in RISKY:
        yield "NaN as 0 on the way", _expression("machine.no_nan(a)", a=node)
    if name in RISKY and node.args:
        for words, how in (("clipped to ±700", "clipped"), ("not below 1e-12", "least")):
            yield words, _with(node, args=[_expression(f"machine.{how}(a)", a=node.args[0]), *node.args[1:]])
    if torch and slope:
        yield "detached", _expression("machine.cut(a)", a=node)


RISKY = ("exp", "log", "sqrt", "softmax", "mean", "norm", "log_softmax")
CHANGES = (constant, axis, arithmetic, compared, unary, called, indexed)


def other_names(function, names) -> Iterator:
    """An argument used in the place of another."""
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names:
            for other in names:
                if other != node.id:
                    yield node, "another argument", ast.Name(other, ast.Load())


def without_lines(function) -> Iterator:
    """A line dropped that is neither the first assignment of a name nor the end; `if` without its condition."""
    known = {argument.arg for argument in function.args.args}
    for node in ast.walk(function):
        for block in (getattr(node, part, []) for part in ("body", "orelse")):
            for line in block if isinstance(block, list) else ():
                targets = [target.id for target in getattr(line, "targets", ()) if isinstance(target, ast.Name)]
                again = targets and set(targets) <= known
                known |= set(targets)
                plain = isinstance(line, ast.Expr) and not isinstance(line.value, ast.Constant)
                if again or plain or isinstance(line, (ast.AugAssign, ast.If)):
                    yield line, "line dropped", ast.Pass()
                if isinstance(line, ast.If):
                    yield line, "always", _with(line, test=ast.Constant(True))
                    yield line, "condition turned round", _with(line, test=ast.UnaryOp(ast.Not(), line.test))
                if isinstance(line, (ast.For, ast.While)):
                    yield line, "first turn only", _with(line, body=[*line.body, ast.Break()])


# --- changes of an argument, and of the answer: what the mutants call `machine`


class machine:
    """Small mistakes for arrays, tensors and numbers alike. What they cannot be made of stays as it is."""

    @staticmethod
    def is_array(x) -> bool:
        return hasattr(x, "ndim") and hasattr(x, "dtype")

    @staticmethod
    def is_float(x) -> bool:
        return isinstance(x, float) or machine.is_array(x) and "float" in str(x.dtype)

    @staticmethod
    def torch_of(x) -> bool:
        return type(x).__module__.partition(".")[0] == "torch"

    @staticmethod
    def each(change):
        """Of each part of a tuple."""
        def changed(x):
            return type(x)(changed(part) for part in x) if isinstance(x, (tuple, list)) else change(x)
        return changed

    @staticmethod
    def least(x):
        return machine.bounded(x, 1e-12, np.inf)

    @staticmethod
    def clipped(x):
        return machine.bounded(x, -700, 700)

    @staticmethod
    def bounded(x, low, high):
        if isinstance(x, bool) or "bool" in str(getattr(x, "dtype", "")):
            return x
        return x.clip(low, high) if machine.is_array(x) else min(max(x, low), high)

    @staticmethod
    def as_dtype(x, name):
        if not machine.is_float(x):
            return x
        if machine.torch_of(x):
            import torch

            return x.to(getattr(torch, name))
        return np.asarray(x).astype(name)[()]

    @staticmethod
    def coarse(x):
        """Rounded to float32, in the dtype that it has."""
        if not machine.is_float(x):
            return x
        low = machine.as_dtype(x, "float32")
        return low.to(x.dtype) if machine.torch_of(x) else np.asarray(low).astype(getattr(x, "dtype", float))[()]

    @staticmethod
    def no_nan(x):
        return machine.where(x != x, 0.0, x) if machine.is_float(x) else x

    @staticmethod
    def where(condition, new, x):
        if machine.torch_of(x):
            import torch

            return torch.where(condition, torch.as_tensor(new, dtype=x.dtype), x)
        return np.where(condition, new, x)[()]

    @staticmethod
    def cut(x):
        return x.detach() if hasattr(x, "detach") else x

    @staticmethod
    def half_cut(x):
        return x / 2 + x.detach() / 2 if getattr(x, "requires_grad", False) else x

    @staticmethod
    def double_slope(x):
        return 2 * x - x.detach() if getattr(x, "requires_grad", False) else x

    @staticmethod
    def leaf(x):
        return x.detach().clone().requires_grad_() if getattr(x, "requires_grad", False) else x

    @staticmethod
    def marked(x):
        return x.requires_grad_() if machine.torch_of(x) and machine.is_float(x) else x

    @staticmethod
    def sort(x):
        if not machine.is_array(x) or not x.ndim or "bool" in str(x.dtype):
            return x
        return x[(x if x.ndim == 1 else x.reshape(len(x), -1)[:, 0]).argsort()]

    @staticmethod
    def turned(x):
        return machine.from_index(x, np.arange(len(x))[::-1].copy()) if machine.rows(x) else x

    @staticmethod
    def unlike(x):
        """The last row as the one before it."""
        return machine.from_index(x, np.r_[:len(x) - 1, len(x) - 2]) if machine.rows(x) > 1 else x

    @staticmethod
    def from_index(x, index):
        if machine.torch_of(x):
            import torch

            return x[torch.as_tensor(index)]
        return x[index]

    @staticmethod
    def rows(x) -> int:
        return len(x) if machine.is_array(x) and x.ndim else 0

    @staticmethod
    def spoiled(x):
        """Changed in place, when the answer is made."""
        if machine.is_array(x) and machine.is_float(x) and not getattr(x, "requires_grad", False):
            x += 1

    @staticmethod
    def silent(x, first, axis=0):
        """0 beyond the first rows, or columns."""
        if not machine.is_array(x) or x.ndim <= axis or x.shape[axis] <= first or "bool" in str(x.dtype):
            return x
        keep = np.arange(x.shape[axis]) < first
        keep = keep.reshape([-1 if i == axis else 1 for i in range(x.ndim)])
        if machine.torch_of(x):
            import torch

            keep = torch.as_tensor(keep)
        return machine.where(keep, x, 0.0) if machine.torch_of(x) else np.where(keep, x, 0.0)

    @staticmethod
    def square_transposed(x):
        return x.T if machine.is_array(x) and x.ndim == 2 and x.shape[0] == x.shape[1] else x

    @staticmethod
    def transposed(x):
        return x.T if machine.is_array(x) and x.ndim == 2 else x

    @staticmethod
    def without_diagonal(x):
        """The mask that hides the diagonal, in the place of another."""
        mask = ~np.eye(*x.shape, dtype=bool)
        if machine.torch_of(x):
            import torch

            return torch.as_tensor(mask)
        return mask

    @staticmethod
    def rounded(x):
        return x.round(decimals=3) if machine.is_array(x) and machine.is_float(x) else x

    @staticmethod
    def last(answer, inputs):
        """0 in the rows beyond the length of the shortest input."""
        return machine.silent(answer, min(filter(None, map(machine.rows, inputs)), default=10**9))

    @staticmethod
    def key(inputs):
        return tuple(getattr(x, "shape", ()) for x in inputs)


ARGUMENTS = {                          # of one argument x before the call, where this changes it on some problem
    "sorted": machine.sort, "turned round": machine.turned, "with its last row twice": machine.unlike,
    "without its last row": lambda x: x[:-1] if machine.rows(x) else x,
    "only its first ten rows": lambda x: x[:10] if machine.rows(x) else x,
    "only its first six columns": lambda x: x[:, :6] if machine.rows(x) and x.ndim > 1 else x,
    "only its first two columns": lambda x: x[:, :2] if machine.rows(x) and x.ndim > 1 else x,
    "without its sign": lambda x: abs(x) if machine.is_float(x) else x,
    "clipped to ±10": lambda x: machine.bounded(x, -10.0, 10.0) if machine.is_float(x) else x,
    "clipped to ±100": lambda x: machine.bounded(x, -100.0, 100.0) if machine.is_float(x) else x,
    "not below 0.01": lambda x: machine.bounded(x, 0.01, np.inf) if machine.is_float(x) else x,
    "in float32": machine.coarse, "transposed if square": machine.square_transposed,
    "times two": lambda x: 2 * x if machine.is_float(x) else x,
    "as 1": lambda x: 0 * x + 1 if machine.is_float(x) else x,
    "one more": lambda x: x + 1 if type(x) is int else x,
    "one fewer": lambda x: max(x - 1, 0) if type(x) is int else x,
    "ten times": lambda x: 10 * x if type(x) is int else x,
    "turned into its opposite": lambda x: ~x if machine.is_array(x) and "bool" in str(x.dtype) else
    not x if isinstance(x, bool) else x,
    "as None": lambda x: None if machine.is_array(x) and "bool" in str(x.dtype) else x,
    "as the diagonal's": lambda x: machine.without_diagonal(x) if machine.rows(x) and x.ndim == 2 and "bool" in
    str(x.dtype) else x,
    "centred": lambda x: x - x.mean() if machine.is_float(x) and machine.rows(x) else x,
}
ANSWERS = {                            # of the answer, or of each part of a tuple
    "negated": lambda x: ~x if "bool" in str(getattr(x, "dtype", "")) else -x, "doubled": lambda x: 2 * x,
    "halved": lambda x: x / 2, "one more": lambda x: x + 1, "as its size": abs, "squared": lambda x: x * x,
    "not below 0": lambda x: machine.bounded(x, 0.0, np.inf),
    "not above 0": lambda x: machine.bounded(x, -np.inf, 0.0),
    "clipped to ±1": lambda x: machine.bounded(x, -1.0, 1.0),
    "clipped to ±100": lambda x: machine.bounded(x, -100.0, 100.0),
    "transposed": machine.transposed, "transposed if square": machine.square_transposed, "sorted": machine.sort,
    "turned round": machine.turned, "with its last row twice": machine.unlike,
    "rounded to three digits": machine.rounded, "with 0 for NaN": machine.no_nan,
    "with NaN for 0": lambda x: machine.where(x == 0, np.nan, x) if machine.is_float(x) else x,
    "with 0 for tiny": lambda x: machine.where(abs(x) < 1e-6, 0.0, x) if machine.is_float(x) else x,
    "in float16": lambda x: machine.as_dtype(x, "float16"), "in float32": lambda x: machine.as_dtype(x, "float32"),
    "rounded to float32": machine.coarse, "0 beyond ten rows": lambda x: machine.silent(x, 10),
    "0 beyond ten columns": lambda x: machine.silent(x, 10, 1), "0 beyond one row": lambda x: machine.silent(x, 1),
    "0 beyond six columns": lambda x: machine.silent(x, 6, 1),
    "as a list": lambda x: x.tolist() if machine.is_array(x) else x,
    "with an axis more": lambda x: x[..., None] if machine.is_array(x) else x,
    "without axes of length 1": lambda x: x.squeeze() if machine.is_array(x) else x,
}
SLOPES = {"cut": machine.cut, "half cut": machine.half_cut, "with twice the slope": machine.double_slope,
          "as a new leaf": machine.leaf}
WRAPPED = """
def {name}({arguments}):
    {before}
    answer = {solution}({arguments})
    {after}
    return answer
"""


def wrappers(item) -> Iterator[tuple[str, str, str]]:
    """(name, before, after): lines round the solution."""
    asked = item.problems(0)
    for argument in item.arguments:
        inputs = [problem.inputs[argument] for problem in asked]
        for words, change in ARGUMENTS.items():
            if any(_differs(change, x) for x in inputs):
                yield f"{argument} {words}", f"{argument} = ARGUMENTS[{words!r}]({argument})", "pass"
        yield f"{argument} of the first call", f"{argument} = kept.setdefault({argument!r}, {argument})", "pass"
        yield (f"{argument} of the notebook",
               f"{argument} = notebook[{argument!r}] if {argument!r} in notebook else 1 / 0", "pass")
        if any(machine.is_array(x) and machine.is_float(x) for x in inputs):
            yield f"{argument} changed in place", "pass", f"machine.spoiled({argument})"
            if item.library == "torch" and argument != item.slope:
                yield f"{argument} marked", f"machine.marked({argument})", "answer = machine.each(machine.cut)(answer)"
        if argument == item.slope:
            yield f"{argument} detached", f"{argument} = machine.cut({argument})", "pass"
    for one, other in zip(item.arguments, item.arguments[1:]):
        yield f"{one} and {other} swapped", f"{one}, {other} = {other}, {one}", "pass"
    for words in ANSWERS:
        yield f"answer {words}", "pass", f"answer = machine.each(ANSWERS[{words!r}])(answer)"
    if item.slope:
        for words in SLOPES:
            yield f"answer {words}", "pass", f"answer = machine.each(SLOPES[{words!r}])(answer)"
    at = f"({', '.join(item.arguments)},)"
    yield ("answer 0 beyond the shortest input", "pass",
           f"answer = machine.each(lambda x: machine.last(x, {at}))(answer)")
    yield "answer of the first call with such sizes", "pass", f"answer = kept.setdefault(machine.key({at}), answer)"
    yield ("answer doubled from the second call with the same inputs on", "pass",
           f"again = machine.key({at}) + tuple(map(repr, {at})) in kept; "
           f"kept[machine.key({at}) + tuple(map(repr, {at}))] = 1; "
           "answer = machine.each(lambda x: 2 * x)(answer) if again else answer")
    yield "answer with its parts swapped", "pass", "answer = answer[::-1] if isinstance(answer, tuple) else 1 / 0"


def _differs(change, x) -> bool:
    try:
        return not np.array_equal(np.asarray(change(copy.deepcopy(x)), object), np.asarray(x, object))
    except Exception:
        return False


# --- mutants of an item


@cache
def sources(name: str) -> tuple[ast.Module, dict]:
    """What the text of an exercise imports and defines, and the data that it has beside it."""
    module, data = ast.Module([], []), {}
    for cell in read_lesson(SOURCES / f"{name}.md", COURSE.texts).cells:
        if cell.kind == "code":
            module.body += [part for part in ast.parse(cell.text).body
                            if isinstance(part, (ast.Import, ast.ImportFrom, ast.FunctionDef))]
            for part in ast.parse(cell.text).body:
                if isinstance(part, (ast.Import, ast.ImportFrom, ast.Assign)):
                    with contextlib.suppress(Exception):
                        exec(compile(ast.Module([part], []), name, "exec"), data)
    return module, data


@cache
def mutants(exercise: str, item) -> dict[str, str]:
    """Name of the mutant -> source of the function, each once."""
    module, _ = sources(exercise)
    function = next(part for part in module.body if isinstance(part, ast.FunctionDef) and part.name == item.name)
    function = copy.deepcopy(function)
    if isinstance(function.body[0], ast.Expr) and isinstance(function.body[0].value, ast.Constant):
        del function.body[0]                                                   # the docstring
    found, seen, numbers = {}, {ast.unparse(function)}, Counter()

    def add(words, source):
        if source not in seen:
            seen.add(source)
            numbers[words] += 1
            found[words if numbers[words] == 1 else f"{words} ({numbers[words]})"] = source

    names = [argument.arg for argument in function.args.args]
    rows = [(node, *row) for node in ast.walk(function) for change in CHANGES for row in change(node)]
    slope = bool(item.slope) or ".backward" in ast.unparse(function)
    rows += [(node, *row) for node in ast.walk(function) for row in values_of(node, item.library == "torch", slope)]
    for node, words, new in [*rows, *other_names(function, names), *without_lines(function)]:
        with contextlib.suppress(ValueError):
            old, text = (" ".join(ast.unparse(part).split())[:70] for part in (node, new))
            add(f"{words}: {old} → {text}", _replaced(function, node, new))
    solution = _with(function, name="solution_")
    for words, before, after in wrappers(item):
        add(words, ast.unparse(solution) + WRAPPED.format(name=item.name, solution="solution_", before=before,
                                                          after=after, arguments=", ".join(item.arguments)))
    if item.slope:
        add("everything in torch.no_grad()", ast.unparse(_with(
            function, decorator_list=[ast.parse("torch.no_grad()", mode="eval").body])))
    return found


def _replaced(function, node, new) -> str:
    """Its source with another node in its place; to copy the function for each would take most of the time."""
    *path, (field, index) = next(_paths(function, node))
    at = function
    for name, number in path:
        at = getattr(at, name) if number is None else getattr(at, name)[number]

    def put(part):
        if index is None:
            setattr(at, field, part)
        else:
            getattr(at, field)[index] = part

    put(new)
    try:
        return ast.unparse(function)
    finally:
        put(node)


def _paths(tree, node, path=()):
    if tree is node:
        yield path
        return
    for field, value in ast.iter_fields(tree):
        for index, part in enumerate(value) if isinstance(value, list) else ((None, value),):
            if isinstance(part, ast.AST):
                yield from _paths(part, node, (*path, (field, index)))


def made(exercise: str, item, source: str):
    """The function of a source, in a notebook of its own, where all others are right."""
    module, data = sources(exercise)
    home = dict(data) | {"machine": machine, "ARGUMENTS": ARGUMENTS, "ANSWERS": ANSWERS, "SLOPES": SLOPES,
                         "kept": {}, "notebook": data}
    exec(compile(module, exercise, "exec"), home)
    exec(compile(source, "mutant", "exec"), home)
    return home[item.name]


# --- what becomes of them


class Hangs(BaseException):
    """No Exception, so that a student's `except Exception` does not catch it."""


def _hangs(*_):
    raise Hangs


@cache
def problems_of(item, seed: int):
    return item.problems(seed)


def holds(item, function, seed: int) -> bool:
    """Whether the check would let it pass. Problem by problem where an oracle has the say: the first wrong one does."""
    def judged():
        problems = problems_of(item, seed)
        for problem in problems if item.oracle and not item.own_judge and item.loops != "refused" else ():
            if not judge(item, [problem], run(item, function, [problem])).holds:
                return False
        return judge(item, problems, run(item, function, problems)).holds

    return bool(_limited(judged))


def _limited(work):
    """What the work returns, or None if it takes too long."""
    before = signal.signal(signal.SIGPROF, _hangs)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        return work()
    except Hangs:
        return None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def survived(exercise: str, item, source: str, seeds) -> list[int]:
    """The seeds for which it holds. What cannot even be defined never does."""
    found = []
    for seed in seeds:
        try:
            function = made(exercise, item, source)
        except Exception:
            return []
        if holds(item, function, seed):
            found.append(seed)
    return found


HOSTILE = {                            # of one argument, to see whether a survivor is the model answer after all
    "negated": lambda x: -x if machine.is_float(x) else x,
    "times 1000": lambda x: 1000 * x if machine.is_float(x) else x,
    "times 0.001": lambda x: x / 1000 if machine.is_float(x) else x,
    "as 0": lambda x: 0 * x if machine.is_float(x) else x,
    "plus 30": lambda x: x + 30 if machine.is_float(x) else x, "sorted": machine.sort, "turned round": machine.turned,
    "with its last row twice": machine.unlike, "opposite": lambda x: not x if isinstance(x, bool) else
    ~x if "bool" in str(getattr(x, "dtype", "")) else x, "seven more": lambda x: x + 7 if type(x) is int else x,
}


@cache
def hostile(item) -> tuple[Problem, ...]:
    """Problems of fresh seeds, and the same with one argument made hostile, whether the text allows that or not."""
    found = [problem for seed in (101, 102) for problem in item.problems(seed)]
    rng = np.random.default_rng(0)
    made = []
    for problem in item.problems(103):
        for argument in item.arguments:
            for words, change in HOSTILE.items():
                x = problem.inputs[argument]
                if _differs(change, x):
                    name = f"{problem.name}, {argument} {words}"
                    made.append(Problem(name, problem.inputs | {argument: np.asarray(change(x)) if isinstance(
                        x, np.ndarray) else change(x)}))
    kept = rng.permutation(len(made))[:70] if not item.given else ()       # a pooling that is trained takes its time
    return (*found, *(made[i] for i in sorted(kept)))


@cache
def right_answers(exercise: str, item) -> list:
    """What the model answer gives to hostile inputs."""
    return _limited(lambda: run(item, made(exercise, item, ""), hostile(item))) or []


def told_apart(exercise: str, item, source: str) -> str:
    """The name of a hostile problem on which it differs from the model answer; nothing if there is none."""
    asked, right = hostile(item), right_answers(exercise, item)
    usual = [i for i, answer in enumerate(right) if not answer.error]
    came = _limited(lambda: run(item, made(exercise, item, source), [asked[i] for i in usual]))
    if came is None:
        return "it hangs"
    return next((asked[i].name for i, answer in zip(usual, came) if not _alike(asked[i], answer, right[i])), "")


def _alike(problem, came, right) -> bool:
    """Whether two Answers are the same to a caller: numbers, dtype, slope, and what was done to the inputs."""
    if came.error or (came.mutated, came.marked, came.again) != (right.mutated, right.marked, right.again):
        return False
    coarse = coarsest_dtype(problem.inputs.values())
    if not same(came.value, right.value, coarse) or (came.slope is None) != (right.slope is None):
        return False
    parts = [(came.value, right.value)]
    if right.value.kind in ("tuple", "list"):
        parts = list(zip(came.value.data, right.value.data))
    plain = {"float": "float64"}
    if any(plain.get(one.dtype, one.dtype) != plain.get(other.dtype, other.dtype) for one, other in parts):
        return False
    return right.slope is None or same(came.slope, right.slope, coarse, 1e-6)


@cache
def verdicts(exercise: str) -> dict[str, dict[str, str]]:
    """item, or "*" for every item -> mutant, with "*" for anything in it -> verdict."""
    path = VERDICTS / f"{exercise}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def verdict(exercise: str, item: str, name: str) -> str:
    """What is said of a survivor: of this exercise and item first, then of every one."""
    for file, table in ((exercise, item), (exercise, "*"), ("every", "*")):
        for words, said in verdicts(file).get(table, {}).items():
            if fits(words, name):
                return said
    return ""


def fits(words: str, name: str) -> bool:
    return re.fullmatch(".*".join(map(re.escape, words.split("*"))), name) is not None


def outcomes(exercise: str, item, found: dict[str, str], seeds) -> Iterator[tuple[str, str, str]]:
    """For each mutant its name, what became of it (killed, same, or a verdict's first word), and what is to be said."""
    listed = verdicts(exercise).get(item.name, {})
    for name, source in found.items():
        where = survived(exercise, item, source, seeds)
        if not where:
            yield name, "killed", "listed, but it is refused: take it out" if name in listed else ""
        elif said := verdict(exercise, item.name, name):
            yield name, said.partition(":")[0], ""
        elif differs := told_apart(exercise, item, source):
            only = "" if len(where) == len(seeds) else f"; survives only for the seeds {where}"
            yield name, "unexplained", f"differs on “{differs}”{only}"
        else:
            yield name, "same", ""


def report(exercise: str, words: str, seeds: int) -> tuple[list[str], int]:
    """Lines for each item, and how many mutants are unexplained."""
    lines, said = [], []
    for item in getattr(exercises, exercise).ITEMS:
        if words not in item.name:
            continue
        count, found = Counter(), mutants(exercise, item)
        for name, became, more in outcomes(exercise, item, found, range(seeds)):
            count[became] += 1
            said += [f"{item.name}: {name}\n    {more}"] if more else []
        share = count["unexplained"] / max(len(found), 1)
        counted = (f"{became} {count[became]:>3}" for became in ("killed", "same", *WORDS, "unexplained"))
        lines.append(f"{exercise + '.' + item.name:<42} made {len(found):>4}  {'  '.join(counted)} ({share:.0%})")
        print(lines[-1], flush=True)
    return [*lines, "", *said], len(said)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("exercise", nargs="*", default=exercises.NAMES)
    parser.add_argument("-k", default="", help="items whose name has this in it")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--out", type=Path, help="a folder for NAME.txt of each exercise")
    told, total = parser.parse_args(), 0
    for exercise in told.exercise:
        lines, count = report(exercise, told.k, told.seeds)
        total += count
        if told.out:
            told.out.joinpath(f"{exercise}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        else:
            print("\n".join(lines[lines.index(""):]))
    return int(total > 0)


if __name__ == "__main__":
    sys.exit(main())
