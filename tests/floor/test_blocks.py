"""The same answers in blocks, in bounded memory."""
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nwlab
from nwlab._engine import blocks as engine
from workbook.checks.quiet import memory


@given(m=st.integers(0, 20), n=st.integers(1, 20), d=st.integers(1, 3), name=st.sampled_from(list(nwlab.KERNELS)),
       kind=st.sampled_from([(), (1,), "feature", "query", "key"]), seed=st.integers(0, 999),
       masked=st.booleans(), block=st.sampled_from([1, 900, 5000]))
def test_blocks_agree_with_the_whole(m, n, d, name, kind, seed, masked, block):
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


@pytest.mark.parametrize(("m", "n", "how"), [
    (5_000, 5_000, {"bandwidth": 0.05}),                                        # tiles; the whole would be 200 MB
    (2_500, 2_500, {"bandwidth": 0.2, "leave_one_out": True}),                  # rows; 50
    (60, 100_000, {"kernel": "epanechnikov", "bandwidth": 0.2}),                # rows; 48
    (60, 100_000, {"bandwidth": np.full((1, 100_000), 0.2)}),
    (1_000, 100_000, {"bandwidth": 0.05}),                                      # tiles; 800
    (1_000, 100_000, {"bandwidth": 1e-7}),                                      # most queries far from any key
])
def test_memory_stays_bounded(m, n, how):
    rng, held = np.random.default_rng(0), []
    keys, values = rng.uniform(0, 5, n), rng.normal(size=n)
    queries = keys if "leave_one_out" in how else rng.uniform(0, 5, m)
    with memory(held):
        answer = nwlab.nadaraya_watson(queries, keys, values, **how)
    assert answer.shape == queries.shape and np.isfinite(answer).all()
    assert held[0] < 20e6
