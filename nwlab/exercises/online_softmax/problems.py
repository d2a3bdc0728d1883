"""The problems of `online_softmax`, and its oracles, true_...: the formulas of the text.

A state is (largest, total, pooled): the largest score so far, Σ e^(s - largest) and Σ e^(s - largest) v.
"""
import numpy as np

from workbook.checks.item import Problem, posed
from nwlab.exercises.common import single, size, softmax

STATE, EMPTY = ("largest", "total", "pooled"), (-np.inf, 0.0, 0.0)
BOTH = tuple(f"{name}_{reader}" for reader in (1, 2) for name in STATE)
MASKED = "a masked key has the score −∞ and counts nothing"
MANY_BLOCKS, TWO_BLOCKS, TWO_SHORT = "fifty blocks", "the same keys in two blocks", "two blocks of twenty keys"
ONE_QUERY = "one query, five blocks"
ALL_MASKED = "nothing has been seen yet but masked keys: the largest score stays −∞ and both sums stay 0, without NaN"


def factor(largest, new):
    """e^(largest - new), and 0 where both are −∞: what sums that were shifted by `largest` are multiplied with."""
    return np.exp(largest - np.where(np.isneginf(new), 0.0, new))


def column(x):
    return np.asarray(x)[..., None]


def true_merge(largest_1, total_1, pooled_1, largest_2, total_2, pooled_2, new=np.maximum, first=factor, second=factor,
               stale=False):
    """May be wrong: new, of both largest scores; first and second, what the sums of each are multiplied with.

    stale: the second are taken relative to the first largest score.
    """
    largest = new(largest_1, largest_2)                                        # (m,)
    a, b = first(largest_1, largest), second(largest_2, largest_1 if stale else largest)      # (m,), (m,)
    p, q = (column(a), column(b)) if np.ndim(pooled_1) else (a, b)
    return largest, a * total_1 + b * total_2, p * pooled_1 + q * pooled_2


def true_absorb(largest, total, pooled, score, value, **wrong):
    return true_merge(largest, total, pooled, score, 1.0, value, **wrong)


def state_of(scores, values):
    """The state after these keys alone: scores (m, b), values (b, c) -> (m,), (m,), (m, c)."""
    largest = scores.max(axis=1)
    powers = factor(scores, column(largest))
    return largest, powers.sum(axis=1), powers @ values


def true_absorb_block(largest, total, pooled, scores, values, **wrong):
    return true_merge(largest, total, pooled, *state_of(scores, values), **wrong)


def true_attend(queries, keys, values, sigma, block, of=softmax):
    """(m, c), of the whole table at once. May be wrong: of, the weights of the scores."""
    return of(-0.5 * ((queries[:, None] - keys) / sigma) ** 2) @ values


def signed(rng, *shape):
    """Numbers of both signs, far from 0."""
    return rng.uniform(20, 90, shape) * rng.choice([-1.0, 1.0], shape)


def scored(rng, *shape):
    """Scores of both signs, all different."""
    return rng.permutation(np.arange(np.prod(shape)) * 5.3 / np.prod(shape) - 2).reshape(shape)


def key_problems(rng):
    names = *STATE, "score", "value"
    yield from posed(names, ("scores 1 and 3", 1.0, 1.0, 10.0, 3.0, 20.0),
                     ("and then 2", 3.0, 1 + np.exp(-2.0), 20 + 10 * np.exp(-2.0), 2.0, 30.0))
    for name, above in (("a larger score", 0.8), ("a smaller score", -1.3), ("a much larger score", 3.1),
                        ("a much smaller score", -2.7)):
        largest = rng.uniform(0.3, 2)
        yield Problem(name, dict(zip(names, (largest, rng.uniform(1.5, 4), *signed(rng, 1).tolist(),
                                             largest + above * rng.uniform(0.9, 1.1), *signed(rng, 1).tolist()))))
    below = -rng.uniform(3, 5)
    yield from posed(
        names,
        ("all scores below 0", below, 2.2, 31.0, below - 0.7, -12.0, "scores of a Gaussian kernel are never above 0"),
        ("the first key", *EMPTY, rng.uniform(-2, -1), 4.0,
         "before the first key the largest score is −∞ and both sums are 0: then the new key alone makes the state"),
        ("an equal score", 1.7, 2.5, 40.0, 1.7, 30.0, "two keys may have the same score: both count 1"),
        ("scores around 1000", 1000.0, 1.5, 25.0, 1001.5, 35.0, "e^1000 is infinite: no exponential of a score itself"),
        ("scores around −1000", -1001.0, 1.5, 25.0, -1000.2, 35.0, "e^(−1000) is 0 for the computer"),
        ("900 above", 50.0, 3.0, 77.0, 950.0, 8.0, "what was there before has a weight of e^(−900), which is 0 here"),
        ("900 below", 950.0, 3.0, 77.0, 50.0, 8.0, "the new key has a weight of e^(−900), which is 0 here"),
        ("scores around −10¹²", -1e12, 1.5, 25.0, 2.0 - 1e12, 35.0, "however low: only −∞ means that a key is masked"),
        ("scores around 10¹²", 2.0 + 1e12, 1.5, 25.0, 1e12, 35.0, "a score may be as high as you like"),
        ("a large value far below", 0.7, 1.5, 25.0, -100.3, 3e44, "e^(−100) times a large value is not 0"),
        ("a large value before, far below", 0.7, 1.5, 3e44, 101.2, 20.0, "what was there before may count still"),
        ("a tiny value", 0.4, 2.0, 3e-19, 0.9, -2e-19, "a tiny value is not 0"),
        ("a total of many keys", 0.4, 3e10, 5e11, 0.9, 20.0, "thousands of millions of keys may have been seen"),
        ("nearly an equal score", 1.7, 2.5, 40.0, 1.7 + 1e-7, 30.0, "the factor is nearly 1, and is not 1"),
        ("a masked key", 0.4, 2.0, 33.0, -np.inf, 50.0, MASKED),
        ("a masked key comes first", *EMPTY, -np.inf, 50.0, ALL_MASKED),
        ("a value of 0", 0.4, 2.0, 33.0, 0.9, 0.0, "a value of 0 counts in the total like any other"))


def block(rng, m, b, c):
    """A state of m queries after four keys, and a block of b keys more, with values of c numbers."""
    scores, values = scored(rng, m, 4 + b), signed(rng, 4 + b, c)
    return dict(zip((*STATE, "scores", "values"), (*state_of(scores[:, :4], values[:4]), scores[:, 4:], values[4:])))


def shifted(inputs, by):
    return inputs | {"largest": inputs["largest"] + by, "scores": inputs["scores"] + column(by)}


def nothing_seen(inputs, rows=slice(None), names=STATE):
    """The same, where these queries have seen no key yet. names: of the state, where there are two."""
    state = {name: inputs[name].copy() for name in names}
    for x, empty in zip(state.values(), EMPTY):
        x[rows] = empty
    return inputs | state


def masked(inputs, rows, keys=slice(None)):
    scores = inputs["scores"].copy()
    scores[rows, keys] = -np.inf
    return inputs | {"scores": scores}


def block_problems(rng):
    m, b, c = (size(rng, least) for least in (7, 4, 2))
    yield Problem("two queries, a block of three keys", block(rng, 2, 3, 1))
    yield Problem("more queries than keys", block(rng, m, b, c))
    yield Problem("more keys than queries", block(rng, b, m, c))
    yield Problem("three queries, three keys, three numbers", block(rng, 3, 3, 3),
                  why="with equal lengths a wrong axis runs without a message")
    yield Problem("four queries, four keys, one number", block(rng, 4, 4, 1),
                  why="(m, 1) and (m,) are not the same: only the pooled values have the axis c")
    yield Problem("one query", block(rng, 1, b, c), why="one query is still an array of shape (1,)")
    yield Problem("one key", block(rng, m, 1, c), why="a block of one key is what you did before, for all queries")
    yield Problem("one of everything", block(rng, 1, 1, 1), why="an axis of length 1 is still an axis")
    yield Problem("many keys", block(rng, 3, m + 30, 2))
    large = block(rng, m + 97, b + 118, c + 9)
    yield Problem("many of everything", large)
    yield Problem("many of everything, some keys masked", masked(large, [0, 0, m + 90], [1, b + 110, 100]), why=MASKED)
    yield Problem("scores around −10¹² and 10¹²", shifted(block(rng, 2, b, c), np.array([-1e12, 1e12])),
                  why="a score may be as low as you like: only −∞ means that a key is masked")
    for words, of_values in (("large", 1e9), ("tiny", 1e-15)):
        inputs = block(rng, 3, b, c)
        yield Problem(f"{words} values", inputs | {name: of_values * inputs[name] for name in ("pooled", "values")},
                      why="the values may have any size")
    low = block(rng, 3, b, c)
    low["scores"][:, 0], low["values"][0] = -60.0, 3e26
    yield Problem("a large value far below", low, why="e^(−60) times a large value is not 0")
    yield Problem("the first block", nothing_seen(block(rng, m, b, c)),
                  why="before the first block the largest scores are −∞ and all sums are 0")
    yield Problem("some queries have seen nothing", nothing_seen(block(rng, m, b, c), [0, 3]),
                  why="the earlier keys may have been masked for some of the queries")
    yield Problem("scores around 1000 and −1000", shifted(block(rng, 4, b, c), np.array([1000.0, -1000.0, 0.0, 40.0])),
                  why="each query has a largest score of its own")
    yield Problem("900 above and 900 below", shifted(block(rng, 4, b, c), np.zeros(4)) | {
        "largest": np.array([900.0, -900.0, 1.0, 2.0])}, why="either side may have a weight that is 0 for the computer")
    yield Problem("masked keys", masked(block(rng, m, b + 1, c), [0, 0, 2], [1, 2, 0]), why=MASKED)
    yield Problem("a block that is masked for one query", masked(block(rng, m, b, c), 1),
                  why="the state of that query stays as it was")
    yield Problem("masked, and nothing seen before", masked(nothing_seen(block(rng, m, b, c), [1, 2]), 1),
                  why=ALL_MASKED)
    yield Problem("values of 0", block(rng, 3, b, c) | {"values": np.zeros((b, c))}, why="they count in the total")
    yield Problem("float32", single(block(rng, 5, 4, 2)))


def draw(rng, m, n, c, sigma, block):
    keys = rng.permutation(np.linspace(0, 6, n)) + rng.uniform(-0.2, 0.2, n)
    return {"queries": rng.uniform(0.3, 5.7, m), "keys": keys, "values": signed(rng, n, c), "sigma": sigma,
            "block": block}


def attend_problems(rng):
    n = int(rng.integers(17, 20))
    yield Problem("three queries, eight keys in two blocks", draw(rng, 3, 8, 1, 0.8, 4))
    yield Problem("blocks of five", draw(rng, 6, 20, 2, 0.7, 5))
    yield Problem("a last block that is shorter", draw(rng, 4, n, 2, 0.9, 7), why="17 is not a multiple of 7")
    yield Problem("one key more than a block", draw(rng, 4, 9, 2, 0.9, 8), why="the last block has one key")
    yield Problem("blocks of one key", draw(rng, 3, 6, 2, 0.8, 1), why="then it is a loop over the keys")
    yield Problem("a block for all", draw(rng, 4, 6, 3, 0.8, 6), why="one block may hold all keys")
    yield Problem("a block larger than that", draw(rng, 4, 6, 3, 0.8, 50), why="a block may be longer than that")
    yield Problem("one query, one key", draw(rng, 1, 1, 1, 0.9, 3), why="an axis of length 1 is still an axis")
    yield Problem("more queries than keys", draw(rng, n + 4, 7, 2, 0.9, 3))
    far = draw(rng, 3, 9, 2, 0.1, 4)
    yield Problem("far from all keys", far | {"queries": np.array([-40.3, 3.1, 5000.2])},
                  why="scores may be as low as −1 000 000 000, and the nearest key still has nearly all of the weight")
    order = draw(rng, 4, 9, 1, 0.3, 3)
    yield Problem("the nearest key comes last", order | {"keys": np.sort(order["keys"]), "queries": np.array(
        [5.5, 5.8, 6.0, 0.2])}, why="the largest score may be in any block")
    yield Problem("many keys", draw(rng, 5, 203, 2, 0.3, 50))
    yield Problem("many of everything", draw(rng, n + 104, n + 107, 12, 0.2, 11))
    yield Problem("many blocks of one key", draw(rng, 3, n + 107, 2, 0.2, 1), why="as many blocks as keys")
    for words, unit, of_values in (("large", 1e9, 1e9), ("tiny", 1e-9, 1e-15)):
        inputs = draw(rng, 4, 9, 2, 0.6, 4)
        yield Problem(f"{words} keys and values", {name: x * {"block": 1, "values": of_values}.get(name, unit)
                                                   for name, x in inputs.items()}, why="in other units, σ too")
    yield Problem("a narrow width", draw(rng, 3, 11, 2, 0.011, 4), why="scores may be as low as −100 000")
    below = draw(rng, 5, 8, 2, 0.6, 3)
    yield Problem("below 0, and a million", below | {"queries": below["queries"] - 6, "keys": below["keys"] - 6,
                                                     "values": 1e4 * below["values"]}, why="neither is special")
    yield Problem("values of 0", draw(rng, 3, 8, 2, 0.6, 3) | {"values": np.zeros((8, 2))}, why="the answer is 0 then")
    many = draw(rng, 60, 1000, 2, 0.3, 20)
    yield Problem(MANY_BLOCKS, many)
    yield Problem(TWO_BLOCKS, many | {"block": 500})
    yield Problem(TWO_SHORT, many | {name: many[name][:40] for name in ("keys", "values")})
    yield Problem(ONE_QUERY, draw(rng, 1, 24, 2, 0.7, 5), why="one query is still an array of shape (1,)")
    yield Problem("float32", single(draw(rng, 3, 10, 2, 1.5, 4)))


def states(rng, m, c, seen=(4, 3)):
    """Two states of the same m queries, after `seen` keys each."""
    scores, values = scored(rng, m, sum(seen)), signed(rng, sum(seen), c)
    parts = np.split(np.arange(sum(seen)), [seen[0]])
    both = [x for part in parts for x in state_of(scores[:, part], values[part])]
    return dict(zip(BOTH, both))


def merge_problems(rng):
    first, second = BOTH[:3], BOTH[3:]
    m, c = int(rng.integers(5, 8)), int(rng.integers(2, 4))
    yield Problem("two queries", states(rng, 2, 1))
    yield Problem("many queries", states(rng, m + 5, c, (5, 6)))
    yield Problem("many of both", states(rng, m + 100, c + 9))
    for words, of_values in (("large", 1e9), ("tiny", 1e-15)):
        yield Problem(f"{words} values", {name: x * of_values if "pooled" in name else x
                                          for name, x in states(rng, 3, c).items()}, why="the values may have any size")
    yield Problem("the second has seen more", states(rng, m, c, (2, 11)))
    yield Problem("the first has seen more", states(rng, m, c, (11, 2)))
    yield Problem("one query, one number", states(rng, 1, 1), why="an axis of length 1 is still an axis")
    yield Problem("as many queries as numbers", states(rng, 3, 3),
                  why="with equal lengths a wrong axis runs without a message")
    far = states(rng, 4, c)
    yield Problem("far apart", far | {"largest_1": np.array([900.0, -900.0, 1000.0, -1000.0]),
                                      "largest_2": np.array([-900.0, 900.0, 1001.2, -1000.9])},
                  why="the scores of one may be far above those of the other, and either of them far from 0")
    low = states(rng, 2, c)
    yield Problem("scores around −10¹² and 10¹²", low | {name: low[name] + [-1e12, 1e12] for name in (
        "largest_1", "largest_2")}, why="a score may be as low as you like: only −∞ means that nothing was seen")
    yield Problem("the first has seen nothing", nothing_seen(states(rng, m, c), names=first),
                  why="its largest score is −∞, and its sums are 0: the state is that of the second")
    yield Problem("the second has seen nothing for some", nothing_seen(states(rng, m, c), [0, 2], second),
                  why="its keys may all have been masked for some queries")
    yield Problem("neither has seen anything for one", nothing_seen(
        nothing_seen(states(rng, m, c), [1], first), [0, 1], second), why="then nobody has: −∞, 0 and 0, without NaN")
    equal = states(rng, m, c)
    yield Problem("equal largest scores", equal | {"largest_2": equal["largest_1"].copy()},
                  why="then the sums are simply added")
    near = states(rng, 4, c)
    yield Problem("nearly equal largest scores", near | {"largest_2": near["largest_1"] + 1e-7},
                  why="then the factor is nearly 1, and is not 1")
    apart = states(rng, 2, c)
    apart["pooled_1"][0] *= 1e26
    apart["pooled_2"][1] *= 1e26
    apart |= {"largest_1": np.array([1.0, 61.0]), "largest_2": np.array([61.0, 1.0])}
    yield Problem("large values far below", apart, why="e^(−60) times a large value is not 0")
    yield Problem("float32", single(states(rng, 4, 2)))
