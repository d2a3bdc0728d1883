"""The items of `online_softmax`, their inputs, the traps of its subject, and its oracles: formulas of the text.

A state is (largest, total, pooled): the largest score so far, Σ e^(s - largest) and Σ e^(s - largest) v.
"""
from collections import Counter
from statistics import median

import numpy as np

from workbook.checks.inputs import WHOLE, Inputs, count, numbers, positive
from workbook.checks.item import Exercise, Item, Problem
from workbook.exercises.common import softmax
from workbook.exercises.online_softmax.given import Keys
from workbook.language import say

STATE, EMPTY = ("largest", "total", "pooled"), (-np.inf, 0.0, 0.0)
BOTH = tuple(f"{name}_{reader}" for reader in (1, 2) for name in STATE)
MASKED = say("a masked key has the score −∞ and counts nothing")
MANY_BLOCKS, TWO_BLOCKS = say("fifty blocks"), say("the same keys in two blocks")
TWO_SHORT = say("two blocks of twenty keys")
ONE_QUERY = say("one query, five blocks")
TIED = say("the largest scores are equal: both sums count as they are")
ALL_MASKED = say("nothing has been seen yet but masked keys: the largest score stays −∞ and both sums stay 0, without "
                 "NaN")
ONE_MASKED = say("{masked}. {all_masked}", masked=MASKED, all_masked=ALL_MASKED)


def factor(largest, new):
    """e^(largest - new), and 0 where both are −∞: what sums that were shifted by `largest` are multiplied with."""
    return np.exp(largest - np.where(np.isneginf(new), 0.0, new))


def column(x):
    return np.asarray(x)[..., None]


def merge(largest_1, total_1, pooled_1, largest_2, total_2, pooled_2, new=np.maximum, first=factor, second=factor):
    """May be wrong: new, of both largest scores; first and second, what the sums of each are multiplied with."""
    largest = new(largest_1, largest_2)                                        # (m,)
    a, b = first(largest_1, largest), second(largest_2, largest)               # (m,), (m,)
    p, q = (column(a), column(b)) if np.ndim(pooled_1) else (a, b)
    return largest, a * total_1 + b * total_2, p * pooled_1 + q * pooled_2


def absorb(largest, total, pooled, score, value, **wrong):
    return merge(largest, total, pooled, score, 1.0, value, **wrong)


def state_of(scores, values):
    """The state after these keys alone: scores (m, b), values (b, c) -> (m,), (m,), (m, c)."""
    largest = scores.max(axis=1)
    powers = factor(scores, column(largest))
    return largest, powers.sum(axis=1), powers @ values


def absorb_block(largest, total, pooled, scores, values, **wrong):
    return merge(largest, total, pooled, *state_of(scores, values), **wrong)


def attend_in_blocks(queries, keys, values, sigma, block):
    """(m, c), of the whole table at once."""
    return softmax(-0.5 * ((queries[:, None] - keys) / sigma) ** 2) @ values


def signed(rng, *shape):
    """Numbers of both signs, far from 0."""
    return rng.uniform(20, 90, shape) * rng.choice([-1.0, 1.0], shape)


def scored(rng, *shape):
    """Scores of both signs, all different."""
    return rng.permutation(np.arange(np.prod(shape)) * 5.3 / np.prod(shape) - 2).reshape(shape)


def one_key(rng):
    """A state of one query, and one key more."""
    largest, score = rng.uniform(0.3, 2), rng.uniform(-2, 4)
    pooled, value = signed(rng, 2).tolist()
    return {"largest": largest, "total": rng.uniform(1.5, 4), "pooled": pooled, "score": score, "value": value}


def block(rng, m, b, c):
    """A state of m queries after four keys, and a block of b keys more, with values of c numbers."""
    scores, values = scored(rng, m, 4 + b), signed(rng, 4 + b, c)
    return dict(zip((*STATE, "scores", "values"), (*state_of(scores[:, :4], values[:4]), scores[:, 4:], values[4:])))


def states(rng, m, c):
    """Two states of the same m queries, after four keys and after three."""
    scores, values = scored(rng, m, 7), signed(rng, 7, c)
    return dict(zip(BOTH, (*state_of(scores[:, :4], values[:4]), *state_of(scores[:, 4:], values[4:]))))


KEY, BLOCK = Inputs(one_key, units=("pooled value",)), Inputs(block, units=("pooled values",))
BOTH_STATES = Inputs(states, units=("pooled_1 pooled_2",))
ATTEND = Inputs({"queries": numbers("m", low=0.3, high=5.7), "keys": numbers("n", low=0.0, high=6.0),
                 "values": numbers("n", "c", low=-40, high=90), "sigma": positive(low=0.5, high=1.5),
                 "block": count(1, 7)}, units=("queries keys sigma", "values"))


KEYS_ONE_BY_ONE = (
    (say("scores 1 and 3"), 1.0, 1.0, 10.0, 3.0, 20.0),
    (say("the first key"), *EMPTY, -1.5, 4.0,
     say("before the first key the largest score is −∞ and both sums are 0: then the new key alone makes the state")),
    (say("scores around 1000"), 1000.0, 1.5, 25.0, 1001.5, 35.0,
     say("e^1000 is infinite: no exponential of a score itself")),
    (say("900 below"), 950.0, 300.0, 77.0, 50.0, 8.0, say("the new key has a weight of e^(−900), which is 0 here")),
    (say("scores around −10¹²"), -1e12, 1.5, 25.0, 2.0 - 1e12, 35.0,
     say("however low: only −∞ means that a key is masked")),
    (say("an equal score"), 1.0, 2.0, 30.0, 1.0, 20.0,
     say("the new key has the same score as the largest so far, and counts 1")),
    (say("values that cancel so far"), 1.0, 2.0, 0.0, 0.5, 20.0,
     say("pooled is 0, yet keys have been seen: their total counts")),
    (say("a masked key"), 0.4, 2.0, 33.0, -np.inf, 50.0, MASKED),
    (say("a masked key comes first"), *EMPTY, -np.inf, 50.0, ALL_MASKED))


def nothing_seen(inputs, rows=slice(None), names=STATE):
    """The same, where these queries have seen no key yet. names: of the state, where there are two."""
    state = {name: inputs[name].copy() for name in names}
    for x, empty in zip(state.values(), EMPTY):
        x[rows] = empty
    return inputs | state


def blocks(rng):
    def drawn(m):
        return block(rng, m, 4, 2)

    low, masked = drawn(4), nothing_seen(drawn(4), [1, 2])
    masked["scores"][:2] = -np.inf
    some, none, below = drawn(4), nothing_seen(drawn(4)), drawn(4)
    some["scores"][[0, 1], [0, -1]] = some["scores"][2, 1:] = -np.inf
    some = nothing_seen(some, [1, 3])
    none["scores"][0], none["scores"][1, 2] = -np.inf, -np.inf
    by = np.array([1000.0, -1000.0, -1e12, 40.0])
    below = below | {"largest": below["largest"] + by, "scores": below["scores"] + column(by)}
    below["scores"][:, 1] = -np.inf
    yield Problem(say("two queries, a block of three keys"), block(rng, 2, 3, 1))
    yield (say("whole numbers"), *map(np.array, ([2, 0], [3, 1], [[5], [2]], [[1, 3], [0, -1]], [[4], [7]])), WHOLE)
    yield Problem(say("the first block"), nothing_seen(drawn(5)),
                  say("before the first block the largest scores are −∞ and all sums are 0"))
    yield Problem(say("scores around 1000, −1000 and −10¹²"), low | {
        "largest": low["largest"] + by, "scores": low["scores"] + column(by)},
        say("each query has a largest score of its own, and it may be as low as you like: only −∞ means masked"))
    yield Problem(say("some keys masked"), some, MASKED)
    tied = drawn(4)
    yield Problem(say("no larger score than before"), tied | {"largest": tied["scores"].max(axis=1)}, TIED)
    yield Problem(say("some keys masked, scores around −10¹²"), below,
                  say("{masked}, however low the others are", masked=MASKED))
    yield Problem(say("the first block, masked for some"), none, ONE_MASKED)
    yield Problem(say("masked for some, and nothing seen before"), masked, ONE_MASKED)


def all_keys(rng):
    def drawn(m, n, sigma=0.8, size=4):
        return ATTEND.draw(rng, m=m, n=n, c=2) | {"sigma": sigma, "block": size}

    yield Problem(say("three queries, eight keys in two blocks"), drawn(3, 8))
    many = drawn(60, 1000, 0.3, 20)
    yield Problem(MANY_BLOCKS, many)
    yield Problem(TWO_BLOCKS, many | {"block": 500})
    yield Problem(TWO_SHORT, many | {name: many[name][:40] for name in ("keys", "values")})
    yield Problem(say("a very narrow kernel"), drawn(3, 8, 1e-6),
                  say("scores may lie around −10¹²: only −∞ is sure to be below them all"))
    yield Problem(ONE_QUERY, drawn(1, 24, size=5), say("one query is still an array of shape (1,)"))


def two_readers(rng):
    first, second = BOTH[:3], BOTH[3:]

    def drawn(m=4):
        return states(rng, m, 2)

    some = nothing_seen(nothing_seen(drawn(), [1, 2], first), [0, 1], second)
    second_only = nothing_seen(drawn() | {"largest_1": np.full(4, 8.0)}, [1], first)
    yield Problem(say("two queries"), states(rng, 2, 1))
    yield (say("whole numbers"), *map(np.array, ([2, 0], [3, 1], [[5], [2]], [1, 3], [2, 4], [[4], [7]])), WHOLE)
    yield Problem(say("the first has the larger scores, or neither has any"), nothing_seen(second_only, [1], second),
                  ALL_MASKED)
    tied = drawn()
    yield Problem(say("the same largest score"), tied | {"largest_2": tied["largest_1"].copy()}, TIED)
    yield Problem(say("far apart"), drawn() | {"largest_1": np.array([900.0, -900.0, 1000.0, -1e12]),
                                          "largest_2": np.array([-900.0, 900.0, 1001.2, 2 - 1e12])},
                  say("the scores of one may be far above those of the other, and either of them far from 0"))
    yield Problem(say("one of them has seen nothing, or neither"), some,
                  say("then the largest score is −∞ and the sums are 0: the state is that of the other, and without "
                      "NaN"))


def one(largest, new):
    return np.ones_like(np.asarray(largest, float) - 0.0 * np.where(np.isinf(new), 0, new))


RESCALED = ("the old sums are not rescaled", {"first": one})


def divided(right):
    """What can go wrong with any state that comes back."""
    def state(**at):
        largest, total, pooled = right(**at)
        return largest, total, pooled / (column(total) if np.ndim(pooled) else total)

    return "the answer, not the state: pooled is divided by the total", state


def block_means(queries, keys, values, sigma, block):
    """The mean of what each block answers by itself."""
    return np.mean([attend_in_blocks(queries, keys[i:i + block], values[i:i + block], sigma, block)
                    for i in range(0, len(keys), block)], axis=0)


def whole_blocks(queries, keys, values, sigma, block):
    """NaN (0/0) where no block is whole."""
    end = len(keys) // block * block
    none = np.full((len(queries), values.shape[1]), np.nan)
    return attend_in_blocks(queries, keys[:end], values[:end], sigma, block) if end else none


def judge_blocks(cases):
    """Of right numbers: by the steps in Python, the memory that was needed, and what was read twice."""
    at = {case.problem.name: case for case in cases}
    many, two, short, one = (at[name] for name in (MANY_BLOCKS, TWO_BLOCKS, TWO_SHORT, ONE_QUERY))
    queries, keys = (len(many.problem.inputs[name]) for name in ("queries", "keys"))
    memory, table, blocks = many.answer.memory, 8 * queries * keys, keys // many.problem.inputs["block"]
    yield two.answer.steps - short.answer.steps > keys / 2, "it goes through the keys one by one", two
    yield many.answer.steps - two.answer.steps < blocks / 2, "the keys do not come block by block", many
    yield (memory > 0.6 * table, "the whole table is in memory", many,
           {"held": f"{memory / 1e6:.2f}", "table": f"{table / 1e6:.2f}"})
    visits = Counter(one.answer.noted["keys"]["begins"]).values()   # of one query: others may come one after the other
    yield median([1, *visits]) > 1, "it reads the keys twice", one


EXERCISE = Exercise(__package__, say("The softmax in one pass"), (
    Item("absorb", points=2, by_hand=KEYS_ONE_BY_ONE, oracle=absorb, inputs=(KEY,), library="any", mistakes=(
        RESCALED, divided(absorb))),
    Item("absorb_block", points=3, by_hand=blocks, oracle=absorb_block, inputs=(BLOCK,), library="any",
         loops=False, mistakes=(
        RESCALED, divided(absorb_block),
        ("one largest score for all queries", {"new": lambda largest, scores: np.maximum(largest, scores.max())}))),
    Item("attend_in_blocks", points=2, by_hand=all_keys, oracle=attend_in_blocks, inputs=(ATTEND,), library="any",
         given={"keys": Keys}, memory=True, own_judge=judge_blocks, mistakes=(
        ("the block's answers are averaged", block_means),
        ("the keys behind the last whole block are lost", whole_blocks))),
    Item("merge", points=2, by_hand=two_readers, oracle=merge, inputs=(BOTH_STATES,), library="any", mistakes=(
        ("the sums are added without rescaling", {"first": one, "second": one}),
        ("the sums of the first are not rescaled", {"first": one}),
        divided(merge)))))
