"""The claims of notebook 07, over fresh samples."""
import numpy as np
import pytest
import torch
from claims.formulas import effective, gaussian, softmax
from torch.nn.functional import scaled_dot_product_attention

from nwlab import make_sphere


def on_sphere(rng, n, d):
    points = rng.standard_normal((n, d))
    return points / np.linalg.norm(points, axis=1, keepdims=True)


def pytorch(queries, keys, values, scale):
    """PyTorch's own attention for queries (m, d), keys (n, d) and values (n,): (m,) in float64."""
    q, k, v = (torch.as_tensor(a) for a in (queries, keys, values))
    return scaled_dot_product_attention(q[None], k[None], v[None, :, None], scale=scale)[0, :, 0].double().numpy()


@pytest.mark.claim("07-sphere")
def test_keys_of_one_length_make_dot_products_the_kernel(seeds, record_property):
    """For any queries, to rounding; keys of other lengths do not."""
    equal, unequal = [], []
    for seed in seeds(40):
        rng = np.random.default_rng(seed)
        queries, keys = rng.standard_normal((20, 3)), 1.5 * on_sphere(rng, 40, 3)
        values, sigma = rng.standard_normal(40), rng.uniform(0.2, 1.5)
        other = keys * rng.uniform(0.5, 1.5, (40, 1))
        for differences, k in ((equal, keys), (unequal, other)):
            kernel = gaussian(queries, k, sigma) @ values
            differences.append(np.abs(pytorch(queries, k, values, 1 / sigma**2) - kernel).max())
        scaled = 3**0.25 / sigma                                # a projection that only scales contains the width
        equal.append(np.abs(pytorch(scaled * queries, scaled * keys, values, None)
                            - gaussian(queries, keys, sigma) @ values).max())
    record_property("largest difference", f"{max(equal):.0e}; keys of other lengths {np.median(unequal):.1f}")
    assert max(equal) < 1e-10
    assert min(unequal) > 0.02


@pytest.mark.claim("07-soft")
def test_root_d_is_made_for_vectors_about_root_d_long(seeds, record_property):
    """Of 40 keys a query of length 1 attends to all, one of length 8 to fewer (d = 64)."""
    found = {1.0: [], 8.0: []}
    for seed in seeds(40):
        points = on_sphere(np.random.default_rng(seed), 60, 64)
        for length, keys in found.items():
            q, k = points[:20] * length, points[20:] * length
            keys.append(np.median(effective(softmax(q @ k.T / 8))))
    long = np.linalg.norm(np.random.default_rng(0).standard_normal((100, 64)), axis=1)
    record_property("effective keys", f"{min(found[1.0]):.2f} and {np.mean(found[8.0]):.1f}")
    assert min(found[1.0]) > 39.9 and 13 < min(found[8.0]) and max(found[8.0]) < 25
    assert abs(long.mean() - 8) < 0.2                       # features about 1 in size make vectors about √d long


@pytest.mark.claim("07-long-keys")
def test_dot_products_favour_long_keys(seeds, record_property):
    """Lengths given only to keys on the query's side do it, only to the others do not."""
    shares, sides, distances = [], [], []
    for seed in seeds(60):
        rng = np.random.default_rng(seed)
        points, lengths = on_sphere(rng, 60, 2), rng.uniform(0.5, 1.5, 60)
        moved = points * lengths[:, None]
        longest = np.argsort(lengths[20:])[-10:]
        one, long = moved[:20] @ points[20:].T, moved[:20] @ moved[20:].T
        dots, *given = (softmax(scores / 0.25)[:, longest].sum(axis=1).mean()
                        for scores in (long, one, np.where(one > 0, long, one), np.where(one < 0, long, one)))
        shares.append([dots, gaussian(moved[:20], moved[20:], 0.5)[:, longest].sum(axis=1).mean()])
        sides.append(given)
        away = np.linalg.norm(moved[:20, None] - moved[20:], axis=2).mean(axis=0)
        distances.append(away[longest].mean() - np.delete(away, longest).mean())
    (dots, kernel), (none, near, other) = np.mean(shares, axis=0), np.mean(sides, axis=0)
    record_property("share of the ten longest", f"{dots:.0%}, kernel {kernel:.0%}")
    record_property("on the circle; lengths on the query's side, the other", f"{none:.0%}; {near:.0%}, {other:.0%}")
    assert 0.5 < dots < 0.62 and 0.17 < kernel < 0.23 and np.all(np.array(shares)[:, 0] > 0.3)
    assert near > 0.9 * dots and abs(other - none) < 0.05 and abs(none - 0.25) < 0.05
    assert np.mean(np.array(distances) > 0) > 0.95
    q, k = np.split(make_sphere(41, d=2, seed=11) * np.random.default_rng(11).uniform(0.5, 1.5, (41, 1)), [1])
    longest = np.argsort((k**2).sum(axis=1))[-10:]                          # of the lesson's query, a typical one
    for weights, share in ((softmax(q @ k.T / 0.25), dots), (gaussian(q, k, 0.5), kernel)):
        assert abs(weights[0, longest].sum() - share) < 0.1


@pytest.mark.claim("07-bridge")
def test_one_more_feature_is_an_exact_bridge(seeds, record_property):
    """To rounding, with 1 to 8 features; without the feature it is off."""
    with_it, without = [], []
    for seed in seeds(40):
        rng = np.random.default_rng(seed)
        d, sigma = rng.integers(1, 9), rng.uniform(0.2, 2)
        queries, keys, values = rng.normal(0, 2, (20, d)), rng.normal(1, 2, (30, d)), rng.standard_normal(30)
        kernel = gaussian(queries, keys, sigma) @ values
        q = np.column_stack([queries, np.ones(20)])
        k = np.column_stack([keys / sigma**2, -(keys**2).sum(axis=1) / (2 * sigma**2)])
        with_it.append(np.abs(pytorch(q, k, values, 1) - kernel).max())
        without.append(np.abs(pytorch(queries, keys / sigma**2, values, 1) - kernel).max())
    record_property("largest difference", f"{max(with_it):.0e}, without the feature {np.median(without):.1f}")
    assert max(with_it) < 1e-10 and np.median(without) > 0.1


@pytest.mark.claim("07-root")
def test_root_d_keeps_the_softness(seeds, record_property):
    tops, kept, divided = [], [], []
    for seed in seeds(12):
        rng = np.random.default_rng(seed)
        for d in (4, 16, 64, 256):
            dots = (rng.standard_normal((200, 1, d)) * rng.standard_normal((200, 50, d))).sum(axis=2)
            kept.append(np.median(effective(softmax(dots / d**0.5))))
            assert abs(dots.std() / d**0.5 - 1) < 0.1
            divided.append(np.median(softmax(dots / d**0.5).max(axis=1)))
        tops.append(np.median(softmax(dots).max(axis=1)))
    slopes = np.array(tops) * (1 - np.array(tops))
    record_property("largest weight at d = 256", f"{np.mean(tops):.2f}, slope {slopes.mean():.2f}")
    record_property("with √d", f"{min(divided):.2f} to {max(divided):.2f}, {min(kept):.1f} to {max(kept):.1f} keys")
    assert 0.08 < min(divided) and max(divided) < 0.14
    assert min(tops) > 0.93 and slopes.max() < 0.07 and 19 < min(kept) and max(kept) < 28
