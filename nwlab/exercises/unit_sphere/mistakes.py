"""The mistakes of `unit_sphere`, item by item. Those of the last item stand with its judge, in bridge.py."""
import numpy as np

from workbook.checks.item import named
from nwlab.exercises.common import softmax
from nwlab.exercises.unit_sphere.problems import gap, true_gaussian, true_weights


def of_products(formula):
    """formula: of all dot products p (m, n) and the width s."""
    return lambda queries, keys, sigma=1.0: formula(queries @ keys.T, sigma)


def of_gap(formula):
    """formula: of the Gaussian's weights less those of the products, (m, n)."""
    return lambda **inputs: formula(gap(true_gaussian(**inputs), true_weights(**inputs)))


SQUARES = named(
    ("the 2 before the product is missing", lambda p, s: 2 - p),
    ("the sign of the product is wrong", lambda p, s: 2 + 2 * p),
    ("the distance, not its square", lambda p, s: np.sqrt(np.maximum(0, 2 - 2 * p))),
    of=of_products)

SPLIT = named(
    ("the ½ has not reached the number", lambda p, s: (p / s**2, -2 / s**2)),
    ("the ½ has not reached the product", lambda p, s: (2 * p / s**2, -1 / s**2)),
    ("σ where σ² belongs", lambda p, s: (p / s, -1 / s)),
    ("the sign of the product is wrong", lambda p, s: (-p / s**2, -1 / s**2)),
    ("the sign of the number is wrong", lambda p, s: (p / s**2, 1 / s**2)),
    of=of_products)

WEIGHTS = named(
    ("the softmax runs over the queries", lambda p, s: softmax(p / s**2, axis=0)),
    ("no shift: large scores give NaN", lambda p, s: softmax(p / s**2, shift=np.zeros_like)),
    ("σ where σ² belongs", lambda p, s: softmax(p / s)),
    of=of_products)

SIGMA = named(
    ("this is σ², not σ", lambda d, length: d**0.5 / length**2),
    ("√d for σ: at length 1 it is σ² that equals √d", lambda d, length: d**0.5 / length),
    ("√d for σ: at length 1 it is σ² that equals √d", lambda d, length: d**0.5),
    ("d where √d belongs", lambda d, length: d / length),
    ("d where √d belongs", lambda d, length: d / length**2))

DIFFERENCE = named(
    ("the mean, not the largest", lambda gap: np.abs(gap).mean()),
    ("the largest of each row or column, not of the table", lambda gap: np.abs(gap).max(axis=1)),
    ("the largest of each row or column, not of the table", lambda gap: np.abs(gap).max(axis=0)),
    ("the absolute value is missing", lambda gap: gap.max()),
    ("the absolute value is missing", lambda gap: (-gap).max()),
    of=of_gap)

TERM = named(
    ("the length where its square belongs", lambda keys, sigma: -np.linalg.norm(keys, axis=1) / (2 * sigma**2)),
    ("σ where σ² belongs", lambda keys, sigma: -np.sum(keys**2, axis=1) / (2 * sigma)))
