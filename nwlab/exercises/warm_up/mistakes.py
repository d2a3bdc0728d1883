"""The mistakes that `warm_up` knows by name, beside what any item knows. They use NumPy, those of torch items too."""
import numpy as np

from nwlab.checks.item import named


def gaussian(gaps, sigma):
    return -0.5 * (gaps / sigma) ** 2


def softmax(scores, shift=lambda scores: scores.max(axis=1, keepdims=True), axis=1, keepdims=True):
    """Softmax of each row. shift: a function of the scores, subtracted first; axis and keepdims are the sum's."""
    exps = np.exp(scores - shift(scores))
    return exps / exps.sum(axis=axis, keepdims=keepdims)


def attend(weights):
    """Nadaraya–Watson with these weights, a function of the scores."""
    return lambda queries, keys, values, sigma: weights(gaussian(queries[:, None] - keys, sigma)) @ values


DIFFERENCES = named(
    ("no axis was added: (m,) meets (n,)", "they are laid on each other entry by entry. With m ≠ n that stops with an "
     "error, with m = n it gives n numbers without a message. For all pairs one of them has to be a column",
     lambda queries, keys: queries - keys),
    ("the queries became a row, (1, m), not a column", "a row meets a row here, entry by entry. Which side of the "
     "comma does the new axis have to be on?", lambda queries, keys: queries[None, :] - keys),
    ("the distances, without their sign", "the difference itself is asked for: negative where the key is larger",
     lambda queries, keys: abs(queries[:, None] - keys)),
    ("the differences are squared", "that comes in the next function: here the difference itself is asked for",
     lambda queries, keys: (queries[:, None] - keys) ** 2))

SCORES = named(
    ("the differences are not squared", "what does ** bind to in your line? In `a / b**2` only b is squared",
     lambda queries, keys, sigma: -0.5 * (queries[:, None] - keys) / sigma**2),
    ("nothing is squared", "the score is minus one half of a square",
     lambda queries, keys, sigma: -0.5 * (queries[:, None] - keys) / sigma),
    ("these are kernel values, exp of the scores", "exp belongs to the softmax, which comes next",
     lambda queries, keys, sigma: np.exp(gaussian(queries[:, None] - keys, sigma))),
    ("these are weights already", "the softmax comes next. Here its input is asked for",
     lambda queries, keys, sigma: softmax(gaussian(queries[:, None] - keys, sigma))))

AXIS = "rows are queries, columns are keys. Each query shares out its own attention, so each *row* has to sum to one"
KEEP = "with m = n it runs and is wrong, otherwise it stops with an error. A column, (m, 1), would meet each row"
KEPT = "in each row one exponential is 1 and none is larger"

WEIGHTS = named(
    ("the wrong axis: the columns sum to one", AXIS, lambda scores: softmax(scores.T).T),
    ("the whole table sums to one", f"a sum without axis runs over everything; {AXIS}",
     lambda scores: softmax(scores, np.max, None)),
    ("no shift: 0/0 or ∞/∞ gives NaN", "adding one number to all scores of a row changes no weight. Which number makes "
     "sure that one exponential is 1 and none is infinite?", lambda scores: softmax(scores, np.zeros_like)),
    ("one shift for the whole table", "a row far below the others is still 0/0: the shift has to be one number for "
     "each row: the row's largest score", lambda scores: softmax(scores, np.max)),
    ("the sum is taken over the queries", f"the shift is right. The sum is not: {AXIS}",
     lambda scores: softmax(scores, axis=0)),
    ("the NaN is hidden, not avoided: 0 stands in its place", "the exponentials are lost before, as 0 or ∞, "
     f"and what you put there is not the softmax. No NaN comes up in the first place if {KEPT}",
     lambda scores: np.nan_to_num(softmax(scores, np.zeros_like))),
    ("the NaN is hidden, not avoided: a small number in the denominator", "0/ε is 0, so a row that is far from "
     f"all keys gets no weights at all, and ∞/∞ is still NaN. Nothing has to be added if {KEPT}",
     lambda scores: np.exp(scores) / (np.exp(scores).sum(axis=1, keepdims=True) + 1e-12)),
    ("the sums are (m,), not (m, 1)", KEEP, lambda scores: softmax(scores, keepdims=False)),
    ("the largest scores are (m,), not (m, 1)", KEEP, lambda scores: softmax(scores, lambda s: s.max(axis=1))),
    ("the largest scores and the sums are (m,), not (m, 1)", KEEP,
     lambda scores: softmax(scores, lambda s: s.max(axis=1), keepdims=False)),
    ("the normalisation is missing", "each row has to sum to one: what are exponentials divided by?",
     lambda scores: np.exp(scores - scores.max(axis=1, keepdims=True))))

POOL = named(
    ("the weights are left out: average pooling", "every query gets the same answer",
     lambda weights, values: np.full_like(weights, 1 / len(values)) @ values),
    ("the wrong axis: the sum runs over the queries", "weights are (m, n) and values (n,): the axis n has to meet n",
     lambda weights, values: weights.T @ values),
    ("values @ weights: the values meet the queries", "in a product the last axis of the left one meets the first of "
     "the right one: which order lets n meet n?", lambda weights, values: values @ weights),
    ("it works for values (n,) only", "with values (n, c), `weights * values` lays tables on each other that do not "
     "belong together. Which product does (m, n) with (n,) and (m, n) with (n, c) alike?",
     lambda weights, values: (weights * values).sum(axis=1)),
    ("it works for values (n, c) only", "with values (n,) an axis too many comes up, and nobody says so. Which product "
     "does (m, n) with (n,) and (m, n) with (n, c) alike?",
     lambda weights, values: (weights[..., None] * values).sum(axis=1)),
    ("weight × value is not summed", "pooling makes one answer for each query: the axis of the keys has to vanish",
     lambda weights, values: weights * values),
    ("a softmax of the weights", "they are weights already: they come from your softmax, and pooling takes them as "
     "they are", lambda weights, values: softmax(weights) @ values))

ATTEND = named(
    ("keys where values belong", "areas came back, and prices were asked for: what is pooled, the keys or the values?",
     lambda queries, keys, values, sigma: attend(softmax)(queries, keys, keys, sigma)),
    ("values where keys belong", "the queries are areas. Which of the two arrays can they be compared with?",
     lambda queries, keys, values, sigma: attend(softmax)(queries, values, values, sigma)),
    ("queries and keys are swapped", "the first argument of scores_of is the one that asks",
     lambda queries, keys, values, sigma: attend(softmax)(keys, queries, values, sigma)),
    ("the normalisation is missing",
     "kernel values are no weights: an answer has to lie between the smallest and the largest value", attend(np.exp)),
    ("the softmax is missing: the values are pooled with the scores", "there are three steps: scores, weights, pooling",
     attend(lambda scores: scores)),
    ("NaN far from all keys: no shift", "a weights_of that holds is safe there: is it used?",
     attend(lambda scores: softmax(scores, np.zeros_like))))

MEET = "n has to meet n: in a product the last axis of the left one meets the last but one of the right one"

BATCHES = named(
    ("the mean of weight × value, not the sum", "pooling is a weighted *sum*: nothing is left to be divided by n",
     lambda weights, values: weights @ values / weights.shape[2]),
    ("the weights are normalised once more", "pooling takes the weights as they are, also where a row does not sum to "
     "one", lambda weights, values: weights / weights.sum(axis=2, keepdims=True) @ values),
    ("the weights are transposed: m meets n", MEET, lambda weights, values: weights.swapaxes(1, 2) @ values),
    ("the values are transposed: n meets c", MEET, lambda weights, values: weights @ values.swapaxes(1, 2)),
    ("values @ weights: the wrong one is on the left", MEET, lambda weights, values: values @ weights),
    ("weight × value is not summed", "multiplying entry by entry lays tables on each other that do not belong "
     "together. A batched matrix product multiplies and sums", lambda weights, values: weights * values))

BOTH = ("print queries.shape beside keys.shape for both kinds of queries. What has to be true of the queries before "
        "they meet?")

ROWS = named(
    ("queries of shape (m,) meet the keys without an axis more", "(m,) is read as a row, (1, m): query j meets "
     f"column j. With m = n it runs and is wrong. {BOTH}",
     lambda queries, keys, sigma: gaussian(queries - keys, sigma)),
    ("an axis too many: queries of shape (m, 1) become (m, 1, 1)", "then the scores are (m, m, n), and a "
     f"softmax over axis 1 would run over the queries. {BOTH}",
     lambda queries, keys, sigma: gaussian(queries[:, None] - keys, sigma)),
    ("the queries are made a row, (1, m), not a column", "query i belongs to row i of the keys",
     lambda queries, keys, sigma: gaussian(queries.reshape(1, -1) - keys, sigma)),
    ("each row holds all queries: repeated in the wrong order",
     "q₁ q₂ q₁ q₂ … is not q₁ q₁ … q₂ q₂ …. Print the repeated queries. A column needs no copies at all",
     lambda queries, keys, sigma: gaussian(np.tile(queries.ravel(), keys.shape[1]).reshape(keys.shape) - keys, sigma)))
