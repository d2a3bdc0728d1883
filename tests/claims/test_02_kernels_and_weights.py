"""What notebook 02 claims of kernels and weights, computed from the formulas, over fresh samples."""
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from claims.formulas import SHAPES, softmax

from nwlab import attention_weights, effective_keys, make_regression, masked_softmax


def curve(sample, kernel, h):
    """Kernel regression (m,); a query that reaches no key takes the value of its nearest key."""
    distance = np.abs(sample.queries[:, None] - sample.keys)
    weights = SHAPES[kernel][0](distance / h)
    empty = weights.sum(axis=1) == 0
    weights[empty] = distance[empty] == distance[empty].min(axis=1, keepdims=True)
    return weights @ sample.values / weights.sum(axis=1)


@lru_cache
def sample_of(seed, n=50):
    return make_regression(n=n, seed=seed)


@lru_cache
def errors(seeds, kernel, h, n=50):
    """Mean squared error of each sample, (samples,)."""
    samples = [sample_of(seed, n) for seed in seeds]
    return np.array([np.mean((curve(s, kernel, h) - s.targets) ** 2) for s in samples])


@pytest.mark.claim("02-same-h-misleads")
def test_the_order_of_gaussian_and_triangle_turns_round(seeds, record_property):
    """Both at h = 0.5, then both at the standard deviation 0.5."""
    same_h = errors(seeds(100), "gaussian", 0.5) / errors(seeds(100), "triangular", 0.5)
    same_std = errors(seeds(100), "gaussian", 0.5) < errors(seeds(100), "triangular", 0.5 * 6**0.5)
    ratio = errors(seeds(100), "gaussian", 0.5).mean() / errors(seeds(100), "triangular", 0.5).mean()
    record_property("ratio at the same h", f"{ratio:.2f}")
    record_property("Gaussian better at the same spread in", f"{same_std.mean():.0%}")
    assert 1.7 < ratio < 2.4 and (same_h > 1).mean() > 0.85
    assert same_std.mean() > 0.87


@pytest.mark.claim("02-width-first")
def test_the_width_costs_more_than_the_shape(seeds, record_property):
    """Worst over best width of one kernel, and kernel over Gaussian at one width, with 20, 50 and 200 keys; with 50
    also at the widest of the lesson."""
    spreads = np.array([0.1, 0.15, 0.2, 0.22, 0.25, 0.33, 0.5])
    for n, count, low, high in ((20, 600, 1.35, 1.65), (50, 100, 1.75, 2.5), (200, 100, 4.5, 6.7)):
        mean = np.array([[errors(seeds(count), name, s / std, n).mean() for s in spreads]
                         for name, (_, _, std) in SHAPES.items()])           # (4, spreads)
        width, shape = mean.max(axis=1) / mean.min(axis=1), mean / mean[0]
        record_property(f"{n} keys, by the width", width.round(2))
        if n == 50:
            narrowest, widest = mean[:, [0, -1]].T / mean.min(axis=1)
            record_property("50 keys, narrowest and widest", np.round([narrowest, widest], 2).tolist())
            assert 1.3 < narrowest.min() and narrowest.max() < 1.8 < widest.min()
            assert (mean[:, 3] / mean.min(axis=1)).max() < 1.03 < (mean[:, [1, 5]].T / mean[:, 3]).min()
            far = [errors(seeds(count), name, 0.8 / std).mean() for name, (_, _, std) in SHAPES.items()]
            record_property("50 keys, by the shape at 0.8", np.divide(far, far[0]).round(2))
            assert 1.25 < max(far) / far[0] < 1.42
        record_property(f"{n} keys, by the shape at most", shape.max(axis=1).round(2))
        record_property(f"{n} keys, the boxcar", shape[-1].round(2))
        assert low < width.min() and width.max() < high and shape.max() < min(4 / 3, width.min())
        assert np.abs(shape[:3] - 1).max() < 0.2 and 1.1 < shape[-1].mean() < 1.3  # three on a curve, the boxcar above


@pytest.mark.claim("02-few")
def test_more_keys_take_away_the_noise_and_leave_the_wide_kernel_its_far_keys(seeds, record_property):
    """The Gaussian's errors with 20 and 200 keys, and at the widest without the noise."""
    few, many = (np.array([errors(seeds(count), "gaussian", s, n).mean() for s in (0.1, 0.15, 0.2, 0.25, 0.33, 0.5)])
                 for n, count in ((20, 600), (200, 100)))
    quiet = np.mean([(curve(replace(s, values=s.truth(s.keys)), "gaussian", 0.5) - s.targets) ** 2
                     for s in (sample_of(seed, 200) for seed in seeds(100))])
    record_property("20 keys", few.round(3))
    record_property("200 keys", f"{many.round(3)}, at 0.5 without noise {quiet:.3f}")
    assert few.argmax() == 0 and 1.4 < few[0] / few.min() < 1.7
    assert many.argmax() == 5 and 4.4 < many[5] / many.min() < 5.8
    assert 7 < few.min() / many.min() < 9.5 and 1.8 < few[5] / many[5] < 2.3 and quiet > 0.9 * many[5]


@pytest.mark.claim("02-same-width")
def test_three_curves_nearly_coincide_around_the_best_standard_deviation(seeds, record_property):
    """Errors over the Gaussian's at one standard deviation; the control is the same h in place of it."""
    def over_gaussian(width_of):
        mean = np.array([[errors(seeds(100), name, width_of(s, std)).mean() for s in (0.15, 0.2, 0.25, 0.08, 0.8)]
                         for name, (_, _, std) in SHAPES.items()])           # (4, widths)
        return mean / mean[0]

    ratio, same_h = over_gaussian(lambda s, std: s / std), over_gaussian(lambda s, std: s)
    record_property("at the same standard deviation", ratio.round(2).tolist())
    record_property("at the same h", same_h.round(2).tolist())
    best, narrow, end = ratio[:, :3], ratio[:, 3], ratio[:, 4]
    assert np.abs(best[:3] - 1).max() < 0.08 and 1.1 < best[3].mean() < 1.23
    assert 1.05 < end[1] < end[2] < 1.25 < end[3] < 1.42
    assert np.all(narrow[1:] > best[1:].mean(axis=1) + 0.02) and narrow[3] < 1.3
    assert np.abs(same_h[:3, :3] - 1).max() > 0.3


@pytest.mark.claim("02-half-and-minus")
def test_the_minus_favours_near_keys_and_the_half_does_not(seeds, record_property):
    """The package's Gaussian has both. Without the half it is √2 times narrower, and fewer keys share the weight."""
    for seed in seeds(20):
        u = np.random.default_rng(seed).uniform(0, 3, 6)
        wide, narrow = (attention_weights([0.0], u, bandwidth=h) for h in (1.0, 0.5**0.5))
        np.testing.assert_allclose([wide[0], narrow[0]], masked_softmax(np.stack([-u * u / 2, -u * u])), rtol=1e-9)
        assert wide.argmax() == u.argmin() and effective_keys(wide) > effective_keys(narrow)
    houses = np.array([2, 0.5, 1.5])
    plus, half, whole = masked_softmax(np.outer([0.5, -0.5, -1.0], houses**2))
    figures = [plus[0], half[1], whole[1]]
    record_property("no minus, farthest; as it is, nearest; no half, nearest", np.round(figures, 2))
    assert np.round(figures, 2).tolist() == [0.64, 0.66, 0.86]


@pytest.mark.claim("02-underflow")
def test_where_the_gaussian_underflows(record_property):
    """exp(-u²/2) is 0 from about u = 14 on in float32, and from about 39 on in float64."""
    for number, about in ((np.float32, 14), (np.float64, 39)):
        u = np.arange(1, 60, 0.01).astype(number)
        first = float(u[np.exp(-u * u / 2) == 0][0])
        record_property(number.__name__, f"{first:.1f}")
        assert abs(first - about) < 0.6


@pytest.mark.claim("02-far-is-nearest")
def test_a_shifted_gaussian_far_away_is_the_nearest_neighbour(seeds, record_property):
    """The nearest key's weight grows to 1 with the distance, and as the width shrinks."""
    smallest = 1.0
    for seed in seeds(40):
        keys = sample_of(seed).keys
        steps = 10.0 ** np.arange(8)
        for queries, widths in ((keys[-1] + steps, np.full(8, 0.5)), (np.full(8, 2.5), 1 / steps)):
            nearest = np.abs(queries[-1] - keys).argmin()
            packaged = attention_weights(queries, keys, bandwidth=widths[:, None])
            ours = softmax(-((queries[:, None] - keys) / widths[:, None]) ** 2 / 2)
            np.testing.assert_allclose(packaged, ours, atol=2e-3)
            assert np.all(np.diff(packaged[:, nearest]) > -1e-9)
            smallest = min(smallest, packaged[-1, nearest])
    record_property("smallest weight of the nearest, at last", f"{smallest:.3f}")
    assert smallest > 0.99


@pytest.mark.claim("02-turn")
def test_turns_show_when_widths_differ(seeds, record_property):
    """With one width a turn moves no weight, with widths of 0.8 and 0.2 it does."""
    def change(points, width, after, new):
        weights = [attention_weights(x[:1], x[1:], bandwidth=h) for x, h in ((points, width), (after, new))]
        return np.abs(weights[1] - weights[0]).max()

    moved, one, two = [], 0.8, np.array([0.8, 0.2])
    for seed in seeds(100):
        rng = np.random.default_rng(seed)
        points, angle = rng.normal(size=(7, 2)), rng.uniform(0.3, 1.2)                  # a query and six keys
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        turned = points @ turn.T
        for width in (one, two):
            assert max(change(points, width, points + 3, width), change(points, width, 2 * points, 2 * width)) < 1e-9
        assert change(points, one, turned, one) < 1e-9 and change(points, one, 2 * points, one) > 1e-4
        moved.append(change(points, two, turned, two))
    record_property("with two widths, a weight moves by", f"{np.median(moved):.2f} in the median")
    record_property("by more than 0.01 in", f"{np.mean(np.array(moved) > 0.01):.0%}")
    assert np.mean(np.array(moved) > 0.01) > 0.75 and np.median(moved) > 0.1
