"""The figures of `how_sure`."""
from functools import cache

import numpy as np

from nwlab.data import make_regression
from nwlab.pooling import attention_weights
from workbook import palette
from workbook.checks.figures import both
from workbook.language import say

WIDTHS = ((0.22, palette.KEY), (0.5, palette.NEGATIVE))
NAMES = (("σ = 0.22", palette.KEY_INK), ("σ = 0.5", palette.NEGATIVE_INK))


@cache
def sample(seed=0):
    return make_regression(seed=seed)


@both("y", (say("estimate ± 2 standard errors"), palette.INK), (say("truth"), palette.MUTED), ink=palette.VALUE_INK)
def show_band(ax, answer_variances, effective_keys):
    """The fit with its band, and the effective keys at three queries: yours, and what it should look like."""
    data, x = sample(), sample().queries
    weights = attention_weights(x, data.keys, bandwidth=0.22)
    answers, errors = weights @ data.values, np.sqrt(answer_variances(weights, np.full(50, 0.5)))
    ax.fill_between(x, answers - 2 * errors, answers + 2 * errors, color=palette.INK, alpha=0.2)
    ax.plot(data.keys, data.values, "o", color=palette.VALUE, markersize=3)
    ax.plot(x, data.targets, **palette.TRUTH_LINE)
    ax.plot(x, answers, **palette.ESTIMATE_LINE)
    for row in (0, 20, 45):
        ax.annotate(f"{effective_keys(weights)[row]:.1f}", (x[row], -0.9), ha="center", color=palette.KEY_INK)
    ax.set(xlabel=say("x;  blue: effective keys"), ylim=(-1.2, 5.2))


@both(say("estimate of the noise"), (say("dots: 30 samples"), palette.MUTED), (say("bar: their mean"), palette.INK))
def show_noise(ax, noise_level):
    """The noise, estimated at three widths in thirty samples, with a dashed line at the true one: yours, and as it should be."""  # noqa: E501
    for place, sigma in enumerate((0.1, 0.22, 1.0)):
        found = [noise_level(attention_weights(one.keys, one.keys, bandwidth=sigma), one.values)
                 for one in map(sample, range(30))]
        ax.plot(np.full(len(found), place), found, "o", color=palette.MUTED, alpha=0.4, markersize=4)
        ax.plot(place, np.mean(found), "_", color=palette.INK, markersize=30, markeredgewidth=2.4)
    ax.axhline(0.5, **palette.TRUTH_LINE)
    ax.set(xticks=range(3), xticklabels=["0.1", "0.22", "1"], xlabel=say("width σ"), xlim=(-0.5, 2.5), ylim=(0, 1.1))


@both(say("share of bands that hold the truth"), *NAMES)
def show_coverage(ax, coverage):
    """The share of 400 draws whose band holds the truth, at two widths: yours, and what it should look like."""
    data, draws = sample(), np.random.default_rng(0).standard_normal((400, 50))
    _at_widths(ax, lambda weights: coverage(weights, data.truth(data.keys), data.targets, 0.5, draws))
    ax.axhline(0.95, **palette.TRUTH_LINE)
    ax.set_ylim(-0.04, 1.08)


@both(say("bias, in standard errors"), *NAMES)
def show_bias(ax, bias_in_errors):
    """The bias in standard errors at two widths, with a grey zone of one on each side: yours, and what it should look like."""  # noqa: E501
    data = sample()
    ax.axhspan(-1, 1, color=palette.FAINT)
    _at_widths(ax, lambda weights: bias_in_errors(weights, data.truth(data.keys), data.targets, 0.5))


@both("y", (say("90 % interval"), palette.INK), (say("fresh values outside"), palette.NEGATIVE_INK),
      ink=palette.VALUE_INK)
def show_interval(ax, interval):
    """The interval for a next value, with the values of twenty fresh samples: yours, and what it should look like."""
    data = sample(2)
    smoother = attention_weights(data.keys, data.keys, bandwidth=0.22)
    keys, values = np.array(sorted(pair for one in map(sample, range(10, 30)) for pair in zip(one.keys, one.values))).T
    low, high = interval(attention_weights(keys, data.keys, bandwidth=0.22), smoother, data.values, 0.9)
    inside = (values >= low) & (values <= high)
    ax.fill_between(keys, low, high, color=palette.INK, alpha=0.2)
    for which, colour in ((inside, palette.VALUE), (~inside, palette.NEGATIVE)):
        ax.plot(keys[which], values[which], ".", color=colour, markersize=3)
    ax.set_xlabel(say("x;  inside: {share}, left of 0.25: {left}", share=f"{inside.mean():.0%}",
                      left=f"{inside[keys < 0.25].mean():.0%}"))


def _at_widths(ax, of_weights):
    x, keys = sample().queries, sample().keys
    for sigma, colour in WIDTHS:
        ax.plot(x, of_weights(attention_weights(x, keys, bandwidth=sigma)), color=colour)
    ax.set_xlabel("x")
