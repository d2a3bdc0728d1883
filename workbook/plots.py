"""Static figures: each function draws one thing on an Axes, and returns the Axes.

    workbook.plots.use_style()                     # once a notebook
    fig, ax = plt.subplots()
    plots.fit(ax, data, estimate)

The names of lines stand at their ends or above the axes, in the colours of the lines, so no figure needs a legend.
"""
import numpy as np

from nwlab.kernels import KERNELS, get_kernel
from workbook import palette, pictures
from workbook.language import say
from workbook.pictures import literal, name_above, name_ends

# Of other people, for letters in readers' own labels that no font of ours has.
CHINESE = ("Noto Sans CJK SC", "Noto Sans CJK JP", "Microsoft YaHei", "PingFang SC", "SimHei", "WenQuanYi Micro Hei")


def use_style() -> None:
    """Make every figure of this notebook look like the workbook's; `matplotlib.rcdefaults()` undoes it.

    In a notebook each also gets an alternative text, see `workbook.pictures`.
    """
    import matplotlib
    from matplotlib.font_manager import fontManager

    installed = {font.name for font in fontManager.ttflist}
    family = palette.style()["font.family"] + [name for name in CHINESE if name in installed]
    matplotlib.rcParams.update(palette.style() | palette.LETTERS | {
        "font.family": family, "figure.figsize": (8.3, 3.6), "figure.constrained_layout.use": True})
    pictures.show_with_words()


def fit(ax, data, *estimates, names=(), x=None):
    """Values as dots, the truth as a dashed line, and any number of estimates at x (by default data.queries) as lines.

    In a row of panels only the first one has the names of dots and truth, and of the vertical axis.
    """
    x, place = data.queries if x is None else np.asarray(x), ax.get_subplotspec()
    first = place is None or place.is_first_col()
    ax.scatter(data.keys, data.values, s=18, color=palette.VALUE, alpha=0.92, linewidths=0, zorder=2)
    words = [(say("values"), palette.VALUE_INK)]
    if data.truth is not None:
        grid = np.linspace(x[0], x[-1], 251)
        ax.plot(grid, data.truth(grid), zorder=3, **palette.TRUTH_LINE)
        words.append((say("truth"), palette.MUTED))
    words *= first
    colours = [palette.INK, palette.LOCAL_LINEAR, palette.NEGATIVE, "#7361B5"]
    if not names:
        names = [say("estimate")]
        if len(estimates) > 1:
            names = [say("estimate {i}", i=i + 1) for i in range(len(estimates))]
    lines = [ax.plot(x, estimate, **(palette.ESTIMATE_LINE | {"color": colour, "zorder": 4}))[0]
             for estimate, colour in zip(estimates, colours)]
    if len(lines) > 1 and (place is None or place.is_last_col()):       # between panels there is no room
        name_ends(ax, [*zip(names, lines)])
    else:
        words += zip(names, colours[:len(lines)])
    ax.set_xlabel(literal(data.key_name))
    ax.set_ylabel(literal(data.value_name) if first else "", color=palette.VALUE_INK, **turned(data.value_name))
    return name_above(ax, words)


def turned(name: str) -> dict:
    """How to set the name of a vertical axis: along it, but a single letter stands upright at its end."""
    return {"rotation": 0, "loc": "top", "va": "top"} if len(name) == 1 else {}


def weights(ax, keys, weights, query=None):
    """The weights (n,) of one query as stems at the keys (n,), negative ones in purple; the query as a line."""
    keys, weights = np.asarray(keys), np.asarray(weights)
    for side, colour in ((weights >= 0, palette.KEY), (weights < 0, palette.NEGATIVE)):
        if np.any(side):
            ax.vlines(keys[side], 0.0, weights[side], color=colour, linewidth=1.6)
            ax.plot(keys[side], weights[side], "o", color=colour, markersize=4)
    ax.axhline(0.0, color=palette.FAINT, linewidth=0.8, zorder=0)
    if query is not None:
        ax.axvline(query, zorder=0.5, **palette.QUERY_LINE)
        ax.annotate(say("query {x}", x=f"{query:g}"), (query, 1), (0, 4), ax.get_xaxis_transform(), "offset points",
                    color=palette.QUERY_INK, ha="center", annotation_clip=False)
    ax.set_xlabel(say("keys"), color=palette.KEY_INK)
    ax.set_ylabel(say("weight α"), color=palette.KEY_INK)
    return ax


def heatmap(ax, weights, queries=None, keys=None, colorbar=True, signed=None):
    """Attention weights (m, n): rows are queries, columns are keys.

    With queries (m,) and keys (n,), sorted, the axes show their positions to scale, otherwise their indices from 0. The
    colours always go from 0 to 1, by √α. colorbar: the panels below which a key to the colours stands, True for `ax`,
    False for none. signed: use the colours for weights that may be negative, by default if one is. Rows of NaN (empty
    windows) are tinted.
    """
    weights = np.asarray(weights)
    if weights.ndim != 2:
        raise ValueError(f"weights: got shape {weights.shape}, expected (m, n)")
    signed = bool(np.nanmin(weights, initial=0.0) < -1e-12) if signed is None else signed
    colours = (palette.signed_colours if signed else palette.weight_colours)().with_extremes(bad=palette.EMPTY)
    scale = palette.weight_scale(signed)
    shown = np.ma.masked_invalid(weights)
    if queries is None or keys is None:
        image = ax.imshow(shown, cmap=colours, aspect="auto", interpolation="nearest", norm=scale)
        across, up = say("keys, by index"), say("queries, by index")
    else:
        image = ax.pcolormesh(edges(keys), edges(queries), shown, cmap=colours, rasterized=True, norm=scale)
        ax.invert_yaxis()
        across, up = say("keys, by position"), say("queries, by position")
    ax.set_xlabel(across, color=palette.KEY_INK)
    ax.set_ylabel(up, color=palette.QUERY_INK)
    for side in ("top", "right"):
        ax.spines[side].set_visible(True)
    place = ax.get_subplotspec()
    if place and any(other.get_subplotspec() and other.get_subplotspec().get_gridspec() is place.get_gridspec()
                     and other.get_subplotspec().rowspan == place.rowspan
                     and other.get_ylabel() == up for other in ax.figure.axes[:ax.figure.axes.index(ax)]):
        ax.yaxis.label.set_visible(False)               # it is in the alternative text
    if colorbar is not None and colorbar is not False:
        bar = ax.figure.colorbar(image, ax=ax if colorbar is True else colorbar, location="bottom", anchor=(1, 0),
                                 pad=0.02, shrink=0.5, aspect=28, ticks=[-1, -0.25, 0, 0.1, 0.25, 0.5, 1], format="%g")
        bar.outline.set_edgecolor(palette.AXIS)
        bar.ax.set_title(say("weight α, √ scale"), color=palette.KEY_INK, x=-0.04, y=-0.2, ha="right", size="medium",
                         weight="normal")
    return ax


def circuit(ax, symbols, first, second, answer, least=0.05):
    """Two layers of attention from the last token. The small letter before a token is what it attends to in layer 1.

    symbols: a letter for each token (t,); first (t, t): weights in layer 1; second (t,): those of the last token in
    layer 2; answer: a letter. Lines are as thick as weights of at least `least`.
    """
    first, second = np.asarray(first), np.asarray(second)
    last, found = len(symbols) - 1, int(np.argmax(second))
    lines = [(key, query, 0, first[query, key]) for query, key in zip(*np.nonzero(first >= least))]
    for key, query, row, weight in lines + [(key, last, 1, second[key]) for key in np.flatnonzero(second >= least)]:
        ax.plot((key, query), (row + 0.2, row + 0.8), color=palette.KEY, linewidth=6 * weight,
                alpha=0.9 if row or query == found else 0.25)
    ax.plot((found, found), (0.2, 0.8), color=palette.VALUE, linewidth=4)                 # the token itself
    ax.plot((last, last), (1.2, 1.8), color=palette.QUERY, linewidth=2, linestyle=":")
    for i, (word, before) in enumerate(zip(symbols, first.argmax(axis=1))):
        for row in (0, 1):
            ax.text(i, row, word, ha="center", va="center", size=12)
        ax.text(i - 0.15, 1.03, symbols[before] if i else "", ha="right", size=9, color=palette.KEY_INK,
                weight="bold" if i == found else "normal")
    for x, word, colour in ((last, symbols[last], palette.QUERY_INK), (last + 0.7, f"→ {answer}", palette.VALUE_INK)):
        ax.text(x, 2, word, ha="center", va="center", size=12, weight="bold", color=colour)
    ax.set(xlim=(-0.6, last + 1.2), ylim=(-0.2, 2.3), yticks=(0, 1), xticks=(),
           yticklabels=(say("tokens"), say("after layer 1")))
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.figure.set_label(say("Two layers of attention: the last {query} finds {key}, answer {answer}",
                            query=symbols[last], key=symbols[found], answer=answer))
    return ax


def kernels(ax, places):
    """Kernel profiles from -2.5 to 2.5, with their names at places in the plot: places = {"boxcar": (1.05, 0.9)}."""
    for kernel, place in zip(map(get_kernel, places), places.values()):
        u = np.linspace(-1, 1, 1001) * min(1.001 * kernel.support, 2.5)         # where K is 0 the lines would coincide
        line, = ax.plot(u, kernel(u), **kernel_line(kernel))
        ax.text(*place, kernel_name(kernel), color=line.get_color(), va="center")
    ax.set(xlabel=say("u = (query − key) / h"), ylabel="K(u)", ylim=(-0.03, 1.12))
    return ax


def kernel_name(kernel) -> str:
    """The name of a kernel in this language; of a reader's own, the one that it has."""
    return {
        "gaussian": say("gaussian"), "boxcar": say("boxcar"), "constant": say("constant"),
        "triangular": say("triangular"), "epanechnikov": say("epanechnikov"), "biweight": say("biweight"),
        "triweight": say("triweight"), "tricube": say("tricube"), "cosine": say("cosine"),
        "exponential": say("exponential"),
    }.get(kernel.name, kernel.name)


def kernel_line(kernel) -> dict:
    """Colour and dashes of a kernel, the same in all pictures; the last ones for a reader's own kernel."""
    colours, names = (palette.INK, palette.NEGATIVE, palette.LOCAL_LINEAR, "#5A7000", "#7361B5"), list(KERNELS)
    place = names.index(kernel.name) if kernel.name in names else len(names)
    return {"color": colours[place % len(colours)],
            "linestyle": ("-", (0, (6, 2)), (0, (1, 1.5)))[place // len(colours) % 3]}


def error_curve(ax, widths, **curves):
    """Mean squared errors (k,) against widths (k,), logarithmic, each minimum marked: leave_one_out=errors, ..."""
    from matplotlib.ticker import LogLocator, NullFormatter

    lines, colours = [], [palette.INK, palette.MUTED, palette.LOCAL_LINEAR, palette.NEGATIVE]
    names = {"leave_one_out": say("leave one out"), "against_the_truth": say("against the truth"),
             "on_the_values": say("on the values")}
    for (name, errors), colour in zip(curves.items(), colours):
        errors = np.where(np.isfinite(errors), errors, np.nan)
        lines += ax.plot(widths, errors, color=colour)
        best = int(np.nanargmin(errors))
        ax.plot(widths[best], errors[best], "o", color=colour, markeredgecolor=palette.PAPER, markersize=7)
    ax.set(xscale="log", yscale="log")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axis.set_major_formatter(lambda x, _: f"{x:g}")
        axis.set_minor_formatter(NullFormatter())
    ax.set_xlabel(say("width σ"))
    ax.set_ylabel(say("mean squared error"))
    return name_ends(ax, [(names.get(name, name.replace("_", " ")), line) for name, line in zip(curves, lines)])


def edges(points) -> np.ndarray:
    """The borders of the cells around sorted points, halfway between neighbours: (n,) -> (n + 1,)."""
    points = np.asarray(points, dtype=float)
    if points.ndim != 1 or points.size == 0 or np.any(np.diff(points) < 0):
        raise ValueError(f"points: got shape {points.shape}, expected them sorted, (n,)")
    if points.size == 1:
        return np.array([points[0] - 0.5, points[0] + 0.5])
    middles = (points[1:] + points[:-1]) / 2
    return np.concatenate([[2 * points[0] - middles[0]], middles, [2 * points[-1] - middles[-1]]])
