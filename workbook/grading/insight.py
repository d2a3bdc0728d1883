"""What the results of a class say: which items fail and how, what to teach next, and who needs help with what."""
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from statistics import mean, median

from workbook.checks.item import Verdict
from workbook.grading.roster import Assignment, Roster, Student
from workbook.grading.mark import NEEDS

KINDS = ("passed", "failed", "not attempted", "other")               # "other": no answer came, as after a time-out
BINS, LESSONS = 10, 5


@dataclass(frozen=True)
class Erring:
    """A named mistake in an item, and who made it. advice: the text that most of them got."""

    exercise: Assignment
    item: str
    name: str
    students: list[Student]
    advice: str


@dataclass(frozen=True)
class Tried:
    """How an item went. statuses: of the outcomes of kind "other", but for those that have a mistake."""

    exercise: Assignment
    name: str
    counts: dict[str, int]
    mistakes: list[Erring]
    statuses: Counter = field(default_factory=Counter)

    @property
    def handed(self) -> int:
        return sum(self.counts.values())

    @property
    def blocked(self) -> int:
        """How many failed, or never came back, for want of another item only."""
        return sum(len(mistake.students) for mistake in self.mistakes if mistake.name.startswith(NEEDS))

    @property
    def wrong(self) -> int:
        """How many need to be taught something: not those who wait for another item, or for a file that can be read."""
        return self.counts["failed"] + self.counts["other"] - self.blocked - self.statuses["unreadable"]

    @property
    def shared(self) -> list[Erring]:
        """The mistakes of its own that two students or more made, the most frequent first."""
        return [one for one in self.mistakes if len(one.students) > 1 and not one.name.startswith(NEEDS)]


def tried(roster: Roster) -> list[Tried]:
    """All items of all exercises, in order."""
    return [_tried(roster, exercise, item) for exercise in roster.exercises.values() for item in exercise.items]


def _tried(roster: Roster, exercise: Assignment, item: str) -> Tried:
    came = [(student, one) for student in roster.students if exercise.name in student.results
            for one in student.results[exercise.name].outcomes if one.item == item]
    counts = Counter(kind(one) for _, one in came)
    by_name: dict[str, list] = {}
    for student, one in came:
        if one.mistake:
            by_name.setdefault(one.mistake, []).append((student, one.next))
    mistakes = []
    for name, rows in by_name.items():
        (advice, _), = Counter(text for _, text in rows).most_common(1)
        mistakes.append(Erring(exercise, item, name, [student for student, _ in rows], advice))
    return Tried(exercise, item, {name: counts[name] for name in KINDS}, sorted(mistakes, key=_often),
                 Counter(one.status for _, one in came if kind(one) == "other" and not one.mistake))


def kind(outcome: Verdict) -> str:
    return outcome.status if outcome.status in KINDS else "other"


def _often(mistake: Erring) -> tuple:
    return -len(mistake.students), mistake.name


def frequent(items: list[Tried]) -> list[Erring]:
    """The mistakes that two students or more made, the most frequent first."""
    return sorted((one for item in items for one in item.shared), key=_often)


def lessons(items: list[Tried]) -> list[Tried]:
    """The items that fail for the largest part of those who tried them: at least two students, and a fifth of them."""
    found = [(item.wrong / (item.wrong + item.counts["passed"]), item) for item in items if item.wrong > 1]
    return [item for part, item in sorted(found, key=lambda one: (-one[0], -one[1].wrong)) if part >= 0.2][:LESSONS]


@dataclass(frozen=True)
class Need:
    """wrong: outcomes by exercise that need help; untried: item names by exercise; missing: exercises not handed in."""

    student: Student
    total: float
    wrong: dict[str, list[Verdict]]
    untried: dict[str, list[str]]
    missing: list[str]

    def unread(self, exercise: str) -> bool:
        """Whether not a single item of the notebook could be read."""
        outcomes = self.student.results[exercise].outcomes
        return len(outcomes) > 1 and {one.status for one in outcomes} == {"unreadable"}


def needs(roster: Roster) -> list[Need]:
    """Who did not get something right, or has less than half of all points; the lowest total first."""
    found = []
    for student in roster.students:
        wrong, untried = defaultdict(list), defaultdict(list)
        for exercise, result in student.results.items():
            for one in result.outcomes:
                if kind(one) in ("failed", "other"):
                    wrong[exercise].append(one)
                elif kind(one) == "not attempted":
                    untried[exercise].append(one.item)
        missing = [exercise for exercise in roster.exercises if exercise not in student.results]
        need = Need(student, roster.total(student), wrong, untried, missing)
        if wrong or need.total < roster.most / 2:
            found.append(need)
    return sorted(found, key=lambda need: (need.total, need.student.name))


@dataclass(frozen=True)
class Spread:
    """How totals are spread. bins: students with 0 to 10 % of the points, 10 to 20 %, ..., 90 to 100 %."""

    bins: list[int]
    median: float
    mean: float


def spread(roster: Roster) -> Spread:
    totals = [roster.total(student) for student in roster.students]
    bins = [0] * BINS
    for total in totals:
        bins[min(int(BINS * total / roster.most), BINS - 1) if roster.most else 0] += 1
    return Spread(bins, median(totals or [0]), mean(totals or [0]))
