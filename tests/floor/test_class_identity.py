"""Classes by attention and by Parzen densities: the equalities that notebook 08 teaches."""
import numpy as np
import pytest

import nwlab

DENSITIES = [name for name in nwlab.KERNELS if name != "constant"]


def two_classes(d, seed=0, n=40):
    rng = np.random.default_rng(seed)
    labels = np.where(np.arange(n) < 0.3 * n, 1.0, -1.0)
    keys = rng.normal(size=(n, d)) + 0.7 * labels[:, None]
    queries = rng.uniform(-3, 3, (60, d))
    return (queries, keys, labels) if d > 1 else (queries[:, 0], keys[:, 0], labels)


def alone(queries, keys, labels, kernel, h):
    """Class-conditional densities of +1 and -1."""
    return [nwlab.parzen_density(queries, keys[labels == sign], kernel, h) for sign in (1, -1)]


@pytest.mark.filterwarnings("ignore::nwlab.EmptyWindowWarning")
@pytest.mark.parametrize("name", DENSITIES)
@pytest.mark.parametrize(("d", "h"), [(1, 0.3), (2, 1.0), (3, 4.0)])
def test_signed_sum_joint_difference_and_density_times_answer_are_one(name, d, h):
    queries, keys, labels = two_classes(d)
    kernel = nwlab.KERNELS[name]
    gaps = np.linalg.norm((queries[:, None] - keys[None, :]).reshape(len(queries), len(keys), d), axis=2)
    signed = np.sum(labels * kernel(gaps / h), axis=1) / (len(keys) * h**d * kernel.integral(d))
    plus, minus = alone(queries, keys, labels, name, h)
    density = nwlab.parzen_density(queries, keys, name, h)
    answers, here = nwlab.nadaraya_watson(queries, keys, labels, name, h), density > 0
    np.testing.assert_allclose(0.3 * plus - 0.7 * minus, signed, atol=1e-12 * density.max())
    np.testing.assert_allclose(density[here] * answers[here], signed[here], atol=1e-12 * density.max())
    decided = here & (np.abs(signed) > 1e-9 * density)
    assert np.array_equal(np.sign(answers[decided]), np.sign(signed[decided])) and decided.any()
    if np.isfinite(kernel.support):
        assert np.array_equal(np.isnan(answers), ~here), "no density, no verdict, and nowhere else"
        assert np.all(signed[~here] == 0)


@pytest.mark.parametrize("d", [1, 2])
def test_subtracting_the_logarithm_of_the_class_size_compares_class_conditionals(d):
    queries, keys, labels = two_classes(d)
    sizes = np.where(labels > 0, np.sum(labels > 0), np.sum(labels < 0))
    scores = nwlab.attention_scores(queries, keys, bandwidth=0.8)
    balanced = nwlab.masked_softmax(scores - np.log(sizes)) @ labels
    plus, minus = alone(queries, keys, labels, "gaussian", 0.8)
    np.testing.assert_allclose(balanced, (plus - minus) / (plus + minus), atol=1e-9)
    answers = nwlab.nadaraya_watson(queries, keys, labels, bandwidth=0.8)
    assert np.any(np.sign(answers) != np.sign(balanced)), "with unbalanced classes the two verdicts differ somewhere"


def test_balanced_classes_have_one_verdict():
    keys, labels = nwlab.make_classes(n=80, positive=0.5)
    queries = np.linspace(-3, 3, 101)
    plus, minus = alone(queries, keys, labels, "gaussian", 0.5)
    answers = nwlab.nadaraya_watson(queries, keys, labels, bandwidth=0.5)
    np.testing.assert_array_equal(np.sign(plus - minus), np.sign(answers))


def test_one_hot_values_give_the_share_of_each_class():
    rng = np.random.default_rng(3)
    classes, keys, queries = rng.integers(0, 4, 60), rng.normal(size=(60, 2)), rng.normal(size=(20, 2))
    shares = nwlab.nadaraya_watson(queries, keys, np.eye(4)[classes], bandwidth=0.6)
    joint = [np.mean(classes == c) * nwlab.parzen_density(queries, keys[classes == c], bandwidth=0.6) for c in range(4)]
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    np.testing.assert_allclose(shares.T, joint / nwlab.parzen_density(queries, keys, bandwidth=0.6), rtol=1e-9)


def test_a_very_wide_kernel_gives_the_majority_or_the_class_that_lies_nearer():
    keys, labels = nwlab.make_classes(n=100, positive=0.2)
    queries = np.linspace(-3, 3, 61)
    assert np.all(nwlab.nadaraya_watson(queries, keys, labels, bandwidth=100.0) < -0.59)
    plus, minus = alone(queries, keys, labels, "gaussian", 100.0)
    away = [np.mean((queries[:, None] - keys[labels == sign]) ** 2, axis=1) for sign in (1, -1)]
    assert np.array_equal(plus > minus, away[0] < away[1])
    assert (plus > minus).any() and (plus < minus).any()
