"""`autograder`: an exercise as an archive for Gradescope, and what runs there for each submission.

It runs as root in a container of Gradescope's, where only root can open /autograder. Answers are run by bubblewrap, or
where that is not allowed by a user of their own: then the network and what others may read are open to them.
"""
import json
import os
import secrets
import sys
from pathlib import Path

from workbook import course
from workbook.files import packed, write
from workbook.grading.collect import handed_in
from workbook.grading.grade import Settings, grade_one, without_answers
from workbook.grading.report import TEMPLATES
from workbook.grading.results import Submission
from workbook.grading.roster import Assignment, Roster, assignment, editions, roster
from workbook.grading.sandbox import Limits, obstacle
from workbook.grading.tables import gradescope

SOURCES = "pyproject.toml", "constraints.txt", "README.md", "LICENSE"        # what pip needs, beside the packages
PROGRAMS = "setup.sh", "run_autograder"


def build(root: Path, name: str, share: float) -> tuple[bytes, Assignment]:
    """The archive of an exercise, from a checkout; and what the exercise asks for. share: see `mark`."""
    paths = [root / file for file in SOURCES] + list(filter(Path.is_file, editions(name, root / "exercises")))
    paths += [path for package in course.PACKAGES for path in sorted((root / package.name).rglob("*"))
              if path.is_file() and "__pycache__" not in path.parts]
    programs = {program: TEMPLATES.get_template(f"{program}.txt").render(name=name, share=share) + "\n"
                for program in PROGRAMS}
    content = {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}
    return (packed(content | {file: text.encode() for file, text in programs.items()}, PROGRAMS),
            assignment(name, {item.name: item.points for item in course.exercise(name).items}, root / "exercises"))


def run(name: str, folder: Path, share: float) -> Roster:
    """Grade folder/submission into folder/results/results.json; returns a class of this one.

    An exception where that is impossible, which Gradescope shows to teachers. There is no results.json then, so that it
    says that the autograder failed, instead of giving 0 points.
    """
    out, about = folder / "results" / "results.json", folder / "submission_metadata.json"
    out.unlink(missing_ok=True)
    user = None
    if missing := obstacle():
        if os.geteuid():
            raise SystemExit(f"{missing}; nor can answers be run by a user of their own, as this is not run by root")
        user = 20_000 + secrets.randbelow(40_000)           # nobody's, whose number of processes is counted alone
        print(f"{missing}: answers are run by user {user}, and can use the network")
    seed = json.loads(about.read_bytes())["id"] if about.exists() else secrets.randbelow(2**40)
    settings = Settings(folder / "source/exercises", seed, Limits(walls=not missing, user=user), share)
    found = handed_in(folder / "submission", student="student")
    if mine := [one for one in found if one.exercise == name]:
        result = grade_one(mine[0], settings)
    else:
        others = "; ".join(f"{one.path}: {one.remarks[-1] if one.remarks else one.exercise}" for one in found[:5])
        why = f"expected {name}.ipynb or {name}-handin.zip, got {others or 'no file'}"
        result = without_answers(Submission("student", "1", name, ""), settings, "unreadable", why)
    whole = roster([result], settings.masters)
    write(out, gradescope(whole.students[0].results[name]))
    return whole


if __name__ == "__main__":
    exercise, place, points = sys.argv[1:]
    graded = run(exercise, Path(place), float(points))
    print(f"{graded.students[0].total:g} of {sum(graded.exercises[exercise].items.values())} points")
