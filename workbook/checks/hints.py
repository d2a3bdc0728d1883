"""The texts of an exercise, hints.md and advice.md beside its code."""
import re
from functools import cache
from importlib import resources


def read(package: str) -> dict[str, dict]:
    """Item name -> title, returns and hints: in hints.md `## item: title`, `It returns: ...`, `1.`, `2.` and `3.`."""
    found = {}
    for heading, body in _sections("## ", _text(package, "hints.md")):
        name, _, title = heading.partition(": ")
        returns, *hints = (" ".join(text.split()) for text in re.split(r"(?m)^\d\. ", body))
        found[name] = {"title": title, "returns": returns.removeprefix("It returns: "), "hints": tuple(hints)}
    return found


@cache
def advice(package: str, file: str = "advice.md") -> dict[tuple[str, str], str]:
    """(item, mistake) -> where to look next. The file has `## item` or `## item, item`, then `### mistake` and a text.

    What was expected may follow in a paragraph of its own, which begins with `Expected: `.
    """
    return {(item, name): " ".join(look.split()) for items, body in _sections("## ", _text(package, file))
            for name, look in _sections("### ", body) for item in items.split(", ")}


def _text(package: str, file: str) -> str:
    return (resources.files(package) / file).read_text(encoding="utf-8")


def _sections(mark: str, text: str) -> list[list[str]]:
    """[heading, text below it] for each heading with this mark."""
    return [section.split("\n", 1) for section in re.split(f"(?m)^{mark}", text)[1:]]
