"""The mistakes that `worth_of_w` knows by name, a tuple for each item. Most are the model with one option."""
from functools import partial

import numpy as np

from workbook.checks.item import named
from nwlab.exercises.common import scores_of_w as scores, softmax, weights_of_w
from nwlab.exercises.worth_of_w.model import best, error, gaps, left_out_errors, rules, slope, steps


def in_weights_and_measure(answer):
    """What can go wrong in the weights and in the mean of the squares, for an answer that takes these options."""
    return named(
        ("w stands outside the square", {"outside": True}),
        ("it divides by w: that is σ, not w", {"of_w": np.reciprocal}),
        ("the squares are not halved in the scores", {"half": 1.0}),
        ("the minus is missing in the scores: the farthest key gets most", {"sign": 1.0}),
        ("the softmax runs over the queries, not the keys", {"axis": 0}),
        ("w does not occur in the scores", {"of_w": lambda w: 1.0}),
        ("the ½ stands inside the square", {"half": 0.25}),
        ("the −½ stands inside the square: the farthest key gets most", {"half": 0.25, "sign": 1.0}),
        *(("the distance is not squared", {"square": size, "half": half})
          for size in (np.abs, np.positive) for half in (0.5, 1.0)),
        ("the mean of the sizes, not of the squares", {"measure": lambda residuals: np.mean(np.abs(residuals))}),
        ("the mean is squared, not the differences", {"measure": lambda residuals: np.mean(residuals) ** 2}),
        ("the square is forgotten", {"measure": np.mean}),
        ("the norm of the differences", {"measure": np.linalg.norm}),
        ("the root of the mean square", {"measure": lambda residuals: np.sqrt(np.mean(residuals**2))}),
        ("the variance of the differences: an error that all share is lost", {"measure": np.var}),
        ("a softmax of a softmax, or of kernel values", {"twice": True}),
        right=answer)


def from_scores(answers):
    """Of the scores (m, n) and the values, (m,)."""
    return lambda queries, targets, keys, values, w: np.mean(
        (answers(scores(queries, keys, w), values) - targets) ** 2)


ERROR = in_weights_and_measure(error) + named(
    ("it asks at the keys and compares with the noisy values",
     lambda queries, targets, keys, values, w: error(keys, values, keys, values, w)),
    ("a softmax of a softmax, or of kernel values", from_scores(lambda s, values: softmax(np.exp(s)) @ values)),
    ("weights times values were not added up", lambda queries, targets, keys, values, w: np.mean(
        (weights_of_w(queries, keys, w) * values - targets[:, None]) ** 2)),
    ("the scores are used as weights", from_scores(lambda s, values: s @ values)),
    ("the exponentials of a row do not sum to one", from_scores(lambda s, values: np.exp(s) @ values)),
    ("the whole table of weights sums to one", from_scores(lambda s, values: softmax(s, axis=None) @ values)),
    ("the mean of weights times values, not their sum",
     from_scores(lambda s, values: (softmax(s) * values).mean(axis=1))),
    ("the nearest key alone answers", from_scores(lambda s, values: values[s.argmax(axis=1)])),
    ("a table of all pairs, by accident: the answers are (m, 1)",
     from_scores(lambda s, values: (softmax(s) @ values)[:, None])),
    ("the squares are subtracted, not the numbers", lambda queries, targets, **p: np.mean(
        (weights_of_w(queries, p["keys"], p["w"]) @ p["values"]) ** 2 - targets**2)))

def left_out_answers(w, keys, values):
    return weights_of_w(keys, keys, w, itself=-np.inf) @ values


LEFT_OUT = named(
    ("no point is left out: each one attends to itself", {"itself": None}),
    ("the mask is the wrong way round: each point attends only to itself", lambda ws, **p: np.zeros(len(ws))),
    ("the values are not subtracted", lambda ws, keys, values: np.array(
        [np.mean(left_out_answers(w, keys, values) ** 2) for w in ws])),
    ("the diagonal is set to 0 after the softmax, so the weights no longer sum to one", {"itself": None, "late": 0.0}),
    right=left_out_errors) + in_weights_and_measure(left_out_errors)

BEST = named(
    ("the place of the best w, not w itself", lambda **p: np.argmin(left_out_errors(**p))),
    ("the smallest error, not the w that has it", lambda **p: np.min(left_out_errors(**p))),
    ("the largest w wins, as if no point were left out", {"itself": None}),
    ("the largest error, not the smallest", lambda ws, **p: ws[np.argmax(left_out_errors(ws, **p))]),
    ("the neighbour of the best", lambda ws, **p: ws[np.argmin(left_out_errors(ws, **p)) - 1]),
    ("the smallest of the ws", lambda ws, **p: np.min(ws)),
    *((name, lambda ws, of=of, **p: of(ws)) for name, of in (
        ("the middle of the ws, whatever the errors are", np.mean),
        ("the middle of the ws, whatever the errors are", np.median),
        ("always the first or the last of the ws", lambda ws: ws[0]),
        ("always the first or the last of the ws", lambda ws: ws[-1]))),
    ("the errors of the sorted widths, looked up in the unsorted ones",
     lambda ws, **p: ws[np.argmin(left_out_errors(np.sort(ws), **p))]),
    ("the widths are sorted before the errors are looked up",
     lambda **p: np.sort(p["ws"])[np.argmin(left_out_errors(**p))]),
    right=best)

RULES = named(
    ("the w is chosen by the error against the truth",
     lambda queries, targets, **p: rules(queries, targets, **p, choose=lambda ws, *sample: min(
         ws, key=lambda w: error(queries, targets, *sample, w)))),
    ("the fixed w in both columns", lambda **p: rules(**p)[:, [0, 0]]),
    ("the chosen w in both columns", lambda **p: rules(**p)[:, [1, 1]]),
    ("the w of the first sample is used for all", lambda keys, values, ws, **p: rules(
        keys=keys, values=values, ws=ws, **p, choose=lambda *_: best(ws, keys[0], values[0]))),
    ("the first sample's error in every row", lambda **p: np.repeat(rules(**p)[:1], len(p["keys"]), axis=0)),
    ("the first sample's error at the fixed w in every row", lambda **p: np.stack(
        [np.repeat(rules(**p)[:1, 0], len(p["keys"])), rules(**p)[:, 1]], axis=1)),
    *(("the second column holds the chosen w or its leave-one-out error, not its error against the truth",
       lambda measured=measured, **p: np.stack([rules(**p)[:, 0], rules(**p, measured=measured)[:, 1]], axis=1))
      for measured in (lambda queries, targets, keys, values, w: w,
                       lambda queries, targets, keys, values, w: left_out_errors([w], keys, values)[0])),
    ("the two w, not their errors", {"measured": lambda queries, targets, keys, values, w: w}),
    ("the errors at the sample's own keys",
     {"measured": lambda queries, targets, keys, values, w: error(keys, values, keys, values, w)}),
    ("the columns are swapped", lambda **p: rules(**p)[:, ::-1]),
    ("the place of the chosen w, not w itself", {"choose": lambda *sample: np.argmin(left_out_errors(*sample))}),
    ("no point is left out when w is chosen", {"choose": partial(best, itself=None)}),
    ("all samples together choose one w", lambda keys, values, ws, **p: rules(
        keys=keys, values=values, ws=ws, **p, choose=lambda *_: best(ws, keys.ravel(), values.ravel()))),
    ("leave-one-out errors, not errors against the truth",
     partial(rules, measured=lambda queries, targets, keys, values, w: left_out_errors([w], keys, values)[0])),
    right=rules)


def of_scores(formula):
    """formula: of the scores s (n,) and the distances d (n,) of the keys."""
    return lambda query, keys, w: formula(scores(query, keys, w), np.abs(query - keys))


GAPS = named(
    ("measured from the farthest key, not from the nearest", lambda s, d: s.min() - s),
    ("how far a key lies above the farthest", lambda s, d: s - s.min()),
    ("measured from the first key", lambda s, d: s[0] - s),
    ("measured from the mean", lambda s, d: s.mean() - s),
    ("w stands outside the square", {"outside": True}),
    ("only one of the two scores is halved", lambda s, d: s.max() - s / 2),
    ("log of weights that are 0 in the computer", lambda s, d: -np.log(softmax(s) / softmax(s).max())),
    ("the distance is not squared", lambda s, d: (np.sqrt(-2 * s) - np.sqrt(-2 * s.max())) / 2),
    ("the distance is not squared", lambda s, d: np.sqrt(-2 * s) - np.sqrt(-2 * s.max())),
    ("the scores are added, not subtracted", lambda s, d: s.max() + s),
    ("gaps of distances, not of scores", lambda s, d: d - d.min()),
    ("the square of a gap of distances, not a gap of squares", lambda s, d: (np.sqrt(-s) - np.sqrt(-s.max())) ** 2),
    ("the weights", lambda s, d: softmax(s)),
    ("gaps of weights, not of log-weights", lambda s, d: softmax(s).max() - softmax(s)),
    ("minus the scores, not their gaps", lambda s, d: -s),
    ("e to the power of minus the gap: weights beside the nearest key's", lambda s, d: np.exp(s - s.max())),
    of=of_scores, right=gaps) + named(
    ("the nearest key is sought by the difference, not by the distance", lambda query, keys, w: scores(
        query, keys, w)[np.argmin(query - keys)] - scores(query, keys, w)),
    ("the nearest key is sought by the difference, not by the distance", lambda query, keys, w: scores(
        query, keys, w)[np.argmin(keys - query)] - scores(query, keys, w)))


def loss(w, keys, values, factor):
    return factor * len(keys) * left_out_errors([w], keys, values)[0]


def quotient(w, step, back, **data):
    """How steep the loss is between w − step · back and w + step."""
    return (loss(w + step, **data) - loss(w - step * back, **data)) / (step * (1 + back))


SLOPE = named(
    ("the w of the inner derivative is missing", {"inner": lambda w: 1.0}),
    ("the inner derivative has w squared", {"inner": np.square}),
    ("the mean s̄ is not subtracted", {"mean": lambda weights, s: 0.0}),
    ("s̄ is subtracted from the columns: keepdims is missing", {"mean": lambda weights, s: (weights * s).sum(axis=1)}),
    ("s̄ is the sum of a column", {"mean": lambda weights, s: (weights * s).sum(axis=0)}),
    ("s̄ is divided by n once more", {"mean": lambda weights, s: (weights * s).mean(axis=1, keepdims=True)}),
    ("one s̄ for all points", {"mean": lambda weights, s: (weights * s).sum()}),
    ("s̄ is a mean without the weights", {"mean": lambda weights, s: s.mean(axis=1, keepdims=True)}),
    *(("the slopes of the answers are added up without their residuals", {"of_residual": lambda residual, two=two: two})
      for two in (1.0, 2.0)),
    ("w is not squared in the softmax", {"outside": True}),
    ("no point is left out: each one attends to itself", {"itself": None}),
    ("the squares are not halved in the scores", {"half": 1.0}),
    ("the answers, not their differences from the values", lambda w, keys, values, factor: slope(
        w, keys, values, factor, of_residual=lambda residual: 2 * (residual + values))),
    ("the squares stay squares", {"of_residual": np.square}),
    ("the loss, not its slope", loss),
    *(("a difference quotient with a step that is too large", partial(quotient, step=step, back=back))
      for step, back in ((0.1, 0), (0.1, 1), (0.01, 0), (0.01, 1), (1e-3, 0), (1e-4, 0))),
    right=slope)

STEPS = named(
    ("it climbs: the sign of the step is flipped", {"sign": 1.0}),
    *(("the factor has no effect", lambda factor, one=one, **p: steps(**p, factor=one)) for one in (1.0, 0.5)),
    ("the path begins after the first step", lambda w, **p: steps(steps(w, **p)[1], **p)),
    ("the path begins at 0, not at w", lambda w, **p: steps(0.0, **p)),
    ("each step begins at the start again", {"again": True}),
    ("the factor counts twice", lambda factor, **p: steps(**p, factor=factor**2)),
    ("the path lost its sign", lambda **p: np.abs(steps(**p))),
    ("the learning rate is left out", lambda learning_rate, **p: steps(**p, learning_rate=1.0)),
    ("each step uses the slope at the start", {"stale": True}),
    ("the step is divided by the number of points",
     lambda learning_rate, keys, **p: steps(learning_rate=learning_rate / len(keys), keys=keys, **p)),
    right=steps)
