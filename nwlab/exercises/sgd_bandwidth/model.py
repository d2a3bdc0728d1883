"""The model of `sgd_bandwidth`: right by default, and so the oracles and the figures; an option makes one thing wrong.

Throughout the weights are softmax_i(-1/2 ((q - k_i) w)^2), and w = exp(rho). No automatic differentiation has a say in
what slope is right.
"""
import numpy as np

from nwlab.exercises.common import weights_of_w, with_slope


def mask(n):
    """(n, n)"""
    return ~np.eye(n, dtype=bool)


def attention(w, keys, leave_one_out, axis=1):
    """The weights of all points, (n, n)."""
    return weights_of_w(keys, keys, w, axis, itself=-np.inf if leave_one_out else None)


def squares(answers, values):
    return np.sum((answers - values) ** 2)


def loss(w, keys, values, leave_one_out=False, axis=1, end=squares):
    """A number. end(answers, values): what is made of both."""
    return end(attention(w, keys, leave_one_out, axis) @ values, values)


def slope_in_w(w, *at, **how):
    """d loss / d w."""
    return with_slope(loss, w, *at, **how)[1]


def slope(rho, *at, **how):
    """d loss / d rho, by d w / d rho = w."""
    w = np.exp(np.clip(rho, -300.0, 300.0))                  # where a mistake runs away, not beyond what a float holds
    return w * slope_in_w(w, *at, **how)


def walk(place, keys, values, leave_one_out, learning_rate, steps, slope=slope):
    """Gradient descent, (steps + 1,)."""
    places = [float(place)]
    for _ in range(steps):
        places.append(places[-1] - learning_rate * slope(places[-1], keys, values, leave_one_out))
    return np.array(places)


def path(rho, **how):
    """The w on the way, (steps + 1,)."""
    return np.exp(walk(rho, **how))


def losses(grid, keys, values, leave_one_out=True):
    return np.array([loss(w, keys, values, leave_one_out) for w in grid])


def best(grid, keys, values, leave_one_out=True):
    """A number."""
    return grid[losses(grid, keys, values, leave_one_out).argmin()]


def error(w, keys, values, queries, truth, axis=1, end=lambda answers, truth: np.mean((answers - truth) ** 2)):
    """A number. end(answers, truth): what is made of both."""
    return end(weights_of_w(queries, keys, w, axis) @ values, truth)
