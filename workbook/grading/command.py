"""`grade`, from submissions to a report: what stands at the terminal, and what is left when it is stopped."""
import contextlib
import functools
import sys
from concurrent.futures import BrokenExecutor
from pathlib import Path

import click
from tqdm import tqdm

from workbook.checks.item import count
from workbook.course import Course
from workbook.grading import grade as work
from workbook.grading import results
from workbook.grading.collect import Submission, handed_in
from workbook.grading.report import report
from workbook.grading.roster import clean
from workbook.grading.sandbox import Limits, NoSandbox, obstacle


def grade(course: Course, folder: Path, out: Path, masters: Path, jobs: int, limits: Limits, resume: bool,
          sandbox: str, dask: str = "") -> None:
    """Grade the submissions in a folder into a report. SystemExit with a sentence where that is impossible."""
    walls = use_walls(sandbox)
    if not resume and any((out / "results").glob("*/*.json")):
        raise SystemExit(f"{out} has results of an earlier run: --resume goes on with it; to begin anew, name another "
                         "folder")
    handed = handed_in(folder, course)
    settings = work.Settings(course, str(masters), results.seed_of(out), walls, limits)
    found = [one for one in handed if one.exercise]
    ungraded = [tuple(map(clean, (one.student, one.path, one.remarks[-1]))) for one in handed if not one.exercise]
    if not found:
        raise SystemExit(f"{folder}: found no notebook of an exercise. Accepted are FOLDER/STUDENT/warm_up.ipynb and "
                         "what Canvas, Moodle, nbgrader and hand_in() write")
    if ungraded:
        warn([f"{count(len(ungraded), 'file')} not graded: the page of the class says which, and why"])
    left = [one for one in found if not _is_graded(out, one, settings)]
    if len(left) < len(found):
        click.echo(f"{len(found) - len(left)} of {len(found)} notebooks are graded already", err=True)
    executor = dask_executor(dask) if dask else functools.partial(work.pool, jobs)
    try:
        with tqdm(total=len(left), unit="notebook", file=sys.stderr, disable=None) as bar:
            def keep(result):
                results.save(out, result)
                bar.update()

            work.grade(left, settings, executor, keep)
    except KeyboardInterrupt:
        warn([f"stopped; what was finished is kept in {out}, and --resume goes on from there"])
        raise SystemExit(130) from None                      # as a shell says it of Ctrl-C
    except (NoSandbox, BrokenExecutor) as error:
        raise SystemExit(f"{error}\nWhat was finished is kept in {out}, and --resume goes on from there") from None
    finally:
        warn(report(out, results.load_all(out), masters, course.exercises, ungraded))
    click.echo(f"{count(len(found), 'notebook')} graded: {out / 'index.html'}")


def _is_graded(out: Path, one: Submission, settings: work.Settings) -> bool:
    known = results.load(results.place(out, one.student, one.number, one.exercise))
    return known is not None and known.state == work.state(one, settings)


def warn(lines) -> None:
    for line in lines:
        click.secho(line, err=True, fg="yellow")


def use_walls(sandbox: str) -> bool:
    """Whether to use bubblewrap. SystemExit where it is required and does not work here."""
    risks = ("submissions run with your rights. They can read the solutions, your files and other submissions, change "
             "your files, and use the network. Limits of time and memory hold.")
    if sandbox == "off":
        warn([f"The sandbox is off: {risks}"])
    elif missing := obstacle():
        raise SystemExit(f"{missing}\nInstall it (Debian, Ubuntu: apt install bubblewrap), or accept --sandbox off: "
                         f"then {risks}")
    return sandbox != "off"


def dask_executor(address: str):
    """What makes an executor on the Dask cluster at an address. SystemExit where Dask is not installed."""
    try:
        from distributed import Client
    except ModuleNotFoundError:
        raise SystemExit("--dask needs the package distributed: pip install -e '.[dask]'") from None

    @contextlib.contextmanager
    def executor():
        with Client(address) as client:
            yield client.get_executor(retries=work.TRIES, pure=False)

    return executor
