"""What the problems and oracles of several exercises are made with."""
import numpy as np


BY_HAND = {"keys": np.array([0.0, 1.0, 3.0]), "values": np.array([1.0, 2.0, 6.0])}


def sample(rng, n, noise=0.5):
    """Keys (n,) in 0..5, sorted, no two of them close, and values (n,)."""
    keys = 5 * (np.arange(n) + rng.uniform(0.15, 0.85, n)) / n
    return {"keys": keys, "values": 2 * np.sin(keys) + keys**0.8 + noise * rng.standard_normal(n)}


def size(rng, least: int) -> int:
    """One of three sizes, so that no size is the same for every seed."""
    return int(rng.integers(least, least + 3))


def float32(*inputs) -> tuple:
    """The arrays in float32, all else as it is."""
    return tuple(x.astype(np.float32) if isinstance(x, np.ndarray) else x for x in inputs)


def single(inputs: dict) -> dict:
    """The same of inputs by name."""
    return dict(zip(inputs, float32(*inputs.values())))


def softmax(scores, axis=-1, shift=None, total=None):
    """Of each row, or along another axis, or (None) over the whole table: written out, as the oracles trust nobody.

    May be wrong: shift, of the scores, and total, of their exponentials. Complex scores are allowed, for a slope.
    """
    powers = np.exp(scores - (shift(scores) if shift else scores.real.max(axis=axis, keepdims=True)))
    return powers / (total(powers) if total else powers.sum(axis=axis, keepdims=True))


def with_slope(loss, w, *at, **how):
    """loss(w, ...) and its slope by a complex step (Squire and Trapp 1998), exact to the last digits."""
    stepped = loss(complex(w, 1e-30), *at, **how)
    return float(stepped.real), stepped.imag / 1e-30


def scores_of_w(queries, keys, w, outside=False, half=0.5, sign=-1.0, of_w=None, square=np.square,
                scaled=lambda queries, keys, w: np.subtract.outer(queries, keys) * w):
    """-1/2 ((q - k) w)^2 for all pairs, (m, n). May be wrong: w outside of the square, or any of the other parts."""
    w = of_w(w) if of_w else w
    return sign * half * (square(scaled(queries, keys, 1.0)) * w if outside else square(scaled(queries, keys, w)))


def weights_of_w(queries, keys, w, axis=-1, twice=False, itself=None, shift=None, total=None, softmax=softmax, **wrong):
    """Softmax of `scores_of_w`, (m, n). w: a number, (n,), (m, 1) or (m, n). itself: the score on the diagonal."""
    scores = scores_of_w(queries, keys, w, **wrong)
    scores = softmax(scores) if twice else scores
    if itself is not None:
        scores = np.where(np.eye(*scores.shape, dtype=bool), itself, scores)
    return softmax(scores, axis, shift, total)
