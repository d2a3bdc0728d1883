"""The items of `worth_of_w` about the second and the third question: sharper weights, the slope of the loss, five steps."""
from __future__ import annotations

import numpy as np

from nwlab.exercises.worth_of_w import problems
from nwlab.exercises.worth_of_w import wrong
from nwlab.checks.item import Item, Mistake

MAY_USE = ("masked_softmax",)


def _gaps(query, keys, w, power=2, scale=0.5):
    distances = np.abs(query - keys)
    return scale * w**power * (distances**2 - distances.min() ** 2)


def _scores(query, keys, w, **how):
    return wrong.scores(np.array([query]), keys, w, **how)[0]


def _below(scores):
    return scores.max() - scores


def _log_sum(scores):
    return scores.max() + np.log(np.exp(_below(scores) * -1).sum())


def _with_logs(query, keys, w):
    weights = wrong.softmax(_scores(query, keys, w))
    return np.log(weights.max()) - np.log(weights)


def _letter_by_letter(query, keys, w):
    scores = _scores(query, keys, w)
    return _below(scores - np.log(np.exp(scores).sum()))


NO_WEIGHTS = ("do not make the weights at all. log α_i is the score minus something that is the same for all keys, and cancels in "
              "a difference")


GAPS = Item(
    name="log_weight_gaps", title="Gaps between log-weights", points=1, may_use=MAY_USE,
    returns="for each key how far its log-weight lies below the nearest key's, (n,): log α of the nearest − log α_i, never below 0",
    arguments=("query", "keys", "w"), make_problems=problems.gap_problems, oracle=problems.true_gaps,
    vectorised=True, sized=problems.gaps_sized,
    mistakes=(
        Mistake("infinity: the logarithm of a weight that rounds to 0", NO_WEIGHTS, _with_logs),
        Mistake("NaN: every exponential rounds to 0, and the logarithm of 0 is −∞", NO_WEIGHTS, _letter_by_letter),
        Mistake("log Σ is taken from the nearest key's score only", "both log-weights have it. What becomes of it in their "
                "difference?", lambda **p: _below(_scores(**p)) - _log_sum(_scores(**p))),
        Mistake("log Σ is taken from each key's score, but not from the nearest key's", "both log-weights have it. What becomes "
                "of it in their difference?", lambda **p: _below(_scores(**p)) + _log_sum(_scores(**p))),
        Mistake("w stands outside the square", "the distance times w is squared, so w comes out as w²",
                lambda query, keys, w: _gaps(query, keys, w, power=1)),
        Mistake("w stands outside the square in the scores", "the distance times w is squared, so w comes out as w², and its sign "
                "does not count", lambda **p: _below(_scores(**p, outside=True))),
        Mistake("the square is forgotten: distances, not their squares", "the scores are −½ ((q − k) w)²",
                lambda query, keys, w: _below(-0.5 * np.abs((query - keys) * w))),
        Mistake("the square is forgotten, and w keeps its sign", "the scores are −½ ((q − k) w)²",
                lambda query, keys, w: _below(-0.5 * np.abs(query - keys) * w)),
        Mistake("w is squared, the distance is not", "the scores are −½ ((q − k) w)²",
                lambda query, keys, w: _below(-0.5 * np.abs(query - keys) * w**2)),
        Mistake("the gaps are sorted", "each gap belongs to its key: keep the order in which the keys came",
                lambda **p: np.sort(_below(_scores(**p)))),
        Mistake("measured from the farthest key, not from the nearest", "is the nearest key's score the smallest of all or the "
                "largest?", lambda **p: _scores(**p).min() - _scores(**p)),
        Mistake("how far each key lies above the farthest one", "is the nearest key's score the smallest of all or the largest? "
                "It gets 0", lambda **p: _scores(**p) - _scores(**p).min()),
        Mistake("e to the power of minus the gap: weights beside the nearest key's", "the log of a ratio is a difference of logs: "
                "no exp is needed", lambda **p: np.exp(-_below(_scores(**p)))),
        Mistake("it divides by w: that is σ, not w", "w = 1/σ: a larger w makes larger gaps",
                lambda query, keys, w: _gaps(query, keys, w, power=-2)),
        Mistake("the ½ is missing", "the scores are −½ ((q − k) w)²", lambda query, keys, w: _gaps(query, keys, w, scale=1.0)),
        Mistake("the difference of the distances is squared", "squares first, then the difference: each key's score has a square "
                "of its own", lambda query, keys, w: 0.5 * w**2 * (np.abs(query - keys) - np.abs(query - keys).min()) ** 2),
        Mistake("measured from the first key, not from the nearest", "the nearest may stand anywhere among the keys: which score "
                "is the largest?", lambda query, keys, w: 0.5 * w**2 * ((query - keys) ** 2 - (query - keys[0]) ** 2)),
        Mistake("the ratios of the weights, not their logarithms", "the log of a ratio is a difference of logs: no exp is needed",
                lambda query, keys, w: np.exp(_gaps(query, keys, w))),
        Mistake("minus the scores, not their gaps", "from each one the nearest key's has to be taken away, so that the nearest "
                "gets 0", lambda query, keys, w: 0.5 * w**2 * (query - keys) ** 2),
        Mistake("the weights themselves", "a gap of logarithms is asked for, 0 for the nearest key",
                lambda query, keys, w: wrong.softmax(wrong.scores(np.array([query]), keys, w))[0]),
    ))

SLOPE = Item(
    name="loss_slope", title="The slope of the loss", points=2, may_use=MAY_USE,
    returns="d/dw of factor · Σ_i (f_i − v_i)², where f_i is point i's leave-one-out answer; one number",
    arguments=("w", "keys", "values", "factor"), make_problems=problems.slope_problems, oracle=problems.true_slope,
    sized=lambda rng, n: {"w": 0.9, **problems.sample(rng, n), "factor": 0.5},
    tolerance=1e-4,                    # a difference of two losses is a slope too, if not an exact one
    mistakes=(
        Mistake("the sign is flipped: minus the slope", "the change of an answer begins with a minus, the residual is answer minus "
                "value. One of the two is the wrong way round", lambda **p: -wrong.slope(**p)),
        Mistake("the factor in front of the loss is left out", "a factor in front of the loss stands in front of its slope",
                lambda **p: wrong.slope(**p | {"factor": 1.0})),
        Mistake("the 2 of the square is missing", "the derivative of r² is 2 r times that of r",
                lambda **p: wrong.slope(**p) / 2),
        Mistake("the w of the inner derivative is missing", "the scores are −½ w² s: what is their derivative with respect to w?",
                lambda **p: wrong.slope(**p, times_w=False)),
        Mistake("the mean s̄ is not subtracted", "weights sum to one, so what one gains the others lose: that is what s̄ is for",
                lambda **p: wrong.slope(**p, mean=False)),
        Mistake("s̄ is subtracted from the columns: keepdims is missing", "s̄ (n,) meets (n, n) along its columns. As (n, 1) it "
                "meets the rows, where it belongs", lambda **p: wrong.slope(**p, mean="flat")),
        Mistake("s̄ is taken along the wrong axis", "each point that asks has its own mean: rows are points that ask, so the sum "
                "runs along a row", lambda **p: wrong.slope(**p, mean="columns")),
        Mistake("no point is left out: each one attends to itself", "take the diagonal out before the softmax, as in "
                "leave_one_out_errors", lambda **p: wrong.slope(**p, itself="keep")),
        Mistake("all keys at a point's own place are left out, not the point alone", "two keys at one place are two points. The "
                "diagonal says which one is the point itself, the distance 0 does not",
                lambda **p: wrong.slope(**p, itself="twins")),
        Mistake("the mean over the points, not the sum", "the older edition sums its loss. It matters: the steps are n times as "
                "long", lambda **p: wrong.slope(**p, total=np.mean)),
        Mistake("the slopes of the answers are added up without their residuals", "chain rule: each residual is multiplied by "
                "the slope of its answer", lambda **p: wrong.slope(**p, residual=False)),
        Mistake("w stands outside the square", "the scores are −½ w² s", lambda **p: wrong.slope(**p, outside=True)),
        Mistake("w is not squared in the softmax", "the scores are −½ w² s", lambda **p: wrong.slope(**p, outside="scores")),
        Mistake("s̄ is a plain mean of s", "s̄ is a mean with the weights: Σ_j α_ij s_ij", lambda **p: wrong.slope(**p, mean="plain")),
        Mistake("the values are not taken away: answers where residuals belong", "the loss squares answer minus value, so that is "
                "what the chain rule leaves in front", lambda **p: wrong.slope(**p, residual="answers")),
        Mistake("0/0 at a very large w", "take the row's largest score away before exp, with the diagonal masked. "
                "`nwlab.masked_softmax(scores, mask=...)` does both", lambda **p: wrong.slope(**p, shift=False)),
        Mistake("the loss, not its slope", "how much does the loss change when w does?",
                lambda w, keys, values, factor: factor * wrong.left_out_errors([w], keys, values, lambda residuals: np.sum(residuals**2))[0]),
    ))

BAD_SLOPES = (("w of the inner derivative is missing", {"times_w": False}), ("s̄ is not subtracted", {"mean": False}),
              ("s̄ is a plain mean", {"mean": "plain"}), ("s̄ has lost its axis", {"mean": "flat"}),
              ("the residuals are missing", {"residual": False}), ("answers where residuals belong", {"residual": "answers"}),
              ("w is not squared in the softmax", {"outside": "scores"}), ("w stands outside the square", {"outside": True}))

STEPS = Item(
    name="five_steps", title="Five steps", points=1, may_use=MAY_USE,
    returns="w at the start and after each of five gradient steps, (6,)",
    arguments=("w", "keys", "values", "learning_rate", "factor"), make_problems=problems.step_problems,
    oracle=problems.true_steps, tolerance=1e-4,
    mistakes=(
        Mistake("it climbs: the sign of the step is flipped", "downhill is against the slope. If your step says so: does loss_slope hold?",
                lambda **p: wrong.steps(**p, sign=1.0)),
        Mistake("the factor is used twice", "factor is in loss_slope already: the step is learning rate times slope",
                lambda **p: wrong.steps(**p | {"factor": p["factor"] ** 2})),
        Mistake("each step sets out from the first w again", "a list of six times w holds the start in every place: a step sets out "
                "from the w before it", lambda **p: wrong.steps(**p, again=True)),
        Mistake("one step, five times over", "a list of six times w holds the start in every place: a step sets out from the w "
                "before it, and takes the slope there", lambda **p: wrong.steps(**p, again=True, stale=True)),
        Mistake("the path is kept in whole numbers", "an array of dtype int cuts off what stands behind the point: begin with "
                "np.zeros(6) or a list", wrong.whole_steps),
        Mistake("every step has half its length", "does loss_slope hold? The derivative of a square has a 2",
                lambda **p: wrong.steps(**p | {"learning_rate": p["learning_rate"] / 2})),
        Mistake("the factor has no effect", "hand factor on to loss_slope. If you do: does loss_slope hold?", lambda **p: wrong.steps(**p | {"factor": 1.0})),
        Mistake("the learning rate is left out", "a step is the learning rate times the slope",
                lambda **p: wrong.steps(**p | {"learning_rate": 1.0})),
        Mistake("each step uses the slope at the start", "after a step one stands elsewhere: ask loss_slope again, at the new w",
                lambda **p: wrong.steps(**p, stale=True)),
        Mistake("only the last w, not the path", "keep every w on the way, the start first: six numbers",
                lambda **p: wrong.steps(**p)[-1]),
        Mistake("the start is missing", "the path begins with w itself: six numbers in all", lambda **p: wrong.steps(**p)[1:]),
        Mistake("the last step is missing", "five steps make six numbers, as the start is one of them",
                lambda **p: wrong.steps(**p, count=4)),
        Mistake("one step too many", "five steps make six numbers, as the start is one of them",
                lambda **p: wrong.steps(**p, count=6)),
        Mistake("the slope of the mean loss, not of the sum", "does loss_slope hold? Call it here",
                lambda **p: wrong.steps(**p, total=np.mean)),
        Mistake("no point is left out", "does loss_slope hold? Call it here", lambda **p: wrong.steps(**p, itself="keep")),
        *(Mistake(f"the steps are right, the slope is not: {what}", "does loss_slope hold? Mend it first",
                  lambda how=how, **p: wrong.steps(**p, **how)) for what, how in BAD_SLOPES),
    ))
