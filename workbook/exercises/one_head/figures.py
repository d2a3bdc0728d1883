"""The figures of `one_head`: what two heads say by hand, and what they are after training."""
import numpy as np

from workbook import palette
from workbook.checks.figures import both
from workbook.exercises.one_head import items
from workbook.language import say

SEQUENCE, SYMBOLS = "CABDCABDC", "ABCD"


@both(say("may come next"))
def show_by_hand(ax, induction_head):
    """What comes next, at each place of a sequence, by two heads by hand: yours, and what it should look like."""
    x = items.one_hot([SYMBOLS.index(letter) for letter in SEQUENCE], len(SYMBOLS))
    shares = induction_head(x, np.where(np.arange(items.REACH) == 1, 20.0, -20.0), 40 * np.eye(len(SYMBOLS)))
    ax.imshow(shares.T, cmap=palette.weight_colours(), vmin=0, vmax=1, aspect="auto")
    ax.plot(np.arange(len(x) - 1), x[1:].argmax(axis=1), "o", mfc="white", mec=palette.VALUE_INK, ms=10)
    ax.set(xlabel=say("the sequence"), xticks=range(9), xticklabels=SEQUENCE, yticks=range(4), yticklabels=SYMBOLS)


def show_learned(figure, train, induction_head):
    """What your training makes of zeros: the bias by distance, which symbols match, and how often this is right."""
    from workbook.labs import sequences

    left, middle, right = figure.subplots(1, 3)
    old, new = sequences.draw(32, seed=1), sequences.draw(200, seed=2)
    x_old, x_new = (items.one_hot(drawn.tokens, sequences.SYMBOLS) for drawn in (old, new))
    for at, steps, ink in zip((3, 5, 7), (5, 15, 60), (palette.MUTED, palette.LOCAL_LINEAR, palette.INK)):
        bias, match = train(x_old, old.known, steps)
        left.plot(bias, "o-", color=ink)
        left.annotate(say("{n} steps", n=steps), (at, bias[at]), (0, 9), textcoords="offset points", ha="center",
                      color=ink)
    left.set(title=say("the first head"), xlabel=say("distance back ({n}: or more)", n=items.REACH - 1), ylabel="bias")
    end = abs(match).max()
    picture = middle.imshow(match, cmap=palette.signed_colours(), vmin=-end, vmax=end)
    figure.colorbar(picture, ax=middle, location="bottom", label="match")
    middle.set(title=say("the second head"), xlabel=say("symbol before the key"), ylabel=say("symbol of the query"),
               xticks=range(0, 12, 3), yticks=range(0, 12, 3))
    guess = induction_head(x_new, bias, match)[:, :-1].argmax(axis=-1)
    good, since = guess == new.tokens[:, 1:], np.arange(guess.shape[1]) - new.lengths[:, None]
    places = range(-4, 12)
    right.plot(places, [good[since == place].mean() for place in places], "o-", color=palette.INK)
    right.annotate(say("from 0 on: {share}", share=f"{good[new.known].mean():.1%}"), (2, 0.6), color=palette.INK)
    right.set(title=say("share of right answers"), xlabel=say("place − length of the block"))
