"""The last item of `unit_sphere`: features whose dot products are the Gaussian's scores. There are many right ones.

Judged is what the features are for: the products, up to one number for each row, which a softmax does not see.
"""
from __future__ import annotations

import numpy as np

from nwlab.exercises.unit_sphere import problems
from nwlab.checks.item import Complaint, Problem

FAR = "time stamps"                    # the problems that begin so cannot be solved without centring,
MIXED = f"{FAR} and near features"     # and these not by one number for all features


def make_problems(rng):
    """Ten problems; in the last four the keys lie far from the origin, compared with their distances."""
    yield Problem("two queries, three keys by hand", {
        "queries": np.array([[1.0, 0.0], [0.0, 0.0]]), "keys": np.array([[1.0, 0.0], [2.0, 0.0], [1.0, 2.0]]), "sigma": 0.8},
        why="the first query's distances are 0, 1 and 2, so its first two scores differ by 1/(2σ²) = 0.78")
    yield Problem("one feature", {"queries": rng.uniform(0, 5, (4, 1)), "keys": rng.uniform(1, 6, (7, 1)), "sigma": 0.6})
    yield Problem("five queries, eight keys", problems.pair(rng, 5, 8, 3, problems.anywhere) | {"sigma": 0.7})
    yield Problem("as many queries as keys", problems.pair(rng, 6, 6, 2, problems.anywhere) | {"sigma": 2.5})
    yield Problem("on the sphere", problems.pair(rng, 4, 6, 5) | {"sigma": 0.4})
    yield Problem("a narrow kernel", problems.pair(rng, 4, 9, 2, problems.anywhere) | {"sigma": 0.02},
                  why="the scores run to some thousands")
    year = {"queries": rng.uniform(2000, 2004, (5, 1)), "keys": rng.uniform(2000, 2004, (9, 1))}
    yield Problem(f"{FAR} in years, float32", {name: x.astype(np.float32) for name, x in year.items()} | {"sigma": 0.3},
                  why="the keys lie near 2000 and their squares near 4 000 000. A float32 keeps seven digits, and the "
                      "differences drown in the last of them")
    second = {name: 1.7e9 + rng.uniform(0, 6, (many, 2)) for name, many in (("queries", 4), ("keys", 7))}
    yield Problem(f"{FAR} in seconds, float64", second | {"sigma": 0.8},
                  why="the keys lie near 1.7·10⁹ and their squares near 3·10¹⁸. A float64 keeps sixteen digits, and the "
                      "differences drown")
    beside = {name: np.column_stack([rng.uniform(0, 1, many), rng.uniform(2000, 2002, many), rng.uniform(-1, 1, many)])
              for name, many in (("queries", 4), ("keys", 7))}
    yield Problem(f"{MIXED}, float32", {name: x.astype(np.float32) for name, x in beside.items()} | {"sigma": 0.3},
                  why="one feature is a year, the other two lie near 0. What brings the year near 0 sends the others far away")
    beside = {name: np.column_stack([1.7e9 + rng.uniform(0, 2, many), rng.uniform(0, 1, many)])
              for name, many in (("queries", 5), ("keys", 8))}
    yield Problem(f"{MIXED}, float64", beside | {"sigma": 0.6},
                  why="one feature is a time in seconds, the other lies near 0. What brings the one near 0 sends the other far away")


def judge(given: list[Problem], answers: list) -> Complaint | None:
    """What is wrong with the features, if anything is: first their shapes, then their products."""
    for number, (problem, answer) in enumerate(zip(given, answers)):
        complaint = _shapes(number, problem, answer)
        if complaint:
            return complaint
    gaps = [_gap(problem, answer) for problem, answer in zip(given, answers)]
    bad = [number for number, gap in enumerate(gaps) if not gap <= 1]
    if not bad:
        return None
    near = [number for number in range(len(given)) if not given[number].name.startswith(FAR)]
    if all(given[number].name.startswith(MIXED) for number in bad):
        return Complaint("right, but the digits are lost where one feature is far and the others are near: one mean for all "
                         "features", "the year and the other features need each a number of their own, (d,) in all. Along which "
                         "axis does your mean run?", bad[0], _both(given[bad[0]], answers[bad[0]]))
    if not set(bad) & set(near):
        return Complaint("right, but the digits are lost far from the origin: the keys are not centred", "distances do not "
                         "change when all points move together, and squares of large numbers do. Subtract the same point, in "
                         "the middle of the keys, from the keys and from the queries, before anything is squared", bad[0],
                         _both(given[bad[0]], answers[bad[0]]))
    if _swapped_sides([(given[number], answers[number]) for number in near]):
        return Complaint("swapped sides: the ones stand with the keys, the term with the queries", "so it is the queries' own term, the "
                         "same number for a whole row, and a softmax does not see it. Which of the two has a term that differs "
                         "from key to key?", bad[0], _both(given[bad[0]], answers[bad[0]]))
    for name, says, wrong in MISTAKES:
        if all(any(_same(_products(answers[number]), wrong(q, k, given[number].inputs["sigma"]))
                   for q, k in _origins(given[number])) for number in near):
            return Complaint(name, says, bad[0], _both(given[bad[0]], answers[bad[0]]))
    shown = min(set(bad) & set(near))
    return Complaint("the products of the features are not yet the Gaussian's scores", "print `features_q @ features_k.T` for "
                     "two keys by hand, and beside it the three terms of the exponent: which one is there, and which is not?",
                     shown, _both(given[shown], answers[shown]))


def _shapes(number, problem, answer):
    queries, keys = problem.inputs["queries"], problem.inputs["keys"]
    right = (len(queries), queries.shape[1] + 1), (len(keys), keys.shape[1] + 1)
    wanted = f"two arrays, of shapes {right[0]} and {right[1]}: the queries' features, then the keys'"
    if not isinstance(answer, tuple) or len(answer) != 2 or not all(isinstance(part, np.ndarray) for part in answer):
        return Complaint("two arrays are asked for", "end with `return new_queries, new_keys`", number, wanted)
    came = tuple(part.shape for part in answer)
    if came == right:
        bad = [name for name, part in zip(("queries", "keys"), answer) if not np.all(np.isfinite(part))]
        return Complaint(f"NaN or infinity among the features of the {bad[0]}", "which division or square goes too far?",
                         number, wanted) if bad else None
    if came == right[::-1] and came[0] != came[1]:
        return Complaint("queries and keys are swapped", "the queries' features come first", number, wanted)
    if all(len(shape) == 2 for shape in came) and came[0][1] == came[1][1] == queries.shape[1]:
        return Complaint("no feature was added", "the missing term needs a place of its own: one column more, in both",
                         number, wanted)
    if all(len(shape) == 2 for shape in came) and came[0][1] == came[1][1] == queries.shape[1] + 2:
        return Complaint("two features were added: one is enough", "which of the three terms of the exponent is the same for a "
                         "whole row, so that it cancels?", number, wanted)
    return Complaint(f"the shapes are {came[0]} and {came[1]}", "one column more than before, rows as before, for both. Put a "
                     "column of shape (n, 1) beside (n, d)", number, wanted)


def _products(answer):
    return answer[0].astype(float) @ answer[1].astype(float).T


def _scores(problem):
    """The Gaussian's, measured, (m, n)."""
    sigma = problem.inputs["sigma"]
    q, k = (problem.inputs[name].astype(float) for name in ("queries", "keys"))
    return -0.5 * problems.true_squares(q, k) / sigma**2


def _gap(problem, answer):
    """How far the products are from the scores, up to a number for each row, in units of what rounding may do."""
    right = _scores(problem)
    allowed = (1e-4 if problem.inputs["keys"].dtype == np.float32 or answer[1].dtype == np.float32 else 1e-7)
    return np.max(np.abs(_rows(_products(answer)) - _rows(right))) / (allowed * (1 + np.abs(right).max()))


def _rows(scores):
    """Without the number that is common to a row."""
    return scores - scores[:, :1]


def _same(came, wrong):
    return np.allclose(_rows(came), _rows(wrong), rtol=1e-4, atol=1e-4 * (1 + np.abs(_rows(wrong)).max()))


def _swapped_sides(cases):
    """Whether the products are plain, and one column is the same for all keys and not (but on the sphere) for all queries."""
    varies = False
    for problem, (new_queries, new_keys) in cases:
        if not any(_same(_products((new_queries, new_keys)), q @ k.T / problem.inputs["sigma"] ** 2) for q, k in _origins(problem)):
            return False
        constant = (np.ptp(new_keys, axis=0) < 1e-9) & np.any(new_keys != 0, axis=0)
        if not np.any(constant):
            return False
        varies |= bool(np.any(np.ptp(new_queries[:, constant], axis=0) > 1e-6))
    return varies


def _both(problem, answer):
    def words(scores):
        return np.array2string(problems.shares(scores), precision=3, suppress_small=True, threshold=48, edgeitems=2,
                               max_line_width=88)

    products = _products(answer)
    yours = words(products) if np.all(np.isfinite(products)) else "NaN"
    return f"features whose products, after a softmax, are the Gaussian's weights\n{words(_scores(problem))}\nand yours give\n{yours}"


def _origins(problem):
    """Queries and keys as they are, and moved by the keys' mean, or by one mean for all features: a mistake may come after each."""
    q, k = (problem.inputs[name].astype(float) for name in ("queries", "keys"))
    for origin in (0.0, k.mean(axis=0), k.mean()):
        yield q - origin, k - origin


def _length(points):
    return np.sum(points**2, axis=1)


def _apart(q, k, s):
    q, k = q - q.mean(axis=0), k - k.mean(axis=0)
    return q @ k.T / s**2 - _length(k) / (2 * s**2)


def _keys_only(q, k, s):
    k = k - k.mean(axis=0)
    return q @ k.T / s**2 - _length(k) / (2 * s**2)


MISTAKES = (
    ("the keys' term is still missing: the products are the plain ones", "the new feature adds the same number to a whole row, and "
     "a softmax does not see that. It has to differ from key to key", lambda q, k, s: q @ k.T / s**2),
    ("the keys' term has the wrong sign", "now long keys are favoured twice. Which sign has ‖k‖² in the exponent?",
     lambda q, k, s: q @ k.T / s**2 + _length(k) / (2 * s**2)),
    ("the ½ of the keys' term is missing", "multiply out −½‖q − k‖²/σ²: the 2 of the middle term eats the ½, the square of the "
     "key keeps it", lambda q, k, s: q @ k.T / s**2 - _length(k) / s**2),
    ("the ½ is missing in both terms: every score is twice as large", "what stands before ‖q − k‖² in the exponent?",
     lambda q, k, s: 2 * q @ k.T / s**2 - _length(k) / s**2),
    ("σ where σ² belongs, in both terms", "the exponent divides by the square of the width",
     lambda q, k, s: q @ k.T / s - _length(k) / (2 * s)),
    ("σ where σ² belongs, in the product", "both terms are divided by the square of the width",
     lambda q, k, s: q @ k.T / s - _length(k) / (2 * s**2)),
    ("σ where σ² belongs, in the keys' term", "both terms are divided by the square of the width",
     lambda q, k, s: q @ k.T / s**2 - _length(k) / (2 * s)),
    ("the division by σ² is missing in the product", "the keys' term is divided. The product, too?",
     lambda q, k, s: q @ k.T - _length(k) / (2 * s**2)),
    ("the division by σ² is missing in the keys' term", "the product is divided. The keys' term, too?",
     lambda q, k, s: q @ k.T / s**2 - _length(k) / 2),
    ("σ is nowhere", "the width has to stand in the features: nobody divides afterwards", lambda q, k, s: q @ k.T - _length(k) / 2),
    ("the product is divided by σ² twice", "queries and keys meet in one product: divide one of the two by σ², or each by σ",
     lambda q, k, s: q @ k.T / s**4 - _length(k) / (2 * s**2)),
    ("the product and the keys' term are divided by σ² twice", "whatever multiplies the new column counts too",
     lambda q, k, s: q @ k.T / s**4 - _length(k) / (2 * s**4)),
    ("the product is divided by σ once too often", "queries and keys meet in one product: count the σ of both sides",
     lambda q, k, s: q @ k.T / s**3 - _length(k) / (2 * s**2)),
    ("the keys' term is divided by σ once too often", "whatever multiplies the new column counts too",
     lambda q, k, s: q @ k.T / s**2 - _length(k) / (2 * s**3)),
    ("the product and the keys' term are divided by σ once too often", "count the σ of both sides, in the new column too",
     lambda q, k, s: q @ k.T / s**3 - _length(k) / (2 * s**3)),
    ("the keys' term is divided by σ² twice", "was it made of keys that had been divided before? σ² stands in it already",
     lambda q, k, s: q @ k.T / s**2 - _length(k) / (2 * s**4)),
    ("the keys' term is made of keys that were divided by σ² before", "make the term first, and of the keys as they were: σ² stands in "
     "it already", lambda q, k, s: q @ k.T / s**2 - _length(k) / (2 * s**6)),
    ("the length where its square belongs", "‖k‖² is the sum of the squares, without a root",
     lambda q, k, s: q @ k.T / s**2 - np.sqrt(_length(k)) / (2 * s**2)),
    ("the vectors were normalised", "then every key has length 1, and another distance is measured. The keys stay what they "
     "are; what is missing is added", lambda q, k, s: _unit(q) @ _unit(k).T / s**2),
    ("the product is multiplied by √d", "that is for an attention which divides by √d. Ours takes the products as they are",
     lambda q, k, s: np.sqrt(q.shape[1]) * (q @ k.T / s**2 - _length(k) / (2 * s**2))),
    ("the product is divided by √d", "σ² stands where √d stood: nothing is left to divide by",
     lambda q, k, s: (q @ k.T / s**2 - _length(k) / (2 * s**2)) / np.sqrt(q.shape[1])),
    ("queries and keys were shifted by different points", "a distance stays only if both move together: subtract the same point "
     "from the queries and from the keys", _apart),
    ("only the keys were centred", "then every key has moved away from the queries. Subtract the same point from the queries",
     _keys_only),
    ("the term stands with the raw keys, the product with the centred ones", "centre first, and use the centred keys for both",
     lambda q, k, s: (q - k.mean(axis=0)) @ (k - k.mean(axis=0)).T / s**2 - _length(k) / (2 * s**2)),
)
"""What the products of the features would be, from queries and keys as they are or centred at the keys' mean."""


def _unit(points):
    lengths = np.sqrt(_length(points))[:, None]
    return points / np.where(lengths > 0, lengths, 1)
