"""The claims of notebook 14, over fresh samples."""
from functools import cache

import numpy as np
import pytest
from claims.formulas import Samples, Valleys, by_adam, by_sgd, effective, gaussian

from nwlab import data

COUNT = 30


@cache
def drawn(first):
    return Samples(first, COUNT)


@pytest.mark.claim("14-sparse")
def test_where_keys_are_sparse_fewer_are_within_the_same_width(seeds, record_property):
    """The control: the same numbers without the cube, so that the keys crowd nowhere."""
    found, within = [], []
    for seed in seeds(30):
        for power in (3, 1):
            rng = np.random.default_rng(seed)
            keys = np.sort(5 * rng.uniform(size=(1, 50)) ** power)
            w = Valleys(keys, data.power_truth(keys) + 0.5 * rng.standard_normal((1, 50))).optima()[0]
            found.append(effective(gaussian([0.5, 4.0], keys[0], 1 / w)))
            within.append([np.sum(np.abs(keys - x) < 2 / w) for x in (0.5, 4.0)])
    found, within = (np.reshape(some, (30, 2, 2)) for some in (found, within))
    (left, right), even = found.mean(axis=0)
    fewer = min(np.mean(some[:, 0, 0] > some[:, 0, 1]) for some in (found, within))
    record_property("effective keys", f"{left:.1f} and {right:.1f}, evenly {even.round(1)}")
    record_property("fewer in", f"{fewer:.0%}")
    assert left / right > 2 and fewer > 0.9 and 0.8 < even[0] / even[1] < 1.25


@pytest.mark.claim("14-curve")
def test_smoother_curves_have_the_larger_error(seeds, record_property):
    s = drawn(seeds(1)[0])
    worse = {w: np.mean(s.errors(w) > s.errors(s.optima)) for w in (1.0, 2.0)}
    smoother = min(np.mean(s.roughness(w) < s.roughness(s.optima)) for w in (1.0, 2.0))
    record_property("larger error", f"w = 1 {worse[1.0]:.0%}, w = 2 {worse[2.0]:.0%}")
    assert worse[1.0] >= 0.97 and 0.8 < worse[2.0] and smoother > 0.95
    assert s.roughness(1.0).mean() < 0.3 * s.roughness(s.optima).mean()
    flat = Samples(seeds(1)[0], COUNT)
    flat.values = data.power_truth(flat.keys)                   # without noise: only the bias is left
    foot, hill = ((flat.curves(1.0) - s.truth)[:, (s.queries > a) & (s.queries < b)] for a, b in ((0, 0.5), (1.5, 2.5)))
    assert hill.max() < 0 < foot.min()
    assert flat.errors(1.0).mean() > 0.8 * s.errors(1.0).mean() > 2 * s.errors(s.optima).mean()


@pytest.mark.claim("14-per-key")
def test_a_w_for_each_key_is_smoother_at_first_and_no_better(seeds, record_property):
    """Steps fifty times as large undo both. If no point attends to itself, more steps do not bring the error back."""
    s = drawn(seeds(1)[0])
    each = np.random.default_rng(0).uniform(size=(COUNT, 50))
    kept = s.kept.slope
    assert np.allclose(kept(np.full((COUNT, 50), 1.5)).sum(axis=1), kept(np.full(COUNT, 1.5)))     # the sum of 50
    five, one = by_sgd(kept, each, 0.5, 5), by_sgd(kept, s.start, 0.5, 5)
    runs = [by_adam(kept, each, 0.5, steps) for steps in (20, 200)]
    assert np.abs(five).mean() < 0.3 * np.abs(one).mean()
    steps = [np.abs(by_sgd(kept, begin, 0.5, 1) - begin).reshape(COUNT, -1).mean(axis=1) for begin in (each, s.start)]
    assert np.mean(steps[0] < steps[1] / 4) > 0.7
    alike, far = np.abs(five).mean(axis=1), by_sgd(kept, each, 25, 5)
    signed = s.errors(five.mean(axis=1)).mean()                                        # some are negative
    record_property("one w as large as the many, and with their signs", f"{s.errors(alike).mean():.3f}, {signed:.3f}")
    assert abs(s.errors(alike).mean() / s.errors(five).mean() - 1) < 0.1 and s.roughness(alike).mean() < 0.03
    assert signed > 1.05 * s.errors(alike).mean()
    assert s.roughness(far).mean() > 0.8 * s.roughness(one).mean()
    assert s.errors(far).mean() < 0.7 * s.errors(five).mean()
    errors = [s.errors(w).mean() for w in (five, one, *runs)]
    record_property("errors", ", ".join(f"{e:.3f}" for e in errors))
    assert np.mean(s.roughness(five) < s.roughness(one)) > 0.9 and errors[0] > 1.5 * errors[1]
    assert np.mean(s.errors(five) > s.errors(one)) > 0.6
    assert errors[2] < 0.6 * errors[0] and errors[3] > 1.3 * errors[2]
    left_out = [s.errors(by_adam(s.left_out.slope, each, 0.5, steps)).mean() for steps in (20, 200)]
    record_property("left out of its own answer", np.round(left_out, 3))
    assert left_out[1] < 1.2 * left_out[0]
    assert s.roughness(runs[1]).mean() > 2 * s.roughness(runs[0]).mean()


@pytest.mark.claim("14-neighbours")
def test_k_nearest_neighbours_jump_and_are_for_no_k_the_kernel(seeds, record_property):
    """The control: softmax of the kernel's scores, which is the kernel's curve at once."""
    apart, jumps = [], []
    for seed in seeds(COUNT):
        one = Samples(seed, count=1)
        keys, values, queries = one.keys[0], one.values[0], np.linspace(0, 5, 1001)
        weights = gaussian(queries, keys, 1 / one.optima[0])
        curve, rank = weights @ values, np.abs(queries[:, None] - keys).argsort(axis=1).argsort(axis=1)
        by_k = np.array([(rank < k) @ values / k for k in range(1, 51)])
        apart.append(np.sqrt(np.mean((by_k - curve) ** 2, axis=1)).min())
        jumps.append(np.abs(np.diff(by_k[6])).max() / np.abs(np.diff(curve)).max())
    record_property("smallest distance and jump", f"{min(apart):.2f}, {min(jumps):.1f}")
    assert min(apart) > 0.03 and min(jumps) > 3
