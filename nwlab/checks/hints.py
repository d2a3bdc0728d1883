"""Hints stand beside the code of their exercise, in hints.md: three for each item, read when one is asked for."""
import re
from functools import cache
from importlib import resources


@cache
def read(exercise: str) -> dict[str, tuple[str, ...]]:
    """Item name -> its hints, from a nudge to nearly there. In hints.md: `## item`, then `1.`, `2.` and `3.`."""
    text = (resources.files("nwlab.exercises") / exercise / "hints.md").read_text(encoding="utf-8")
    _, *parts = re.split(r"(?m)^## (\w+)\s*$", text)
    return {name: tuple(" ".join(hint.split()) for hint in re.split(r"(?m)^\d\. ", body)[1:])
            for name, body in zip(parts[::2], parts[1::2])}
