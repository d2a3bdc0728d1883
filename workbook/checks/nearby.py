"""The right formula with one step done otherwise: variants of an oracle, made by program from its source."""
import ast
import functools
import inspect
import itertools
import textwrap

import numpy as np

from workbook.checks import hints
from workbook.checks.cases import Finding
from workbook.checks.declared import predict
from workbook.checks.otherwise import first_that_fits
from workbook.checks.steps import MINOR, REDUCED, edits, filled, parsed

HOMES = "nwlab.exercises", "nwlab.exercises.common"     # where the functions stand whose steps are changed
MOST = 350                             # variants that are tried: more would take longer than a fifth of a second


def one_step_otherwise(item, cases):
    """Every answer is that of the right formula with one step missing, or with another in its place."""
    rows = itertools.islice(variants(item), MOST) if item.oracle else ()
    if found := first_that_fits(item, cases, ((row, row[1]) for row in rows)):
        (words, _), case = found
        return Finding(f"the numbers are those of the right formula, but {words}", "which of your lines does that? It "
                       "may be written otherwise, or stand in a function that you call", case)


def variants(item):
    """(what is done otherwise, what it answers to a case), for each edit of the oracle and of what it calls.

    Steps first, then names, numbers and additions: of the oracle itself, and of the two functions called next.
    """
    trees = called(getattr(item.oracle, "func", item.oracle))
    codes = {function: compiled(tree) for function, tree in trees.items()}
    found = [((min(rank, MINOR), far, rank), words + _where(item, function), function, place, new)
             for far, (function, tree) in enumerate(reversed(trees.items()))
             for place in _places(tree) for rank, words, new in edits(item.arguments, tree, *place)
             if rank < MINOR or far < 3]
    for _, words, function, place, new in sorted(found, key=lambda edit: edit[0]):
        make = functools.cache(lambda function=function, place=place, new=new: linked(
            item.oracle, codes | {function: compiled(trees[function], place, new)}))
        yield words, lambda case, make=make: predict(lambda **inputs: make()(**inputs), case.problem)


@functools.cache
def called(function) -> dict:
    """Each function of an exercise, or of `problems`, that the function calls, and itself last -> its syntax tree."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except (OSError, TypeError, SyntaxError):
        return {}
    found, own = {}, {argument.arg for argument in ast.walk(tree) if isinstance(argument, ast.arg)}
    for node in ast.walk(tree):
        other = function.__globals__.get(getattr(node, "id", "")) if getattr(node, "id", "") not in own else None
        if inspect.isfunction(other) and other is not function and other.__module__.startswith(HOMES):
            found |= called(other)
    if not isinstance(tree, ast.FunctionDef):
        return {}
    return found | {function: ast.fix_missing_locations(Plain(tree).visit(tree))}


class Plain(ast.NodeTransformer):
    """Written as in `steps`: np.sum(x) for x.sum(), x**2 for np.square(x), and for options what they are by default.

    The options of an oracle are there to make it wrong.
    """

    def __init__(self, tree):
        self.options = {option.arg: default for option, default in zip(tree.args.args[::-1], tree.args.defaults[::-1])}

    def visit_Name(self, node):
        default = self.options.get(node.id)
        plain = isinstance(default, (ast.Attribute, ast.UnaryOp)) or type(getattr(default, "value", 0)) is float
        return default if default and plain and node.id != "axis" else node

    def visit_IfExp(self, node):
        option = self.options.get(getattr(node.test, "id", ""))
        return self.visit(node.orelse) if isinstance(option, ast.Constant) and not option.value else node

    def visit_Call(self, node):
        self.generic_visit(node)
        name, of = getattr(node.func, "attr", ""), getattr(node.func, "value", None)
        if name in REDUCED and getattr(of, "id", "") != "np":
            return filled(parsed(f"np.{name}(a)"), {"a": of, "keywords": node.keywords})
        plain = {"square": "a**2", "positive": "a"}.get(name)
        return filled(parsed(plain), {"a": node.args[0]}) if plain else node


def _where(item, function) -> str:
    """In which part of the formula, if the student knows a word for it."""
    hint = " ".join(hints.read(item.package).get(item.name, ())) if item.package else ""
    word = function.__name__.removesuffix("_of_w")
    return f" (in the {word})" if word in f"{item.title} {item.returns} {hint}" and function is not item.oracle else ""


def _places(tree):
    """(parent, field, number in it, node) for each expression, but not in the brackets of an index."""
    for field, value in ast.iter_fields(tree):
        for number, node in enumerate(value) if isinstance(value, list) else ((None, value),):
            if isinstance(node, ast.expr):
                yield tree, field, number, node
            if isinstance(node, ast.AST) and (type(tree), field) != (ast.Subscript, "slice"):
                yield from _places(node)


def compiled(tree, place=None, new=None):
    """The code of a function; with a new node in one place, if that is given."""
    def put(node):
        parent, field, number, _ = place
        if number is None:
            setattr(parent, field, node)
        else:
            getattr(parent, field)[number] = node

    if place is None:
        return compile(ast.Module([tree], []), "oracle", "exec")
    put(ast.fix_missing_locations(ast.copy_location(new, place[-1])))
    try:
        return compiled(tree)
    finally:
        put(place[-1])


def linked(oracle, codes):
    """The oracle, made anew of the codes of all its functions."""
    made = {}
    for function, code in codes.items():
        home = function.__globals__ | {"np": np}
        home |= {name: made[x] for name, x in function.__globals__.items() if inspect.isfunction(x) and x in made}
        exec(code, home)
        made[function] = home[function.__name__]
    return functools.partial(made[function], **getattr(oracle, "keywords", {}))
