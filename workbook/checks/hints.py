"""The texts of an exercise, hints.md and advice.md beside its code."""
import re
from functools import cache
from importlib import resources
from pathlib import Path

from workbook import language


def read(package: str) -> dict[str, dict]:
    """Item name -> title, returns and hints: in hints.md `## item: title`, `It returns: ...`, `1.`, `2.` and `3.`."""
    found = {}
    for heading, body in _sections("## ", _text(package, "hints.md")):
        name, _, title = heading.partition(": ")
        returns, *hints = (" ".join(text.split()) for text in re.split(r"(?m)^\d\. ", body))
        found[name] = {"title": title, "returns": returns.partition(": ")[2], "hints": tuple(hints)}
    return found


@cache
def advice(package: str, file: str = "advice.md") -> dict[tuple[str, str], tuple[str, str]]:
    """(item, mistake) -> the mistake as readers see it, and where to look next.

    The file has `## item` or `## item, item`, then `### mistake` and a text. What was expected may follow in a
    paragraph that begins with `Expected: `. A translation has a line `= the mistake, translated` below the heading.
    """
    found = {}
    for items, body in _sections("## ", _text(package, file)):
        for name, look in _sections("### ", body):
            translated = re.match(r"\s*= (.+)\n", look)
            look = " ".join(look[translated.end() if translated else 0:].split())
            found |= {(item, name): (translated[1] if translated else name, look) for item in items.split(", ")}
    return found


def _text(package: str, file: str) -> str:
    return language.read(Path(str(resources.files(package) / file)))


def _sections(mark: str, text: str) -> list[list[str]]:
    """[heading, text below it] for each heading with this mark."""
    return [section.split("\n", 1) for section in re.split(f"(?m)^{mark}", text)[1:]]
