"""What notebook 13 claims of widths and rates, computed from the formulas, over fresh samples."""
from functools import lru_cache

import numpy as np
import pytest
from claims.formulas import effective, gaussian

NOISE, SIZES = 0.5, np.array([800, 3200, 12800])
LINE_QUERIES = np.linspace(1, 4, 16)[:, None]


def curve(x):
    return 2 * np.sin(x) + x**0.8


def bend(x):
    """The second derivative of the curve."""
    return -2 * np.sin(x) - 0.16 * x**-1.2


def queries_of(d):
    return LINE_QUERIES if d == 1 else np.random.default_rng(d).uniform(1, 4, (32, d))


def best_width(n, d):
    """Where A h^4 + B / (n h^d) is smallest."""
    a = np.mean((bend(queries_of(d)).mean(axis=1) / 2) ** 2)
    b = NOISE**2 * (5 / (2 * np.sqrt(np.pi))) ** d
    return (d * b / (4 * a * n)) ** (1 / (d + 4))


def measured(n, d, h, seed, queries=None):
    """Error of one sample, bias squared, variance and effective keys, over the queries (by default inside)."""
    queries, rng = queries_of(d) if queries is None else queries, np.random.default_rng([seed, n, d])
    keys = rng.uniform(0, 5, (n, d))
    weights = gaussian(queries, keys, h)
    truth, at_keys = curve(queries).mean(axis=1), curve(keys).mean(axis=1)
    squares = np.sum(weights**2, axis=1)
    error = weights @ (at_keys + NOISE * rng.standard_normal(n)) - truth
    bias = weights @ at_keys - truth
    return np.mean(error**2), np.mean(bias**2), NOISE**2 * squares.mean(), np.median(1 / squares)


def power(x, y):
    return np.polyfit(np.log(x), np.log(y), 1)[0]


@pytest.mark.claim("13-powers-of-h")
def test_the_powers_of_h(seeds, record_property):
    widths = np.geomspace(0.2, 0.4, 3)
    for d in (1, 2):
        parts = np.mean([[measured(12800, d, h, seed)[1:3] for h in widths] for seed in seeds(5)], axis=0)
        bias, variance = (power(widths, part) for part in parts.T)
        record_property(f"d = {d}", f"{bias:.2f}, {variance:.2f}")
        assert 3.6 < bias < 4 and abs(variance + d) < 0.1
    few, many = (np.mean([[measured(n, 1, h, seed)[1:3] for h in widths] for seed in seeds(10)], axis=0)
                 for n in (50, 12800))
    record_property("from 50 to 12,800 pairs, bias² and variance", (few / many).round(1).tolist())
    assert np.all((few / many)[:, 1] > 10 * (few / many)[:, 0])


@lru_cache
def runs(seeds, d):
    """(seeds, sizes, 4) with the best widths."""
    return np.array([[measured(n, d, best_width(n, d), seed) for n in SIZES] for seed in seeds])


@pytest.mark.claim("13-slopes")
def test_the_slopes_are_those_of_theory(seeds, record_property):
    for d in (1, 2, 3):
        slope = power(SIZES, runs(seeds(15), d)[:, :, 1:3].sum(axis=2).mean(axis=0))
        assert abs(slope + 4 / (d + 4)) < 0.1
    stays = np.mean([[measured(n, 1, best_width(50, 1), seed)[1:3] for n in SIZES] for seed in seeds(30)], axis=0)
    whole, (bias, variance) = power(SIZES, stays.sum(axis=1)), stays[0] - stays[-1]
    record_property("width stays: slope, share of variance in the fall", (whole, variance / (bias + variance)))
    assert -0.2 < whole < -0.05 and variance > 0.5 * (bias + variance)


@pytest.mark.claim("13-fixed-and-too-fast")
def test_what_each_rule_leaves(seeds, record_property):
    ends = {a: np.mean([[measured(n, 1, 0.5 * (n / 50) ** -a, seed) for n in (50, 12800)] for seed in seeds(15)],
                       axis=0) for a in (0, 1 / 5, 1)}
    totals = {a: found[1, 1:3].sum() for a, found in ends.items()}
    record_property("errors at 12,800", {a: round(float(total), 5) for a, total in totals.items()})
    assert ends[0][1, 1] > 0.95 * totals[0]
    assert (np.abs(ends[1][:, 3] - 18) < 2).all() and abs(ends[1][1, 2] / ends[1][0, 2] - 1) < 0.2
    assert ends[1][1, 1] < 0.05 * ends[1][1, 2]
    inside, with_borders = np.mean([[measured(50, 1, 0.5, seed, queries)[3] for queries in (
        LINE_QUERIES, np.linspace(0, 5, 26)[:, None])] for seed in seeds(100)], axis=0)
    record_property("keys of 50, inside and with the borders", f"{inside:.1f}, {with_borders:.1f}")
    assert abs(inside - 18) < 1 and with_borders < 17
    record_property("like n^(-1/5), bias² and variance", (ends[1 / 5][1, 1:3] / ends[1 / 5][0, 1:3]).round(3))
    assert (ends[1 / 5][1, 1:3] < 0.25 * ends[1 / 5][0, 1:3]).all() and totals[1 / 5] < 0.2 * min(totals[0], totals[1])


@pytest.mark.claim("13-no-near-keys")
def test_in_ten_dimensions_no_key_is_near(seeds):
    for d, low, high in ((1, 200, 1000), (10, 2, 3)):
        for seed in seeds(4):
            rng = np.random.default_rng(seed)
            keys, queries = rng.uniform(0, 5, (1000, d)), rng.uniform(1, 4, (500, d))
            distance = np.linalg.norm(queries[:, None] - keys, axis=2)
            times = np.median(np.median(distance, axis=1) / distance.min(axis=1))
            assert low < times < high


@pytest.mark.claim("consistency_rate-empty")
def test_in_four_dimensions_windows_like_one_over_root_n_run_empty(seeds, record_property):
    found = []
    for power in (1 / 2, 1 / 8):
        for n in (200, 3200):
            for seed in seeds(3):
                rng = np.random.default_rng([seed, n])
                keys, queries = rng.uniform(0, 5, (n, 4)), rng.uniform(1, 4, (100, 4))
                weights = gaussian(queries, keys, 0.9 * (n / 50) ** -power)
                answers = weights @ (curve(keys).mean(axis=1) + NOISE * rng.standard_normal(n))
                error = np.mean((answers - curve(queries).mean(axis=1)) ** 2)
                found.append([error, np.median(effective(weights))])
    errors, keys = np.reshape(found, (2, 2, 3, 2)).mean(axis=2).transpose(2, 0, 1)     # (powers, sizes) each
    record_property("errors, keys in effect", f"{errors.round(3).tolist()}, {keys[0].round(1)}")
    assert keys[0, 1] < 1.5 and errors[0, 1] > 1.5 * errors[0, 0] and errors[1, 1] < 0.8 * errors[1, 0]
