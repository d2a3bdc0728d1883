"""The quick ways hold to the definition, in bounded memory."""
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nwlab
from nwlab._engine import blocks as engine


@given(m=st.integers(0, 20), n=st.integers(1, 20), d=st.integers(1, 3), name=st.sampled_from(list(nwlab.KERNELS)),
       kind=st.sampled_from([(), (1,), "feature", "query", "key"]), seed=st.integers(0, 999),
       masked=st.booleans(), block=st.sampled_from([1, 900, 5000]))
def test_rows_hold_to_the_definition(m, n, d, name, kind, seed, masked, block):
    rng = np.random.default_rng(seed)
    queries, keys, values = rng.normal(size=(m, d)), rng.normal(size=(n, d)), rng.normal(size=n)
    h = rng.uniform(0.5, 2, {"feature": (d,), "query": (m, 1), "key": (1, n)}.get(kind, kind))
    mask = rng.random((m, n)) < 0.8 if masked else None
    if masked:
        mask[:, 0] = True
    calls = [
        lambda: nwlab.nadaraya_watson(queries, keys, values, kernel=name, bandwidth=h, mask=mask, empty="nearest"),
        lambda: nwlab.nearest_pooling(queries, keys, values, k=min(3, n)),
        lambda: nwlab.local_linear(queries, keys, values, kernel=name, bandwidth=h, empty="nearest"),
        lambda: nwlab.parzen_density(queries, keys, kernel="biweight", bandwidth=h),
    ]
    if n > 1:
        calls += [lambda: nwlab.nadaraya_watson(keys, keys, values, kernel=name, bandwidth=1.0, leave_one_out=True,
                                                empty="nearest"),
                  lambda: nwlab.loo_error(keys, values, bandwidths=[0.5, 5.0], kernel=name)]
    whole = [call() for call in calls]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "BLOCK_BYTES", block)
        for call, expected in zip(calls, whole, strict=True):
            np.testing.assert_allclose(call(), expected, rtol=1e-9, atol=1e-9)


def test_memory_stays_bounded():
    """In a process of its own, whose peak can only grow; the last estimate, a whole matrix, shows that it is seen."""
    pytest.importorskip("resource")
    script = """
        import numpy as np, nwlab
        from memory import peak_memory

        def megabytes(estimate, m, n, **how):
            rng = np.random.default_rng(0)
            keys, values = rng.uniform(0, 5, n), rng.normal(size=n)
            queries = keys if how.get("leave_one_out") else rng.uniform(0, 5, m)
            answer = estimate(queries, keys, values, **how)
            assert answer.shape == queries.shape and np.isfinite(answer).all()
            return (peak_memory() - before) / 1e6

        nwlab.nadaraya_watson(np.arange(50.0), np.arange(50.0), np.arange(50.0))
        before, average = peak_memory(), nwlab.nadaraya_watson
        print(megabytes(average, 5_000, 5_000, bandwidth=0.05),                          # tiles; the whole would be 200
              megabytes(average, 2_500, 2_500, bandwidth=0.2, leave_one_out=True),       # rows; 50 MB an array
              megabytes(average, 60, 100_000, kernel="epanechnikov", bandwidth=0.2),     # rows; 48
              megabytes(average, 60, 100_000, bandwidth=np.full((1, 100_000), 0.2)),
              megabytes(average, 1_000, 100_000, bandwidth=0.05),                        # tiles; 800
              megabytes(average, 1_000, 100_000, bandwidth=1e-7),                        # most queries far from any key
              megabytes(lambda q, k, v: nwlab.attention_weights(q, k) @ v, 1_000, 6_000))
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True,
                          cwd=Path(__file__).parents[1])
    assert done.returncode == 0, done.stderr
    *bounded, whole = map(float, done.stdout.split())
    assert bounded[0] < 50 and max(bounded) < 100 and whole > 160, done.stdout
