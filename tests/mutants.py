"""Does a test notice? Each mutant of mutants.toml is one line of the package made wrong; its tests should fail.

    python tests/mutants.py [-k words] [--jobs 2]

copies the files that git knows, checks that the tests hold there, then makes one mutant at a time and runs its tests
until the first failure. It prints the survivors and ends with 1 if there are any.
"""
import argparse
import importlib
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SLOW_TO_IMPORT = ("hypothesis", "IPython", "ipywidgets", "jupytext", "matplotlib.pyplot", "nbclient", "nbval.plugin",
                  "pandas", "pytest", "scipy.integrate", "scipy.stats", "statsmodels.nonparametric.api", "torch.optim")
SECONDS = 300                                               # a mutant that runs for ever has been noticed
ENVIRONMENT = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1") | {
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "HYPOTHESIS_PROFILE": "mutants", "MPLBACKEND": "agg"}


def prepare(scratch: str) -> None:
    """What a process that tries mutants does first: import what is slow to import, and copy the checkout."""
    global FOLDER
    for name in SLOW_TO_IMPORT:
        importlib.import_module(name)
    import hypothesis

    quick = [phase for phase in hypothesis.Phase if phase.name in ("explicit", "generate")]      # and no shrinking
    hypothesis.settings.register_profile("mutants", derandomize=True, deadline=None, max_examples=40, phases=quick)
    FOLDER = Path(scratch) / str(os.getpid())
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        (FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, FOLDER / name)


def run(tests: str) -> tuple[int | None, str]:
    """pytest in a fork of this process: its exit code, None if it did not end in time, and what it said last."""
    files, _, words = tests.partition(" -k ")
    log = FOLDER / "log"
    child = os.fork()
    if not child:
        with log.open("w") as file:
            os.dup2(file.fileno(), 1), os.dup2(file.fileno(), 2)
        os.chdir(FOLDER)
        os.environ["PYTHONPATH"] = str(FOLDER)
        sys.path[:] = [str(FOLDER), *(path for path in sys.path[1:] if path != str(ROOT))]
        sys.dont_write_bytecode = True
        import pytest

        paths = [f"tests/{name}" for name in files.split()]
        os._exit(int(pytest.main([*paths, "-k", words, "-xq", "-p", "no:cacheprovider", "-p", "nbval.plugin"])))
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status), log.read_text()[-2000:]
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None, ""


run_unchanged = cache(run)


def outcome(mutant: dict[str, str]) -> tuple[bool, str]:
    """Whether the tests notice the mutant, and a line that says so."""
    code, said = run_unchanged(mutant["tests"])
    if code != 0:
        return False, f"{mutant['tests']}: these tests fail without a mutant\n{said}"
    path = FOLDER / mutant["file"]
    text = path.read_text(encoding="utf-8")
    if (count := text.count(mutant["before"])) != 1:
        return False, f"{mutant['file']}: found {count} times, expected once: {mutant['before']!r}"
    path.write_text(text.replace(mutant["before"], mutant["after"]), encoding="utf-8")
    code, said = run(mutant["tests"])
    path.write_text(text, encoding="utf-8")
    words = {0: "SURVIVED", 1: "killed", None: "killed, after a timeout"}.get(code, f"pytest ended with {code}")
    return code in (1, None), "{}   {file}: {before}  ->  {after}   [{tests}]".format(words, **mutant)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("-k", default="", help="only the mutants in whose table one of these words stands")
    parser.add_argument("--jobs", type=int, default=1)
    chosen = parser.parse_args()
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    mutants = [mutant for file, groups in table.items() for tests, lines in groups.items() for before, after in lines
               if any(word in repr(mutant := {"file": file, "before": before, "after": after, "tests": tests})
                      for word in chosen.k.split() or [""])]
    os.environ |= ENVIRONMENT
    survivors = []
    with tempfile.TemporaryDirectory(prefix="wb-mutants-") as scratch, \
            multiprocessing.Pool(chosen.jobs, prepare, (scratch,)) as pool:
        for killed, told in pool.imap(outcome, mutants):
            print(told, flush=True)
            survivors += [] if killed else [told]
    print(f"{len(mutants) - len(survivors)} of {len(mutants)} mutants killed")
    raise SystemExit("\n".join(["survivors:", *survivors]) if survivors else 0)


if __name__ == "__main__":
    main()
