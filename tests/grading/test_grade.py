"""A class is graded: right points, whatever ends the run, and nothing is run twice that was finished."""
import concurrent.futures
import contextlib
import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner
from grading.graded import MASTERS, ROOT, answered, cells, result
from grading.hostile import CELLS

from workbook import files
from workbook.command import main
from workbook.grading import grade as work
from workbook.grading import results
from workbook.grading.report import report
from workbook.grading.results import Submission
from workbook.grading.sandbox import Limits, NoSandbox
from workbook.language import speaking

DIFFERENCES = "def differences(queries, keys):\n    return queries[:, None] + keys"
GREEDY, _ = CELLS["memory bit by bit"]


def five_students(folder) -> dict:
    """What they hand in, and the status of each item: solved, untouched, half of it with a mistake in `differences`,
    broken, and one that fills the memory.
    """
    stubs = {cell["id"].removeprefix("write-"): cell["source"] for cell in cells("exercises")
             if cell["id"].startswith("write-")}
    half, untried = {item: stubs[item] for item in [*stubs][3:]}, dict.fromkeys(stubs, "not attempted")
    for student, sources in {"ann": {}, "bo": stubs, "cy": half | {"differences": DIFFERENCES},
                             "ed": stubs | {"pool": GREEDY}}.items():
        files.write(folder / f"in/{student}/warm_up.ipynb", json.dumps({"cells": answered("solutions", **sources)}))
    files.write(folder / "in/di/warm_up.ipynb", "{")
    mistaken = {"differences": "failed", "scores_of": "follow-through"} | dict.fromkeys(half, "not attempted")
    states = {"ann": {}, "bo": untried, "cy": mistaken, "di": dict.fromkeys(stubs, "unreadable"),
              "ed": untried | {"pool": "out of memory"}}
    return {student: [theirs.get(item, "passed") for item in stubs] for student, theirs in states.items()}


def arguments(folder, *more) -> list[str]:
    return ["grade", f"{folder}/in", "--out", f"{folder}/report", "--jobs", "1", *more]


def command(folder, *more) -> tuple[str, int]:
    """What the command writes, and its exit code."""
    done = CliRunner().invoke(main, arguments(folder, *more))
    return done.output, done.exit_code


def process(folder, *more) -> subprocess.Popen:
    """The command as a process of its own. What a shell starts in the background ignores Ctrl-C; this obeys it."""
    return subprocess.Popen([sys.executable, "-m", "workbook", *arguments(folder, *more)], stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
                            preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
                            env=os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)})


def points(folder) -> dict:
    return {one.student: [outcome.status for outcome in one.outcomes] for one in results.load_all(folder / "report")}


def test_a_run_that_is_stopped_or_killed_goes_on_and_runs_nothing_twice(box, tmp_path):
    """Ctrl-C, which reaches all processes of its terminal, stops it; then it is killed; then it is left alone."""
    expected, stamps = five_students(tmp_path), {}
    for number, count in (signal.SIGINT, 1), (signal.SIGKILL, 3), (0, 5):
        running = process(tmp_path, "--resume", "--memory", "512", "--cell-timeout", "200",
                          "--follow-through", "0.5")
        while number and running.poll() is None and len(list(tmp_path.glob("report/results/*/*.json"))) < count:
            time.sleep(0.02)
        started = psutil.Process(running.pid).children(recursive=True) if running.poll() is None else []
        with contextlib.suppress(ProcessLookupError):        # it was quicker
            os.killpg(running.pid, number)
        text = running.communicate()[0]
        now = {path: path.stat().st_mtime_ns for path in tmp_path.glob("report/results/*/*.json")}
        assert {path: now[path] for path in stamps} == stamps, text
        stamps = now
        if number == signal.SIGINT:
            assert running.returncode == 130 and "--resume" in text and "Traceback" not in text, text
            assert now and (tmp_path / "report/index.html").exists()   # all five, where this process was kept waiting
            assert not psutil.wait_procs(started, timeout=60)[1]
    assert running.returncode == 0 and points(tmp_path) == expected, text
    [half] = [one for result in results.load_all(tmp_path / "report") for one in result.outcomes
              if one.status == "follow-through"]
    assert half.points == half.most / 2


def test_a_command_that_is_killed_alone_leaves_no_worker_with_an_endless_job_behind(box, tmp_path):
    endless = answered("solutions", pool="while True: pass")
    files.write(tmp_path / "in/ann/warm_up.ipynb", json.dumps({"cells": endless}))
    running = process(tmp_path, "--cell-timeout", "100000", "--timeout", "100000")
    started, commands = [], ""
    while running.poll() is None and "workbook.grading.inside" not in commands:
        with contextlib.suppress(psutil.Error):              # one that ends while it is looked at
            started = psutil.Process(running.pid).children(recursive=True)
            commands = str([each.cmdline() for each in started])
    running.kill()
    left = psutil.wait_procs(started, timeout=60)[1]
    for each in left:
        each.kill()
    assert running.wait() == -signal.SIGKILL and not left


def bwrap(folder, monkeypatch, script: str, *path: str) -> None:
    """In the place of bubblewrap there is this; or none, where it is empty."""
    if script:
        (folder / "bwrap").write_text(f"#!/bin/sh\n{script}\nexit 1\n")
        (folder / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join([str(folder), *path]))


@pytest.mark.parametrize("script, why", [("", "is not installed here"), ("echo no uid map >&2", "here: no uid map")])
def test_without_bubblewrap_it_says_what_is_not_protected_and_ends(tmp_path, monkeypatch, script, why):
    hand_ins(tmp_path, "ann")
    bwrap(tmp_path, monkeypatch, script)
    text, code = command(tmp_path)
    assert code == 1 and why in text and "--sandbox off" in text and "your rights" in text
    assert not (tmp_path / "report/results").exists()


def test_a_renamed_folder_keeps_result_and_points_by_hand_and_one_that_is_gone_is_in_no_table(tmp_path):
    hand_ins(tmp_path, "ann", "bo")
    command(tmp_path, "--sandbox", "off")
    text, code = command(tmp_path, "--sandbox", "off")
    assert code == 1 and "--resume goes on" in text and "another folder" in text
    by_hand, summary = (tmp_path / "report" / name for name in ("by-hand.csv", "summary.csv"))
    by_hand.write_text("student,exercise,points,comment\nbo,warm_up,2,good\n")
    (tmp_path / "report/override.csv").write_text("student,item,points,reason\nbo,attend,1,\n")
    for old, new in ("bo", "cy"), ("cy", "cy b"), ("cy b", "bo"):
        (tmp_path / "in" / old).rename(tmp_path / "in" / new)
        text, code = command(tmp_path, "--sandbox", "off", "--resume")
        assert code == 0 and "2 of 2 notebooks are graded already" in text
        assert f"{new},,3,3,11,0," in summary.read_text("utf-8-sig").splitlines()
        assert by_hand.read_text().count("\n") == 2
    shutil.rmtree(tmp_path / "in/bo")
    text, code = command(tmp_path, "--sandbox", "off", "--resume")
    assert code == 0 and "1 earlier result left out" in text
    assert [line.split(",")[0] for line in summary.read_text("utf-8-sig").split()] == ["student", "ann"]


def test_a_notebook_in_another_language_has_no_words_of_its_own_and_its_text_and_that_of_verdicts_count(tmp_path):
    masters = tmp_path / "exercises"
    shutil.copytree(MASTERS / "zh", masters / "zh")
    shutil.copy(MASTERS / "warm_up.ipynb", masters)
    chinese = Submission("ann", "", "warm_up", "ann/warm_up.ipynb", tuple(cells("exercises/zh")))
    settings = work.Settings(masters, seed=1, limits=Limits(walls=False))
    assert work.grade_one(chinese, settings).words == ""
    states = [work.state(chinese, settings)]
    with speaking("zh"):
        states.append(work.state(chinese, settings))
    (masters / "zh/warm_up.ipynb").write_bytes((masters / "warm_up.ipynb").read_bytes())
    states.append(work.state(chinese, settings))
    assert len({*states}) == 3


def hand_ins(folder, *students) -> None:
    """What can be graded at once, as none of it can be read."""
    for number, student in enumerate(students):
        files.write(folder / "in" / student / "warm_up.ipynb", "{" * (number + 1))


def test_who_is_late_and_who_is_in_the_class_is_read_anew_at_each_run(tmp_path):
    files.write(tmp_path / "in/doe_LATE_1_2_warm_up.ipynb", "{")
    names, late = tmp_path / "names.csv", ["late", ""]
    names.write_text("student,id,section\nBö,2,B\nDoe,1,A\n", encoding="utf-8")
    for more in (), ("--resume",):
        assert command(tmp_path, "--sandbox", "off", "--roster", str(names), *more)[1] == 0
        rows = (tmp_path / "report/summary.csv").read_text(encoding="utf-8-sig").splitlines()
        assert rows[1:] == ["Bö,B,,0,11,0,", f"doe,A,,,11,0,{late.pop(0)}"]
        if late:                                             # the deadline is put off
            (tmp_path / "in/doe_LATE_1_2_warm_up.ipynb").rename(tmp_path / "in/doe_1_2_warm_up.ipynb")
    names.write_text("Doe")
    text, code = command(tmp_path, "--sandbox", "off", "--roster", str(names), "--resume")
    assert code == 1 and text.count("\n") == 1 and "names.csv: found no student" in text


def test_what_cannot_be_read_is_blank_in_all_tables_and_named_whatever_it_is_called(tmp_path):
    half, other = files.packed({"warm_up.ipynb": b"{"})[:50], '{"cells": [{"cell_type": "code", "source": ""}]}'
    for name, data in (("ann/warm_up.zip", half), ("Carla Corrupt.zip", half), ("dora/\x1b[31mnotes.ipynb", other)):
        files.write(tmp_path / "in" / name, data)
    files.write(tmp_path / "names.csv", "student\nann\nCarla Corrupt\ndora\n")
    text, code = command(tmp_path, "--sandbox", "off", "--roster", str(tmp_path / "names.csv"))
    named = ("3 hand-ins cannot be read as a notebook of an exercise: ann, Carla Corrupt, dora "
             "(dora/\\u001b[31mnotes.ipynb).")
    assert code == 0 and named in text, text
    report = tmp_path / "report"
    page = (report / "index.html").read_text()
    assert "\\u001b[31mnotes.ipynb" in page and "neither the notebook nor its name says which exercise" in page
    assert [line.split(",")[5] for line in (report / "canvas.csv").read_text().splitlines()[2:]] == ["", ""]
    assert (report / "moodle/warm_up.csv").read_text().count("\n") == 1
    rows = [line.split(",") for line in (report / "items.csv").read_text("utf-8-sig").splitlines()[1:]]
    assert {(row[0], row[4], row[6]) for row in rows} == {
        (name, "", "unreadable") for name in ("ann", "Carla Corrupt", "dora")}
    (page,) = (report / "students").glob("Carla*")
    assert page.read_text().count("not a zip file") == page.read_text().count("pack and upload it again") == 1


@pytest.mark.parametrize("options, says", [
    (["--out", "in"], "in: the report needs a folder of its own"), (["--out", "/dev/full"], "/dev/full"),
    (["--out", "file/report"], "Not a directory"), (["--jobs", "0"], "'--jobs': 0 is not in the range"),
    (["--memory", "0"], "'--memory': 0"), (["--timeout", "0"], "'--timeout': 0"),
    (["--cell-timeout", "-1"], "'--cell-timeout': -1"), (["--students-in", "0"], "'--students-in': 0")])
def test_what_the_teacher_has_mistyped_is_said_in_one_line(tmp_path, monkeypatch, options, says):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    hand_ins(tmp_path, "ann")
    text, code = command(tmp_path, "--sandbox", "off", *options)
    assert code and says in text and "Traceback" not in text, text
    assert sorted(path.name for path in (tmp_path / "in").iterdir()) == ["ann"]


def test_the_command_asks_whose_notebooks_they_are_and_goes_on_with_the_answer(tmp_path):
    hand_ins(tmp_path, "ann/draft", "ann/final", "bo")
    text, code = command(tmp_path, "--sandbox", "off")
    assert code == 1 and "\n  --students-in 1: 2 students, ann, bo;" in text
    assert command(tmp_path, "--sandbox", "off", "--students-in", "1")[1] == 0
    assert "2 uploads; the latest with an answer counts" in (tmp_path / "report/index.html").read_text()


def test_without_torch_the_command_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    hand_ins(tmp_path, "ann")
    text, code = command(tmp_path, "--sandbox", "off")
    assert code == 1 and "grading needs torch, which is not installed here: pip install -e '.[torch]'" in text


def test_the_seed_and_the_names_of_pages_are_fresh_for_each_report_and_then_kept(tmp_path):
    first, second = ([results.secrets_of(tmp_path / folder) for folder in "ab"] for _ in range(2))
    assert first == second and all(one != other for one, other in zip(*first))
    for _ in range(2):
        for folder in "ab":
            report(tmp_path / folder, [result("Ada")], MASTERS)
        pages = [[*(tmp_path / folder / "students").glob("Ada-*.html")] for folder in "ab"]
        assert all(len(those) == 1 for those in pages) and pages[0][0].name != pages[1][0].name
    report(tmp_path / "a", [result("Bo")], MASTERS)
    assert not pages[0][0].exists(), "of a student who is gone"


FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("error", [
    concurrent.futures.BrokenExecutor("a worker died"), NoSandbox("no walls today"), FULL])
def test_what_ends_a_run_is_said_and_what_was_finished_and_the_points_by_hand_are_kept(tmp_path, monkeypatch, error):
    def dying(one, settings):
        if one.student == "bo":
            raise error
        return work.without_answers(one, settings, "process died", "new")

    def full(self, data):
        with self.open("wb") as file:
            file.write(data[:1])
        raise OSError(*error.args, str(self))

    hand_ins(tmp_path, "ann", "bo", "cy")
    assert command(tmp_path, "--sandbox", "off")[1] == 0
    by_hand = (tmp_path / "report/by-hand.csv").read_bytes()
    for student in "ann", "bo":
        (tmp_path / f"in/{student}/warm_up.ipynb").write_text("changed")
    monkeypatch.setattr(work, "pool", concurrent.futures.ThreadPoolExecutor)
    monkeypatch.setattr(*(Path, "write_bytes", full) if error is FULL else (work, "grade_one", dying))
    text, code = command(tmp_path, "--sandbox", "off", "--resume")
    said = error.strerror if error is FULL else error
    assert code == 1 and f"{said}\nWhat was finished is kept" in text and "--resume" in text and "Traceback" not in text
    assert (tmp_path / "report/by-hand.csv").read_bytes() == by_hand and (tmp_path / "report/index.html").exists()
    assert not [path for path in (tmp_path / "report").rglob(".*")]
    assert points(tmp_path)["ann"][0] == ("unreadable" if error is FULL else "process died")
