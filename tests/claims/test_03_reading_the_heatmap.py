"""What notebook 03 claims of the heatmap, computed from the formulas, over fresh samples."""
from functools import lru_cache

import numpy as np
import pytest
from claims.formulas import effective, gaussian

from nwlab import attention_weights, make_regression, nadaraya_watson

QUERIES = np.arange(50) * 0.1


@lru_cache
def samples(seeds):
    return [make_regression(seed=seed) for seed in seeds]


def crowded(seed, power=3):
    return np.sort(5 * np.random.default_rng(seed).uniform(0, 1, 50) ** power)


def halves_of(weights):
    """Columns that the band crosses in a row, in the upper and the lower half."""
    centre = weights @ np.arange(50)
    return (centre[25] - centre[0]) / 25, (centre[49] - centre[25]) / 24


def moves(weights, sample):
    """How far the average key moves while the query moves by 1."""
    return np.polyfit(sample.queries, weights @ sample.keys, 1)[0]


@pytest.mark.claim("03-bands")
def test_the_needle_overfits_and_the_river_underfits(seeds, record_property):
    """The controls: a needle without noise, and a river without its far values."""
    errors, quiet, near, listened = [], [], [], []
    for s in samples(seeds(100)):
        needle, river = (gaussian(s.queries, s.keys, sigma) for sigma in (0.02, 2.0))
        listened.append(effective(needle))
        quiet.append(np.mean((needle @ s.truth(s.keys) - s.targets) ** 2))
        distance = np.abs(s.queries[:, None] - s.keys)
        river *= distance <= np.maximum(0.5, distance.min(axis=1, keepdims=True))
        near.append(np.mean((river @ s.values / river.sum(axis=1) - s.targets) ** 2))
        for sigma in (0.02, 0.25, 2.0):
            fitted, answers = (gaussian(x, s.keys, sigma) @ s.values for x in (s.keys, s.queries))
            errors.append([np.mean((fitted - s.values) ** 2), np.mean((answers - s.targets) ** 2)])
    own, true = np.array(errors).reshape(-1, 3, 2).transpose(2, 1, 0)           # (3, samples) each
    record_property("on the values", own.mean(axis=1).round(2))
    record_property("against the truth", true.mean(axis=1).round(2))
    assert np.mean(own[0] < own[1]) > 0.95 and own[0].mean() < 0.08
    assert np.mean((true[1] < true[0]) & (true[1] < true[2])) > 0.9 and true[0].mean() > 2.5 * true[1].mean()
    assert own[2].mean() > 3 * own[1].mean() and true[2].mean() > 3 * true[1].mean()
    record_property("needle without noise, river without far values", f"{np.mean(quiet):.3f}, {np.mean(near):.3f}")
    record_property("the needle listens to a key or two in", f"{np.mean(np.array(listened) < 2.5):.0%}")
    assert np.mean(np.array(listened) < 2.5) > 0.9
    assert np.mean(quiet) < 0.2 * true[0].mean() and np.mean(near) < 0.2 * true[2].mean()


@pytest.mark.claim("03-variance")
def test_the_variance_of_an_answer_is_that_of_the_noise_over_its_effective_keys(seeds, record_property):
    """Over fresh noise, at every width and in each sample. The controls: noise that all keys share, which no average
    takes away, and answers against the truth, which the river misses most though it moves least."""
    ratios, shared, off = [], [], []
    for seed, s in zip(seeds(60), samples(seeds(60))):
        noise, rng = 0.5, np.random.default_rng([seed, 3])
        fresh, common = noise * rng.standard_normal((1000, 50)), noise * rng.standard_normal((1000, 1))
        for sigma in (0.02, 0.1, 0.25, 1.0, 2.0):
            weights = gaussian(s.queries, s.keys, sigma)
            predicted = noise**2 / effective(weights)
            ratios.append(np.mean((fresh @ weights.T).var(axis=0) / predicted))
            shared.append(np.mean(((0 * fresh + common) @ weights.T).var(axis=0) / predicted))
            off.append([np.mean(predicted), np.mean((weights @ s.values - s.targets) ** 2)])
    ratios, shared = np.reshape(ratios, (60, 5)), np.reshape(shared, (60, 5))
    record_property("measured over predicted, by width", ratios.mean(axis=0).round(3))
    record_property("with noise that all keys share", shared.mean(axis=0).round(1))
    assert np.all(np.abs(ratios.mean(axis=0) - 1) < 0.02) and np.all(np.abs(ratios - 1) < 0.15)
    assert np.all(shared.mean(axis=0)[2:] > 3)
    moved, error = np.reshape(off, (60, 5, 2)).mean(axis=0).T
    assert np.all(np.diff(moved) < 0) and error[-1] > 3 * error[2] and error.argmax() == 4


@pytest.mark.claim("03-lift")
def test_a_lifted_value_raises_answers_by_its_weights_and_a_moved_key_changes_the_weights(seeds, record_property):
    """The rise is the weight. A key that is moved changes the weights of the queries near its old or new place."""
    near, far = [], []
    for s in samples(seeds(50)):
        weights, i = attention_weights(s.queries, s.keys, bandwidth=0.25), len(s.keys) // 2
        lifted = s.values + (np.arange(len(s.keys)) == i)
        rise = (nadaraya_watson(s.queries, s.keys, values, bandwidth=0.25) for values in (lifted, s.values))
        rise = next(rise) - next(rise)
        np.testing.assert_allclose(rise, weights[:, i], atol=1e-12)
        apart = np.abs(s.queries - s.keys[i])
        near.append(rise[apart < 0.25].mean())
        far.append(rise[apart > 1.25].max())
        moved = np.where(np.arange(len(s.keys)) == i, s.keys + 0.5, s.keys)
        change = np.abs(attention_weights(s.queries, moved, bandwidth=0.25) - weights).max(axis=1)
        assert change[apart.argmin()] > 0.01 and change[apart > 2.5].max(initial=0.0) < 1e-4
    record_property("near, far", f"{np.mean(near):.2f}, {np.max(far):.1e}")
    assert 0.08 < np.mean(near) < 0.18 and np.max(far) < 1e-4


@pytest.mark.claim("03-slope")
def test_columns_a_row_follow_keys_a_query(seeds, record_property):
    """The control: the same numbers without the cube, so that the keys crowd nowhere."""
    halves, even, passed, off = [], [], [], []
    for seed in seeds(60):
        keys = crowded(seed)
        weights = gaussian(QUERIES, keys, 0.15)
        halves.append(halves_of(weights))
        even.append(halves_of(gaussian(QUERIES, crowded(seed, power=1), 0.15)))
        passed.append([np.diff(np.searchsorted(keys, QUERIES[::10])), np.diff((weights @ np.arange(50))[::10])])
        off.append(np.abs(weights @ keys - QUERIES).mean())
    halves, even = np.array(halves), np.mean(even, axis=0)
    record_property("columns a row, crowded and sparse half", f"{halves.mean(axis=0).round(2)}, evenly {even.round(2)}")
    inside, columns = np.mean(passed, axis=0)
    record_property("keys and columns in ten rows", f"{inside.round(1)}, {columns.round(1)}")
    record_property("to scale, off the query by", f"{np.mean(off):.2f}")
    assert np.mean(halves[:, 0] > halves[:, 1]) > 0.97 and halves[:, 0].mean() > 2 * halves[:, 1].mean()
    assert columns[0] > 2 * columns[1] > 2 * columns[3] and inside[0] > 2 * inside[1] > 2 * inside[3]
    assert np.mean(off) < 0.15 and 0.8 < even[0] / even[1] < 1.25


@pytest.mark.claim("03-diagonal")
def test_the_diagonal_needs_a_narrow_kernel_and_no_right_values(seeds, record_property):
    """Also with values shuffled, with another kernel, and in the unsorted picture."""
    rng, right, mixed, moved, unsorted = np.random.default_rng(seeds(1)[0]), [], [], [], []
    for s in samples(seeds(100)):
        weights = gaussian(s.queries, s.keys, 0.25)
        right.append(np.mean((weights @ s.values - s.targets) ** 2))
        mixed.append(np.mean((weights @ rng.permutation(s.values) - s.targets) ** 2))
        moved.append([moves(gaussian(s.queries, s.keys, sigma), s) for sigma in (0.25, 2.0, 20.0)])
        sky = weights[rng.permutation(50)][:, rng.permutation(50)]
        unsorted.append(np.polyfit(np.arange(50), sky @ np.arange(50), 1)[0])
        distance = np.abs(s.queries[:, None] - s.keys)
        nearest = distance == distance.min(axis=1, keepdims=True)
        for kernel in (np.maximum(1 - distance / (0.25 * 6**0.5), 1e-12 * nearest),
                       (distance <= 0.25 * 3**0.5) | nearest):
            assert moves(kernel / kernel.sum(axis=1, keepdims=True), s) > 0.85              # triangle, boxcar
    ratios, moved = np.divide(mixed, right), np.mean(moved, axis=0)
    record_property("shuffled values, times", f"{np.median(ratios):.1f}, above ten in {np.mean(ratios > 10):.0%}")
    record_property("the average key moves", moved.round(3))
    assert np.mean(ratios > 10) > 0.7
    assert moved[0] > 0.93 and 0.3 < moved[1] < 0.48 and moved[2] < 0.02 and abs(np.mean(unsorted)) < 0.1


@pytest.mark.claim("03-words")
def test_the_toy_translation_is_matched_and_other_words_are_not(seeds, record_property):
    order, matched, control = np.array([0, 1, 2, 7, 3, 4, 5, 6]), [], []
    for seed in seeds(200):
        rng = np.random.default_rng(seed)
        words, other, noise = rng.standard_normal((3, 8, 32))
        for said, found in ((words, matched), (other, control)):
            scores = (said[order] + 0.3 * noise) @ words.T
            found.append(np.mean(scores.argmax(axis=1) == order))
    record_property("matched", f"{np.mean(matched):.0%}")
    record_property("other words", f"{np.mean(control):.0%}")
    assert np.mean(matched) > 0.98 and np.mean(control) < 0.2


@pytest.mark.claim("03-trace")
def test_a_wider_kernel_has_more_effective_keys_and_fewer_degrees_of_freedom(seeds, record_property):
    """The width does it: 200 points have more effective keys at the same width, and more degrees of freedom."""
    widths, found = (0.0001, 0.02, 0.1, 0.25, 0.5, 1.0, 50.0), {}
    for n in (50, 200):
        curves = []
        for seed in seeds(60):
            points = make_regression(n=n, seed=seed).keys
            squares = [gaussian(points, points, sigma) for sigma in widths]
            curves.append([[np.trace(w), np.median(effective(w))] for w in squares])
        traces, keys = found[n] = np.array(curves).transpose(2, 0, 1)           # (samples, widths) each
        assert np.all(np.diff(traces) < 0) and np.all(np.diff(keys) > 0)
        assert np.all(np.abs(traces[:, -1] - 1) < 0.01) and np.all(keys[:, 0] < 1.01) and np.all(keys[:, -1] > n - 0.2)
    traces, keys = found[50]
    assert np.all(traces[:, 0] > 47)
    at = traces[:, 3]
    record_property("at 0.25", f"{at.mean():.1f}, {at.min():.1f} to {at.max():.1f}")
    record_property("at 0.25 with 200 points", found[200][:, :, 3].mean(axis=1).round(1))
    record_property("at 0.02", f"{traces[:, 1].mean():.1f}")
    assert 7.5 < at.mean() < 8.5 and 36 < traces[:, 1].mean() < 40
    assert found[200][1][:, 3].mean() > 3 * keys[:, 3].mean() and found[200][0][:, 3].mean() > at.mean()
