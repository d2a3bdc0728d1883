"""The mistakes that `warm_up` knows by name. Each is written as a student would write it, so that it fails where theirs does."""
from __future__ import annotations

import numpy as np

from nwlab.checks.item import Mistake


def _gaps(queries, keys):
    return queries[:, None] - keys


def _scores(queries, keys, sigma):
    return -0.5 * (_gaps(queries, keys) / sigma) ** 2


def softmax(scores, shift=1, total=1, keep_shift=True, keep_total=True):
    """Softmax whose shift and total run over these axes (None: over everything; shift=False: no shift)."""
    if shift is not False:
        scores = scores - scores.max(axis=shift, keepdims=keep_shift)
    exps = np.exp(scores)
    return exps / exps.sum(axis=total, keepdims=keep_total)


def shifted(scores, shift):
    """Softmax of each row, after this function of the scores is subtracted."""
    return softmax(scores - shift(scores), False)


def _none(scores):
    return 0.0


def _row_mean(scores):
    return scores.mean(axis=1, keepdims=True)


def _hidden(weights, number=0):
    """This number where NaN was; None: one over the number of keys."""
    return np.nan_to_num(weights, nan=1 / weights.shape[1] if number is None else number)


DIFFERENCES = (
    Mistake("keys minus queries", "the table has the right shape and the wrong sign: which of the two comes first?",
            lambda queries, keys: -_gaps(queries, keys)),
    Mistake("no axis was added: (m,) meets (n,)", "they are laid on each other entry by entry. With m ≠ n that stops with an "
            "error, with m = n it gives n numbers without a message. For all pairs one of them has to be a column",
            lambda queries, keys: queries - keys),
    Mistake("the queries became a row, (1, m), not a column", "a row meets a row here, entry by entry. Which side of the comma "
            "does the new axis have to be on?", lambda queries, keys: queries[None, :] - keys),
    Mistake("both are columns: (m, 1) meets (n, 1)", "a table needs a column and a row: leave one of the two as it is",
            lambda queries, keys: queries[:, None] - keys[:, None]),
    Mistake("the wrong axis: the keys run down the rows", "rows are queries, columns are keys: which of the two has to be the "
            "column, (m, 1)?", lambda queries, keys: _gaps(queries, keys).T),
    Mistake("keys minus queries, and the keys run down the rows", "two things at once: which array has to be the column, (m, 1), "
            "and which one comes first?", lambda queries, keys: -_gaps(queries, keys).T),
    Mistake("the distances, without their sign", "the difference itself is asked for: negative where the key is larger",
            lambda queries, keys: abs(_gaps(queries, keys))),
    Mistake("the differences are squared", "that comes in the next function: here the difference itself is asked for",
            lambda queries, keys: _gaps(queries, keys) ** 2),
)

SCORES = (
    Mistake("the minus is missing", "scores above 0 that grow with the distance: the farthest key would get the most attention",
            lambda queries, keys, sigma: -_scores(queries, keys, sigma)),
    Mistake("the ½ is missing", "every score is twice the right one, as if the width were smaller by the factor √2",
            lambda queries, keys, sigma: 2 * _scores(queries, keys, sigma)),
    Mistake("the ½ is squared too", "the ½ stands outside the square", lambda queries, keys, sigma:
            _scores(queries, keys, sigma) / 2),
    Mistake("the minus and the ½ are squared too", "both stand outside the square: what is in your brackets?",
            lambda queries, keys, sigma: -_scores(queries, keys, sigma) / 2),
    Mistake("the minus and the ½ are missing", "the score is *minus one half* of a square", lambda queries, keys, sigma:
            -2 * _scores(queries, keys, sigma)),
    Mistake("σ where σ² belongs", "in the formula the width stands inside the square: what is squared in your line?",
            lambda queries, keys, sigma: _scores(queries, keys, sigma) * sigma),
    Mistake("σ is left out", "without the width a metre and a kilometre would be the same",
            lambda queries, keys, sigma: -0.5 * _gaps(queries, keys) ** 2),
    Mistake("multiplied by σ, not divided", "a larger width has to bring the scores nearer to 0", lambda queries, keys, sigma:
            -0.5 * (_gaps(queries, keys) * sigma) ** 2),
    Mistake("the differences are not squared", "what does ** bind to in your line? In `a / b**2` only b is squared",
            lambda queries, keys, sigma: -0.5 * _gaps(queries, keys) / sigma**2),
    Mistake("nothing is squared", "the score is minus one half of a square", lambda queries, keys, sigma:
            -0.5 * _gaps(queries, keys) / sigma),
    Mistake("the distance, not its square", "the score is minus one half of a square", lambda queries, keys, sigma:
            -0.5 * abs(_gaps(queries, keys)) / sigma),
    Mistake("these are kernel values, exp of the scores", "exp belongs to the softmax, which comes next",
            lambda queries, keys, sigma: np.exp(_scores(queries, keys, sigma))),
    Mistake("these are weights already", "the softmax comes next. Here its input is asked for", lambda queries, keys, sigma:
            softmax(_scores(queries, keys, sigma))),
)

_AXIS = "rows are queries, columns are keys. Each query shares out its own attention, so each *row* has to sum to one"
_KEEP = "with m = n it runs and is wrong, otherwise it stops with an error. A column, (m, 1), would meet each row"
_KEPT = "in each row one exponential is 1 and none is larger"
_FINITE = f"Which number do you have to subtract so that {_KEPT}?"
_SHIFT = "the shift has to be one number for each row: the row's largest score"

WEIGHTS = (
    Mistake("the wrong axis: the columns sum to one", _AXIS, lambda scores: softmax(scores, 0, 0)),
    Mistake("the wrong axis: the columns sum to one, and no shift", _AXIS, lambda scores: softmax(scores, False, 0)),
    Mistake("the whole table sums to one", f"a sum without axis runs over everything; {_AXIS}", lambda scores:
            softmax(scores, None, None)),
    Mistake("the whole table sums to one, and no shift", f"a sum without axis runs over everything; {_AXIS}", lambda scores:
            softmax(scores, False, None)),
    Mistake("no shift: 0/0 or ∞/∞ gives NaN", "adding one number to all scores of a row changes no weight. Which number "
            "makes sure that one exponential is 1 and none is infinite?", lambda scores: softmax(scores, False)),
    Mistake("one shift for the whole table", f"a row far below the others is still 0/0: {_SHIFT}", lambda scores:
            softmax(scores, None)),
    Mistake("the largest score is taken over the queries", f"entries of one row are shifted differently: {_SHIFT}",
            lambda scores: softmax(scores, 0, 1)),
    Mistake("the sum is taken over the queries", f"the shift is right. The sum is not: {_AXIS}", lambda scores:
            softmax(scores, 1, 0)),
    Mistake("the smallest score is subtracted", "then exp grows without bound: one exponential has to be 1 and the others smaller",
            lambda scores: softmax(scores - scores.min(axis=1, keepdims=True), False)),
    Mistake("the mean of the row is subtracted, not its largest score", f"that is enough only while the scores lie close together: "
            f"with −30000 and 0 in one row the mean is −15000, and exp of 0 + 15000 is infinite. {_FINITE}",
            lambda scores: shifted(scores, _row_mean)),
    Mistake("the mean of the whole table is subtracted", f"each row needs its own shift. {_FINITE}", lambda scores:
            shifted(scores, np.mean)),
    Mistake("the wrong sign of the shift: the largest score is added", f"that doubles the largest score of a row, and brings none to "
            f"0. {_FINITE}", lambda scores: shifted(scores, lambda s: -s.max(axis=1, keepdims=True))),
    *(Mistake(f"the NaN is hidden, not avoided: {put} stands in its place{how}", f"the exponentials are lost before, as 0 or ∞, "
              f"and what you put there is not the softmax. No NaN comes up in the first place if {_KEPT}",
              lambda scores, number=number, shift=shift: _hidden(shifted(scores, shift), number))
      for how, shift in (("", _none), (", behind a shift by the mean", _row_mean))
      for put, number in (("0", 0), ("1/n", None), ("1", 1))),
    Mistake("the NaN is hidden, not avoided: a small number in the denominator", "0/ε is 0, so a row that is far from all keys gets "
            f"no weights at all, and ∞/∞ is still NaN. Nothing has to be added if {_KEPT}",
            lambda scores: np.exp(scores) / (np.exp(scores).sum(axis=1, keepdims=True) + 1e-12)),
    Mistake("the sums are (m,), not (m, 1)", _KEEP, lambda scores: softmax(scores, keep_total=False)),
    Mistake("the sums are (m,), not (m, 1), and no shift", _KEEP, lambda scores: softmax(scores, False, keep_total=False)),
    Mistake("the largest scores are (m,), not (m, 1)", _KEEP, lambda scores: softmax(scores, keep_shift=False)),
    Mistake("the largest scores and the sums are (m,), not (m, 1)", _KEEP, lambda scores:
            softmax(scores, keep_shift=False, keep_total=False)),
    Mistake("the normalisation is missing", "each row has to sum to one: what are exponentials divided by?", lambda scores:
            np.exp(scores - scores.max(axis=1, keepdims=True))),
    Mistake("the normalisation is missing, and no shift", "each row has to sum to one: what are exponentials divided by?",
            lambda scores: np.exp(scores)),
    Mistake("nothing is exponentiated", "scores divided by their sum are no weights: the lowest score would get the most",
            lambda scores: scores / scores.sum(axis=1, keepdims=True)),
    Mistake("the softmax of minus the scores", "the highest score has to get the largest weight; the minus is in the scores "
            "already", lambda scores: softmax(-scores)),
    Mistake("hard attention: the highest score gets everything", "the softmax gives every key a share",
            lambda scores: np.eye(scores.shape[1])[scores.argmax(axis=1)]),
    Mistake("the scores are cut off", "clipping makes scores equal that are not. Shift them instead", lambda scores:
            softmax(np.clip(scores, -700, 700), False)),
)


def _each(weights, values):
    """One answer for all queries, repeated."""
    return np.tile(values, (len(weights), 1)) if np.ndim(values) else np.full(len(weights), values)


POOL = (
    Mistake("the mean of weight × value, not the sum", "the weights of a row sum to one already: nothing is left to be divided "
            "by n", lambda weights, values: weights @ values / len(values)),
    Mistake("the weights are left out: average pooling", "every query gets the same answer", lambda weights, values:
            _each(weights, values.mean(axis=0))),
    Mistake("the wrong axis: the sum runs over the queries", "weights are (m, n) and values (n,): the axis n has to meet n",
            lambda weights, values: weights.T @ values),
    Mistake("values @ weights: the values meet the queries", "in a product the last axis of the left one meets the first "
            "of the right one: which order lets n meet n?", lambda weights, values: values @ weights),
    Mistake("it works for values (n,) only", "with values (n, c), `weights * values` lays tables on each other that do not belong "
            "together. Which product does (m, n) with (n,) and (m, n) with (n, c) alike?", lambda weights, values:
            (weights * values).sum(axis=1)),
    Mistake("it works for values (n, c) only", "with values (n,) an axis too many comes up, and nobody says so. Which product does "
            "(m, n) with (n,) and (m, n) with (n, c) alike?", lambda weights, values: (weights[..., None] * values).sum(axis=1)),
    Mistake("weight × value is not summed", "pooling makes one answer for each query: the axis of the keys has to vanish",
            lambda weights, values: weights * values),
    Mistake("weight × value is not summed: (m, n, c)", "pooling makes one answer for each query: the axis of the keys has to vanish",
            lambda weights, values: weights[..., None] * values),
    Mistake("weight × value is summed over the queries, not over the keys", "`axis=0` is the axis of the queries, and that one has "
            "to stay. And with values (n, c) the product entry by entry does not fit", lambda weights, values:
            (weights * values).sum(axis=0)),
    Mistake("weight × value is summed over everything", "a sum without `axis=` leaves one number. There is one answer for each "
            "query: which axis has to vanish?", lambda weights, values: (weights * values).sum()),
    Mistake("weight × value is summed over the last axis", "with (m, n, c) that is the axis of what a value consists of. The axis "
            "of the keys has to vanish", lambda weights, values: (weights[..., None] * values).sum(axis=2)),
    Mistake("the mean of weight × value, for values (n,) only", "the weights of a row sum to one already: nothing is left to be "
            "divided by n", lambda weights, values: (weights * values).mean(axis=1)),
    Mistake("the values are transposed: n meets c", "that changes nothing for values (n,). With values (n, c) the last axis of the "
            "weights has to meet the first of the values", lambda weights, values: weights @ values.T),
    Mistake("a softmax of the weights", "they are weights already: they come from your softmax, and pooling takes them as they are",
            lambda weights, values: softmax(weights) @ values),
    Mistake("hard attention: only the value with the largest weight", "every value counts, with its weight",
            lambda weights, values: values[weights.argmax(axis=1)]),
)


def _attend(score, normalise=softmax):
    """Pooling with these scores, a function of differences and sigma."""
    return lambda queries, keys, values, sigma: normalise(score(_gaps(queries, keys), sigma)) @ values


def gaussian(gaps, sigma):
    return -0.5 * (gaps / sigma) ** 2


_SAFE = "a weights_of that holds is safe there"

ATTEND = (
    Mistake("keys where values belong", "areas came back, and prices were asked for: what is pooled, the keys or the values?",
            lambda queries, keys, values, sigma: softmax(_scores(queries, keys, sigma)) @ keys),
    Mistake("values where keys belong", "the queries are areas. Which of the two arrays can they be compared with?",
            lambda queries, keys, values, sigma: softmax(_scores(queries, values, sigma)) @ values),
    Mistake("queries and keys are swapped", "the first argument of scores_of is the one that asks", lambda queries, keys, values,
            sigma: softmax(_scores(keys, queries, sigma)) @ values),
    Mistake("average pooling: the query plays no part", "a house of 60 m² and one of 130 m² get the same answer",
            lambda queries, keys, values, sigma: np.full(len(queries), values.mean())),
    Mistake("hard attention: only the nearest key counts", "Nadaraya–Watson lets every key count, with its weight",
            lambda queries, keys, values, sigma: values[abs(_gaps(queries, keys)).argmin(axis=1)]),
    Mistake("the scores have no minus", "far keys get the large weights", _attend(lambda g, s: -gaussian(g, s))),
    Mistake("the scores have no ½", "the weights are those of a smaller width", _attend(lambda g, s: 2 * gaussian(g, s))),
    Mistake("σ where σ² belongs", "the width stands inside the square", _attend(lambda g, s: s * gaussian(g, s))),
    Mistake("σ is left out", "the answers do not depend on the width", _attend(lambda g, s: gaussian(g, 1))),
    Mistake("the softmax runs over the queries", "each row of weights has to sum to one", _attend(
        gaussian, lambda scores: softmax(scores, 0, 0))),
    Mistake("the normalisation is missing", "kernel values are no weights: an answer has to lie between the smallest and the "
            "largest value", _attend(gaussian, np.exp)),
    Mistake("the softmax is missing: the values are pooled with the scores", "there are three steps: scores, weights, pooling",
            _attend(gaussian, lambda scores: scores)),
    Mistake("NaN far from all keys: no shift", f"{_SAFE}: is it used?", _attend(gaussian, lambda scores: softmax(scores, False))),
    Mistake("the scores are shifted by their mean, not by the largest", f"one key far away is enough for NaN. {_SAFE}: is it used?",
            _attend(gaussian, lambda scores: shifted(scores, _row_mean))),
    Mistake("the wrong sign of the shift: the largest score is added", f"{_SAFE}: is it used?", _attend(
        gaussian, lambda scores: shifted(scores, lambda s: -s.max(axis=1, keepdims=True)))),
    *(Mistake(f"the NaN is hidden, not avoided: 0 stands in its place{how}", f"0 is not the answer there. {_SAFE}: is it used?",
              _attend(gaussian, lambda scores, shift=shift: _hidden(shifted(scores, shift))))
      for how, shift in (("", _none), (", behind a shift by the mean", _row_mean))),
    Mistake("the mean of weight × value, not the sum", "the weights of a row sum to one already", _attend(
        gaussian, lambda scores: softmax(scores) / scores.shape[1])),
    Mistake("the weights are returned, not the answers", "pooling comes last", lambda queries, keys, values, sigma:
            softmax(_scores(queries, keys, sigma))),
)
