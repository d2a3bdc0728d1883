"""A class is graded: right points, whatever ends the run, and nothing is run twice that was finished."""
import concurrent.futures
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import psutil
import pytest
from benchmarks.grading import children, own, tree
from grading.hostile import called

from nwlab.course import COURSE
from nwlab import exercises
from workbook.grading import grade as work
from workbook.grading import results
from workbook.grading.collect import Submission
from workbook.grading.sandbox import Limits, MEGABYTE

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("warm_up", "parzen_equivalence")
HELD = 300 * MEGABYTE
GREEDY = called(f"""import os, signal
x = [b'x' * {HELD}]
os.kill(os.getpid(), signal.SIGSTOP)                         # until somebody has looked
while True: x.append(b'x' * 2**24)""")
LIMITS = ("--memory", "512", "--cell-timeout", "200")


@pytest.fixture
def folder(tmp_path):
    """Five students with two exercises each: solved, untouched, half of it, broken, and with an answer without end."""
    for student in ("ann", "bo", "cy", "di", "ed"):
        (tmp_path / "in" / student).mkdir(parents=True)
        for name in NAMES:
            solved = json.loads((ROOT / f"solutions/{name}.ipynb").read_text())
            stub = {cell["id"]: cell for cell in json.loads((ROOT / f"exercises/{name}.ipynb").read_text())["cells"]}
            if student == "bo":
                solved["cells"] = [stub.get(cell["id"], cell) for cell in solved["cells"]]
            if student == "cy":
                written = [cell["id"] for cell in solved["cells"] if cell["id"].startswith("write-")]
                solved["cells"] = [stub[cell["id"]] if cell["id"] in written[3:] else cell for cell in solved["cells"]]
            if student == "ed":
                solved["cells"] = [cell | {"source": GREEDY} if cell["id"] == "write-pool" else
                                   stub.get(cell["id"], cell) for cell in solved["cells"]]
            (tmp_path / "in" / student / f"{name}.ipynb").write_text(json.dumps(solved) if student != "di" else "{")
    return tmp_path


def command(folder, *more, wait=True, stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT):
    asked = [sys.executable, "-m", "nwlab", "grade", str(folder / "in"), "--out", str(folder / "report"), "--jobs", "1"]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
    started = subprocess.Popen([*asked, *more], stdin=stdin, stdout=subprocess.PIPE, stderr=stderr, text=True,
                               env=environment, start_new_session=True, preexec_fn=hear_ctrl_c)
    return (started.communicate()[0], started.returncode) if wait else started


def hear_ctrl_c() -> None:
    """A shell's background job, as this may be, is born deaf to it, and with it all that it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def most_held(running) -> tuple[int, int]:
    """Bytes: the most that the command itself, and that one of its jobs held. A job goes on when HELD has been seen."""
    parent = job = 0
    while running.poll() is None:
        below = children()
        parent = max(parent, own(running.pid))
        for worker in below.get(running.pid, ()):
            processes = tree(worker, below)
            job = max(job, sum(map(own, processes)))
            for pid in processes if job > HELD else ():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)
        time.sleep(0.1)
    return parent, job


def points(folder) -> dict:
    return {(one.student, one.exercise): [outcome.status for outcome in one.outcomes]
            for one in results.load_all(folder / "report")}


def expected(name) -> dict:
    items = [item.name for item in getattr(exercises, name).EXERCISE.items]
    count = len(items)
    return {("ann", name): ["passed"] * count, ("bo", name): ["not attempted"] * count,
            ("cy", name): ["passed"] * 3 + ["not attempted"] * (count - 3), ("di", name): ["unreadable"] * count,
            ("ed", name): ["out of memory" if item == "pool" else "not attempted" for item in items]}


def test_a_run_that_is_stopped_or_killed_goes_on_and_runs_nothing_twice(box, folder):
    """It is stopped by Ctrl-C, which reaches all processes of its terminal, then killed. In the end it is left alone.

    NWLAB_KILLS=10 kills it at ten random moments; one of them is enough for each day.
    """
    dice, stamps, kept = random.Random(7), {}, (folder / "report").glob
    kills = sorted(dice.choices(range(2, 10), k=int(os.environ.get("NWLAB_KILLS", 1))))
    for sent, count in [(signal.SIGINT, 1), *((signal.SIGKILL, kill) for kill in kills)]:
        running = command(folder, "--resume", *LIMITS, wait=False)
        while running.poll() is None and len(list(kept("results/*/*.json"))) < count:
            time.sleep(0.02)
        if sent == signal.SIGKILL:
            time.sleep(dice.uniform(0, 0.5))
        started = psutil.Process(running.pid).children(recursive=True)
        with contextlib.suppress(ProcessLookupError):        # it was quicker
            os.killpg(running.pid, sent)
        said = running.communicate()[0]
        now = {path: path.stat().st_mtime_ns for path in kept("results/*/*.json")}
        assert {path: now[path] for path in stamps} == stamps, said
        stamps = now
        if sent == signal.SIGINT:
            assert running.returncode == 130 and "--resume" in said and "Traceback" not in said, said
            assert 1 <= len(now) < 10 and (folder / "report/index.html").exists()
            assert not psutil.wait_procs(started, timeout=60)[1]
    running = command(folder, "--resume", *LIMITS, wait=False)
    parent, job = most_held(running)
    said = running.communicate()[0]
    assert running.returncode == 0 and {path: path.stat().st_mtime_ns for path in stamps} == stamps, said
    assert points(folder) == expected("warm_up") | expected("parzen_equivalence")
    assert HELD < job < 1200 * MEGABYTE and 20 * MEGABYTE < parent < 500 * MEGABYTE


def test_an_earlier_report_is_neither_overwritten_nor_mixed_up(folder):
    results.write(folder / "report/results/x/warm_up.json", "{}")
    said, code = command(folder, "--sandbox", "off")
    assert code == 1 and "--resume" in said and "--force" in said


def bwrap(folder, monkeypatch, script: str, *path: str) -> None:
    """In the place of bubblewrap there is this; or none, where it is empty."""
    if script:
        (folder / "bwrap").write_text(f"#!/bin/sh\n{script}\nexit 1\n")
        (folder / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join([str(folder), *path]))


@pytest.mark.parametrize("script, why", [("", "is not installed here"), ("echo no uid map >&2", "here: no uid map")])
def test_without_bubblewrap_it_says_what_is_not_protected_and_ends(folder, monkeypatch, script, why):
    bwrap(folder, monkeypatch, script)
    said, code = command(folder)
    assert code == 1 and why in said and "--sandbox off" in said and "your rights" in said
    said, code = command(folder, "--sandbox", "require")
    assert code == 1 and said.startswith("--sandbox require: ") and why in said and said.count("\n") == 1
    assert not (folder / "report/results").exists()


@pytest.mark.parametrize("sandbox, said_yes, code", [("auto", "y", 0), ("auto", "n", 1), ("require", "y", 1)])
def test_at_a_terminal_auto_asks_and_require_does_not_and_there_is_a_bar(folder, monkeypatch, sandbox, said_yes, code):
    bwrap(folder, monkeypatch, "")
    for notebook in folder.glob("in/*/*.ipynb"):
        if notebook.parent.name != "di":                     # whose notebooks cannot be read
            notebook.unlink()
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    os.write(ours, f"{said_yes}\n".encode())
    _, ended = command(folder, "--sandbox", sandbox, stdin=theirs, stderr=theirs)
    os.set_blocking(ours, False)
    said = ""
    with contextlib.suppress(BlockingIOError):
        while True:
            said += os.read(ours, 1 << 16).decode()
    os.close(ours)
    os.close(theirs)
    assert ended == code and ("as --sandbox off does?" in said) == (sandbox == "auto"), said
    assert ("2/2" in said) == (code == 0), said
    assert len(points(folder)) == (2 if code == 0 else 0)


def test_a_machine_on_which_no_sandbox_starts_gives_no_grades(folder, monkeypatch):
    """One that says it works, and then does not."""
    bwrap(folder, monkeypatch, "[ $# = 5 ] && exit 0\necho no walls today >&2", os.environ["PATH"])
    said, code = command(folder)
    assert code == 1 and "no walls today" in said and "Traceback" not in said, said
    assert {status for found in points(folder).values() for status in found} <= {"unreadable", "not attempted"}


def test_without_walls_limits_and_points_are_the_same(folder):
    for notebook in folder.glob("in/*/parzen_equivalence.ipynb"):
        notebook.unlink()
    running = command(folder, "--sandbox", "off", "--seed", "4", *LIMITS, wait=False)
    _, job = most_held(running)
    said = running.communicate()[0]
    assert running.returncode == 0 and "can read" in said and HELD < job < 1200 * MEGABYTE
    assert points(folder) == expected("warm_up")


def test_what_tells_no_exercise_is_named_and_force_begins_anew(tmp_path):
    for name in ("di/warm_up.ipynb", "di/notes.ipynb"):
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_text("{")
    said, code = command(tmp_path, "--sandbox", "off")
    assert code == 0 and "1 notebook graded" in said and "di/notes.ipynb: unknown" in said, said
    assert "di/notes.ipynb" in (tmp_path / "report/index.html").read_text()
    results.write(tmp_path / "report/results/x/warm_up.json", "{}")
    said, code = command(tmp_path, "--sandbox", "off", "--force")
    assert code == 0 and "1 notebook graded" in said
    assert not (tmp_path / "report/results/x").exists() and len(points(tmp_path)) == 1


def test_the_seed_is_fresh_for_each_report_and_then_kept(tmp_path):
    first, second = ([results.seed_of(tmp_path / folder, None) for folder in "ab"] for _ in range(2))
    assert first == second and first[0] != first[1]
    assert results.seed_of(tmp_path / "a", 7) == results.seed_of(tmp_path / "a", None) == 7


class Dying(concurrent.futures.Executor):
    """Its worker dies with the first job that it is given, the first `times` times; then it takes no other."""

    left = 0

    def __init__(self):
        self.broken = False

    def submit(self, function, *arguments):
        if self.broken:
            raise concurrent.futures.BrokenExecutor
        future = concurrent.futures.Future()
        if Dying.left:
            Dying.left -= 1
            self.broken = True
            future.set_exception(concurrent.futures.BrokenExecutor())
        else:
            future.set_result((function.__name__, arguments[0].student))
        return future


@pytest.mark.parametrize("times", [0, 1, 2, 40])
def test_workers_that_die_lose_nothing_and_repeat_nothing(times):
    Dying.left, kept = times, []
    settings = work.Settings(COURSE, str(ROOT / "exercises"), 0, False, Limits())
    submissions = [Submission(f"student {i}", "warm_up", b"") for i in range(20)]
    work.grade(submissions, settings, Dying, kept.append)
    names = [one.student if hasattr(one, "student") else one[1] for one in kept]
    assert sorted(names) == sorted(one.student for one in submissions)


def test_few_large_notebooks_are_held_at_a_time():
    Dying.left, read, held = 0, [], []

    def large():
        for number in range(40):
            read.append(number)
            yield Submission(f"student {number}", "warm_up", bytes(20_000_000))

    work.grade(large(), work.Settings(COURSE, str(ROOT / "exercises"), 0, False, Limits()), Dying,
               lambda _: held.append(len(read) - len(held)))
    assert len(held) == 40 and max(held) * 20_000_000 <= work.HEAVY
