"""Grade submissions: each notebook is a job, jobs are shared out among processes, results are kept as they come."""
import atexit
import concurrent.futures
import functools
import hashlib
import itertools
import json
import multiprocessing
import signal
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import click

from workbook.checks.item import Verdict
from workbook.course import Course
from workbook.grading.collect import Submission
from workbook.grading.mark import mark
from workbook.grading.rebuild import cells_of, rebuild
from workbook.grading.results import Result
from workbook.grading.sandbox import Limits, NoSandbox, Sandbox, packages

KEPT = 20_000                          # characters of an answer that a report shows
IN_HAND, TRIES = 16, 3                 # jobs given out at a time; how often Dask tries one whose worker died
SAVE = "open the notebook in JupyterLab, save it, and hand in that file"


@dataclass(frozen=True)
class Settings:
    """What all jobs of a run share. walls: whether bubblewrap is used."""

    course: Course
    masters: str                           # the folder of the exercises as they were handed out
    seed: int
    walls: bool = True
    limits: Limits = Limits()


def grade(submissions: Iterable[Submission], settings: Settings, executor: Callable,
          keep: Callable[[Result], None]) -> None:
    """Grade all submissions, and hand each result to `keep` as soon as it is there.

    executor: makes one, of concurrent.futures or a Dask client's. Few jobs are in hand at a time: memory stays small.
    BrokenExecutor where a worker has died, unless it is Dask's, which tries again; NoSandbox where none starts.
    """
    left, running = iter(submissions), {}
    with executor() as pool:
        try:
            while True:
                for one in itertools.islice(left, IN_HAND - len(running)):
                    running[pool.submit(grade_one, one, settings)] = one
                if not running:
                    return
                for future in concurrent.futures.wait(running, return_when="FIRST_COMPLETED").done:
                    keep(_result(future, running.pop(future), settings))
        except BaseException:
            click.echo("stopping as soon as the notebooks in hand are finished", err=True)
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _result(future, submission: Submission, settings: Settings) -> Result:
    """What a job came to. Where it raises, as where Dask gives it up, the others go on."""
    error = future.exception()
    if error is None or isinstance(error, (concurrent.futures.BrokenExecutor, NoSandbox)):
        return future.result()
    return nothing(submission, settings, "process died", f"{type(error).__name__}: {str(error)[:300]}")


def pool(jobs: int) -> concurrent.futures.ProcessPoolExecutor:
    """Processes of this machine. They begin from nothing ("spawn"): a fork would take along open files and locks.

    Ctrl-C reaches all processes of a terminal; only the parent acts on it.
    """
    return concurrent.futures.ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), signal.signal,
                                                  (signal.SIGINT, signal.SIG_IGN))


def grade_one(submission: Submission, settings: Settings) -> Result:
    """The job: one notebook. It runs in a worker, which keeps its sandbox for the next."""
    exercise, master = _exercise(submission.exercise, settings)
    if not submission.cells:
        return nothing(submission, settings, "unreadable", submission.remarks[-1])
    rebuilt = rebuild(master, submission.cells, [item.name for item in exercise.items])
    outcomes = mark(_sandbox(settings.course, settings.walls, settings.limits), exercise, rebuilt, settings.seed)
    code = {cell["item"]: cell["source"][:KEPT] for cell in rebuilt.cells if cell["item"] and "source" in cell}
    return Result(submission.student, submission.exercise, state(submission, settings), tuple(outcomes),
                  rebuilt.words[:KEPT], (*submission.remarks, *rebuilt.remarks), code, submission.number)


def nothing(submission: Submission, settings: Settings, status: str, why: str) -> Result:
    """The result of a notebook of which no item could be tried."""
    exercise, _ = _exercise(submission.exercise, settings)
    advice = SAVE if status == "unreadable" else "ask who teaches: this was no fault of the answer"
    outcomes = tuple(Verdict(item.name, status, 0, item.points, got=why, next=advice) for item in exercise.items)
    return Result(submission.student, submission.exercise, state(submission, settings), outcomes,
                  remarks=tuple(dict.fromkeys((*submission.remarks, why))), number=submission.number)


def state(submission: Submission, settings: Settings) -> str:
    """A hash of what a grade follows from: the submission, the exercise, the package, the seed and the limits."""
    master = Path(settings.masters, f"{submission.exercise}.ipynb").read_bytes()
    others = json.dumps([submission.cells, submission.remarks, settings.seed, settings.walls, vars(settings.limits)])
    parts = _sources(settings.course), master, others.encode()
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


@functools.cache
def _sources(course: Course) -> bytes:
    files = (path for folder in packages(course) for path in sorted(folder.rglob("*")))
    return b"".join(path.read_bytes() for path in files if path.suffix in (".py", ".md"))


@functools.cache
def _exercise(name: str, settings: Settings) -> tuple:
    """The exercise, and the cells of its notebook as it was handed out."""
    return settings.course.exercise(name), cells_of(Path(settings.masters, f"{name}.ipynb").read_bytes())


@functools.cache
def _sandbox(course: Course, walls: bool, limits: Limits) -> Sandbox:
    """This worker's own, started with the first job."""
    box = Sandbox(course, walls, limits)
    atexit.register(box.close)
    return box
