"""The claims of notebook 14, over fresh samples."""
from functools import cache

import numpy as np
import pytest
import torch
from claims.formulas import Samples, Valleys, by_adam, by_log, by_sgd, effective, gaussian

from nwlab import data
from nwlab.attention import LearnedWidth

COUNT = 30


@cache
def drawn(first):
    return Samples(first, COUNT)


@cache
def sizes(first):
    """For n = 50 and 450: loss and error at the optimum, then at a huge w, and its error without noise; means of 24 and
    6 samples."""
    found = {}
    for n in (50, 450):
        rows = []
        for seed in range(first, first + (24 if n == 50 else 6)):
            one = Samples(seed, count=1, n=n)
            row = []
            for w in (one.left_out.optima(np.geomspace(1.5, 20, 12))[0], 1e5):
                row += [one.kept.at(w)[0][0] / n, one.errors(w)[0]]
            one.values = data.power_truth(one.keys)
            rows.append([*row, one.errors(w)[0]])
        found[n] = np.mean(rows, axis=0)
    return found


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


@pytest.mark.claim("14-plateau")
def test_far_from_the_valley_the_slope_vanishes(seeds, record_property):
    """Adam on log w comes back from 50, plain steps on w do not."""
    s = drawn(seeds(1)[0])
    slopes = {w: np.abs(s.left_out.slope(w)) for w in (1.0, 50.0)}
    record_property("median at 1 and 50", f"{np.median(slopes[1.0]):.0f}, {np.median(slopes[50.0]):.3f}")
    assert np.mean(slopes[50.0] < 0.01 * slopes[1.0]) > 0.9
    layers, (keys, values) = [LearnedWidth(w) for w in (0.0, 1.0)], torch.as_tensor(np.stack([s.keys[0], s.values[0]]))
    for layer in layers:
        ((layer(keys, keys, values, mask=~torch.eye(50, dtype=torch.bool)) - values) ** 2).sum().backward()
    assert layers[0].w.grad == 0 and abs(layers[1].w.grad) == pytest.approx(slopes[1.0][0], rel=1e-4)
    weights = s.left_out.weights(50.0).max(axis=2)
    record_property("largest weight at 50", f"{np.median(weights):.3f}")
    assert np.median(weights) > 0.97
    plain, same_rate = (by_sgd(s.left_out.slope, np.full(COUNT, 50.0), rate, 300) for rate in (0.5, 0.05))
    adam = np.exp(by_adam(by_log(s.left_out.slope), np.full(COUNT, np.log(50)), 0.5, 300))
    back, never = (np.mean(np.abs(w / s.optima - 1) < 0.15) for w in (adam, same_rate))
    record_property("plain steps end at", f"{np.median(plain):.0f}, above 25 in {np.mean(plain > 25):.0%}")
    record_property("Adam on log w is back in", f"{back:.0%}; SGD on w in {never:.0%}")
    assert np.mean(plain > 25) > 0.8 and np.median(plain) > 35 and back > 0.7 and never == 0


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


@pytest.mark.claim("14-itself")
def test_more_points_do_not_keep_w_from_running_away(seeds, record_property):
    """A huge w for each key: losses as small, but some queries choose another key."""
    found = sizes(seeds(1)[0])
    record_property("errors", f"{found[450][3]:.3f} huge, {found[450][1]:.3f} at the optimum")
    for n in (50, 450):
        assert found[n][2] < 0.1 * found[n][0]
        assert 0.17 < found[n][3] < 0.36
    assert found[450][1] < 0.5 * found[50][1]
    s = drawn(seeds(1)[0])
    each = np.random.default_rng(1).uniform(5e4, 2e5, (COUNT, 50))
    other = (s.asked * each[:, None] ** 2).argmin(axis=2) != s.asked.argmin(axis=2)
    record_property("another key with a w for each", f"{other.mean():.0%}")
    assert s.kept.at(each)[0].max() / 50 < 0.05 and 0.1 < other.mean() < 0.35
    record_property("errors without noise", f"{found[50][4]:.4f}, {found[450][4]:.4f}")
    assert 0.006 < found[50][4] < 0.03 and found[450][4] < 0.002
