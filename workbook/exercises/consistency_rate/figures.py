"""The figures of `consistency_rate`: yours on the left, what it should look like on the right."""
import numpy as np

from workbook import palette
from workbook.checks.figures import checked, pair
from workbook.exercises.consistency_rate import problems as p

SIZES = np.array([100, 400, 1600, 6400])
RULES = ((1, True), (2, True), (1, False))                          # d, and whether the width follows n
THREE = (palette.INK, palette.LOCAL_LINEAR, palette.NEGATIVE)       # three sizes or dimensions: not the colours of keys


def show_balance(figure, mean_squared_error, best_width):
    """The error against the width for three sizes, and for one in the plane, dots at the best width: yours, and as it should be."""  # noqa: E501
    widths, curves = np.geomspace(0.04, 1.5, 80), [(n, 1, "-") for n in (100, 1600, 25600)] + [(1600, 2, "--")]
    laws, rules = (mean_squared_error, p.law), (best_width, p.best_width)
    names = ("n = 100", THREE[0]), ("1600 (dashes: d = 2)", THREE[1]), ("25,600", THREE[2])
    for ax, law, best in zip(pair(figure, "mean squared error", *names), laws, rules):
        for (n, d, dashes), colour in zip(curves, (*THREE, THREE[1])):
            at = n, d, *p.constants(d)
            ax.plot(widths, checked(law(widths, *at), widths.shape), dashes, color=colour)
            h = _number(best(*at))
            ax.plot(h, _number(law(h, *at)), "o", color=colour, markersize=8)
        ax.set(xscale="log", yscale="log", xlabel="width h", xlim=(0.04, 1.5), ylim=(1e-4, 1))


def show_rate(figure, simulated_error, slope, rates, samples=40):
    """Simulated errors against n on log–log axes, with the line of theory: yours, and what it should look like.

    samples: of each size; fewer are quicker, and their slopes less sure.
    """
    sides = (simulated_error, slope, rates), (p.simulated_error, p.slope, p.rates)
    names = ("dots: measured", palette.INK), ("dashes: theory", palette.INK)
    for ax, (simulated, slope_of, powers) in zip(pair(figure, "mean squared error", *names), sides):
        for row, ((d, follow), colour) in enumerate(zip(RULES, (*THREE[:2], palette.MUTED))):
            errors = _errors(d, simulated, _number(powers(d)[0]), follow, samples)
            power, measured = _number(powers(d)[1]), f"{_number(slope_of(SIZES, errors)):.2f}"
            line = (errors[0] * (SIZES / SIZES[0]) ** power, "--") if follow else (errors, ":")
            text = f"d = {d}: slope {measured}, theory {power:.2f}" if follow else f"width stays: slope {measured}"
            ax.plot(SIZES, errors, "o", color=colour)
            ax.plot(SIZES, *line, color=colour, linewidth=1.2)
            ax.annotate(text.replace("-", "−"), (0.03, 0.24 - 0.085 * row), xycoords="axes fraction", color=colour,
                        fontsize=9)
        ax.set(xscale="log", yscale="log", xlabel="n")
        ax.margins(y=0.4)                                           # room for the words below


def show_powers(figure, error_exponent):
    """The slope of the error for every power of the width, for three dimensions: yours, and what it should look like."""  # noqa: E501
    alphas = np.union1d(np.linspace(0, 1, 101), 1 / (4 + np.array([1, 2, 4])))
    names = ((f"d = {d}", colour) for d, colour in zip((1, 2, 4), THREE))
    for ax, exponent in zip(pair(figure, "slope of the error", *names), (error_exponent, p.error_exponent)):
        for d, colour in zip((1, 2, 4), THREE):
            slopes = np.array([_number(exponent(float(alpha), d)) for alpha in alphas])
            ax.plot(alphas, slopes, color=colour)
            ax.plot(alphas[slopes.argmin()], slopes.min(), "o", color=colour)
        ax.set(xlabel="α, where h goes like n to the power −α", ylim=(-1.05, 0.3))


def show_price(figure, keys_needed):
    """How many times more keys a smaller error takes, for one to ten features: yours, and what it should look like."""
    features = np.arange(1, 11)
    names = ("bars: half the error", palette.KEY_INK), ("diamonds: 0.8 of it", palette.INK)
    for ax, needed in zip(pair(figure, "times more keys", *names), (keys_needed, p.keys_needed)):
        half, less = ([_number(needed(ratio, int(d))) for d in features] for ratio in (0.5, 0.8))
        ax.bar_label(ax.bar(features, half, color=palette.KEY, alpha=0.75), fmt="%.1f", padding=3, fontsize=9)
        ax.plot(features, less, "D", color=palette.INK, markersize=5)
        ax.set(xlabel="features d", xticks=features)
        ax.margins(y=0.12)


def _errors(d, simulated_error, width_power, follow, samples):
    """The mean error over the samples for each size (sizes,). All rules begin with the best width of the smallest."""
    start = p.best_width(SIZES[0], d, *p.constants(d))
    widths = start * (SIZES / SIZES[0]) ** (width_power if follow else 0)
    found = [[_number(simulated_error(*p.sample(n, d, seed), h, 1.0)) for seed in range(samples)]
             for n, h in zip(SIZES.tolist(), widths.tolist())]
    return np.mean(found, axis=1)


def _number(value):
    return float(checked(np.squeeze(value), ()))
