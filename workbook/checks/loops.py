"""Loops in Python: right answers whose code takes more steps the more points there are."""
from workbook.checks.cases import Case, Finding
from workbook.checks.item import SIZES, Item


def loop(item, cases):
    if item.loops == "refused" and (shown := _grows(cases)):
        return Finding("a loop in Python", "the answers are right, but the aim here is one array expression that "
                       "does everything at once", shown, shapes=True,
                       got=f"the right numbers, but with {SIZES[1]} points the code takes more steps in Python than "
                            f"with {SIZES[0]}", expected="as many steps in Python for any number of points")


def remark(item: Item, cases: list[Case]) -> str:
    """A remark on a right answer that loops, where vectorising is not the point."""
    words = "A loop is right, and easy to read. An array expression would do it all at once, and faster for many."
    return words if item.loops == "remarked" and _grows(cases) else ""


def _grows(cases: list[Case]) -> Case | None:
    """The larger of the two sized cases, if its steps in Python are more by half a step for each added point."""
    sized = {case.problem.size: case for case in cases if case.problem.size}
    if len(sized) < 2:
        return None
    small, large = (sized[size] for size in SIZES)
    return large if large.answer.steps - small.answer.steps >= (SIZES[1] - SIZES[0]) / 2 else None
