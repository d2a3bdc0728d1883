"""What notebook 12 claims of classes and densities, computed from the formulas, over fresh samples."""
from functools import lru_cache

import numpy as np
import pytest
from claims.formulas import SHAPES

from nwlab import make_classes, nadaraya_watson, parzen_density

LINE = np.linspace(-3, 3, 301)


def density(queries, keys, h, kernel="gaussian"):
    """The Parzen density (m,) of keys on a line."""
    shape, area, _ = SHAPES[kernel]
    return shape((queries[:, None] - keys) / h).mean(axis=1) / (h * area)


@lru_cache
def rare(seed):
    """80 keys of N(-1, 1) and 20 of N(1, 1)."""
    rng = np.random.default_rng(seed)
    return rng.normal(1, 1, 20), rng.normal(-1, 1, 80)


def rates(seed):
    """Missed and false alarms, (2, 2): joint and class-conditional, from 600 new points."""
    rng = np.random.default_rng([seed, 1])
    new = [rng.normal(middle, 1, 300) for middle in (1, -1)]
    plus, minus = np.array([[density(points, keys, 0.4) for points in new] for keys in rare(seed)])
    verdicts = np.array([0.2 * plus > 0.8 * minus, plus > minus])                # (rules, truths, m)
    said = verdicts.mean(axis=2)                                                # (rules, truths)
    return np.array([1 - said[:, 0], said[:, 1]])


@pytest.mark.claim("12-sign-not-value")
def test_the_difference_of_joint_densities_has_the_sign_of_the_answer_and_not_its_value(seeds):
    """The answer is their difference over their sum wherever that is above 0, for four kernels and three widths."""
    queries, apart = np.linspace(-4, 4, 81), []
    for seed in seeds(20):
        keys, signs = make_classes(n=60, positive=0.3, seed=seed)
        for kernel in SHAPES:
            for h in (0.1, 0.4, 1.5):
                joint = [np.mean(signs == c) * density(queries, keys[signs == c], h, kernel) for c in (1, -1)]
                here = joint[0] + joint[1] > 1e-300
                difference, total = (joint[0] - joint[1])[here], (joint[0] + joint[1])[here]
                answers = nadaraya_watson(queries[here], keys, signs, kernel=kernel, bandwidth=h)
                np.testing.assert_allclose(difference / total, answers, rtol=0, atol=1e-9)
                apart.append(np.abs(difference - answers))
    assert np.median(np.concatenate(apart)) > 0.3


@pytest.mark.claim("12-which-word")
def test_the_house_is_expensive_where_more_than_four_of_seven_are():
    cheap, *expensive = 60 - np.abs(np.array([60, 90, 130]) - 80)
    assert [share * np.mean(expensive) > (1 - share) * cheap for share in (0.57, 0.575, 2 / 3)] == [False, True, True]


@pytest.mark.claim("12-confident-far-away")
def test_far_away_the_density_is_0_and_the_answer_the_nearest_label(seeds):
    """The control: the middle, where no label has all the weight."""
    for seed in seeds(30):
        keys, signs = make_classes(n=60, positive=0.3, seed=seed)
        dense, empty = parzen_density([0.0, 60.0], keys, bandwidth=0.4)
        middle, far = nadaraya_watson([0.0, 60.0], keys, signs, bandwidth=0.4)
        assert empty == 0 < dense and np.isclose(far, signs[keys.argmax()]) and abs(middle) < 0.999


@pytest.mark.claim("12-worlds")
def test_each_comparison_is_cheaper_in_its_world(seeds, record_property):
    missed, alarms = np.array([rates(seed) for seed in seeds(120)]).transpose(1, 0, 2)
    assert 0.4 < missed[:, 0].mean() < 0.48 and alarms[:, 0].mean() < 0.06
    cheaper = {}
    for name, miss, alarm in (("as mixed", 0.2, 0.8), ("balanced", 0.5, 0.5), ("costly misses", 4 * 0.2, 0.8)):
        cost = miss * missed + alarm * alarms
        cheaper[name] = np.mean(cost[:, 0] < cost[:, 1])
        record_property(f"joint cheaper, {name}", f"{cheaper[name]:.0%}")
    assert cheaper["as mixed"] > 0.9 and max(cheaper["balanced"], cheaper["costly misses"]) < 0.06


@pytest.mark.claim("12-wide-joint-majority")
def test_a_wide_joint_comparison_votes_for_the_majority(seeds):
    for seed in seeds(10):
        for kernel in SHAPES:
            for count in (10, 20, 40):
                keys = np.random.default_rng(seed).normal(np.repeat([1, -1], [count, 100 - count]))
                plus, minus = (density(LINE, some, 20, kernel) for some in np.split(keys, [count]))
                assert not (count * plus > (100 - count) * minus).any()
    lost = []
    for seed in seeds(60):
        for h, apart in ((2.5, 0.7), (6.0, 0.15)):                                  # as in the figure, and wider
            plus, minus = (density(np.linspace(-4, 4, 161), keys, h) for keys in rare(seed))
            answers = (0.2 * plus - 0.8 * minus) / (0.2 * plus + 0.8 * minus)
            lost.append(answers.max() < 0)
            assert np.abs(answers + 0.6).max() < apart
    assert np.mean(lost) > 0.9


@pytest.mark.claim("12-codes-make-b")
def test_code_numbers_make_a_b_of_a_and_c(seeds):
    classes = np.repeat([0, 1, 2], 40)
    centres = np.array([[-1.5, -1], [0, 1.6], [1.5, -1]])[classes]
    near, largest = [], []
    for seed in seeds(200):
        keys = centres + np.random.default_rng(seed).normal(size=(120, 2))
        weights = np.exp(-np.sum((keys - [0, -1.4]) ** 2, axis=1) / 0.5)
        shares = np.bincount(classes, weights) / weights.sum()
        near.append(abs(shares @ [0, 1, 2] - 1) < 0.5)
        largest.append(shares.argmax() == 1)
    assert np.mean(near) > 0.85 and np.mean(largest) < 0.03
