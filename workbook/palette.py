"""The neutral colours, the settings of Matplotlib, and words in the colour of what they name.

Everything is drawn on light paper. In JupyterLab's dark theme the page inverts the lightness of each picture and keeps
its hue (a CSS filter, see `style_sheet`): white becomes dark, vermilion stays vermilion. `in_dark` computes the same of
one colour, for words, which no filter reaches, and for tests of the contrast.
"""
from pathlib import Path

INK, MUTED, FAINT, PAPER = "#1F2328", "#5F6670", "#D8DCE1", "#FFFFFF"
WORDS: dict[str, str] = {}              # a word that the course colours -> the dark shade in which it is written
MARKS: dict[str, str] = {}              # that shade -> the lighter one of marks, such as dots, where the two differ

STYLE = {
    "figure.facecolor": PAPER, "savefig.facecolor": PAPER, "axes.facecolor": PAPER, "figure.dpi": 100,
    "text.usetex": False, "font.family": "DejaVu Sans", "font.size": 10, "axes.titlesize": 11,
    "axes.titlelocation": "left", "axes.labelsize": 10, "xtick.labelsize": 9, "ytick.labelsize": 9, "axes.titlepad": 8,
    "text.color": INK, "axes.labelcolor": INK, "axes.titlecolor": INK,
    "axes.edgecolor": MUTED, "xtick.color": MUTED, "ytick.color": MUTED, "xtick.labelcolor": INK,
    "ytick.labelcolor": INK, "axes.linewidth": 0.8, "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": False, "lines.linewidth": 1.8, "legend.frameon": False, "svg.hashsalt": "workbook",
}
"""Matplotlib settings of every figure here."""


def name(word: str, ink: str, mark: str = "") -> None:
    """From now on `<span class="wb-WORD">` has the colour `ink`. mark: the colour of the marks that the word names."""
    WORDS[word] = ink
    if mark:
        MARKS[ink] = mark


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
    """The style sheet (CSS) of everything of this workbook on a page: the colours of words, in both themes.

    In the dark theme, the plain pictures of a notebook that shows anything of ours are inverted like the live ones.
    """
    dark = {name: "#" + "".join(f"{round(255 * c):02x}" for c in in_dark(colour)) for name, colour in WORDS.items()}
    lines = [f".wb-{name} {{ color: {colour.lower()}; }}" for name, colour in WORDS.items()]
    lines += [f'[data-jp-theme-light="false"] .wb-{name} {{ color: {colour}; }}' for name, colour in dark.items()]
    sheet = Path(__file__).with_name("palette.css").read_text(encoding="utf-8")
    return sheet.replace("/* WORDS */", "\n".join(lines))
