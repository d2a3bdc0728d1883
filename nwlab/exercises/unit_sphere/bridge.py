"""The last item of `unit_sphere`: features whose dot products are the Gaussian's scores. There are many right ones.

Judged is what the features are for: the products, up to one number for each row, which a softmax does not see.
"""
import numpy as np

from workbook.checks.item import Problem, first_wrong
from nwlab.exercises.common import softmax
from nwlab.exercises.unit_sphere.problems import PAIRED, anywhere, pair, paired, true_scores

FAR = "time stamps"                    # the problems that begin so cannot be solved without centring each feature


def make_problems(rng):
    """In all but the first two the keys lie far from the origin, compared with their distances."""
    def within(m, n, *ranges):
        """m queries and n keys with a feature in each range, from its low to its high end."""
        return [np.column_stack([rng.uniform(*ends, many) for ends in ranges]) for many in (m, n)]

    now = 1.7e9, 1.7e9 + 6
    years, mixed = ([x.astype(np.float32) for x in points] for points in (
        within(5, 9, (2000, 2004)), within(4, 7, (0, 1), (2000, 2002), (-1, 1))))
    return paired(
        ("two queries, three keys by hand", [[1, 0], [0, 0]], [[1, 0], [2, 0], [1, 2]], 0.8,
         "the first query's distances are 0, 1 and 2, so its first two scores differ by 1/(2σ²) = 0.78"),
        ("nine features", *pair(rng, 4, 5, 9, anywhere), 0.8),
        (f"{FAR} in years, float32", *years, 0.3, "the keys lie near 2000 and their squares near 4 000 000. A "
         "float32 keeps seven digits, and the differences drown in the last of them"),
        (f"{FAR} in seconds, float64", *within(4, 7, now, now), 0.8, "the keys lie near 1.7·10⁹ and their squares near "
         "3·10¹⁸. A float64 keeps sixteen digits, and the differences drown"),
        (f"{FAR} and near features, float32", *mixed, 0.3, "one feature is a year, the other two lie near 0"))


@first_wrong
def judge(problems: list[Problem], answers: list, records: list):
    """What is wrong with the features, if anything is: first their shapes, then their products."""
    cases = list(zip(problems, answers))
    for i, case in enumerate(cases):
        yield from _shapes(*case, i)
    bad = [i for i, case in enumerate(cases) if not _gap(*case) <= 1]
    if bad:
        far = all(problems[i].name.startswith(FAR) for i in bad)
        name = ("right, but the digits are lost far from the origin" if far else
                "the products of the features are not yet the Gaussian's scores")
        yield True, name, bad[0], {}, _both(*cases[bad[0]])


def _shapes(problem, answer, i):
    yield (not isinstance(answer, tuple) or len(answer) != 2 or not all(isinstance(x, np.ndarray) for x in answer),
           "two arrays are asked for", i)
    (m, d), n = problem.inputs["queries"].shape, len(problem.inputs["keys"])
    shapes = [part.shape for part in answer]
    yield shapes == [(m, d), (n, d)], "no feature was added", i
    yield (shapes != [(m, d + 1), (n, d + 1)], "the shapes are {queries} and {keys}", i,
           dict(zip(PAIRED, shapes)))
    yield not all(np.all(np.isfinite(part)) for part in answer), "NaN or infinity among the features", i


def _gap(problem, answer):
    """How far the products are from the scores, in units of what rounding may do."""
    right = true_scores(**problem.inputs)
    allowed = 1e-4 if np.float32 in (problem.inputs["keys"].dtype, answer[1].dtype) else 1e-7
    return np.max(np.abs(_products(*answer) - right + right[:, :1])) / (allowed * (1 + np.abs(right).max()))


def _both(problem, answer):
    """The right weights and those of the answer, of the query for which they differ most."""
    right, yours = map(softmax, (true_scores(**problem.inputs), _products(*answer)))
    i = np.nanargmax(np.abs(right - yours).max(axis=1))
    right, yours = (np.array2string(weights[i], precision=3, suppress_small=True, threshold=12, edgeitems=2)
                    for weights in (right, yours))
    return f"for query {i} the Gaussian's weights\n{right}\nand yours are\n{yours}"


def _products(queries, keys):
    """All products of features, (m, n), without the number that is common to a row."""
    products = queries.astype(float) @ keys.astype(float).T
    return products - products[:, :1]
