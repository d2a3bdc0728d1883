"""Can a wrong function pass? Every item's model answer is made wrong by program, and each check should refuse it.

    python tests/mutant_machine.py [exercise] [-k item] [--seeds 3]

A mutant is the model answer with one node of its syntax tree changed (`CHANGES`). It is killed if the check refuses it
for every seed, and also if it hangs. A survivor is `same` if it answers as the model answer does to some hundred
hostile inputs too. Any other has a verdict in tests/exercises/survivors/NAME.toml, in a table for its item or in
["*"]. `*` stands for anything:

    "axis 0 → 1*" = "equivalent: the table is symmetric"
    "NaN as 0 on the way*" = "tolerated: NaN comes only where σ is 0"

The script prints a line for each item, then what is unexplained, each with an input that tells it from the model
answer: a problem like it refuses the mutant. It ends with 1 if there is any. `test_mutants.py` runs a part of it.
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
from workbook.checks.inputs import _as  # noqa: E402
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
    """Another operator, either side alone, sides swapped; an ε in a denominator."""
    if isinstance(node, (ast.BinOp, ast.BoolOp)):
        for new in OPERATORS.get(type(node.op), ()):
            yield "operator", _with(node, op=new())
    if isinstance(node, ast.BinOp):
        yield "right side dropped", node.left
        if not isinstance(node.op, ast.Pow):
            yield "left side dropped", node.right
        if isinstance(node.op, (ast.Sub, ast.Div, ast.MatMult)):
            yield "sides swapped", _with(node, left=node.right, right=node.left)
        if isinstance(node.op, ast.Div):
            yield "ε in the denominator", _expression("a / (b + 1e-8)", a=node.left, b=node.right)


def condition(node):
    """A comparison the other way, or with its edge; minus, not and ~ taken away; conditions turned round."""
    if isinstance(node, ast.Compare):
        for new in OPERATORS.get(type(node.ops[0]), ()):
            yield "comparison", _with(node, ops=[new(), *node.ops[1:]])
    if isinstance(node, ast.UnaryOp):
        yield "unary dropped", node.operand
    if isinstance(node, ast.IfExp):
        yield "branches swapped", _with(node, body=node.orelse, orelse=node.body)
        yield "always the first branch", node.body
        yield "always the second branch", node.orelse


PAIRS = "sum mean, max min, argmin argmax, maximum minimum, any all, zeros ones, sqrt square, sin cos, floor ceil"
TWINS = {"exp": "expm1", "log": "log1p", "abs": "square", "softmax": "log_softmax", "median": "mean"}
TWINS |= {one: other for pair in PAIRS.split(", ") for one, other in (pair.split(), pair.split()[::-1])}


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


def indexed(node):
    """[:, None] the other way, without it; .T without; a slice one shorter."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield "index dropped", node.value
        if isinstance(node.slice, ast.Tuple) and len(node.slice.elts) > 1:
            yield "axes of the index swapped", _with(node, slice=_with(node.slice, elts=node.slice.elts[::-1]))
    if isinstance(node, ast.Attribute) and node.attr == "T":
        yield "not transposed", node.value
    for name, words, x in (("inf", "∞ as 1e9", 1e9), ("inf", "∞ as 100", 100.0), ("nan", "NaN as 0", 0.0)):
        if isinstance(node, ast.Attribute) and node.attr == name:
            yield words, ast.Constant(x)


def values_of(node, torch: bool, slope: bool):
    """What is done to a value on the way: cut, made a number, made positive."""
    name = _name(getattr(node, "func", None))
    if not isinstance(node, (ast.BinOp, ast.Call)) or name in ("range", "len", "backward"):
        return
    if isinstance(node, ast.BinOp):
        yield "abs", _expression("abs(a)", a=node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) or name in RISKY:
        yield "NaN as 0 on the way", _expression("no_nan(a)", a=node)
    if torch and slope:
        yield "detached", _expression("a.detach() if hasattr(a, 'detach') else a", a=node)


RISKY = ("exp", "log", "sqrt", "softmax", "mean", "norm", "log_softmax")
CHANGES = (constant, axis, arithmetic, condition, called, indexed)


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


def is_float(x) -> bool:
    return isinstance(x, float) or "float" in str(getattr(x, "dtype", ""))


def no_nan(x):
    """What mutants call: 0 in the place of NaN, in an array, a tensor or a number."""
    if not is_float(x):
        return x
    return x.nan_to_num(0.0) if hasattr(x, "detach") else np.where(x != x, 0.0, x)[()]


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
    if item.slope:
        add("everything in torch.no_grad()", ast.unparse(_with(
            function, decorator_list=[ast.parse("torch.no_grad()", mode="eval").body])))
    return found


def _replaced(function, node, new) -> str:
    """The source of the function with another node in the place of one."""
    class Put(ast.NodeTransformer):
        places = {id(node): new}

        def visit(self, each):
            return self.places.get(id(each)) or self.generic_visit(each)

    Put().visit(function)
    try:
        return ast.unparse(function)
    finally:
        Put.places = {id(new): node}
        Put().visit(function)


def made(exercise: str, item, source: str):
    """The function of a source, in a notebook of its own, where all others are right."""
    module, data = sources(exercise)
    home = dict(data) | {"no_nan": no_nan}
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
    """Whether the check would let it pass. With an oracle problem by problem, since the first wrong one is enough."""
    problems = problems_of(item, seed)
    parts = [[problem] for problem in problems if item.oracle and not item.own_judge] + [problems]
    return bool(_limited(lambda: all(judge(item, part, run(item, function, part)).holds for part in parts)))


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
    with contextlib.suppress(Exception):
        return [seed for seed in seeds if holds(item, made(exercise, item, source), seed)]
    return []


HOSTILE = {
    "negated": lambda x: -x, "times 1000": lambda x: 1000 * x, "times 0.001": lambda x: x / 1000,
    "as 0": lambda x: 0 * x, "plus 30": lambda x: x + 30, "turned round": lambda x: x[::-1].copy() if np.ndim(x) else x,
}


@cache
def hostile(item) -> list[Problem]:
    """Problems of fresh seeds, and the same with one argument made hostile, whether the text allows that or not."""
    changed = [Problem(f"{problem.name}, {name} {words}", problem.inputs | {name: _as(x, change(x))})
               for problem in item.problems(103) for name, x in problem.inputs.items() if is_float(x)
               for words, change in HOSTILE.items()]
    kept = np.random.default_rng(0).permutation(len(changed))[:70] if not item.given else ()      # training is slow
    return [problem for seed in (101, 102) for problem in item.problems(seed)] + [changed[i] for i in sorted(kept)]


@cache
def right_answers(exercise: str, item) -> list:
    """What the model answer gives to hostile inputs."""
    return _limited(lambda: run(item, made(exercise, item, ""), hostile(item))) or []


def told_apart(exercise: str, item, source: str) -> str:
    """The name of a hostile problem on which it differs from the model answer; nothing if there is none."""
    problems, right = hostile(item), right_answers(exercise, item)
    usual = [i for i, answer in enumerate(right) if not answer.error]
    answers = _limited(lambda: run(item, made(exercise, item, source), [problems[i] for i in usual]))
    if answers is None:
        return "it hangs"
    return next((problems[i].name for i, answer in zip(usual, answers)
                 if not _alike(problems[i], answer, right[i])), "")


def _alike(problem, answer, right) -> bool:
    """Whether two Answers are the same to a caller: numbers, dtype, slope, and what was done to the inputs."""
    def rest(one):
        parts = one.value.data if one.value.kind in ("tuple", "list") else [one.value]
        return [part.dtype.replace("64", "") for part in parts], one.mutated, one.marked, one.again, one.slope is None

    coarse = coarsest_dtype(problem.inputs.values())
    return (not answer.error and same(answer.value, right.value, coarse) and rest(answer) == rest(right)
            and (right.slope is None or same(answer.slope, right.slope, coarse, 1e-6)))


@cache
def verdicts(exercise: str) -> dict[str, dict[str, str]]:
    """item, or "*" for every item -> mutant, with "*" for anything in it -> verdict."""
    path = VERDICTS / f"{exercise}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def verdict(exercise: str, item: str, name: str) -> str:
    """The verdict on a survivor: of this item first, then of every one of the exercise."""
    rows = [verdicts(exercise).get(table, {}) for table in (item, "*")]
    return next((text for row in rows for words, text in row.items() if fits(words, name)), "")


def fits(words: str, name: str) -> bool:
    return bool(re.fullmatch(".*".join(map(re.escape, words.split("*"))), name))


def outcomes(exercise: str, item, found: dict[str, str], seeds) -> Iterator[tuple[str, str, str]]:
    """For each mutant its name, what became of it (killed, same, or a verdict's first word), and what is to be said."""
    for name, source in found.items():
        if not (where := survived(exercise, item, source, seeds)):
            yield name, "killed", ""
        elif text := verdict(exercise, item.name, name):
            yield name, text.partition(":")[0], ""
        elif differs := told_apart(exercise, item, source):
            yield name, "unexplained", f"differs on “{differs}”; survives for the seeds {where}"
        else:
            yield name, "same", ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("exercise", nargs="*", default=exercises.NAMES)
    parser.add_argument("-k", default="", help="items whose name has this in it")
    parser.add_argument("--seeds", type=int, default=3)
    options, remarks = parser.parse_args(), []
    for exercise in options.exercise:
        for item in getattr(exercises, exercise).ITEMS:
            if options.k not in item.name:
                continue
            count, found = Counter(), mutants(exercise, item)
            for name, became, remark in outcomes(exercise, item, found, range(options.seeds)):
                count[became] += 1
                remarks += [f"{exercise}.{item.name}: {name}\n    {remark}"] if remark else []
            counted = "  ".join(f"{became} {count[became]:>3}" for became in ("killed", "same", *WORDS, "unexplained"))
            print(f"{exercise + '.' + item.name:<42} made {len(found):>4}  {counted}", flush=True)
    print("", *remarks, sep="\n")
    return int(bool(remarks))


if __name__ == "__main__":
    sys.exit(main())
