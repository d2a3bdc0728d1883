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
import contextlib
import faulthandler
import functools
import importlib.util
import inspect
import json
import lzma
import re
import signal
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from workbook.grading.rebuild import of_today  # noqa: E402

STORE = Path(__file__).with_name("exercises") / "frozen.jsonl.xz"
SECONDS = 60                           # of processor time for one answer and seed: what takes longer counts as refused
# The words of the general comparison in findings.md: a change there needs one here.
GENERAL = re.compile(r"\d+ of \d+ problems hold, “|the numbers differ from the right ones")
ALLOWED = 0.01                         # of the wrong answers that were refused


def verdict(exercise: str, item: str, function, seed: int) -> tuple[bool, str]:
    """Whether the function passes, and the sentence on what is wrong. Nothing else here knows the engine."""
    from workbook import exercises
    from workbook.checks.judge import judge
    from workbook.checks.run import run

    declared = getattr(exercises, exercise).EXERCISE.item(item)
    problems = declared.problems(seed)
    found = judge(declared, problems, run(declared, function, problems))
    return found.holds, found.mistake


@functools.cache
def notebook(exercise: str):
    """The code around a student's function: the other functions of the exercise, all of them right, and its data."""
    path = importlib.util.find_spec("frozen_code").submodule_search_locations[0]
    return compile(Path(path, "notebooks", f"{exercise}.py").read_text(encoding="utf-8"), "notebook", "exec")


class TooLong(BaseException):
    """Not an Exception, so that neither an answer, a mutant nor the engine catches it."""


def stop(*_):
    raise TooLong


def judged(row: dict, seeds: int) -> dict:
    """The row with today's verdict: `passes` for all seeds, the sentence `now`, and the source to be shown."""
    home, source = {"__name__": "student"}, row["source"]
    signal.signal(signal.SIGPROF, stop)
    passes, now = False, ""
    try:
        exec(notebook(row["exercise"]), home)
        exec(compile(source, "student", "exec"), home)
        function = home[row["item"]]
        with contextlib.suppress(OSError, TypeError):
            source = inspect.getsource(function) if "frozen_code.answers" in source else source
        for seed in range(seeds):
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            faulthandler.dump_traceback_later(10 * SECONDS, exit=True)      # if no signal can stop the code
            passes, now = verdict(row["exercise"], row["item"], function, seed)
            if not passes:
                break
    except TooLong:
        now = f"it takes more than {SECONDS} seconds"
    except Exception as error:
        now = f"neither passed nor refused: {error!r}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        faulthandler.cancel_dump_traceback_later()
    return row | {"passes": passes, "now": now, "source": source}


def begin(folder: str) -> None:
    """What each process does first: from now on it finds the modules of the collection, and this checkout."""
    sys.path[:0] = [folder, str(Path(__file__).parents[1])]


def judge_all(names: list[str], seeds: int = 1, jobs: int = 1, every: int = 1) -> list[dict]:
    """The rows of these exercises, or of all if none is named, with today's verdict. every: judge every n-th row."""
    with lzma.open(STORE, "rt", encoding="utf-8") as lines:
        modules, *rows = map(json.loads, lines)
    rows = [row for row in rows if row["exercise"] in names or not names][::every]
    with tempfile.TemporaryDirectory() as folder:
        for path, text in modules.items():
            Path(folder, path).parent.mkdir(parents=True, exist_ok=True)
            Path(folder, path).write_text(of_today(text), encoding="utf-8")       # they were collected before the move
        with ProcessPoolExecutor(jobs, initializer=begin, initargs=(folder,)) as pool:
            return list(pool.map(functools.partial(judged, seeds=seeds), rows, chunksize=8))


def newly_passing(rows: list[dict]) -> list[dict]:
    return [row for row in rows if not row["right"] and row["passes"] and not row["passed"]]


def right_refused(rows: list[dict]) -> list[dict]:
    return [row for row in rows if row["right"] and not row["passes"]]


def own_sentence(row: dict) -> bool:
    """Whether its sentence says more than that the numbers differ."""
    return not row["passes"] and not GENERAL.match(row["now"])


def line(name: str, rows: list[dict]) -> str:
    wrong, common = [row for row in rows if not row["right"]], [row for row in rows if row["common"]]
    passes, passed = (sum(row[when] for row in wrong) for when in ("passes", "passed"))
    same = sum(row["now"] == row["sentence"] for row in common)
    return (f"{name:20} wrong {len(wrong):4}, pass now {passes:3}, then {passed:3}, newly {len(newly_passing(rows)):3}"
            f" | right {len(rows) - len(wrong):3}, refused {len(right_refused(rows)):2}"
            f" | common {len(common):3}, own sentence {sum(map(own_sentence, common)):3}, as then {same:3}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("exercise", nargs="*")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    rows = judge_all(options.exercise, options.seeds, options.jobs)
    for name in dict.fromkeys(row["exercise"] for row in rows):
        print(line(name, [row for row in rows if row["exercise"] == name]))
    print(line("all", rows))
    newly, refused = newly_passing(rows), right_refused(rows)
    unsaid = [row for row in rows if row["common"] and not own_sentence(row)]
    broken = [row for row in rows if row["now"].startswith("neither") and not row["sentence"].startswith("neither")]
    for words, some in (("passes now", newly), ("right, but refused", refused),
                        ("common, without a sentence of its own", unsaid), ("an exception", broken)):
        for row in some:
            print(f"\n{words}: {row['exercise']}.{row['item']}, {row['origin']}\n"
                  f"  then: {row['sentence']}\n  now:  {row['now']}\n{row['source'].rstrip()}")
    share = len(newly) / max(1, sum(not row["right"] and not row["passed"] for row in rows))
    print(f"\nOf the wrong answers that were refused {share:.2%} pass now.")
    return int(share > ALLOWED or bool(refused))


if __name__ == "__main__":
    sys.exit(main())
