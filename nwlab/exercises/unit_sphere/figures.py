"""The figures of `unit_sphere`: yours on the left, what it should look like or stands against on the right."""
from __future__ import annotations

import numpy as np

from nwlab import palette
from nwlab.checks.figures import pair
from nwlab.data import make_regression, make_sphere
from nwlab.pooling import attention_weights, effective_keys, masked_softmax, nadaraya_watson

SIGMA = 0.6
DIMENSIONS = (2, 4, 16, 64, 256, 1024)
SPREADS = np.linspace(0, 0.8, 9)
WIDTHS = np.geomspace(0.01, 1, 9)


def around(n, turn=0.0):
    """n points (n, 2) around the unit circle."""
    angles = turn + 2 * np.pi * np.arange(n) / n
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def lengthened():
    """Sixteen keys in sixteen directions, with lengths from 0.4 to 1.6, shuffled."""
    return around(16) * np.random.default_rng(5).permutation(np.linspace(0.4, 1.6, 16))[:, None]


def show_on_sphere(figure, dot_product_weights):
    """The weights of sixteen keys on the unit circle for one query: yours, and the Gaussian kernel's."""
    titles = "yours: dot products", "what it should look like: the Gaussian"
    mine, right = _circles(figure, around(16), dot_product_weights, titles)
    figure.axes[0].set_xlabel(f"largest difference, over 24 queries: {np.abs(mine - right).max():.3f}")


def show_off_sphere(figure, dot_product_weights):
    """The weights of sixteen keys of different lengths: by your dot products, and by the Gaussian kernel."""
    tables = _circles(figure, lengthened(), dot_product_weights, ("dot products (yours)", "the Gaussian kernel"))
    _say_what_the_longest_get(figure, tables)


def show_mended(figure, missing_term):
    """The weights of sixteen keys of different lengths: by dot products with your missing term, and by the Gaussian."""
    def mended(queries, keys, sigma):
        return masked_softmax(queries @ keys.T / sigma**2 + _checked(missing_term(keys.copy(), sigma), (16,)))

    titles = "dot products with your missing term", "what it should look like: the Gaussian"
    _say_what_the_longest_get(figure, _circles(figure, lengthened(), mended, titles))


def show_width(figure, dot_product_weights, sigma_of):
    """How many of forty keys attention spreads over, at lengths 1 and √d: by your width, and by softmax(q·k/√d)."""
    axes = pair(figure, pad=24)
    for length_of, colour in ((lambda d: 1.0, palette.INK), (lambda d: d**0.5, palette.LOCAL_LINEAR)):
        mine, real = [], []
        for d in DIMENSIONS:
            q, k = np.split(make_sphere(60, d=d, seed=0), [20])
            weights = _checked(dot_product_weights(q.copy(), k.copy(), float(sigma_of(d, length_of(d)))), (20, 40))
            mine.append(np.median(effective_keys(weights)))
            real.append(np.median(effective_keys(masked_softmax(length_of(d)**2 * q @ k.T / d**0.5))))
        for ax, counts in zip(axes, (mine, real)):
            ax.plot(DIMENSIONS, counts, "o-", color=colour)
    for ax, title in zip(axes, ("your σ, on the unit sphere", "what it should look like: softmax(q·k/√d)")):
        ax.set_xscale("log", base=2)
        ax.set_xticks(DIMENSIONS, [str(d) for d in DIMENSIONS])
        ax.set(ylim=(0, 42), xlabel="features d")
        ax.set_title(title, pad=24)
    _name_lines(figure, "keys attended to, of 40", ("points of length 1", palette.INK), ("of length √d",
                                                                                         palette.LOCAL_LINEAR))


def show_lengths(figure, largest_difference):
    """The largest difference of Gaussian and dot-product weights, as keys, queries or both change their lengths."""
    q, k = np.split(make_sphere(28, d=3, seed=2), [8])
    of_queries, of_keys = np.split(np.random.default_rng(2).uniform(-1, 1, (28, 1)), [8])

    def right(q, k, sigma):
        return np.abs(attention_weights(q, k, bandwidth=sigma) - masked_softmax(q @ k.T / sigma**2)).max()

    scenes = (("keys differ", palette.KEY, "o-", 5, lambda s: (q, k * (1 + s * of_keys))),
              ("queries differ", palette.QUERY, "s-", 9, lambda s: (q * (1 + s * of_queries), k)),
              ("all keys longer", palette.INK, "d:", 4, lambda s: (q, k * (1 + s))))
    for ax, difference in zip(pair(figure, pad=24), (largest_difference, right)):
        for _, colour, look, size, points in scenes:
            differences = [float(difference(*(x.copy() for x in points(s)), 0.5)) for s in SPREADS]
            ax.plot(SPREADS, differences, look, color=colour, markersize=size, clip_on=False)
        ax.set(xlabel="spread s: lengths 1 − s … 1 + s (longer: all 1 + s)", ylim=(-0.02, None))
    inks = palette.KEY_INK, palette.QUERY_INK, palette.INK
    _name_lines(figure, "largest difference of weights", *((name, ink) for (name, *_), ink in zip(scenes, inks)))


def show_bridge(figure, augmented):
    """PyTorch's dot-product attention with your features, and Nadaraya-Watson with a Gaussian: fifty answers each."""
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    from nwlab import plots

    data, sigma = make_regression(), 0.3
    features = augmented(data.queries[:, None].copy(), data.keys[:, None].copy(), sigma)
    q, k = (torch.as_tensor(_checked(x, (50, 2))) for x in features)
    values = torch.as_tensor(data.values)[None, :, None]
    answers = scaled_dot_product_attention(q[None], k[None], values, scale=1)[0, :, 0].numpy()
    kernel = nadaraya_watson(data.queries, data.keys, data.values, bandwidth=sigma)
    titles = "PyTorch's attention with your features", "what it should look like: the kernel"
    for ax, title, curve in zip(pair(figure), titles, (answers, kernel)):
        plots.fit(ax, data, curve)
        ax.set_title(title, pad=24)
    figure.axes[0].set_xlabel(f"x\nlargest difference of the two curves: {np.abs(answers - kernel).max():.6f}")
    figure.axes[1].set_ylabel("")


def show_digits(figure, augmented):
    """The largest error of float32 answers against the width: by your features, and by features centred first."""
    data = make_regression()

    def centred(q, k, sigma):
        q, k = q - k.mean(axis=0), k - k.mean(axis=0)
        return np.hstack([q, np.ones_like(q)]), np.hstack([k / sigma**2, -k**2 / (2 * sigma**2)])

    def errors(features_of, shift):
        found = []
        for sigma in WIDTHS:
            q, k = ((x[:, None] + shift).astype(np.float32) for x in (data.queries, data.keys))
            exact = nadaraya_watson(q.astype(float), k.astype(float), data.values, bandwidth=sigma)
            new_q, new_k = (_checked(x, (50, 2)).astype(np.float32) for x in features_of(q.copy(), k.copy(), sigma))
            found.append(np.abs(masked_softmax(new_q @ new_k.T).astype(float) @ data.values - exact).max())
        return np.maximum(found, 1e-8)                                       # a logarithm has no 0

    single = [x.astype(np.float32) for x in (data.queries, data.keys, data.values)]
    double = [x.astype(float) for x in single]
    measured = [np.abs(nadaraya_watson(*single, bandwidth=sigma) - nadaraya_watson(*double, bandwidth=sigma)).max()
                for sigma in WIDTHS]
    for ax, features_of in zip(pair(figure, pad=24), (augmented, centred)):
        ax.plot(WIDTHS, np.maximum(measured, 1e-8), "^:", color=palette.MUTED)
        ax.plot(WIDTHS, errors(features_of, 0.0), "o-", color=palette.INK)
        ax.plot(WIDTHS, errors(features_of, 2000.0), "s--", color=palette.LOCAL_LINEAR)
        ax.set(xscale="log", yscale="log", xlabel="width σ")
    _name_lines(figure, "largest error in float32", ("keys 0 to 5", palette.INK), ("2000 to 2005",
                                                                                   palette.LOCAL_LINEAR),
                ("distances", palette.MUTED))


def _name_lines(figure, height, *words):
    """What is measured upwards, and above both axes the lines' names in their colours."""
    from nwlab import plots

    figure.axes[0].set_ylabel(height)
    for ax in figure.axes:
        plots.name_above(ax, words)


def _circles(figure, keys, weights_of, titles):
    """The first of 24 queries, twice: keys as discs whose area is their weight. Returns both tables (24, 16)."""
    queries, outline = around(24, turn=0.15), around(200)
    mine = _checked(weights_of(queries.copy(), keys.copy(), SIGMA), (24, 16))
    tables = mine, attention_weights(queries, keys, bandwidth=SIGMA)
    reach = 1.15 * np.abs(keys).max() + 0.1
    for ax, title, weights in zip(pair(figure), titles, tables):
        ax.plot(*np.vstack([outline, outline[:1]]).T, color=palette.FAINT, linewidth=1)
        ax.plot(0, 0, "+", color=palette.MUTED, markersize=5)
        ax.scatter(*keys.T, s=8, color=palette.KEY, linewidths=0)
        ax.scatter(*keys.T, s=2200 * np.clip(weights[0], 0, 1), color=palette.KEY, alpha=0.45, linewidths=0)
        ax.scatter(*queries[0], s=50, marker="D", color=palette.QUERY, linewidths=0, zorder=4)
        ax.annotate("query", queries[0], xytext=(12, 8), textcoords="offset points", color=palette.QUERY_INK, zorder=4)
        ax.set(xlim=(-reach - 0.3, reach + 0.3), ylim=(-reach, reach), aspect="equal", xticks=[], yticks=[],
               title=title)
        ax.spines[:].set_visible(False)
    return tables


def _say_what_the_longest_get(figure, tables):
    longest = (lengthened() ** 2).sum(axis=1).argsort()[-4:]
    for ax, weights in zip(figure.axes, tables):
        share = weights[:, longest].sum(axis=1).mean()
        ax.set_xlabel(f"the 4 longest keys get {share:.0%}, mean over 24 queries")


def _checked(values, shape):
    """What a student's function returned, as an array. ValueError for another shape, NaN or infinity."""
    values = np.asarray(values, dtype=float)
    if values.shape != shape:
        raise ValueError(f"got shape {values.shape}, expected {shape}")
    if not np.all(np.isfinite(values)):
        raise ValueError("got NaN or infinity, expected numbers")
    return values
