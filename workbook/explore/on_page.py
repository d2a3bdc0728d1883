"""A kernel for the page: its formula as a tree, of which estimator.js makes a function."""
import ast
import math

from nwlab.kernels import Kernel

SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
FUNCTIONS = {"abs", "cos", "cosh", "exp", "log", "sin", "sqrt", "tanh"}         # of JavaScript's Math, by the same name


def on_page(kernel: Kernel) -> dict | None:
    """{formula: a tree, as ["exp", ["-", 0, "u"]]; support, None if it never ends}; None for a formula with anything
    else than numbers, u, pi, signs and these functions."""
    try:
        formula = _tree(ast.parse(kernel.formula, mode="eval").body)
    except ValueError:
        return None
    return {"formula": formula, "support": kernel.support if kernel.ends else None}


def _tree(node):
    match node:
        case ast.Constant(number):
            return number
        case ast.Name("u"):
            return "u"
        case ast.Name("pi"):
            return math.pi
        case ast.UnaryOp(ast.USub(), term):
            return ["-", 0, _tree(term)]
        case ast.BinOp(one, sign, other) if type(sign) in SIGNS:
            return [SIGNS[type(sign)], _tree(one), _tree(other)]
        case ast.Call(ast.Name(name), [term]) if name in FUNCTIONS:
            return [name, _tree(term)]
    raise ValueError(f"formula: got {ast.unparse(node)}, expected what JavaScript can compute")
