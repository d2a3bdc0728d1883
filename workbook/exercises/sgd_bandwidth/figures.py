"""The figures of `sgd_bandwidth`: yours on the left, what it should look like on the right."""
from functools import cache, partial

import numpy as np

from nwlab.data import make_regression
from workbook import palette
from workbook.checks.figures import checked, pair, tensors
from workbook.exercises.common import weights_of_w
from workbook.exercises.sgd_bandwidth import problems as p

START, FAR_START, RATE, STEPS = 1.0, 20.0, 0.02, 200
GRID = np.geomspace(0.2, 1000, 120)
NAIVE, LEFT_OUT = palette.NEGATIVE, palette.INK
NAMES = [("naive", NAIVE), ("leave-one-out", LEFT_OUT)]


@cache
def drawn():
    """The fifty noisy points of notebook 06, (keys, values), and what to ask of them, (queries, targets)."""
    sample = make_regression(n=50, noise=0.5, seed=0)
    return (sample.keys, sample.values), (sample.queries, sample.targets)


def show_runaway(figure, naive_loss):
    """Your naive loss over w, and gradient descent on it from w = 1: yours, and what it should look like."""
    paths = right_path(START, False, slope=partial(_slope, naive_loss)), right_path(START, False)
    for ax, loss, ws in zip(pair(figure, "naive loss"), _both(naive_loss, False), paths):
        _losses(ax, (loss, NAIVE))
        _run(ax, ws, loss, NAIVE)
        ax.set_xlabel(f"w      after {STEPS} steps: w = {_short(ws[-1])}, loss {loss(ws[-1]):.2f}")


def show_losses(figure, naive_loss, leave_one_out_loss):
    """The two losses over w, a diamond where leave-one-out is smallest: yours, and what it should look like."""
    losses = _both(naive_loss, False), _both(leave_one_out_loss, True)
    for ax, kept, dropped in zip(pair(figure, "loss", *NAMES), *losses):
        curve = _losses(ax, (kept, NAIVE), (dropped, LEFT_OUT))
        ax.plot(GRID[curve.argmin()], curve.min(), "D", color=LEFT_OUT)
        ax.set_xlabel(f"w      diamond: w = {_short(GRID[curve.argmin()])}, loss {curve.min():.2f}")


def show_paths(figure, naive_loss, leave_one_out_loss, descend):
    """Gradient descent on both losses: yours, and what it should look like; small dots on the way, large ones at the ends."""  # noqa: E501
    losses = _both(naive_loss, False), _both(leave_one_out_loss, True)
    for ax, kept, dropped, path in zip(pair(figure, "loss", *NAMES), *losses, (_path_of(descend), right_path)):
        _losses(ax, (kept, NAIVE), (dropped, LEFT_OUT))
        runs = path(START, False), path(START, True), path(FAR_START, True)
        for ws, loss, colour in zip(runs, (kept, dropped, dropped), (NAIVE, LEFT_OUT, LEFT_OUT)):
            _run(ax, ws, loss, colour)
        ends = [_short(ws[-1]) for ws in runs]
        ax.set_xlabel(f"w      ends: naive {ends[0]}; leave-one-out {ends[1]} and {ends[2]}")


def show_errors(figure, descend, error_against_truth):
    """The error against the truth on the way of both runs: yours, and what it should look like."""
    sample = (*drawn()[0], *drawn()[1])
    both = lambda w: float(error_against_truth(*tensors(w, *sample))), lambda w: p.error(w, *sample)
    paths, steps = (_path_of(descend), right_path), np.union1d(np.arange(40), np.arange(40, STEPS + 1, 5))
    for ax, path, error in zip(pair(figure, "error against the truth", *NAMES), paths, both):
        below = -1.0
        for leave_one_out, colour in ((True, LEFT_OUT), (False, NAIVE)):
            errors = [error(w) for w in path(START, leave_one_out)[steps]]
            ax.plot(steps, errors, color=colour, clip_on=False)
            place = errors[-1] if abs(errors[-1] - below) > 0.03 else below + 0.03      # where both end alike
            ax.text(STEPS, place + 0.008, f"{errors[-1]:.3f}", color=colour, ha="right", va="bottom")
            below = place
        smallest = min(error(w) for w in GRID)
        ax.axhline(smallest, zorder=0, **palette.TRUTH_LINE | {"linewidth": 1.0})
        ax.set_xscale("symlog", linthresh=1)
        ax.set_xticks([0, 1, 3, 10, 30, 100], ["0", "1", "3", "10", "30", "100"])
        ax.set(xlabel=f"step      dashed: the smallest error of any w, {smallest:.3f}", xlim=(0, STEPS), ylim=(0, 0.4))


def show_limits(figure, best_w):
    """The curve at the w that your best_w chooses: for the sample, for pure noise (twice), for a file with every row twice."""  # noqa: E501
    x = np.linspace(0, 5, 501)
    noise = [np.random.default_rng(seed) for seed in (0, 12)]
    noise = [(np.sort(rng.uniform(0, 5, 50)), rng.standard_normal(50)) for rng in noise]
    cases = (("the sample", *drawn()[0]), ("noise alone", *noise[0]), ("noise again", *noise[1]),
             ("every row twice", *(np.repeat(x, 2) for x in drawn()[0])))
    for ax, (title, keys, values) in zip(figure.subplots(1, 4), cases):
        w = float(best_w(*tensors(GRID, keys, values)))
        ax.scatter(keys, values, s=14, color=palette.VALUE, alpha=0.6, linewidths=0)
        ax.plot(x, weights_of_w(x, keys, w) @ values, **palette.ESTIMATE_LINE | {"linewidth": 1.6})
        ax.set_title(title)
        ax.set_xlabel(f"best w: yours {_short(w)}\nright {_short(p.best(GRID, keys, values))}")
    figure.axes[0].set_ylabel("value", color=palette.VALUE_INK)


def right_path(start, leave_one_out, **how):
    """The w of gradient descent on rho = log w, (STEPS + 1,)."""
    return np.exp(p.walk(np.log(start), *drawn()[0], leave_one_out, RATE, STEPS, **how))


def _both(theirs, leave_one_out):
    """Two functions of w alone: the student's loss, and the right one."""
    return lambda w: float(theirs(*tensors(w, *drawn()[0]))), lambda w: p.loss(w, *drawn()[0], leave_one_out)


def _path_of(descend):
    """The student's path as a function like `right_path`."""
    return lambda start, leave_one_out: checked(descend(
        *tensors(np.log(start), *drawn()[0]), leave_one_out, RATE, STEPS), (STEPS + 1,), meaning=" from descend")


def _slope(loss, rho, keys, values, _):
    """The slope of the student's loss by rho, by torch."""
    rho, *data = tensors(rho, keys, values)
    loss(rho.requires_grad_().exp(), *data).backward()
    return float(rho.grad)


def _losses(ax, *losses):
    """The curve of each (loss, colour) over w. Returns the last one."""
    for loss, colour in losses:
        curve = np.array([loss(w) for w in GRID])
        ax.plot(GRID, curve, color=colour, linewidth=1.4)
    ax.set(xscale="log", xlim=(0.2, 1000), ylim=(0, 70), xlabel="w")
    ax.xaxis.set_major_formatter(lambda w, _: f"{w:g}")
    return curve


def _run(ax, ws, loss, colour):
    shown = np.append(ws[:20], ws[20::10])
    ax.plot(shown, [loss(w) for w in shown], "o", color=colour, markersize=4.5, markeredgewidth=0, clip_on=False)
    ax.plot(ws[-1], loss(ws[-1]), "o", color=colour, markersize=9, clip_on=False)


def _short(w):
    """Three digits, and no powers of ten for the large."""
    return f"{w:.3g}" if w < 100 else f"{w:.0f}"
