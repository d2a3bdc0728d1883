"""A submission put together for its rerun: the cells of the student, and those handed out that it changed or lacks."""
import re
from dataclasses import dataclass, field

from workbook.checks.rerun import is_in_words, trimmed, words

_MOVED = "exercises|explore|labs|lesson|palette|plots"      # modules of an older edition's nwlab
_IMPORT = re.compile(r"^([ \t]*)from nwlab import (\w[\w, ]*)$", re.M)


@dataclass
class Rebuilt:
    """sources: the cells of code, in order. answers: item -> the number of the cell in which it was to be written.

    given: the numbers of those that are as they were handed out. words: the student's answer in words.
    code: item -> what `mark` ran as its answer, to be shown; shapes: the `same.shape` of each.
    """

    sources: list[str]
    answers: dict[str, int]
    given: set[int]
    words: str = ""
    code: dict[str, str] = field(default_factory=dict)
    shapes: dict[str, tuple[str, int]] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)


def rebuild(master: list[dict], submitted: list[dict], items: list[str]) -> Rebuilt:
    """The submitted cells of code in their order, with each cell of the master that is no answer above its changed
    version, or where it is missing, below the one before it.
    """
    code = [cell for cell in submitted if cell["cell_type"] == "code"]
    texts = [of_today(cell["source"]) for cell in code]
    older = texts != [cell["source"] for cell in code]
    trim, names = list(map(trimmed, texts)), [{cell["id"], cell["grade_id"]} for cell in code]
    handed_out = {cell["id"]: cell["source"] for cell in master            # but for answers and checks
                  if cell["cell_type"] == "code" and not cell["id"].startswith(("write-", "check-"))}
    given, place = set(map(trimmed, handed_out.values())), 0
    for name, source in handed_out.items():
        if trimmed(source) in trim:
            place = trim.index(trimmed(source)) + 1
            continue
        place = next((n for n, ids in enumerate(names) if name in ids), place)
        for cells, new in (texts, source), (trim, trimmed(source)), (names, set()):
            cells.insert(place, new)
        place += 1
    answers = {item: n for item in items for n, ids in enumerate(names) if f"write-{item}" in ids}
    answer = "\n".join(cell["source"] for cell in master if cell["id"] == "answer")        # in each language
    rebuilt = Rebuilt(texts, answers, {n for n, source in enumerate(trim) if source in given},
                      words(submitted, answer))
    if older:
        rebuilt.remarks.append("its imports from nwlab are those of an older edition; they were read as today's")
    if answer and not any(map(is_in_words, submitted)):
        rebuilt.remarks.append("the cell of the answer in words is missing")
    return rebuilt


def of_today(source: str) -> str:
    """The source of a cell, in which an older edition's imports from nwlab name the modules where they are now."""
    def split(found: re.Match) -> str:
        parts = {"nwlab": [], "workbook": []}
        for name in found[2].split(","):
            parts["workbook" if re.match(rf"\s*({_MOVED})\b", name) else "nwlab"].append(name.strip())
        return "\n".join(f"{found[1]}from {home} import {', '.join(names)}" for home, names in parts.items() if names)

    return re.sub(rf"\bnwlab\.(?=({_MOVED})\b)", "workbook.", _IMPORT.sub(split, source))
