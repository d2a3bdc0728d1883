"""Numbers as text, and words in the colour of what they name."""
import math

from workbook.language import say


def number(x: float, digits: int = 3) -> str:
    """Three significant digits, without an exponent where a person would write none, and with a real minus sign."""
    if not math.isfinite(x):
        return say("not defined") if math.isnan(x) else say("infinite")
    if 1e6 <= abs(x) < 1e9:
        return minus(say("{number} million", number=f"{x / 1e6:.{digits}g}"))
    text = f"{x:.{digits}g}"
    if "e" in text and 1 <= abs(x) < 1e6:
        text = f"{x:.0f}"
    return minus(text)


def minus(text: str) -> str:
    """The text with minus signs in place of hyphens."""
    return text.replace("-", "−")


def bold(x: float, digits: int = 3) -> str:
    """A number that changes with the controls, in bold."""
    return f"<b>{number(x, digits)}</b>"


def in_colour(name: str):
    """A function that sets words in the colour of that name, see `workbook.palette.WORDS`."""
    return lambda text: f'<span class="wb-{name}">{text}</span>'
