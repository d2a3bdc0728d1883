"""The figures of `online_softmax`: yours on the left, what it should look like on the right."""
import numpy as np

from workbook import palette
from workbook.checks.figures import checked, log_axis, pair
from workbook.checks.quiet import memory
from workbook.exercises.online_softmax import problems as p

SIGMA, QUERY = 0.5, 3.0


def show_states(figure, absorb):
    """The state of one query after each of forty keys: the largest score, the total, and the answer so far."""
    rng = np.random.default_rng(88)
    keys = rng.permutation(np.linspace(0, 6, 40))
    values = 2 * np.sin(keys) + keys**0.8
    scores = -0.5 * ((QUERY - keys) / SIGMA) ** 2
    lines = {"largest score": palette.MUTED, "total": palette.KEY_INK, "answer so far": palette.INK}
    for ax, one in zip(pair(figure, "", *lines.items()), (absorb, p.absorb)):
        state, rows = p.EMPTY, []
        for score, value in zip(scores.tolist(), values.tolist()):
            state = tuple(float(checked(x, ())) for x in one(*state, score, value))
            rows.append((*state[:2], state[2] / state[1] if state[1] else np.nan))
        for row, colour, style in zip(np.transpose(rows), lines.values(), ("-.", "--", "-")):
            ax.step(range(1, 41), row, style, where="post", color=colour)
        ax.set(xlabel="keys seen", ylim=(-8, 10))


def show_memory(figure, attend_in_blocks):
    """The memory that your function needs at its peak, against the number of keys, beside that of the whole table."""
    sizes = [1_000, 2_000, 5_000, 10_000, 20_000]
    rng = np.random.default_rng(0)
    queries = np.linspace(0, 5, 100)
    names = ("the whole table at once", palette.MUTED), ("your blocks of 500", palette.KEY_INK)
    ax = figure.subplots()
    for (name, ink), function in zip(names, (p.attend_in_blocks, attend_in_blocks)):
        peaks = []
        for n in sizes:
            keys = 5 * rng.random(n)
            inputs = queries, keys, np.sin(keys)[:, None], 0.3, 500
            with memory(peaks):
                checked(function(*inputs), (len(queries), 1))
        peaks = [peak / 1e6 for peak in peaks]
        ax.plot(sizes, peaks, "o-", color=ink)
        beside = 8 if function is p.attend_in_blocks else -17          # above and below, where both take as much
        ax.annotate(f"{name}: {peaks[-1]:.1f} MB", (sizes[-1], peaks[-1]), (0, beside), textcoords="offset points",
                    ha="right", color=ink)
    log_axis(ax.xaxis, sizes)
    log_axis(ax.yaxis)
    ax.margins(y=0.15)
    ax.set_xlabel("keys")
    ax.set_ylabel("memory at the peak, in MB")
