"""The mistakes of `unit_sphere`, item by item. Those of the last item stand with its judge, in bridge.py."""
import numpy as np

from workbook.checks.item import named
from nwlab.exercises.common import softmax
from nwlab.exercises.unit_sphere.problems import gap, true_gaussian, true_weights, unit


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
    ("the products themselves", lambda p, s: p),
    of=of_products) + named(
    ("the mean over the features, not their sum", lambda queries, keys: ((queries[:, None] - keys) ** 2).mean(axis=2)),
    ("the sum is squared, not the differences", lambda queries, keys: (queries[:, None] - keys).sum(axis=2) ** 2),
    ("the differences are not squared", lambda queries, keys: np.abs(queries[:, None] - keys).sum(axis=2)),
    ("the sum runs over the keys, not over the features",
     lambda queries, keys: ((queries[:, None] - keys) ** 2).sum(axis=1)))

SPLIT = named(
    ("the ½ has not reached the number", lambda p, s: (p / s**2, -2 / s**2)),
    ("the ½ has not reached the product", lambda p, s: (2 * p / s**2, -1 / s**2)),
    ("σ where σ² belongs", lambda p, s: (p / s, -1 / s)),
    ("σ² is missing", lambda p, s: (p, -1.0)),
    ("the sign of the number is wrong", lambda p, s: (p / s**2, 1 / s**2)),
    ("the number is 0", lambda p, s: (p / s**2, 0.0)),
    ("the number is 0", lambda p, s: ((p - 1) / s**2, 0.0)),
    ("a ½ too many in the number", lambda p, s: (p / s**2, -0.5 / s**2)),
    ("a ½ too many in the product", lambda p, s: (p / s**2 / 2, -1 / s**2)),
    ("a ½ too many in both", lambda p, s: (p / s**2 / 2, -0.5 / s**2)),
    ("the ½ has reached neither of them", lambda p, s: (2 * p / s**2, -2 / s**2)),
    ("the sign of the product is wrong", lambda p, s: (-p / s**2, -1 / s**2)),
    ("the sign of both is wrong", lambda p, s: (-p / s**2, 1 / s**2)),
    *((f"σ² multiplies {where}, it does not divide", lambda p, s, a=a, b=b: (p * s**a, -s**b))
      for where, a, b in (("the number", -2, 2), ("the product", 2, -2), ("both", 2, 2))),
    *((f"σ where σ² belongs, in {where}", lambda p, s, a=a, b=b: (p * s**a, -s**b))
      for where, a, b in (("the number", -2, -1), ("the product", -1, -2))),
    *((f"σ² is missing in {where}", lambda p, s, a=a, b=b: (p * s**a, -s**b))
      for where, a, b in (("the number", -2, 0), ("the product", 0, -2))),
    *((f"σ² multiplies {where}, it does not divide",
       lambda p, s, product=product, number=number: (p * product(s), number(s)))
      for where, product, number in (("the number", lambda s: s**-2, lambda s: -(s**2) / 2),
                                     ("the product", lambda s: s**2 / 2, lambda s: -(s**-2)),
                                     ("both", lambda s: s**2 / 2, lambda s: -(s**2) / 2))),
    ("each of the two is e to the power of it", lambda p, s: (np.exp(p / s**2), np.exp(-1 / s**2))),
    ("the table is the whole exponent", lambda p, s: ((p - 1) / s**2, -1 / s**2)),
    ("the number is a table", lambda p, s: (p / s**2, np.full(p.shape, -1 / s**2))),
    ("table and number are swapped", lambda p, s: (-1 / s**2, p / s**2)),
    of=of_products)

WEIGHTS = named(
    ("the softmax runs over the queries", lambda p, s: softmax(p / s**2, axis=0)),
    ("the whole table sums to one, not each row", lambda p, s: softmax(p / s**2, axis=None)),
    ("the whole table sums to one, not each row", lambda p, s: softmax(p / s**2, total=np.sum)),
    ("no shift, or one that does not help: large scores give NaN", lambda p, s: softmax(p / s**2, shift=np.zeros_like)),
    *(("one shift for the whole table: a row far below the others gives NaN",
       lambda p, s, one=one: softmax(p / s**2, shift=lambda scores: one(scores, s)))
      for one in (lambda scores, s: scores.max(), lambda scores, s: 1 / s**2)),        # the largest on the unit sphere
    ("the shift is the largest size, not the largest score",
     lambda p, s: softmax(p / s**2, shift=lambda scores: abs(scores).max(axis=1, keepdims=True))),
    *(("the scores are clipped, or the NaN replaced: large scores are not taken care of", weights)
      for weights in (lambda p, s: softmax(np.clip(p / s**2, -700, 700)),
                      lambda p, s: np.nan_to_num(softmax(p / s**2, shift=np.zeros_like)))),
    ("the scores are multiplied by σ²", lambda p, s: softmax(p / 2 * s**2)),
    ("no exponential: the scores are divided by their sum",
     lambda p, s: p / s**2 / (p / s**2).sum(axis=1, keepdims=True)),
    ("σ where σ² belongs", lambda p, s: softmax(p / s)),
    ("σ² is missing", lambda p, s: softmax(p)),
    ("the scores are multiplied by σ²", lambda p, s: softmax(p * s**2)),
    ("the ½ is still there", lambda p, s: softmax(p / (2 * s**2))),
    ("a minus too many: far keys get the most", lambda p, s: softmax(-p / s**2)),
    ("nothing is divided: the rows do not sum to one", lambda p, s: softmax(p / s**2, total=np.ones_like)),
    ("the scores, not the weights", lambda p, s: p / s**2),
    ("only one of the two sums is shifted", lambda p, s: softmax(p / s**2, total=lambda powers: np.exp(
        p / s**2).sum(axis=1, keepdims=True))),
    of=of_products) + named(
    ("these are the Gaussian's weights", true_gaussian),
    ("√d where σ² belongs", lambda queries, keys, sigma: softmax(queries @ keys.T / np.sqrt(queries.shape[1]))),
    ("you normalised the points first", lambda queries, keys, sigma: softmax(unit(queries) @ unit(keys).T / sigma**2)))

SIGMA = named(
    ("this is σ², not σ", lambda d, length: d**0.5 / length**2),
    ("√d for σ: at length 1 it is σ² that equals √d", lambda d, length: d**0.5 / length),
    ("the length is missing a square: σ² got the length, not its square", lambda d, length: d**0.25 / length**0.5),
    ("it is upside down: this is 1/σ", lambda d, length: length / d**0.25),
    ("it is upside down: this is 1/σ²", lambda d, length: length**2 / d**0.5),
    ("d where √d belongs", lambda d, length: d / length),
    ("d where √d belongs", lambda d, length: d / length**2),
    ("√d for σ: at length 1 it is σ² that equals √d", lambda d, length: d**0.5),
    *(("`x**1/2` is half of x: Python raises to a power before it divides", half) for half in (
        lambda d, length: d / 4 / length, lambda d, length: d / 2 / length, lambda d, length: d**0.5 / length**2 / 2,
        lambda d, length: (d / 2 / length**2) ** 0.5, lambda d, length: d / 2 / length**2 / 2)),
    ("`d**0.5**0.5` is not the root of the root: Python begins on the right", lambda d, length: d**0.5**0.5 / length),
    ("the length multiplies, it does not divide", lambda d, length: (d**0.5 * length) ** 0.5),
    ("the length multiplies, it does not divide", lambda d, length: d**0.25 * length),
    ("√d is missing: the length alone", lambda d, length: 1 / length))

DIFFERENCE = named(
    ("it is always 0", lambda gap: 0.0),
    ("the mean, not the largest", lambda gap: np.abs(gap).mean()),
    ("the largest of each row, one number for each query", lambda gap: np.abs(gap).max(axis=1)),
    ("the largest of each column, one number for each key", lambda gap: np.abs(gap).max(axis=0)),
    ("the absolute value is missing: Gaussian − products", lambda gap: gap.max()),
    ("the absolute value is missing: products − Gaussian", lambda gap: (-gap).max()),
    ("the square of the difference", lambda gap: (gap**2).max()),
    ("the sum, not the largest", lambda gap: np.abs(gap).sum()),
    ("the smallest, not the largest", lambda gap: np.abs(gap).min()),
    ("the norm of all differences, not the largest", np.linalg.norm),
    ("the largest sum of a row", lambda gap: np.abs(gap).sum(axis=1).max()),
    ("the place of the largest difference", lambda gap: np.abs(gap).argmax()),
    of=of_gap) + named(
    *(("the difference of the largest weights, not the largest difference", lambda sign=sign, **inputs: sign(
        true_gaussian(**inputs).max() - true_weights(**inputs).max())) for sign in (float, abs)),
    ("the scores of the products, not their weights", lambda queries, keys, sigma: np.abs(
        true_gaussian(queries, keys, sigma) - queries @ keys.T / sigma**2).max()),
    ("the points are normalised for the products", lambda queries, keys, sigma: np.abs(gap(
        true_gaussian(queries, keys, sigma), true_weights(unit(queries), unit(keys), sigma))).max()))

TERM = named(
    ("the length where its square belongs", lambda keys, sigma: -np.linalg.norm(keys, axis=1) / (2 * sigma**2)),
    ("the sum is squared, not the features", lambda keys, sigma: -keys.sum(axis=1) ** 2 / (2 * sigma**2)),
    *(("the features are not squared", lambda keys, sigma, of=of: -of(keys).sum(axis=1) / (2 * sigma**2))
      for of in (np.positive, np.abs)),
    ("the mean over the features, not their sum", lambda keys, sigma: -np.mean(keys**2, axis=1) / (2 * sigma**2)),
    ("σ where σ² belongs", lambda keys, sigma: -np.sum(keys**2, axis=1) / (2 * sigma)),
    ("2σ² is missing", lambda keys, sigma: -np.sum(keys**2, axis=1)),
    ("it is multiplied by sigma**2, not divided", lambda keys, sigma: -np.sum(keys**2, axis=1) / 2 * sigma**2),
    *(("the sum runs over the keys, not over the features",
       lambda keys, sigma, power=power: -np.linalg.norm(keys, axis=0) ** power / (2 * sigma**2)) for power in (1, 2)))
