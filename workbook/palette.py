"""The colours of query, key and value, the same in every figure, formula and sentence; and Matplotlib's settings.

The colours are those of Okabe and Ito, which colour-blind readers can tell apart. Words have a darker shade of the
colour of what they name, with a contrast of at least 4.5 on white.

Everything is drawn on white. In JupyterLab's dark theme a CSS filter inverts the lightness of each picture and keeps
its hue (see `style_sheet`): white becomes dark, vermilion stays vermilion. `in_dark` computes the same for one colour:
for words, which the filter does not change, and for tests of the contrast.
"""
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from workbook import language

INK, MUTED, FAINT, PAPER = "#1F2328", "#5F6670", "#D8DCE1", "#FFFFFF"
AXIS, GRID = "#B4BAC2", "#ECEEF1"                                   # lines that only help to read numbers
QUERY, KEY, VALUE = "#D55E00", "#0072B2", "#009E73"                 # vermilion, blue, bluish green: marks
QUERY_INK, KEY_INK, VALUE_INK = "#B34700", "#00639C", "#00755A"     # the same, for words
NEGATIVE, NEGATIVE_INK = "#B0478C", "#9A3A79"                       # weights below zero: reddish purple
EMPTY = "#F6E4D6"                                                   # where no key is within reach: a tint
LOCAL_LINEAR = "#8A5A00"                                            # the second estimator beside Nadaraya-Watson
MINUS, PLUS, THIRD = "#976900", "#6B4FB8", "#3F4A56"                # classes, in marks and words: ochre, violet, slate
CLASS_MARKERS = ("o", "^", "s")                                     # of the classes, as colour alone is not enough

ESTIMATE_LINE = {"color": INK, "linewidth": 1.9, "solid_capstyle": "round"}
TRUTH_LINE = {"color": MUTED, "linewidth": 1.1, "linestyle": (0, (5, 3))}
QUERY_LINE = {"color": QUERY, "linewidth": 1.1}

WORDS = {"query": QUERY_INK, "key": KEY_INK, "value": VALUE_INK, "negative": NEGATIVE_INK, "minus": MINUS, "plus": PLUS}
"""NAME in `<span class="wb-NAME">` -> the dark shade for these words."""
MARKS = {QUERY_INK: QUERY, KEY_INK: KEY, VALUE_INK: VALUE, NEGATIVE_INK: NEGATIVE}
"""The shade for words -> that for marks, such as dots, where the two differ."""

STYLE = {
    "figure.facecolor": PAPER, "savefig.facecolor": PAPER, "axes.facecolor": PAPER, "figure.dpi": 100,
    "text.usetex": False, "font.size": 10, "axes.titlelocation": "left", "axes.titlepad": 8,
    "axes.labelsize": 9.5, "xtick.labelsize": 9, "ytick.labelsize": 9,
    "text.color": INK, "axes.labelcolor": INK, "axes.titlecolor": INK, "axes.edgecolor": AXIS, "xtick.color": AXIS,
    "ytick.color": AXIS, "xtick.labelcolor": MUTED, "ytick.labelcolor": MUTED, "axes.linewidth": 0.8,
    "xtick.major.size": 3, "ytick.major.size": 3, "xtick.minor.size": 0, "ytick.minor.size": 0,
    "axes.spines.top": False, "axes.spines.right": False, "lines.linewidth": 1.8, "legend.frameon": False,
    "text.hinting": "no_hinting", "svg.hashsalt": "workbook",
}
"""Matplotlib settings of every figure here, but for its letters: see `style`."""
LIVE = {"axes.spines.left": False, "ytick.major.size": 0, "axes.grid": True, "axes.grid.axis": "y", "grid.color": GRID,
        "grid.linewidth": 0.8, "axes.axisbelow": True}
"""In live figures: fine lines in place of the vertical axis. In readers' own pictures they would lie above images."""
TITLE = {"fontsize": 10.5, "fontweight": "bold"}
"""Of a panel, in live figures and in pictures."""
LETTERS = {"font.size": 11, "figure.titlesize": 12, "figure.titleweight": "bold", "axes.titleweight": "bold",
           "axes.titlesize": TITLE["fontsize"], "axes.labelsize": 11, "figure.labelsize": 11, "xtick.labelsize": 10,
           "ytick.labelsize": 10, "legend.fontsize": 11}
"""In pictures that stand among the text of a lesson: nearly as large as its letters."""

LATIN, CHINESE = "Workbook Sans", "Workbook SC"
"""letters/*.ttf: Latin and Greek letters and signs of Adobe's Source Sans 3 (SIL Open Font License; npm's source-sans
3.52) with their kerning. An em has 900 units, so that an x is as high as Matplotlib's own, and lines are 0.8 em above
and 0.236 em below; semibold says that it is bold. zh/letters.otf: what both lack."""


@cache
def style() -> dict:
    """Matplotlib settings of every figure here; our letters are known to Matplotlib from now on."""
    import matplotlib
    from matplotlib.font_manager import fontManager

    for path in sorted((language.FOLDER / "letters").glob("*.ttf")):
        fontManager.addfont(path)
    family = [LATIN, "DejaVu Sans"]
    ours = STYLE | {"font.family": family, "mathtext.fontset": "custom", **dict.fromkeys(
        ("mathtext.rm", "mathtext.it", "mathtext.cal"), LATIN)}
    if language.language() == "en":
        return ours
    fontManager.addfont(language.FOLDER / language.language() / "letters.otf")
    fontManager.ttflist.append(replace(fontManager.ttflist[-1], weight=700))     # bold words have the same letters
    matplotlib.rcParams["font.family"] = [*family, CHINESE]             # for readers' own
    return ours | {"font.family": [*family, CHINESE], "axes.labelpad": 1.0}          # its letters are higher


def rgb(colour) -> tuple[float, float, float]:
    """Red, green and blue in 0..1 of "#D55E00", or of a tuple that begins with them."""
    return tuple(int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)) if isinstance(colour, str) else tuple(colour[:3])


def in_dark(colour: str) -> tuple[float, float, float]:
    """What the dark theme's invert(93 %) hue-rotate(180 deg) makes of a colour. Source: W3C Filter Effects, 8."""
    r, g, b = (0.93 + c * (1 - 2 * 0.93) for c in rgb(colour))
    light = 0.213 * r + 0.715 * g + 0.072 * b           # hue-rotate by half a turn: twice the light minus the colour
    return tuple(min(1.0, max(0.0, 2 * light - c)) for c in (r, g, b))


def contrast(one, other) -> float:
    """The W3C contrast ratio of two colours, 1 to 21; 4.5 is what small text needs."""
    def luminance(colour):
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb(colour)]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def style_sheet() -> str:
    """The style sheet (CSS) of all our outputs: the colours of words in both themes, and the dark pictures.

    Where it is on a page, the dark theme inverts all pictures of the notebook, not only live figures.
    """
    dark = {name: "#" + "".join(f"{round(255 * c):02x}" for c in in_dark(colour)) for name, colour in WORDS.items()}
    lines = [f".wb-{name} {{ color: {colour.lower()}; }}" for name, colour in WORDS.items()]
    lines += [f'[data-jp-theme-light="false"] .wb-{name} {{ color: {colour}; }}' for name, colour in dark.items()]
    sheet = Path(__file__).with_name("palette.css").read_text(encoding="utf-8")
    return sheet.replace("/* WORDS */", "\n".join(lines))


def weight_colours():
    """The colour map of attention weights, paper to deep blue: the higher the weight, the more ink.

    Small weights are clearly different from white, so that 1/50, the share of each of fifty keys, is seen.
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
    from matplotlib.colors import FuncNorm

    def root(weights):
        return np.copysign(np.sqrt(np.abs(weights)), weights)

    def square(places):
        return np.copysign(np.square(places), places)

    return FuncNorm((root, square), -1.0 if signed else 0.0, 1.0)
