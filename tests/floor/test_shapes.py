"""Widths of every kind, shapes, dtypes and libraries: what goes in and what comes out."""
import math

import numpy as np
import pytest
import torch

import nwlab

DATA = nwlab.make_regression()


def test_each_kind_of_width_against_a_loop():
    rng = np.random.default_rng(1)
    queries, keys = rng.normal(size=(4, 2)), rng.normal(size=(5, 2))
    for shape in ((), (1,), (1, 1), (2,), (4, 1), (1, 5)):
        h = rng.uniform(0.5, 2.0, shape)
        full = np.broadcast_to(h if shape != (2,) else h[None, None, :], (4, 5, 2) if shape == (2,) else (4, 5))
        u = [[math.hypot(*((q - k) / full[i, j])) for j, k in enumerate(keys)] for i, q in enumerate(queries)]
        raw = np.exp(-0.5 * np.square(u))
        np.testing.assert_allclose(nwlab.attention_weights(queries, keys, bandwidth=h),
                                   raw / raw.sum(axis=1, keepdims=True), rtol=1e-10)
        np.testing.assert_allclose(nwlab.attention_scores(queries, keys, bandwidth=h), -0.5 * np.square(u), rtol=1e-12)


def test_shapes_follow_the_inputs():
    column = np.arange(6.0)[:, None]
    for queries, m in ((2.0, 1), (np.float32(2), 1), ([], 0), ([1, 2], 2), (np.ones((3, 1)), 3)):
        for keys in (np.arange(6), column, list(range(6)), tuple(range(6))):
            assert nwlab.nadaraya_watson(queries, keys, np.arange(6)).shape == (m,)
            assert nwlab.nadaraya_watson(queries, keys, np.ones((6, 3))).shape == (m, 3)
            assert nwlab.nadaraya_watson(queries, keys, column).shape == (m, 1)
            assert nwlab.attention_weights(queries, keys).shape == nwlab.attention_scores(queries, keys).shape == (m, 6)
            assert nwlab.nearest_pooling(queries, keys, column, 2).shape == (m, 1)
            assert nwlab.effective_keys(nwlab.attention_weights(queries, keys)).shape == (m,)
        assert nwlab.average_pooling(queries, column).shape == (m, 1)
        assert nwlab.average_pooling(queries, np.arange(6)).shape == (m,)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("library", [np, torch])
def test_dtype_and_library_stay(library, dtype):
    dtype = getattr(library, dtype)
    q, k, v = (library.asarray(x, dtype=dtype) for x in (DATA.queries, DATA.keys, DATA.values))
    wide = library.asarray([[0.5]] * 50, dtype=library.float64)              # a width takes the inputs' dtype
    for answer in (nwlab.nadaraya_watson(q, k, v, bandwidth=wide), nwlab.attention_weights(q, k, bandwidth=wide),
                   nwlab.attention_scores(q, k, bandwidth=wide), nwlab.local_linear(q, k, v, bandwidth=wide),
                   nwlab.nearest_pooling(q, k, v, 3), nwlab.average_pooling(q, v), nwlab.parzen_density(q, k),
                   nwlab.loo_error(k, v, [0.1, 0.5]), nwlab.effective_keys(nwlab.attention_weights(q, k)),
                   nwlab.neighbour_bandwidth(q, k, 3), nwlab.adaptive_bandwidth(k, 0.5)):
        assert type(answer) is type(q) and answer.dtype == dtype


def test_lists_integers_and_tables_go_along():
    pandas = pytest.importorskip("pandas")
    expected = nwlab.nadaraya_watson([0.5, 1.5], [0.0, 1.0, 2.0], [1.0, 2.0, 4.0])
    table = pandas.DataFrame({"x": [0, 1, 2], "y": [1.0, 2.0, 4.0]}, index=[7, 8, 9])
    np.testing.assert_array_equal(nwlab.nadaraya_watson([0.5, 1.5], table["x"], table["y"]), expected)
    np.testing.assert_array_equal(nwlab.nadaraya_watson([0.5, 1.5], table[["x"]], table[["y"]])[:, 0], expected)
    np.testing.assert_array_equal(nwlab.nadaraya_watson(np.array([0.5, 1.5]), np.arange(3, dtype=np.uint8),
                                                        np.array([1, 2, 4], np.int8)), expected)
    tensors = nwlab.nadaraya_watson(torch.tensor([0.5, 1.5]), table["x"], [1, 2, 4])
    assert tensors.dtype == torch.float32
    np.testing.assert_allclose(tensors, expected, rtol=1e-6)


def test_an_array_of_floats_decides_the_dtype_and_the_rest_goes_along():
    for library in (np, torch):
        single, whole = library.asarray([0.5], dtype=library.float32), library.asarray([0, 1], dtype=library.int64)
        assert nwlab.nadaraya_watson(single, whole, [1.0, 2.0], bandwidth=np.float64(0.3)).dtype == library.float32
        double = library.asarray([1.0, 2.0], dtype=library.float64)
        assert nwlab.nadaraya_watson(single, whole, double).dtype == library.float64


def test_an_answer_is_an_array_of_its_own():
    values = np.ones(3)
    nwlab.average_pooling([0.0, 1.0], values)[:] = 5
    nwlab.nadaraya_watson([0.0], [0.0, 1.0, 2.0], values)[:] = 5
    assert values.tolist() == [1, 1, 1]


def test_inputs_are_not_changed():
    q, k, v, h = np.array([3.0, 1.0]), np.array([2.0, 0.0, 1.0]), np.array([1.0, 2.0, 3.0]), np.full((2, 1), 1e-320)
    copies = [x.copy() for x in (q, k, v, h)]
    nwlab.nadaraya_watson(q, k, v, bandwidth=h)
    nwlab.local_linear(q, k, v, bandwidth=1.0)
    for x, copy in zip((q, k, v, h), copies, strict=True):
        np.testing.assert_array_equal(x, copy)


def test_effective_keys_of_needle_mean_and_empty_window():
    np.testing.assert_allclose(nwlab.effective_keys([[1.0, 0.0], [0.5, 0.5], [math.nan, math.nan]]), [1, 2, math.nan])
