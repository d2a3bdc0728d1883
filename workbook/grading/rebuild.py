"""A submission rebuilt: its answers and nothing else of it, in the exercise as it was handed out."""
import json
import re
from dataclasses import dataclass, field

LARGEST = 20_000_000                   # bytes of a notebook that is read
HEADING = "^## In your words"
DEFINES = r"^(?:async +)?(?:def|class) +{name}\b|^{name} *(?::[^=\n]*)?=(?!=)"      # whether or not it can be parsed


class NoNotebook(ValueError):
    """Why a file is no notebook that can be graded."""


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
    """The cells of a notebook: dicts with "id", "grade_id", "cell_type" and "source", all texts. Or NoNotebook."""
    if len(data) > LARGEST:
        raise NoNotebook(f"it has {len(data) / 1e6:.0f} MB; more than {LARGEST / 1e6:.0f} are not read")
    try:
        cells = [{"id": str(cell.get("id", "")), "cell_type": str(cell["cell_type"]),
                  "source": "".join(map(str, cell["source"])),                  # a text, or a list of lines
                  "grade_id": str(((cell.get("metadata") or {}).get("nbgrader") or {}).get("grade_id", ""))}
                 for cell in json.loads(data)["cells"]]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise NoNotebook(f"it is no notebook ({type(error).__name__}: {str(error)[:100]})") from None
    if not cells:
        raise NoNotebook("it has no cells")
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
                answer = found.get(name, source)
                rebuilt.cells.append({"item": item, "source": answer})
                if same(answer, source):
                    rebuilt.untouched.add(item)
            else:
                rebuilt.cells.append({"item": "", "source": source})
    return rebuilt


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
            fitting = [one for one in fitting if not same(one["source"], cell["source"])] or fitting
        if not fitting:
            fitting = [one for one in same_kind if not one["id"].startswith("write-") and content.search(one["source"])]
        if fitting:
            found[name] = fitting[-1]["source"]
        else:
            remarks.append(f"{name}: this cell is missing")
    return found, remarks


def same(one: str, other: str) -> bool:
    """Whether two cells are the same but for white space at the ends of lines."""
    one, other = ([line.rstrip() for line in text.strip().splitlines()] for text in (one, other))
    return one == other
