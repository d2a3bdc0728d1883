"""Pages for people: one of the class, one of each student, and one of each exercise's answers in words.

They are whole in themselves, without scripts and without a network; all texts of students are escaped by the templates.
"""
import re
from pathlib import Path

import jinja2
from markupsafe import Markup, escape

from workbook.grading import alike, insight
from workbook.grading.roster import Roster, Student, wrote
from workbook.grading.tables import number

TEMPLATES = jinja2.Environment(loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"), autoescape=True,
                               undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True)
NEXT = {"not attempted": "The function is as it was handed out. Begin with hint 1 of the exercise.",
        "timed out": "It did not end in time. Look for a loop that never ends, or for loops where arrays would do.",
        "out of memory": "It asked for more memory than it may have. Look at the shape of each array it makes.",
        "too many processes": "It started more processes or threads than it may. None is needed here.",
        "process died": "Python itself ended. Look for exit(), quit() or os._exit(), and for recursion without an end.",
        "output flood": "It printed more than can be kept. Take the prints out of the loops.",
        "unreadable": "What came back could not be read as an answer. Return a plain number, array or tensor."}


def marked(text: str) -> Markup:
    """A text of ours with `code` and *emphasis* in it; whatever else is in it is escaped."""
    code = re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(text)))
    return Markup(re.sub(r"(?<![\w*])\*(?=\S)([^*\n]+)(?<=\S)\*(?![\w*])", r"<em>\1</em>", code))


TEMPLATES.filters |= {"number": number, "marked": marked}


def pages(roster: Roster, problems: list[str], named, unknown: list[dict]) -> dict[str, str]:
    """All pages, by file name. problems: of by-hand.csv; named: what a student is called on the pages of words;
    unknown: the rows of unknown.csv."""
    words = [name for name, exercise in roster.exercises.items() if exercise.words]
    return {"index.html": class_page(roster, problems, unknown),
            **{f"students/{student.page}.html": student_page(roster, student) for student in roster.students},
            **{f"words/{name}.html": words_page(roster, name, named) for name in words}}


def class_page(roster: Roster, problems: list[str], unknown: list[dict]) -> str:
    items = insight.tried(roster)
    orders = {"name": roster.students, "total, lowest first": sorted(roster.students, key=roster.total),
              "total, highest first": sorted(roster.students, key=lambda student: -roster.total(student))}
    waiting = {name: sum(roster.waits(student, name) for student in roster.students) for name in roster.exercises}
    noted = [(student, result) for student in roster.students for result in student.results.values() if result.remarks]
    return TEMPLATES.get_template("class.html").render(
        roster=roster, problems=problems, unknown=unknown, items=items, frequent=insight.frequent(items),
        lessons=insight.lessons(items), needs=insight.needs(roster), spread=insight.spread(roster),
        pairs=alike.pairs(roster), many=alike.MANY, orders=orders, waiting=waiting, noted=noted, kinds=insight.KINDS)


def student_page(roster: Roster, student: Student) -> str:
    return TEMPLATES.get_template("student.html").render(roster=roster, student=student, next=NEXT, kind=insight.kind)


def words_page(roster: Roster, exercise: str, named) -> str:
    asked = roster.exercises[exercise]
    students = sorted((student for student in roster.students if wrote(student, asked)), key=named)
    return TEMPLATES.get_template("words.html").render(roster=roster, exercise=asked, named=named, students=students)
