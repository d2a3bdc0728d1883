"""The claims of notebook 10: which ways give the same numbers, and where features do not."""
import math
from pathlib import Path

import numpy as np
import pytest
from claims.formulas import gaussian

import nwlab
from nwlab.fast.window import runs
from workbook.authoring.source import read_lesson

CELLS = {cell.id: cell.text
         for cell in read_lesson(Path(nwlab.__file__).parents[1] / "notebooks/source/10_attention_at_scale.md").cells}


def sample(n, seed):
    rng = np.random.default_rng(seed)
    keys = 5 * rng.random(n)
    return keys, 2 * np.sin(keys) + keys**0.8 + 0.5 * rng.standard_normal(n)


@pytest.mark.claim("10-blocks")
def test_blocks_give_the_same_numbers_also_far_away(seeds, record_property):
    exec(CELLS["in-blocks"].partition("\n\n\n")[0], lesson := {"np": np})
    worst = 0.0
    for seed in seeds(20):
        keys, values = sample(1000, seed)
        queries = np.append(np.linspace(0, 5, 20), [300.0])
        assert nwlab.attention_scores(queries, keys, bandwidth=0.1)[-1].max() < -4e6
        found = lesson["in_blocks"](queries, keys, values, 0.1, block=300)
        worst = max(worst, np.abs(found - gaussian(queries, keys, 0.1) @ values).max())
    record_property("off by", f"{worst:.0e}")
    assert worst < 1e-13


@pytest.mark.claim("10-window")
def test_a_narrow_kernel_needs_three_keys_in_a_hundred(seeds, record_property):
    """At σ = 1 the package's window leaves out no key."""
    query, share, worst = np.array([2.5]), [], 0.0
    for seed in seeds(20):
        keys, values = sample(10_000, seed)
        near = np.abs(keys - 2.5) < 9 * 0.01
        share.append(near.mean())
        every = gaussian(query, keys, 0.01) @ values
        worst = max(worst, abs(gaussian(query, keys[near], 0.01) @ values[near] - every)[0])
        (first,), (last,) = runs(query, np.sort(keys), 1.0, nwlab.KERNELS["gaussian"])
        assert last - first == len(keys)
    record_property("keys", f"{min(share):.1%} to {max(share):.1%}")
    assert 0.03 < min(share) and max(share) < 0.045 and worst < 1e-13


@pytest.mark.claim("10-moments")
def test_sixteen_moments_stand_for_a_thousand_keys(seeds, record_property):
    off, answers = [], []
    for seed in seeds(20):
        rng = np.random.default_rng(seed)
        y, v, x = rng.uniform(-0.35, 0.35, 1000), rng.uniform(1, 3, 1000), np.linspace(-5, 5, 201)
        every = np.exp(-0.5 * (x[:, None] - y) ** 2) @ v
        series, row = np.zeros_like(x), []
        for a in range(16):
            moment = np.sum(v * y**a * np.exp(-0.5 * y**2)) / math.factorial(a)
            series += moment * x**a * np.exp(-0.5 * x**2)
            row.append(np.abs(series - every).max() / every.max())
        small, keys = np.exp(-0.5 * (x[:, None] - y) ** 2).sum(axis=1), np.exp(-0.5 * y**2)
        total = sum(np.sum(y**a * keys) / math.factorial(a) * x**a for a in range(16)) * np.exp(-0.5 * x**2)
        answers.append(np.abs(series / total - every / small))
        off.append(row)
    off = np.array(off)
    record_property("8 moments", f"{off[:, 7].max():.0e}")
    record_property("16 moments", f"{off[:, 15].max():.0e}")
    between, away = np.max(answers, axis=0)[np.abs(x) <= 0.35].max(), np.max(answers)
    record_property("answers between the keys, and up to 5 widths away", f"{between:.0e}, {away:.0e}")
    assert between < 1e-14 and 30 * between < away < 1e-9
    assert off[:, 7].max() < 3e-7 and off[:, 15].max() < 1e-14


@pytest.mark.claim("10-linear")
def test_features_are_good_for_soft_weights_and_bad_for_sharp_ones(seeds, record_property):
    def features(points, order):
        x, y = points.T
        return np.stack([x**a * y**b / math.sqrt(math.factorial(a) * math.factorial(b))
                         for a in range(order + 1) for b in range(order + 1 - a)], axis=1)

    soft, sharp, spread = [], [], []
    for seed in seeds(20):
        keys, values = sample(200, seed)
        for sigma, order, errors in ((1.0, 2, soft), (0.1, 8, sharp)):
            q, k = (np.stack([np.cos(np.pi * x / 5), np.sin(np.pi * x / 5)], axis=1) / sigma
                    for x in (np.linspace(0, 5, 101), keys))
            weights = np.exp(q @ k.T - 1 / sigma**2)
            right = weights @ values / weights.sum(axis=1)
            phi_q, phi_k = features(q, order), features(k, order)
            found = phi_q @ (phi_k.T @ values) / (phi_q @ phi_k.sum(axis=0))
            errors.append(np.sqrt(np.mean((found - right) ** 2)))
        spread.append(found.std() / right.std())
    record_property("soft, sharp", f"{min(soft):.3f} to {max(soft):.3f}, {min(sharp):.2f} to {max(sharp):.2f}")
    record_property("spread of the answers against the softmax's", f"{np.median(spread):.2f}")
    assert max(soft) < 0.02 and min(sharp) > 0.2 and max(spread) < 1
