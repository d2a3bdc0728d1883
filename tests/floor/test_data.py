"""The samples: what they contain, that a seed fixes them, and what a reader's own data may look like."""
import csv
import io
import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import nwlab


def test_the_default_is_the_sample_of_the_old_edition():
    data = nwlab.make_regression()
    assert data.keys.shape == data.values.shape == (50,)
    assert np.all(np.diff(data.keys) >= 0) and 0 <= data.keys[0] and data.keys[-1] < 5
    np.testing.assert_allclose(data.queries, [i / 10 for i in range(50)], rtol=0, atol=1e-12)
    np.testing.assert_allclose(data.targets, [2 * math.sin(x) + x**0.8 for x in data.queries])
    assert data.truth(2.0) == pytest.approx(2 * math.sin(2) + 2**0.8)


def test_other_truths_which_may_start_below_zero_and_values_without_noise():
    data = nwlab.make_regression(n=40, truth="linear", low=-2.0, high=3.0)
    assert len(data.keys) == 40 and data.keys[0] >= -2
    np.testing.assert_allclose(data.targets, 2 * np.sin(data.queries) + data.queries)
    data = nwlab.make_regression(noise=0.0, truth=np.cos)
    np.testing.assert_array_equal(data.values, np.cos(data.keys))


def test_noise_is_normal_and_a_seed_fixes_the_sample_which_noise_only_stretches():
    data, again, louder = (nwlab.make_regression(n=20_000, noise=noise, seed=3) for noise in (0.5, 0.5, 1.0))
    residuals = data.values - data.truth(data.keys)
    assert abs(residuals.mean()) < 4 * 0.5 / math.sqrt(20_000) and residuals.std() == pytest.approx(0.5, rel=0.02)
    np.testing.assert_array_equal(data.values, again.values)
    np.testing.assert_allclose(louder.values - data.truth(data.keys), 2 * residuals)


@pytest.mark.parametrize(("low", "high", "count"), [(0, 5, 50), (0, 0.3, 3), (0, 0.05, 1), (1, 2, 10), (0.7, 1.0, 3)])
def test_queries_are_a_tenth_apart_and_below_high(low, high, count):
    queries = nwlab.make_regression(low=low, high=high).queries
    assert len(queries) == count and queries[0] == low and queries[-1] < high


def test_engel_is_the_data_set_that_statsmodels_carries():
    engel = pytest.importorskip("statsmodels.datasets.engel").load_pandas().data.sort_values("income", kind="stable")
    data = nwlab.load_engel()
    np.testing.assert_allclose(data.keys, engel["income"], rtol=0, atol=1e-4)
    np.testing.assert_allclose(np.sort(data.values), np.sort(engel["foodexp"]), rtol=0, atol=1e-4)
    assert data.keys.shape == (235,) and data.truth is None and np.all(np.isnan(data.targets))
    assert "235" in repr(data) and "nan" not in repr(data)


def test_a_readers_own_arrays():
    data = nwlab.from_arrays([3.5, 1], [2, -100], queries=6)
    assert data.queries.tolist() == [1, 1.5, 2, 2.5, 3, 3.5]
    data = nwlab.from_arrays([3, 1, 2], [30, 10, 20], queries=3)                    # sorted together
    assert data.keys.tolist() == data.queries.tolist() == [1, 2, 3] and data.values.tolist() == [10, 20, 30]


@given(pairs=st.lists(st.tuples(*[st.floats(-1e9, 1e9)] * 2), min_size=1, max_size=5, unique_by=lambda pair: pair[0]),
       end=st.sampled_from(["\n", "\r\n", "\r"]), quoting=st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
       others=st.lists(st.sampled_from(["", "note", "a,b", 'a "b"', "two\nlines", "价格 $ 😀"]), max_size=3),
       start=st.sampled_from(["", "\ufeff", "\n", ",,,\n"]), blank=st.sampled_from(["", " "]))
@example(pairs=[(1.0, 2.0)], end="\r", quoting=csv.QUOTE_MINIMAL, others=["two\nlines"], start="", blank="")
def test_a_csv_of_any_dialect_with_commas_is_read(tmp_path_factory, pairs, end, quoting, others, start, blank):
    """Excel's empty rows and columns, quoted cells, other columns, line ends of three systems, a byte order mark."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, quoting=quoting, lineterminator=end)
    for first, *cells in (("key", *others, "value"), *((x, *others, y) for x, y in pairs)):
        cells = [str(cell).replace("\n", end) for cell in cells]            # Python 3.11 quotes no other line end
        writer.writerow([f"{blank}{first}", *cells, ""])
        writer.writerow([blank] * 3)
    path = tmp_path_factory.mktemp("csv") / "own.csv"
    path.write_bytes((start + text.getvalue()).encode())
    data = nwlab.read_csv(str(path), "key", "value")
    assert [*zip(data.keys, data.values)] == sorted(pairs) and data.value_name == "value"


@pytest.mark.parametrize(("text", "message"), [
    ("Größe,y\n1,2\n".encode("latin-1"), r"own.csv: got byte 0x\w\w, which is not UTF-8 text, expected a file that is"),
    ("x,y\n1,nan\n", r"own.csv, line 2, column y: got 'nan', expected a number"),
    ("x;y\n1;2\n", r"key: got 'x', expected a column of own.csv: x;y; its cells are separated by ';', save it again"),
    ("name, X ,y\n", r"key: got 'x', expected a column of own.csv: name, X, y"),
    ("x,y\n", r"own.csv: got a header and no rows, expected at least one"),
    ("", "own.csv: got an empty file, expected a line with names"),
    (",\n,,\n", "own.csv: got an empty file, expected a line with names"),
    ("x,y, x\n1,2,3\n", r"key: got 'x', the name of 2 columns of own.csv, expected one"),
    ("x,y\n1,2\n60,150,000\n", r"own.csv, line 3: got 3 cells, expected 2 as in the first line; a number with commas"),
    ("x,y\n1,2\n3\n", r"own.csv, line 3, column y: got '', expected a number"),
    ('x,y\n1,2\n"3,5",2\n', r"own.csv, line 3, column x: got '3,5', expected a number with a point, 3.5 and not 3,5"),
    ("x,y\n1_0,2\n", r"own.csv, line 2, column x: got '1_0', expected a number"),
    ("x,y\n\x001,2\n", r"own.csv, line 2, column x: got '\\x001', expected a number"),
    ('x,y\n"a\nb",2\n', r"own.csv, line 3, column x: got 'a\\nb', expected a number"),
    pytest.param(f'x,y\n1,2\n{"3" * 200_000},1\n', r"line 3: got what is no row of a CSV .*field larger", id="long"),
    pytest.param('x,y\n1,2\n"3,1' + "\n4,5" * 50_000, "got what is no row .* quotation mark left open", id="open"),
])
def test_a_csv_that_does_not_fit_says_where(tmp_path, text, message):
    path = tmp_path / "own.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ValueError, match=message):
        nwlab.read_csv(path, "x", "y")


def test_classes_are_balanced_as_asked():
    keys, labels = nwlab.make_classes(n=1000, positive=0.3, separation=4.0)
    assert np.sum(labels == 1) == 300 and np.sum(labels == -1) == 700 and np.all(np.diff(keys) >= 0)
    assert keys[labels == 1].mean() == pytest.approx(2, abs=0.25)
    assert keys[labels == -1].mean() == pytest.approx(-2, abs=0.25)


def test_the_sphere_has_radius_one_and_no_favourite_side():
    points = nwlab.make_sphere(n=4000, d=3)
    np.testing.assert_allclose(np.linalg.norm(points, axis=1), 1.0)
    np.testing.assert_allclose(points.mean(axis=0), 0.0, atol=0.05)
    np.testing.assert_allclose(points.T @ points / 4000, np.eye(3) / 3, atol=0.03)
