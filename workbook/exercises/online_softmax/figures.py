"""The figures of `online_softmax`."""
import numpy as np

from workbook import palette
from workbook.checks.figures import both, log_axis
from workbook.checks.quiet import memory
from workbook.exercises.online_softmax import items
from workbook.language import say
from workbook.pictures import name_above

SIGMA, QUERY = 0.5, 3.0
LINES = {say("largest score"): (palette.MUTED, "-."), "total": (palette.KEY_INK, "--"),
         say("answer so far"): (palette.INK, "-")}


@both("", *((name, colour) for name, (colour, _) in LINES.items()))
def show_states(ax, absorb):
    """The state of one query after each of forty keys: the largest score, the total, and the answer so far."""
    keys = np.random.default_rng(88).permutation(np.linspace(0, 6, 40))
    values = 2 * np.sin(keys) + keys**0.8
    scores = -0.5 * ((QUERY - keys) / SIGMA) ** 2
    state, rows = items.EMPTY, []
    for score, value in zip(scores.tolist(), values.tolist()):
        state = tuple(map(float, absorb(*state, score, value)))
        rows.append((*state[:2], state[2] / state[1] if state[1] else np.nan))
    for row, (colour, style) in zip(np.transpose(rows), LINES.values()):
        ax.step(range(1, 41), row, style, where="post", color=colour)
    ax.set(xlabel=say("keys seen"), ylim=(-8, 10))


def show_memory(figure, attend_in_blocks):
    """The memory that your function needs at its peak, against the number of keys, beside that of the whole table."""
    sizes, rng, words = [1_000, 2_000, 5_000, 10_000, 20_000], np.random.default_rng(0), []
    queries, ax = np.linspace(0, 5, 100), figure.subplots()
    for name, ink, function in ((say("the whole table at once"), palette.MUTED, items.attend_in_blocks),
                                (say("your blocks of 500"), palette.KEY_INK, attend_in_blocks.function)):
        peaks = []
        for n in sizes:
            keys = 5 * rng.random(n)
            with memory(peaks):
                function(queries, keys, np.sin(keys)[:, None], 0.3, 500)
        peaks = [peak / 1e6 for peak in peaks]
        ax.plot(sizes, peaks, "o-", color=ink)
        words.append((say("{name}: {size} MB", name=name, size=f"{peaks[-1]:.1f}"), ink))
    name_above(ax, words)
    log_axis(ax.xaxis, sizes)
    log_axis(ax.yaxis)
    ax.set(xlabel=say("keys"), ylabel=say("memory at the peak, in MB"))
