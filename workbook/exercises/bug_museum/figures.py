"""The figures of `bug_museum`: the exhibit on the left, yours in the middle, what it should look like on the right."""
from functools import partial, wraps

import numpy as np

from nwlab.data import RegressionData, make_regression, power_truth
from workbook import palette, plots
from workbook.checks.figures import SIDES
from workbook.exercises.bug_museum import items
from workbook.exercises.common import softmax
from workbook.language import say

TITLES = (say("the exhibit"), *SIDES)
STARTS, STEPS, RATE, PENALTY = (0.1, 0.3, 1.0, 4.0), 40, 0.02, 5.0


def three(exhibit, pad=None):
    """Turns `draw(ax, function)` into a figure of three panels: the exhibit, yours, and the right one."""
    def of_three_panels(draw):
        @wraps(draw)
        def drawn(figure, function):
            sides = exhibit, function, function.right
            for ax, title, side in zip(figure.subplots(1, 3, sharex=True, sharey=True), TITLES, sides):
                draw(ax, side)
                ax.set_title(title, pad=pad)
                if side is not exhibit:
                    ax.set_ylabel("")

        return drawn

    return of_three_panels


@three(partial(softmax, axis=0))
def show_axis(ax, softmax_rows):
    """Weights of fifty queries and fifty keys, and the sums of their rows: the exhibit's, yours, and the right ones."""
    data = make_regression(n=50, noise=0.5, seed=0)
    weights = softmax_rows(-0.5 * (np.subtract.outer(data.queries, data.keys) * 2.0) ** 2)
    plots.heatmap(ax, weights, colorbar=False)
    sums = np.sum(weights, axis=1)
    low, high = f"{sums.min():.2f}", f"{sums.max():.2f}"
    about = (say("keys, by index\nevery row sums to {low}") if low == high
             else say("keys, by index\nrows sum to {low} … {high}"))
    ax.set_xlabel(about.format(low=low, high=high), color=palette.KEY_INK)


@three(partial(items.answers_per_key, of_w=items.shifted))
def show_columns(ax, answers_per_key):
    """Weights of eight points, the key 3 with a huge w: the exhibit's, yours, and the right ones."""
    keys, ws = np.arange(8.0), np.array([0.7, 0.7, 0.7, 6.0, 0.7, 0.7, 0.7, 0.7])
    # The answers are linear in the values, so a value of 1 at one key and 0 elsewhere reads off its column.
    plots.heatmap(ax, np.stack([answers_per_key(ws, keys, one) for one in np.eye(8)], axis=1), colorbar=False)
    ax.axvspan(2.5, 3.5, fill=False, edgecolor=palette.KEY, linewidth=1.4)
    ax.set_xlabel(say("keys; framed: w = 6"), color=palette.KEY_INK)


@three(lambda test_inputs, keys, values, w: items.predict_at(keys, keys, values, w), pad=24)   # above names of lines
def show_test(ax, predict_at):
    """Answers at fifty test inputs: the exhibit's, yours, and the right ones, with the error against the truth."""
    rng, grid = np.random.default_rng(3), 0.1 * np.arange(50)
    keys = np.sort(5 * rng.uniform(size=50) ** 2)                # close together on the left, far apart on the right
    values = power_truth(keys) + 0.3 * rng.standard_normal(50)
    data = RegressionData(keys, values, grid, power_truth(grid), power_truth, 0.3)
    answers = predict_at(grid, keys, values, 4.0 * keys.std())   # the w of standardised keys
    plots.fit(ax, data, answers)
    error = np.mean((answers - data.targets) ** 2)
    ax.set_xlabel(say("test input\nmean squared error {error}", error=f"{error:.3f}"), color=palette.QUERY_INK)


@np.errstate(invalid="ignore", divide="ignore")
def step_of_w(rho, keys, values, rate):
    """A step of w = exp(rho) on the naive loss and a penalty with the root of w."""
    w = np.exp(rho)
    w -= rate * (items.loss_and_slope(w, keys, values, itself=None)[1] + PENALTY * 0.5 / np.sqrt(w))
    return np.log(w), w


@three(step_of_w)
def show_descent(ax, step_of_rho):
    """w over forty steps from four starts: the exhibit's (a cross where it becomes NaN), yours, and the right one."""
    data = make_regression(n=50, noise=0.5, seed=0)
    for start in STARTS:
        rho, path = np.log(start), [start]
        for _ in range(STEPS):
            rho, w = step_of_rho(rho, data.keys, data.values, RATE)
            path.append(w)
        ax.plot(path, color=palette.KEY)
        if lost := np.count_nonzero(~np.isfinite(path)):
            ax.plot(STEPS - lost, path[STEPS - lost], "X", color=palette.NEGATIVE, markersize=9)
    ax.axhline(0, color=palette.FAINT, linewidth=0.8)
    ax.set(xlabel=say("step\n✕: the last number before NaN"), ylabel="w", xlim=(-1, STEPS + 1))


def show_gallery(figure):
    """The weights of all seven exhibits called with w = 4 as heatmaps on one scale, and what they should look like."""
    figure.set_size_inches(9.0, 5.4)
    data, n = make_regression(n=50, noise=0.5, seed=0), 50
    keys = data.keys
    of_keys = items.shifted(np.random.default_rng(0).uniform(2, 6, n))
    per_key = items.weights(keys, keys, of_keys, itself=-np.inf)
    weights = partial(items.weights, data.queries, keys, 4.0)
    tables = (weights(axis=0), np.full((n, n), 1 / n), weights(outside=True),
              per_key[~np.eye(n, dtype=bool)].reshape(n, n - 1), items.weights(keys, keys, 4.0),
              items.weights(keys, keys, 1.0), np.full((n, n), np.nan), weights())
    names = *(say("room {n}", n=n) for n in range(1, 7)), say("room 7, in the end"), say("no bug")
    for ax, name, table in zip(figure.subplots(2, 4, sharex=True, sharey=True).flat, names, tables):
        plots.heatmap(ax, table, colorbar=False)
        finite = np.isfinite(table).all()
        largest = say("largest {number}", number=f"{np.max(table):.2f}") if finite else say("all NaN")
        ax.set_title(f"{name}\n{largest}")
        ax.set(xlabel="", ylabel="", xticks=[0, 20, 40], yticks=[0, 20, 40])
    figure.supxlabel(say("keys, by index"), color=palette.KEY_INK, fontsize=10)
    figure.supylabel(say("queries, by index"), color=palette.QUERY_INK, fontsize=10)
