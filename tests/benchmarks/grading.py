"""What grading a class costs: `python -m nwlab grade` beside `pytest --nbval -n 2 --dist loadscope`, same notebooks.

    python tests/benchmarks/grading.py [--students 3] [--only-grade]

Of each exercise every third student hands in the solution; the others have the right and wrong answers of
tests/exercises/answers and the mistakes that items declare, the k-th student the k-th answer to each item. The figures
are of processor time, as other programs may run beside it, and the ratio is what was asked to be at most 0.3. Memory is
looked at five times a second: that of the command itself, and the most of any process tree of a job.
"""
import argparse
import importlib
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from workbook.grading.inside import own

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "grading")]
from exercises.model_answers import complete  # noqa: E402
from test_honest import students as answering  # noqa: E402
from test_honest import written  # noqa: E402

ENVIRONMENT = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
NAMES = sorted(path.stem for path in (ROOT / "exercises").glob("*.ipynb"))


def handed_in(folder: Path, students: int) -> int:
    """STUDENT/EXERCISE.ipynb, every third of them solved; how many."""
    for place, name in enumerate(NAMES):
        exercise = importlib.import_module(f"nwlab.exercises.{name}").EXERCISE
        answers = answering(complete(importlib.import_module(f"exercises.answers.{name}")), exercise)
        for number in range(students):
            handed = folder / f"student {number}" / f"{name}.ipynb"
            handed.parent.mkdir(parents=True, exist_ok=True)
            notebook = json.loads((ROOT / "solutions" / f"{name}.ipynb").read_text(encoding="utf-8"))
            if (number + place) % 3:
                sources = {cell["id"]: cell["source"] for cell in written(name, answers[number % len(answers)])}
                for cell in notebook["cells"]:
                    cell["source"] = sources.get(cell["id"], cell["source"])
            handed.write_text(json.dumps(notebook), encoding="utf-8")
    return students * len(NAMES)


def timed(command: list[str], where: Path, watch=None) -> tuple[float, float, str]:
    """(seconds of processor time with all children, seconds by the clock, the last line it wrote) of a command."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    running = subprocess.Popen(command, cwd=where, env=ENVIRONMENT, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if watch:
        threading.Thread(target=watch, args=(running,), daemon=True).start()
    said = running.communicate()[0].strip().rpartition("\n")[2]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, time.monotonic() - begun, said


class Memory:
    """The most that the command itself, and that all processes below one of its workers, held: in bytes."""

    parent = job = 0

    def __call__(self, running) -> None:
        while running.poll() is None:
            below = children()
            self.parent = max(self.parent, own(running.pid))
            for worker in below.get(running.pid, ()):
                self.job = max(self.job, sum(map(own, tree(worker, below))))
            time.sleep(0.2)


def children() -> dict[int, list[int]]:
    found = {}
    for name in filter(str.isdecimal, os.listdir("/proc")):
        try:
            parent = int(Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
        found.setdefault(parent, []).append(int(name))
    return found


def tree(pid: int, below: dict[int, list[int]]) -> list[int]:
    return [pid, *(one for child in below.get(pid, ()) for one in tree(child, below))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--students", type=int, default=3)
    parser.add_argument("--only-grade", action="store_true", help="leave pytest out: no ratio")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder, memory = Path(folder), Memory()
        count = handed_in(folder / "in", asked.students)
        grade = [sys.executable, "-m", "nwlab", "grade", "in", "--out", "out", "--jobs", "2"]
        shutil.copy(ROOT / "pyproject.toml", folder)         # where it is run: pytest's settings, and a checkout
        shutil.copytree(ROOT / "exercises", folder / "exercises")
        used, clock, said = timed(grade, folder, memory)
        print(f"grade:  {used:.1f} s of processor time, {clock:.1f} s by the clock: {said}")
        print(f"        the command held {memory.parent >> 20} MB at most, a job {memory.job >> 20} MB")
        if asked.only_grade:
            return
        pytest = [sys.executable, "-m", "pytest", "--nbval", "-n", "2", "--dist", "loadscope", "-q",
                  "-p", "no:cacheprovider", "in"]
        beside, clock, said = timed(pytest, folder)
        print(f"pytest: {beside:.1f} s of processor time, {clock:.1f} s by the clock: {said}")
        print(f"ratio of processor time, {count} notebooks: {used / beside:.2f}")


if __name__ == "__main__":
    main()
