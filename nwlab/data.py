"""The samples: 2 sin x + x^0.8 + noise and its relatives, one real data set, a reader's own, classes, a sphere."""
import math
import os
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from nwlab._engine.arrays import as_float64, same_library, shortened
from nwlab._engine.inputs import check_choice, check_count, check_number

ENGEL_CSV = os.path.join(os.path.dirname(__file__), "files", "engel.csv")


@dataclass(frozen=True, eq=False)
class RegressionData:
    """Keys and values to pool, and queries.

    keys (n,) sorted, values (n,), queries (m,), targets (m,) = truth(queries) without noise. truth is a function of x,
    or None for measured data, whose targets are unknown and NaN. noise is the standard deviation.
    """

    keys: np.ndarray
    values: np.ndarray
    queries: np.ndarray
    targets: np.ndarray
    truth: Callable | None
    noise: float
    key_name: str = "x"
    value_name: str = "y"

    def __repr__(self) -> str:
        noise = f"noise={self.noise:g}" if math.isfinite(self.noise) else "measured"
        return (f"RegressionData(n={len(self.keys)}, {noise}, keys {self.keys[0]:.3g} to {self.keys[-1]:.3g}, "
                f"{len(self.queries)} queries)")


def power_truth(x):
    """2 sin x + x^0.8, for x >= 0."""
    return 2 * np.sin(x) + np.asarray(x) ** 0.8


def linear_truth(x):
    """2 sin x + x."""
    return 2 * np.sin(x) + x


TRUTHS: dict[str, Callable] = {"power": power_truth, "linear": linear_truth}


def make_regression(n=50, noise=0.5, truth="power", low=0.0, high=5.0, seed=0) -> RegressionData:
    """n sorted keys, uniform on low..high, and values truth(key) + noise * a standard normal number.

    truth: "power" for 2 sin x + x^0.8 (wants low >= 0), "linear" for 2 sin x + x, or a function of an array.
    Queries are low, low + 0.1, ... below high: 50 by default. The same seed gives the same sample.
    """
    n = check_count("n", n, 1)
    low, high, noise = check_number("low", low), check_number("high", high), check_number("noise", noise, low=0)
    if not low < high:
        raise ValueError(f"low, high: got {low:g} and {high:g}, expected low below high")
    if not callable(truth):
        name = check_choice("truth", truth, tuple(TRUTHS))
        if name == "power" and low < 0:
            raise ValueError(f"low: got {low:g}, expected at least 0, where x^0.8 is real; truth='linear' can go lower")
        truth = TRUTHS[name]
    rng = _generator(seed)
    keys = np.sort(rng.uniform(low, high, n))
    # Both draws are of the standard kind, so the same seed at another noise moves the same points further.
    values = _evaluate(truth, keys) + noise * rng.standard_normal(n)
    queries = low + 0.1 * np.arange(max(1, math.ceil((high - low) / 0.1 - 1e-9)))
    return RegressionData(keys, values, queries, _evaluate(truth, queries), truth, noise)


def load_engel() -> RegressionData:
    """Engel's household budgets (1857): income and food expenditure of 235 Belgian families, in francs a year.

    Real data with uneven noise and few points on the right. Public domain, by way of statsmodels' `engel`.
    """
    return replace(read_csv(ENGEL_CSV, key="income", value="foodexp"), value_name="food in francs")


def read_csv(path, key, value, *, queries=100) -> RegressionData:
    """Your own data: two columns of a CSV file with a header line, sorted by `key`; `queries` points across its range.

    Commas between the cells, points in the numbers, UTF-8; rows without any text are skipped. ValueError that says
    where, for a cell that is no number, a column that is missing or there twice, and a file of another kind.
    """
    import csv

    file_name = os.path.basename(path)
    with open(path, newline="", encoding="utf-8-sig") as file:
        reader = csv.reader(file, skipinitialspace=True)
        try:
            rows = [(reader.line_num, row) for row in reader if any(map(str.strip, row))]
        except UnicodeDecodeError as error:
            raise ValueError(f"{file_name}: got byte {error.object[error.start]:#x}, which is not UTF-8 text, expected "
                             "a file that is; save it again as 'CSV UTF-8'") from None
        except csv.Error as error:
            raise ValueError(f"{file_name}, line {reader.line_num}: got what is no row of a CSV file ({error}); is a "
                             "quotation mark left open above?") from None
    if not rows:
        raise ValueError(f"{file_name}: got an empty file, expected a line with names of columns, then rows")
    columns = [name.strip() for name in rows.pop(0)[1]]
    for argument, column in (("key", key), ("value", value)):
        if column not in columns:
            mark = next((mark for mark in ";\t|" if len(columns) == 1 and mark in columns[0]), None)
            advice = f"; its cells are separated by {mark!r}, save it again with commas" if mark else ""
            raise ValueError(f"{argument}: got {column!r}, expected a column of {file_name}: {', '.join(columns)}"
                             + advice)
        if columns.count(column) > 1:
            raise ValueError(f"{argument}: got {column!r}, the name of {columns.count(column)} columns of {file_name}, "
                             "expected one; rename the others")
    places = [columns.index(column) for column in (key, value)]
    pairs = []
    for line, row in rows:
        if any(map(str.strip, row[len(columns):])):
            raise ValueError(f"{file_name}, line {line}: got {len(row)} cells, expected {len(columns)} as in the first "
                             "line; a number with commas in it stands in quotation marks, or without them")
        pairs.append([_number((row + [""] * len(columns))[place], f"{file_name}, line {line}, column {columns[place]}")
                      for place in places])
    if not pairs:
        raise ValueError(f"{file_name}: got a header and no rows, expected at least one row")
    return from_arrays(*np.array(pairs).T, queries=queries, key_name=key, value_name=value)


def from_arrays(keys, values, *, queries=100, key_name="x", value_name="y") -> RegressionData:
    """Your own keys (n,) and values (n,) as data for the explorers; queries: how many, across the keys' range."""
    _, arrays, *_ = same_library({"keys": keys, "values": values})
    keys, values = as_float64(arrays["keys"]), as_float64(arrays["values"])
    if keys.ndim != 1 or keys.size == 0:
        raise ValueError(f"keys: got shape {keys.shape}, expected (n,) with at least one key")
    if values.shape != keys.shape:
        raise ValueError(f"values: got shape {values.shape}, expected {keys.shape} like the keys")
    order = np.argsort(keys, kind="stable")
    grid = np.linspace(keys.min(), keys.max(), check_count("queries", queries, 1))
    return RegressionData(keys[order], values[order], grid, np.full_like(grid, np.nan), None, math.nan,
                          key_name, value_name)


def make_classes(n=100, positive=0.5, separation=2.0, seed=0) -> tuple[np.ndarray, np.ndarray]:
    """Two classes on the line: keys (n,) sorted, labels (n,) of -1.0 and +1.0.

    round(positive * n) points come from N(+separation/2, 1), the others from N(-separation/2, 1).
    """
    n = check_count("n", n, 2)
    positive, separation = check_number("positive", positive, low=0, high=1), check_number("separation", separation)
    labels = np.where(np.arange(n) < round(positive * n), 1.0, -1.0)
    keys = labels * separation / 2 + _generator(seed).standard_normal(n)
    order = np.argsort(keys)
    return keys[order], labels[order]


def make_sphere(n=50, d=3, seed=0) -> np.ndarray:
    """n points (n, d), uniform on the unit sphere of d dimensions (normal vectors, divided by their length)."""
    n, d = check_count("n", n, 1), check_count("d", d, 2)
    points = _generator(seed).standard_normal((n, d))
    return points / np.linalg.norm(points, axis=1, keepdims=True)


def _evaluate(truth: Callable, x: np.ndarray) -> np.ndarray:
    y = np.asarray(truth(x), dtype=float)
    if y.shape != x.shape:
        raise ValueError(f"truth: got shape {y.shape} for x of shape {x.shape}, expected one number for each x")
    if not np.all(np.isfinite(y)):
        raise ValueError("truth: got NaN or infinity, expected a finite number for each x")
    return y


def _generator(seed) -> "np.random.Generator":  # in quotes: numpy.random is loaded when it is used
    return np.random.default_rng(check_count("seed", seed, 0))


def _number(cell: str, where: str) -> float:
    advice = " with a point, 3.5 and not 3,5, and no commas in thousands" if "," in cell else ""
    try:
        return check_number(where, "" if "_" in cell else cell)          # 1_000 is a number in Python, not in a table
    except ValueError:
        raise ValueError(f"{where}: got {shortened(cell)}, expected a number{advice}") from None
