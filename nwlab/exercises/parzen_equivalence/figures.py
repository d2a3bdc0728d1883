"""The figures of `parzen_equivalence`: yours on the left, what it should look like on the right."""
from __future__ import annotations

import numpy as np

from nwlab import palette
from nwlab.data import make_classes
from nwlab.density import parzen_density

BANDWIDTH = 0.9
POSITIVE, NEGATIVE = palette.PLUS, palette.MINUS
CONDITIONAL = palette.MUTED            # dashed; an ochre line would look like the class −1
PATIENT = 0.4                          # lies where the verdicts differ


def sample():
    """Queries (241,), keys (60,) and labels (60,): 12 of +1 against 48 of -1."""
    keys, labels = make_classes(n=60, positive=0.2, separation=2.0, seed=4)
    return np.linspace(-4.5, 4.5, 241), keys, labels


def right_density(x, keys, bandwidth):
    return parzen_density(x, keys, kernel="epanechnikov", bandwidth=bandwidth)


def right_conditional(x, keys, labels, bandwidth):
    return right_density(x, keys[labels > 0], bandwidth) - right_density(x, keys[labels < 0], bandwidth)


def right_joint(x, keys, labels, bandwidth):
    share = np.mean(labels > 0)
    return (share * right_density(x, keys[labels > 0], bandwidth)
            - (1 - share) * right_density(x, keys[labels < 0], bandwidth))


def show_density(figure, density):
    """The Parzen density of sixty keys: yours, and what it should look like."""
    x, keys, _ = sample()
    for ax, p in zip(_pair(figure), (density(x, keys, BANDWIDTH), right_density(x, keys, BANDWIDTH))):
        p = _checked(p, x)
        ax.fill_between(x, p, color=palette.KEY, alpha=0.15, linewidth=0)
        ax.plot(x, p, color=palette.KEY)
        _rug(ax, keys, np.zeros(len(keys)), palette.KEY)
        ax.set_xlabel("x")
    figure.axes[0].set_ylabel("density p̂(x)", color=palette.KEY_INK)


def show_classes(figure, joint_difference, classify):
    """The joint difference, and the classifier's verdict as a band below it: yours, and what it should look like."""
    x, keys, labels = sample()
    joint = right_joint(x, keys, labels, BANDWIDTH)
    right = joint, np.where(right_density(x, keys, BANDWIDTH) > 0, np.sign(joint), np.nan)
    mine = joint_difference(x, keys, labels, BANDWIDTH), classify(x, keys, labels, BANDWIDTH)
    for ax, (difference, verdict) in zip(_pair(figure), (mine, right)):
        difference, verdict = _checked(difference, x), _checked(verdict, x)
        ax.axhline(0, color=palette.FAINT, linewidth=0.8)
        ax.plot(x, difference, color=palette.INK)
        low = -0.34
        for side, colour in ((verdict > 0, POSITIVE), (verdict < 0, NEGATIVE)):
            ax.fill_between(x, low, low + 0.03, where=side, color=colour, linewidth=0, step="mid")
        ax.fill_between(x, low, low + 0.03, where=np.isnan(verdict), color=palette.EMPTY, linewidth=0, step="mid")
        _rug(ax, keys, labels)
        ax.set_xlabel("x      band: verdict +1 violet, −1 ochre, none pale")
    figure.axes[0].set_ylabel("joint difference")


def show_boundaries(figure, joint_difference, conditional_difference):
    """Joint and class-conditional difference, and shaded where their signs differ: yours, and what it should look like."""
    from nwlab.plots import name_above

    x, keys, labels = sample()
    at = x, keys, labels, BANDWIDTH
    pairs = (joint_difference(*at), conditional_difference(*at)), (right_joint(*at), right_conditional(*at))
    for ax, pair in zip(_pair(figure, pad=24), pairs):
        joint, conditional = (_checked(values, x) for values in pair)
        ax.axhline(0, color=palette.FAINT, linewidth=0.8)
        ax.fill_between(x, -0.5, 0.55, where=joint * conditional < 0, color=palette.QUERY, alpha=0.18, linewidth=0, step="mid")
        ax.plot(x, joint, color=palette.INK)
        ax.axvline(PATIENT, **palette.QUERY_LINE)
        ax.plot(x, conditional, color=CONDITIONAL, linestyle=(0, (5, 2)))
        _rug(ax, keys, labels)
        ax.set_xlabel("x      shaded: the verdicts differ")
        name_above(ax, [("joint", palette.INK), ("class-conditional", CONDITIONAL)])
    figure.axes[0].set_ylabel("difference")


def _pair(figure, pad=8):
    axes = figure.subplots(1, 2, sharex=True, sharey=True)
    for ax, title in zip(axes, ("yours", "what it should look like")):
        ax.set_title(title, pad=pad)
    return axes


def _rug(ax, keys, labels, colour=None):
    """Keys as ticks: +1 at the top, -1 at the bottom, in their class's colour."""
    across = ax.get_xaxis_transform()
    for side, place, own in ((labels > 0, 0.97, POSITIVE), (labels < 0, 0.03, NEGATIVE), (labels == 0, 0.03, colour)):
        ax.plot(keys[side], np.full(np.sum(side), place), "|", color=own, markersize=8, transform=across)


def _checked(values, x):
    values = np.asarray(values, dtype=float)
    if values.shape != x.shape:
        raise ValueError(f"got shape {values.shape}, expected {x.shape}, one number for each x")
    return values
