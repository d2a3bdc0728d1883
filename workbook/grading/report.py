"""What a teacher reads the next morning: tables, a file for the points that are given by hand, and pages.

There is a page of the class, one of each student, and one of each exercise's answers in words. Each is whole in itself,
without a network, and without scripts but for the one that saves points; the templates escape all texts of students.
"""
import base64
import hashlib
import math
from collections import Counter
from dataclasses import replace
from pathlib import Path
from statistics import correlation, mean, median, mode

import jinja2
from markupsafe import Markup

from workbook.checks.item import Verdict, count
from workbook.files import write
from workbook.grading import feedback, manual, votes
from workbook.grading.results import Result, secrets_of
from workbook.grading.roster import Assignment, Roster, Row, Student, clean, roster
from workbook.grading.tables import number, tables
from workbook.questions.questions import inline

TEMPLATES = jinja2.Environment(loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"), autoescape=True,
                               undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=clean)
KINDS = ("passed", "follow-through", "failed", "not attempted", "other")      # "other": no answer, as after a time-out
RARE = 0.2                             # an item that fewer than this share of the class get wrong
TAUGHT = 5                             # at most so many items are named as what to teach next
FEW = 10                               # notebooks: of fewer, a correlation says nothing
SHORT = 50                             # nodes of a tree, some three lines: shorter answers may well be the same
BARS = 10                              # of the histogram, at most


def report(folder: Path, results: list[Result], masters: Path, ungraded: list[tuple[str, str, str]] = (),
           back: dict[tuple, feedback.Place] = (),
           class_list: tuple[str, list[Row]] | None = None) -> tuple[list[str], list[str]]:
    """Write all tables and pages into a folder; return what is wrong in the files that a person has written, and what
    has no points yet.

    masters: the folder of the exercises as handed out. ungraded: (student, file, why) of each file that belongs to no
    exercise. back: where the page of a result goes, by its key, to be handed back. class_list: the name of the list of
    the class, and its rows.
    """
    _, key = secrets_of(folder)
    whole, problems = roster(results, masters, key), []
    if class_list:
        whole, problems = manual.with_names(whole, *class_list, {student for student, *_ in ungraded})
    whole, files, wrong = manual.with_points(folder, whole)
    problems += wrong
    files |= tables(whole) | {"index.html": class_page(whole, problems, ungraded)}
    for student in whole.students:
        files[f"students/{student.page}.html"] = _rendered("student.html", roster=whole, student=student)
    returned = feedback.files([(back[result.key], _page_of_one(whole, student, result))
                               for student, result in whole.results if result.key in back])
    files |= {f"return/{name}": content for name, content in returned.items()}
    for name, exercise in whole.exercises.items():
        if exercise.words:
            answers = [(student.name, one) for student, one in whole.results if one.exercise == name and one.words]
            files[f"words/{name}.html"] = _rendered("words.html", roster=whole, exercise=exercise,
                                                    answers=sorted(answers, key=lambda one: one[1].digest))
    for name, content in files.items():
        write(folder / name, content)
    for path in (*folder.glob("students/*.html"), *folder.glob("return/**/*.*")):
        if path.is_file() and path.relative_to(folder).as_posix() not in files:         # of an earlier run
            path.unlink()
    return problems, without_points(whole, ungraded)


def without_points(roster: Roster, ungraded: list[tuple[str, str, str]]) -> list[str]:
    """A line each on what cannot be read, with names, and on the answers in words that nobody has graded."""
    unread = [student.name for student in roster.students if any(one.unread for one in student.results.values())]
    unread += [f"{student} ({path})" for student, path, _ in ungraded]
    names, waiting = ", ".join(unread), sum(student.waiting for student in roster.students)
    return ([f"{count(len(unread), 'hand-in')} cannot be read as a notebook of an exercise: {names}. The tables leave "
             "this blank; the page of the class says why"] * bool(unread) +
            [f"{count(waiting, 'answer')} in words {'has' if waiting == 1 else 'have'} no points yet: they count 0 "
             "until you give points by hand and run the same command with --resume"] * bool(waiting))


def _page_of_one(whole: Roster, student: Student, result: Result) -> str:
    """A student's page, as if there were no other exercise."""
    one = {result.exercise: whole.exercises[result.exercise]}
    return _rendered("student.html", roster=replace(whole, exercises=one),
                     student=replace(student, results={result.exercise: result}))


def class_page(roster: Roster, problems: list[str], ungraded: list) -> str:
    items = item_results(roster)
    given = votes.given([answer for result in student.results.values() for answer in result.answers]
                        for student in roster.students)
    totals = [student.total for student in roster.students if not student.unread] or [0]
    return _rendered("class.html", roster=roster, problems=problems, ungraded=ungraded, items=items, kinds=KINDS,
                     votes=votes.votes(given), gains=votes.gains(given), few=FEW, lessons=lessons(items),
                     median=median(totals), mean=mean(totals), same=same_answers(roster),
                     histogram=histogram(totals, roster.most) if roster.students else [],
                     overrides=[(student, result, one.item, one.points) for student, result in roster.results
                                for one in result.outcomes if one.item in result.by_hand],
                     help_needed=[student for student in roster.students if needs_help(student, roster, items)])


def needs_help(student: Student, roster: Roster, items: list["ItemResults"]) -> bool:
    """Whether a student has less than half of the points for code, a file that cannot be read, or got two items wrong
    that most others can do.
    """
    code = sum(sum(exercise.items.values()) for exercise in roster.exercises.values())
    verdicts = [one for result in student.results.values() for one in result.outcomes]
    alone = sum(item.share_wrong < RARE and any(student is one for one, _ in item.wrong) for item in items)
    return (2 * sum(one.points for one in verdicts) < code or alone > 1
            or any(one.status == "unreadable" for one in verdicts))


def kind(verdict: Verdict) -> str:
    return verdict.status if verdict.status in KINDS else "other"


def histogram(totals: list[float], most: int) -> list[tuple[int, int, int]]:
    """(from, to, how many) of each bar. A total between two bars belongs to the upper one."""
    width = math.ceil((most + 1) / BARS)
    counts = Counter(int(total // width) for total in totals)
    return [(low, min(low + width, most), counts[low // width]) for low in range(0, most + 1, width)]


def same_answers(roster: Roster) -> list[tuple[tuple[Student, ...], list[tuple[str, str]]]]:
    """(students, their answers as (exercise, item)) wherever these are the same but for names and layout, and neither
    short, nor those of the solution, nor as they were handed out. Those with most in common come first.
    """
    found: dict[tuple, list[Student]] = {}
    for student, result in roster.results:
        for item, (digest, size) in result.shapes.items():
            if size >= SHORT and digest not in roster.exercises[result.exercise].known:
                found.setdefault((result.exercise, item, digest, size), []).append(student)
    groups: dict[tuple[Student, ...], list[tuple]] = {}
    for answer, students in found.items():
        if len(students) > 1:
            groups.setdefault(tuple(students), []).append(answer)
    ordered = sorted(groups.items(), key=lambda group: -sum(size for *_, size in group[1]))
    return [(students, [(roster.exercises[name].title, item) for name, item, *_ in answers])
            for students, answers in ordered]


TEMPLATES.filters |= {"number": number, "marked": lambda text: Markup(inline(clean(text))), "kind": kind,
                      "sha256": lambda text: base64.b64encode(hashlib.sha256(text.encode()).digest()).decode(),
                      "late": lambda late: f"{late} minutes late" if late.isdigit() else late}


def _rendered(template: str, **content) -> str:
    return TEMPLATES.get_template(template).render(**content)


class ItemResults:
    """How the class did on one item.

    counts: verdicts of each of KINDS. right: how many of them are, if only but for another item. wrong: the students
    who failed, except those whose file cannot be read. mistakes: the two most frequent ones, each with the students
    who made it, and what advice most of them read. reached: the share of its points that the class has; discrimination:
    the correlation of its points with those for the other items of the exercise, None where there is none.
    """

    def __init__(self, exercise: Assignment, name: str, verdicts: list[tuple[Student, Verdict]]):
        self.exercise, self.name, self.verdicts = exercise, name, verdicts
        counted = Counter(kind(verdict) for _, verdict in verdicts)
        self.counts = {each: counted[each] for each in KINDS}
        self.wrong = [(student, verdict) for student, verdict in verdicts if kind(verdict) in ("failed", "other")
                      and verdict.status != "unreadable"]
        self.right = self.counts["passed"] + self.counts["follow-through"]
        self.share_wrong = len(self.wrong) / max(len(self.wrong) + self.right, 1)
        by_mistake: dict[str, list] = {}
        for student, verdict in self.wrong:
            by_mistake.setdefault(verdict.mistake or verdict.status, []).append((student, verdict.next))
        order = sorted(by_mistake.items(), key=lambda made: (-len(made[1]), made[0]))
        self.mistakes = [(mistake, [student for student, _ in made], mode(advice for _, advice in made))
                         for mistake, made in order[:2]]
        own = [verdict.points for _, verdict in verdicts]
        rest = [sum(other.points for other in student.results[exercise.name].outcomes) - verdict.points
                for student, verdict in verdicts]
        self.reached = sum(own) / max(len(own) * exercise.items[name], 1)
        varied = len({*own}) > 1 and len({*rest}) > 1
        self.discrimination = correlation(own, rest) if varied and len(own) >= FEW else None


def item_results(roster: Roster) -> list[ItemResults]:
    """All items of all exercises, in order. What cannot be read says nothing of them."""
    return [ItemResults(exercise, item, [(student, verdict) for student, result in roster.results
                                         if result.exercise == exercise.name and not result.unread
                                         for verdict in result.outcomes if verdict.item == item])
            for exercise in roster.exercises.values() for item in exercise.items]


def lessons(items: list[ItemResults]) -> list[ItemResults]:
    """What to teach next: the items that at least two students, and a fifth of those who tried, got wrong."""
    found = [item for item in items if len(item.wrong) > 1 and item.share_wrong >= RARE]
    return sorted(found, key=lambda item: (-item.share_wrong, -len(item.wrong)))[:TAUGHT]
