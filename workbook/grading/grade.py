"""`grade`, from submissions to a report: each notebook is a job, and each result is kept as soon as it is there."""
import atexit
import concurrent.futures
import contextlib
import ctypes
import functools
import hashlib
import importlib.util
import multiprocessing
import signal
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import click
from tqdm import tqdm

from workbook import course, language
from workbook.checks import rerun
from workbook.checks.item import Verdict, count
from workbook.grading import feedback, manual, results
from workbook.grading.collect import handed_in
from workbook.grading.mark import KEPT, mark
from workbook.grading.rebuild import rebuild
from workbook.grading.report import report
from workbook.grading.results import Result, Submission
from workbook.grading.roster import clean, editions
from workbook.grading.sandbox import Limits, NoSandbox, Sandbox, obstacle


@dataclass(frozen=True)
class Settings:
    """What all jobs of a run share."""

    masters: Path                          # the folder of the exercises as they were handed out
    seed: int
    limits: Limits = Limits()
    follow_through: float = 1.0            # the share of its points that an item gets if only others are wrong


def grade(folder: Path, out: Path, masters: Path, jobs: int, limits: Limits, resume: bool, sandbox: str,
          students_in: int | None = None, share: float = 1.0, back: str | None = None,
          roster: Path | None = None) -> None:
    """Grade the submissions in a folder or archive into a report. SystemExit with a sentence if that is impossible.

    students_in: see `handed_in`. share: see `mark`. back: the platform, of `feedback`, that the pages go to. roster: a
    table of who is in the class.
    """
    if out.resolve() == folder.resolve():
        raise SystemExit(f"{out}: the report needs a folder of its own, beside the submissions")
    if missing := [name for name in course.LATER if importlib.util.find_spec(name) is None]:
        raise SystemExit(f"grading needs {', '.join(missing)}, which is not installed here: pip install -e '.[torch]'")
    class_list = (roster.name, manual.class_list(roster)) if roster else None
    limits = replace(limits, walls=use_walls(sandbox))
    if not resume and any((out / "results").glob("*/*.json")):
        raise SystemExit(f"{out} has results of an earlier run: --resume goes on with it; to begin anew, name another "
                         "folder")
    submissions = handed_in(folder, students_in)
    settings = Settings(masters, results.secrets_of(out)[0], limits, share)
    handed = {one.key: one for one in submissions if one.exercise}
    ungraded = [(clean(one.student), clean(one.path), clean(one.remarks[-1]))
                for one in submissions if not one.exercise]
    if not handed:
        raise SystemExit(f"{folder}: found no notebook of an exercise. Accepted are FOLDER/STUDENT/warm_up.ipynb and "
                         "what Canvas, Moodle, Gradescope, GitHub Classroom, nbgrader and hand_in() write")
    places, lost = feedback.places(back, submissions, folder) if back else ({}, [])
    warn(lost)
    left = left_to_grade(out, handed, settings)
    if len(left) < len(handed):
        click.echo(f"{len(handed) - len(left)} of {len(handed)} notebooks are graded already", err=True)
    try:
        try:
            with tqdm(total=len(left), unit="notebook", file=sys.stderr, disable=None) as bar:
                def keep(result):
                    results.save(out, result)
                    bar.update()

                grade_all(left, settings, pool(jobs), keep)
        finally:
            known = results.load_all(out)
            if gone := sum(one.key not in handed for one in known):
                warn([f"{count(gone, 'earlier result')} left out: what was handed in is there no longer"])
            problems, waiting = report(out, [one for one in known if one.key in handed], masters, ungraded, places,
                                       class_list)
            warn(waiting + problems)
    except KeyboardInterrupt:
        warn([f"stopped; what was finished is kept in {out}, and --resume goes on from there"])
        raise SystemExit(130) from None                      # the exit code that shells give to Ctrl-C
    except (NoSandbox, concurrent.futures.BrokenExecutor, OSError) as error:
        said = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else error
        raise SystemExit(f"{said}\nWhat was finished is kept in {out}, and --resume goes on from there") from None
    click.echo(f"{count(len(handed), 'notebook')} graded: {out / 'index.html'}")
    if back and places.keys() < handed.keys():
        raise SystemExit(1)                                  # somebody gets nothing back


def left_to_grade(out: Path, handed: dict[tuple, Submission], settings: Settings) -> list[Submission]:
    """What has no result yet. Where a student's folder was renamed, the earlier result is the new name's."""
    known, left = results.load_all(out), []
    graded = {(one.key, one.state): one for one in known}
    gone = {(one.exercise, one.state): one for one in known if one.key not in handed}
    for key, one in handed.items():
        now = state(one, settings)
        if not (old := graded.get((key, now)) or gone.pop((one.exercise, now), None)):
            left.append(one)
            continue
        results.save(out, replace(old, student=one.student, number=one.number, late=one.late, answers=one.answers,
                                  formerly=old.formerly or old.student * (old.key != key)))
        if old.key != key:
            results.place(out, old).unlink()
    return left


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


def grade_all(submissions: Iterable[Submission], settings: Settings, executor: concurrent.futures.Executor,
              keep: Callable[[Result], None]) -> None:
    """Grade all submissions, and pass each result to `keep` as soon as it is there.

    BrokenExecutor if a worker dies; NoSandbox if no sandbox starts.
    """
    with executor as workers:
        running = {workers.submit(grade_one, one, settings): one for one in submissions}
        try:
            for future in concurrent.futures.as_completed(running):
                one, error = running.pop(future), future.exception()
                if error and not isinstance(error, (concurrent.futures.BrokenExecutor, NoSandbox)):     # of this job
                    keep(without_answers(one, settings, "process died", f"{type(error).__name__}: {str(error)[:300]}"))
                else:
                    keep(future.result())
        except BaseException:
            click.echo("stopping as soon as the notebooks in progress are finished", err=True)
            workers.shutdown(wait=True, cancel_futures=True)
            with contextlib.suppress(OSError):              # a full disk is full here, too
                for future in running:
                    if not future.cancelled() and not future.exception():
                        keep(future.result())
            raise


def pool(jobs: int) -> concurrent.futures.ProcessPoolExecutor:
    """Spawned processes, since a fork would inherit open files and locks."""
    return concurrent.futures.ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), initializer=begin)


def begin() -> None:
    """What a worker does first: from now on it leaves Ctrl-C to its parent, and dies when that is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)               # PR_SET_PDEATHSIG


def grade_one(submission: Submission, settings: Settings) -> Result:
    """The job: one notebook. It runs in a worker, which keeps its sandbox for the next."""
    exercise, master, right = _exercise(submission.exercise, settings)
    if not submission.cells:
        return without_answers(submission, settings, "unreadable", submission.remarks[-1])
    rebuilt = rebuild(master.cells, submission.cells, [item.name for item in exercise.items])
    if submission.edition not in ("", master.edition):
        rebuilt.remarks.append(f"an older edition of the notebook ({submission.edition}; today's is {master.edition})")
    outcomes = mark(_sandbox(settings), exercise, rebuilt, settings.seed, right, settings.follow_through)
    rebuilt.remarks += [f"{one.item}: it held in the student's session, but not when the notebook is run from the top: "
                        f"{one.mistake or one.status}" for one in outcomes
                        if one.item in submission.held and one.status not in ("passed", "follow-through")]
    return result(submission, settings, outcomes, rebuilt.remarks, words=rebuilt.words[:KEPT], code=rebuilt.code,
                  shapes=rebuilt.shapes)


def result(submission: Submission, settings: Settings, outcomes: list[Verdict], remarks: list[str], **more) -> Result:
    remarks = tuple(dict.fromkeys((*submission.remarks, *remarks)))
    return Result(**vars(submission) | {"cells": (), "remarks": remarks}, state=state(submission, settings),
                  outcomes=tuple(outcomes), **more)


def without_answers(submission: Submission, settings: Settings, status: str, why: str) -> Result:
    """The result of a notebook whose items could not be run, all with this status."""
    exercise, *_ = _exercise(submission.exercise, settings)
    advice = ("ask your teacher: this was not the fault of your answer" if status != "unreadable" else
              "the archive is damaged: pack and upload it again" if submission.path.lower().endswith(".zip") else
              "open the notebook in JupyterLab, save it, and hand in that file")
    outcomes = [Verdict(item.name, status, 0, item.points, got=why, next=advice) for item in exercise.items]
    return result(submission, settings, outcomes, [why])


def state(submission: Submission, settings: Settings) -> str:
    """A hash of what a grade and its words depend on: submission, exercise, packages, seed, limits, and language."""
    masters = [path.read_bytes() for path in editions(submission.exercise, settings.masters) if path.exists()]
    others = (submission.cells, submission.remarks, submission.edition, submission.held, settings.seed, settings.limits,
              settings.follow_through, language.language())
    return hashlib.sha256(repr((_sources(), masters, others)).encode()).hexdigest()


@functools.cache
def _sources() -> str:
    files = (path for folder in course.PACKAGES for path in sorted(folder.rglob("*")))
    sources = b"".join(path.read_bytes() for path in files if path.suffix in (".py", ".md", ".mo"))
    return hashlib.sha256(sources).hexdigest()


@functools.cache
def _exercise(name: str, settings: Settings) -> tuple:
    """The exercise, its notebook as it was handed out, and the cells of code of its solution, if that is beside it."""
    master, solution, *twins = editions(name, settings.masters)
    right = rerun.read(solution.read_bytes()).cells if solution.exists() else ()
    given = rerun.read(master.read_bytes())
    answers = [cell for twin in filter(Path.is_file, twins) for cell in rerun.read(twin.read_bytes()).cells
               if cell["id"] == "answer"]
    return (course.exercise(name), given._replace(cells=(*given.cells, *answers)),
            tuple(rerun.study(cell["source"]) for cell in right if cell["cell_type"] == "code"))


@functools.cache
def _sandbox(settings: Settings) -> Sandbox:
    """This worker's own sandbox, started with the first job."""
    box = Sandbox(settings.limits)
    atexit.register(box.close)
    return box
