"""The claims of notebook 15: sparse attention as kernels, widths that follow n, layers, a key that says nothing."""
from dataclasses import replace

import numpy as np
import pytest
from claims.formulas import effective

import nwlab


def samples(seeds, count, n=50, **options):
    return [nwlab.make_regression(n=n, seed=seed, **options) for seed in seeds(count)]


def sparse(data, sigma=0.5):
    scores = nwlab.attention_scores(data.queries, data.keys, bandwidth=sigma)
    weights = nwlab.sparsemax(scores)
    level = (scores - weights).max(axis=1, where=weights > 0, initial=-np.inf)
    return weights, sigma * np.sqrt(-2 * level)


def layered(data, sigma, layers, kernel="gaussian"):
    """The weights (n, n) at the keys of so many layers of softmax, each for what those before it have left over."""
    left = np.eye(len(data.keys)) - nwlab.attention_weights(data.keys, data.keys, kernel=kernel, bandwidth=sigma)
    return np.eye(len(data.keys)) - np.linalg.matrix_power(left, layers)


def error_of(data, weights):
    """Of the answers at the keys, against the truth."""
    return np.mean((weights @ data.values - data.truth(data.keys)) ** 2)


def errors(answers, data):
    return (answers - data.targets) ** 2


@pytest.mark.claim("15-found-by-trying")
def test_sparsemax_has_the_smaller_error_where_the_width_is_wide_and_seldom_at_a_good_one(seeds, record_property):
    """The samples in which it has, of 100. Of the layers "15-layers" counts them."""
    better = {sigma: np.mean([errors(sparse(data, sigma)[0] @ data.values, data).mean()
                              < errors(softmax(data, sigma) @ data.values, data).mean()
                              for data in samples(seeds, 100)]) for sigma in (0.22, 0.5, 1.0)}
    record_property("sparsemax better in", {sigma: f"{share:.0%}" for sigma, share in better.items()})
    assert better[0.22] < 0.15 and better[0.5] > 0.8 and better[1.0] > 0.97


@pytest.mark.claim("15-epanechnikov")
def test_sparsemax_is_epanechnikov_with_a_larger_radius_where_keys_are_few(seeds, record_property):
    worst, together = 0.0, []
    for data in samples(seeds, 30):
        weights, radius = sparse(data)
        same = nwlab.attention_weights(data.queries, data.keys, kernel="epanechnikov", bandwidth=radius[:, None])
        worst = max(worst, np.abs(weights - same).max())
        fifth = nwlab.neighbour_bandwidth(data.queries, data.keys, k=5)[:, 0]
        together.append(np.corrcoef(radius, fifth)[0, 1])
    record_property("off by", f"{worst:.0e}")
    record_property("correlation", f"{min(together):.2f} to {max(together):.2f}")
    assert worst < 1e-14 and min(together) > 0.6


@pytest.mark.claim("15-never-empty")
def test_the_window_is_never_empty_and_one_of_the_median_radius_often_is(seeds, record_property):
    empty = []
    for data in samples(seeds, 300):
        weights, radius = sparse(data, 0.22)
        apart = np.abs(data.queries[:, None] - data.keys).min(axis=1).max()
        empty.append(apart >= np.median(radius))
        for sigma in (0.001, 0.05):
            assert (sparse(data, sigma)[0].max(axis=1) > 0).all()
    record_property("samples with an empty window", f"{np.mean(empty):.0%}")
    assert 0.4 < np.mean(empty) < 0.7


def inner_errors(seeds, n, way, count=8):
    found = []
    for data in samples(seeds, count, n):
        inner = (data.queries >= 0.5) & (data.queries <= 4.5)
        found.append(errors(way(data, n) @ data.values, data)[inner].mean())
    return np.array(found)


def softmax(data, sigma):
    return nwlab.attention_weights(data.queries, data.keys, bandwidth=sigma)


@pytest.mark.claim("15-many-keys")
def test_a_fixed_width_keeps_its_bias_and_one_that_follows_n_does_not(seeds, record_property):
    fixed = [inner_errors(seeds, n, lambda data, n: softmax(data, 0.5)) for n in (800, 3200)]
    follows = [inner_errors(seeds, n, lambda data, n: softmax(data, 0.5 * (n / 50) ** -0.2)) for n in (800, 3200)]
    record_property("fixed", f"{fixed[0].mean():.4f} to {fixed[1].mean():.4f}")
    record_property("follows", f"{follows[0].mean():.4f} to {follows[1].mean():.4f}")
    assert fixed[1].mean() > 0.88 * fixed[0].mean() and fixed[1].mean() > 0.022
    assert follows[1].mean() < 0.5 * follows[0].mean()


@pytest.mark.claim("15-sparse-shrinks")
def test_sparsemax_narrows_by_itself_like_n_to_the_minus_a_third(seeds, record_property):
    found = [[sparse(data) for data in samples(seeds, 8, n)] for n in (50, 3200)]
    radii = [np.median([radius for _, radius in some]) for some in found]
    inside = [np.median([(weights > 0).sum(axis=1) for weights, _ in some]) for some in found]
    slope = np.log(radii[1] / radii[0]) / np.log(64)
    few, many = (inner_errors(seeds, n, lambda data, n: sparse(data)[0]).mean() for n in (50, 3200))
    record_property("radius", f"{radii[0]:.2f} to {radii[1]:.3f}, slope {slope:.2f}")
    record_property("error", f"{few:.4f} to {many:.4f}")
    record_property("keys in a window", inside)
    assert -0.38 < slope < -0.28 and many < 0.12 * few
    assert 5 < inside[0] < 9 and 80 < inside[1] < 130


def drawn_task(seed, noise):
    """Truth at `ASKED`, keys and values of a curve like those of notebook 09."""
    rng, omega = np.random.default_rng(seed), 2 * np.pi / 12 * np.arange(17)
    size = np.exp(-omega**2 / 4) * np.where(omega, 1, np.sqrt(0.5))
    a, b = size / np.sqrt(np.sum(size**2)) * rng.normal(size=(2, 17))
    keys = rng.uniform(0, 5, 50)
    at_asked, at_keys = (np.cos(np.outer(x, omega)) @ a + np.sin(np.outer(x, omega)) @ b for x in (ASKED, keys))
    return at_asked, keys, at_keys + noise * rng.normal(size=50)


ASKED = np.linspace(-1, 6, 71)


@pytest.mark.claim("15-nothing")
def test_a_key_that_says_nothing_gains_outside_of_the_keys(seeds, record_property):
    """The comparison differs in c alone, at a width that is softmax's best up to two hundredths of the error."""
    inside = (ASKED >= 0) & (ASKED <= 5)

    def mean_errors(tasks, width, c):
        kernels = [np.exp(nwlab.attention_scores(ASKED, keys, bandwidth=width)) for _, keys, _ in tasks]
        return np.mean([(K @ values / (K.sum(axis=1) + c) - truth) ** 2
                        for K, (truth, _, values) in zip(kernels, tasks)], axis=0)

    tasks = [drawn_task(seed, 0.5) for seed in seeds(3000)]
    for some in tasks[:1000], tasks[1000:2000], tasks[2000:]:
        without, gained = (mean_errors(some, 0.3, c) for c in (0, 0.02))
        ratios = [gained[where].mean() / without[where].mean() for where in (inside | ~inside, inside, ~inside)]
        record_property("all, inside, outside", np.round(ratios, 3).tolist())
        assert 0.83 < ratios[0] < 0.91 and 0.99 < ratios[1] < 1.01 and 0.82 < ratios[2] < 0.89
    best = min(mean_errors(some, width, 0).mean() for width in (0.22, 0.25, 0.28, 0.32, 0.35, 0.4))
    assert without.mean() < 1.02 * best


@pytest.mark.claim("15-nothing-raised")
def test_a_key_whose_value_is_0_pulls_raised_tasks_away_from_their_curves(seeds, record_property):
    errors = []
    for seed in seeds(2000):
        truth, keys, values = drawn_task(seed, 0.5)
        K = np.exp(nwlab.attention_scores(ASKED, keys, bandwidth=0.3))
        errors.append([np.mean((K @ (values + up) / (K.sum(axis=1) + c) - truth - up) ** 2)
                       for up, c in ((0, 0), (0, 0.02), (1, 0.02))])
    without, key, raised = np.mean(errors, axis=0)
    record_property("softmax, with the key, raised", np.round([without, key, raised], 3).tolist())
    assert key < 0.92 * without and 1.1 < raised / without < 1.2


@pytest.mark.claim("15-layers")
def test_sixteen_wide_layers_beat_the_best_single_one_and_have_negative_weights(seeds, record_property):
    for truth, low, high in (("power", 0.85, 0.98), (waves, 0.0, 0.0)):
        rows = []
        for data in samples(seeds, 100, truth=truth):
            together = layered(data, 1.0, 16)
            rows.append((error_of(data, together),
                         min(error_of(data, layered(data, h, 1)) for h in np.geomspace(0.05, 1, 40))))
            assert together.min() < -0.01
            assert np.median(effective(together)) < 0.7 * np.median(effective(layered(data, 1.0, 1)))
        layers, single = np.array(rows).T
        record_property("16 layers, the best single one", np.median(rows, axis=0).round(4))
        record_property("better in", f"{np.mean(layers < single):.0%}")
        assert low <= np.mean(layers < single) <= high


@pytest.mark.claim("15-ever-more-layers")
def test_ever_more_layers_come_to_the_values_with_their_noise(seeds, record_property):
    """2, 2⁶ ... layers of 20 keys; the left-over part (I − S)^layers (values) shrinks towards 0. A boxcar's grows."""
    rules = [("gaussian", 2**k) for k in (1, 6, 12, 24, 36)] + [("boxcar", 2), ("boxcar", 64)]
    *left, few, many = np.mean([[np.abs(data.values - layered(data, 0.3, layers, kernel) @ data.values).mean()
                                 for kernel, layers in rules] for data in samples(seeds, 20, n=20)], axis=0)
    record_property("mean |y − f| after 2, 64 ... layers", np.round([*left, few, many], 4).tolist())
    assert (np.diff(left) < 0).all() and left[-1] < 0.05 and many > 10 * few
    rising = [[error_of(data, layered(data, 1.0, layers)) for layers in (16, 64, 4096)] for data in samples(seeds, 60)]
    record_property("error after 16, 64 and 4096 layers", np.mean(rising, axis=0).round(4).tolist())
    assert (np.diff(np.mean(rising, axis=0)) > 0).all()
    shown = nwlab.make_regression(n=50, seed=0)
    by_layers = [error_of(shown, layered(shown, 1.0, layers)) for layers in range(1, 65)]
    record_property("in the picture, smallest after", best := 1 + int(np.argmin(by_layers)))
    assert best == 22 and by_layers[63] > by_layers[21]


@pytest.mark.claim("15-mended")
def test_a_level_and_layers_mend_a_wide_width_and_no_narrow_one(seeds, record_property):
    """And so it is where the truth waves faster: up to four times the best width, which is smaller there."""
    widths = np.array([0.1, 0.18, 0.2, 0.22, 0.25, 0.3, 0.5, 0.8, 1, 1.3])
    softmax, sparsemax, layers = three_errors(widths, samples(seeds, 60))
    record_property("at 0.1", np.round((softmax[0], sparsemax[0], layers[0]), 3))
    record_property("at 1", np.round((softmax[-2], sparsemax[-2], layers[-2]), 3))
    record_property("best width of softmax", widths[softmax.argmin()])
    record_property("sparsemax from 0.3", sparsemax[5:].round(3))
    assert softmax[-2] > 5 * sparsemax[-2] and softmax[-2] > 10 * layers[-2]
    assert 0.18 <= widths[softmax.argmin()] <= 0.25
    for narrow in (0, softmax.argmin()):
        assert min(sparsemax[narrow], layers[narrow]) > 1.5 * softmax[narrow]
    assert 0.04 < sparsemax[5:].min() and sparsemax[5:].max() < 0.07 and softmax[-1] > 8 * softmax.min()
    assert layers[-1] < 1.2 * softmax.min()                 # at 1.3
    level, common = np.mean([level_and_common_radius(data) for data in samples(seeds, 60)], axis=0)
    record_property("at 1, with a radius for each query and with one for all", (level.round(3), common.round(3)))
    assert 0.7 < common / level < 1.15                      # so the narrower window mends, not a radius per query
    widths = np.array([0.05, 0.06, 0.07, 0.08, 0.09, 0.1, 0.3, 1])
    softmax, sparsemax, layers = three_errors(widths, samples(seeds, 60, truth=waves))
    record_property("2 sin 5x, best width", widths[softmax.argmin()])
    record_property("2 sin 5x at 0.3 and 1, of softmax's best", (np.array(
        [softmax, sparsemax, layers])[:, -2:] / softmax.min()).round(2).tolist())
    assert 0.07 <= widths[softmax.argmin()] <= 0.09 and softmax[-2] > 4 * softmax.min()
    assert max(sparsemax[-2], layers[-2]) < 1.5 * softmax.min() and min(sparsemax[-1], layers[-1]) > 3 * softmax.min()


def three_errors(widths, drawn):
    """Of softmax, sparsemax and 16 layers at the keys, means over the samples: (3, widths)."""
    return np.mean([[[error_of(data, weights) for weights in (
        layered(data, h, 1), sparse(replace(data, queries=data.keys), h)[0], layered(data, h, 16))]
        for h in widths] for data in drawn], axis=0).T


def level_and_common_radius(data, sigma=1.0):
    """Errors at the keys of Epanechnikov's kernel with the radii of the level, and with their median for all."""
    at_keys = replace(data, queries=data.keys, targets=data.truth(data.keys))
    radius = sparse(at_keys, sigma)[1]
    pooled = [nwlab.nadaraya_watson(data.keys, data.keys, data.values, kernel="epanechnikov", bandwidth=reach,
                                    empty="nearest") for reach in (radius[:, None], np.median(radius))]
    return [errors(answers, at_keys).mean() for answers in pooled]


def waves(x):
    return 2 * np.sin(5 * x)
