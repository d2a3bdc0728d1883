"""A submission rebuilt: its answers and nothing else of it, in the exercise as it was handed out."""
import json
import re
from dataclasses import dataclass, field

from workbook.checks.hand_in import trimmed

HEADING = "^## In your words"
_MOVED = "exercises|explore|labs|lesson|palette|plots"      # modules of an older edition's nwlab
_IMPORT = re.compile(r"^([ \t]*)from nwlab import (\w[\w, ]*)$", re.M)
DEFINES = r"^(?:async +)?(?:def|class) +{name}\b|^{name} *(?::[^=\n]*)?=(?!=)"      # whether or not it can be parsed


@dataclass
class Rebuilt:
    """The cells to run, and remarks.

    cells: {"item", "source"} for code, {"item", "function"} for checks; item is "" in a cell of the master's own.
    untouched: items whose stub is as it was handed out. words: what the student wrote as the answer in words.
    """

    cells: list[dict]
    untouched: set[str] = field(default_factory=set)
    words: str = ""
    remarks: list[str] = field(default_factory=list)


def cells_of(data: bytes) -> list[dict]:
    """The cells of a notebook: dicts of texts, "id", "grade_id", "cell_type" and "source". ValueError: why not."""
    try:
        cells = [{"id": str(cell.get("id", "")), "cell_type": str(cell["cell_type"]),
                  "source": "".join(map(str, cell["source"])),                  # a text, or a list of lines
                  "grade_id": str(((cell.get("metadata") or {}).get("nbgrader") or {}).get("grade_id", ""))}
                 for cell in json.loads(data)["cells"]]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ValueError(f"it is no notebook ({type(error).__name__}: {str(error)[:100]})") from None
    if not cells:
        raise ValueError("it has no cells")
    return cells


def rebuild(master: list[dict], submitted: list[dict], items: list[str]) -> Rebuilt:
    """The master's cells with the submitted answers, found by cell id, or else by what they define or their heading."""
    found, remarks = answers(master, submitted)
    rebuilt = Rebuilt([], remarks=remarks)
    for cell in master:
        name, source = cell["id"], cell["source"]
        role, _, item = name.partition("-")
        if name == "answer":
            given = {line.strip() for line in source.splitlines()}
            own = [line for line in found.get(name, "").splitlines() if line.strip() not in given]
            rebuilt.words = "\n".join(own).strip("\n")
        elif cell["cell_type"] == "code":
            if role == "check" and item in items:
                rebuilt.cells.append({"item": item, "function": item})
            elif role == "write" and item in items:
                answer = of_today(found.get(name, source))
                if answer != found.get(name, source):
                    rebuilt.remarks.append(f"{name}: imports from nwlab what workbook has now: an older edition")
                rebuilt.cells.append({"item": item, "source": answer})
                if trimmed(answer) == trimmed(source):
                    rebuilt.untouched.add(item)
            else:
                rebuilt.cells.append({"item": "", "source": source})
    return rebuilt


def of_today(source: str) -> str:
    """The source of an answer, in which an older edition's imports from nwlab name the modules where they are now."""
    def split(found: re.Match) -> str:
        parts = {"nwlab": [], "workbook": []}
        for name in found[2].split(","):
            parts["workbook" if re.match(rf"\s*({_MOVED})\b", name) else "nwlab"].append(name.strip())
        return "\n".join(f"{found[1]}from {home} import {', '.join(names)}" for home, names in parts.items() if names)

    return re.sub(rf"\bnwlab\.(?=({_MOVED})\b)", "workbook.", _IMPORT.sub(split, source))


def answers(master: list[dict], submitted: list[dict]) -> tuple[dict[str, str], list[str]]:
    """{cell id of the master: submitted text} for the cells that students fill, and which of these are missing.

    Of several cells with the same id, the last one that was changed counts.
    """
    found, remarks = {}, []
    for cell in master:
        name, kind = cell["id"], cell["cell_type"]
        if not name.startswith("write-") and name != "answer":
            continue
        content = re.compile(HEADING if name == "answer" else DEFINES.format(name=name.partition("-")[2]), re.M)
        same_kind = [one for one in submitted if one["cell_type"] == kind]
        fitting = [one for one in same_kind if name in (one["id"], one["grade_id"])]
        if len(fitting) > 1:
            fitting = [one for one in fitting if content.search(one["source"])] or fitting
            fitting = [one for one in fitting if trimmed(one["source"]) != trimmed(cell["source"])] or fitting
        if not fitting:
            fitting = [one for one in same_kind if not one["id"].startswith("write-") and content.search(one["source"])]
        if fitting:
            found[name] = fitting[-1]["source"]
        else:
            remarks.append(f"{name}: this cell is missing")
    return found, remarks
