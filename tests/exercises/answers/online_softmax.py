"""Right and wrong answers to `workbook.exercises.online_softmax`; test_answers.py says how they are written."""
import functools
import math

import numpy as np
from exercises.model_answers import online_softmax as model


def block_by_merge(largest, total, pooled, scores, values):
    highest = scores.max(axis=1)
    fresh = np.exp(scores - np.where(highest == -np.inf, 0, highest)[:, None])
    return merge_by_logarithms(largest, total, pooled, highest, fresh.sum(axis=1), fresh @ values)


def gaussian(queries, keys, sigma):
    return -0.5 * ((queries[:, None] - keys) / sigma) ** 2


def nothing_seen(queries, values):
    return np.full(len(queries), -np.inf), np.zeros(len(queries)), np.zeros((len(queries), values.shape[1]))


def whole_table(queries, keys, values, sigma, block):
    scores = gaussian(queries, keys, sigma)
    return np.exp(scores - np.logaddexp.reduce(scores, 1)[:, None]) @ values


def collected_table(queries, keys, values, sigma, block):
    scores = [gaussian(queries, keys[i:i + block], sigma) for i in range(0, len(keys), block)]
    largest = functools.reduce(np.maximum, [x.max(axis=1) for x in scores])[:, None]
    powers = [np.exp(x - largest) for x in scores]
    return sum(x @ values[i * block:(i + 1) * block] for i, x in enumerate(powers)) / sum(
        x.sum(axis=1, keepdims=True) for x in powers)


def key_by_key(queries, keys, values, sigma, block):
    state = nothing_seen(queries, values)
    for i in range(len(keys)):
        state = block_by_merge(*state, gaussian(queries, keys[i:i + 1], sigma), values[i:i + 1])
    return state[2] / state[1][:, None]


def two_passes(queries, keys, values, sigma, block):
    """The largest score first, and then the sums."""
    starts = range(0, len(keys), block)
    scores = (gaussian(queries, keys[i:i + block], sigma) for i in starts)
    largest = functools.reduce(np.maximum, [some.max(axis=1) for some in scores])[:, None]
    total = pooled = 0
    for i in starts:
        powers = np.exp(gaussian(queries, keys[i:i + block], sigma) - largest)
        total, pooled = total + powers.sum(axis=1, keepdims=True), pooled + powers @ values[i:i + block]
    return pooled / total


def merge_by_logarithms(largest_1, total_1, pooled_1, largest_2, total_2, pooled_2):
    largest = np.where(largest_1 > largest_2, largest_1, largest_2)
    safe = np.where(np.isfinite(largest), largest, 0)
    one, two = (2.0 ** ((x - safe) / math.log(2)) for x in (largest_1, largest_2))
    return largest, one * total_1 + two * total_2, (one * pooled_1.T + two * pooled_2.T).T


RIGHT = {"attend_in_blocks": {"split": (
    model.attend_in_blocks, "for start in range(0, len(keys), block)",
    "parts = np.split(keys, range(block, len(keys), block))\n"
    "    for start, few in zip(range(0, len(keys), block), parts)", "keys[part]", "few")}}

WRONG = {
    "attend_in_blocks": {
        "the whole table": (whole_table, "the keys do not come block by block"),
        "scores that are kept": (collected_table, "the whole table is in memory"),
        "key by key": (key_by_key, "the keys one by one"),
        "two passes": (two_passes, "it reads the keys twice"),
    },
}

GUARD = "np.where(np.isneginf(new), 0.0, new)"
ALTERED = {
    "absorb": [(model.absorb, "    shift =", "    if new == largest == score:\n        return largest, total, pooled\n"
                "    shift =", "“an equal score” does not"),
               (model.absorb, "    shift =", "    if pooled == 0 and score > -np.inf:\n"
                "        return score, 1.0, value\n    shift =", "“values that cancel so far” does not")],
    "absorb_block": [
        (model.absorb_block, "np.exp(scores - shift[:, None])",
         "np.isfinite(scores).all(axis=1)[:, None] * np.exp(scores - shift[:, None])", "“some keys masked” does not"),
        (model.absorb_block, "fresh = np.exp(scores", "fresh = np.exp(np.where(np.isneginf(scores), -1e3, scores)",
         "infinity where a number was expected"),
        (model.absorb_block, GUARD, "new if np.isneginf(largest).all() else " + GUARD, "NaN where a number")],
    "attend_in_blocks": [
        (model.attend_in_blocks, "np.full(m, -np.inf)", "np.full(m, -1e9)", "NaN where a number was expected"),
        (model.attend_in_blocks, "-0.5 * ((queries[:, None] - keys[part]) / sigma) ** 2",
         "np.where(queries[:, None] == keys[part], -np.inf, -0.5 * ((queries[:, None] - keys[part]) / sigma) ** 2)",
         "“queries among the keys” does not")],
    "merge": [(model.merge, GUARD, "new if (largest_1 >= largest_2).all() else " + GUARD, "NaN where a number")],
}
