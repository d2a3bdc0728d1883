"""Which function is at fault: one that calls earlier functions of the student's is judged after them."""
from dataclasses import replace

from workbook.checks.item import Verdict
from workbook.checks.forms import NOT_WRITTEN
from workbook.checks.judge import judge
from workbook.checks.run import home_of, run


def earlier(exercise, item, function, answers, seed: int) -> Verdict | None:
    """The verdict on the first of the exercise's earlier functions that was called and does not hold; or None."""
    home, called = home_of(function) or {}, {name for answer in answers for name in answer.called}
    for other in exercise.items[:[each.name for each in exercise.items].index(item.name)]:
        if other.name in called and callable(home.get(other.name)):
            problems = other.problems(seed)
            found = judge(other, problems, run(other, home[other.name], problems))
            if not found.holds and found.mistake != NOT_WRITTEN:
                mistake = f"it calls {other.name}, and that does not hold: {found.mistake}"
                return replace(found, mistake=mistake, line=f"{item.name} does not hold yet: {mistake}",
                               next=f"mend {other.name} first. There: {found.next}")
    return None
