"""The figures of `sgd_bandwidth`."""
from functools import cache

import numpy as np

from nwlab.data import make_regression
from workbook import palette
from workbook.checks.figures import both
from workbook.exercises.common import weights_of_w
from workbook.exercises.sgd_bandwidth import items
from workbook.language import say

START, FAR_START, RATE, STEPS = 1.0, 20.0, 0.02, 200
GRID = np.geomspace(0.2, 1000, 120)
NAIVE, LEFT_OUT = palette.NEGATIVE, palette.INK
NAMES = (say("naive"), NAIVE), (say("leave-one-out"), LEFT_OUT)


@cache
def drawn():
    """Keys and values of the fifty noisy points of notebook 06, and queries and targets to ask of them."""
    sample = make_regression(n=50, noise=0.5, seed=0)
    return sample.keys, sample.values, sample.queries, sample.targets


@both(say("naive loss"))
def show_runaway(ax, naive_loss):
    """Your naive loss over w, and gradient descent on it from w = 1: yours, and what it should look like."""
    loss, step = _over_w(naive_loss), 1e-5                              # of log w, for the slope
    path = items.descend(np.log(START), *drawn()[:2], False, RATE, STEPS, slope=lambda rho, *_: (
        loss(np.exp(rho + step)) - loss(np.exp(rho - step))) / (2 * step))
    _losses(ax, (loss, NAIVE))
    _run(ax, path, loss, NAIVE)
    ax.set_xlabel(say("w      after {n} steps: w = {w}, loss {loss}", n=STEPS, w=_short(path[-1]),
                      loss=f"{loss(path[-1]):.2f}"))


@both(say("loss"), *NAMES)
def show_losses(ax, naive_loss, leave_one_out_loss):
    """The two losses over w, a diamond where leave-one-out is smallest: yours, and what it should look like."""
    curve = _losses(ax, (_over_w(naive_loss), NAIVE), (_over_w(leave_one_out_loss), LEFT_OUT))
    ax.plot(GRID[curve.argmin()], curve.min(), "D", color=LEFT_OUT)
    ax.set_xlabel(say("w      diamond: w = {w}, loss {loss}", w=_short(GRID[curve.argmin()]),
                      loss=f"{curve.min():.2f}"))


@both(say("loss"), *NAMES)
def show_paths(ax, naive_loss, leave_one_out_loss, descend):
    """Gradient descent on both losses: yours, and what it should look like; small dots on the way, large ones at the ends."""  # noqa: E501
    naive, left_out = (_over_w(naive_loss), NAIVE), (_over_w(leave_one_out_loss), LEFT_OUT)
    _losses(ax, naive, left_out)
    ends = []
    for start, leave_one_out in (START, False), (START, True), (FAR_START, True):
        path = _path(descend, start, leave_one_out)
        _run(ax, path, *(left_out if leave_one_out else naive))
        ends.append(_short(path[-1]))
    ax.set_xlabel(say("w      ends: naive {naive}; leave-one-out {first} and {second}", naive=ends[0], first=ends[1],
                      second=ends[2]))


@both(say("error against the truth"), *NAMES)
def show_errors(ax, descend, error_against_truth):
    """The error against the truth on the way of both runs: yours, and what it should look like."""
    steps, below = np.union1d(np.arange(40), np.arange(40, STEPS + 1, 5)), -1.0
    for leave_one_out, colour in ((True, LEFT_OUT), (False, NAIVE)):
        errors = [error_against_truth(w, *drawn()) for w in _path(descend, START, leave_one_out)[steps]]
        ax.plot(steps, errors, color=colour, clip_on=False)
        place = errors[-1] if abs(errors[-1] - below) > 0.03 else below + 0.03      # where both end alike
        ax.text(STEPS, place + 0.008, f"{errors[-1]:.3f}", color=colour, ha="right", va="bottom")
        below = place
    smallest = min(error_against_truth(w, *drawn()) for w in GRID)
    ax.axhline(smallest, zorder=0, **palette.TRUTH_LINE | {"linewidth": 1.0})
    ax.set_xscale("symlog", linthresh=1)
    ax.set_xticks([0, 1, 3, 10, 30, 100], ["0", "1", "3", "10", "30", "100"])
    ax.set(xlabel=say("step      dashed: the smallest error of any w, {error}", error=f"{smallest:.3f}"),
           xlim=(0, STEPS), ylim=(0, 0.4))


def show_limits(figure, best_w):
    """The curve at the w that your best_w chooses: for the sample, for pure noise (twice), for a file with every row twice."""  # noqa: E501
    x = np.linspace(0, 5, 501)
    noise = [np.random.default_rng(seed) for seed in (0, 12)]
    noise = [(np.sort(rng.uniform(0, 5, 50)), rng.standard_normal(50)) for rng in noise]
    cases = ((say("the sample"), *drawn()[:2]), (say("noise alone"), *noise[0]), (say("noise again"), *noise[1]),
             (say("every row twice"), *(np.repeat(x, 2) for x in drawn()[:2])))
    for ax, (title, keys, values) in zip(figure.subplots(1, 4), cases):
        w, right = best_w(GRID, keys, values), best_w.right(GRID, keys, values)
        ax.scatter(keys, values, s=14, color=palette.VALUE, alpha=0.6, linewidths=0)
        ax.plot(x, weights_of_w(x, keys, w) @ values, **palette.ESTIMATE_LINE | {"linewidth": 1.6})
        ax.set(title=title, xlabel=say("best w: yours {w}\nright {right}", w=_short(w), right=_short(right)))
    figure.axes[0].set_ylabel(say("value"), color=palette.VALUE_INK)


def _over_w(loss):
    return lambda w: loss(w, *drawn()[:2])


def _path(descend, start, leave_one_out):
    return descend(np.log(start), *drawn()[:2], leave_one_out, RATE, STEPS)


def _losses(ax, *losses):
    """The curve of each (loss, colour) over w. Returns the last one."""
    for loss, colour in losses:
        curve = np.array([loss(w) for w in GRID])
        ax.plot(GRID, curve, color=colour, linewidth=1.4)
    ax.set(xscale="log", xlim=(0.2, 1000), ylim=(0, 70), xlabel="w")
    ax.xaxis.set_major_formatter(lambda w, _: f"{w:g}")
    return curve


def _run(ax, path, loss, colour):
    shown = np.append(path[:20], path[20::10])
    ax.plot(shown, [loss(w) for w in shown], "o", color=colour, markersize=4.5, markeredgewidth=0, clip_on=False)
    ax.plot(path[-1], loss(path[-1]), "o", color=colour, markersize=9, clip_on=False)


def _short(w):
    """Three digits, and no powers of ten for the large."""
    return f"{w:.3g}" if w < 100 else f"{w:.0f}"
