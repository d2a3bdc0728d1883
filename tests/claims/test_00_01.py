"""What notebooks 00 and 01 claim of a first figure and of neighbours."""
import sys
from dataclasses import replace

import numpy as np
import pytest

import nwlab
from workbook import explore

houses = sys.modules[explore.houses.__module__]

KS = (1, 2, 3, 5, 8, 50)


@pytest.fixture(scope="module")
def samples(request):
    first = request.config.getoption("--first-seed", default=1000)
    return [nwlab.make_regression(seed=seed) for seed in range(first, first + 100)]


def k_nearest(sample, k):
    """The mean of the k nearest values, by sorting."""
    order = np.argsort(np.abs(sample.queries[:, None] - sample.keys), axis=1)
    return sample.values[order[:, :k]].mean(axis=1)


def errors_of(samples, ks=KS):
    """(samples, len(ks)): mean squared distance from the truth."""
    return np.array([[np.mean((k_nearest(sample, k) - sample.targets) ** 2) for k in ks] for sample in samples])


@pytest.fixture(scope="module")
def errors(samples):
    return errors_of(samples)


@pytest.mark.claim("00-between")
def test_no_answer_leaves_the_range_of_the_prices(record_property):
    """The control: the line that is fitted to the same houses with the same weights does."""
    pins, widths = (explore.houses().options[name] for name in ("query", "sigma"))
    answers, lines = (np.array([method(pins, houses.AREAS, houses.PRICES, bandwidth=h) for h in widths])
                      for method in (nwlab.nadaraya_watson, nwlab.local_linear))
    record_property("answers, lines", [(found.min().round(1), found.max().round(1)) for found in (answers, lines)])
    assert houses.PRICES.min() - 1e-9 <= answers.min() and answers.max() <= houses.PRICES.max() + 1e-9
    assert lines.min() < houses.PRICES.min() - 1 and lines.max() > houses.PRICES.max() + 1


@pytest.mark.claim("01-friend")
def test_what_the_house_of_the_friend_is_worth():
    areas, prices = np.array([60.0, 90.0, 130.0]), np.array([150.0, 300.0, 360.0])
    points = np.maximum(0, 60 - np.abs(100 - areas))
    assert [prices.mean(), prices[points.argmax()], points @ prices / points.sum()] == pytest.approx([270, 300, 288])


@pytest.mark.claim("01-both-lose")
def test_five_neighbours_beat_one_and_all(errors, record_property):
    five = errors[:, KS.index(5)]
    both = (five < errors[:, 0]) & (five < errors[:, -1])
    record_property("samples", f"{both.mean():.0%}")
    assert both.mean() > 0.9


@pytest.mark.claim("01-soft-beats-five")
def test_most_of_the_gain_comes_from_the_fixed_width(samples, errors, record_property):
    """On the same samples, each rule at about its best width or k; then the four numbers of the lesson's own."""
    def means(drawn, kernel, *widths, reach=()):
        """The mean error at each of these widths, or with each query's distance to its k-th nearest key."""
        return np.array([[np.mean((nwlab.nadaraya_watson(
            s.queries, s.keys, s.values, kernel=kernel, empty="nearest",
            bandwidth=h or np.sort(np.abs(s.queries[:, None] - s.keys), axis=1)[:, k - 1:k]) - s.targets) ** 2)
            for h, k in [*((h, 0) for h in widths), *((0, k) for k in reach)]] for s in drawn]).mean(axis=0)

    tried = [means(samples, "triangular", 0.6, 0.4, 0.5, 0.55, 0.7), means(samples, "boxcar", 0.4, 0.3, 0.35, 0.5),
             means(samples, "triangular", reach=(8, 5, 7, 10)), means(samples, "boxcar", reach=(5, 3, 4, 8))]
    soft, box, following, five = (found[0] for found in tried)
    record_property("at the lesson's width or k, and at others", [found.round(3) for found in tried])
    assert max(found[0] / found.min() for found in tried) < 1.06 and soft < errors.mean(axis=0).min()
    record_property("without falling weights, without the same reach", np.round([box / soft, following / soft], 2))
    assert 1.08 < box / soft < 1.2 and 1.26 < following / soft < 1.45
    assert five - box > 0.6 * (five - soft) and 0.5 < (following - soft) / (five - soft) < 0.75
    shown = [nwlab.make_regression(seed=seed) for seed in range(200)]
    (soft,), (box,), (following,), (five,) = (means(shown, "triangular", 0.6), means(shown, "boxcar", 0.4),
                                              means(shown, "triangular", reach=[8]), means(shown, "boxcar", reach=[5]))
    assert np.round([soft, box, following, five], 3).tolist() == [0.062, 0.071, 0.084, 0.099]


@pytest.mark.claim("01-reach")
def test_five_neighbours_reach_twice_as_far_at_the_end_as_in_the_middle(seeds, record_property):
    def reach(x, **more):
        return np.mean([np.sort(np.abs(x - nwlab.make_regression(seed=seed, **more).keys))[4] for seed in seeds(1000)])

    end, middle, control = reach(0.0), reach(2.5), reach(0.0, n=100, low=-5.0, truth=np.sin)
    record_property("reach at 0, at 2.5, and at 0 with keys on both sides", np.round([end, middle, control], 3))
    assert 1.9 < end / middle < 2.15 and 0.93 < control / middle < 1.07


@pytest.mark.claim("01-noise-copied")
def test_one_neighbour_copies_the_noise(samples, errors, record_property):
    """The error is near the variance of the noise; without noise, on the same samples, it nearly vanishes."""
    clean = [replace(sample, values=sample.truth(sample.keys)) for sample in samples]
    one, quiet = errors[:, 0].mean(), errors_of(clean, (1,)).mean()
    record_property("error", f"{one:.3f}, without noise {quiet:.3f}")
    assert 0.24 < one < 0.3 and quiet < 0.03


@pytest.mark.claim("01-best-k-varies")
def test_the_best_k_changes(samples, record_property):
    counts = np.bincount(1 + errors_of(samples, range(1, 13)).argmin(axis=1))
    record_property("best k", dict(enumerate(counts.tolist())))
    assert counts.max() < 0.45 * len(samples) and (counts > 0.05 * len(samples)).sum() >= 3


@pytest.mark.claim("01-boxcar-knn")
def test_neighbours_are_a_boxcar_of_their_reach(samples, record_property):
    worst = 0.0
    for sample in samples[:20]:
        reach = np.sort(np.abs(sample.queries[:, None] - sample.keys), axis=1)[:, 4]
        boxed = nwlab.nadaraya_watson(sample.queries, sample.keys, sample.values, kernel="boxcar",
                                      bandwidth=reach[:, None])
        worst = max(worst, np.abs(boxed - k_nearest(sample, 5)).max())
    record_property("largest difference", f"{worst:.1e}")
    assert worst < 1e-12
