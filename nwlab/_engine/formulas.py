"""What follows from the formula of a kernel, a text such as "exp(-u**2/2)": values, coefficients, integrals."""
import ast
import math
from functools import cache, lru_cache

import numpy as np

from nwlab._engine.extremes import quiet


def value(formula: str, u, xp):
    """The formula at u, an array of the library xp, in the shape of u."""
    code, functions = _compiled(formula)
    found = eval(code, {"u": u, "pi": math.pi} | {name: getattr(xp, name) for name in functions})
    return found if hasattr(found, "shape") else xp.full_like(u, found)             # a formula without u


def log_value(formula: str, u, xp):
    """Its logarithm, minus infinity where the formula is not above zero."""
    if (log_formula := exponent(formula)) is not None:
        return value(log_formula, u, xp)
    k = value(formula, u, xp)
    # The outer `where` picks the value, the inner one keeps log(0) out of the gradient.
    return xp.where(k > 0, xp.log(xp.where(k > 0, k, 1.0)), -math.inf)


@cache
def _compiled(formula: str):
    code = compile(formula, "<formula of a kernel>", "eval")
    return code, [name for name in code.co_names if name not in ("u", "pi")]


@quiet
def check(formula: str, support: float) -> None:
    """ValueError for a support that is not above zero, and for a formula that is no kernel of this package."""
    if not support > 0:
        raise ValueError(f"support: got {support!r}, expected a number above zero, or math.inf")
    u = np.append(np.linspace(0.0, min(support, 8.0), 33), np.minimum(np.geomspace(8.0, 1e9, 33), support))
    try:
        k = value(formula, u, np)
    except Exception as error:
        raise ValueError(f"formula: got {formula!r}, expected K(u) in Python, with ** for powers, as in 'exp(-u**2/2)' "
                         f"({error})") from None
    if not (k[0] == 1 and np.all(k >= 0)):
        raise ValueError(f"formula: got {formula!r}, which is {k[0]:g} at u = 0 and {np.min(k):g} where it is least, "
                         "expected 1 at u = 0 (a constant factor cancels) and nothing below 0 up to the support")


@cache
def exponent(formula: str) -> str | None:
    """The formula within exp(...), or None for a formula of another kind."""
    match ast.parse(formula, mode="eval").body:
        case ast.Call(ast.Name("exp"), [argument]):
            return ast.unparse(argument)


@cache
def polynomial(formula: str) -> tuple | None:
    """The coefficients of a polynomial in u, the constant first, or None for a formula of another kind."""
    code, functions = _compiled(formula)
    if functions:
        return None
    try:
        found = eval(code, {"u": np.polynomial.Polynomial([0.0, 1.0]), "pi": math.pi})
    except (TypeError, ValueError):                         # it divides by u, or takes a root
        return None
    return tuple(found.coef.tolist()) if hasattr(found, "coef") else (found,)


@lru_cache(maxsize=256)
def log_moment(kernel, p: int) -> float:
    """log of int u^p K(u) du over u > 0; infinite where the integral is.

    Gauss-Legendre where K ends, exact to rounding for polynomials. Otherwise the trapezoidal rule in t = log u, which
    is as exact for a smooth K; the integral counts as infinite if its integrand is not gone at u = 1e30.
    """
    if kernel.ends:
        nodes, weights = np.polynomial.legendre.leggauss(200)
        u, step = kernel.support * (nodes + 1) / 2, kernel.support * weights / 2
    else:
        steps = 32 * math.ceil(math.sqrt(1 + p / 100))      # the integrand narrows like 1 / sqrt(p)
        u = np.exp(np.arange(-60.0, 70.0, 1 / steps))
        step = u / steps
    log_integrand = p * np.log(u) + kernel.log_profile(u, np)
    top = np.max(log_integrand)                             # u^p alone would overflow in many dimensions
    parts = step * np.exp(log_integrand - top)
    if not kernel.ends and not parts[-1] < 1e-9 * np.max(parts):
        return math.inf
    return float(top + np.log(np.sum(parts)))
