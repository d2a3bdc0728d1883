"""The claims of notebook 14, over fresh samples: losses, slopes and descents are written out in NumPy."""
from functools import cache

import numpy as np
import pytest

from nwlab import data

GRID = np.geomspace(0.05, 100, 100)
COUNT = 30


class Witnesses:
    """Samples of the lesson's kind, keys and values (s, n), each with a start uniform on 0..1 and its optimum."""

    def __init__(self, first, n=50, count=COUNT):
        samples = [data.make_regression(n=n, seed=seed) for seed in range(first, first + count)]
        self.keys, self.values = (np.stack([getattr(s, name) for s in samples]) for name in ("keys", "values"))
        self.queries, self.truth = samples[0].queries, samples[0].targets
        self.squares = (self.keys[:, :, None] - self.keys[:, None, :]) ** 2            # (s, n, n)
        self.asked = (self.queries[None, :, None] - self.keys[:, None, :]) ** 2        # (s, m, n)
        self.start = np.random.default_rng(first).uniform(size=count)

    def pull(self, scores, left_out=True):
        """Losses (s,), and by how much each score would raise them, (s, n, n)."""
        weights = softmax(np.where(np.eye(scores.shape[1], dtype=bool), -np.inf, scores) if left_out else scores)
        answers = (weights @ self.values[:, :, None])[:, :, 0]
        residuals = answers - self.values
        change = 2 * residuals[:, :, None] * weights * (self.values[:, None, :] - answers[:, :, None])
        return (residuals**2).sum(axis=1), change

    def inside(self, w, left_out=True):
        """Losses and slopes at w, (s,) or, a w for each key, (s, n)."""
        each = w[:, None, :] if w.ndim == 2 else w[:, None, None]
        loss, change = self.pull(-0.5 * self.squares * each**2, left_out)
        slopes = -(change * self.squares * each)
        return loss, slopes.sum(axis=1) if w.ndim == 2 else slopes.sum(axis=(1, 2))

    def outside(self, w):
        loss, change = self.pull(-0.5 * self.squares * w[:, None, None])
        return loss, -0.5 * (change * self.squares).sum(axis=(1, 2))

    def curves(self, w):
        w = np.asarray(w, dtype=float)
        w = w[:, None, :] if w.ndim == 2 else np.broadcast_to(w, len(self.keys))[:, None, None]
        return (softmax(-0.5 * self.asked * w**2) @ self.values[:, :, None])[:, :, 0]

    def errors(self, w):
        return ((self.curves(w) - self.truth) ** 2).mean(axis=1)

    def roughness(self, w):
        return np.sqrt((np.diff(self.curves(w), 2) ** 2).mean(axis=1))

    def optima(self, left_out=True):
        return GRID[np.argmin([self.inside(np.full(len(self.keys), w), left_out)[0] for w in GRID], axis=0)]


def softmax(scores):
    raw = np.exp(np.maximum(scores - scores.max(axis=-1, keepdims=True), -700.0)) * np.isfinite(scores)
    return raw / raw.sum(axis=-1, keepdims=True)


def by_sgd(slope, w, rate, steps):
    for _ in range(steps):
        w = w - rate * slope(w)
    return w


def by_adam(slope, w, rate, steps, added=1e-8):
    first = second = 0.0
    for step in range(1, steps + 1):
        gradient = slope(w)
        first, second = 0.9 * first + 0.1 * gradient, 0.999 * second + 0.001 * gradient**2
        w = w - rate * first / (1 - 0.9**step) / (np.sqrt(second / (1 - 0.999**step)) + added)
    return w


@cache
def drawn(first):
    witnesses = Witnesses(first)
    witnesses.best = witnesses.optima()
    return witnesses


@cache
def sizes(first):
    """For n = 50 and 450: trace, loss and error at the optimum, then at a huge w, and its error without noise; means of
    24 and 6 samples."""
    found = {}
    for n in (50, 450):
        rows = []
        for seed in range(first, first + (24 if n == 50 else 6)):
            one = Witnesses(seed, n=n, count=1)
            grid = np.geomspace(1.5, 20, 12)
            w = grid[np.argmin([one.inside(np.array([w]))[0][0] for w in grid])]
            weights = softmax(-0.5 * one.squares[0] * w**2)
            row = [np.trace(weights)]
            for v in (np.array([w]), np.array([1e5])):
                row += [one.inside(v, left_out=False)[0][0] / n, one.errors(v)[0]]
            one.values = data.power_truth(one.keys)
            rows.append([*row, one.errors(v)[0]])
        found[n] = np.mean(rows, axis=0)
    return found


@pytest.mark.claim("14-parameters-grow")
def test_the_parameters_in_effect_grow_with_the_data(seeds, record_property):
    """From about 9 for 50 points to 16 for 450."""
    found = sizes(seeds(1)[0])
    small, large = found[50][0], found[450][0]
    record_property("parameters in effect", f"{small:.1f} to {large:.1f}")
    assert large > 1.15 * small > 1.15 * 2


@pytest.mark.claim("14-outside")
def test_outside_w_is_a_precision_that_learns_otherwise_and_is_another_model_below_zero(seeds, record_property):
    """20 % above the best after five steps: 73 to 90 % inside, 10 to 30 % outside; below zero 42 to 73 % stay."""
    s = drawn(seeds(1)[0])
    assert np.allclose(s.outside(s.start**2)[0], s.inside(s.start)[0])
    inside = np.abs(by_sgd(lambda w: s.inside(w)[1], s.start, 0.5, 5))
    outside = np.sqrt(np.maximum(by_sgd(lambda w: s.outside(w)[1], s.start, 0.5, 5), 0))
    above = [np.mean(w / s.best > 1.2) for w in (inside, outside)]
    stay = np.mean(by_adam(lambda w: s.outside(w)[1], np.full(COUNT, -0.5), 0.05, 100) < 0)
    record_property("overshoot", f"{above[0]:.0%} inside, {above[1]:.0%} outside")
    record_property("stay below zero", f"{stay:.0%}")
    assert above[0] > 0.55 > 0.5 > above[1]
    assert stay > 0.2
    farthest = s.asked.argmax(axis=2)
    assert np.mean(softmax(2.0 * s.asked).argmax(axis=2) == farthest) == 1


@pytest.mark.claim("14-sparse")
def test_where_keys_are_sparse_fewer_are_within_the_same_width(seeds, record_property):
    """About 12 effective keys at 0.5, 4 at 4; the w read off the weights is the same to nine digits. With even keys
    9.0 at 1 and 9.6 at 4."""
    s, places = drawn(seeds(1)[0]), np.array([1.0, 4.0])
    squares = (places[:, None] - s.keys[:, None]) ** 2
    even = (1 / (softmax(-0.5 * squares * s.best[:, None, None] ** 2) ** 2).sum(axis=2)).mean(axis=0)
    record_property("with even keys", even.round(1))
    assert 0.75 < even[0] / even[1] < 1.33
    effective = []
    for seed in seeds(30):
        rng = np.random.default_rng(seed)
        one = Witnesses(seed, count=1)
        one.keys = np.sort(5 * rng.uniform(size=(1, 50)) ** 3)
        one.values = 2 * np.sin(one.keys) + one.keys**0.8 + 0.5 * rng.standard_normal((1, 50))
        one.squares = (one.keys[:, :, None] - one.keys[:, None, :]) ** 2
        w = one.optima()[0]
        weights = softmax(-0.5 * (np.array([[0.5], [4.0]]) - one.keys[0]) ** 2 * w**2)
        effective.append(1 / (weights**2).sum(axis=1))
    left, right = np.mean(effective, axis=0)
    fewer = np.mean([a > b for a, b in effective])
    record_property("effective keys", f"{left:.1f} and {right:.1f}")
    record_property("fewer in", f"{fewer:.0%}")
    assert 2 < left / right < 5 and fewer > 0.9


@pytest.mark.claim("14-curve")
def test_smoother_curves_have_the_larger_error(seeds, record_property):
    """w = 1: larger in all samples; w = 2: in 90 to 96 %, and in the rest leave-one-out's w is above the truth's best
    (in 49 % of all 150); both are smoother in all."""
    s = drawn(seeds(1)[0])
    worse = {w: np.mean(s.errors(w) > s.errors(s.best)) for w in (1.0, 2.0)}
    smoother = min(np.mean(s.roughness(w) < s.roughness(s.best)) for w in (1.0, 2.0))
    record_property("larger error", f"w = 1 {worse[1.0]:.0%}, w = 2 {worse[2.0]:.0%}")
    assert worse[1.0] >= 0.97 and 0.8 < worse[2.0] and smoother > 0.95
    assert s.roughness(1.0).mean() < 0.3 * s.roughness(s.best).mean()
    rest = s.errors(2.0) < s.errors(s.best)
    truths = GRID[np.argmin([s.errors(w) for w in GRID], axis=0)]
    record_property("leave-one-out's w above the truth's", f"{np.mean((s.best > truths)[rest])} of the rest, "
                                                            f"{np.mean(s.best > truths):.0%} of all")
    assert (s.best > truths)[rest].all() and np.mean(s.best > truths) < 0.75


@pytest.mark.claim("14-penalty")
def test_a_root_as_a_penalty_breaks_down_or_hangs_on_its_factor(seeds, record_property):
    """λ = 1: smallest loss near w = 28, NaN in 7 %; λ = 30: at w = 0 in 43 to 74 %, NaN in 43 %; λ = 5 as left out."""
    s = drawn(seeds(1)[0])
    lost, found = {}, {}
    grid = np.concatenate([[0.0], GRID])
    losses = np.array([s.inside(np.full(COUNT, w), left_out=False)[0] for w in grid])
    for penalty in (1, 5, 30):
        w = s.start.copy()
        with np.errstate(invalid="ignore"):
            for _ in range(50):
                w = w - 0.01 * (s.inside(w, left_out=False)[1] + penalty * 0.5 / np.sqrt(w))
        lost[penalty] = np.mean(np.isnan(w))
        found[penalty] = grid[(losses + penalty * np.sqrt(grid)[:, None]).argmin(axis=0)]
    record_property("NaN", ", ".join(f"λ = {p}: {v:.0%}" for p, v in lost.items()))
    record_property("median w at λ = 1", f"{np.median(found[1]):.0f}")
    record_property("w = 0 at λ = 30", f"{np.mean(found[30] == 0):.0%}")
    assert 0 < lost[1] < lost[30] and lost[30] > 0.2
    assert 15 < np.median(found[1]) < 50 and np.mean(found[30] == 0) > 0.3
    ratio = s.errors(found[5]).mean() / s.errors(s.best).mean()
    record_property("error at λ = 5 / leave-one-out", f"{ratio:.2f}")
    assert 0.7 < ratio < 1.3 < s.errors(found[1]).mean() / s.errors(s.best).mean()
    rho = by_adam(lambda rho: s.inside(np.exp(rho))[1] * np.exp(rho), np.zeros(COUNT), 0.1, 100)
    assert np.mean(np.abs(np.exp(rho) / s.best - 1) < 0.2) > 0.8 and np.exp(rho).min() > 0


@pytest.mark.claim("14-plateau")
def test_far_from_the_valley_the_slope_vanishes(seeds, record_property):
    """Median |slope| 30 at w = 1 and 5e-11 at 1000, where Adam stays in 40 to 67 %, and in none if it adds 1e-300 in
    place of 1e-8; it walks from 100 by 2.5, plain steps by 0.02 (medians); 0 at 1e5."""
    s = drawn(seeds(1)[0])
    slopes = {w: np.abs(s.inside(np.full(COUNT, w))[1]) for w in (0.0, 1.0, 1000.0, 1e5)}
    record_property("median at 1 and 1000", f"{np.median(slopes[1.0]):.0f}, {np.median(slopes[1000.0]):.0e}")
    assert np.median(slopes[1.0]) > 5 and np.median(slopes[1000.0]) < 1e-5
    assert np.all(slopes[1e5] < 1e-290) and np.all(slopes[0.0] == 0)
    moved = {at: np.abs(by_adam(lambda w: s.inside(w)[1], np.full(COUNT, at), 0.05, 50) - at)
             for at in (100.0, 1000.0, 1e5)}
    stays = np.mean(moved[1000.0] < 0.01)
    tiny = by_adam(lambda w: s.inside(w)[1], np.full(COUNT, 1000.0), 0.05, 50, added=1e-300)
    plain = by_sgd(lambda w: s.inside(w)[1], np.full(COUNT, 100.0), 0.5, 5)
    assert np.abs(tiny - 1000).min() > 0.01 and slopes[1000.0][moved[1000.0] < 0.01].max() < 1e-9
    assert np.median(np.abs(plain - 100)) < 0.1 * np.median(moved[100.0])
    record_property("stay at 1000", f"{stays:.0%}")
    assert moved[100.0].min() > 1 and 0.2 < stays < 0.8 and moved[1e5].max() < 0.01


@pytest.mark.claim("14-per-key")
def test_a_w_for_each_key_is_smoother_at_first_and_no_better(seeds, record_property):
    """Five steps: roughness 0.01 against 0.36, error 0.30 against 0.13; then 0.07 at 20 and 0.13 at 200 steps. One w as
    large as the mean of the many: error 0.29. A rate of 25 for 0.5: |w| 22 for 1.3, roughness 0.42, error 0.14."""
    s = drawn(seeds(1)[0])
    each = np.random.default_rng(0).uniform(size=(COUNT, 50))
    kept = lambda w: s.inside(w, left_out=False)[1]                                    # noqa: E731
    five, one = by_sgd(kept, each, 0.5, 5), by_sgd(kept, s.start, 0.5, 5)
    runs = [by_adam(kept, each, 0.5, steps) for steps in (20, 200)]
    left_out = by_adam(lambda w: s.inside(w)[1], each, 0.5, 200)
    assert np.abs(five).mean() < 0.3 * np.abs(one).mean()
    alike, far = np.abs(five).mean(axis=1), by_sgd(kept, each, 25, 5)
    record_property("one w as large as the many", f"{s.errors(alike).mean():.3f}")
    assert abs(s.errors(alike).mean() / s.errors(five).mean() - 1) < 0.1 and s.roughness(alike).mean() < 0.03
    assert s.roughness(far).mean() > 0.8 * s.roughness(one).mean()
    assert s.errors(far).mean() < 0.7 * s.errors(five).mean()
    errors = [s.errors(w).mean() for w in (five, one, *runs, left_out, s.best)]
    record_property("errors", ", ".join(f"{e:.3f}" for e in errors))
    assert np.mean(s.roughness(five) < s.roughness(one)) > 0.9 and errors[0] > 1.5 * errors[1]
    assert errors[2] < 0.6 * errors[0] and errors[3] > 1.3 * errors[2]
    assert s.roughness(runs[1]).mean() > 2 * s.roughness(runs[0]).mean()
    assert 0.8 < errors[4] / errors[5] < 1.3


@pytest.mark.claim("14-itself")
def test_more_points_do_not_keep_w_from_running_away(seeds, record_property):
    """n = 450: loss 0.001 with a huge w, 0.23 at the optimum; errors 0.25 and 0.011; without noise 0.0002, and for
    n = 50 0.015 (0.010 in the median sample). A huge w for each key, of four sizes: losses as small, but 20 % of the
    queries choose another key."""
    found = sizes(seeds(1)[0])
    record_property("n = 450, losses", f"{found[450][3]:.3f} huge, {found[450][1]:.3f} at the optimum")
    record_property("errors", f"{found[450][4]:.3f} huge, {found[450][2]:.3f} at the optimum")
    for n in (50, 450):
        assert found[n][3] < 0.1 * found[n][1]
        assert 0.17 < found[n][4] < 0.36
    assert found[450][2] < 0.5 * found[50][2]
    s = drawn(seeds(1)[0])
    each = np.random.default_rng(1).uniform(5e4, 2e5, (COUNT, 50))
    other = (s.asked * each[:, None] ** 2).argmin(axis=2) != s.asked.argmin(axis=2)
    record_property("another key with a w for each", f"{other.mean():.0%}")
    assert s.inside(each, left_out=False)[0].max() / 50 < 0.05 and 0.1 < other.mean() < 0.35
    record_property("errors without noise", f"{found[50][5]:.4f}, {found[450][5]:.4f}")
    assert 0.006 < found[50][5] < 0.03 and found[450][5] < 0.002


def friedman(seed, n=300, alone=False):
    """alone: no feature matters but x3."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(size=(n, 6))
    others = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 10 * x[:, 3] + 5 * x[:, 4]
    truth = 20 * (x[:, 2] - 0.5) ** 2 + (0 if alone else others)
    return x, truth, truth + rng.standard_normal(n)


FEATURE_SAMPLES = 10


class Features:
    """Samples with six features, the errors (s,) of methods without a network, and learning curves of networks."""

    def __init__(self, first, alone=False):
        self.samples, new = ([friedman(seed, alone=alone) for seed in range(start, start + FEATURE_SAMPLES)]
                             for start in (first, first + 500))
        self.new = [(x, truth) for x, truth, _ in new]

    def rivals(self):
        found = {name: [] for name in ("straight line", "kernel regression", "local line", "widths")}
        for (x, _, y), (new, truth) in zip(self.samples[:4], self.new, strict=False):
            with_one = [np.column_stack([np.ones(len(a)), a]) for a in (x, new)]
            line = with_one[1] @ np.linalg.lstsq(with_one[0], y, rcond=None)[0]
            found["straight line"].append(np.mean((line - truth) ** 2))
            for name, pooling, start in (("kernel regression", constant_at, 0.25), ("local line", line_at, 0.5)):
                widths, least = np.full(6, start), np.inf
                for factor in (1, 2, 0.5, 2, 0.5):
                    for feature in range(6 if factor != 1 else 1):
                        tried = widths.copy()
                        tried[feature] *= factor
                        error = np.mean((pooling(x, x, y, tried, left_out=True) - y) ** 2)
                        if error < least:
                            widths, least = tried, error
                found[name].append(np.mean((pooling(new, x, y, widths) - truth) ** 2))
                found["widths"].append(widths)
        return {name: np.array(errors) for name, errors in found.items()}


def constant_at(queries, keys, values, widths, left_out=False):
    return local_weights(queries, keys, widths, left_out) @ values


def line_at(queries, keys, values, widths, left_out=False):
    """The height at each query of the straight line that is fitted around it."""
    weights = local_weights(queries, keys, widths, left_out)
    design = np.column_stack([np.ones(len(keys)), keys - 0.5])
    normal = (weights @ (design[:, :, None] * design[:, None, :]).reshape(len(keys), 49)).reshape(-1, 7, 7)
    right = weights @ (design * values[:, None])
    fit = np.linalg.solve(normal + 1e-9 * np.eye(7), right[..., None])[..., 0]
    return fit[:, 0] + ((queries - 0.5) * fit[:, 1:]).sum(axis=1)


def local_weights(queries, keys, widths, left_out):
    q, k = queries / widths, keys / widths
    scores = q @ k.T - 0.5 * (k**2).sum(axis=1)
    if left_out:
        scores = np.where(np.eye(len(keys), dtype=bool), -np.inf, scores)
    return softmax(scores)


@cache
def rivals(first, alone=False):
    return Features(first, alone).rivals()


@cache
def networks(first):
    """Learning curves (8, s) by kind and start, and the mean attention (s, 6, 6) after training and before."""
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    samples = Features(first)
    inputs, new = (torch.tensor(3.5 * (np.stack([one[0] for one in ones]) - 0.5)).float().mT.contiguous()
                   for ones in (samples.samples, samples.new))                         # (s, 6, n)
    y = torch.tensor(np.stack([y for _, _, y in samples.samples])).float()
    truth = torch.tensor(np.stack([truth for _, truth in samples.new])).float()
    middle, spread = y.mean(dim=1, keepdim=True), y.std(dim=1, keepdim=True)
    generator = torch.Generator().manual_seed(first)

    def normal(scale, *shape):
        return (scale * torch.randn(FEATURE_SAMPLES, *shape, generator=generator)).requires_grad_()

    def attention(p, x):
        """(s, asks, asked, n): a score is (x a + b) M (x a + b), four products of numbers that no x changes."""
        form = p["Q"].mT @ p["K"] / 8**0.5
        aa, ab, ba, bb = ((p[left].mT @ form @ p[right])[..., None] for left in "ab" for right in "ab")
        asks, asked = x[:, :, None], x[:, None]
        return torch.softmax(asks * asked * aa + asks * ab + asked * ba + bb, dim=2)

    def answers(p, x):
        hidden = p["a"] @ x + p["b"].sum(dim=2, keepdim=True) if "a" in p else x
        if "Q" in p:
            heard = attention(p, x).sum(dim=1)
            hidden = hidden + p["V"] @ (p["a"] @ (heard * x)) + p["V"] @ (p["b"] @ heard)
        return (p["u"] @ torch.tanh(p["W"] @ hidden + p["c"]) + p["d"])[:, 0]

    def token_by_token(p, x):
        """The same for one point of the first sample, by PyTorch's own attention."""
        p = {name: value[0] for name, value in p.items()}
        tokens = (p["a"] * x + p["b"]).T
        hidden = tokens + scaled_dot_product_attention(*(tokens @ p[name].T for name in "QKV"))
        return p["u"] @ torch.tanh(p["W"] @ hidden.sum(dim=0)[:, None] + p["c"]) + p["d"]

    def look(p):
        with torch.no_grad():
            return attention(p, new).mean(dim=3).numpy()

    curves, looks = {}, {}
    for size in (0.1, 0.2):
        for kind in ("attention", "tokens", "ordinary"):
            hidden, columns = (56, 6) if kind == "ordinary" else (16, 8)
            p = {"W": normal(size if kind == "ordinary" else 8**-0.5, hidden, columns), "c": normal(0.3, hidden, 1),
                 "u": normal(hidden**-0.5, 1, hidden), "d": normal(0.0, 1, 1)}
            if kind != "ordinary":
                p |= {"a": normal(size, 8, 6), "b": normal(size, 8, 6)}
            if kind == "attention":
                p |= {name: normal(8**-0.5, 8, 8) for name in "QKV"}
                assert torch.allclose(answers(p, new)[0, 7], token_by_token(p, new[0, :, 7]), atol=1e-5)
                looks.setdefault("untrained", look(p))
            walker, curve = torch.optim.Adam(p.values(), lr=0.03), []
            for step in range(1, 201):
                walker.zero_grad()
                ((answers(p, inputs) - (y - middle) / spread) ** 2).mean(dim=1).sum().backward()
                walker.step()
                if step % 25 == 0:
                    with torch.no_grad():
                        found = answers(p, new) * spread + middle
                    curve.append(((found - truth) ** 2).mean(dim=1).numpy())
            curves[kind, size] = np.stack(curve)
            if kind == "attention":
                looks[size] = look(p)
    return curves, looks


@pytest.mark.claim("14-constant-behind")
def test_kernel_regression_beats_the_straight_line_and_stays_far_behind_the_local_line(seeds, record_property):
    """Errors 6.3, 3.0 and 0.69. Widths of x4 and x5: 2 for the line, 0.12 to 0.25 for a constant; of x1 to x3 0.12.
    Where x3 alone matters, so that many keys are near, the constant is not behind: 0.08 and 0.12."""
    found = dict(rivals(seeds(1)[0]))
    widths = np.median(found.pop("widths").reshape(-1, 2, 6), axis=0)                  # constant, line
    record_property("widths", widths.round(2).tolist())
    assert widths[1, 3:5].min() > 2 * widths[1, :3].max() and widths[1, 3:5].min() > 2 * widths[0, :5].max()
    record_property("errors", ", ".join(f"{name} {e.mean():.2f}" for name, e in found.items()))
    assert np.all(found["kernel regression"] < 0.75 * found["straight line"])
    assert np.all(found["local line"] < 0.5 * found["kernel regression"])
    alone = rivals(seeds(1)[0], alone=True)
    record_property("x3 alone", ", ".join(f"{alone[name].mean():.2f}" for name in ("kernel regression", "local line")))
    assert alone["local line"].mean() > 0.9 * alone["kernel regression"].mean()


@pytest.mark.claim("14-peers")
def test_three_networks_and_a_local_line_are_peers(seeds, record_property):
    """At size 0.1 the smallest mean errors are 0.65 to 0.9, the local line 0.7; at 0.2 0.8 to 1.3 with attention."""
    curves, _ = networks(seeds(1)[0])
    line = rivals(seeds(1)[0])["local line"].mean()
    means = {key: curve.mean(axis=1) for key, curve in curves.items()}
    record_property("smallest", ", ".join(f"{kind} {size}: {m.min():.2f}" for (kind, size), m in means.items()))
    record_property("local line", f"{line:.2f}")
    least = {key: m.min() for key, m in means.items()}
    assert all(0.6 * line < least[kind, 0.1] < 1.6 * line for kind in ("attention", "tokens", "ordinary"))
    rises = {kind: least[kind, 0.2] - least[kind, 0.1] for kind in ("attention", "tokens", "ordinary")}
    record_property("rises", ", ".join(f"{kind} {rise:.2f}" for kind, rise in rises.items()))
    assert rises["attention"] > -0.1 and np.mean(list(rises.values())) > 0
    assert max(rises.values()) > 0.5 * abs(least["attention", 0.1] - least["tokens", 0.1])


@pytest.mark.claim("14-pair")
def test_the_pair_stands_out_more_often_than_others_but_not_always(seeds, record_property):
    """Above a sixth both ways: 70 to 100 % at size 0.1, 50 to 75 % at 0.2; other pairs about 20 %."""
    _, looks = networks(seeds(1)[0])
    shares = {}
    for name, look in looks.items():
        both = ((look > 1 / 6) & (look > 1 / 6).transpose(0, 2, 1)).mean(axis=0)
        others = np.mean([both[i, j] for i in range(5) for j in range(i) if (i, j) != (1, 0)])
        shares[name] = both[0, 1], others
        record_property(str(name), f"{both[0, 1]:.0%}, others {others:.0%}")
    trained = np.mean([shares[size] for size in (0.1, 0.2)], axis=0)
    assert trained[0] > trained[1] + 0.15 and trained[0] < 0.99
    assert trained[0] > shares["untrained"][0] + 0.1 and shares[0.1][0] > max(0.5, shares[0.2][0] - 0.11)
