"""The figures of `worth_of_w`."""
import numpy as np

from nwlab.data import make_regression
from workbook import palette
from workbook.checks.figures import both, log_axis
from workbook.language import say

SIZES, SAMPLES = (25, 50, 100, 200, 400), 8
FIXED_W, WIDTHS = 2.0, np.geomspace(1.0, 24.0, 14)
FIXED, CHOSEN = palette.NEGATIVE, palette.KEY
RUNS = {say("old edition"): (0.5, 0.5, 1.0, 1), say("half the loss"): (0.5, 0.5, 0.5, 1),
        say("rate 0.05"): (0.5, 0.05, 1.0, 1), say("start at 0.2"): (0.2, 0.5, 1.0, 1),
        say("{n} steps", n=50): (0.5, 0.5, 1.0, 10)}                                    # w, rate, factor, calls
THREE_W = {0.5: ("w = 0.5", palette.MUTED), 5.0: ("5", palette.KEY), 20.0: ("20", palette.NEGATIVE)}


def drawn(n):
    """The samples of one size, the same for both sides of a figure."""
    return [make_regression(n=n, seed=seed) for seed in range(SAMPLES)]


@both(say("leave-one-out error"))
def show_loss(ax, leave_one_out_errors, best_w):
    """The leave-one-out error over w, with the best of eighty: yours, and what it should look like."""
    data, ws = make_regression(seed=0), np.geomspace(0.05, 100, 80)
    curve, w = (function(ws, data.keys, data.values) for function in (leave_one_out_errors, best_w))
    at = w, np.interp(np.log(w), np.log(ws), curve) if w > 0 else np.nan
    ax.plot(ws, curve, color=palette.INK)
    ax.plot(*at, "D", color=CHOSEN)
    ax.annotate(f"w = {w:.2f}", at, (0, -16), textcoords="offset points", ha="center", color=palette.KEY_INK)
    log_axis(ax.xaxis, (0.1, 1, 10, 100))
    ax.set(xlabel="w", xlim=(0.04, 125), ylim=(0, 1.4))


@both(say("error against the truth"), (say("fixed w = 2"), FIXED), (say("chosen w"), palette.KEY_INK))
def show_more_data(ax, two_rules):
    """The error against the truth over n, at a fixed and at the chosen w, eight samples each: yours, and as it should be."""  # noqa: E501
    for n in SIZES:
        samples = drawn(n)
        keys, values = (np.stack([getattr(s, name) for s in samples]) for name in ("keys", "values"))
        errors = two_rules(samples[0].queries, samples[0].targets, keys, values, FIXED_W, WIDTHS)
        _spread(ax, n * 0.95, errors[:, 0], FIXED)
        _spread(ax, n * 1.05, errors[:, 1], CHOSEN)
    log_axis(ax.yaxis, (0.01, 0.03, 0.1, 0.3))


@both(say("chosen w"))
def show_chosen(ax, best_w):
    """The chosen w over n, eight samples of each size: yours, and what it should look like."""
    for n in SIZES:
        _spread(ax, n, np.array([best_w(WIDTHS, s.keys, s.values) for s in drawn(n)]), CHOSEN)
    log_axis(ax.yaxis, (1, 2, 5, 10, 20))


@both(say("weight / nearest key's weight"), *THREE_W.values(), (say("query"), palette.QUERY_INK))
def show_sharper(ax, log_weight_gaps):
    """How much each key weighs beside the nearest one, for three w: yours, and what it should look like."""
    keys, query = make_regression(seed=0).keys, 2.5
    for w, (_, colour) in THREE_W.items():
        ax.plot(keys, np.exp(-log_weight_gaps(query, keys, w)), "o-", color=colour, markersize=3, linewidth=1.2)
    ax.axvline(query, **palette.QUERY_LINE)
    ax.set(xlabel=say("key"), ylim=(-0.05, 1.1))


@both()
def show_endings(ax, five_steps, best_w):
    """Where five steps (or fifty) end under five settings, and what leave-one-out chooses, eight samples: yours, and as it should be."""  # noqa: E501
    samples, rows = drawn(50), [*RUNS, say("leave-one-out")]
    for row, (w, rate, factor, calls) in enumerate(RUNS.values()):
        ends = [w] * len(samples)
        for _ in range(calls):                               # each call goes on where the one before it ended
            ends = [float(five_steps(end, s.keys, s.values, rate, factor)[-1]) for end, s in zip(ends, samples)]
        _row(ax, row, np.abs(ends), palette.INK)
    _row(ax, len(RUNS), np.array([best_w(WIDTHS, s.keys, s.values) for s in samples]), CHOSEN)
    log_axis(ax.xaxis, (0.1, 1, 10, 100))
    ax.set(xlabel=say("|w|, as −w gives the same weights;\nlarge dot and number: the middle of 8"),
           xlim=(0.03, 400), ylim=(len(rows) - 0.5, -0.5))
    ax.set_yticks(range(len(rows)), rows)
    ax.tick_params(axis="y", length=0)


def _row(ax, row, w, colour):
    """Each sample's w as a pale dot, the median as a dot with its number. What lies left of 0.05 is shown there."""
    middle = np.median(w)
    ax.axhline(row, color=palette.FAINT, linewidth=0.8, zorder=0)
    ax.plot(np.maximum(w, 0.05), np.full(len(w), row), "o", color=colour, alpha=0.3, markersize=5, markeredgewidth=0)
    ax.plot(max(middle, 0.05), row, "o", color=colour, markersize=7)
    ax.text(380, row - 0.1, f"{middle:.1f}", ha="right", va="bottom", color=colour)


def _spread(ax, n, found, colour):
    ax.plot(np.full(len(found), n), found, "o", color=colour, alpha=0.35, markersize=4, markeredgewidth=0)
    ax.plot(n, np.exp(np.mean(np.log(found))), "_", color=colour, markersize=16, markeredgewidth=2.4)
    log_axis(ax.xaxis, SIZES)
    ax.set(xlim=(20, 500), xlabel=say("n;  dash: the geometric mean of 8"))
