"""The figures of `unit_sphere`: yours on the left, what it should look like, or what it stands against, on the right."""
from __future__ import annotations

import numpy as np

from nwlab import palette
from nwlab.data import make_regression, make_sphere
from nwlab.exercises.unit_sphere import wrong as plain
from nwlab.pooling import effective_keys, masked_softmax, nadaraya_watson

SIGMA, LONGEST, TURN = 0.6, 4, 0.15
TITLES = ("yours", "what it should look like")
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


def right_features(queries, keys, sigma):
    middle = keys.mean(axis=0)
    q, k = queries - middle, keys - middle
    term = -plain.lengths_squared(k) / (2 * sigma**2)
    return np.column_stack([q, np.ones(len(q), q.dtype)]), np.column_stack([k / sigma**2, term])


def show_on_sphere(figure, dot_product_weights):
    """The weights of sixteen keys on the unit circle for one query: yours, and the Gaussian kernel's."""
    queries, keys = around(24, TURN), around(16)
    tables = _weights(dot_product_weights(queries.copy(), keys.copy(), SIGMA), (24, 16)), plain.gaussian(queries, keys, SIGMA)
    for ax, title, weights in zip(_pair(figure), ("yours: dot products", "what it should look like: the Gaussian"), tables):
        _circle(ax, queries[0], keys, weights[0])
        ax.set_title(title)
    figure.axes[0].set_xlabel(f"largest difference, over 24 queries: {np.abs(tables[0] - tables[1]).max():.3f}")


def show_off_sphere(figure, dot_product_weights):
    """The weights of sixteen keys of different lengths: by your dot products, and by the Gaussian kernel."""
    queries, keys = around(24, TURN), lengthened()
    tables = _weights(dot_product_weights(queries.copy(), keys.copy(), SIGMA), (24, 16)), plain.gaussian(queries, keys, SIGMA)
    _two_circles(figure, queries, keys, tables, ("dot products (yours)", "the Gaussian kernel"))


def show_mended(figure, missing_term):
    """The weights of sixteen keys of different lengths, by dot products with your missing term, and by the Gaussian kernel."""
    queries, keys = around(24, TURN), lengthened()
    term = _checked(missing_term(keys.copy(), SIGMA), (16,))
    mended = plain.softmax(plain.dots(queries, keys) / SIGMA**2 + term)
    _two_circles(figure, queries, keys, (mended, plain.gaussian(queries, keys, SIGMA)),
                 ("dot products with your missing term", "what it should look like: the Gaussian"))


def show_width(figure, dot_product_weights, sigma_of):
    """How many of forty keys attention spreads over, for points of length 1 and √d: by your width, and by softmax(q·k/√d)."""
    from nwlab import plots

    yours, right = _pair(figure, sharex=True, sharey=True)
    colours = palette.INK, palette.LOCAL_LINEAR
    for length_of, colour in zip((lambda d: 1.0, lambda d: d**0.5), colours):
        mine, real = [], []
        for d in DIMENSIONS:
            points = make_sphere(60, d=d, seed=0)
            q, k, sigma = points[:20], points[20:], float(sigma_of(d, length_of(d)))
            mine.append(np.median(effective_keys(_weights(dot_product_weights(q.copy(), k.copy(), sigma), (20, 40)))))
            real.append(np.median(effective_keys(plain.softmax(length_of(d)**2 * q @ k.T / d**0.5))))
        yours.plot(DIMENSIONS, mine, "o-", color=colour)
        right.plot(DIMENSIONS, real, "o-", color=colour)
    for ax, title in zip((yours, right), ("your σ, on the unit sphere", "what it should look like: softmax(q·k/√d)")):
        ax.set_xscale("log", base=2)
        ax.set_xticks(DIMENSIONS, [str(d) for d in DIMENSIONS])
        ax.set(ylim=(0, 42), xlabel="features d")
        ax.set_title(title, pad=24)
        plots.name_above(ax, [("points of length 1", palette.INK), ("of length √d", palette.LOCAL_LINEAR)])
    yours.set_ylabel("keys attended to, of 40")


def show_lengths(figure, largest_difference):
    """The largest difference between Gaussian and dot-product weights, as keys, queries or both change their lengths."""
    from nwlab import plots

    directions = make_sphere(28, d=3, seed=2)
    shares = np.random.default_rng(2).uniform(-1, 1, (28, 1))
    inks = {palette.KEY: palette.KEY_INK, palette.QUERY: palette.QUERY_INK}

    def right(q, k, sigma):
        return np.abs(plain.gap(q, k, sigma)).max()

    def scene(who, spread):
        lengths = 1 + spread * shares
        q, k = directions[:8], directions[8:]
        return {"keys differ": (q, k * lengths[8:]), "queries differ": (q * lengths[:8], k),
                "all keys longer": (q, k * (1 + spread))}[who]

    looks = (("keys differ", palette.KEY, "o-", 5), ("queries differ", palette.QUERY, "s-", 9), ("all keys longer", palette.INK, "d:", 4))
    for ax, title, of in zip(_pair(figure, sharex=True, sharey=True), TITLES, (largest_difference, right)):
        for who, colour, look, size in looks:
            ax.plot(SPREADS, [float(of(*(x.copy() for x in scene(who, s)), 0.5)) for s in SPREADS], look, color=colour,
                    markersize=size, clip_on=False)
        ax.set_title(title, pad=24)
        ax.set(xlabel="spread s: lengths 1 − s … 1 + s (longer: all 1 + s)", ylim=(-0.02, None))
        plots.name_above(ax, [(who, inks.get(colour, colour)) for who, colour, *_ in looks])
    figure.axes[0].set_ylabel("largest difference of weights")


def show_bridge(figure, augmented):
    """PyTorch's dot-product attention with your features, and Nadaraya-Watson with its Gaussian kernel: fifty answers each."""
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    from nwlab import plots

    data, sigma = make_regression(), 0.3
    columns = data.queries[:, None], data.keys[:, None]
    features = [torch.as_tensor(_checked(x, (50, 2))) for x in augmented(*(x.copy() for x in columns), sigma)]
    answers = scaled_dot_product_attention(features[0][None], features[1][None],
                                           torch.as_tensor(data.values)[None, :, None], scale=1)[0, :, 0].numpy()
    kernel = nadaraya_watson(data.queries, data.keys, data.values, bandwidth=sigma)
    titles = "PyTorch's attention with your features", "what it should look like: the kernel"
    for ax, title, curve in zip(_pair(figure, sharex=True, sharey=True), titles, (answers, kernel)):
        plots.fit(ax, data, curve)
        ax.set_title(title, pad=24)
    figure.axes[0].set_xlabel(f"x\nlargest difference of the two curves: {np.abs(answers - kernel).max():.6f}")
    figure.axes[1].set_ylabel("")


def show_digits(figure, augmented):
    """The largest error of float32 answers against the width: by your features, and by features that are centred first."""
    from nwlab import plots

    data = make_regression()

    def errors(features_of, shift):
        found = []
        for sigma in WIDTHS:
            q, k = ((x[:, None] + shift).astype(np.float32) for x in (data.queries, data.keys))
            exact = nadaraya_watson(q.astype(float), k.astype(float), data.values, bandwidth=sigma)
            new_q, new_k = (_checked(x, (50, 2)).astype(np.float32) for x in features_of(q.copy(), k.copy(), sigma))
            answers = masked_softmax(new_q @ new_k.T).astype(float) @ data.values
            found.append(np.abs(answers - exact).max())
        return np.maximum(found, 1e-8)                                       # a logarithm has no 0

    single = [x.astype(np.float32) for x in (data.queries, data.keys, data.values)]
    measured = [np.abs(nadaraya_watson(*single, bandwidth=sigma) - nadaraya_watson(
        *(x.astype(float) for x in single), bandwidth=sigma)).max() for sigma in WIDTHS]
    for ax, title, of in zip(_pair(figure, sharex=True, sharey=True), TITLES, (augmented, right_features)):
        ax.plot(WIDTHS, np.maximum(measured, 1e-8), "^:", color=palette.MUTED)
        ax.plot(WIDTHS, errors(of, 0.0), "o-", color=palette.INK)
        ax.plot(WIDTHS, errors(of, 2000.0), "s--", color=palette.LOCAL_LINEAR)
        ax.set(xscale="log", yscale="log", xlabel="width σ")
        ax.set_title(title, pad=24)
        plots.name_above(ax, [("keys 0 to 5", palette.INK), ("2000 to 2005", palette.LOCAL_LINEAR),
                              ("distances", palette.MUTED)])
    figure.axes[0].set_ylabel("largest error in float32")


def _two_circles(figure, queries, keys, tables, titles):
    longest = plain.lengths_squared(keys).argsort()[-LONGEST:]
    for ax, title, weights in zip(_pair(figure), titles, tables):
        _circle(ax, queries[0], keys, weights[0])
        ax.set_title(title)
        ax.set_xlabel(f"the {LONGEST} longest keys get {weights[:, longest].sum(axis=1).mean():.0%}, mean over 24 queries")


def _circle(ax, query, keys, weights):
    """Keys as discs whose area is their weight, the query as a diamond, the unit circle faint."""
    outline = around(200)
    ax.plot(*np.vstack([outline, outline[:1]]).T, color=palette.FAINT, linewidth=1)
    ax.plot(0, 0, "+", color=palette.MUTED, markersize=5)
    ax.scatter(*keys.T, s=8, color=palette.KEY, linewidths=0)
    ax.scatter(*keys.T, s=2200 * np.clip(weights, 0, 1), color=palette.KEY, alpha=0.45, linewidths=0)
    ax.scatter(*query, s=50, marker="D", color=palette.QUERY, linewidths=0, zorder=4)
    ax.annotate("query", query, xytext=(12, 8), textcoords="offset points", color=palette.QUERY_INK, zorder=4)
    reach = 1.15 * np.abs(keys).max() + 0.1
    ax.set(xlim=(-reach - 0.3, reach + 0.3), ylim=(-reach, reach), aspect="equal", xticks=[], yticks=[])
    ax.spines[:].set_visible(False)


def _pair(figure, **shared):
    return figure.subplots(1, 2, **shared)


def _weights(weights, shape):
    weights = _checked(weights, shape)
    if not np.all(np.isfinite(weights)):
        raise ValueError("got NaN or infinity among the weights, expected numbers")
    return weights


def _checked(values, shape):
    values = np.asarray(values)
    if values.shape != shape:
        raise ValueError(f"got shape {values.shape}, expected {shape}")
    return values.astype(float) if values.dtype != np.float32 else values
