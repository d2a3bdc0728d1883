"""The figures of `warm_up`."""
import numpy as np

from workbook import palette, plots
from workbook.checks.figures import both
from workbook.exercises.warm_up import items
from workbook.language import say

QUERIES = np.array([50.0, 80.0, 90.0, 100.0, 120.0, 5000.0])


@both()
def show_weights(ax, scores_of, weights_of):
    """The weights of six queries and three houses, with their numbers: yours, and what it should look like."""
    weights = weights_of(scores_of(QUERIES, items.AREAS, items.SIGMA))
    plots.heatmap(ax, weights, colorbar=False)
    ax.set_xticks(range(len(items.AREAS)), [f"{area:.0f} m²" for area in items.AREAS])
    ax.set_yticks(range(len(QUERIES)), [f"{query:.0f} m²" for query in QUERIES])
    ax.tick_params(labelleft=True)
    ax.set(xlabel=say("keys"), ylabel=say("queries") if ax.get_subplotspec().is_first_col() else "")
    for (row, column), weight in np.ndenumerate(weights):
        below = ax.images[0].to_rgba(np.ma.masked_invalid([weight]))[0]
        colour = max(palette.INK, palette.PAPER, key=lambda colour: palette.contrast(colour, below))
        ax.text(column, row, _text(weight), ha="center", va="center", color=colour)


@both(say("price in thousand"), ink=palette.VALUE_INK)
def show_answers(ax, attend):
    """The answers to all areas from 40 to 150 m²: yours, and what it should look like."""
    queries = np.linspace(40, 150, 221)
    answers = attend(queries, items.AREAS, items.PRICES, items.SIGMA)
    at_100 = answers[np.argmin(np.abs(queries - 100))]
    ax.plot(queries, answers, **palette.ESTIMATE_LINE)
    ax.plot(items.AREAS, items.PRICES, "o", color=palette.VALUE)
    ax.axvline(100, **palette.QUERY_LINE)
    ax.plot(100, at_100, "o", color=palette.QUERY)
    ax.annotate(f"100 m²: {_text(at_100, 1)}", (100, at_100), (8, -14), textcoords="offset points",
                color=palette.QUERY_INK)
    ax.set_xlabel(say("floor area in m²"))


def _text(number, digits=2):
    return f"{number:.{digits}f}" if abs(number) < 1e4 else f"{number:.0e}" if np.isfinite(number) else "NaN"
