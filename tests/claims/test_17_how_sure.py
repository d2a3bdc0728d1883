"""The claims of notebook 17 and of the exercise how_sure, over fresh samples: bands, noise, intervals, probabilities.

Shapes: s samples, m queries, n keys. Where the cause is bias, the control has the same keys and the same noise, and no
curve: its truth is 0.
"""
from functools import cache

import numpy as np
import pytest
from claims.families import FOOD, INCOME
from claims.formulas import gaussian
from scipy.special import erf

import nwlab

X = np.arange(50) * 0.1
HILL, BORDER = 19, 0
GROUPS = np.digitize(INCOME, [600, 1000, 2000])


def line(queries, keys, sigma):
    """The weights of a local line: each query's least squares by the normal equations."""
    rows = []
    for q, alpha in zip(queries, gaussian(queries, keys, sigma)):
        design = np.column_stack([np.ones(len(keys)), keys - q])
        rows.append(np.linalg.solve(design.T @ (alpha[:, None] * design), design.T * alpha)[0])
    return np.array(rows)


def noise_of(keys, values, sigma):
    rest = np.eye(len(keys)) - gaussian(keys, keys, sigma)
    return np.sqrt(np.sum((rest @ values) ** 2) / np.sum(rest**2))


class Drawn:
    """Samples, and the same without a curve."""

    def __init__(self, seeds):
        self.samples = [nwlab.make_regression(seed=seed) for seed in seeds]
        self.seeds, self.truth = seeds, self.samples[0].targets
        self.flat = [s.values - s.truth(s.keys) for s in self.samples]

    def held(self, *how, **more):
        """The share of bands that hold the truth: (m,)."""
        off, half = bands(self, *how, **more)
        return np.mean(np.abs(off) <= half, axis=0)


@cache
def weights_of(drawn, sigma, of):
    return np.array([of(X, s.keys, sigma) for s in drawn.samples])                      # (s, m, n)


@cache
def bands(drawn, sigma, of=gaussian, estimated=False, curve=True):
    """How far answers are off, and twice their standard errors: (s, m) each."""
    weights, values = weights_of(drawn, sigma, of), [s.values for s in drawn.samples] if curve else drawn.flat
    off = np.einsum("smn,sn->sm", weights, values) - drawn.truth * curve
    noise = [noise_of(s.keys, v, 0.22) if estimated else 0.5 for s, v in zip(drawn.samples, values)]
    return off, 2 * np.sqrt((weights**2).sum(axis=2)) * np.array(noise)[:, None]


def bootstrap(drawn, curve=True):
    """The fits (s, refits, m) of 100 drawn samples each."""
    found = []
    for seed, s, flat in zip(drawn.seeds, drawn.samples, drawn.flat):
        rows = np.random.default_rng([seed, 17]).integers(0, 50, (100, 50))
        counts = np.array([np.bincount(each, minlength=50) for each in rows])          # (refits, n)
        bumps = np.exp(-0.5 * ((X[:, None] - s.keys) / 0.22) ** 2)                      # (m, n)
        found.append((counts * (s.values if curve else flat)) @ bumps.T / (counts @ bumps.T))
    return np.array(found)


@cache
def drawn_from(first, count=400):
    return Drawn(range(first, first + count))


@pytest.fixture
def drawn(seeds):
    return drawn_from(seeds(1)[0])


def percent(shares) -> str:
    return ", ".join(f"{share:.0%}" for share in np.atleast_1d(shares))


@pytest.mark.claim("17-band")
def test_the_band_holds_the_truth_on_the_hill_and_not_at_the_border_where_answers_are_biased(drawn, record_property):
    with_curve, without = drawn.held(0.22), drawn.held(0.22, curve=False)
    off, half = bands(drawn, 0.22)
    record_property("hill, border", percent(with_curve[[HILL, BORDER]]))
    record_property("without a curve", percent(without[[HILL, BORDER]]))
    record_property("too high at the border in", percent(np.mean(off[:, BORDER] > 0)))
    assert 0.9 < with_curve[HILL] < 0.98 and 0.25 < with_curve[BORDER] < 0.45
    assert np.all(without > 0.9) and np.mean(off[:, BORDER] > 0) > 0.9
    assert half[:, BORDER].mean() > 1.2 * half[:, HILL].mean()


@pytest.mark.claim("17-compare")
def test_at_the_border_the_average_lies_above_the_line_because_of_bias(drawn, record_property):
    """The controls: the hill, and the same noise without a curve."""
    def gap(curve):
        average, tilted = bands(drawn, 0.22, curve=curve)[0], bands(drawn, 0.22, line, curve=curve)[0]
        return average - tilted
    with_curve, flat = gap(True), gap(False)
    above = np.mean(with_curve[:, BORDER] > 0), np.mean(flat[:, BORDER] > 0)
    record_property("average above line at the border, with and without a curve", percent(above))
    record_property("mean gap at the border and on the hill", with_curve.mean(axis=0)[[BORDER, HILL]].round(2))
    biases = [np.abs(bands(drawn, 0.22, of)[0].mean(axis=0)[BORDER]) for of in (gaussian, line)]
    record_property("bias at the border, average and line", np.round(biases, 2))
    assert above[0] > 0.9 and 0.42 < above[1] < 0.58 and np.abs(with_curve[:, HILL]).mean() < 0.1
    assert biases[1] < 0.3 * biases[0]


def redrawn(sigma, seed):
    """New noise for one sample: how far answers are off, with a curve and without, (m, draws); bias and error (m,)."""
    s, noise = nwlab.make_regression(), 0.5 * np.random.default_rng(seed).standard_normal((50, 1000))
    curve = s.truth(s.keys)[:, None]
    off, flat, bias = (nwlab.nadaraya_watson(X, s.keys, values, bandwidth=sigma)
                       for values in (curve + noise, noise, curve))
    truth, weights = s.targets[:, None], nwlab.attention_weights(X, s.keys, bandwidth=sigma)
    return off - truth, flat, (bias - truth)[:, 0], nwlab.standard_errors(weights, 0.5)


@pytest.mark.claim("how_sure-border")
def test_at_the_border_a_wide_window_misses_in_nearly_every_draw(seeds, record_property):
    """One sample's keys, with new noise. The control: the same noise without a curve."""
    off, flat, _, error = (found[0] for found in redrawn(0.5, seeds(1)[0]))
    shares = np.mean(off > 2 * error), np.mean(np.abs(flat) > 2 * error)
    record_property("draws that miss, and those without a curve", percent(shares))
    assert shares[0] > 0.98 and abs(shares[1] - 0.05) < 0.02


@pytest.mark.claim("how_sure-bias")
def test_84_and_50_of_100_bands_hold_the_truth_where_the_bias_is_one_and_two_standard_errors(seeds, record_property):
    found = []
    for sigma in np.geomspace(0.1, 1, 20):
        off, _, bias, error = redrawn(sigma, seeds(1)[0])
        found.append([np.abs(bias) / error, np.mean(np.abs(off) <= 2 * error[:, None], axis=1)])
    size, held = np.transpose(found, (1, 0, 2))
    shares = [held[np.abs(size - bias) < 0.1].mean() for bias in (0, 1, 2)]
    record_property("with a bias of 0, 1 and 2", percent(shares))
    np.testing.assert_allclose(shares, (0.95, 0.84, 0.5), atol=0.03)


@pytest.mark.claim("17-wider-is-worse")
def test_a_wider_kernel_has_a_narrower_band_that_misses_more_often(drawn, record_property):
    """Without a curve the narrower band holds the truth as often."""
    narrow, wide = bands(drawn, 0.22)[1], bands(drawn, 0.5)[1]
    held, flat, flat_narrow = drawn.held(0.5), drawn.held(0.5, curve=False), drawn.held(0.22, curve=False)
    record_property("without a curve, with 0.22 and 0.5", percent([flat_narrow.mean(), flat.mean()]))
    record_property("with 0.5: hill, border, all", percent([held[HILL], held[BORDER], held.mean()]))
    assert np.mean(wide < narrow) > 0.98 and np.all(wide.mean(axis=0) < narrow.mean(axis=0))
    assert held.mean() < drawn.held(0.22).mean() - 0.15 and held[HILL] < 0.6 and held[BORDER] < 0.02
    assert np.all(flat > 0.9) and abs(flat.mean() - flat_narrow.mean()) < 0.015


@pytest.mark.claim("17-noise")
def test_noise_from_residuals_is_right_to_a_tenth_and_too_large_where_the_kernel_is_too_wide(drawn, record_property):
    found = np.array([[noise_of(s.keys, s.values, 0.22), noise_of(s.keys, s.values, 1.0), noise_of(s.keys, flat, 1.0)]
                      for s, flat in zip(drawn.samples, drawn.flat)])
    record_property("at 0.22, at 1, at 1 without a curve", found.mean(axis=0).round(3))
    record_property("typically off by", percent(np.sqrt(np.mean((found[:, 0] / 0.5 - 1) ** 2))))
    assert abs(found[:, 0].mean() / 0.5 - 1) < 0.04 and np.sqrt(np.mean((found[:, 0] / 0.5 - 1) ** 2)) < 0.13
    assert found[:, 1].mean() > 0.7 and np.all(found[:, 1] > found[:, 0]) and abs(found[:, 2].mean() / 0.5 - 1) < 0.02
    naive = [np.sqrt(np.mean((s.values - gaussian(s.keys, s.keys, 0.22) @ s.values) ** 2)) for s in drawn.samples]
    assert np.mean(naive) < 0.46


@pytest.mark.claim("17-uneven")
def test_one_noise_for_all_families_is_too_large_for_the_poor_and_too_small_for_the_rich(seeds, record_property):
    """The control: the same misses, shuffled among the incomes."""
    sigma = nwlab.select_bandwidth(INCOME, FOOD)
    left_out = gaussian(INCOME, INCOME, sigma, hidden=np.eye(235, dtype=bool))
    missed, level = FOOD - left_out @ FOOD, noise_of(INCOME, FOOD, sigma)
    typical = np.array([np.sqrt(np.mean(missed[GROUPS == i] ** 2)) for i in range(4)])
    shuffled = [np.random.default_rng(seed).permutation(missed) for seed in seeds(200)]
    mixed = np.array([[np.sqrt(np.mean(some[GROUPS == i] ** 2)) for i in range(4)] for some in shuffled])
    record_property("one number, and by group", f"{level:.0f}, {typical.round()}")
    record_property("shuffled", mixed.mean(axis=0).round())
    assert round(level) == 94 and typical[0] < 0.7 * level and typical[1] < 0.8 * level and typical[3] > 4 * level
    rich = np.sort(np.abs(missed[GROUPS == 3]))
    record_property("rich: families, share of the farthest, the others", (len(rich), rich[-1] ** 2 / np.sum(rich**2)))
    assert len(rich) == 10 and 0.55 < rich[-1] ** 2 / np.sum(rich**2) < 0.65
    assert round(np.sqrt(np.mean(rich[:-1] ** 2))) == 264 and np.sum(np.abs(missed) > 700) == 1
    assert np.all(np.diff(typical) > 0) and np.mean(np.all(np.diff(mixed) > 0, axis=1)) < 0.15


@pytest.mark.claim("17-narrower")
def test_half_the_width_leaves_bias_at_the_border_and_widens_the_band_by_two_fifths(drawn, record_property):
    off, half = bands(drawn, 0.22, estimated=True)
    narrow_off, narrow_half = bands(drawn, 0.11, estimated=True)
    bias, left, wider = off[:, 0].mean(), narrow_off[:, 0].mean(), narrow_half.mean() / half.mean()
    held = drawn.held(0.11, estimated=True)
    record_property("bias at the border", f"{bias:.2f}, {left:.2f}")
    record_property("wider by, holds at the border and in all", f"{wider - 1:.0%}, {percent([held[0], held.mean()])}")
    assert 0.6 * bias < left < 0.78 * bias and 1.35 < wider < 1.5
    assert drawn.held(0.22, estimated=True)[0] + 0.2 < held[0] < 0.88 < 0.92 < held.mean()
    assert drawn.held(0.11, estimated=True, curve=False)[0] > 0.88


@pytest.mark.claim("17-line")
def test_the_band_of_a_line_keeps_the_promise_everywhere_and_costs_width_at_the_border(drawn, record_property):
    plain, tilted = (bands(drawn, 0.22, of, estimated=True)[1].mean(axis=0) for of in (gaussian, line))
    held = drawn.held(0.22, line, estimated=True)
    record_property("holds the truth: least, mean", percent([held.min(), held.mean()]))
    record_property("wider: mean, at x = 0", f"{tilted.mean() / plain.mean():.2f}, {tilted[0] / plain[0]:.2f}")
    assert held.min() > 0.9 and held.mean() > 0.93 and drawn.held(0.22, estimated=True)[0] < 0.5
    assert 1.05 < tilted.mean() / plain.mean() < 1.2 and 1.8 < tilted[0] / plain[0] < 2.6


@pytest.mark.claim("17-bootstrap")
def test_a_bootstrap_repeats_the_bias_and_holds_the_truth_less_often(drawn, record_property):
    fits, (off, _) = bootstrap(drawn), bands(drawn, 0.22)
    middle = fits.mean(axis=1) - drawn.truth                                            # (s, m)
    low, high = np.percentile(fits, [2.5, 97.5], axis=1)
    held = np.mean((low <= drawn.truth) & (drawn.truth <= high), axis=0)
    low, high = np.percentile(bootstrap(drawn, curve=False), [2.5, 97.5], axis=1)
    control = np.mean((low <= 0) & (0 <= high), axis=0)
    plain = drawn.held(0.22, estimated=True)
    record_property("bias at the border: answers, refits", f"{off[:, 0].mean():.2f}, {middle[:, 0].mean():.2f}")
    record_property("to the same side", percent(np.mean(middle[:, 0] * off[:, 0] > 0)))
    record_property("holds the truth: border, all; the plain band", percent([held[0], held.mean(), plain.mean()]))
    record_property("at the border without a curve", percent(control[0]))
    assert middle[:, 0].mean() > 0.9 * off[:, 0].mean() and np.mean(middle[:, 0] * off[:, 0] > 0) > 0.95
    assert held.mean() < plain.mean() - 0.02 and held[0] < 0.5 and control[0] > held[0] + 0.25


# --------------------------------------------------------------------------------------------------- the next value


@cache
def intervals(first, method="jackknife", spread=None, curve=True):
    """Which intervals hold a fresh value, and their widths: (s, m) each."""
    drawn, found = drawn_from(first), []
    for seed, s, flat in zip(drawn.seeds, drawn.samples, drawn.flat):
        fresh = drawn.truth * curve + 0.5 * np.random.default_rng([seed, 18]).standard_normal(50)
        low, high = nwlab.interval(X, s.keys, s.values if curve else flat, bandwidth=0.22, method=method, spread=spread)
        found.append([(low <= fresh) & (fresh <= high), high - low])
    return np.array(found).transpose(1, 0, 2)


@pytest.mark.claim("17-more-data")
def test_more_data_shrink_the_band_and_leave_the_interval_which_follows_the_noise(seeds, record_property):
    found = []
    for n, noise in ((50, 0.5), (800, 0.5), (800, 0.05)):
        for seed in seeds(20):
            s = nwlab.make_regression(n=n, noise=noise, seed=seed)
            weights = gaussian([1.9], s.keys, 0.22)
            low, high = nwlab.interval([1.9], s.keys, s.values, bandwidth=0.22)
            bias = weights @ s.truth(s.keys) - s.truth(np.array([1.9]))
            found.append([2 * noise * np.sqrt((weights**2).sum()), (high - low)[0] / 2, bias[0]])
    few, many, quiet = np.reshape(found, (3, 20, 3)).mean(axis=1)
    record_property("band, interval and bias, with 50, 800, 800 and a tenth of the noise", [few, many, quiet])
    assert many[2] < -0.03 and 0.6 < many[2] / few[2] < 1.6
    assert many[0] < 0.3 * few[0] and 0.85 < many[1] / few[1] < 1.05 and quiet[1] < 0.3 * many[1]


@pytest.mark.claim("17-jackknife-plus")
def test_jackknife_and_jackknife_plus_give_nearly_the_same(drawn, record_property):
    (held, wide), (held_plus, wide_plus) = (intervals(drawn.seeds[0], method) for method in ("jackknife", "jackknife+"))
    record_property("held", percent([held.mean(), held_plus.mean()]))
    assert abs(held.mean() - held_plus.mean()) < 0.01 and abs(wide_plus.mean() / wide.mean() - 1) < 0.02
    assert 0.88 < held_plus.mean() < 0.92


@pytest.mark.claim("17-promise")
def test_an_interval_keeps_its_promise_on_average_and_not_at_the_border(drawn, record_property):
    """The cause is bias: without a curve it keeps the promise at the border as well."""
    held, wide = intervals(drawn.seeds[0])
    control, _ = intervals(drawn.seeds[0], curve=False)
    record_property("all, left of 0.5, there without a curve", percent([held.mean(), held[:, :5].mean(),
                                                                        control[:, :5].mean()]))
    assert 0.88 < held.mean() < 0.92 and 0.79 < held[:, :5].mean() < 0.85 and control[:, :5].mean() > 0.87
    assert np.ptp(wide, axis=1).max() < 1e-9


@pytest.mark.claim("how_sure-interval")
def test_left_of_a_quarter_about_80_of_100_new_values_lie_inside_and_over_all_x_90(drawn, record_property):
    """The same without a curve: nothing is missing there."""
    held, control = (intervals(drawn.seeds[0], curve=curve)[0] for curve in (True, False))
    near = X < 0.25
    record_property("all, left of 0.25, there without a curve", percent([held.mean(), held[:, near].mean(),
                                                                         control[:, near].mean()]))
    assert 0.88 < held.mean() < 0.92 and 0.74 < held[:, near].mean() < 0.84 and control[:, near].mean() > 0.85


@pytest.mark.claim("17-one-sample")
def test_in_one_sample_the_share_differs_from_nine_in_ten(seeds, record_property):
    """The chance that a fresh value lies inside, so that what is left to vary is the sample."""
    shares = []
    for s in (nwlab.make_regression(seed=seed) for seed in seeds(3000)):
        below_low, below_high = ((1 + erf((end - s.targets) / 0.5 / 2**0.5)) / 2
                                 for end in nwlab.interval(X, s.keys, s.values, bandwidth=0.22))
        shares.append(np.mean(below_high - below_low))
    record_property("mean, standard deviation, below 85 %", np.round([np.mean(shares), np.std(shares),
                                                                     np.mean(np.less(shares, 0.85))], 3))
    assert 0.88 < np.mean(shares) < 0.92 and 0.045 < np.std(shares) < 0.055
    assert 1 / 8 < np.mean(np.less(shares, 0.85)) < 1 / 6.1


@pytest.mark.claim("17-spread")
def test_a_local_spread_widens_the_interval_at_the_border(drawn, record_property):
    (plain, wide), (local, wider) = (intervals(drawn.seeds[0], spread=spread) for spread in (None, 0.5))
    record_property("left of 0.5", percent([plain[:, :5].mean(), local[:, :5].mean()]))
    record_property("width there", f"{wide[:, :5].mean():.2f}, {wider[:, :5].mean():.2f}")
    assert 0.84 < local[:, :5].mean() < 0.9 and local[:, :5].mean() > plain[:, :5].mean() + 0.02
    assert wider[:, :5].mean() > 1.1 * wide[:, :5].mean() and 0.88 < local.mean() < 0.92


@pytest.mark.claim("17-engel")
def test_intervals_for_hidden_families_by_income_with_and_without_a_local_spread(seeds, record_property):
    """And with σ chosen anew, among twelve widths, without the hidden families."""
    fixed, shares = nwlab.select_bandwidth(INCOME, FOOD), []
    hidings = [np.random.default_rng(seed).random(235) < 1 / 3 for seed in seeds(300)]
    widths = np.geomspace(40, 300, 12)
    anew = [widths[np.argmin(nwlab.loo_error(INCOME[~h], FOOD[~h], bandwidths=widths))] for h in hidings]
    for spread, chosen in ((None, [fixed] * 300), (100, [fixed] * 300), (None, anew), (100, anew)):
        held, asked = [], []
        for hidden, sigma in zip(hidings, chosen):
            low, high = nwlab.interval(INCOME[hidden], INCOME[~hidden], FOOD[~hidden], bandwidth=sigma, spread=spread)
            held.extend((low <= FOOD[hidden]) & (FOOD[hidden] <= high))
            asked.extend(GROUPS[hidden])
        shares.append([np.mean(held), *(np.mean(held, where=np.equal(asked, i)) for i in range(4))])
    plain, local, *chosen_anew = np.array(shares)
    record_property("all and by income", percent(plain))
    record_property("with a local spread", percent(local))
    record_property("with σ chosen anew", [percent(each) for each in chosen_anew])
    assert np.all(np.abs(np.subtract(chosen_anew, [plain, local])) < 0.05)
    assert 0.87 < plain[0] < 0.93 and 0.87 < local[0] < 0.93
    assert plain[1] > 0.99 and 0.34 < plain[4] < 0.42
    assert np.all(np.abs(local[1:4] - 0.9) < 0.06) and plain[4] + 0.2 < local[4] < 0.85


@pytest.mark.claim("17-winner")
def test_the_smallest_leave_one_out_error_is_too_small_and_that_of_a_fixed_width_is_not(drawn, record_property):
    widths, found = np.geomspace(0.05, 2, 30), []
    for seed, s in zip(drawn.seeds, drawn.samples):
        rng = np.random.default_rng([seed, 19])
        places = rng.uniform(0, 5, 400)
        values = s.truth(places) + 0.5 * rng.standard_normal(400)
        errors = nwlab.loo_error(s.keys, s.values, bandwidths=widths)
        fresh = [np.mean((gaussian(places, s.keys, widths[i]) @ s.values - values) ** 2) for i in (errors.argmin(), 12)]
        found.append([errors.min(), fresh[0], errors[12], fresh[1]])
    winner, fresh, fixed, fresh_fixed = np.mean(found, axis=0)
    record_property("winner / fresh, fixed / fresh", f"{winner / fresh:.3f}, {fixed / fresh_fixed:.3f}")
    assert 0.9 < winner / fresh < 0.98 and fixed / fresh_fixed > winner / fresh + 0.02
    assert 0.97 < fixed / fresh_fixed < 1.05


@pytest.mark.claim("17-calibration")
def test_probabilities_are_calibrated_at_one_width_too_sure_below_and_not_sure_enough_above(seeds, record_property):
    """How far the true share lies nearer to one half than what was said, at both ends: positive is too sure."""
    too_sure = {}
    for sigma in (0.1, 0.4, 1.5):
        said, true = [], []
        for seed in seeds(150):
            keys, labels = nwlab.make_classes(n=100, seed=seed)
            new, new_labels = nwlab.make_classes(n=200, seed=seed + 10_000)
            said.append((1 + gaussian(new, keys, sigma) @ labels) / 2)
            true.append(new_labels > 0)
        said, true = np.concatenate(said), np.concatenate(true)
        ends = [(said[which].mean(), true[which].mean()) for which in
                (said < 0.1, (said >= 0.2) & (said < 0.4), (said >= 0.6) & (said < 0.8), said > 0.9)]
        too_sure[sigma] = np.array([abs(p - 0.5) - abs(share - 0.5) for p, share in ends])
        record_property(f"σ = {sigma}", too_sure[sigma].round(3))
    assert np.all(np.abs(too_sure[0.4]) < 0.06)
    assert np.all(too_sure[0.1][[0, -1]] > 0.025) and np.all(too_sure[0.1][[0, -1]] > too_sure[0.4][[0, -1]] + 0.02)
    assert np.all(too_sure[1.5] < -0.06)
