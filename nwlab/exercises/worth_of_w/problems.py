"""The problems of `worth_of_w`, drawn until no choice of w hangs by a thread, and until mistakes choose otherwise.

A sample is the pair (keys, values), (n,) each.
"""
import numpy as np

from workbook.checks.item import posed
from nwlab.exercises.common import BY_HAND, float32, sample, size, softmax
from nwlab.exercises.worth_of_w import model

THREE_KEYS, TWO_KEYS = tuple(BY_HAND.values()), ([1.0, 2.5], [1.0, 4.0])
EVEN = "w is squared, so w and −w are the same model"
CLOSE = "keys close together want a large w"
UNITS = "in other units: w is one over a width, in the unit of the keys"
FACTOR = "the factor may be any number"
NEAREST = ("a query may be left with its nearest key alone, whose exponential must not round to 0 as the others do: "
           "take each row's largest score away before exp, as `nwlab.masked_softmax` does")
TWINS = "two keys at one place are two points: each is left out for itself, its twin still counts"
STUCK = "each point has one other, which takes all: nothing changes with w"
FLAT = "w = 0 is flat: a run that starts there never moves"


def apart(rng):
    """Six keys, each with a nearest other: at a very large w that one takes all."""
    return rng.permutation(np.cumsum(rng.uniform(0.7, 0.8, 6) + 0.12 * np.arange(6))), rng.normal(2, 1, 6)


def twins(rng):
    """Six keys at four places."""
    return rng.permutation(np.repeat(rng.uniform(0, 1, 4) + [0, 1.5, 3, 4.5], [2, 1, 1, 2])), rng.normal(0, 2, 6)


def mixed(rng, n, noise=0.5):
    """A sample whose keys come in no order."""
    order, data = rng.permutation(n), sample(rng, n, noise)
    return data["keys"][order], data["values"][order]


def scaled(pair, first=1.0, second=1.0):
    """Keys and values, or queries and targets, in other units."""
    return first * pair[0], second * pair[1]


def shifted(pair, by):
    return pair[0] + by, pair[1]


def asked(rng, m):
    """Queries and targets, (m,) each."""
    queries = rng.uniform(0.2, 4.8, m)
    return queries, 2 * np.sin(queries) + queries**0.8


def error_problems(rng):
    places = np.array([0.0, 1.0, 2.0, 3.5])
    return posed(
        ("queries", "targets", "keys", "values", "w"),
        ("two queries, three keys", [0.5, 2.5], [1.0, 4.0], *THREE_KEYS, 2.0),
        ("seven queries, twenty keys", *asked(rng, 7), *mixed(rng, 20), 3.0),
        ("more queries than keys", *asked(rng, size(rng, 14)), *mixed(rng, size(rng, 5)), 0.6),
        ("more keys than queries", *asked(rng, size(rng, 3)), *mixed(rng, size(rng, 13)), 1.9),
        ("many of both", *asked(rng, size(rng, 124)), *mixed(rng, size(rng, 121)), 9.0),
        ("large keys and values", *scaled(asked(rng, 5), 1e9, 1e9), *scaled(mixed(rng, 8), 1e9, 1e9), 2e-9, UNITS),
        ("tiny keys and values", *scaled(asked(rng, 5), 1e-9, 1e-9), *scaled(mixed(rng, 8), 1e-9, 1e-9), -3e9, UNITS),
        ("as many queries as keys", *asked(rng, 7), *mixed(rng, 7), 1.1, "m = n: no shape tells rows from columns"),
        ("one query", *asked(rng, 1), *mixed(rng, 5), 0.7, "the mean of one square is that square"),
        ("one key", *asked(rng, 3), [2.0], [-1.5], 0.9, "the only key has all the weight at every query"),
        ("queries on keys, and keys that come twice", [1.0, 2.0], [3.0, 1.0], [1.0, 2.0, 1.0, 4.0],
         rng.normal(2, 1, 4), 1.3, "two keys at one place are two keys, and a distance may be 0"),
        ("w below zero", *asked(rng, 4), *mixed(rng, 9), -1.6, EVEN),
        ("a very small w", *asked(rng, 4), *mixed(rng, 6), 1e-5, "all keys weigh nearly alike"),
        ("large values, and keys below 0", asked(rng, 5)[0] - 6, rng.normal(0, 60, 5),
         *shifted(scaled(mixed(rng, 8), second=30.0), -6), 0.3, "an error may be large"),
        ("keys close together", *scaled(asked(rng, 4), 0.01), *scaled(mixed(rng, 9), 0.01), 150.0, CLOSE),
        ("a very large w", places + [0.4, 0.3, 0.4, -0.4], rng.normal(2, 1, 4), places, rng.normal(2, 1, 4), 300.0,
         NEAREST),
        ("a query far away", [1.2, 90.0], [1.0, 2.0], *mixed(rng, 5), 1.5, NEAREST),
        ("float32", *float32(*asked(rng, 5), *mixed(rng, 12)), 1.8))


def left_out_problems(rng):
    return posed(
        ("ws", "keys", "values"),
        ("three keys, two widths", [0.5, 2.0], *THREE_KEYS),
        ("twenty keys, five widths", rng.uniform(0.6, 6, 5), *mixed(rng, 20)),
        ("more widths than keys", widths(rng, size(rng, 13)), *mixed(rng, size(rng, 7))),
        ("more keys than widths", widths(rng, size(rng, 3)), *mixed(rng, size(rng, 13))),
        ("many widths", widths(rng, size(rng, 61)), *mixed(rng, 6)),
        ("many keys", rng.uniform(2, 12, 3), *mixed(rng, size(rng, 124))),
        ("large keys and values", 1e-9 * widths(rng, 3, 0.8, 4.0), *scaled(mixed(rng, 7), 1e9, 1e9), UNITS),
        ("tiny keys and values", -1e9 * widths(rng, 3, 0.8, 4.0), *scaled(mixed(rng, 7), 1e-9, 1e-9), UNITS),
        ("as many widths as keys", rng.uniform(0.6, 3, 6), *mixed(rng, 6), "g = n: no shape tells them apart"),
        ("one width", [1.7], *mixed(rng, 8), "one w is still an array, and one error is (1,)"),
        ("keys that come twice", [0.8, 2.2], *twins(rng), TWINS),
        ("two keys", [0.4, 3.0], *TWO_KEYS, "each point has one other, which takes all, whatever w is"),
        ("keys below 0, and a very small w", [1.4, 1e-4], *shifted(mixed(rng, 9), -7.0),
         "where w is small, all others weigh nearly alike"),
        ("small values", [1.4, 0.3], *scaled(mixed(rng, 7), second=-1e-4),
         "values near 0 have a small error, and that is an error too"),
        ("large values, and keys close together", [40.0, 250.0, 90.0], *scaled(mixed(rng, 7), 0.01, 40.0), CLOSE),
        ("a very large w", [1.5, 100_000.0], *apart(rng),
         "each point is left with its nearest other alone, whose exponential must not round to 0 as the rest "
         "do. After a softmax with the diagonal in it the point itself has all the weight: mask first"),
        ("a lonely point", [2.5, 5.0], [1.0, 30.0, 1.4, 2.1], rng.normal(2, 1, 4),
         "one point lies far from all others: the largest score of its row is that of its nearest other"),
        ("float32", *float32(rng.uniform(0.6, 4, 3), *mixed(rng, 12))))


def widths(rng, g, low=0.5, high=24.0):
    return rng.permutation(np.geomspace(low, high, g))


def clear(errors):
    """Whether the smallest stands out."""
    low, next_low = np.sort(errors)[:2]
    return next_low > 1.005 * low


def drawn(good, make):
    """The first draw, a tuple, that is good."""
    return next(row for row in iter(make, None) if good(*row))


def of_one(change):
    """Two changes of a sample: of its keys alone, and of its values alone."""
    return [lambda keys, values: (change(keys), values), lambda keys, values: (keys, change(values))]


def late(rng, g, n, scale, place=-2):
    """g widths, the best of them at its place, and n keys, of which the last twelve have large values."""
    keys, values = mixed(rng, n)
    keys[-12:], values[-12:] = 7 + np.linspace(0, 1, 12) + rng.uniform(-0.02, 0.02, 12), 30 * np.sin(np.arange(12))
    ws = widths(rng, g, 0.3, 30.0)
    best = model.left_out_errors(ws, keys, values).argmin()
    return np.insert(np.delete(ws, best), place, ws[best]) / scale, scale * keys, scale * values


def choice_problems(rng):
    def telling(ws, *data):
        wrong = ({}, {"outside": True}, {"of_w": np.reciprocal}, {"itself": None, "late": 0.0}, {"itself": None})
        errors = [model.left_out_errors(ws, *data, **how) for how in wrong]
        chosen = [each.argmin() for each in errors] + [errors[0].argmax()]
        inside = min(ws) < ws[chosen[0]] < max(ws)
        return all(map(clear, errors)) and len(set(chosen)) == len(chosen) and inside and chosen[0] > 0

    def place(ws, keys, values, *changes):
        """Where the best stands, if it stands out, and if with each of these changes another would; otherwise −1."""
        errors = model.left_out_errors(ws, keys, values)
        others = (model.left_out_errors(ws, *change(keys, values)).argmin() for change in changes)
        return errors.argmin() if clear(errors) and errors.argmin() not in others else -1

    def in_order(keys, values):
        return np.sort(keys), values

    def first(n):
        return lambda keys, values: (keys[:n], values[:n])

    def twice(ws, keys, values):
        gaps = np.subtract.outer(keys, keys)
        apart = [softmax(np.where(gaps == 0, -np.inf, -0.5 * (gaps * w) ** 2)) @ values for w in ws]
        errors = np.mean((apart - values) ** 2, axis=1)
        return clear(errors) and place(ws, keys, values) not in (-1, errors.argmin())

    changed = *of_one(np.flip), *of_one(lambda x: np.append(x[:-1], x[-2]))
    return posed(
        ("ws", "keys", "values"),
        ("five keys, three widths", [4.0, 0.25, 1.5], [0.0, 1, 2, 4, 5], [0.0, 1.0, 3.0, 4.0, 4.5]),
        ("five keys, three other widths", [0.02, 3.0, 0.5], [3.0, 0, 1, 5, 4], [2.1, 2.0, -2.0, 2.2, 1.8]),
        ("nine widths in any order", *drawn(telling, lambda: (widths(rng, 9, 0.1), *mixed(rng, 20))),
         "the widths come in no order, so a place among them says nothing"),
        ("as many widths as keys", *drawn(lambda *p: place(*p, *changed) >= 0,
                                          lambda: (widths(rng, 8), *mixed(rng, 8, 0.2)))),
        ("many widths", *drawn(lambda *p: place(*p, in_order) > 11,
                               lambda: (widths(rng, size(rng, 15), 0.1), *mixed(rng, 9, 0.2)))),
        ("sixty widths", *late(rng, 61, 20, 1e-9), UNITS),
        ("a hundred keys", *late(rng, 24, 121, 1e9, 1), UNITS),
        ("two valleys", [0.1, 0.3, 0.6, 1, 2, 4, 8], [2.4, 4.9, 0.5, 3.7, 3.3, 1.5, 2.0],
         [150.0, -270, -186, -219, -141, -129, 183], "the squares decide, of all points and all the ws, however large"),
        ("the last is best", *drawn(lambda *p: place(*p, in_order, first(10), first(12)) == 3,
                                    lambda: (widths(rng, 4, 0.1), *mixed(rng, size(rng, 18)))),
         "the best may stand last"),
        ("the largest is best", *drawn(lambda ws, *data: place(ws, *data, in_order) == ws.argmax(), lambda: (
            rng.permutation([0.1, 0.4, 1.2]), *mixed(rng, size(rng, 13), 0.1))), "the best may be the largest"),
        ("keys close together, and a very large w", *drawn(lambda ws, *data: ws[place(ws, *data)] < 300, lambda: (
            rng.permutation([30.0, 90.0, 270.0, 100_000.0]), *scaled(mixed(rng, 9, 0.2), 0.01))),
         "keys close together want a large w; and where w is very large, no error is NaN"),
        ("keys that come twice", *drawn(twice, lambda: (widths(rng, 4), *twins(rng))), TWINS),
        ("small values, and keys below 0", *drawn(
            lambda *p: place(*p, *of_one(lambda x: x.clip(0)), *of_one(np.abs)) > 0,
            lambda: (widths(rng, 4), mixed(rng, 9)[0] - 3.0, rng.normal(0, 1e-4, 9))),
         "small errors have a smallest too"),
        ("values that go up and down", [2.0, 0.05, 6.0, 1.0], np.arange(6.0), [1.0, -1, 1.2, -0.9, 1, -1.1],
         "the neighbours mislead: the farther one looks, the better, so it is the smallest w"),
        ("one width, below zero", [-1.4], *mixed(rng, 5), "there is no other, and w may be below zero"),
        ("float32", *float32(*drawn(lambda *p: place(*p) >= 0, lambda: (widths(rng, 5), *mixed(rng, 10))))))


def rule_problems(rng):
    def make(s, n, m, fixed_w, g):
        """s samples of n keys, and m queries."""
        at, samples = asked(rng, m), [mixed(rng, n) for _ in range(s)]
        return *at, *map(np.stack, zip(*samples)), fixed_w, widths(rng, g, 0.6, 14.0)

    def telling(queries, targets, keys, values, _, ws):
        pairs = list(zip(keys, values))
        left_out, kept = (np.array([model.left_out_errors(ws, *pair, itself=how) for pair in pairs])
                          for how in (-np.inf, None))                                                        # (s, g)
        truth = np.array([[model.error(queries, targets, *pair, w) for w in ws] for pair in pairs])          # (s, g)
        together, best = left_out.mean(axis=0), left_out.argmin(axis=1)
        return (all(map(clear, [*left_out, *truth, together])) and np.any(best != truth.argmin(axis=1))
                and np.any(best != kept.argmin(axis=1)) and best[0] != 0
                and (len(pairs) == 1 or best[0] != together.argmin()))

    def plain(_, __, keys, values, ___, ws):
        return all(clear(model.left_out_errors(ws, *pair)) for pair in zip(keys, values))

    def close(queries, targets, keys, values, _, ws):
        return queries / 100, targets, 0.01 * keys, values, 150.0, 100 * ws

    def sixty(g, n):
        """g widths, of which the last but two is best; tiny keys, large values."""
        ws, keys, values = late(rng, g, n, 1e-9)
        return 1e-9 * rng.uniform(7, 8, 4), rng.normal(0, 1e9, 4), keys[None], 1e18 * values[None], 3e9, ws

    def large(queries, targets, keys, values, fixed_w, ws):
        """The best of the first sample stands last among the ws."""
        best = model.best(ws, keys[0], values[0])
        return queries, 40 * targets, keys, 40.0 * values, fixed_w, np.append(ws[ws != best], best)

    return posed(
        ("queries", "targets", "keys", "values", "fixed_w", "ws"),
        ("one sample of six keys", *drawn(telling, lambda: make(1, 6, 3, 1.2, 4)),
         "one sample is still (1, n), so the answer is (1, 2)"),
        ("another sample of six keys", *drawn(plain, lambda: make(1, 6, 3, 1.2, 4)), "the same shapes, another answer"),
        ("four samples of twelve keys", *drawn(telling, lambda: make(4, 12, 5, 1.5, 5))),
        ("three samples of eight keys", *drawn(telling, lambda: make(3, 8, 8, 2.0, 6))),
        ("two samples", *drawn(plain, lambda: make(2, 9, 12, -1.1, 5)),
         "s = 2: no shape tells samples from rules. " + EVEN),
        ("more samples than keys", *drawn(plain, lambda: make(size(rng, 26), 5, 4, 0.7, 2)),
         "the samples are in the rows, however many there are"),
        ("as many samples as keys, which are close together", *close(*drawn(plain, lambda: make(7, 7, 14, 1.5, 3))),
         "each row is a sample; and keys close together want a large w"),
        ("many widths", *sixty(56, 18)),
        ("many keys and queries", *make(2, size(rng, 121), size(rng, 124), 9.0, 3)),
        ("one w to choose from", *make(3, 6, 4, 0.8, 1), "where ws has one w, that is the chosen one"),
        ("large values", *large(*drawn(plain, lambda: make(3, 10, 5, 0.9, 12))), "errors may be above 100"),
        ("float32", *float32(*drawn(telling, lambda: make(5, 10, 4, 0.9, 4)))))


def gap_problems(rng):
    def keys(n):
        return mixed(rng, n)[0]

    return posed(
        ("query", "keys", "w"),
        ("three keys", 1.25, THREE_KEYS[0], 2.0),
        ("nine keys", 2.2, keys(9), 0.6, "the keys come in no order: the nearest may be anywhere"),
        ("many keys", rng.uniform(1, 4), keys(size(rng, 13)), 2.3),
        ("some keys", rng.uniform(1, 4), keys(size(rng, 5)), 0.9),
        ("a hundred keys", 2.2, np.append(keys(size(rng, 121)), 2.201), 1.7),
        ("large keys", 2.2e9, 1e9 * keys(6), 1.4e-9, UNITS),
        ("tiny keys", 2.2e-9, 1e-9 * keys(6), -1.4e9, UNITS),
        ("far keys, and a huge w", 1e7, 1e6 * keys(5), 1e5, "a gap may be as large as you like"),
        ("w below zero", 3.1, keys(5), -1.5, EVEN),
        ("keys below 0", -1.3, keys(5) - 4, 1.5),
        ("a very large w", 0.9, rng.permutation(np.arange(6) + rng.uniform(0.1, 0.3, 6)), 200.0,
         "here most weights are 0 in the computer, and the log of 0 is −∞. The gap itself is an ordinary number: do "
         "not make the weights at all"),
        ("a very small w", 1.4, [3.2, 2.1, 0.9, 4.1], 2e-3,
         "all weights are nearly alike: the gaps are close to 0, and are not 0"),
        ("w = 0", 1.4, keys(4), 0.0, "all weights are alike"),
        ("a query far away", 250.0, keys(4), 1.1, "even the nearest key may be far: its gap is 0 all the same"),
        ("one key", 1.4, [2.5], 0.8, "the only key is the nearest"),
        ("two nearest keys", 1.5, [3.0, 2.0, 1.0, 2.0], 1.2,
         "keys that are as near as the nearest have a gap of 0 too"),
        ("the query on a key", 2.0, [3.5, 2.0, 0.5, 2.25], 1.4),
        ("float32", 1.5, *float32(keys(7)), 1.7))


def slope_problems(rng):
    return posed(
        ("w", "keys", "values", "factor"),
        ("three keys", 0.5, *THREE_KEYS, 1.0),
        ("half the loss", 0.8, *mixed(rng, 12), 0.5, "half the loss has half the slope"),
        ("three times the loss", 1.2, *mixed(rng, size(rng, 5)), 3.0, FACTOR),
        ("a small part of the loss", 1.9, *mixed(rng, size(rng, 7)), 0.07, FACTOR),
        ("twenty keys", 3.0, *mixed(rng, 20), 1.0),
        ("some keys", rng.uniform(0.7, 1.4), *mixed(rng, size(rng, 13)), 1.0),
        ("many keys", 8.0, *mixed(rng, size(rng, 121)), 1.0),
        ("large keys and values", 0.012, *scaled(mixed(rng, 7), 100.0, 1e9), 1e9, UNITS),
        ("small keys and values", -1200.0, *scaled(mixed(rng, 7), 0.001, 1e-9), 1e-9, UNITS),
        ("w below zero", -1.3, *mixed(rng, 9), 0.5, "the loss is even in w, so its slope is odd"),
        ("w = 0", 0.0, *mixed(rng, 6), 1.0, FLAT),
        ("a very large w", 300.0, *apart(rng), 1.0,
         "the plateau: nearest others alone, and nothing that a step could change"),
        ("too large a w", *drawn(lambda *p: model.slope(*p) > 0.05, lambda: (12.0, *mixed(rng, 20), 1.0)),
         "where w is too large, the loss grows with it"),
        ("keys close together", 130.0, *scaled(mixed(rng, 8), 0.01), 1.0, CLOSE),
        ("small values, and keys below 0", 1.1, *shifted(scaled(mixed(rng, 8), second=1e-4), -6.0), 1.0,
         "a slope near 0 is not 0"),
        ("large values", 0.7, *scaled(mixed(rng, 6), second=300.0), 1.0, "a slope may be large"),
        ("two keys", 0.7, *TWO_KEYS, 1.0, STUCK),
        ("keys that come twice", 1.1, *twins(rng), 1.0, TWINS))


def step_problems(rng):
    def run(n, w, rate, factor, nudge, moves):
        """A nudge at the start is not blown up, so rounding is not either; and each step moves."""
        def steady(w, *rest):
            path, nudged = model.steps(w, *rest), model.steps(w + 1e-6, *rest)
            return np.all(np.abs(nudged - path) < nudge) and np.all(np.abs(np.diff(path)) > moves)

        return drawn(steady, lambda: (w, *mixed(rng, n), rate, factor))

    before = posed(
        names := ("w", "keys", "values", "learning_rate", "factor"),
        ("three keys", 0.5, *THREE_KEYS, 0.02, 1.0),
        ("the older edition's rate", *run(20, 0.5, 0.5, 1.0, 1e-4, 1e-5), "one jump, then a plateau"),
        ("half the loss", *run(16, 0.4, 0.05, 0.5, 1e-4, 1e-5), "half the loss takes half the step"),
        ("three times the loss", *run(size(rng, 6), 1.4, 0.001, 3.0, 1e-5, 1e-3), FACTOR),
        ("a small rate", *run(9, 1.5, 0.003, 1.0, 3e-6, 1e-3)),
        ("some keys", *run(size(rng, 13), 1.1, 0.002, 1.0, 3e-6, 1e-3)),
        ("from below zero", *run(10, -0.8, 0.01, 0.5, 3e-6, 1e-3), "the mirror image of a start at +0.8"))
    _, *data, _, _ = run(7, 1.2, 0.003, 1.0, 3e-6, 1e-3)
    return before + posed(
        names,
        ("small values, and a large rate", 1.2, *scaled(data, second=1e-3), 3000.0, 1.0,
         "a small slope moves w too, if the rate is large"),
        ("keys close together", 240.0, *scaled(data, 0.005), 120.0, 1.0, CLOSE),
        ("many keys", *run(size(rng, 121), 6.0, 0.02, 1.0, 1e-4, 1e-4)),
        ("large keys and values", 0.012, *scaled(data, 100.0, 1e6), 3e-19, 1.0, UNITS),
        ("small keys and values", 1200.0, *scaled(data, 0.001, 1e-6), 3e15, 1.0, UNITS),
        ("a huge factor, a tiny rate", 1.2, *data, 3e-13, 1e10, FACTOR),
        ("a tiny factor, a huge rate", 1.2, *data, 3e7, 1e-10, FACTOR),
        ("a long step", 0.5, *THREE_KEYS, 1.4, 1.0, "a step may be long, and end on the plateau"),
        ("a long step, to below zero", 2.0, *THREE_KEYS, 210.0, 1.0, "a step may lead to below zero"),
        ("from 0", 0.0, *mixed(rng, 5), 0.1, 1.0, FLAT),
        ("two keys", 0.7, *TWO_KEYS, 0.1, 1.0, STUCK))
