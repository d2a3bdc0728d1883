"""One colour each for query, key and value, the same in every figure, formula and sentence.

The colours are Okabe and Ito's, chosen so that colour-blind readers can tell them apart. Words are set in a darker
shade of the colour of what they name, dark enough to read (a contrast of at least 4.5 on paper).
"""
import numpy as np

from workbook.palette import FAINT, INK, MUTED, PAPER, STYLE, contrast, in_dark, name, rgb, style_sheet

__all__ = ["FAINT", "INK", "MUTED", "PAPER", "STYLE", "contrast", "in_dark", "name", "rgb", "style_sheet"]

QUERY, KEY, VALUE = "#D55E00", "#0072B2", "#009E73"                 # vermilion, blue, bluish green: marks
QUERY_INK, KEY_INK, VALUE_INK = "#B34700", "#00639C", "#00755A"     # the same, for words
NEGATIVE, NEGATIVE_INK = "#B0478C", "#9A3A79"                       # weights below zero: reddish purple
EMPTY = "#F6E4D6"                                                   # where no key is in reach: a tint
LOCAL_LINEAR = "#8A5A00"                                            # the second estimator beside Nadaraya-Watson
MINUS, PLUS, THIRD = "#976900", "#6B4FB8", "#3F4A56"                # classes: ochre, violet, slate; marks and words
CLASS_MARKERS = ("o", "^", "s")                                     # and never by colour alone, in the same order

ESTIMATE_LINE = {"color": INK, "linewidth": 2.2, "solid_capstyle": "round"}
TRUTH_LINE = {"color": MUTED, "linewidth": 1.5, "linestyle": (0, (5, 3))}
QUERY_LINE = {"color": QUERY, "linewidth": 1.4}

for word, ink, mark in (("query", QUERY_INK, QUERY), ("key", KEY_INK, KEY), ("value", VALUE_INK, VALUE),
                        ("negative", NEGATIVE_INK, NEGATIVE), ("minus", MINUS, ""), ("plus", PLUS, "")):
    name(word, ink, mark)


def weight_colours():
    """The colour map of attention weights, paper to deep blue: the higher the weight, the more ink.

    It leaves the paper quickly, so that 1/50, the share of each of fifty keys, is seen on the scale of all weights.
    """
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list(
        "weights", [(0.0, PAPER), (0.14, "#CFE3F2"), (0.4, "#7DB4DA"), (0.7, KEY), (1.0, "#003A63")])


def signed_colours():
    """The colour map of weights that may be negative: purple below zero, paper at zero, blue above."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list(
        "signed", [(0.0, "#6B1E52"), (0.2, NEGATIVE), (0.4, "#E3B9D3"), (0.5, PAPER), (0.6, "#A9CDE8"), (0.8, KEY),
                   (1.0, "#003A63")])


def weight_scale(signed: bool = False):
    """The scale of every heatmap, from 0 to 1, as a Matplotlib norm: a colour's place is the root of the weight."""
    from matplotlib.colors import Normalize

    class RootNorm(Normalize):                              # Matplotlib's own, PowerNorm and FuncNorm, are slow
        def __call__(self, value, clip=None):
            value, is_scalar = self.process_value(value)    # a copy
            places = value.data
            places /= self.vmax
            np.copysign(np.sqrt(np.abs(places)), places, out=places)
            if signed:                                      # nothing is in the middle
                places += 1.0
                places *= 0.5
            return value[0] if is_scalar else value

        def inverse(self, value):
            places = 2 * np.asarray(value) - 1 if signed else np.asarray(value)
            return self.vmax * np.copysign(np.square(places), places)

    return RootNorm(-1.0 if signed else 0.0, 1.0)
