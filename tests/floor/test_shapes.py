"""Shapes, dtypes and libraries: what goes in and what comes out."""
import numpy as np
import pytest
import torch

import nwlab


@pytest.mark.parametrize(("queries", "m"), [(2.0, 1), (np.float32(2), 1), ([], 0), ([1, 2], 2), (np.ones((3, 1)), 3)])
def test_shapes_follow_the_inputs(queries, m):
    column = np.arange(6.0)[:, None]
    for keys in (np.arange(6), column, list(range(6)), tuple(range(6))):
        assert nwlab.nadaraya_watson(queries, keys, np.arange(6)).shape == (m,)
        assert nwlab.nadaraya_watson(queries, keys, np.ones((6, 3))).shape == (m, 3)
        assert nwlab.nadaraya_watson(queries, keys, column).shape == (m, 1)
        assert nwlab.attention_weights(queries, keys).shape == nwlab.attention_scores(queries, keys).shape == (m, 6)
        assert nwlab.nearest_pooling(queries, keys, column, k=2).shape == (m, 1)
        assert nwlab.effective_keys(nwlab.attention_weights(queries, keys)).shape == (m,)
    assert nwlab.average_pooling(queries, column).shape == (m, 1)
    assert nwlab.average_pooling(queries, np.arange(6)).shape == (m,)


@pytest.mark.parametrize("library", [np, torch])
def test_one_array_of_floats_decides_the_dtype_and_a_width_takes_that_of_the_inputs(library):
    single, double = (library.asarray([1.0, 2.0], dtype=dtype) for dtype in (library.float32, library.float64))
    whole = library.asarray([0, 1], dtype=library.int64)
    for q, v, h in ((single, [1.0, 2.0], np.float64(0.3)), (single, single, double[:, None]), (single, double, 1.0),
                    (single, single, np.full((2, 1), 0.3))):
        answer = nwlab.nadaraya_watson(q, whole, v, bandwidth=h)
        assert type(answer) is type(q) and answer.dtype == (library.float64 if v is double else library.float32)


def test_lists_integers_and_tables_go_along():
    pandas = pytest.importorskip("pandas")
    queries, expected = [0.5, 1.5], nwlab.nadaraya_watson([0.5, 1.5], [0.0, 1.0, 2.0], [1.0, 2.0, 4.0])
    table = pandas.DataFrame({"x": [0, 1, 2], "y": [1.0, 2.0, 4.0]}, index=[7, 8, 9])
    for given in ((queries, table["x"], table["y"]), (queries, table[["x"]], table[["y"]]),
                  (np.array(queries), np.arange(3, dtype=np.uint8), np.array([1, 2, 4], np.int8)),
                  (torch.tensor(queries), table["x"], [1, 2, 4])):
        np.testing.assert_allclose(np.ravel(nwlab.nadaraya_watson(*given)), expected, rtol=1e-6)


def test_inputs_are_not_changed_and_an_answer_is_an_array_of_its_own():
    given = np.array([3.0, 1.0]), np.array([2.0, 0.0, 1.0]), np.array([1.0, 2.0, 3.0]), np.full((2, 1), 1e-320)
    copies, (q, k, v, h) = [x.copy() for x in given], given
    for answer in (nwlab.nadaraya_watson(q, k, v, bandwidth=h), nwlab.local_linear(q, k, v),
                   nwlab.average_pooling(q, v)):
        answer[:] = 5
    for x, copy in zip(given, copies, strict=True):
        np.testing.assert_array_equal(x, copy)
