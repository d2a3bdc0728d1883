"""The figures of `own_pooling`: your design beside Nadaraya-Watson."""
import numpy as np

import nwlab
from nwlab.data import make_regression
from workbook import palette, plots
from workbook.checks.figures import checked, log_axis, pair
from workbook.exercises.common import softmax
from workbook.exercises.own_pooling import items
from workbook.language import say

FRESH = 20                              # samples in show_errors


def show_weights(figure, own_scores):
    """The weights of three queries over evenly spaced keys, for two settings of your parameters, beside a Gaussian of width 1."""  # noqa: E501
    keys, queries = np.linspace(0, 5, 101), np.array([1.0, 2.5, 4.0])
    gaussian = nwlab.attention_weights(queries, keys)
    names = ((say("yours"), palette.KEY_INK), (say("Gaussian, width 1"), palette.LOCAL_LINEAR),
             (say("▲ query"), palette.QUERY_INK))
    titles = say("all parameters 0, as before training"), say("all parameters ½")
    axes, highest = pair(figure, say("weight α"), *names, ink=palette.KEY_INK, titles=titles), gaussian.max()
    for ax, value in zip(axes, (0.0, 0.5)):
        mine = softmax(checked(own_scores(queries, keys, np.full(items.PARAMETERS, value)), (3, 101), "own_scores"))
        highest = max(highest, mine.max())
        for query, row, other, dashes in zip(queries, mine, gaussian, ("-", (0, (5, 2)), (0, (1, 1.5)))):
            ax.plot(keys, other, color=palette.LOCAL_LINEAR, linestyle=dashes, linewidth=1, alpha=0.8)
            ax.plot(keys, row, color=palette.KEY, linestyle=dashes)
            ax.plot([query], [0], "^", color=palette.QUERY, markersize=8, clip_on=False, zorder=5)
        ax.set_xlabel(say("keys"), color=palette.KEY_INK)
    axes[0].set_ylim(0, 1.08 * highest)


def show_pooling(figure, predict):
    """Your trained pooling beside Nadaraya-Watson at the leave-one-out width: both curves, and both heatmaps."""
    data = make_regression(n=50, noise=0.5, seed=0)
    answers, weights = _predicted(predict, data)
    width = items.best_width(data.keys, data.values)
    theirs = nwlab.attention_weights(data.queries, data.keys, bandwidth=width)
    fit, mine, other = figure.subplots(1, 3, width_ratios=(1.35, 1, 1))
    plots.fit(fit, data, answers, theirs @ data.values, names=(say("yours"), "Nadaraya–Watson"))
    fit.lines[-1].set(zorder=3.5, linewidth=4.5, alpha=0.6)               # below yours, and wider, as they may coincide
    errors = [f"{np.mean((curve - data.targets) ** 2):.3f}" for curve in (answers, theirs @ data.values)]
    fit.set_xlabel(say("x      error against the truth: {errors}", errors=", ".join(errors)))
    for ax, table, title in ((mine, weights, say("your weights")),
                             (other, theirs, f"Nadaraya–Watson,\nσ = {width:.2f}")):
        plots.heatmap(ax, table, data.queries, data.keys, colorbar=False)
        ax.set_title(title)


def show_errors(figure, predict):
    """The error of your pooling over that of Nadaraya-Watson, against the truth, in twenty fresh samples, sorted."""
    ratios = []
    for seed in range(FRESH):
        data = make_regression(n=50, noise=0.5, seed=1000 + seed)
        answers, _ = _predicted(predict, data)
        theirs = items.yardsticks(data.keys, data.values, data.queries, data.targets)["width"]
        ratios.append(np.mean((answers - data.targets) ** 2) / theirs)
    ratios, ax = np.sort(ratios), figure.subplots()
    ax.axhline(1, color=palette.MUTED, linewidth=1, linestyle=(0, (5, 3)))
    ax.vlines(np.arange(FRESH), 1, ratios, color=palette.KEY)
    ax.plot(ratios, "o", color=palette.KEY, markeredgecolor=palette.PAPER)
    typical = np.exp(np.mean(np.log(ratios)))
    ax.set(xticks=[], xlabel=say("{n} samples, sorted; below the line yours is better", n=FRESH),
           ylabel=say("yours / Nadaraya–Watson"),
           title=say("typical ratio {ratio}; yours is better in {better} of {n}", ratio=f"{typical:.2f}",
                     better=np.sum(ratios < 1), n=FRESH))
    log_axis(ax.yaxis, (0.3, 0.5, 0.7, 1, 1.4, 2, 3, 5, 10, 20, 50))
    ax.set_ylim(min(0.65, 0.9 * ratios[0]), max(1.5, 1.1 * ratios[-1]))


def _predicted(predict, data):
    """Answers (m,) and weights (m, n) of a student's function, as NumPy arrays."""
    answers, weights = predict(data.keys, data.values, data.queries)
    m, n = len(data.queries), len(data.keys)
    return checked(answers, (m,), "predict"), checked(weights, (m, n), "predict")
