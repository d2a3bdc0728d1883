"""The texts of an exercise, hints.md and advice.md beside its code. They are read when one is needed."""
import re
from functools import cache
from importlib import resources


@cache
def read(package: str) -> dict[str, tuple[str, ...]]:
    """Item name -> its hints, from a nudge to nearly there. hints.md has `## item`, then `1.`, `2.` and `3.`."""
    _, *parts = re.split(r"(?m)^## (\w+)\s*$", (resources.files(package) / "hints.md").read_text(encoding="utf-8"))
    return {name: tuple(" ".join(hint.split()) for hint in re.split(r"(?m)^\d\. ", body)[1:])
            for name, body in zip(parts[::2], parts[1::2])}


@cache
def advice(package: str, file: str = "advice.md") -> dict[tuple[str, str], str]:
    """(item, mistake) -> where to look next. The file has `## item` or `## item, item`, then `### mistake` and a text.

    What was expected may follow in a paragraph of its own, which begins with `Expected: `.
    """
    found = {}
    for section in re.split(r"(?m)^## ", (resources.files(package) / file).read_text(encoding="utf-8"))[1:]:
        items, _, body = section.partition("\n")
        _, *parts = re.split(r"(?m)^### (.+)$", body)
        for name, look in zip(parts[::2], parts[1::2]):
            for item in items.split(", "):
                found[item, name] = " ".join(look.split())
    return found
