"""The model of `worth_of_w`: right by default, and so the oracles and the figures; an option makes one thing wrong.

Throughout a query's weights are softmax over i of -1/2 ((q - k_i) w)^2.
"""
import numpy as np

from nwlab.exercises.common import scores_of_w as scores, weights_of_w


def error(queries, targets, keys, values, w, **how):
    """A number."""
    return np.mean((weights_of_w(queries, keys, w, **how) @ values - targets) ** 2)


def left_out_errors(ws, keys, values, itself=-np.inf, late=1.0, **how):
    """(g,). late: what the diagonal of the weights is multiplied by when the softmax is over."""
    factor = np.where(np.eye(len(keys)), late, 1.0)
    weights = [factor * weights_of_w(keys, keys, w, itself=itself, **how) for w in ws]
    return np.array([np.mean((each @ values - values) ** 2) for each in weights])


def best(ws, keys, values, **how):
    """A number."""
    return ws[np.argmin(left_out_errors(ws, keys, values, **how))]


def rules(queries, targets, keys, values, fixed_w, ws, choose=best, measured=error):
    """(s, 2). choose(ws, keys, values): the w of one sample; measured: the judge of both rules."""
    return np.array([[measured(queries, targets, *pair, w) for w in (fixed_w, choose(ws, *pair))]
                     for pair in zip(keys, values)])


def gaps(query, keys, w, **how):
    """(n,)"""
    below = scores(query, keys, w, **how)
    return below.max() - below


def slope(w, keys, values, factor, mean=lambda weights, s: (weights * s).sum(axis=1, keepdims=True),
          inner=np.positive, itself=-np.inf):
    """The slope of the summed loss, a number, by the formula of the notebook. mean: of s, in each row; inner: of w."""
    s, weights = np.subtract.outer(keys, keys) ** 2, weights_of_w(keys, keys, w, itself=itself)
    change = -(weights * (s - mean(weights, s))) @ values * inner(w)
    return 2 * factor * np.sum((weights @ values - values) * change)


def steps(w, keys, values, learning_rate, factor, sign=-1.0, again=False):
    """(6,). again: each step begins at the start."""
    path = [float(w)]
    for _ in range(5):
        step = sign * learning_rate * slope(path[-1], keys, values, factor)
        path.append(path[0 if again else -1] + step)
    return np.array(path)
