"""Which wrong functions do the problems of an item let pass? For authors of exercises.

    python tests/mutant_machine.py [exercise ...] [-k item] [--seeds 3]

A mutant is the model answer with one node of its syntax tree changed, in the ways of `changes`. The check should refuse
each of them for every seed. Those that pass for some seed are printed, with a problem on which they differ from the
model answer: another one like it would refuse the mutant. A mutant without such a problem is most often the model
answer in other words, and is only counted.
"""
import argparse
import ast
import contextlib
import copy
import inspect
import sys
from collections import Counter
from collections.abc import Iterator

import numpy as np

from exercises import model_answers
from workbook import exercises
from workbook.checks.item import Problem
from workbook.checks.judge import judge
from workbook.checks.run import run
from workbook.grading.mark import limited

SECONDS = 20                           # of processor time: a mutant that takes longer counts as refused
OPERATORS = {
    ast.Add: [ast.Sub], ast.Sub: [ast.Add], ast.Mult: [ast.Div, ast.Add], ast.Div: [ast.Mult], ast.MatMult: [ast.Mult],
    ast.Pow: [ast.Mult], ast.BitAnd: [ast.BitOr], ast.BitOr: [ast.BitAnd], ast.And: [ast.Or], ast.Or: [ast.And],
    ast.Lt: [ast.LtE, ast.Gt], ast.LtE: [ast.Lt, ast.GtE], ast.Gt: [ast.GtE, ast.Lt], ast.GtE: [ast.Gt, ast.LtE],
    ast.Eq: [ast.NotEq], ast.NotEq: [ast.Eq], ast.Is: [ast.IsNot], ast.IsNot: [ast.Is]}
FUNCTIONS = {"sum": "mean", "mean": "sum", "max": "min", "min": "max", "argmin": "argmax", "argmax": "argmin",
             "maximum": "minimum", "minimum": "maximum", "any": "all", "all": "any", "zeros": "ones", "ones": "zeros",
             "sqrt": "square", "exp": "expm1", "log": "log1p", "abs": "square", "softmax": "log_softmax"}


def changes(node, arguments) -> Iterator[ast.AST]:
    """What may stand in the place of a node. arguments: the names of the function's own."""
    if isinstance(node, ast.expr):
        yield from (part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr))      # -x → x
    match node:
        case ast.Constant(value=bool(flag)):
            yield ast.Constant(not flag)
        case ast.Constant(value=int(x) | float(x)):
            yield from map(ast.Constant, dict.fromkeys([x + 1, 2 * x, -x, 0]))
        case ast.Name(id=name, ctx=ast.Load()) if name in arguments:
            yield from map(ast.Name, arguments)
        case ast.BinOp(left=left, op=op, right=right):
            yield from (ast.BinOp(left, other(), right) for other in OPERATORS.get(type(op), ()))
            yield ast.BinOp(right, op, left)
        case ast.BoolOp(op=op, values=values):
            yield from (ast.BoolOp(other(), values) for other in OPERATORS[type(op)])
        case ast.Compare(left=left, ops=[op, *more], comparators=rest):
            yield from (ast.Compare(left, [other(), *more], rest) for other in OPERATORS.get(type(op), ()))
        case ast.Attribute(value=value, attr=attr) if attr in FUNCTIONS:
            yield ast.Attribute(value, FUNCTIONS[attr])
        case ast.Attribute(attr="inf"):
            yield ast.Constant(1e9)
        case ast.Call(func=func, args=args, keywords=keywords):
            if isinstance(func, ast.Attribute):
                yield func.value                                         # x.masked_fill(...) → x
            yield from (ast.Call(func, [*args[:i], args[i + 1], args[i], *args[i + 2:]], keywords)
                        for i in range(len(args) - 1))
            yield from (ast.Call(func, args, keywords[:i] + keywords[i + 1:]) for i in range(len(keywords)))
        case ast.AugAssign() | ast.If() | ast.Expr(value=ast.Call()):
            yield ast.Pass()
        case ast.For() | ast.While():
            changed = copy.copy(node)
            changed.body = [*node.body, ast.Break()]
            yield changed


def mutants(source: str, slope: bool = False) -> dict[str, str]:
    """What was changed -> the source of the function, each source once. slope: cut a gradient, too."""
    function = ast.parse(source).body[0]
    if ast.get_docstring(function):
        del function.body[0]
    arguments, found = [argument.arg for argument in function.args.args], {}
    for place, node in enumerate(ast.walk(function)):
        new = list(changes(node, arguments))
        if slope and isinstance(node, (ast.BinOp, ast.Call)):
            new.append(ast.Call(ast.Attribute(node, "detach"), [], []))
        for each in new:
            changed = copy.deepcopy(function)
            old, words = list(ast.walk(changed))[place], f"{ast.unparse(node)} → {ast.unparse(each)}"
            with contextlib.suppress(ValueError):                        # a change that gives no valid Python
                found.setdefault(ast.unparse(_Put(old, each).visit(changed)), f"{place}: {' '.join(words.split())}")
    found.pop(ast.unparse(function), None)
    return {words: source for source, words in found.items()}


class _Put(ast.NodeTransformer):
    def __init__(self, old, new):
        self.old, self.new = old, new

    def visit(self, node):
        return self.new if node is self.old else self.generic_visit(node)


def result_of(work, *inputs):
    """What the work returns, or None where it fails or takes too long."""
    with contextlib.suppress(Exception), limited(SECONDS):
        return work(*inputs)


def holds(item, function, problems) -> bool:
    """Whether the check lets a function pass. With an oracle, it stops at the first problem with a wrong answer."""
    parts = [[problem] for problem in problems if item.oracle and not item.own_judge] + [problems]
    return all(judge(item, part, run(item, function, part)).holds for part in parts)


def hostile(item) -> list[Problem]:
    """Problems of other seeds, and some with an array negated, enlarged or set to 0, even if the text excludes it."""
    drawn = [problem for seed in (101, 102) for problem in item.problems(seed)]
    arrays = [(problem, name, x) for problem in drawn for name, x in problem.inputs.items()
              if isinstance(x, np.ndarray) and x.dtype.kind == "f"]
    changed = [Problem(f"{problem.name}, {name} {words}", problem.inputs | {name: np.asarray(factor * x)})
               for problem, name, x in arrays
               for words, factor in (("negated", -1.0), ("times 1000", 1e3), ("set to 0", 0.0))]
    return drawn if item.given else drawn + changed[::len(changed) // 60 + 1]        # with `given`, training is slow


def survivors(item, source: str, home: dict, seeds) -> Iterator[tuple[str, str]]:
    """For each mutant what was changed, and the outcome: "refused", "same", or "passes ..." and where it differs."""
    def made(text):
        names = dict(home)
        exec(compile(text, "mutant", "exec"), names)
        return names[item.name]

    drawn = [item.problems(seed) for seed in seeds]
    harder = [problem for problem in hostile(item) if result_of(holds, item, made(source), [problem])]
    for words, text in mutants(source, bool(item.slope)).items():
        function = result_of(made, text)
        passed = [seed for seed, problems in zip(seeds, drawn) if result_of(holds, item, function, problems)]
        differs = [problem.name for problem in harder if passed and not result_of(holds, item, function, [problem])][:1]
        yield words, (f"passes for the seeds {passed}, differs on “{differs[0]}”" if differs else
                      "same" if passed else "refused")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("exercise", nargs="*", default=exercises.NAMES)
    parser.add_argument("-k", default="", help="items whose name has this in it")
    parser.add_argument("--seeds", type=int, default=3)
    options, remarks = parser.parse_args(), []
    for exercise in options.exercise:
        for item in getattr(exercises, exercise).ITEMS:
            if options.k in item.name:
                module, count = getattr(model_answers, exercise), Counter()
                source = inspect.getsource(getattr(module, item.name))
                for words, outcome in survivors(item, source, vars(module), range(options.seeds)):
                    count[outcome.partition(" ")[0]] += 1
                    if outcome.startswith("passes"):
                        remarks.append(f"{item.name}: {words}\n    {outcome}")
                counted = "  ".join(f"{word} {count[word]:>3}" for word in ("refused", "same", "passes"))
                print(f"{exercise + '.' + item.name:<42} {counted}", flush=True)
    print("", *remarks, sep="\n")
    return int(bool(remarks))


if __name__ == "__main__":
    sys.exit(main())
