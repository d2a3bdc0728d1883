"""The texts of an exercise, hints.md and advice.md beside its code."""
import re
from functools import cache
from importlib import resources
from pathlib import Path

from workbook import language


def read(package: str) -> dict[str, dict]:
    """Item name -> title, returns and hints: in hints.md `## item: title`, `It returns: ...`, `1.`, `2.` and `3.`."""
    found = {}
    for heading, text in _sections(package, "hints.md"):
        name, _, title = heading.partition(": ")
        returns, *hints = (" ".join(text.split()) for text in re.split(r"(?m)^\d\. ", text))
        found[name] = {"title": title, "returns": returns.partition(": ")[2], "hints": tuple(hints)}
    return found


@cache
def advice(package: str, file: str = "advice.md") -> dict[tuple[str, str], tuple[str, str]]:
    """(item, mistake) -> the mistake as readers see it, and where to look next.

    The file has `## item` or `## item, item`, then `### mistake` and a text. What was expected may follow in a
    paragraph that begins with `Expected: `. A translation has a line `= the mistake, translated` below the heading.
    """
    found = {}
    for heading, text in _sections(package, file):
        items, _, name = heading.partition(" | ")
        translated, look = re.fullmatch(r"\s*(?:= (.+)\n)?((?s:.*))", text).groups()
        found |= {(item, name): (translated or name, " ".join(look.split())) for item in items.split(", ") if name}
    return found


def _sections(package: str, file: str) -> list[tuple[str, str]]:
    """(heading, text below it); the heading of a ### begins with that of its ##, as in `language.pieces`."""
    _, *sections = language.pieces(language.read(Path(str(resources.files(package) / file))))
    return [(heading, text.partition("\n")[2]) for heading, text in sections]
