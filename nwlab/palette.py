"""One colour each for query, key and value, the same in every figure, formula and sentence.

The colours are Okabe and Ito's, chosen so that colour-blind readers can tell them apart. Words are set in a darker
shade of the colour of what they name, dark enough to read (a contrast of at least 4.5 on paper).

Everything is drawn on light paper. In JupyterLab's dark theme the page turns the light of each picture upside down and
keeps its hue (a CSS filter, see explore/stage/words.css): paper becomes night, vermilion stays vermilion. `in_dark` computes
what a colour becomes, so that tests can hold the contrast there too.
"""
from __future__ import annotations

QUERY, KEY, VALUE = "#D55E00", "#0072B2", "#009E73"                 # vermilion, blue, bluish green: marks
QUERY_INK, KEY_INK, VALUE_INK = "#B34700", "#00639C", "#00755A"     # the same, for words
INK, MUTED, FAINT, PAPER = "#1F2328", "#5F6670", "#D8DCE1", "#FFFFFF"
NEGATIVE = "#B0478C"                                                # weights below zero: reddish purple
EMPTY = "#F6E4D6"                                                   # where no key is in reach: a tint
LOCAL_LINEAR = "#8A5A00"                                            # the second estimator beside Nadaraya-Watson
MINUS, PLUS, THIRD = "#976900", "#6B4FB8", "#3F4A56"                # classes: ochre, violet, slate; marks and words
CLASS_MARKERS = ("o", "^", "s")                                     # and never by colour alone, in the same order

ESTIMATE_LINE = {"color": INK, "linewidth": 2.2, "solid_capstyle": "round"}
TRUTH_LINE = {"color": MUTED, "linewidth": 1.5, "linestyle": (0, (5, 3))}
QUERY_LINE = {"color": QUERY, "linewidth": 1.4}

STYLE = {
    "figure.facecolor": PAPER, "savefig.facecolor": PAPER, "axes.facecolor": PAPER, "figure.dpi": 100,
    "font.family": "DejaVu Sans", "font.size": 10, "axes.titlesize": 11, "axes.titlelocation": "left",
    "axes.labelsize": 10, "xtick.labelsize": 9, "ytick.labelsize": 9, "axes.titlepad": 8,
    "text.color": INK, "axes.labelcolor": INK, "axes.titlecolor": INK,
    "axes.edgecolor": MUTED, "xtick.color": MUTED, "ytick.color": MUTED, "xtick.labelcolor": INK,
    "ytick.labelcolor": INK, "axes.linewidth": 0.8, "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": False, "lines.linewidth": 1.8, "legend.frameon": False, "svg.hashsalt": "nwlab",
}
"""Matplotlib settings of every figure here."""


def weight_colours():
    """The colour map of attention weights, paper to deep blue: the higher the weight, the more ink."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("weights", [PAPER, "#CFE3F2", "#7DB4DA", KEY, "#003A63"])


def signed_colours():
    """The colour map of weights that may be negative: purple below zero, paper at zero, blue above."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list(
        "signed", ["#6B1E52", NEGATIVE, "#E3B9D3", PAPER, "#A9CDE8", KEY, "#003A63"])


def in_dark(colour: str) -> tuple[float, float, float]:
    """What the dark theme's filter, invert(93 %) hue-rotate(180 deg), makes of a colour: red, green, blue in 0..1.

    The two formulas are those of the W3C Filter Effects Module, section 8.
    """
    from matplotlib.colors import to_rgb

    r, g, b = (0.93 + c * (1 - 2 * 0.93) for c in to_rgb(colour))
    light = 0.213 * r + 0.715 * g + 0.072 * b           # hue-rotate by half a turn: twice the light minus the colour
    return tuple(min(1.0, max(0.0, 2 * light - c)) for c in (r, g, b))


def contrast(one, other) -> float:
    """The W3C contrast ratio of two colours, 1 to 21; 4.5 is what small text needs."""
    from matplotlib.colors import to_rgb

    def luminance(colour):
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
