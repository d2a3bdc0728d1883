"""Tables for spreadsheets and for the platforms of courses, made from the results."""
import csv
import html
import io
import json
import re
from datetime import UTC, datetime

from workbook.checks.item import Verdict
from workbook.checks.messages import parts
from workbook.grading.results import WORDS, Result
from workbook.grading.roster import Assignment, Roster, Student, clean

number = "{:g}".format                 # of points: 7 and 7.5


def tables(roster: Roster) -> dict[str, str]:
    """All tables, by file name."""
    return {"summary.csv": summary(roster), "items.csv": items(roster), "canvas.csv": canvas(roster),
            **{f"moodle/{exercise}.csv": moodle(roster, exercise) for exercise in roster.exercises}}


def table(head, rows) -> str:
    """Rows as CSV that a spreadsheet may open: no text in it is taken for a formula. Numbers stay numbers.

    It begins with a mark by which Excel knows UTF-8; Canvas and Moodle pass over it.
    """
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([head, *([*map(harmless, row)] for row in rows)])
    return "\ufeff" + file.getvalue()


def harmless(cell):
    """The cell, clean, with an apostrophe before a text that a spreadsheet would take for a formula."""
    cell = clean(cell)
    return f"'{cell}" if isinstance(cell, str) and re.match(r"\s*[=+\-@＝＋－＠]|[\t\r\n]", cell) else cell


def summary(roster: Roster) -> str:
    """A row for each student. waiting: answers in words that nobody has graded; they count as 0 in the total,
    which is blank where nothing of a student's can be read.

    late: minutes, or "late" where the platform says no more; with the exercise if there are several.
    """
    return table(("student", "section", *roster.exercises, "total", "max", "waiting", "late"),
                 ((student.name, student.row.section, *_points(student, roster),
                   "" if student.unread else number(student.total), roster.most, student.waiting,
                   "; ".join(f"{name} {one.late}" if roster.exercises.keys() > {name} else one.late
                             for name, one in student.results.items() if one.late))
                  for student in roster.everybody))


def items(roster: Roster) -> str:
    """A row for each student and item, and for each answer in words. late: as in `summary`."""
    head = ("student", "section", "exercise", "item", "points", "max", "state", "mistake", "by hand", "reason", "late")
    return table(head, ((student.name, student.row.section, name, *cells, result.late if result else "")
                        for student in roster.everybody for name, exercise in roster.exercises.items()
                        for result in [student.results.get(name)] for cells in _items(exercise, result, student)))


def _items(exercise: Assignment, result: Result | None, student: Student) -> list[tuple]:
    """For each item and the answer in words what stands between "exercise" and "late"."""
    if result is None or result.unread:
        state = "unreadable" if result or student.other_files else "not handed in"
        names = exercise.items | ({WORDS: exercise.words} if exercise.words else {})
        return [(name, "", most, state, "", "no", "") for name, most in names.items()]
    return [(one.item, number(one.points), one.most, one.status, one.mistake,
             *(("yes", result.by_hand[one.item][1]) if one.item in result.by_hand else ("no", "")))
            for one in result.graded]


def _points(student: Student, roster: Roster) -> list[str]:
    """A student's points for each exercise, "" where it was not handed in or cannot be read."""
    results = [student.results.get(name) for name in roster.exercises]
    return [number(one.points) if one and not one.unread else "" for one in results]


def canvas(roster: Roster) -> str:
    """For Canvas: Grades, Import. Students are found by ID, the number in the names of files from Canvas."""
    blank = ("", "", "")
    rows = [("    Points Possible", "", *blank, *(exercise.most for exercise in roster.exercises.values()))]
    for student in roster.students:
        ids = {result.number for result in student.results.values() if result.number.isdigit()}
        rows.append((student.name, ids.pop() if len(ids) == 1 else "", *blank, *_points(student, roster)))
    return table(("Student", "ID", "SIS User ID", "SIS Login ID", "Section", *roster.exercises), rows)


def moodle(roster: Roster, exercise: str) -> str:
    """For Moodle: the assignment's offline grading worksheet, in English."""
    head = ("Identifier", "Full name", "Grade", "Maximum Grade", "Last modified (grade)", "Feedback comments")
    most, rows = roster.exercises[exercise].most, []
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S +0000")         # without it Moodle skips a second import
    for student in roster.students:
        if (result := student.results.get(exercise)) and not result.unread:
            comments = [f"{one.item}: {one.mistake or one.status} ({number(one.points)}/{one.most})"
                        if one.item not in result.by_hand else
                        f"{one.item}: {number(one.points)} of {one.most}, by hand: {result.by_hand[one.item][1]}"
                        .removesuffix(": ") for one in result.outcomes]
            if comment := result.by_hand.get(WORDS, ("", ""))[1]:
                comments.append(f"In your words: {comment}")
            rows.append((f"Participant {result.number}" if result.number.isdigit() else "", student.name,
                         number(result.points), most, now, html.escape("; ".join(comments))))
    return table(head, rows)


def gradescope(result: Result) -> str:
    """What Gradescope reads from an autograder as /autograder/results/results.json."""
    def output(one: Verdict) -> str:
        return clean("\n\n".join(filter(None, [one.line or one.mistake or one.status, *parts(one), one.next])))

    tests = [{"name": one.item, "score": one.points, "max_score": one.most,
              "status": "passed" if one.points == one.most else "failed", "output": output(one)}
             for one in result.outcomes]
    return json.dumps({"tests": tests, "output": clean("\n".join(result.remarks))}, ensure_ascii=False, indent=1) + "\n"
