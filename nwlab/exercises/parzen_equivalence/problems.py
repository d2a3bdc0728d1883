"""The problems of `parzen_equivalence`, and its oracles, true_...: right as they stand, wrong with an option.

Throughout k(x, x_i) is the Epanechnikov density: 3/4 (1 - u^2) / h on the line and 2/pi (1 - u^2) / h^2 in the plane,
for u = |x - x_i| / h < 1 and 0 beyond. It is compact, so windows can be empty. Labels are -1 and +1.
"""
import math
from dataclasses import replace

import numpy as np

from workbook.checks.item import Problem, posed
from nwlab.density import parzen_density

GIVEN = ("x", "keys", "labels", "bandwidth")


def draw(rng, m, n, d=1, bandwidth=0.8, positive=0.3):
    """Inputs that rounding cannot decide: no empty windows, differences of clear sign."""
    keys = rng.uniform(-2, 2, (n, d) if d > 1 else n)
    labels = np.where(np.arange(n) < max(1, round(positive * n)), 1.0, -1.0)
    return with_queries(rng, m, keys, rng.permutation(labels), bandwidth)


def with_queries(rng, m, keys, labels, bandwidth, reach=2.3):
    """Queries over the keys and a little beyond, without those at which one of the two signs hangs by a thread."""
    x = rng.uniform(-reach, reach, (40 * m, *keys.shape[1:]))
    share = np.mean(labels > 0)
    positive, negative = (parzen_density(x, keys[own], kernel="epanechnikov", bandwidth=bandwidth)
                          for own in (labels > 0, labels < 0))
    joint, conditional = share * positive - (1 - share) * negative, positive - negative
    clear = (np.abs(joint) > 1e-3) & (np.abs(conditional) > 1e-3)
    differ = clear & (joint * conditional < 0)
    last = x[differ][:m // 3]                                              # some of both, if there are
    x = np.concatenate([x[clear & ~differ][:m - len(last)], last])
    return {"x": x, "keys": keys, "labels": labels, "bandwidth": bandwidth}


def sized(rng, n):
    """n queries and n keys, to count steps."""
    at = draw(rng, n, n, bandwidth=1.1)
    return at | {"x": np.resize(at["x"], n)}


def scaled(at, by):
    """The same picture in another unit of length."""
    return at | {name: by * at[name] for name in ("x", "keys", "bandwidth")}


def opposite(at):
    """Every label the other one."""
    return at | {"labels": -at["labels"]}


def problems(rng):
    """With labels, six of them in the plane."""
    def size(least):
        return int(rng.integers(least, least + 3))

    yield from posed(GIVEN, ("three keys by hand", [-0.6, 1.4], [-1, 0, 2], [1, -1, 1], 1.25))
    yield Problem("more keys than queries", draw(rng, size(6), size(19)))
    mixed = iter(lambda: draw(rng, size(13), size(5), bandwidth=1.7, positive=0.2), None)
    yield Problem("more queries than keys", next(at for at in mixed if true_disagree(**at).sum() > 2))
    keys = rng.permutation(np.append(rng.uniform(-1.5, 1.5, 8), [-1.8, 1.9]))
    labels = np.where((keys > 1.7) | (np.abs(keys) < 0.3), 1.0, -1.0)    # one far x is nearest to -1, the other to +1
    far = with_queries(rng, 4, keys, labels, 0.6)
    yield Problem("an empty window", far | {"x": np.append(far["x"], [9.0, -7.5])},
                  why="no key is within one bandwidth of the last two x")
    yield Problem("one query", draw(rng, 1, 6, bandwidth=1.3), why="one x is still an array, of shape (1,)")
    two_features = "each point has two features, so x is (m, 2) and keys are (n, 2)"
    yield from posed(GIVEN, ("three keys in the plane", [[0, 0], [1, 1.5]], [[0.6, 0.8], [-0.3, 0.4], [2, 1.5]],
                             [1, -1, 1], 1.25, f"{two_features}. The first x is 1, 0.5 and 2.5 away from the keys"))
    yield Problem("thirty keys in the plane", draw(rng, 5, 30, d=2, bandwidth=1.2), why=two_features)
    yield Problem("more queries than keys in the plane", draw(rng, size(11), size(6), d=2, bandwidth=1.9),
                  why=two_features)
    plane = draw(rng, 4, 25, d=2, bandwidth=0.9)
    corner = plane["keys"][plane["keys"].sum(axis=1).argmax()] + 0.72    # 0.8 bandwidths away in each feature
    yield Problem("far out in the plane", plane | {"x": np.vstack([plane["x"], [[8.0, 8.0]], corner])},
                  why="no key is within one bandwidth of the last two x")
    wide = "lengths may be measured in a small unit: keys and bandwidth are in the hundreds, densities are small"
    yield Problem("a wide window", scaled(draw(rng, 5, 9), rng.uniform(200, 300)), why=wide)
    yield Problem("a wide window in the plane", scaled(draw(rng, 5, 9, d=2, bandwidth=1.3), rng.uniform(900, 1100)),
                  why=wide)
    both = next(at for at in iter(lambda: draw(rng, 5, 9), None) if np.ptp(true_class(**at)) == 2)      # both verdicts
    yield Problem("a narrow window", scaled(both, rng.uniform(0.0005, 0.001)),
                  why="lengths may be measured in a large unit: keys and bandwidth are small, densities are large")
    single = draw(rng, 5, 12)
    yield Problem("float32", single | {name: single[name].astype(np.float32) for name in ("x", "keys", "labels")})
    keys = np.repeat(rng.uniform(-2, 2, 4), [3, 2, 1, 3])
    yield Problem("duplicated keys", with_queries(rng, 4, keys, np.array([1.0, 1, -1, -1, -1, 1, -1, 1, -1]), 0.9),
                  why="several keys lie at the same place, and each of them counts")
    yield from posed(GIVEN, ("each x lies on a key", [0.5, 2, -1], [2, -1, 0.5, 3], [1, 1, -1, -1], 1.75,
                             "a key at x itself counts as any other, and most: u is 0 there"))
    keys = rng.uniform(-2, 2, 8)
    x = np.append(rng.choice(keys, 3, replace=False) + 0.1, 6.0)                    # no key is within reach of 6
    only = {"x": x, "keys": keys, "labels": np.ones(8), "bandwidth": 0.7}
    yield Problem("only +1", only, why="every label is +1: no key at all carries −1, which is a class too")
    yield Problem("only −1", opposite(only), why="every label is −1: no key at all carries +1, which is a class too")
    yield from posed(GIVEN, ("a single key", [0.25, -1, 5, 0, -2.5, 0.75, -0.5, 1.5], [-0.5], [1], 1.5,
                             "there is one key, which carries the label +1: the other class has none"))
    for name, rare in (("few +1 against many −1", 1.0), ("few −1 against many +1", -1.0)):
        keys = np.concatenate([rng.uniform(0.3, 1.2, 3), rng.uniform(-2, 0.9, 24)])
        order = rng.permutation(27)
        at = with_queries(rng, 9, keys[order], np.repeat([rare, -rare], [3, 24])[order], 1.1, reach=1.8)
        yield Problem(name, at | {"x": at["x"][::int(rare)]},
                      why="one class has 3 keys, the other 24, so the class priors weigh heavily")
    for name, at in (("borders, most labels −1", BORDERS), ("borders, most labels +1", opposite(BORDERS))):
        yield Problem(name, at, why="at the first x the class-conditional difference is exactly 0, at the second the "
                      "joint one, as there the labels within reach weigh the same")
    yield from posed(GIVEN, (
        "only just in reach", [2**30 - 2**7, 10 * 2**24, 2**30], [0, -100 * 2**24, 300 * 2**24, 400 * 2**24],
        [-1, 1, 1, -1], 2.0**30, "the first x is a hair's breadth less than one bandwidth from the key at 0, so p̂ is "
        "tiny there, and not 0. The last x is exactly one bandwidth away, and its window is empty"))


# One class has 2 keys, the other 4, and the bandwidth is a power of 2: so both zeros are exact, in whichever order they
# are computed, and in float32 too. So is the tie below, of 4 keys with u = 0 against 5.
BORDERS, TIE = ({name: np.array(x, float) if isinstance(x, list) else x for name, x in zip(GIVEN, row)} for row in (
    ([0, 20, 40], [1, -1, 19, -1, 21, 40], [-1, 1, 1, -1, -1, -1], 4.0),
    ([0, 40, 30], [2, 0, 0, 1, -1, 30, 0, 1, 0, 3, 31, 29], [-1, 1, 1, -1, -1, -1, 1, -1, 1, -1, -1, -1], 4.0)))


def class_problems(rng):
    """Also ties."""
    tie = "at the first x the keys in reach weigh exactly the same on both sides, so f is 0 there, {}"
    return [*problems(rng), *posed(GIVEN, ("a tie", [0, 0.5, -0.75], [1, -1, 7, -6], [1, -1, 1, -1], 2.0, tie.format(
        "as x lies in the middle between a key with +1 and one with −1")),
        ("close calls", [1e-5, -1e-5, 0.3], [1, -1], [1, -1], 2.0, "f is close to 0, but not 0: it has a clear sign")),
        Problem("four keys with +1 against five with −1", TIE, tie.format("although −1 has more keys")),
        Problem("four keys with −1 against five with +1", opposite(TIE), tie.format("although +1 has more keys"))]


def without_labels(rng):
    """The same problems for functions that take no labels: nothing is said of them, and none is asked twice."""
    seen = set()
    for problem in problems(rng):
        about = tuple(np.asarray(problem.inputs[name]).tobytes() for name in ("x", "keys", "bandwidth"))
        if about not in seen:
            seen.add(about)
            hidden = any(word in problem.why for word in ("class", "label"))
            yield replace(problem, why="" if hidden else problem.why)


def table_problems(rng):
    """Also three near keys: there a length of the whole array, without an axis, is below the bandwidth too."""
    yield from without_labels(rng)
    yield from posed(
        ("x", "keys", "bandwidth"),
        ("one query and three near keys in the plane", [[0.2, 0.1]], [[0.5, 0.5], [0.2, -0.3], [-0.4, 0.2]], 1.6,
         "one query is still a table, of shape (1, 3)"))


def true_kernel(x, keys, bandwidth, labels=None, power=None,
                length=lambda gaps: np.sqrt(np.sum(gaps**2, axis=2)), shape=lambda u: np.maximum(0, 1 - u**2)):
    """(m, n), without labels. May be wrong: length, of the gaps (m, n, d); shape, of u; the power of the bandwidth."""
    d = x.shape[1] if x.ndim == 2 else 1
    gaps = x.reshape(len(x), 1, d) - keys.reshape(1, len(keys), d)
    constant = 0.75 if d == 1 else 2 / math.pi
    return constant * shape(length(gaps) / bandwidth) / bandwidth ** (d if power is None else power)


def true_density(x, keys, bandwidth, labels=None):
    return true_kernel(x, keys, bandwidth).mean(axis=1)                            # (m,), without labels


def true_joint(x, keys, labels, bandwidth):
    return true_kernel(x, keys, bandwidth) @ labels / len(keys)                    # (m,)


def in_reach(verdict, x, keys, labels=None, bandwidth=None):
    """NaN where the window is empty."""
    return np.where(true_density(x, keys, bandwidth) > 0, verdict, math.nan)


def true_class(*at, **named):
    return in_reach(np.sign(true_joint(*at, **named)), *at, **named)               # (m,), 0 at a tie


def true_conditional(x, keys, labels, bandwidth, absent=math.nan, sign=-1):
    """(m,). May be wrong: the density of a class without keys, and the sign between the two."""
    positive, negative = (true_density(x, keys[own], bandwidth) if own.any() else np.full(len(x), absent)
                          for own in (labels > 0, labels < 0))
    return positive + sign * negative


def true_disagree(*at, **named):
    return true_joint(*at, **named) * true_conditional(*at, **named) < 0           # (m,), true or false
