"""The mistakes that `online_softmax` knows by name, beside what any item knows."""
import numpy as np

from nwlab.checks.item import named
from nwlab.checks.problems import softmax
from nwlab.exercises.online_softmax.problems import (
    column, factor, true_absorb, true_absorb_block, true_attend, true_merge,
)


def one(largest, new):
    """No factor at all."""
    return np.ones_like(np.asarray(largest, float) - 0.0 * np.where(np.isinf(new), 0, new))


def inverse(largest, new):
    return np.exp(new - largest)


def unguarded(largest, new):
    return np.exp(largest - new)


def plain(largest, new):
    return np.exp(largest)


RESCALED = (
    ("the old sums are not rescaled", {"first": one}),
    ("the old sums are rescaled the wrong way round", {"first": inverse}),
    ("the old pooled values are not rescaled", {"pooled_by": lambda a, b: (one(a, 0.0), b)}),
    ("what is new is not shifted", {"second": plain}),
    ("no shift at all: exponentials of the scores themselves", {"first": one, "second": plain}))


def of_the_state(right):
    """What can go wrong with any state that comes back."""
    def divided(**at):
        largest, total, pooled = right(**at)
        return largest, total, pooled / (column(total) if np.ndim(pooled) else total)

    def swapped(**at):
        largest, total, pooled = right(**at)
        return largest, pooled, total

    return (("−∞ − (−∞) is NaN", {"first": unguarded, "second": unguarded}),
            ("the answer, not the state: pooled is divided by the total", divided),
            ("the three stand in another order", swapped))


ABSORB = named(
    *RESCALED,
    ("the new key counts 1, whatever its score", {"second": one}),
    ("the largest score becomes the latest", {"new": lambda largest, score: score}),
    ("the largest score stays the first", {"new": lambda largest, score: largest}),
    *of_the_state(true_absorb),
    ("the value counts without its weight", lambda largest, total, pooled, score, value: (
        *true_absorb(largest, total, pooled, score, value)[:2], factor(largest, max(largest, score)) * pooled + value)),
    right=true_absorb)

BLOCK = named(
    *RESCALED,
    ("the largest score is that of the block alone", {"new": lambda largest, scores: scores}),
    ("the largest score stays the first", {"new": lambda largest, scores: largest}),
    ("one largest score for all queries",
     {"new": lambda largest, scores: np.full_like(largest, np.maximum(largest, scores).max())}),
    *of_the_state(true_absorb_block),
    ("the earlier keys are forgotten",
     lambda largest, total, pooled, scores, values: true_absorb_block(
         np.full_like(largest, -np.inf), 0 * total, 0 * pooled, scores, values)),
    ("the sums of the block are softmax weights already", lambda largest, total, pooled, scores, values: true_merge(
        largest, total, pooled, scores.max(axis=1), np.ones(len(scores)), softmax(scores) @ values)),
    right=true_absorb_block)


def seen(part):
    """The answers of a part of the keys, NaN (0/0) for none. part(n, block): the slice of the n keys."""
    def answers(queries, keys, values, sigma, block):
        some = part(len(keys), block)
        if not len(keys[some]):
            return np.full((len(queries), values.shape[1]), np.nan)
        return true_attend(queries, keys[some], values[some], sigma, block)

    return answers


def by_block(of):
    """Of the answers of each block by itself."""
    return lambda **at: of([seen(lambda n, block, start=start: slice(start, start + block))(**at)
                            for start in range(0, len(at["keys"]), at["block"])], axis=0)


ATTEND = named(
    ("the block's answers are averaged", by_block(np.mean)),
    ("only the last block is seen", seen(lambda n, block: slice((n - 1) // block * block, None))),
    ("only the first block is seen", seen(lambda n, block: slice(block))),
    ("the keys behind the last whole block are lost", seen(lambda n, block: slice(n // block * block))),
    ("the last block is never seen", seen(lambda n, block: slice((n - 1) // block * block))),
    ("the division by the total is missing",
     {"of": lambda scores: np.exp(scores - scores.max(axis=1, keepdims=True))}),
    ("each block divides by its own total", by_block(np.sum)), right=true_attend)


def weighted(**at):
    """The totals weigh what is pooled once more."""
    largest, total, _ = true_merge(**at)
    a, b = factor(at["largest_1"], largest) * at["total_1"], factor(at["largest_2"], largest) * at["total_2"]
    return largest, total, column(a) * at["pooled_1"] + column(b) * at["pooled_2"]


MERGE = named(
    ("the sums are added without rescaling", {"first": one, "second": one}),
    ("the sums of the first are not rescaled", {"first": one}),
    ("the sums of the second are not rescaled", {"second": one}),
    ("rescaled the wrong way round", {"first": inverse, "second": inverse}),
    ("the largest scores are added", {"new": np.add}),
    ("the smaller of the largest scores", {"new": np.minimum}),
    *of_the_state(true_merge),
    ("the pooled values are averages already", weighted), right=true_merge)
