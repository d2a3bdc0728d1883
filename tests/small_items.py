"""Small items for the tests of the checks: the means of rows, a table of distances, a sum, a power with a slope."""
import json

import numpy as np

from workbook.checks import Item, Problem
from workbook.checks.item import LARGE, posed
from workbook.checks.judge import judge
from workbook.checks.run import run
from workbook.grading import wire


def verdict(function, item):
    """The verdict on a function. Its answers go through JSON, as in grading, which shows that they are plain data."""
    problems = item.problems(0)
    return judge(item, problems, by_json(run(item, function, problems)))


def by_json(answers):
    """The answers, written as JSON and read again."""
    stored = json.dumps({"answers": [answer.to_dict() for answer in answers]}, allow_nan=False)
    return wire.answers(stored.encode(), len(answers))


# --- the mean of each row, times a number


def loop(table, scale):
    return np.array([scale * sum(row) / len(row) for row in table])


def right_means(table, scale):
    return scale * table.mean(axis=1)


def row_means(**changes):
    declared = {"name": "row_means", "title": "Means of rows", "returns": "scale times the mean of each row, (m,)",
                "arguments": ("table", "scale"), "oracle": loop, "points": 2,
                "by_hand": lambda rng: posed(
                    ("table", "scale"), ("by hand", [[1, 2], [3, 5], [0, 4]], 2.0),
                    ("larger", rng.uniform(1, 2, (5, 3)), 0.7, "five rows, three columns"),
                    ("a row of zeros", [[1, 3, 2], [0, 0, 0]], 1.5)) + [
                        Problem("large", {"table": rng.uniform(1, 2, (LARGE, 2)), "scale": 3.0}, large=True)]}
    return Item(**declared | changes)


# --- squared distances over h, on the line and in the plane


def point_problems(rng):
    for m, n in ((2, 3), (4, 5)):
        yield Problem(f"line {m}", {"q": rng.uniform(1, 2, m), "k": rng.uniform(3, 4, n), "h": 0.7})
    for m, n in ((3, 4), (5, 6)):
        yield Problem(f"plane {m}", {"q": rng.uniform(1, 2, (m, 2)), "k": rng.uniform(3, 4, (n, 2)), "h": 1.9 + m})


def distances(q, k, h):
    """|q - k|² / h, (m, n)."""
    q, k = (x.reshape(len(x), -1) for x in (q, k))
    return ((q[:, None] - k) ** 2).sum(-1) / h


def unscaled(q, k, h):
    return distances(q, k, 1.0) + distances(q, k, 1.0)**2


def table(**changes):
    declared = {"name": "table", "title": "A table", "returns": "squared distance over h, (m, n)",
                "arguments": ("q", "k", "h"), "by_hand": point_problems, "oracle": distances,
                "mistakes": (("the wrong power", unscaled),)}
    return Item(**declared | changes)


# --- one number: w times the sum of the squares


def total(**changes):
    declared = {"name": "total", "title": "A sum", "returns": "w times the sum of the squares",
                "arguments": ("w", "values"), "by_hand": lambda rng: [
                    Problem(f"{n} values", {"w": np.array(1.5), "values": rng.uniform(1, 3, n)}) for n in (2, 5, 9)],
                "oracle": lambda w, values: float(w * sum(v * v for v in values))}
    return Item(**declared | changes)
