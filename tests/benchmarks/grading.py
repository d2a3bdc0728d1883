"""What grading a class costs: `python -m nwlab grade` beside `pytest --nbval -n 2 --dist loadscope`, same notebooks.

    python tests/benchmarks/grading.py [--students 3] [--only-grade]

Of each exercise every third student hands in the solution; the others have the right and wrong answers of
tests/exercises/answers and the mistakes that items declare, the k-th student the k-th answer to each item. The figures
are of processor time, as other programs may run beside it; the ratio is to be at most 0.3.
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
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "grading")]
from exercises.model_answers import complete  # noqa: E402
from test_honest import students, written  # noqa: E402

ENVIRONMENT = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}


def hand_in(folder: Path, count: int) -> int:
    """STUDENT/EXERCISE.ipynb, every third of them solved; how many."""
    names = sorted(path.stem for path in (ROOT / "exercises").glob("*.ipynb"))
    for place, name in enumerate(names):
        exercise = importlib.import_module(f"nwlab.exercises.{name}").EXERCISE
        answers = students(complete(importlib.import_module(f"exercises.answers.{name}")), exercise)
        for number in range(count):
            path = folder / f"student {number}" / f"{name}.ipynb"
            path.parent.mkdir(parents=True, exist_ok=True)
            notebook = json.loads((ROOT / "solutions" / f"{name}.ipynb").read_text(encoding="utf-8"))
            if (number + place) % 3:
                sources = {cell["id"]: cell["source"] for cell in written(name, answers[number % len(answers)])}
                for cell in notebook["cells"]:
                    cell["source"] = sources.get(cell["id"], cell["source"])
            path.write_text(json.dumps(notebook), encoding="utf-8")
    return count * len(names)


def timed(name: str, command: list[str], where: Path) -> float:
    """Run a command, print what it costs and its last line; seconds of processor time, with all children."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, cwd=where, env=ENVIRONMENT, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{name}: {used:.1f} s of processor time, {time.monotonic() - begun:.1f} s by the clock, "
          f"{after.ru_maxrss >> 10} MB in the largest process: {done.stdout.strip().rpartition(chr(10))[2]}")
    return used


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--students", type=int, default=3)
    parser.add_argument("--only-grade", action="store_true", help="leave pytest out: no ratio")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        count = hand_in(folder / "in", options.students)
        shutil.copy(ROOT / "pyproject.toml", folder)         # where it is run: pytest's settings, and a checkout
        shutil.copytree(ROOT / "exercises", folder / "exercises")
        used = timed("grade", [sys.executable, "-m", "nwlab", "grade", "in", "--out", "out", "--jobs", "2"], folder)
        if not options.only_grade:
            beside = timed("pytest", [sys.executable, "-m", "pytest", "--nbval", "-n", "2", "--dist", "loadscope", "-q",
                                      "-p", "no:cacheprovider", "in"], folder)
            print(f"ratio of processor time, {count} notebooks: {used / beside:.2f}")


if __name__ == "__main__":
    main()
