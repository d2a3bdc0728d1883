"""The plans for a class on the teachers' page: each column of minutes of a table is one."""
import re
from dataclasses import dataclass

_TABLE = re.compile(r"^\|((?: \d+ \|)+) \|\n\|[-:|]+\|\n((?:\|.*\n)+)", flags=re.MULTILINE)
_VOTES = re.compile(r"vote on (`[\w-]+`(?: and `[\w-]+`)*)")


@dataclass(frozen=True)
class ClassPlan:
    """A class of so many minutes. name: of its notebook; of a plan over several, its title in words_like_these. leave,
    needs, homework: what stands after **Leave with:** and so on. rows: (minutes, words) in order."""

    name: str
    title: str
    minutes: int
    leave: str
    needs: str
    homework: str
    rows: tuple[tuple[int, str], ...]


def read(page: str) -> list[ClassPlan]:
    """All plans of the page, a Markdown text. What follows "with more time" belongs only to the longer plan of two."""
    plans = []
    for head, body in re.findall(r"^##+ (.+)\n((?:(?!##).*\n?)*)", page, flags=re.MULTILINE):
        title, name = re.fullmatch(r"\[(.+)\]\((.+)\.ipynb\)|.+", head).groups()
        name = name or "_".join(re.findall(r"\w+", head.lower()))
        about = [_after(label, body) for label in ("Leave with", "Needs", "Homework")]
        for lengths, lines in _TABLE.findall(body):
            rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines.splitlines()]
            for i, length in enumerate(lengths.strip(" |").split("|")):
                words = [row[-1].partition("; with more time")[0] if i < len(row) - 2 else row[-1] for row in rows]
                kept = tuple((int(row[i]), say) for row, say in zip(rows, words) if row[i] != "–")
                plans.append(ClassPlan(name, title or head, int(length), *about, kept))
    return plans


def votes(words: str) -> list[str]:
    """The questions of a row that are voted on."""
    return [name for named in _VOTES.findall(words) for name in re.findall(r"[\w-]{4,}", named)]


def _after(label: str, text: str) -> str:
    """The paragraph or item after a bold label, on one line and without links; "" if there is none."""
    found = re.search(rf"\*\*{label}:\*\* ((?:.+\n?(?!-))+)", text)
    return re.sub(r"\[([^\]\[]+)\]\([^)]*\)", r"\1", " ".join(found[1].split())) if found else ""
