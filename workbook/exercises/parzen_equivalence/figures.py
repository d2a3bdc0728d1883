"""The figures of `parzen_equivalence`: yours on the left, what it should look like on the right."""
import numpy as np

from nwlab.data import make_classes
from workbook import palette
from workbook.checks.figures import checked, pair
from workbook.exercises.parzen_equivalence import problems as p

BANDWIDTH, EACH = 0.9, ", one number for each x"
POSITIVE, NEGATIVE = palette.PLUS, palette.MINUS
CONDITIONAL = palette.MUTED            # dashed; an ochre line would look like the class −1
PATIENT = 0.4                          # lies where the verdicts differ


def sample():
    """Queries (241,), keys (60,) and labels (60,): 12 of +1 against 48 of -1."""
    keys, labels = make_classes(n=60, positive=0.2, separation=2.0, seed=4)
    return np.linspace(-4.5, 4.5, 241), keys, labels


def show_density(figure, density):
    """The Parzen density of sixty keys: yours, and what it should look like."""
    x, keys, _ = sample()
    for ax, function in zip(pair(figure, "density p̂(x)", ink=palette.KEY_INK), (density, p.density)):
        height = checked(function(x, keys, BANDWIDTH), x.shape, meaning=EACH)
        ax.fill_between(x, height, color=palette.KEY, alpha=0.15, linewidth=0)
        ax.plot(x, height, color=palette.KEY)
        _rug(ax, keys, np.zeros(len(keys)), palette.KEY)
        ax.set_xlabel("x")


def show_classes(figure, joint_difference, classify):
    """The joint difference, and the classifier's verdict as a band below it: yours, and what it should look like."""
    x, keys, labels = sample()
    both = (joint_difference, classify), (p.joint_difference, p.classify)
    for ax, functions in zip(pair(figure, "joint difference"), both):
        difference, verdict = (checked(function(x, keys, labels, BANDWIDTH), x.shape, meaning=EACH)
                               for function in functions)
        ax.axhline(0, color=palette.FAINT, linewidth=0.8)
        ax.plot(x, difference, color=palette.INK)
        for side, colour in ((verdict > 0, POSITIVE), (verdict < 0, NEGATIVE), (np.isnan(verdict), palette.EMPTY)):
            ax.fill_between(x, -0.34, -0.31, where=side, color=colour, linewidth=0, step="mid")
        _rug(ax, keys, labels)
        ax.set_xlabel("x      band: verdict +1 violet, −1 ochre, none pale")


def show_boundaries(figure, joint_difference, conditional_difference):
    """Joint and class-conditional difference, and shaded where their signs differ: yours, and what it should look like."""  # noqa: E501
    x, keys, labels = sample()
    both = (joint_difference, conditional_difference), (p.joint_difference, p.conditional_difference)
    names = ("joint", palette.INK), ("class-conditional", CONDITIONAL)
    for ax, functions in zip(pair(figure, "difference", *names), both):
        joint, conditional = (checked(function(x, keys, labels, BANDWIDTH), x.shape, meaning=EACH)
                               for function in functions)
        ax.axhline(0, color=palette.FAINT, linewidth=0.8)
        ax.fill_between(x, -0.5, 0.55, where=joint * conditional < 0, color=palette.QUERY, alpha=0.18, linewidth=0,
                        step="mid")
        ax.plot(x, joint, color=palette.INK)
        ax.axvline(PATIENT, **palette.QUERY_LINE)
        ax.plot(x, conditional, color=CONDITIONAL, linestyle=(0, (5, 2)))
        _rug(ax, keys, labels)
        ax.set_xlabel("x      shaded: the verdicts differ")


def _rug(ax, keys, labels, colour=None):
    """Keys as ticks: +1 at the top, -1 at the bottom, in their class's colour."""
    across = ax.get_xaxis_transform()
    for side, place, own in ((labels > 0, 0.97, POSITIVE), (labels < 0, 0.03, NEGATIVE), (labels == 0, 0.03, colour)):
        ax.plot(keys[side], np.full(np.sum(side), place), "|", color=own, markersize=8, transform=across)
