"""The figures of `consistency_rate`."""
import numpy as np

from workbook import palette
from workbook.checks.figures import both
from workbook.exercises.consistency_rate import items
from workbook.language import say

SIZES = np.array([100, 400, 1600, 6400])
THREE = (palette.INK, palette.LOCAL_LINEAR, palette.NEGATIVE)       # three sizes or dimensions: not the colours of keys
RULES = ((1, True, THREE[0]), (2, True, THREE[1]), (1, False, palette.MUTED))       # d, whether the width follows n


@both(say("mean squared error"), ("n = 100", THREE[0]), (say("1600 (dashes: d = 2)"), THREE[1]), ("25,600", THREE[2]))
def show_balance(ax, mean_squared_error, best_width):
    """The error against the width for three sizes, and for one in the plane, dots at the best width: yours, and as it should be."""  # noqa: E501
    widths = np.geomspace(0.04, 1.5, 80)
    for n, d, dashes, colour in zip((100, 1600, 25600, 1600), (1, 1, 1, 2), ("-", "-", "-", "--"), (*THREE, THREE[1])):
        at = n, d, *items.constants(d)
        ax.plot(widths, mean_squared_error(widths, *at), dashes, color=colour)
        h = float(best_width(*at))
        ax.plot(h, mean_squared_error(h, *at), "o", color=colour, markersize=8)
    ax.set(xscale="log", yscale="log", xlabel=say("width h"), xlim=(0.04, 1.5), ylim=(1e-4, 1))


@both(say("mean squared error"), (say("dots: measured"), palette.INK), (say("dashes: theory"), palette.INK))
def show_rate(ax, simulated_error, slope, rates, samples=40):
    """Simulated errors against n on log–log axes, with the line of theory: yours, and what it should look like.

    samples: of each size; fewer are quicker, and their slopes less sure.
    """
    for row, (d, follow, colour) in enumerate(RULES):
        of_width, of_error = rates(d)
        start = items.best_width(SIZES[0], d, *items.constants(d))              # all rules begin with it
        widths = start * (SIZES / SIZES[0]) ** (of_width if follow else 0)
        errors = np.array([np.mean([simulated_error(*items.sample(n, d, seed), h, 1.0) for seed in range(samples)])
                           for n, h in zip(SIZES.tolist(), widths.tolist())])
        places = {"d": d, "slope": f"{slope(SIZES, errors):.2f}", "theory": f"{of_error:.2f}"}
        line = (errors[0] * (SIZES / SIZES[0]) ** of_error, "--") if follow else (errors, ":")
        text = say("d = {d}: slope {slope}, theory {theory}") if follow else say("width stays: slope {slope}")
        ax.plot(SIZES, errors, "o", color=colour)
        ax.plot(SIZES, *line, color=colour, linewidth=1.2)
        ax.annotate(text.format(**places).replace("-", "−"), (0.03, 0.24 - 0.085 * row), xycoords="axes fraction",
                    color=colour, fontsize=9)
    ax.set(xscale="log", yscale="log", xlabel="n")
    ax.margins(y=0.4)                                                   # room for the words below


@both(say("slope of the error"), *((f"d = {d}", colour) for d, colour in zip((1, 2, 4), THREE)))
def show_powers(ax, error_exponent):
    """The slope of the error for every power of the width, for three dimensions: yours, and what it should look like."""  # noqa: E501
    alphas = np.union1d(np.linspace(0, 1, 101), 1 / (4 + np.array([1, 2, 4])))
    for d, colour in zip((1, 2, 4), THREE):
        slopes = np.array([error_exponent(float(alpha), d) for alpha in alphas])
        ax.plot(alphas, slopes, color=colour)
        ax.plot(alphas[slopes.argmin()], slopes.min(), "o", color=colour)
    ax.set(xlabel=say("α, where h goes like n to the power −α"), ylim=(-1.05, 0.3))
