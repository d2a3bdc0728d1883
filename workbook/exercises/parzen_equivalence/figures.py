"""The figures of `parzen_equivalence`."""
import numpy as np

from nwlab.data import make_classes
from workbook import palette
from workbook.checks.figures import both
from workbook.language import say

BANDWIDTH = 0.9
CONDITIONAL = palette.MUTED            # dashed; an ochre line would look like the class −1
PATIENT = 0.4                          # lies where the verdicts differ


def sample():
    """Queries (241,), keys (60,) and labels (60,): 12 of +1 against 48 of -1."""
    keys, labels = make_classes(n=60, positive=0.2, separation=2.0, seed=4)
    return np.linspace(-4.5, 4.5, 241), keys, labels


@both(say("density p̂(x)"), ink=palette.KEY_INK)
def show_density(ax, density):
    """The Parzen density of sixty keys: yours, and what it should look like."""
    x, keys, _ = sample()
    height = density(x, keys, BANDWIDTH)
    ax.fill_between(x, height, color=palette.KEY, alpha=0.15, linewidth=0)
    ax.plot(x, height, color=palette.KEY)
    ax.plot(keys, np.full(len(keys), 0.03), "|", color=palette.KEY, markersize=8, transform=ax.get_xaxis_transform())
    ax.set_xlabel("x")


@both(say("joint difference"))
def show_classes(ax, joint_difference, classify):
    """The joint difference, and the classifier's verdict as a band below it: yours, and what it should look like."""
    x, keys, labels = sample()
    difference, verdict = (function(x, keys, labels, BANDWIDTH) for function in (joint_difference, classify))
    _two_classes(ax, keys, labels)
    ax.plot(x, difference, color=palette.INK)
    for side, colour in ((verdict > 0, palette.PLUS), (verdict < 0, palette.MINUS), (np.isnan(verdict), palette.EMPTY)):
        ax.fill_between(x, -0.34, -0.31, where=side, color=colour, linewidth=0, step="mid")
    ax.set_xlabel(say("x\nband: verdict +1 violet, −1 ochre, none pale"))


@both(say("difference"), (say("joint"), palette.INK), (say("class-conditional"), CONDITIONAL))
def show_boundaries(ax, joint_difference, conditional_difference):
    """Joint and class-conditional difference, and shaded where their signs differ: yours, and what it should look like."""  # noqa: E501
    x, keys, labels = sample()
    joint, conditional = (function(x, keys, labels, BANDWIDTH)
                          for function in (joint_difference, conditional_difference))
    _two_classes(ax, keys, labels)
    ax.fill_between(x, -0.5, 0.55, where=joint * conditional < 0, color=palette.QUERY, alpha=0.18, linewidth=0,
                    step="mid")
    ax.plot(x, joint, color=palette.INK)
    ax.axvline(PATIENT, **palette.QUERY_LINE)
    ax.plot(x, conditional, color=CONDITIONAL, linestyle=(0, (5, 2)))
    ax.set_xlabel(say("x      shaded: the verdicts differ"))


def _two_classes(ax, keys, labels):
    """A line at 0, and keys as ticks: +1 at the top, -1 at the bottom, in their class's colour."""
    ax.axhline(0, color=palette.FAINT, linewidth=0.8)
    for side, place, colour in ((labels > 0, 0.97, palette.PLUS), (labels < 0, 0.03, palette.MINUS)):
        ax.plot(keys[side], np.full(np.sum(side), place), "|", color=colour, markersize=8,
                transform=ax.get_xaxis_transform())
