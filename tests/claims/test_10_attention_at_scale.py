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


def by_moments(x, y, v):
    """The sums (m, 40) over all keys from 1 ... 40 moments, and from all pairs (m, 1)."""
    a, x = np.arange(40), x[:, None]
    moments = (v * np.exp(-0.5 * y**2)) @ y[:, None] ** a / np.cumprod(np.maximum(a, 1.0))
    return np.cumsum(moments * x**a, axis=1) * np.exp(-0.5 * x**2), np.exp(-0.5 * (x - y) ** 2) @ v[:, None]


def off_by(found, every):
    return np.abs(found - every).max(axis=0) / every.max()


@pytest.mark.claim("10-more-keys")
def test_how_many_moments_a_group_needs_depends_on_its_width_only(seeds, record_property):
    needs, x = [], np.linspace(-5, 5, 201)
    for seed in seeds(10):
        y, v = np.random.default_rng(seed).random((2, 2000))
        for places, n in ((0.7 * y, 1000), (0.7 * y, 2000), (1.4 * y, 1000)):
            needs.append(np.argmax(off_by(*by_moments(x, (places - places.mean())[:n], v[:n])) < 1e-13))
    before, more, wide = np.reshape(needs, (-1, 3)).T + 1
    record_property("moments of 1000 keys, of 2000, of twice the width", (before, more, wide))
    assert np.abs(more - before).max() <= 1 and np.all(wide > np.maximum(before, more) + 2)


@pytest.mark.claim("10-moments")
def test_sixteen_moments_stand_for_a_thousand_keys(seeds, record_property):
    assert len({math.floor(place / 0.7) for place in np.linspace(0.69, 18.69, 1801)}) == 27     # groups in 18 widths
    off, answers, x = [], [], np.linspace(-5, 5, 201)
    for seed in seeds(20):
        y, v = np.random.default_rng(seed).uniform([[-0.35], [1]], [[0.35], [3]], (2, 1000))
        (sums, every), (total, small) = by_moments(x, y, v), by_moments(x, y, np.ones(1000))
        off.append(off_by(sums, every))
        answers.append(np.abs(sums[:, 15] / total[:, 15] - (every / small)[:, 0]))
    eight, sixteen = np.max(off, axis=0)[[7, 15]]
    between, away = np.max(answers, axis=0)[np.abs(x) <= 0.35].max(), np.max(answers)
    record_property("8, 16 moments; answers between the keys, and up to 5 widths away", (eight, sixteen, between, away))
    assert between < 1e-14 and 30 * between < away < 1e-9 < eight < 3e-7 and sixteen < 1e-14


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
    record_property("soft, sharp, spread", (min(soft), max(soft), min(sharp), max(sharp), np.median(spread)))
    assert max(soft) < 0.02 and np.all(np.array(sharp) > 10 * np.array(soft)) and max(spread) < 1
