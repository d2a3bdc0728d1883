"""Does a test notice? Each mutant is one line of the package made wrong; the tests named beside it should fail.

    python tests/mutants.py [-k words] [--jobs 2] [--source FOLDER] [--layout before]

copies the files that git knows from FOLDER (this checkout by default), checks that the tests hold there, then makes one
mutant at a time and runs its tests until the first failure. It prints the survivors and ends with 1 if there are any.
The text to change is looked for in all files of a room and has to be there exactly once, so lines may move.
`--layout before` is for checkouts from before the package had rooms: other folders, and a few lines written otherwise.
"""
from __future__ import annotations

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
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SLOW_TO_IMPORT = ("hypothesis", "IPython", "ipywidgets", "jupytext", "matplotlib.pyplot", "nbclient", "nbval.plugin",
                  "pandas", "scipy.integrate", "scipy.stats", "statsmodels.nonparametric.api", "torch", "torch.optim")
SECONDS = 300                                               # a mutant that runs for ever has been noticed
ROOMS = {"now": {"numbers": ["nwlab/*.py", "nwlab/_engine/*.py"], "checks": ["nwlab/checks/*.py"],
                 "build": ["nwlab/authoring/*.py"]},
         "before": {"numbers": ["nwlab/*.py"], "checks": ["nwlab/exercises/_*.py"], "build": ["nwlab/authoring/*.py"]}}
TESTS = {"now": {"checks": "checks/test_*", "source": "authoring/test_source", "exercises": "authoring/test_exercises",
                 "build": "authoring/test_build", "links": "authoring/test_links", "": "floor/test_{}"},
         "before": {"checks": "test_exercise_c*", "source": "test_authoring_source", "links": "test_links",
                    "exercises": "test_authoring_exercises", "build": "test_authoring_build", "": "test_{}"}}

# Room, the text that is there, what it becomes, the tests that should see it (files without test_, then words for -k).
# A line that was written otherwise before the rooms: both texts, (now, before).
MUTANTS = [
    # pooling
    ("numbers", "mean = restored(xp.mean(v / unit, axis=0), unit, xp)", "mean = xp.mean(v, axis=0)", "extremes"),
    ("numbers", 'if empty == "nearest" or not bool(xp.any(unreached)):', 'if empty == "nearest":', "extremes"),
    ("numbers", "EmptyWindowWarning, stacklevel=3)", "EmptyWindowWarning, stacklevel=2)", "extremes"),
    ("numbers", "(distances(inputs)[0], k,", "(distances(inputs)[0], 1,", "pooling"),
    ("numbers", ("distance if allowed is None else xp.where(allowed, distance, math.inf)",
                 "distance if mask is None else xp.where(mask, distance, math.inf)"), "distance", "extremes"),
    ("numbers", "weights = xp.where(unreached[:, None], nearest, weights)", "weights = nearest", "pooling"),
    ("numbers", "softmax(scores if mask is None else xp.where(mask, scores, -math.inf)", "softmax(scores", "pooling"),
    # kernels
    ("numbers", "return u <= self.support if self.closed else u < self.support", "return u <= self.support", "kernels"),
    ("numbers", "return u <= self.support if self.closed else u < self.support", "return u < self.support", "kernels"),
    ("numbers", "math.sqrt(35 / 243)", "math.sqrt(35 / 240)", "kernels"),
    ("numbers", "lambda u, xp: (1 - u) * (1 + u), 1.0", "lambda u, xp: (1 - u) * (1 - u), 1.0", "kernels"),
    ("numbers", "log_ratio=lambda t, s: -0.5 * t * s)", "log_ratio=lambda t, s: -0.5 * t * t)", "pooling"),
    ("numbers", "log_integrand = (d - 1) * np.log(r)", "log_integrand = d * np.log(r)", "kernels"),
    # widths
    ("numbers", "None], math.inf, residuals", "None], 0.0, residuals", "bandwidth"),
    ("numbers", "return errors / math.prod(inputs.values.shape)", "return errors / inputs.shape[1]", "bandwidth"),
    ("numbers", "inputs.own = 0    ", "inputs.own = None    ", "bandwidth"),
    ("numbers", "np.where(quartiles > 0, quartiles, s))", "quartiles)", "bandwidth"),
    ("numbers", "((4 / (d + 2)) ** (1 / (d + 4))", "((4 / (d + 2)) ** (1 / (d + 3))", "bandwidth"),
    ("numbers", "for count in (80, 17, 17, 17):", "for count in (80,):", "bandwidth"),
    ("numbers", "extents / kernel.std * inputs.unit", "extents * kernel.std * inputs.unit", "bandwidth"),
    ("numbers", "constant = kernel.integral(d)", "constant = kernel.integral(1)", "density"),
    ("numbers", "unit = xp.where(unit > 0, unit, 1.0)", "unit = xp.ones_like(unit)", "local_linear"),
    # how the numbers are made
    ("numbers", "self.own + rows.start)", "self.own)", "blocks -k own_keys"),
    ("numbers", 'self.width[rows, :] if self.kind == "query" else self.width', "self.width", "blocks -k rows_hold"),
    ("numbers", "min(bandwidth, float(limits.max)) / inputs.unit,", "min(bandwidth, float(limits.max)),", "extremes"),
    ("numbers", "float(xp.finfo(like.dtype).max) / factor", "float(xp.finfo(like.dtype).max)", "extremes"),
    ("numbers", " and not isinstance(value, (bool, np.bool_))", "", "bad_inputs"),
    ("numbers", "xp.result_type(*(floats or arrays.values()))", "xp.result_type(*arrays.values())", "shapes"),
    ("numbers", "distance = distance * (smallest / inputs.width)", "distance = distance * 1.0", "shapes"),
    ("numbers", "xp.where(xp.isfinite(nearest), nearest, 0.0)", "nearest", "gradients extremes"),
    ("numbers", "xp.minimum((distance + nearest) / width, largest)", "(distance + nearest) / width", "gradients"),
    ("numbers", "return -700.0 if bits >= 64 else -80.0", "return -7.0", "pooling"),
    ("numbers", "xp.where(empty, 0.0, scores), xp.where(empty, 0.0, highest)", "scores, highest", "extremes"),
    ("numbers", "xp.matmul(xp.where(empty, 0.0, weights), values))", "xp.matmul(weights, values))", "gradients"),
    ("numbers", "xp.sort(distance, axis=1)[:, k - 1:k]", "xp.sort(distance, axis=1)[:, :1]", "pooling gradients"),
    ("numbers", "math.log(2 * n / np.finfo(np.float64).eps)", "math.log(2 * n)", "blocks -k tiles"),
    ("numbers", "farthest < NEAR * h", "farthest < math.inf", "blocks -k tiles"),
    ("numbers", "inputs.mask is None and inputs.own is None", "inputs.mask is None", "blocks -k own_keys"),
    # learned poolings and their training
    ("numbers", "xp.sum(k * k, axis=1, keepdims=True) / 2", "xp.sum(k * k, axis=1, keepdims=True)", "attention"),
    ("numbers", "masked_softmax(scores, inputs.mask)", "masked_softmax(scores)", "attention -k formula"),
    ("numbers", "return torch.log(uniform.clamp(min=1e-8))", "return uniform", "attention -k starts"),
    ("numbers", ("if step < steps:", "if step < epochs:"), "if step > 0:", "training -k 'replayed or old_run'"),
    ("numbers", ("(step % weights_every == 0 or step == steps)", "(step % weights_every == 0 or step == epochs)"),
     "step % weights_every == 0", "training -k replayed"),
    ("numbers", "scale * np.sum(residuals**2)", "scale * np.mean(residuals**2)", "training -k landscape"),
    ("numbers", ("    history.restore(module)\n    return", "    history.restore(module)"), "    return",
     "training -k diverge"),
    # the judge
    ("checks", "atol=slack, equal_nan=True)", "atol=slack, equal_nan=False)", "checks"),
    ("checks", "copy.deepcopy(problem.inputs[name]) for", "problem.inputs[name] for", "checks"),
    ("checks", "except (Exception, SystemExit) as raised:", "except Exception as raised:", "checks"),
    ("checks", 'if not _is_nwlab(frame.f_back) and "<" not in name:', "if False:", "checks"),
    ("checks", ("if all(case.is_like(outcome", "if telling and all(case.is_like(outcome)"),
     "if any(case.is_like(outcome", "checks"),
    ("checks", "if len(right) >= 2 and came == right[::-1]:", "if len(right) >= 3 and came == right[::-1]:", "checks"),
    ("checks", "min(cases, key=lambda case: case.size)", "max(cases, key=lambda case: case.size)", "checks"),
    ("checks", ("if all_are(lambda case: -1.0):", "if np.isclose(first, -1.0, rtol=1e-3):"),
     "if all_are(lambda case: -2.0):", "checks"),
    ("checks", "for name in case.answer.used if name not in item.may_use]", "for name in case.answer.used]", "checks"),
    ("checks", ">= (SIZES[1] - SIZES[0]) / 2 else None", ">= 99999 else None", "checks"),
    ("checks", 'cases[0].error.get("type") == "arguments"', 'cases[0].error.get("type") == "argument"', "checks"),
    # the build
    ("build", 'if before is None or before.kind == "code":', "if before is None:", "source"),
    ("build", '(path, line + text[: match.start()].count("\\n"))', "(path, line)", "source"),
    ("build", 'if found["indent"] != opened["indent"]:', "if False:", "exercises"),
    ("build", "if _LOOKS_LIKE.search(text):", "if False:", "exercises"),
    ("build", "if line.strip() and not line.startswith(region.indent):", "if False:", "exercises"),
    ("build", "if answer in bare:", "if answer == bare:", "exercises"),
    ("build", "TELLING = 16 ", "TELLING = 60 ", "exercises"),
    ("build", "if SOLUTION_ONLY in part.cell.tags:", "if STUDENT_ONLY in part.cell.tags:", "exercises"),
    ("build", 'digest.update(b"\\0" + cell.source.encode())', "pass", "build -k still_true"),
    ("build", "if path.is_file() and path.read_bytes() == data:", "if path.is_file():", "build -k still_true"),
    ("build", "return int(match[1]) if match else 1", "return 1", "build -k names_the_line"),
    ("build", "if parts.fragment and unquote(parts.fragment) not in anchors(path):", "if False:", "links"),
]


def texts(mutant, layout: str) -> tuple[str, str]:
    """What is there and what it becomes."""
    _, old, new, _ = mutant
    return (old if isinstance(old, str) else old[layout == "before"]), new


def place(mutant, folder: Path, layout: str) -> Path:
    """The one file that holds the text; ValueError where none does, or it is there twice."""
    old, _ = texts(mutant, layout)
    paths = [path for pattern in ROOMS[layout][mutant[0]] for path in sorted(folder.glob(pattern))]
    found = [path for path in paths for _ in range(path.read_text(encoding="utf-8").count(old))]
    if len(found) != 1:
        raise ValueError(f"{old!r}: found {len(found)} times in {', '.join(ROOMS[layout][mutant[0]])}, expected once")
    return found[0]


def pytest_arguments(tests: str, folder: Path, layout: str) -> list[str]:
    files, _, words = tests.partition(" -k ")
    paths = []
    for name in files.split():
        pattern = TESTS[layout].get(name, TESTS[layout][""]).format(name)
        paths += [str(path) for path in sorted((folder / "tests").glob(f"{pattern}.py"))]
    return [*paths, "-x", "-q", "-p", "no:cacheprovider", "-p", "nbval.plugin", "--rootdir", str(folder),
            "-c", str(folder / "pyproject.toml"), *(["-k", words.strip("'")] if words else [])]


def run(arguments: list[str], folder: Path, log: Path) -> int | None:
    """pytest in a fork of this process, which has imported what is slow to import; None if it did not end in time."""
    child = os.fork()
    if not child:
        with log.open("w") as file:
            os.dup2(file.fileno(), 1), os.dup2(file.fileno(), 2)
        os.chdir(folder)
        os.environ["PYTHONPATH"] = str(folder)
        sys.path[:] = [str(folder), *(path for path in sys.path[1:] if path != str(ROOT))]
        sys.dont_write_bytecode = True
        import pytest

        os._exit(int(pytest.main(arguments)))
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def work(mine: list[tuple], chosen, survivors) -> None:
    """Some of the mutants, in a copy of the checkout of their own."""
    source, layout, held = chosen.source, chosen.layout, {}
    for name in SLOW_TO_IMPORT:
        importlib.import_module(name)
    import hypothesis

    quick = [phase for phase in hypothesis.Phase if phase.name in ("explicit", "generate")]      # and no shrinking
    hypothesis.settings.register_profile("mutants", derandomize=True, deadline=None, max_examples=40, phases=quick)
    with tempfile.TemporaryDirectory(prefix="nwlab-mutants-") as scratch:
        folder, log = Path(scratch) / "copy", Path(scratch) / "log"
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=source, capture_output=True, text=True, check=True)
        for name in filter(None, listed.stdout.split("\0")):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source / name, folder / name)
        for mutant in mine:
            arguments = pytest_arguments(mutant[3], folder, layout)
            if mutant[3] not in held:
                held[mutant[3]] = chosen.trust or run(arguments, folder, log) == 0
                if not held[mutant[3]]:
                    print(f"{mutant[3]}: these tests fail without a mutant\n{log.read_text()[-2000:]}", flush=True)
            path, (old, new) = place(mutant, folder, layout), texts(mutant, layout)
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace(old, new), encoding="utf-8")
            outcome = run(arguments, folder, log) if held[mutant[3]] else 0
            path.write_text(text, encoding="utf-8")
            told = f"{path.relative_to(folder)}: {old}  ->  {new}   [{mutant[3]}]"
            words = {0: "SURVIVED", 1: "killed", None: "killed, after a timeout"}
            print(words.get(outcome, f"pytest ended with {outcome}"), told, sep="   ", flush=True)
            if outcome not in (1, None):
                survivors.append(told)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("-k", default="", help="only the mutants in whose texts or tests one of these words stands")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--source", type=Path, default=ROOT, help="the checkout to mutate; it is copied, never changed")
    parser.add_argument("--trust", action="store_true", help="do not check first that the tests hold without a mutant")
    parser.add_argument("--layout", choices=list(ROOMS), default="now")
    chosen = parser.parse_args()
    words = chosen.k.split()
    mutants = [mutant for mutant in MUTANTS if not words or any(word in repr(mutant) for word in words)]
    for mutant in mutants:
        place(mutant, chosen.source, chosen.layout)
    os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    os.environ |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "HYPOTHESIS_PROFILE": "mutants", "MPLBACKEND": "agg"}
    survivors = multiprocessing.Manager().list()
    workers = [multiprocessing.Process(target=work, args=(mutants[i::chosen.jobs], chosen, survivors))
               for i in range(chosen.jobs)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    print(f"{len(mutants) - len(survivors)} of {len(mutants)} mutants killed")
    raise SystemExit("\n".join(["survivors:", *survivors]) if survivors else 0)


if __name__ == "__main__":
    main()
