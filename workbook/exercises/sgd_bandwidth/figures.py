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
    def slope(rho, keys, values, _, step=1e-5):
        more, less = (naive_loss(np.exp(rho + by), keys, values) for by in (step, -step))
        return (more - less) / (2 * step)

    path = items.descend(np.log(START), *drawn()[:2], False, RATE, STEPS, slope=slope)
    _losses(ax, (naive_loss, NAIVE, path))
    ax.set_xlabel(say("w      after {n} steps: w = {w}, loss {loss}", n=STEPS, w=_short(path[-1]),
                      loss=f"{naive_loss(path[-1], *drawn()[:2]):.2f}"))


@both(say("loss"), *NAMES)
def show_losses(ax, naive_loss, leave_one_out_loss):
    """The two losses over w, a diamond where leave-one-out is smallest: yours, and what it should look like."""
    curve = _losses(ax, (naive_loss, NAIVE), (leave_one_out_loss, LEFT_OUT))
    ax.plot(GRID[curve.argmin()], curve.min(), "D", color=LEFT_OUT)
    ax.set_xlabel(say("w      diamond: w = {w}, loss {loss}", w=_short(GRID[curve.argmin()]),
                      loss=f"{curve.min():.2f}"))


@both(say("loss"), *NAMES)
def show_paths(ax, naive_loss, leave_one_out_loss, descend):
    """Gradient descent on both losses: yours, and what it should look like; small dots on the way, large ones at the ends."""  # noqa: E501
    naive, near, far = (descend(np.log(start), *drawn()[:2], leave_one_out, RATE, STEPS) for start, leave_one_out in (
        (START, False), (START, True), (FAR_START, True)))
    _losses(ax, (naive_loss, NAIVE, naive), (leave_one_out_loss, LEFT_OUT, near, far))
    ax.set_xlabel(say("w\nends: naive {naive}; leave-one-out {first} and {second}", naive=_short(naive[-1]),
                      first=_short(near[-1]), second=_short(far[-1])))


@both(say("error against the truth"), *NAMES)
def show_errors(ax, descend, error_against_truth):
    """The error against the truth on the way of both runs: yours, and what it should look like."""
    steps, ends = np.union1d(np.arange(40), np.arange(40, STEPS + 1, 5)), []
    for leave_one_out, colour in ((False, NAIVE), (True, LEFT_OUT)):
        path = descend(np.log(START), *drawn()[:2], leave_one_out, RATE, STEPS)
        errors = [error_against_truth(w, *drawn()) for w in path[steps]]
        ax.plot(steps, errors, color=colour, clip_on=False)
        ends.append(f"{errors[-1]:.3f}")
    smallest = min(error_against_truth(w, *drawn()) for w in GRID)
    ax.axhline(smallest, zorder=0, **palette.TRUTH_LINE | {"linewidth": 1.0})
    ax.set_xscale("symlog", linthresh=1)
    ax.set_xticks([0, 1, 3, 10, 30, 100], ["0", "1", "3", "10", "30", "100"])
    ax.set(xlabel=say("step      ends: naive {naive}; leave-one-out {left_out}\ndashed: the smallest error of any w, "
                      "{error}", naive=ends[0], left_out=ends[1], error=f"{smallest:.3f}"),
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


def _losses(ax, *losses):
    """Of each (loss, colour, paths of w ...) the curve over w, and dots on its paths. Returns the last curve."""
    for loss, colour, *paths in losses:
        curve = np.array([loss(w, *drawn()[:2]) for w in GRID])
        ax.plot(GRID, curve, color=colour, linewidth=1.4)
        for path in paths:
            for shown, size in ((np.append(path[:20], path[20::10]), 4.5), (path[-1:], 9)):
                ax.plot(shown, [loss(w, *drawn()[:2]) for w in shown], "o", color=colour, markersize=size,
                        markeredgewidth=0, clip_on=False)
    ax.set(xscale="log", xlim=(0.2, 1000), ylim=(0, 70), xlabel="w")
    ax.xaxis.set_major_formatter(lambda w, _: f"{w:g}")
    return curve


def _short(w):
    """Three digits, and no powers of ten for the large."""
    return f"{w:.3g}" if w < 100 else f"{w:.0f}"
