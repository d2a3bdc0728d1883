"""The figures of `consistency_rate`: yours on the left, what it should look like on the right."""
from __future__ import annotations

import functools
import math

import numpy as np

from nwlab import palette
from nwlab.exercises.consistency_rate import problems

SIZES = np.array([100, 400, 1600, 6400])
MARGIN = 1.0
THREE = (palette.INK, palette.LOCAL_LINEAR, palette.NEGATIVE)       # three sizes or dimensions: not the colours of keys


def right_width(n, d, a, b):
    return (d * b / 4 / a / n) ** (1 / (4 + d))


def show_balance(figure, mean_squared_error, best_width):
    """The error against the width for three sizes, with a dot at the best width: yours, and what it should look like."""
    a, b = problems.constants(1)
    widths = np.geomspace(0.04, 1.5, 80)
    for ax, law, best in zip(_pair(figure, pad=24), (mean_squared_error, problems.true_law), (best_width, right_width)):
        for n, colour in zip((100, 1600, 25600), THREE):
            ax.plot(widths, _numbers(law(widths, n, 1, a, b), widths.shape), color=colour)
            h = float(_numbers(best(n, 1, a, b)))
            ax.plot(h, float(_numbers(law(h, n, 1, a, b))), "o", color=colour, markersize=8)
        ax.set(xscale="log", yscale="log", xlabel="width h", xlim=(0.04, 1.5), ylim=(1e-4, 1))
        _names(ax, [(f"n = {n:,}", colour) for n, colour in zip((100, 1600, 25600), THREE)])
    figure.axes[0].set_ylabel("mean squared error")


def show_rate(figure, simulated_error, slope, rates, samples=40):
    """Simulated errors against n on log–log axes, with the line of theory: yours, and what it should look like.

    samples: of each size; fewer are quicker, and their slopes less sure.
    """
    mine = [_errors(d, simulated_error, _two(rates(d))[0], follow, samples) for d, follow in RULES]
    right = [_right_errors(d, follow, samples) for d, follow in RULES]
    for ax, found, slope_of, powers in zip(_pair(figure, pad=24), (mine, right), (slope, problems.true_slope),
                                           (rates, problems.true_rates)):
        for (d, follow), errors, colour in zip(RULES, found, (*THREE[:2], palette.MUTED)):
            ax.plot(SIZES, errors, "o", color=colour)
            said = f"{'d = ' + str(d) if follow else 'width stays'}: slope {float(_numbers(slope_of(SIZES, errors))):.2f}"
            if follow:
                power = _two(powers(d))[1]
                ax.plot(SIZES, errors[0] * (SIZES / SIZES[0]) ** power, "--", color=colour, linewidth=1.2)
                said += f", theory {power:.2f}"
            else:
                ax.plot(SIZES, errors, ":", color=colour, linewidth=1.2)
            ax.annotate(said.replace("-", "−"), (0.03, 0.24 - 0.085 * RULES.index((d, follow))), xycoords="axes fraction",
                        color=colour, fontsize=9)
        ax.set(xscale="log", yscale="log", xlabel="n", ylim=_around(mine, 1e-4, 0.15))
        _names(ax, [("dots: measured", palette.INK), ("dashes: theory", palette.INK)])
    figure.axes[0].set_ylabel("mean squared error")


def show_powers(figure, error_exponent):
    """The slope of the error for every power of the width, for three dimensions: yours, and what it should look like."""
    alphas = np.union1d(np.linspace(0, 1, 101), 1 / (4 + np.array([1, 2, 4])))
    for ax, exponent in zip(_pair(figure, pad=24), (error_exponent, problems.true_exponent)):
        for d, colour in zip((1, 2, 4), THREE):
            slopes = np.array([float(_numbers(exponent(float(alpha), d))) for alpha in alphas])
            ax.plot(alphas, slopes, color=colour)
            ax.plot(alphas[slopes.argmin()], slopes.min(), "o", color=colour)
        ax.set(xlabel="α, where h goes like n to the power −α", ylim=(-1.05, 0.3))
        _names(ax, [(f"d = {d}", colour) for d, colour in zip((1, 2, 4), THREE)])
    figure.axes[0].set_ylabel("slope of the error")


def show_price(figure, keys_needed):
    """How many times more keys half the error takes, for one to ten features: yours, and what it should look like."""
    features = np.arange(1, 11)
    for ax, needed in zip(_pair(figure), (keys_needed, problems.true_needed)):
        times = [float(_numbers(needed(0.5, int(d)))) for d in features]
        ax.bar(features, times, color=palette.KEY, alpha=0.75)
        for d, number in zip(features, times):
            if math.isfinite(number):
                ax.annotate(f"{number:.1f}", (d, max(0, number)), (0, 3), textcoords="offset points", ha="center", fontsize=9)
        ax.set(xlabel="features d", xticks=features)
        ax.margins(y=0.12)
    figure.axes[0].set_ylabel("times more keys for half the error")


RULES = ((1, True), (2, True), (1, False))                   # d, and whether the width follows n
LABELS = "yours", "what it should look like"


def _errors(d, simulated_error, width_power, follow, samples):
    """The mean error over the samples for each size (sizes,). All rules begin with the best width of the smallest size."""
    start = right_width(SIZES[0], d, *problems.constants(d))
    found = []
    for n in SIZES.tolist():
        h = start * (n / SIZES[0]) ** width_power if follow else start
        found.append(np.mean([float(_numbers(simulated_error(*problems.sample(n, d, seed), h, MARGIN)))
                              for seed in range(samples)]))
    return np.array(found)


@functools.lru_cache
def _right_errors(d, follow, samples):
    def error(queries, truth, keys, values, h, margin):
        inside = np.all((queries >= margin) & (queries <= problems.SIDE - margin), axis=1)
        weights = np.exp(-((queries[inside, None] - keys) ** 2).sum(axis=2) / (2 * h * h))
        return np.mean((weights @ values / weights.sum(axis=1) - truth[inside]) ** 2)

    return _errors(d, error, problems.true_rates(d)[0], follow, samples)


def _around(errors, low, high):
    """The limits of a log axis: low to high, and farther where errors lie beyond."""
    seen = np.concatenate(errors)
    seen = seen[np.isfinite(seen) & (seen > 0)]
    return min(low, seen.min(initial=1) / 4.5), max(high, seen.max(initial=0) * 2)


def _pair(figure, pad=8):
    axes = figure.subplots(1, 2, sharex=True, sharey=True)
    for ax, title in zip(axes, LABELS):
        ax.set_title(title, pad=pad)
    return axes


def _names(ax, words):
    from nwlab.plots import name_above

    name_above(ax, words)


def _two(powers):
    width, error = (float(_numbers(power)) for power in powers)
    return width, error


def _numbers(values, shape=()):
    """What a student's function returned, as an array. ValueError for another shape."""
    values = np.asarray(values, dtype=float)
    if values.shape != shape and not (shape == () and values.shape == (1,)):
        raise ValueError(f"got shape {values.shape}, expected {shape or 'one number'}")
    return values.reshape(shape)
