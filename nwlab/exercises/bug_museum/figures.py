"""The figures of `bug_museum`: the exhibit on the left, yours in the middle, what it should look like on the right."""
from __future__ import annotations

import math

import numpy as np

from nwlab import palette
from nwlab.data import RegressionData, make_regression, power_truth
from nwlab.exercises.bug_museum import bugs
from nwlab.exercises.bug_museum import rooms
from nwlab.exercises.bug_museum.rooms import left_out, softmax, table

TITLES = ("the exhibit", "yours", "what it should look like")
STARTS, STEPS, RATE, PENALTY = (0.1, 0.3, 1.0, 4.0), 40, 0.02, 5.0


def crowded():
    """Fifty keys, close together on the left and far apart on the right, and fifty test inputs 0, 0.1 ... 4.9."""
    rng = np.random.default_rng(3)
    keys = np.sort(5 * rng.uniform(size=50) ** 2)
    values = power_truth(keys) + 0.3 * rng.standard_normal(50)
    grid = 0.1 * np.arange(50)
    return RegressionData(keys, values, grid, power_truth(grid), power_truth, 0.3)


def show_axis(figure, softmax_rows):
    """Weights of fifty queries and fifty keys, and the sums of their rows: the exhibit's, yours, and the right ones."""
    from nwlab import plots

    data = make_regression(n=50, noise=0.5, seed=0)
    scores = table(data.queries, data.keys, 2.0)
    for ax, weights in zip(_three(figure), (bugs.divided(scores, 0, 0), softmax_rows(scores.copy()), softmax(scores))):
        weights = _checked(weights, scores.shape)
        plots.heatmap(ax, weights, colorbar=False)
        sums = weights.sum(axis=1)
        low, high = f"{sums.min():.2f}", f"{sums.max():.2f}"
        about = f"every row sums to {low}" if low == high else f"rows sum to {low} … {high}"
        ax.set_xlabel(f"keys, by number\n{about}", color=palette.KEY_INK)
    _one_label(figure)


def show_columns(figure, answers_per_key):
    """Weights of eight points, the key 3 with a huge w: the exhibit's, yours, and the right ones."""
    from nwlab import plots

    keys, ws = np.arange(8.0), np.full(8, 0.7)
    ws[3] = 6.0

    def weights_of(answers):
        """The answers are linear in the values, so a value of 1 at one key and 0 elsewhere reads off its column."""
        columns = [_checked(answers(ws.copy(), keys.copy(), one.copy()), keys.shape) for one in np.eye(8)]
        return np.stack(columns, axis=1)                                                             # (n, n)

    def exhibit(ws, keys, values):
        return bugs.cut(ws, keys, values, lambda w: w[:-1])

    def right(ws, keys, values):
        return left_out(table(keys, keys, ws), values)

    for ax, answers in zip(_three(figure), (exhibit, answers_per_key, right)):
        plots.heatmap(ax, weights_of(answers), colorbar=False)
        ax.axvspan(2.5, 3.5, fill=False, edgecolor=palette.KEY, linewidth=1.4)
        ax.set_xlabel("keys; framed: the key with w = 6", color=palette.KEY_INK)
    _one_label(figure)


def show_test(figure, predict_at):
    """Answers at fifty test inputs: the exhibit's, yours, and the right ones, with the error against the truth."""
    from nwlab import plots

    data, w = crowded(), 4.0
    right = softmax(table(data.queries, data.keys, w)) @ data.values
    exhibit = softmax(table(data.keys, data.keys, w)) @ data.values
    mine = predict_at(data.queries.copy(), data.keys.copy(), data.values.copy(), w)
    for ax, title, answers in zip(_three(figure), TITLES, (exhibit, mine, right)):
        answers = _checked(answers, data.queries.shape)
        plots.fit(ax, data, answers)
        ax.set_title(title, pad=24)                              # above the words that plots.fit puts there
        error = np.mean((answers - data.targets) ** 2)
        ax.set_xlabel(f"test input\nmean squared error {error:.3f}", color=palette.QUERY_INK)
    for ax in figure.axes[1:]:
        ax.set_ylabel("")


def show_descent(figure, step_of_rho):
    """w over forty steps from four starts: the exhibit's (a cross where it becomes NaN), yours, and the right one."""
    import torch

    data = make_regression(n=50, noise=0.5, seed=0)
    keys, values = torch.from_numpy(data.keys), torch.from_numpy(data.values)

    def mine(start):
        rho, path = torch.tensor(math.log(start), dtype=torch.float64), [start]
        for _ in range(STEPS):
            rho, w = step_of_rho(rho.detach().clone(), keys, values, RATE)
            rho = torch.as_tensor(rho, dtype=torch.float64)
            path.append(float(w))
        return path

    def right(start):
        rho, path = math.log(start), [start]
        for _ in range(STEPS):
            rho -= RATE * math.exp(rho) * rooms.slope(math.exp(rho), data.keys, data.values)
            path.append(math.exp(rho))
        return path

    for ax, walk in zip(_three(figure), (lambda start: exhibit_walk(start, data.keys, data.values), mine, right)):
        for start in STARTS:
            path = np.array(walk(start), dtype=float)
            ax.plot(path, color=palette.KEY)
            lost = np.flatnonzero(~np.isfinite(path))
            if len(lost):
                ax.plot(lost[0] - 1, path[lost[0] - 1], "X", color=palette.NEGATIVE, markersize=9)
        ax.axhline(0, color=palette.FAINT, linewidth=0.8)
        ax.set_xlabel("step" + ("; ✕: the last number before NaN" if ax is figure.axes[0] else ""))
        ax.set_xlim(-1, STEPS + 1)
    figure.axes[0].set_ylabel("w")


def exhibit_walk(start, keys, values):
    """w over the steps of the exhibit: the naive loss and a penalty with the root of w."""
    path = [start]
    for _ in range(STEPS):
        w = path[-1]
        with np.errstate(invalid="ignore", divide="ignore"):
            steep = rooms.slope(w, keys, values, keep_itself=True) + PENALTY * 0.5 / np.sqrt(w)
        path.append(w - RATE * steep)
    return path


def show_gallery(figure):
    """The weights of all seven exhibits called with w = 4 as heatmaps on one scale, and what they should look like."""
    from nwlab import plots

    figure.set_size_inches(9.0, 5.4)
    data, w = make_regression(n=50, noise=0.5, seed=0), 4.0
    scores, n = table(data.queries, data.keys, w), 50
    others = ~np.eye(n, dtype=bool)
    ws = np.random.default_rng(0).uniform(2, 6, n)
    cut = np.tile(data.keys, (n, 1))[others].reshape(n, n - 1)
    rows = {"room 1": softmax(scores, axis=0), "room 2": np.full((n, n), 1 / n),
            "room 3": softmax(table(data.queries, data.keys, w, outside=True)),
            "room 4": softmax(-0.5 * ((data.keys[:, None] - cut) * ws[:-1]) ** 2),
            "room 5": softmax(table(data.keys, data.keys, w)), "room 6": softmax(table(data.keys, data.keys, 1.0)),
            "room 7, in the end": np.full((n, n), np.nan), "no bug": softmax(scores)}
    for ax, (name, weights) in zip(figure.subplots(2, 4, sharex=True, sharey=True).flat, rows.items()):
        plots.heatmap(ax, weights, colorbar=False)
        ax.images[0].set_clim(0, rows["no bug"].max())                # one scale, or 1/50 everywhere would be all dark
        largest = f"largest {np.max(weights):.2f}" if np.isfinite(weights).all() else "all NaN"
        ax.set_title(f"{name}\n{largest}")
        ax.set(xlabel="", ylabel="", xticks=[0, 20, 40], yticks=[0, 20, 40])
    figure.supxlabel("keys, by number", color=palette.KEY_INK, fontsize=10)
    figure.supylabel("queries, by number", color=palette.QUERY_INK, fontsize=10)


def _three(figure):
    axes = figure.subplots(1, 3, sharex=True, sharey=True)
    for ax, title in zip(axes, TITLES):
        ax.set_title(title)
    return axes


def _one_label(figure):
    for ax in figure.axes[1:]:
        ax.set_ylabel("")


def _checked(values, shape):
    values = np.asarray(values, dtype=float)
    if values.shape != shape:
        raise ValueError(f"got shape {values.shape}, expected {shape}")
    return values
