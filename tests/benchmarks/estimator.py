"""How quick is the estimator? Ratios measured side by side in one run, on one thread.

    python tests/benchmarks/estimator.py

Each line is a median over repetitions in which the methods take turns, so that a machine which slows down slows all of
them down. Every method's answer is compared with the others' before any clock runs.
"""
import os
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np  # noqa: E402  (the number of threads is read when NumPy is imported)

import nwlab  # noqa: E402

SIZES = (50, 1_000, 10_000)
WIDTHS = ("silverman", 0.25, 1.0)
REPETITIONS = {50: 201, 1_000: 15, 10_000: 5}
SLOW = 1.0          # a method that takes more seconds than this is run once a line
METHODS = ("nwlab", "textbook", "statsmodels", "torch")


def sample(n: int):
    """n queries, n keys, n values."""
    data = nwlab.make_regression(n=n)
    return np.linspace(0, 5, n), data.keys, data.values


def method(name: str, queries, keys, values, h: float) -> Callable[[], np.ndarray]:
    """The estimate (m,) as a function without arguments; what can be prepared is prepared outside of it."""
    if name == "nwlab":
        return lambda: nwlab.nadaraya_watson(queries, keys, values, bandwidth=h)
    if name == "textbook":
        return lambda: textbook(queries, keys, values, h)
    if name == "statsmodels":
        from statsmodels.nonparametric.kernel_regression import KernelReg

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)                          # about its random numbers
            regression = KernelReg(values, keys, "c", reg_type="lc", bw=[h])
        return lambda: regression.fit(queries)[0]
    return attention(queries, keys, values, h)


def textbook(queries, keys, values, h):
    """The formula as it is written, with every matrix whole."""
    weights = np.exp(-0.5 * ((queries[:, None] - keys[None, :]) / h) ** 2)          # (m, n)
    return (weights / weights.sum(axis=1, keepdims=True)) @ values


def attention(queries, keys, values, h):
    """scaled_dot_product_attention of [q, 1] and [k / h^2, -k^2 / (2 h^2)], keys centred.

    Values of width 1 would leave its quick path, so a column of zeros goes with them.
    """
    import torch

    torch.set_num_threads(1)
    q, k = queries - keys.mean(), keys - keys.mean()
    arrays = (np.stack([q, np.ones_like(q)], 1), np.stack([k / h**2, -k**2 / (2 * h**2)], 1),
              np.stack([values, np.zeros_like(values)], 1))
    query, key, value = (torch.from_numpy(x)[None, None] for x in arrays)           # (1, 1, n, 2)
    return lambda: torch.nn.functional.scaled_dot_product_attention(query, key, value, scale=1.0)[0, 0, :, 0].numpy()


def take_turns(calls: dict[str, Callable], repetitions: int) -> dict[str, float]:
    """Median seconds of each, the calls interleaved."""
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(repetitions):
        for name, call in calls.items():
            if seconds[name] and seconds[name][0] > SLOW:
                continue
            start = time.perf_counter()
            call()
            seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(times) for name, times in seconds.items()}


def speed() -> None:
    print("seconds an estimate, and how many times nwlab's that is\n")
    print(f"{'n = m':>7} {'width':>6}" + "".join(f"{name:>22}" for name in METHODS))
    for n in SIZES:
        queries, keys, values = sample(n)
        for width in WIDTHS:
            h = nwlab.select_bandwidth(keys, rule=width) if isinstance(width, str) else width
            calls = {name: method(name, queries, keys, values, h) for name in METHODS}
            for name in METHODS if n < max(SIZES) else ("textbook", "torch"):       # statsmodels takes seconds there
                np.testing.assert_allclose(calls[name](), calls["nwlab"](), rtol=1e-6, atol=1e-8, err_msg=name)
            seconds = take_turns(calls, REPETITIONS[n])
            cells = [f"{in_units(seconds[name])} {seconds[name] / seconds['nwlab']:8.2f} x" for name in METHODS]
            print(f"{n:>7,} {h:>6.3f}" + "".join(f"{cell:>22}" for cell in cells), flush=True)


def in_units(seconds: float) -> str:
    for factor, unit in ((1, "s "), (1e3, "ms"), (1e6, "µs")):
        if seconds * factor >= 1:
            break
    return f"{seconds * factor:.3g} {unit}"


PEAK = """
import sys
sys.path[:0] = {folders!r}
import estimator
from memory import peak_memory
call = estimator.method({name!r}, *estimator.sample({n}), 0.25)
estimator.method({name!r}, *estimator.sample(50), 0.25)()
before = peak_memory()
call()
print((peak_memory() - before) / 1e6)
"""


def memory(n: int = max(SIZES)) -> None:
    print(f"\npeak memory beyond the inputs, {n:,} queries and keys, width 0.25, each in a process of its own\n")
    here = Path(__file__).resolve().parent
    for name in METHODS:
        peak = run(PEAK.format(folders=[str(here), str(here.parent)], name=name, n=n))
        print(f"{name:>14} {float(peak):>8.0f} MB", flush=True)


def imports(repetitions: int = 25) -> None:
    code = "import time; start = time.perf_counter(); import {}; print(time.perf_counter() - start)"
    rounds = [[float(run(code.format(name))) for name in ("numpy", "nwlab")] for _ in range(repetitions + 1)]
    numpy, ours = map(statistics.median, zip(*rounds[1:]))                          # the first may have had to compile
    print(f"\nimport numpy {in_units(numpy)}, import nwlab {in_units(ours)}: {ours / numpy:.2f} x")


def run(code: str) -> str:
    """What a Python of its own prints when it runs the code."""
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout


def main() -> None:
    speed()
    if sys.platform != "win32":                                                     # the resource module is not there
        memory()
    imports()


if __name__ == "__main__":
    main()
