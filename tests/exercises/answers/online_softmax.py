"""Right and wrong answers to `nwlab.exercises.online_softmax`; test_answers.py says how they are written."""
import math

import numpy as np
import torch
from exercises.model_answers import online_softmax as model

import nwlab


def absorb_by_cases(largest, total, pooled, score, value):
    if score == -math.inf:
        return largest, total, pooled
    if score <= largest:
        weight = math.exp(score - largest)
        return largest, total + weight, pooled + weight * value
    weight = math.exp(largest - score)
    return score, weight * total + 1.0, weight * pooled + value


def block_key_by_key(largest, total, pooled, scores, values):
    """Each query and each key of the block by itself."""
    rows = []
    for i in range(len(largest)):
        state = largest[i], total[i], [*pooled[i]]
        for score, row in zip(scores[i], values):
            states = [absorb_by_cases(*state[:2], old, score, value) for old, value in zip(state[2], row)]
            state = *states[0][:2], [pooled for _, _, pooled in states]
        rows.append(state)
    return tuple(np.array(x) for x in zip(*rows))


def block_in_torch(largest, total, pooled, scores, values):
    largest, total, pooled, scores, values = map(torch.tensor, (largest, total, pooled, scores, values))
    new = torch.maximum(largest, scores.amax(dim=1))
    old = torch.exp(largest - new).nan_to_num(0.0)
    fresh = torch.exp(scores - new[:, None]).nan_to_num(0.0)
    return new, old * total + fresh.sum(1), old[:, None] * pooled + fresh @ values


def block_by_merge(largest, total, pooled, scores, values):
    highest = scores.max(axis=1)
    fresh = np.exp(scores - np.where(highest == -np.inf, 0, highest)[:, None])
    return merge_by_logarithms(largest, total, pooled, highest, fresh.sum(axis=1), fresh @ values)


def attend_by_rows(queries, keys, values, sigma, block):
    """One query after the other."""
    rows = []
    for query in queries:
        state = np.array([-np.inf]), np.zeros(1), np.zeros((1, values.shape[1]))
        for part in np.array_split(np.arange(len(keys)), range(block, len(keys), block)):
            state = block_by_merge(*state, -((query - keys[None, part]) ** 2) / (2 * sigma**2), values[part])
        rows.append(state[2][0] / state[1][0])
    return np.array(rows)


def merge_by_logarithms(largest_1, total_1, pooled_1, largest_2, total_2, pooled_2):
    largest = np.where(largest_1 > largest_2, largest_1, largest_2)
    safe = np.where(np.isfinite(largest), largest, 0)
    one, two = (2.0 ** ((x - safe) / math.log(2)) for x in (largest_1, largest_2))
    return largest, one * total_1 + two * total_2, (one * pooled_1.T + two * pooled_2.T).T


def merge_by_loop(*states):
    rows = []
    for l1, t1, p1, l2, t2, p2 in zip(*states):
        top = max(l1, l2)
        a, b = (math.exp(x - top) if x > -math.inf else 0.0 for x in (l1, l2))
        rows.append((top, a * t1 + b * t2, [a * x + b * y for x, y in zip(p1, p2)]))
    return [np.array(x) for x in zip(*rows)]


RIGHT = {
    "absorb": {"by cases": absorb_by_cases,
               "arrays": lambda *at: tuple(np.squeeze(x) for x in block_by_merge(
                   *(np.array([x]) for x in at[:2]), np.array([[at[2]]]), np.array([[at[3]]]), np.array([[at[4]]])))},
    "absorb_block": {"key by key": block_key_by_key, "torch": block_in_torch, "a merge": block_by_merge},
    "attend_in_blocks": {"a query at a time": attend_by_rows,
                         "all at once": lambda q, k, v, sigma, block: np.exp(
                             (s := -0.5 * ((q[:, None] - k) / sigma) ** 2) - np.logaddexp.reduce(s, 1)[:, None]) @ v},
    "merge": {"logarithms": merge_by_logarithms, "loop": merge_by_loop},
}

WRONG = {
    "absorb": {
        "no shift": (lambda largest, total, pooled, score, value: (
            max(largest, score), total + np.exp(score), pooled + np.exp(score) * value), "no shift at all"),
        "two parts": (lambda *at: absorb_by_cases(*at)[:2], "2 things where 3 were expected"),
        "old largest": (lambda *at: (at[0], *absorb_by_cases(*at)[1:]), "only the first number is wrong"),
    },
    "attend_in_blocks": {
        "nwlab": (lambda q, k, v, sigma, block: nwlab.nadaraya_watson(q, k, v, bandwidth=sigma),
                  "calls nwlab's own nadaraya_watson"),
    },
}

ALTERED = {
    "absorb_block": [
        (model.absorb_block, "axis=1)", "axis=0)", "raises ValueError"),
        (model.absorb_block, "return new, total, pooled", "return new, pooled, total", "in another order"),
        (model.absorb_block, "total = old * total", "total *= old; total = total", "changes its inputs (total)"),
    ],
    "attend_in_blocks": [
        (model.attend_in_blocks, "total[:, None]", "total", "raises ValueError"),
        (model.attend_in_blocks, "len(keys), block", "len(keys) - block, block",
         "last block is never seen"),
    ],
}
