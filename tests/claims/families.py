"""Engel's families in fresh splits, for the claims of notebooks 05 and 16."""
from functools import cache

import numpy as np

import nwlab

ENGEL = nwlab.load_engel()
INCOME, FOOD = ENGEL.keys, ENGEL.values
RICH = INCOME >= 2000


def line(keys, values, queries):
    return np.polyval(np.polyfit(keys, values, 1), queries)


def one_width(keys, values, queries):
    grid = np.geomspace(30, 600, 8)
    best = grid[nwlab.loo_error(keys, values, bandwidths=grid).argmin()]
    return nwlab.nadaraya_watson(queries, keys, values, bandwidth=best)


@cache
def split_errors(method, first: int) -> tuple[np.ndarray, np.ndarray]:
    """Typical errors of method(keys, values, queries) over 20 splits: hidden families below 2000 francs, and the ten
    above."""
    found = []
    for seed in range(first, first + 20):
        hidden = np.random.default_rng(seed).random(235) < 1 / 3
        seen = ~hidden & ~RICH
        for asked in (hidden & ~RICH, RICH):
            found.append(np.sqrt(np.mean((method(INCOME[seen], FOOD[seen], INCOME[asked]) - FOOD[asked]) ** 2)))
    return np.array(found[::2]), np.array(found[1::2])
