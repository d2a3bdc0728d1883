"""Arrays of other libraries: JAX, traced and not, and one that allows nothing beyond the Array API standard."""
import math
import os
import re
from pathlib import Path

import loops
import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import nwlab
from nwlab._engine import arrays

RNG = np.random.default_rng(0)
POINTS = {d: (RNG.uniform(0, 5, (7, d)), RNG.uniform(0, 5, (12, d)), RNG.normal(size=12)) for d in (1, 2)}


def estimates(name):
    """Functions of queries, keys, values and a width, each with an array to answer with."""
    how = {"kernel": name, "empty": "nearest"}
    return {
        "nadaraya_watson": lambda q, k, v, h: nwlab.nadaraya_watson(q, k, v, bandwidth=h, **how),
        "leave one out": lambda q, k, v, h: nwlab.nadaraya_watson(k, k, v, bandwidth=h, leave_one_out=True, **how),
        "local_linear": lambda q, k, v, h: nwlab.local_linear(q, k, v, bandwidth=h, **how),
        "attention_weights": lambda q, k, v, h: nwlab.attention_weights(q, k, bandwidth=h, **how),
        "parzen_density": lambda q, k, v, h: nwlab.parzen_density(q, k, kernel=name, bandwidth=h),
        "loo_error": lambda q, k, v, h: nwlab.loo_error(k, v, bandwidths=h, kernel=name),
        "effective_keys": lambda q, k, v, h: nwlab.effective_keys(nwlab.attention_weights(q, k, bandwidth=h, **how)),
        "masked_softmax": lambda q, k, v, h: nwlab.masked_softmax(nwlab.attention_scores(q, k, bandwidth=h)),
        "sparsemax": lambda q, k, v, h: nwlab.sparsemax(nwlab.attention_scores(q, k, bandwidth=h)),
        "entmax": lambda q, k, v, h: nwlab.entmax(nwlab.attention_scores(q, k, bandwidth=h), alpha=1.3),
        "nearest_pooling": lambda q, k, v, h: nwlab.nearest_pooling(q, k, v, k=3),
        "average_pooling": lambda q, k, v, h: nwlab.average_pooling(q, v),
        "neighbour_bandwidth": lambda q, k, v, h: nwlab.neighbour_bandwidth(q, k, k=3),
        "standard_errors": lambda q, k, v, h: nwlab.standard_errors(nwlab.attention_weights(q, k, bandwidth=h), 0.5),
        "noise_level": lambda q, k, v, h: nwlab.noise_level(k, nwlab.attention_weights(k, k, bandwidth=h, **how),
                                                            kernel=name, bandwidth=100 * h),
        "interval": lambda q, k, v, h: nwlab.interval(q, k, v, bandwidth=h, level=0.5, spread=2.0, **how)[1],
        "jackknife+": lambda q, k, v, h: nwlab.interval(q, k, v, bandwidth=h, level=0.5, method="jackknife+", **how)[0],
        "adaptive_bandwidth": lambda q, k, v, h: nwlab.adaptive_bandwidth(k, bandwidth=h),
    }


@pytest.fixture
def jax():
    os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0")       # what it compiles runs only once
    import jax.test_util

    with jax.enable_x64(True):
        yield jax


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("library", ["numpy", "torch", "array_api_strict"])
@pytest.mark.parametrize("d", [1, 2])
@pytest.mark.parametrize("name", ["gaussian", "exponential", "epanechnikov"])
def test_answers_are_of_the_library_and_dtype_of_what_goes_in(name, d, library, dtype):
    """array_api_strict has nothing beyond the standard."""
    library = pytest.importorskip(library)
    points = [library.asarray(x, dtype=getattr(library, dtype)) for x in POINTS[d]]
    close = {"rtol": 1e-12} if dtype == "float64" else {"rtol": 1e-3, "atol": 1e-5}
    for what, estimate in estimates(name).items():
        answer = estimate(*points, 2.5)
        assert type(answer) is type(points[0]) and answer.dtype == points[0].dtype, what
        np.testing.assert_allclose(np.asarray(answer), estimate(*POINTS[d], 2.5), err_msg=what, **close)


KINDS = [("int64", "int64"), ("int32", "int64"), ("uint8", "uint8"), ("uint64", "uint64"), ("int64", "float64"),
         ("float64", "float64"), ("list", "int64"), ("list", "list"), ("float list", "float list")]


@pytest.mark.parametrize("library", ["numpy", "torch", "array_api_strict", "jax.numpy"])
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(origin=st.sampled_from([150, 2**24, 1_700_000_000, 2**53, 2**63 - 500, 2**80]), kinds=st.sampled_from(KINDS),
       step=st.sampled_from([1, 10]), values=st.sampled_from(["float32", "float64"]))
@example(origin=1_700_000_000, kinds=("int64", "int64"), step=1, values="float32")
@example(origin=2**64 - 500, kinds=("list", "list"), step=1, values="float32")
def test_differences_of_large_points_are_taken_before_anything_is_rounded(jax, library, kinds, origin, step, values):
    """Points far out, timestamps among them, are answered like the same points near zero."""
    library, near = pytest.importorskip(library), [np.array([3, 5, 9, 4]) * step, np.array([4, 9, 3, 7, 5, 1]) * step]
    highest = min(2**40 if "float" in kind else 2**100 if kind == "list" else np.iinfo(kind).max for kind in kinds)
    origin = min(origin, highest - 10 * step)

    def far(kind, points):
        points = [origin + int(x) for x in points]
        if "list" in kind:
            return [float(x) for x in points] if "float" in kind else points
        return library.asarray(np.array(points, dtype=kind))

    v = np.array([1.0, -2.0, 4.0, 0.5, 3.0, -1.0])
    given = *map(far, kinds, near), library.asarray(v, dtype=getattr(library, values))
    chosen = estimates("gaussian")
    if "jax" in library.__name__:                                                   # which compiles each anew
        chosen = {name: chosen[name] for name in ("attention_weights", "loo_error")}
    for what, estimate in chosen.items():
        answer = np.asarray(estimate(*given, 2.0 * step), dtype=float)
        expected = estimate(*(x.astype(float) for x in near), v, 2.0 * step)
        rtol = 2e-6 if values == "float32" else 1e-9
        np.testing.assert_allclose(answer, expected, rtol=rtol, atol=1e-9, err_msg=what)


def test_jax_without_64_bits_keeps_integers_apart_too():
    import jax

    keys = jax.numpy.asarray([2**30, 2**30 + 60, 2**30 + 120])
    answer = nwlab.nadaraya_watson(keys, keys, jax.numpy.asarray([1.0, 2.0, 3.0]), bandwidth=10)
    assert answer.dtype == "float32" and answer.tolist() == pytest.approx([1, 2, 3])
    np.testing.assert_allclose(nwlab.attention_weights(keys, keys, bandwidth=10), np.eye(3), atol=1e-7)


def test_jax_arrays_as_they_are(jax):
    points = [jax.numpy.asarray(x) for x in POINTS[2]]
    for what, estimate in estimates("epanechnikov").items():
        answer = estimate(*points, 2.5)
        assert isinstance(answer, jax.Array), what
        np.testing.assert_allclose(answer, estimate(*POINTS[2], 2.5), rtol=1e-10, err_msg=what)


def test_jax_gradients_are_right(jax):
    points = [jax.numpy.asarray(x) for x in (*POINTS[1], 2.5)]
    jax.test_util.check_grads(estimates("gaussian")["nadaraya_watson"], points, order=1, modes=["rev"])


@pytest.mark.parametrize("what", ["nadaraya_watson", "local_linear", "loo_error"])
def test_jax_compiles_a_function_of_the_width_with_the_data_closed_over(jax, what):
    estimate, points = estimates("gaussian")[what], [jax.numpy.asarray(x) for x in POINTS[1]]
    answer, widths = jax.jit(lambda h: estimate(*points, h)), np.asarray([1.5, 2.5])
    expected = [estimate(*POINTS[1], h) for h in widths]
    np.testing.assert_allclose(answer(2.5), expected[1], rtol=1e-10)
    np.testing.assert_allclose(jax.vmap(answer)(widths), expected, rtol=1e-9)
    jax.test_util.check_grads(answer, (2.5,), order=1, modes=["rev"])


def test_the_libraries_of_lesson_02_answer_alike(jax, capsys):
    """Its fold is run as it stands: the estimator in three libraries, and the package called with arrays of each."""
    torch = pytest.importorskip("torch")
    lesson = Path(__file__).parents[2] / "notebooks/source/02_kernels_and_weights.md"
    *estimators, own = re.findall(r"```python\n(.*?)```", lesson.read_text(encoding="utf-8"), flags=re.DOTALL)
    _, keys, values = POINTS[1]
    queries, keys = np.array([-500.0, 0.5, 2.0, 4.0]), keys[:, 0]                   # one far from all keys
    expected = loops.nadaraya_watson(queries, keys, values, loops.PROFILES["gaussian"], 0.7)[1:]
    for code, array in zip(estimators, (np.asarray, torch.as_tensor, jax.numpy.asarray), strict=True):
        exec(code, names := {})
        points = [array(x) for x in (queries, keys, values)]
        answer = names["estimate"](*points, 0.7)
        assert isinstance(answer, type(points[0]))
        np.testing.assert_allclose(answer[1:], expected, atol=1e-6)
        np.testing.assert_allclose(answer, nwlab.nadaraya_watson(*points, bandwidth=0.7), atol=1e-6)

    exec(own, names := {})
    points = [np.asarray(names[name], float) for name in "qkv"]
    more, less = (sum(loops.nadaraya_watson(*points, loops.PROFILES["gaussian"], 20 + step)) for step in (1e-4, -1e-4))
    assert float(capsys.readouterr().out) == pytest.approx((more - less) / 2e-4, abs=1e-4)


def test_jax_checks_what_it_can_see(jax):
    keys = jax.numpy.asarray([0.0, 1.0])
    gap = jax.numpy.asarray([1.0, math.nan])
    with pytest.raises(ValueError, match="values: got 1 of 2 numbers NaN or infinite"):
        jax.jit(lambda h: nwlab.nadaraya_watson(keys, keys, gap, bandwidth=h))(1.0)
    with pytest.raises(ValueError, match="values: got 3 of them for 2 keys"):
        jax.jit(nwlab.nadaraya_watson)(keys, keys, jax.numpy.ones(3))
    with pytest.raises(ValueError, match="bandwidth: got -1, expected finite numbers above zero"):
        nwlab.nadaraya_watson(keys, keys, keys, bandwidth=jax.numpy.asarray(-1.0))


def test_numpy_2_0_has_astype_but_no_cumulative_sum_and_works_too(monkeypatch):
    import array_api_compat.numpy  # noqa: F401 - while NumPy is whole

    expected = nwlab.sparsemax(np.array([1.0, 0.5, -2.0]))
    monkeypatch.setattr(arrays, "_NAMESPACES", {})
    monkeypatch.delattr(np, "cumulative_sum")
    assert np.array_equal(nwlab.sparsemax(np.array([1.0, 0.5, -2.0])), expected)
