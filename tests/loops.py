"""Every estimator once more, as loops over Python numbers: slow, in the words of its formula, and independent.

Used as oracles. A point is a number, or a list of its features.
"""
import math

import numpy as np
from scipy.integrate import quad

import nwlab


class _Profiles(dict):
    def __missing__(self, name):
        """Of a kernel that is not in the table yet: its own formula, as Python computes it."""
        kernel = nwlab.KERNELS[name]
        return lambda u: eval(kernel.formula, {**vars(math), "u": u}) if u <= kernel.support else 0.0


PROFILES = _Profiles(
    gaussian=lambda u: math.exp(-u * u / 2),
    boxcar=lambda u: 1.0 if u <= 1 else 0.0,
    constant=lambda u: 1.0,
    triangular=lambda u: max(0.0, 1 - u),
    epanechnikov=lambda u: max(0.0, 1 - u * u),
    biweight=lambda u: max(0.0, 1 - u * u) ** 2,
    triweight=lambda u: max(0.0, 1 - u * u) ** 3,
    tricube=lambda u: max(0.0, 1 - u**3) ** 3,
    cosine=lambda u: math.cos(math.pi / 2 * u) if u < 1 else 0.0,
    exponential=lambda u: math.exp(-u))


def integral(profile, d):
    """int K(|u|) over the line, the plane or space; infinite for a profile that falls too slowly."""
    sphere = {1: lambda r: 2, 2: lambda r: 2 * math.pi * r, 3: lambda r: 4 * math.pi * r * r}[d]
    if profile(1e9) * sphere(1e9) * 1e9 > 1e-3:
        return math.inf
    edges = [0, 1, 8, math.inf]
    return sum(quad(lambda r: profile(r) * sphere(r), *ends, epsabs=1e-13)[0] for ends in zip(edges, edges[1:]))


def scaled(queries, keys, h):
    """u = |(q - k) / h| for every pair; h is a number, (d,) per feature, (m, 1) per query or (1, n) per key."""
    queries, keys, h = [point(q) for q in queries], [point(k) for k in keys], np.asarray(h)
    widths = np.broadcast_to(h[..., None] if h.ndim == 2 else h, (len(queries), len(keys), len(keys[0]))).tolist()
    return [[math.hypot(*((x - y) / w for x, y, w in zip(q, k, widths[i][j], strict=True))) for j, k in enumerate(keys)]
            for i, q in enumerate(queries)]


def weights(queries, keys, profile, h, allowed=lambda i, j: True):
    """Rows of attention weights; None in place of a row without a key in reach."""
    rows = []
    for i, row in enumerate(scaled(queries, keys, h)):
        raw = [profile(u) if allowed(i, j) else 0.0 for j, u in enumerate(row)]
        total = math.fsum(raw)
        rows.append([w / total for w in raw] if total > 0 else None)
    return rows


def nadaraya_watson(queries, keys, values, profile, h, allowed=lambda i, j: True):
    """The weighted averages; NaN without a key in reach."""
    return [math.nan if row is None else math.fsum(w * v for w, v in zip(row, values, strict=True))
            for row in weights(queries, keys, profile, h, allowed)]


def nearest(queries, keys, values, k):
    """The average over all ways of choosing k nearest keys: tied keys share the places that are left equally."""
    answers = []
    for q in queries:
        distances = [math.dist(point(q), point(key)) for key in keys]
        limit = sorted(distances)[k - 1]
        closer = [v for v, d in zip(values, distances, strict=True) if d < limit]
        tied = [v for v, d in zip(values, distances, strict=True) if d == limit]
        answers.append((math.fsum(closer) + (k - len(closer)) * math.fsum(tied) / len(tied)) / k)
    return answers


def leave_one_out_error(keys, values, profile, h):
    """Remove a point, predict it from the rest, square the residual, average; infinite if one cannot be predicted."""
    predicted = nadaraya_watson(keys, keys, values, profile, h, lambda i, j: i != j)
    squares = [math.inf if math.isnan(p) else (p - v) ** 2 for p, v in zip(predicted, values, strict=True)]
    return math.fsum(squares) / len(keys)


def point(x):
    """A number as a point with one feature."""
    return [float(x)] if not hasattr(x, "__len__") else [float(part) for part in x]
