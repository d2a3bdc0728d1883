"""The mistakes of `unit_sphere`, item by item. Those of the last item stand with its judge, in bridge.py."""
import numpy as np

from nwlab.checks.item import named
from nwlab.exercises.unit_sphere.problems import gap, true_gaussian, true_weights


def softmax(scores, shift=None):
    """Over each row (m, n); shift: what is subtracted before exp in place of the row's largest score."""
    e = np.exp(scores - (scores.max(axis=1, keepdims=True) if shift is None else shift))
    return e / e.sum(axis=1, keepdims=True)


def unit(points):
    lengths = np.linalg.norm(points, axis=1, keepdims=True)
    return points / np.where(lengths > 0, lengths, 1)


def of_products(formula):
    """formula: of all dot products p (m, n) and the width s."""
    return lambda queries, keys, sigma=1.0: formula(queries @ keys.T, sigma)


def of_gap(formula):
    """formula: of the Gaussian's weights less those of the products, (m, n)."""
    return lambda **inputs: formula(gap(true_gaussian(**inputs), true_weights(**inputs)))


SQUARES = named(
    ("the 2 before the product is missing",
     "multiply out (q − k)·(q − k) with all four products: how often does q·k occur?", lambda p, s: 2 - p),
    ("the sign of the product is wrong", "two equal points have q·k = 1. What does your formula say of their distance?",
     lambda p, s: 2 + 2 * p),
    ("the distance, not its square", "nothing has to be rooted: the exponent holds the square",
     lambda p, s: np.sqrt(np.maximum(0, 2 - 2 * p))),
    ("the products themselves", "q·k says how near two points are. How does a squared distance come of it?",
     lambda p, s: p),
    of=of_products)

SPLIT = named(
    ("the ½ has not reached the number", "−½ · 2 is not −2", lambda p, s: (p / s**2, -2 / s**2)),
    ("the ½ has not reached the product", "−½ · (−2 q·k) is not 2 q·k", lambda p, s: (2 * p / s**2, -1 / s**2)),
    ("σ where σ² belongs", "the exponent divides by the square of the width", lambda p, s: (p / s, -1 / s)),
    ("σ² is missing", "the exponent is divided by σ², so each of its terms is", lambda p, s: (p, -1.0)),
    ("the sign of the number is wrong", "for two equal points, q·k = 1, the exponent is 0: what do your two parts add "
     "up to?", lambda p, s: (p / s**2, 1 / s**2)),
    ("the number is 0", "it cancels in the softmax, and it still is a part of the exponent. For two equal points, q·k "
     "= 1, the exponent is 0: what has to be added?", lambda p, s: (p / s**2, 0.0)),
    ("the table is the whole exponent", "the number is in it already. Take it out: what remains is a multiple of q·k",
     lambda p, s: ((p - 1) / s**2, -1 / s**2)),
    ("the number is a table", "it is the same for all pairs, so one number will do",
     lambda p, s: (p / s**2, np.full(p.shape, -1 / s**2))),
    ("table and number are swapped", "the table comes first", lambda p, s: (-1 / s**2, p / s**2)),
    of=of_products)

WEIGHTS = named(
    ("the softmax runs over the queries", "each query shares out its attention among the keys: each row sums to one. "
     "Which axis are the keys?", lambda p, s: softmax(p.T / s**2).T),
    ("exp without a shift: large scores give NaN", "exp(1100) is infinite, and infinity by infinity is NaN. What may "
     "be subtracted from a whole row of scores without changing its softmax?", lambda p, s: softmax(p / s**2, 0)),
    ("one shift for the whole table: a row far below the others gives NaN", "each exp of that row is 0, and 0/0 is "
     "NaN. A maximum of all scores, or 1/σ², is not low enough: a row's own largest score is what has to become 0",
     lambda p, s: softmax(p / s**2, p.max() / s**2)),
    ("σ where σ² belongs", "the exponent divides by the square of the width", lambda p, s: softmax(p / s)),
    ("σ² is missing", "without it the width has no effect", lambda p, s: softmax(p)),
    ("the scores are multiplied by σ²", "a wider kernel is softer: what happens to the scores as σ grows?",
     lambda p, s: softmax(p * s**2)),
    ("the ½ is still there", "−½ · (−2 q·k): the 2 has eaten it", lambda p, s: softmax(p / (2 * s**2))),
    ("a minus too many: far keys get the most", "a large product means near", lambda p, s: softmax(-p / s**2)),
    ("nothing is divided: the rows do not sum to one", "a softmax divides each exp by the sum of its row",
     lambda p, s: np.exp((p - p.max(axis=1, keepdims=True)) / s**2)),
    ("the scores, not the weights", "exp is missing, and the division by the row's sum", lambda p, s: p / s**2),
    of=of_products) + named(
    ("these are the Gaussian's weights", "on the sphere they are the same. Here the products are asked for, also where "
     "they are another similarity", true_gaussian),
    ("you normalised the points first", "take them as they are. What their lengths do is the question of the next "
     "section", lambda queries, keys, sigma: softmax(unit(queries) @ unit(keys).T / sigma**2)))

SIGMA = named(
    ("this is σ², not σ", "the temperature is σ². One root is left to be taken", lambda d, length: d**0.5 / length**2),
    ("√d for σ: at length 1 it is σ² that equals √d", "at length 1 compare q·k/σ² with q·k/√d, and solve for σ. Then "
     "see what the length does", lambda d, length: d**0.5 / length),
    ("the length is missing a square: σ² got the length, not its square",
     "q and k are both that long: how does q·k grow?", lambda d, length: d**0.25 / length**0.5),
    ("it is upside down: this is 1/σ", "a wide kernel has a large σ, and a high temperature",
     lambda d, length: length / d**0.25),
    ("d where √d belongs", "attention divides by √d", lambda d, length: d / length))

DIFFERENCE = named(
    ("it is always 0: the Gaussian was computed by the sphere's formula, or the points were normalised",
     "2 − 2 q·k is the squared distance only if both lengths are 1. Take the points as they are: `gaussian_weights` "
     "above does", lambda gap: 0.0),
    ("the mean, not the largest", "one number for the worst pair", lambda gap: np.abs(gap).mean()),
    ("the largest of each row, one number for each query", "one number is asked for, the largest over the whole table: "
     "along which axis does your maximum run?", lambda gap: np.abs(gap).max(axis=1)),
    ("the absolute value is missing: Gaussian − products", "a weight may be too large or too small: both count",
     lambda gap: gap.max()),
    ("the absolute value is missing: products − Gaussian", "a weight may be too large or too small: both count",
     lambda gap: (-gap).max()),
    ("the square of the difference", "the difference itself is asked for, without its sign",
     lambda gap: (gap**2).max()),
    of=of_gap) + named(
    ("the points are normalised for the products", "take the keys as they are: their lengths are what this is about",
     lambda queries, keys, sigma: np.abs(
         gap(true_gaussian(queries, keys, sigma), true_weights(unit(queries), unit(keys), sigma))).max()))

TERM = named(
    ("the length where its square belongs", "‖k‖² is k·k: the sum of the squares, without a root",
     lambda keys, sigma: -np.linalg.norm(keys, axis=1) / (2 * sigma**2)),
    ("the sum is squared, not the features", "square first, then add",
     lambda keys, sigma: -keys.sum(axis=1) ** 2 / (2 * sigma**2)))
