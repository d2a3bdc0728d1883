"""The claims of notebook 06, over fresh samples."""
from functools import cache

import numpy as np
import pytest
import torch
from claims import formulas
from claims.formulas import Samples, Valleys, by_log, gaussian

from nwlab import data, loo_error, nadaraya_watson, select_bandwidth


def by_sgd(valleys, w, rate, steps):
    return np.abs(formulas.by_sgd(valleys.slope, w, rate, steps))


def by_adam(valleys, w, rate=0.1, steps=200):
    """Adam on log w."""
    return np.exp(formulas.by_adam(by_log(valleys.slope), np.log(w), rate, steps))


@cache
def drawn_from(first):
    found = Samples(first, 60)
    found.first_20 = Valleys(found.keys[:20], found.values[:20])
    found.five_steps = by_sgd(found.left_out, found.start, 0.5, 5)
    found.adam = by_adam(found.left_out, found.start)
    return found


@pytest.fixture
def drawn(seeds):
    return drawn_from(seeds(1)[0])


def share(which) -> str:
    return f"{np.mean(which):.0%}"


@pytest.mark.claim("06-width-of-04")
def test_the_optimum_is_the_width_that_notebook_04_chooses(drawn, record_property):
    """To a step of the grid, 8 %."""
    chosen = np.array([1 / select_bandwidth(*s) for s in zip(drawn.keys[:20], drawn.values[:20])])
    apart = np.abs(np.log(chosen / drawn.optima[:20]))
    record_property("furthest apart", f"{np.expm1(apart.max()):.1%}")
    assert np.sum(apart < np.log(1.08)) >= 19                      # two dips may be equally deep, for once


@pytest.mark.claim("06-log-brings-back")
def test_the_logarithm_alone_brings_runs_back_from_the_flat_side_and_adam_alone_does_not(drawn, record_property):
    """From w = 50, in 200 steps at rate 0.1: log w with Adam and without, and Adam on w."""
    far, losses, passed = np.full(len(drawn.optima), 50.0), drawn.left_out, []

    def slope(w):
        passed.append(w)
        return losses.slope(w)

    ends = {"both": by_adam(losses, far), "Adam alone": formulas.by_adam(slope, far, 0.1, 200),
            "log w": np.exp(formulas.by_sgd(by_log(losses.slope), np.log(far), 0.1, 200))}
    near = {name: np.abs(w / drawn.optima - 1) <= 0.2 for name, w in ends.items()}
    for name, which in near.items():
        record_property(name, share(which))
    assert near["both"].mean() > 0.8 and near["log w"].mean() > 0.8 and near["Adam alone"].mean() < 0.1
    assert np.mean(ends["Adam alone"] > 1.2 * drawn.optima) > 0.9
    steps = np.abs(np.diff([*passed, ends["Adam alone"]], axis=0))                              # (200, samples)
    record_property("Adam alone: a step", f"{steps.mean():.3f}, ends {np.percentile(ends['Adam alone'], [10, 50, 90])}")
    assert len(steps) == 200 and 0.11 < steps.mean() < 0.13 and 23 < np.median(ends["Adam alone"]) < 29


@pytest.mark.claim("06-overshoot")
def test_five_steps_overshoot_with_the_diagonal_or_without(drawn, record_property):
    """Overshoot: more than 20 % above the optimum."""
    for name, w in {"five steps": drawn.five_steps, "diagonal kept": by_sgd(drawn.kept, drawn.start, 0.5, 5)}.items():
        record_property(name, share(w / drawn.optima > 1.2))
        assert np.mean(w / drawn.optima > 1.2) > 0.5


@pytest.mark.claim("06-small-rate")
def test_small_steps_do_not_overshoot(drawn, record_property):
    """Small steps end below or near the optimum; as many large ones mostly come back to it too."""
    ratio = by_sgd(drawn.left_out, drawn.start, 0.02, 300) / drawn.optima
    record_property("largest w / optimum", f"{ratio.max():.2f}")
    record_property("below 0.8", share(ratio < 0.8))
    assert np.mean(ratio > 1.2) <= 0.02 and np.median(ratio) > 0.8 and 0.05 < np.mean(ratio < 0.8) < 0.4
    large = by_sgd(drawn.first_20, drawn.start[:20], 0.5, 300)
    five, many = (np.mean(w / drawn.optima[:20] > 1.2) for w in (drawn.five_steps[:20], large))
    record_property("5 and 300 large steps, above 1.2", f"{five:.0%}, {many:.0%}")
    assert many < 0.5 < five


@pytest.mark.claim("06-rate-of-one-sample")
def test_a_rate_that_suits_one_sample_does_not_suit_half(drawn, record_property):
    """The rate 0.1, five steps from 0.5."""
    ratio = by_sgd(drawn.left_out, np.full_like(drawn.start, 0.5), 0.1, 5) / drawn.optima
    record_property("within 20 %", share(np.abs(ratio - 1) <= 0.2))
    assert 0.35 < np.mean(np.abs(ratio - 1) <= 0.2) < 0.65 and min(np.mean(ratio < 0.8), np.mean(ratio > 1.2)) > 0.04


@pytest.mark.claim("06-usually-a-valley")
def test_the_smallest_loss_usually_lies_in_a_valley(seeds, record_property):
    """At noise 0.5, and 1.5 for 50 keys: at neither end of the grid. A hill may come before its upper end."""
    grid = np.geomspace(0.01, 10_000, 90)
    for n, noise, count, low, high in (
            (50, 0.5, 150, 0, 0.02), (50, 1.5, 150, 0, 0.05), (20, 0.5, 150, 0, 0.05), (10, 0.5, 900, 0.02, 0.06)):
        samples = [data.make_regression(n=n, noise=noise, seed=seed) for seed in seeds(count)]
        valleys = Valleys(*(np.stack([getattr(s, name) for s in samples]) for name in ("keys", "values")))
        heights = np.array([valleys.at(w)[0] for w in grid])
        runs, stays = (heights[end] <= (1 + 1e-9) * heights.min(axis=0) for end in (-1, 0))
        record_property(f"{n} keys, noise {noise}", f"smallest without end {runs.mean():.1%}, at 0 {share(stays)}")
        assert low <= runs.mean() <= high and stays.mean() < 0.05


@pytest.mark.claim("06-adam-arrives")
def test_adam_on_log_w_arrives_in_more_than_eight_of_ten(drawn, record_property):
    """It arrives within 20 % of the optimum."""
    close = np.abs(drawn.adam / drawn.optima - 1) < 0.2
    record_property("arrive", share(close))
    assert 0.8 < close.mean() < 0.98


@pytest.mark.claim("06-slid-from-the-left")
def test_those_that_slid_started_at_a_small_w_left_of_a_hill(drawn, record_property):
    slid = drawn.adam < 0.01
    uphill = drawn.left_out.at(drawn.start)[1] > 0                          # towards the valley the loss rises first
    record_property("slid", f"{share(slid)}; of those on the other side {share(slid[~uphill])}")
    assert np.all(uphill[slid]) and np.all(drawn.start[slid] < 0.25)
    low, high = (by_adam(drawn.first_20, np.full(20, start)) < 0.01 for start in (0.03, 0.5))
    record_property("from 0.03", share(low))
    record_property("from 0.5", share(high))
    assert low.mean() > 0.2 and np.all(drawn.first_20.at(0.03)[1][low] > 0) and not high.any()


@pytest.mark.claim("06-covariance")
def test_every_slope_of_an_answer_is_a_covariance_under_its_weights(seeds, record_property):
    """By the width and by the query, of the package; and where one key has all the weight, they vanish."""
    flat = []
    for s in (data.make_regression(seed=seed) for seed in seeds(40)):
        for w in (0.5, 2.0, 5.0, 1e4):
            q, width = (torch.tensor(x, requires_grad=True) for x in (s.queries, np.full((50, 1), 1 / w)))
            answers = nadaraya_watson(q, torch.as_tensor(s.keys), torch.as_tensor(s.values), bandwidth=width)
            found = [slope.numpy() for slope in torch.autograd.grad(answers.sum(), (q, width))]
            alpha, apart = gaussian(s.queries, s.keys, 1 / w), s.queries[:, None] - s.keys      # (m, n)
            by_q, by_width = (np.sum(alpha * a * (s.values - (alpha @ s.values)[:, None]), axis=1)
                              for a in (-w**2 * apart, w**3 * apart**2))
            alone = alpha.max(axis=1) > 1 - 1e-9
            if w < 1e4:
                np.testing.assert_allclose(found[0], by_q, rtol=1e-6, atol=1e-9)
                np.testing.assert_allclose(found[1][:, 0], by_width, rtol=1e-6, atol=1e-9)
        flat.append(alone.mean())
        assert max(np.abs(found[0][alone]).max(), np.abs(found[1][alone]).max() / w**2) < 1e-3          # by w, at last
    record_property("queries where one key has all the weight at w = 10000", f"{np.mean(flat):.1%}")
    assert np.mean(flat) > 0.95


@pytest.mark.claim("06-whatever-the-values")
def test_with_the_diagonal_the_loss_goes_to_zero_for_any_values_but_not_for_tied_keys(drawn, record_property):
    """At a huge w it is below a thousandth of that at 0, for shuffled values too; with one tie it is not."""
    def left(keys, values):
        return np.array([np.sum((nadaraya_watson(k, k, v, bandwidth=1e-6) - v) ** 2) for k, v in zip(keys, values)])

    tied, shuffled = drawn.keys.copy(), np.random.default_rng(0).permuted(drawn.values, axis=1)
    tied[:, 1] = tied[:, 0]
    for values in (drawn.values, shuffled):
        assert np.all(left(drawn.keys, values) < 1e-3 * drawn.kept.at(0.0)[0])
    record_property("left with a tie, median", f"{np.median(left(tied, shuffled)):.2f}")
    np.testing.assert_allclose(left(tied, shuffled), (shuffled[:, 0] - shuffled[:, 1]) ** 2 / 2, atol=1e-2)


@pytest.mark.claim("06-runs-away")
def test_with_the_diagonal_w_runs_away_and_the_error_grows(drawn, record_property):
    """Without the diagonal the same 200 steps of Adam, from the same starts, end near the optimum."""
    run = by_adam(drawn.kept, drawn.start)
    record_property("left out, median w / optimum", f"{np.median(drawn.adam / drawn.optima):.2f}")
    worse = drawn.errors(run) > drawn.errors(drawn.optima)
    record_property("median w / optimum", f"{np.median(run / drawn.optima):.0f}")
    record_property("larger error", share(worse))
    assert (run / drawn.optima).min() > 1.2 and np.median(run / drawn.optima) > 10
    assert 0.9 < np.median(drawn.adam / drawn.optima) < 1.1
    assert worse.mean() > 0.93
    assert np.all(drawn.kept.at(2 * run)[0] <= drawn.kept.at(run)[0])       # and still downhill


@pytest.mark.claim("06-pure-noise")
def test_leave_one_out_finds_no_pattern_in_about_half_of_the_samples_of_noise(seeds, record_property):
    """It finds one in the others: where w > 0.1, values of neighbours are more alike than where w < 0.01."""
    rng = np.random.default_rng(seeds(1)[0])
    noise = Valleys(np.sort(rng.uniform(0, 5, (300, 50)), axis=1), rng.standard_normal((300, 50)))
    found = noise.optima(np.geomspace(0.001, 100, 30))
    record_property("w < 0.01", share(found < 0.01))
    record_property("w > 0.1", share(found > 0.1))
    assert 0.4 < np.mean(found < 0.01) < 0.62 and np.mean((found < 0.01) | (found > 0.1)) > 0.95
    off = noise.values - noise.values.mean(axis=1, keepdims=True)
    together = (off[:, 1:] * off[:, :-1]).mean(axis=1) / (off**2).mean(axis=1)
    pattern, none = together[found > 0.1].mean(), together[found < 0.01].mean()
    record_property("correlation of neighbours, pattern and none", f"{pattern:.2f}, {none:.2f}")
    assert pattern > none + 0.04


@pytest.mark.claim("06-twins")
def test_if_every_row_stands_twice_the_loss_falls_to_zero_again(drawn, record_property):
    """At a huge w: below a thousandth of the loss at 0, where the single rows keep more than a hundredth."""
    once, twice = (np.array([loo_error(np.repeat(keys, copies), np.repeat(values, copies), bandwidths=[1e-6, 1e6])
                             for keys, values in zip(drawn.keys[:20], drawn.values)]).T for copies in (1, 2))
    record_property("largest error of the twins", f"{twice[0].max():.1e}")
    assert np.all(twice[0] < 1e-3 * twice[1]) and np.all(once[0] > 1e-2 * once[1])


@pytest.mark.claim("06-plateau")
def test_the_slope_on_the_wall_is_a_hundred_times_that_on_the_plateau(drawn, record_property):
    nearest, heights, sizes = {}, {}, {}
    for w in (0.8, 20.0, 50.0, 100.0, 1000.0):
        height, slope = drawn.left_out.at(w)
        heights[w], sizes[w] = height.mean(), np.median(np.abs(slope))
        nearest[w] = np.median(drawn.left_out.weights(w).max(axis=2))
        record_property(f"w = {w:g}", f"loss {heights[w]:.1f}, slope {sizes[w]:.3g}, nearest weight {nearest[w]:.2f}")
    assert sizes[0.8] > 100 * sizes[20.0] > 500 * sizes[100.0]
    assert 0.5 < nearest[20.0] < 0.8 and nearest[50.0] > 0.95
    rises = [heights[b] / heights[a] - 1 for a, b in ((20.0, 50.0), (50.0, 1000.0))]
    record_property("the loss grows by", f"{rises[0]:.0%}, {rises[1]:.0%}")
    assert rises[0] > 1.5 * rises[1] and rises[1] < 0.12
    first = drawn.left_out.at(drawn.start)[1]
    ball = drawn.start - 0.5 * first
    ratio = np.abs(drawn.left_out.at(ball)[1] / first)
    record_property("slope after the first step / first", f"{np.median(ratio):.3f}")
    assert 0.003 < np.median(ratio) < 0.03
    s = data.make_regression(seed=0)                                        # the lesson's own, at its start and w = 20
    start, there = Valleys(np.stack([s.keys] * 2), np.stack([s.values] * 2)).slope(np.array([0.4963, 20.0]))
    assert 0.007 < abs(there / start) < 0.013 and 0.5 * there < 0.2


@pytest.mark.claim("06-bias-and-variance")
def test_a_quarter_of_the_width_has_less_bias_and_more_variance(seeds, record_property):
    samples, bias, variance = Samples(seeds(1)[0], 300), [], []
    for w in (5.0, 20.0):
        answers = samples.curves(w)
        scatter = answers.var(axis=0, ddof=1)
        bias.append(np.mean((answers.mean(axis=0) - samples.truth) ** 2 - scatter / 300))   # without chance's part
        variance.append(scatter.mean())
    record_property("bias²", f"{bias[0]:.4f} to {bias[1]:.4f}")
    record_property("variance", f"{variance[0]:.3f} to {variance[1]:.3f}")
    assert 3 * bias[1] < bias[0] and 2.5 < variance[1] / variance[0] < 3.6
