"""The figures of `sgd_bandwidth`: yours on the left, what it should look like on the right."""
from __future__ import annotations

import numpy as np

from nwlab import palette, plots
from nwlab.data import make_regression
from nwlab.exercises.sgd_bandwidth.mistakes import left_out, naive, softmax, squares, table

TITLES = ("yours", "what it should look like")
START, FAR_START, RATE, STEPS = 1.0, 20.0, 0.02, 200
GRID = np.geomspace(0.2, 1000, 120)
NAIVE, LEFT_OUT = palette.NEGATIVE, palette.INK
NAMES = [("naive", NAIVE), ("leave-one-out", LEFT_OUT)]


def sample():
    """The fifty noisy points of notebook 05."""
    return make_regression(n=50, noise=0.5, seed=0)


def show_runaway(figure, naive_loss):
    """Your naive loss over w, and gradient descent on it from w = 1: yours, and what it should look like."""
    data = sample()
    for ax, title, loss, ws in zip(figure.subplots(1, 2, sharex=True, sharey=True), TITLES, _both(naive_loss, naive),
                                   (_walk(naive_loss, data), right_path(START, False))):
        ax.plot(GRID, [loss(w) for w in GRID], color=NAIVE)
        _run(ax, ws, loss, NAIVE)
        _w_axis(ax, title)
        ax.set_xlabel(f"w      after {STEPS} steps: w = {_short(ws[-1])}, loss {loss(ws[-1]):.2f}")
    figure.axes[0].set_ylabel("naive loss")


def show_losses(figure, naive_loss, leave_one_out_loss):
    """The two losses over w, a diamond where leave-one-out is smallest: yours, and what it should look like."""
    pairs = zip(_both(naive_loss, naive), _both(leave_one_out_loss, left_out))
    for ax, title, (kept, dropped) in zip(figure.subplots(1, 2, sharex=True, sharey=True), TITLES, pairs):
        _two_losses(ax, title, kept, dropped)
    figure.axes[0].set_ylabel("loss")


def show_paths(figure, naive_loss, leave_one_out_loss, descend):
    """Gradient descent on both losses: yours, and what it should look like; small dots on the way, large ones at the ends."""
    losses = zip(_both(naive_loss, naive), _both(leave_one_out_loss, left_out))
    for ax, title, (kept, dropped), path in zip(figure.subplots(1, 2, sharex=True, sharey=True), TITLES, losses,
                                                (_path_of(descend), right_path)):
        _two_losses(ax, title, kept, dropped, diamond=False)
        ends = []
        for start, leave_one_out, loss, colour in ((START, False, kept, NAIVE), (START, True, dropped, LEFT_OUT),
                                                   (FAR_START, True, dropped, LEFT_OUT)):
            ws = path(start, leave_one_out)
            _run(ax, ws, loss, colour)
            ends.append(_short(ws[-1]))
        ax.set_xlabel(f"w      ends: naive {ends[0]}; leave-one-out {ends[1]} and {ends[2]}")
    figure.axes[0].set_ylabel("loss")


def show_errors(figure, descend, error_against_truth):
    """The error against the truth on the way of both runs: yours, and what it should look like."""
    import torch

    data = sample()
    arrays = [torch.tensor(x) for x in (data.keys, data.values, data.queries, data.targets)]

    def yours(w):
        return float(error_against_truth(torch.tensor(w), *(x.clone() for x in arrays)))

    steps = np.unique(np.append(np.arange(0, 40), np.arange(40, STEPS + 1, 5)))
    for ax, title, path, error in zip(figure.subplots(1, 2, sharex=True, sharey=True), TITLES, (_path_of(descend), right_path),
                                      (yours, right_error)):
        for leave_one_out, colour in ((False, NAIVE), (True, LEFT_OUT)):
            errors = [error(w) for w in path(START, leave_one_out)[steps]]
            ax.plot(steps, errors, color=colour, clip_on=False)
            ax.text(STEPS, errors[-1] + 0.008, f"{errors[-1]:.3f}", color=colour, ha="right", va="bottom")
        smallest = min(error(w) for w in GRID)
        ax.axhline(smallest, zorder=0, **palette.TRUTH_LINE | {"linewidth": 1.0})
        ax.set_xscale("symlog", linthresh=1)
        ax.set_xticks([0, 1, 3, 10, 30, 100], ["0", "1", "3", "10", "30", "100"])
        ax.set(xlabel=f"step      dashed: the smallest error of any w, {smallest:.3f}", xlim=(0, STEPS), ylim=(0, 0.4))
        ax.set_title(title, pad=24)
        plots.name_above(ax, NAMES)
    figure.axes[0].set_ylabel("error against the truth")


def show_limits(figure, best_w):
    """The curve at the w that your best_w chooses: for the sample, for pure noise (twice), for a file with every row twice."""
    import torch

    data = sample()
    cases = (("the sample", data.keys, data.values), ("noise alone", *noise(0)), ("noise again", *noise(12)),
             ("every row twice", np.repeat(data.keys, 2), np.repeat(data.values, 2)))
    x = np.linspace(0, 5, 501)
    for ax, (title, keys, values) in zip(figure.subplots(1, 4), cases):
        w = float(best_w(torch.tensor(GRID), torch.tensor(keys), torch.tensor(values)))
        right = GRID[np.argmin([squares(left_out(w, keys), values) for w in GRID])]
        ax.scatter(keys, values, s=14, color=palette.VALUE, alpha=0.6, linewidths=0)
        ax.plot(x, softmax(table(w, x, keys)) @ values, **palette.ESTIMATE_LINE | {"linewidth": 1.6})
        ax.set_title(title)
        ax.set_xlabel(f"best w: yours {_short(w)}\nright {_short(right)}")
    figure.axes[0].set_ylabel("value", color=palette.VALUE_INK)


def noise(seed):
    """Fifty keys on 0..5 and values that have nothing to do with them."""
    rng = np.random.default_rng(seed)
    return np.sort(rng.uniform(0, 5, 50)), rng.standard_normal(50)


def right_path(start, leave_one_out):
    """The w of gradient descent on rho = log w, (STEPS + 1,)."""
    data = sample()
    squared = (data.keys[:, None] - data.keys) ** 2                                  # (n, n)
    rho, ws = np.log(start), [start]
    for _ in range(STEPS):
        w = np.exp(rho)
        alpha = left_out(w, data.keys) if leave_one_out else naive(w, data.keys)
        turn = -w**2 * (alpha * (squared - (alpha * squared).sum(axis=1, keepdims=True))) @ data.values
        rho -= RATE * 2 * np.sum((alpha @ data.values - data.values) * turn)
        ws.append(np.exp(rho))
    return np.array(ws)


def right_error(w):
    data = sample()
    return np.mean((softmax(table(w, data.queries, data.keys)) @ data.values - data.targets) ** 2)


def _both(theirs, weights):
    """Two functions of w alone: the student's loss, and the right one."""
    import torch

    data = sample()
    keys, values = torch.tensor(data.keys), torch.tensor(data.values)
    return (lambda w: float(theirs(torch.tensor(float(w), dtype=torch.float64), keys.clone(), values.clone())),
            lambda w: squares(weights(w, data.keys), data.values))


def _path_of(descend):
    """The student's path as a function like `right_path`."""
    import torch

    data = sample()

    def path(start, leave_one_out):
        rho = torch.tensor(np.log(start), dtype=torch.float64)
        ws = np.asarray(torch.as_tensor(descend(rho, torch.tensor(data.keys), torch.tensor(data.values), leave_one_out, RATE,
                                                STEPS)).detach(), dtype=float)
        if ws.shape != (STEPS + 1,):
            raise ValueError(f"descend gave shape {ws.shape}, expected ({STEPS + 1},)")
        return ws

    return path


def _walk(loss, data):
    """Gradient descent on rho = log w with the student's loss and torch's gradients, (STEPS + 1,)."""
    import torch

    keys, values = torch.tensor(data.keys), torch.tensor(data.values)
    rho, ws = torch.tensor(np.log(START), dtype=torch.float64), [START]
    for _ in range(STEPS):
        rho = rho.detach().requires_grad_()
        height = loss(rho.exp(), keys, values)
        if getattr(height, "grad_fn", None) is None:
            raise ValueError("the loss has lost its way back to w: compute with tensors to the end, without .item(), float() "
                             "or .detach()")
        height.backward()
        rho = rho.detach() - RATE * rho.grad
        ws.append(float(rho.exp()))
    return np.array(ws)


def _two_losses(ax, title, kept, dropped, diamond=True):
    ax.plot(GRID, [kept(w) for w in GRID], color=NAIVE, linewidth=1.4)
    curve = np.array([dropped(w) for w in GRID])
    ax.plot(GRID, curve, color=LEFT_OUT, linewidth=1.4)
    _w_axis(ax, title, pad=24)
    plots.name_above(ax, NAMES)
    if diamond:
        ax.plot(GRID[curve.argmin()], curve.min(), "D", color=LEFT_OUT)
        ax.set_xlabel(f"w      diamond: w = {_short(GRID[curve.argmin()])}, loss {curve.min():.2f}")


def _run(ax, ws, loss, colour):
    shown = ws[np.unique(np.append(np.arange(0, 20), np.arange(20, len(ws), 10)))]
    ax.plot(shown, [loss(w) for w in shown], "o", color=colour, markersize=4.5, markeredgewidth=0, clip_on=False)
    ax.plot(ws[-1], loss(ws[-1]), "o", color=colour, markersize=9, clip_on=False)


def _short(w):
    """Three digits, and no powers of ten for the large."""
    return f"{w:.3g}" if w < 100 else f"{w:.0f}"


def _w_axis(ax, title, pad=8):
    ax.set(xscale="log", xlim=(0.2, 1000), ylim=(0, 70), xlabel="w")
    ax.xaxis.set_major_formatter(lambda w, _: f"{w:g}")
    ax.set_title(title, pad=pad)
