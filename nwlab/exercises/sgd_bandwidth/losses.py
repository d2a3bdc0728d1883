"""The first half of `sgd_bandwidth`: scores, the naive loss, the mask, the leave-one-out loss."""
from __future__ import annotations

import math

import numpy as np

from nwlab.exercises.sgd_bandwidth import mistakes as wrong
from nwlab.exercises.sgd_bandwidth import problems
from nwlab.checks.item import Complaint, Item, Mistake
from nwlab.exercises.sgd_bandwidth.probes import Traced, around_w, way_back

LOSS = ("w", "keys", "values")
ANSWERS_LATE = ("there each point has attended to itself already, and (n,) with (n, n) makes a table of all pairs. The mask says who "
                "attends to whom: so it belongs to the scores, which are (n, n) too, before the softmax")


def _scores(**change):
    return lambda w, queries, keys: wrong.table(w, queries, keys, **change)


def _naive(axis=1, **change):
    return lambda w, keys, values: wrong.squares(wrong.softmax(wrong.table(w, keys, keys, **change), axis), values)


def _left_out(**change):
    return lambda w, keys, values: wrong.squares(wrong.left_out(w, keys, **change), values)


def _true_left_out(w, keys, values):
    return problems.true_loss(w, keys, values, leave_one_out=True)


def _masked_late(end):
    """The mask (n, n) meets the answers (n,) of the naive loss."""
    return lambda w, keys, values: np.sum(end(1 - np.eye(len(keys)), wrong.naive(w, keys) @ values, values) ** 2)


def _numbers_inverted(n):
    raise TypeError


def _only_numbers(problems, answers):
    """The mask is asked for as truth values; ones and zeros compare equal to them."""
    for number, answer in enumerate(answers):
        if np.asarray(answer).dtype != bool:
            return Complaint("numbers where truth values were asked", "ones and zeros look alike, but ~ and masked_fill want "
                             "true and false: dtype=torch.bool, or a comparison", number, "the same with dtype torch.bool")
    return None


SCORES = Traced(
    name="scores", title="The scores", points=1, library="torch",
    returns="−½ ((q − k_i) w)² for every query and key, (m, n): rows are queries, columns are keys",
    arguments=("w", "queries", "keys"), make_problems=problems.score_problems, oracle=problems.true_scores,
    sized=problems.sized_scores, around=around_w,
    mistakes=(
        way_back(problems.true_scores),
        Mistake(*wrong.OUTSIDE, _scores(outside=True)),
        Mistake(*wrong.NO_HALF, _scores(half=1.0)),
        Mistake(*wrong.NO_MINUS, _scores(half=-0.5)),
        Mistake("½ and minus are both missing", "the square alone is large for far keys: a factor of −½ belongs before it",
                _scores(half=-1.0)),
        Mistake("it is divided by w", "w is 1/σ: a distance divided by σ is a distance times w",
                lambda w, queries, keys: wrong.table(1 / w, queries, keys)),
        Mistake("the square is missing", "the score is a parabola in the distance: square the distance times w",
                lambda w, queries, keys: -0.5 * np.abs((queries[:, None] - keys) * w)),
        Mistake("the square is missing: a difference has a sign", "square the difference times w", lambda w, queries, keys:
                -0.5 * (queries[:, None] - keys) * w),
        Mistake("the weights, not the scores", "no softmax yet: the mask will have to come in between", lambda w, queries, keys:
                wrong.softmax(wrong.table(w, queries, keys))),
        Mistake("e to the power of the scores", "the softmax will take care of e. The scores themselves are asked for",
                lambda w, queries, keys: np.exp(wrong.table(w, queries, keys))),
    ))

NAIVE = Traced(
    name="naive_loss", title="The naive loss", points=1, library="torch",
    returns="the sum of the squared errors of all points when each attends to all of them, a tensor of shape ()",
    arguments=LOSS, make_problems=problems.loss_problems, oracle=problems.true_loss, around=around_w,
    mistakes=(
        way_back(problems.true_loss),
        Mistake("the point itself is left out already", "that comes later. The naive loss lets every point attend to all n",
                _left_out()),
        Mistake(*wrong.AXIS, _naive(axis=0)),
        *wrong.loss_mistakes(wrong.naive),
        Mistake("the weights do not sum to one", "e to the power of the scores is not yet a weight: each row has to be divided by "
                "its sum, as the softmax does", lambda w, keys, values:
                wrong.squares(np.exp(wrong.table(w, keys, keys)), values)),
        Mistake("the keys are averaged, not the values", "attention weights the values: what was measured, not where",
                lambda w, keys, values: np.sum((wrong.naive(w, keys) @ keys - values) ** 2)),
        Mistake("scores instead of weights", "between the scores and the average there is a softmax", lambda w, keys, values:
                wrong.squares(wrong.table(w, keys, keys), values)),
        Mistake(*wrong.OUTSIDE, _naive(outside=True)),
        Mistake(*wrong.NO_HALF, _naive(half=1.0)),
        Mistake(*wrong.NO_MINUS, _naive(half=-0.5)),
    ))

MASK = Item(
    name="leave_one_out_mask", title="The mask", points=1, library="torch",
    returns="true where a point may attend, false where it meets itself, (n, n)",
    arguments=("n",), make_problems=problems.mask_problems, oracle=problems.true_mask,
    mistakes=(
        Mistake("the mask is the wrong way round: it is true on the diagonal", "true means: may attend. The diagonal is where a "
                "point meets itself", lambda n: np.eye(n, dtype=bool)),
        Mistake("everybody may attend to everybody", "this mask hides nothing. One entry of each row has to be false: which?",
                lambda n: np.ones((n, n), dtype=bool)),
        Mistake("only earlier points may be attended to", "that is the mask of a text model, where nobody may look ahead. Here "
                "all others count, on both sides of the diagonal", lambda n: np.tril(np.ones((n, n), dtype=bool), -1)),
        Mistake("only later points may be attended to", "all others count, on both sides of the diagonal", lambda n:
                np.triu(np.ones((n, n), dtype=bool), 1)),
        Mistake("scores, not truth values", "−∞ will come into the scores by the mask. The mask itself says true or false",
                lambda n: np.where(np.eye(n, dtype=bool), -math.inf, 0.0)),
        Mistake("−1 and −2: ~ turned every bit of whole numbers round", "~ turns true into false only for truth values: torch.eye "
                "takes dtype=torch.bool", lambda n: -1 - np.eye(n, dtype=int)),
        Mistake("torch stops with a TypeError, most likely because ~ meets numbers", "torch.eye(n) holds ones and zeros with a "
                "decimal point, and ~ is for truth values: torch.eye takes dtype=torch.bool", _numbers_inverted),
        Mistake("the diagonal is cut out", "then column i is no longer key i. A mask deletes nothing: n rows and n columns",
                lambda n: np.ones((n, n - 1), dtype=bool)),
        Mistake("one truth value for each point, not for each pair", "row i says to whom point i may attend: the mask is (n, n)",
                lambda n: np.ones(n, dtype=bool)),
    ),
    own_judge=_only_numbers)

LEFT_OUT = Traced(
    name="leave_one_out_loss", title="The leave-one-out loss", points=2, library="torch",
    returns="the sum of the squared errors of all points when each attends to all the others, a tensor of shape ()",
    arguments=LOSS, make_problems=problems.loss_problems,
    oracle=_true_left_out, around=around_w,
    mistakes=(
        way_back(_true_left_out),
        Mistake("each point still attends to itself: this is the naive loss", "its score on the diagonal has to be −∞ before the "
                "softmax. A score of 0 is no mask: 0 is the highest score there is. And masked_fill returns a new tensor, the old "
                "one stays as it is: an assignment keeps the new one, or masked_fill_ fills in place", _naive()),
        Mistake("the mask is the wrong way round: each point attends to itself alone", "then every answer is the point's own "
                "value and the loss is 0. Your mask is true where attending is allowed; masked_fill fills where its own mask is "
                "true", lambda w, keys, values: 0.0),
        Mistake("the diagonal is set to 0 after the softmax, and the rows do not sum to one", "what the point gave to itself is "
                "lost. Mask the scores, and the softmax shares all of it out among the others", lambda w, keys, values:
                wrong.squares(wrong.off_diagonal(wrong.naive(w, keys)), values)),
        Mistake("0/0 for the lonely point: all that it may attend to underflows", "e to the power of each of these scores is 0 in "
                "the computer, so nothing is left to share out. First put −∞ into the scores, then subtract each row's largest "
                "score before e to the power. torch.softmax of the masked scores does the second by itself",
                lambda w, keys, values: wrong.squares(wrong.unshifted(w, keys, keys, itself=False), values)),
        Mistake("NaN for every input: +∞ or 0 times ∞ among the scores", "print the masked scores. Does +∞ stand there? The sign: "
                "−∞ gives the weight 0, +∞ gives ∞/∞. Does NaN? An eye matrix times infinity is NaN off the diagonal, as 0 · ∞ is "
                "NaN: masked_fill or torch.where put −∞ where it belongs, and nowhere else", lambda w, keys, values: math.nan),
        Mistake("the answers are multiplied by the mask", ANSWERS_LATE,
                _masked_late(lambda mask, answers, values: mask * answers - values)),
        Mistake("the errors are multiplied by the mask", ANSWERS_LATE,
                _masked_late(lambda mask, answers, values: mask * (answers - values))),
        Mistake("the answers of the others are added up by the mask", ANSWERS_LATE,
                _masked_late(lambda mask, answers, values: mask @ answers - values)),
        Mistake(*wrong.AXIS, _left_out(axis=0)),
        *wrong.loss_mistakes(wrong.left_out),
        *(Mistake(f"the diagonal is cut out of the weights, and {end} value out of the values",
                  "cutting shifts columns: column i is key i in some rows and key i + 1 in others. Keep all n columns, and mask",
                  lambda w, keys, values, start=start: wrong.cut(w, keys, values, start))
          for end, start in (("the last", 0), ("the first", 1))),
        Mistake(*wrong.OUTSIDE, _left_out(outside=True)),
        Mistake(*wrong.NO_HALF, _left_out(half=1.0)),
        Mistake(*wrong.NO_MINUS, _left_out(half=-0.5)),
    ))
