"""Are the checks as strict as they were? Judges wrong and right answers that were collected before a change of them.

    python tests/frozen.py [exercise ...] [--seeds 1] [--jobs 2]

The answers stand in exercises/frozen.jsonl.xz. The wrong ones are those of exercises/answers, every mistake that an
item declared, and mutants of the model answers (some fifty an item, first those that few problems refuse); the right
ones are those of exercises/answers. The first line holds the modules that some of them need, by path. Then a line each:

    exercise, item, origin    where it comes from
    source                    defines a function of the item's name, or fetches it from one of those modules
    right                     whether it is a right answer
    passed, sentence          the verdict on it when it was collected, for seed 0
    common                    whether it is one of the two or three slips that a teacher expects

A wrong answer that passed already is a survivor: most are the model answer in other words, the rest is tolerated. The
exit code is 1 if more than 1 % of the wrong answers that were refused pass now, or if a right one is refused.
"""
import argparse
import functools
import importlib.util
import json
import lzma
import re
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from workbook.checks.judge import judge
from workbook.checks.run import run
from workbook.course import exercise
from workbook.grading.mark import limited
from workbook.grading.rebuild import of_today

STORE = Path(__file__).with_name("exercises") / "frozen.jsonl.xz"
SECONDS = 60                           # of processor time for one answer: what takes longer counts as refused
# The words of the general comparison in findings.md: a change there needs one here.
GENERAL = re.compile(r"\d+ of \d+ problems hold, “|the numbers differ from the right ones")
ALLOWED = 0.01                         # of the wrong answers that were refused


@functools.cache
def notebook(name: str):
    """The code around a student's function: the other functions of the exercise, all of them right, and its data."""
    path = importlib.util.find_spec("frozen_code").submodule_search_locations[0]
    return compile(Path(path, "notebooks", f"{name}.py").read_text(encoding="utf-8"), "notebook", "exec")


def judged(row: dict, seeds: int) -> dict:
    """The row with today's verdict: whether it `passes` for all seeds, and the sentence `now` on what is wrong."""
    home, item, passes, now = {"__name__": "student"}, exercise(row["exercise"]).item(row["item"]), False, ""
    try:
        with limited(SECONDS * seeds):
            exec(notebook(row["exercise"]), home)
            exec(compile(row["source"], "student", "exec"), home)
            for seed in range(seeds):
                problems = item.problems(seed)
                found = judge(item, problems, run(item, home[row["item"]], problems))
                passes, now = found.holds, found.mistake
                if not passes:
                    break
    except Exception as error:
        passes, now = False, f"neither passed nor refused: {error!r}"
    return row | {"passes": passes, "now": now}


def judge_all(names: list[str], seeds: int = 1, jobs: int = 1, wanted=lambda number, row: True) -> list[dict]:
    """The rows of these exercises, or of all if none is named, with today's verdict. wanted: those to judge."""
    with lzma.open(STORE, "rt", encoding="utf-8") as lines:
        modules, *rows = map(json.loads, lines)
    rows = [row for number, row in enumerate(rows) if (row["exercise"] in names or not names) and wanted(number, row)]
    with tempfile.TemporaryDirectory() as folder:
        for path, text in modules.items():
            Path(folder, path).parent.mkdir(parents=True, exist_ok=True)
            Path(folder, path).write_text(of_today(text), encoding="utf-8")       # they were collected before the move
        with ProcessPoolExecutor(jobs, initializer=sys.path.insert, initargs=(0, folder)) as pool:
            return list(pool.map(functools.partial(judged, seeds=seeds), rows, chunksize=8))


def newly_passing(rows: list[dict]) -> list[dict]:
    return [row for row in rows if not row["right"] and row["passes"] and not row["passed"]]


def right_refused(rows: list[dict]) -> list[dict]:
    return [row for row in rows if row["right"] and not row["passes"]]


def own_sentence(row: dict) -> bool:
    """Whether its sentence says more than that the numbers differ."""
    return not row["passes"] and not GENERAL.match(row["now"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("exercise", nargs="*")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    rows = judge_all(options.exercise, options.seeds, options.jobs)
    newly, refused = newly_passing(rows), right_refused(rows)
    unsaid = [row for row in rows if row["common"] and not own_sentence(row)]
    broken = [row for row in rows if row["now"].startswith("neither") and not row["sentence"].startswith("neither")]
    for words, some in (("passes now", newly), ("right, but refused", refused),
                        ("common, without a sentence of its own", unsaid), ("an exception", broken)):
        for row in some:
            print(f"{words}: {row['exercise']}.{row['item']}, {row['origin']}\n"
                  f"  then: {row['sentence']}\n  now:  {row['now']}\n{row['source'].rstrip()}\n")
    share = len(newly) / max(1, sum(not row["right"] and not row["passed"] for row in rows))
    print(f"Of {len(rows)} answers {len(refused)} right ones are refused; of the wrong ones that were, {share:.2%} pass"
          f" now. Of {sum(row['common'] for row in rows)} common slips {len(unsaid)} have no sentence of their own.")
    return int(share > ALLOWED or bool(refused))


if __name__ == "__main__":
    sys.exit(main())
