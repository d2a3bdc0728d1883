"""The figures of `unit_sphere`."""
import numpy as np

from nwlab.data import make_sphere
from nwlab.pooling import attention_weights, masked_softmax
from workbook import palette
from workbook.checks.figures import both, checked, pair
from workbook.language import say

SIGMA = 0.6
SPREADS = np.linspace(0, 0.8, 9)
UNEQUAL = 0.4 + 0.08 * np.array([7, 3, 11, 1, 15, 9, 10, 2, 4, 12, 6, 0, 13, 5, 14, 8])       # lengths of keys


def around(n, turn=0.0):
    """n points (n, 2) around the unit circle."""
    angles = turn + 2 * np.pi * np.arange(n) / n
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def show_on_sphere(figure, dot_product_weights):
    """The weights of sixteen keys on the unit circle for one query: yours, and the Gaussian kernel's."""
    titles = say("yours: dot products"), say("what it should look like: the Gaussian")
    mine, right = _circles(figure, np.ones(16), dot_product_weights, titles)
    figure.axes[0].set_xlabel(say("largest difference, over 24 queries: {number}",
                                  number=f"{np.abs(mine - right).max():.3f}"))


def show_off_sphere(figure, dot_product_weights):
    """The weights of sixteen keys of different lengths: by your dot products, and by the Gaussian kernel."""
    _circles(figure, UNEQUAL, dot_product_weights, (say("dot products (yours)"), say("the Gaussian kernel")))


def show_mended(figure, missing_term):
    """The weights of sixteen keys of different lengths, by dot products with your missing term, and by the Gaussian kernel."""  # noqa: E501
    def mended(queries, keys, sigma):
        return masked_softmax(queries @ keys.T / sigma**2 + missing_term(keys, sigma))

    _circles(figure, UNEQUAL, mended,
             (say("dot products with your missing term"), say("what it should look like: the Gaussian")))


@both(say("largest difference of weights"), (say("keys differ"), palette.KEY_INK),
      (say("queries differ"), palette.QUERY_INK), (say("all keys longer"), palette.INK))
def show_lengths(ax, largest_difference):
    """The largest difference between Gaussian and dot-product weights, as keys, queries or both change their lengths."""  # noqa: E501
    q, k = np.split(make_sphere(28, d=3, seed=2), [8])
    of_queries, of_keys = np.split(np.random.default_rng(2).uniform(-1, 1, (28, 1)), [8])
    scenes = ((palette.KEY, "o-", 5, lambda s: (q, k * (1 + s * of_keys))),
              (palette.QUERY, "s-", 9, lambda s: (q * (1 + s * of_queries), k)),
              (palette.INK, "d:", 4, lambda s: (q, k * (1 + s))))
    for colour, look, size, points in scenes:
        differences = [largest_difference(*points(s), 0.5) for s in SPREADS]
        ax.plot(SPREADS, differences, look, color=colour, markersize=size, clip_on=False)
    ax.set(xlabel=say("spread s: lengths 1 − s … 1 + s (longer: all 1 + s)"), ylim=(-0.02, None))


def _circles(figure, lengths, weights_of, titles):
    """The first of 24 queries, twice: keys as discs whose area is their weight. Returns both tables (24, 16).

    lengths: of the keys (16,). If they differ, the share of the longest stands below.
    """
    queries, keys, circle = around(24, turn=0.15), around(16) * lengths[:, None], around(200)[np.r_[:200, 0]]
    mine = checked(weights_of(queries, keys, SIGMA), (24, 16), say("your function"), finite=True)
    tables = mine, attention_weights(queries, keys, bandwidth=SIGMA)
    reach = 1.15 * np.abs(keys).max() + 0.1
    for ax, weights in zip(pair(figure, titles=titles), tables):
        ax.plot(*circle.T, color=palette.FAINT, linewidth=1)
        ax.plot(0, 0, "+", color=palette.MUTED, markersize=5)
        for size, opacity in ((8, 1), (2200 * np.clip(weights[0], 0, 1), 0.45)):
            ax.scatter(*keys.T, s=size, color=palette.KEY, alpha=opacity, linewidths=0)
        ax.scatter(*queries[0], s=50, marker="D", color=palette.QUERY, linewidths=0, zorder=4)
        ax.annotate(say("query"), queries[0], xytext=(12, 8), textcoords="offset points", color=palette.QUERY_INK,
                    zorder=4)
        ax.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
        if np.ptp(lengths):
            share = weights[:, lengths.argsort()[-4:]].sum(axis=1).mean()
            ax.set_xlabel(say("the 4 longest keys get {share}, mean over 24 queries", share=f"{share:.0%}"))
    return tables
