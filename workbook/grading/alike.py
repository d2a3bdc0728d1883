"""Students whose answers are the same code but for names, comments and layout: a hint for a person, never a verdict."""
import ast
import warnings
from collections.abc import Iterator
from functools import cache
from itertools import combinations

from workbook.grading.roster import Roster, Student

SHORT = 40                 # parts of a syntax tree: shorter answers are often the same
MANY = 3                   # code that more students have than these is what one writes


def pairs(roster: Roster) -> list[tuple[Student, Student, list[tuple[str, str, str]]]]:
    """(one, other, [(exercise, item, status)]), those with the most items in common first."""
    common: dict[tuple[str, str], list] = {}
    for exercise in roster.exercises.values():
        for item in exercise.items:
            for group in _groups(roster, exercise.name, item):
                for (one, status), (other, _) in combinations(group, 2):
                    common.setdefault((one.page, other.page), [one, other, []])[2].append((exercise.name, item, status))
    return sorted(map(tuple, common.values()), key=lambda pair: (-len(pair[2]), pair[0].name, pair[1].name))


def _groups(roster: Roster, exercise: str, item: str) -> Iterator[list]:
    """Students with the same code for an item, (student, status): two at least, and at most MANY."""
    by_code: dict[str, list] = {}
    for student in roster.students:
        if result := student.results.get(exercise):
            status = next((one.status for one in result.outcomes if one.item == item), "not attempted")
            code = normalised(result.code.get(item, "")) if status != "not attempted" else ""
            if code:
                by_code.setdefault(code, []).append((student, status))
    return (group for group in by_code.values() if 2 <= len(group) <= MANY)


@cache
def normalised(code: str) -> str:
    """Code without comments, layout, docstrings and the names that it gives itself. "" where it is short, or none."""
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(code)
        nodes = list(ast.walk(tree))
        own: dict[str, str] = {}
        for node in nodes:
            if isinstance(node, ast.arg):
                own.setdefault(node.arg, f"name{len(own)}")
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                own.setdefault(node.id, f"name{len(own)}")
        for node in nodes:
            if isinstance(node, ast.arg):
                node.arg = own[node.arg]
            elif isinstance(node, ast.Name):
                node.id = own.get(node.id, node.id)
            if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)):
                node.body = [part for part in node.body
                             if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))]
        return ast.dump(tree) if len(nodes) >= SHORT else ""
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
