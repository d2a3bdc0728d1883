"""The items of `unit_sphere`, their inputs, the traps of its subject, and its oracles.

Queries are (m, d), keys (n, d), and sigma is the Gaussian kernel's width. The oracles measure distances, and know of
products only where these are asked for.
"""
import numpy as np

from workbook.checks.inputs import WHOLE, Inputs, Kind, count, numbers, positive
from workbook.checks.item import LARGE, Exercise, Item, posed
from workbook.exercises.common import softmax
from workbook.language import say

PAIRED = ("queries", "keys", "sigma")


def unit(points):
    """The points (n, d) shrunk or stretched to length 1; one at the origin stays there."""
    lengths = np.linalg.norm(points, axis=1, keepdims=True)
    return points / np.where(lengths > 0, lengths, 1)


def on_sphere(rng, n, d):
    """n points (n, d) of length 1."""
    return unit(rng.normal(size=(n, d)))


def anywhere(rng, n, d):
    """n points (n, d), their lengths spread evenly and shuffled, so that no two are close to equal."""
    points = on_sphere(rng, n, d) * rng.permutation(np.linspace(0.4, 1.8, n))[:, None]
    if n >= LARGE:
        points[-5:] *= 1.5                             # the largest stand at the end
    return points


def pair(rng, m, n, d, points=on_sphere):
    """m queries and n keys with d features."""
    return points(rng, m, d), points(rng, n, d)


NARROW = (say("very small"), lambda x: 1e-3 * x, say("{name} may be very small"))
WIDE = (say("large"), lambda x: 60 * x, say("{name} may be large"))
ALIKE, ALL_ZERO = numbers("n").specials


def inputs(points, of_points=(), of_sigma=(NARROW, WIDE), **more):
    """What the arguments are, for points drawn in this way, and what else points and sigma may be."""
    queries, keys = (Kind(lambda rng, shape: points(rng, *shape), (letter, "d"), of_points, points is anywhere)
                     for letter in "mn")
    return Inputs({"queries": queries, "keys": keys, "sigma": Kind(positive(high=0.9).draw, (), of_sigma)}, **more)


SPHERE = inputs(on_sphere)
PRODUCTS = inputs(anywhere, (ALIKE, ALL_ZERO))    # 2 − 2 q·k, a right way, has few digits of very short points
ANYWHERE = inputs(anywhere, (ALIKE, ALL_ZERO), (WIDE,), units=("queries keys sigma",))    # 0/0 far away is no mistake
FEW_FEATURES = inputs(anywhere, units=("queries keys sigma",), sizes={"d": (1, 3)})
KEYS = Inputs({"keys": ANYWHERE.of["keys"], "sigma": positive(high=0.9)}, units=("keys sigma",))
LENGTHS = Inputs({"d": count(1, 3000), "length": positive(low=0.2, high=30.0)})


def sphere(rng):
    return posed(
        PAIRED,
        (say("two queries, three keys by hand"), [[1, 0], [0, 1]], [[1, 0], [0, 1], [-0.6, 0.8]], 0.5,
         say("all lengths are 1; the first query's dot products are 1, 0 and −0.6")),
        (say("whole numbers"), np.eye(3, dtype=int), -np.eye(2, 3, dtype=int), 0.7, WHOLE),
        (say("a very wide kernel"), *pair(rng, 4, 5, 3), 3e8,
         say("the exponent is close to 0 for all pairs, and is not 0")))


def products(rng):
    """Scores that overflow in exp, and points of any length."""
    pole = unit(np.array([0.0, 0.0, 1.0]) + 0.05 * rng.normal(size=(6, 3)))
    yield (say("two queries, three keys by hand"), [[1, 0], [0, 1]], [[1, 0], [0, 1], [-0.6, 0.8]], 0.5,
           say("the first query's scores are 4, 0 and −2.4"))
    yield (say("a narrow kernel"), [*pole[:3], -pole[2]], pole[3:], 0.03,
           say("the scores lie near 1100 for three queries, and near −1100 for the fourth, which has no key near. "
               "exp(710) is too large for a float, and exp(−750) is 0"))
    yield (say("a very narrow kernel"), [[1, 0]], [[1 - 1e-11, 0.5], [1, 0], [1 - 1e-10, 0.8]], 1e-9,
           say("the key with the largest product gets all the weight, however small its lead is: σ is used as it is, "
               "without an ε"))
    for size in (1e9, 0.01):
        points = [size * each for each in pair(rng, 5, 7, 3, anywhere)]
        yield (say("points of length {length}", length=f"{size:g}"), *points, 0.6 * size,
               say("in other units: σ has the unit of the points"))


OFF_SPHERE = (                         # where the two kinds of weights agree, and where they are far apart
    (say("two queries, three keys by hand"), [[1, 0], [0, -1]], [[1, 0], [2, 0], [0, 1]], 0.8,
     say("the first key lies at the first query; the second has length 2, and the largest dot product with it")),
    (say("far from the origin"), [[100, 0], [99, 1]], [[100, 0], [100.01, 0.5], [99.9, -1]], 1.0,
     say("the scores of the products lie near 10 000, and exp of these is infinite: does your own dot_product_weights "
         "take care of that?")))
KEYS_ALONE = ((say("three keys by hand"), [[3, 4], [1, 0], [0, 0]], 2.0,
               say("the lengths are 5, 1 and 0, and 2σ² = 8")),)
DIMENSIONS = (
    (say("16 features, length 1"), 16, 1.0, "σ² = √16 = 4"),
    (say("16 features, length 4"), 16, 4.0,
     say("shrunk to the unit sphere, 16 u·u′/4 = u·u′/σ² has to hold, so σ² = 1/4")))
FAR = (say("time stamps in years, float32"), say("time stamps in seconds, float64"),
       say("time stamps and near features, float32"))           # cannot be solved without centring each feature


def bridges(rng):
    """In all but the first two the keys lie far from the origin, compared with their distances."""
    def within(m, n, *ranges):
        """m queries and n keys with a feature in each range, from its low to its high end."""
        return [np.column_stack([rng.uniform(*ends, many) for ends in ranges]) for many in (m, n)]

    now = 1.7e9, 1.7e9 + 6
    years, mixed = ([x.astype(np.float32) for x in points] for points in (
        within(5, 9, (2000, 2004)), within(4, 7, (0, 1), (2000, 2002), (-1, 1))))
    yield (say("two queries, three keys by hand"), [[1, 0], [0, 0]], [[1, 0], [2, 0], [1, 2]], 0.8,
           say("the first query's distances are 0, 1 and 2, so its first two scores differ by 1/(2σ²) = 0.78"))
    yield say("nine features"), *pair(rng, 4, 5, 9, anywhere), 0.8
    yield (FAR[0], *years, 0.3,
           say("the keys lie near 2000 and their squares near 4 000 000. A float32 keeps seven digits, and the "
               "differences drown in the last of them"))
    yield (FAR[1], *within(4, 7, now, now), 0.8,
           say("the keys lie near 1.7·10⁹ and their squares near 3·10¹⁸. A float64 keeps sixteen digits, and the "
               "differences drown"))
    yield FAR[2], *mixed, 0.3, say("one feature is a year, the other two lie near 0")


def judge_features(cases):
    """Features have many right values. Judged is what they are for: products that are the Gaussian's scores."""
    for case in cases:
        answer, (m, d), n = case.plain, case.problem.inputs["queries"].shape, len(case.problem.inputs["keys"])
        yield (not isinstance(answer, tuple) or len(answer) != 2 or not all(isinstance(x, np.ndarray) for x in answer),
               "two arrays are asked for", case)
        shapes = [part.shape for part in answer]
        yield shapes == [(m, d), (n, d)], "no feature was added", case
        yield (shapes != [(m, d + 1), (n, d + 1)], "the shapes are {queries} and {keys}", case,
               dict(zip(PAIRED, shapes)))
        yield not all(np.all(np.isfinite(part)) for part in answer), "NaN or infinity among the features", case
    bad = [case for case in cases if not _gap(case.problem.inputs, *case.plain) <= 1]
    far = all(case.problem.name in FAR for case in bad)
    yield bad, ("right, but the digits are lost far from the origin" if far else
                "the products of the features are not yet the Gaussian's scores"), (bad or cases)[0]


def _gap(inputs, queries, keys):
    """How far the products are from the scores, but for one number in each row, in units of what rounding may do."""
    right = gaussian_scores(**inputs)
    allowed = 1e-4 if np.float32 in (inputs["keys"].dtype, keys.dtype) else 1e-7
    gaps = queries.astype(float) @ keys.astype(float).T - right
    return np.max(np.abs(gaps - gaps[:, :1])) / (allowed * (1 + np.abs(right).max()))


def squared_distances(queries, keys):
    return np.sum((queries[:, None] - keys) ** 2, axis=2)                # (m, n), measured


def dot_product_weights(queries, keys, sigma):
    return softmax(queries @ keys.T / sigma**2)                         # (m, n)


def gaussian_scores(queries, keys, sigma):
    return -squared_distances(queries, keys) / (2 * sigma**2)                # (m, n), from distances


def gap(queries, keys, sigma):
    """The Gaussian's weights less those of the products, (m, n); what is rounding only is 0."""
    difference = softmax(gaussian_scores(queries, keys, sigma)) - dot_product_weights(queries, keys, sigma)
    return difference * (np.abs(difference).max() > 1e-6)


def largest_difference(queries, keys, sigma):
    return np.abs(gap(queries, keys, sigma)).max()


ON_SPHERE = {"by_hand": sphere, "inputs": (SPHERE,), "library": "any"}

EXERCISE = Exercise(__package__, say("On the unit sphere"), (
    Item("squared_distances_on_sphere", oracle=squared_distances, loops=False, **ON_SPHERE, mistakes=(
        ("the 2 before the product is missing", lambda queries, keys: 2 - queries @ keys.T),)),
    Item("split_exponent", points=2, **ON_SPHERE,
         oracle=lambda queries, keys, sigma: (queries @ keys.T / sigma**2, -1 / sigma**2)),     # (m, n) and a number
    Item("dot_product_weights", points=2, by_hand=products, oracle=dot_product_weights,
         inputs=(SPHERE, PRODUCTS), library="any", mistakes=(
        ("the points are divided by their lengths",
         lambda queries, keys, sigma: dot_product_weights(unit(queries), unit(keys), sigma)),)),
    Item("sigma_of", by_hand=DIMENSIONS, inputs=(LENGTHS,), library="any",
         oracle=lambda d, length: d**0.25 / length, mistakes=(
        ("√d for σ: at length 1 it is σ² that equals √d", lambda d, length: d**0.5 / length),
        ("√d for σ: at length 1 it is σ² that equals √d", lambda d, length: d**0.5),
        ("d where √d belongs", lambda d, length: d / length))),
    Item("largest_difference", by_hand=OFF_SPHERE, oracle=largest_difference, inputs=(ANYWHERE,),
         may_use=("attention_weights",), library="any", mistakes=(
        ("the mean, not the largest", lambda **at: np.abs(gap(**at)).mean()),
        ("the absolute value is missing", lambda **at: gap(**at).max()))),
    Item("missing_term", by_hand=KEYS_ALONE, inputs=(KEYS,), library="any",
         oracle=lambda keys, sigma: -np.sum(keys**2, axis=1) / (2 * sigma**2), mistakes=(           # (n,)
        ("the length where its square belongs", lambda keys, sigma: -np.linalg.norm(keys, axis=1) / (2 * sigma**2)),)),
    Item("augmented", arguments=PAIRED, points=3, by_hand=bridges, inputs=(FEW_FEATURES,), library="any",
         own_judge=judge_features)))
