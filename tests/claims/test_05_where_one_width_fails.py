"""Notebook 05: average and line at borders on fresh samples, and on Engel's families in fresh splits."""
from functools import lru_cache

import numpy as np
import pytest
from claims.families import FOOD, INCOME, RICH, line, one_width, split_errors

import nwlab


def local_line(keys, values, queries):
    errors = []
    for h in (widths := np.geomspace(200, 3000, 8)):
        hat = nwlab.local_linear_weights(keys, keys, bandwidth=h)
        errors.append(np.mean(((values - hat @ values) / (1 - np.diag(hat))) ** 2))
    return nwlab.local_linear(queries, keys, values, bandwidth=widths[np.argmin(errors)])


@pytest.mark.claim("05-line-on-engel")
def test_the_local_line_inside_and_beyond(seeds, record_property):
    """Beyond the data it is worse than the other two, unless its width of 1200 francs reaches more than the last few
    families."""
    (local, beyond), (one, flat), (_, straight) = (split_errors(method, seeds(1)[0])
                                                   for method in (local_line, one_width, line))
    wins, ratio = np.mean(local < one), beyond / straight
    record_property("inside", f"better in {wins:.0%}")
    record_property("beyond, worse than one width in", f"{np.mean(beyond > flat):.0%}")
    record_property("beyond", f"worse in {np.mean(ratio > 1):.0%}, at worst {ratio.max():.1f} times")
    assert wins > 0.65 and min(np.mean(ratio > 1), np.mean(beyond > flat)) > 0.6 and ratio.max() > 2.5
    wide = []
    for seed in seeds(20):
        seen = (np.random.default_rng(seed).random(235) > 1 / 3) & ~RICH
        answers = nwlab.local_linear(INCOME[RICH], INCOME[seen], FOOD[seen], bandwidth=1200.0), \
            line(INCOME[seen], FOOD[seen], INCOME[RICH])
        wide.append(np.divide(*(np.mean((a - FOOD[RICH]) ** 2) for a in answers)))
    record_property("at 1200 francs, worse in", f"{np.mean(np.array(wide) > 1):.0%}")
    assert np.mean(np.array(wide) > 1) < 0.1


@lru_cache(maxsize=1)
def drawn(first: int) -> list:
    return [nwlab.make_regression(seed=seed) for seed in range(first, first + 100)]


@pytest.mark.claim("05-line-at-the-border")
def test_constant_and_line_at_the_left_border(seeds, record_property):
    """Truth 0. The average is off on any slope; with keys on both sides, or without the slope, it is not."""
    samples = drawn(seeds(1)[0])
    average, tilted = (np.array([method(0.0, s.keys, s.values, bandwidth=0.5)[0] for s in samples])
                        for method in (nwlab.nadaraya_watson, nwlab.local_linear))
    record_property("average", f"{average.mean():.2f} ± {average.std():.2f}")
    record_property("line", f"{tilted.mean():.2f} ± {tilted.std():.2f}")
    assert average.mean() > 1 and 0 < tilted.mean() < 0.3 and 1 < tilted.std() / average.std() < 1.5
    assert np.mean(np.abs(tilted) < np.abs(average)) > 0.9
    inside = np.arange(1, 4.05, 0.1)
    apart = np.abs([nwlab.nadaraya_watson(inside, s.keys, s.values, bandwidth=0.5)
                    - nwlab.local_linear(inside, s.keys, s.values, bandwidth=0.5) for s in samples])
    record_property("apart from 1 to 4, and at 0", f"{apart.mean():.2f}, {np.mean(average - tilted):.2f}")
    assert np.mean(apart < 0.2) > 0.9 and np.mean(average - tilted > 0.4) > 0.9
    for slope, low, expected in ((3, 0.0, 1.2), (3, -5.0, 0), (0, 0.0, 0)):
        n = round(10 * (5 - low))                           # keys equally dense
        draws = [nwlab.make_regression(n=n, low=low, truth=lambda x, b=slope: b * x, seed=seed) for seed in seeds(100)]
        mean = np.mean([nwlab.nadaraya_watson(0.0, s.keys, s.values, bandwidth=0.5)[0] for s in draws])
        record_property(f"slope {slope}, keys from {low:g}", f"{mean:.2f}")
        assert abs(mean - expected) < 0.2


@pytest.mark.claim("05-line-not-always")
def test_where_a_line_is_better_and_where_not(seeds, record_property):
    """With 3 x added, 4.9 is steep, and the line is better there. It takes many samples, since a single line that
    shoots off at the border moves the first ratio."""
    samples = [nwlab.make_regression(seed=seed) for seed in seeds(800)]

    def off(method, place, h, slope=0):
        answers = [method(place, s.keys, s.values + slope * s.keys, bandwidth=h) for s in samples]
        return np.array(answers) - samples[0].truth(place) - slope * place

    def ratio(place, h=0.3, of=lambda e: np.mean(e**2), slope=0):
        return of(off(nwlab.local_linear, place, h, slope)) / of(off(nwlab.nadaraya_watson, place, h, slope))

    found = [ratio(place) for place in (0.0, 4.9)]
    record_property("line / average at 0, at 4.9", np.round(found, 2))
    assert 0.2 < found[0] < 0.45 and found[1] > 1.9
    samples = samples[:200]
    steep = ratio(4.9, slope=3)
    record_property("at 4.9, made steep", np.round(steep, 1))
    variances = [ratio(place, of=np.var) for place in (2.5, 0.0, 4.9)]
    record_property("variance in the middle and at the borders", np.round(variances, 2))
    assert steep < 0.5 and 0.75 < variances[0] < 1.25 and min(variances[1:]) > 1.5
    smallest = [min(np.mean([(method(s.queries, s.keys, s.values, bandwidth=h) - s.targets) ** 2
                             for s in samples[:100]]) for h in (0.2, 0.25, 0.35, 0.4))
                for method in (nwlab.local_linear, nwlab.nadaraya_watson)]
    record_property("all queries, each at its best width", np.round(smallest, 3))
    assert 0.58 < smallest[0] / smallest[1] < 0.76


@pytest.mark.claim("05-orders")
def test_the_orders_of_the_bias(record_property):
    dense, fine = np.linspace(0, 5, 8001), np.geomspace(0.015, 0.1, 5)
    truth = nwlab.data.power_truth
    for place, expected in ((5.0, (1, 2)), (2.5, (2, 2))):
        for method, order in zip((nwlab.nadaraya_watson, nwlab.local_linear), expected, strict=True):
            bias = [abs(method(place, dense, truth(dense), bandwidth=h)[0] - truth(place)) for h in fine]
            slope = np.polyfit(np.log(fine), np.log(bias), 1)[0]
            record_property(f"{method.__name__} at {place}", f"{slope:.2f}")
            assert abs(slope - order) < 0.15


@pytest.mark.claim("05-shortcut-for-lines")
def test_the_shortcut_holds_for_a_local_line(seeds, record_property):
    """Equal to rounding in 20 samples of 25, at σ = 0.5."""
    largest = 0.0
    for seed in seeds(20):
        s = nwlab.make_regression(n=25, seed=seed)
        hat = nwlab.local_linear_weights(s.keys, s.keys, bandwidth=0.5)
        others = [nwlab.local_linear(s.keys[i], np.delete(s.keys, i), np.delete(s.values, i), bandwidth=0.5)[0]
                  for i in range(25)]
        quick = (s.values - hat @ s.values) / (1 - np.diag(hat))
        largest = max(largest, np.abs(quick - (s.values - others)).max())
    record_property("largest difference", f"{largest:.0e}")
    assert largest < 1e-10
