"""How fast is the estimator? Ratios measured side by side in one run, on one thread. (tests/floor tests the memory.)

    python tests/benchmarks/estimator.py [10000]            the largest number of keys, by default a million

Against the formula as a textbook writes it (as D2L's chapter on attention pooling does), statsmodels and PyTorch. The
methods take turns and the best of several rounds counts, so that other work on the machine slows all of them. Answers
are compared up to 10,000 keys.
"""
import math
import os
import sys
import time
import warnings
from collections.abc import Callable
from functools import partial

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np  # noqa: E402  (the number of threads is read when NumPy is imported)
from matplotlib.ticker import EngFormatter  # noqa: E402

import nwlab  # noqa: E402

in_units = EngFormatter("s", places=1)
SIZES = (50, 1_000, 10_000, 100_000, 1_000_000)
WIDTHS = (0.01, 0.1, 1.0)
ROUNDS = 7
SLOW = 1.0          # a call of more seconds than this is made once
PATIENCE = 30.0     # seconds; what should take longer, by what the size before took, is left out
PAIRS = 2.5e8       # what makes all pairs at once stops here: 10,000 by 10,000 are 800 MB an array


def textbook(queries, keys, values, h):
    """The formula as it is written, with every matrix whole."""
    def call():
        weights = np.exp(-0.5 * ((queries[:, None] - keys[None, :]) / h) ** 2)      # (m, n)
        return (weights / weights.sum(axis=1, keepdims=True)) @ values
    return call


def statsmodels(queries, keys, values, h):
    from statsmodels.nonparametric.kernel_regression import KernelReg

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)                              # about its random numbers
        regression = KernelReg(values, keys, "c", reg_type="lc", bw=[h])
    return lambda: regression.fit(queries)[0]


def attention(queries, keys, values, h):
    """torch's scaled_dot_product_attention of [q, 1] and [k / h^2, -k^2 / (2 h^2)], keys centred.

    Values of width 1 would leave its quick path, so a column of zeros goes with them.
    """
    import torch

    torch.set_num_threads(1)
    q, k = queries - keys.mean(), keys - keys.mean()
    arrays = (np.stack([q, np.ones_like(q)], 1), np.stack([k / h**2, -k**2 / (2 * h**2)], 1),
              np.stack([values, np.zeros_like(values)], 1))
    query, key, value = (torch.from_numpy(x)[None, None] for x in arrays)           # (1, 1, n, 2)
    return lambda: torch.nn.functional.scaled_dot_product_attention(query, key, value, scale=1.0)[0, 0, :, 0].numpy()


METHODS: dict[str, Callable] = {
    "nwlab": lambda q, k, v, h: partial(nwlab.nadaraya_watson, q, k, v, bandwidth=h),
    "definition": lambda q, k, v, h: partial(nwlab.nadaraya_watson, q, k, v, bandwidth=h, method="dense"),
    "textbook": textbook, "statsmodels": statsmodels, "attention": attention}


def best_in_turns(calls: dict[str, Callable]) -> dict[str, float]:
    """Least processor seconds of each, the calls interleaved; one that is slow is called once."""
    seconds = dict.fromkeys(calls, math.inf)
    for _ in range(ROUNDS):
        for name, call in calls.items():
            if SLOW < seconds[name] < math.inf:
                continue
            repeats = 1 if seconds[name] > 1e-3 else 50
            for _ in range(repeats):
                start = time.process_time()
                call()
                seconds[name] = min(seconds[name], time.process_time() - start)
    return seconds


def speed(largest: int = SIZES[-1]) -> None:
    """A table of seconds by n, width and method."""
    print("\nseconds an estimate, times nwlab's; Gaussian on [0, 5]; err: of nwlab against the definition\n")
    print(f"{'n = m':>9} {'h':>5} {'err':>8}" + "".join(f"{name:>20}" for name in METHODS))
    for h in WIDTHS:
        seconds, before = dict.fromkeys(METHODS, 0.0), 1
        for n in (n for n in SIZES if n <= largest):
            data = nwlab.make_regression(n=n)
            points = np.linspace(0, 5, n), data.keys, data.values
            calls = {name: prepare(*points, h) for name, prepare in METHODS.items() if name == "nwlab" or (
                seconds.get(name, math.inf) * (n / before) ** 2 < PATIENCE and (name != "textbook" or n * n < PAIRS))}
            answers = {name: call() for name, call in calls.items() if n <= 10_000}
            for name, answer in answers.items():
                np.testing.assert_allclose(answer, answers["nwlab"], rtol=1e-5, atol=1e-7, err_msg=name)
            err = np.max(np.abs(answers["nwlab"] - answers["definition"])) if "definition" in answers else math.nan
            seconds, before = best_in_turns(calls), n
            cells = [f"{in_units(seconds[name])} {seconds[name] / seconds['nwlab']:7.1f} x" if name in seconds else "-"
                     for name in METHODS]
            print(f"{n:>9,} {h:>5} {err:>8.0e}" + "".join(f"{cell:>20}" for cell in cells), flush=True)


if __name__ == "__main__":
    speed(*map(int, sys.argv[1:]))
