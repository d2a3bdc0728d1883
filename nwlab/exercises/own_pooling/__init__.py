"""Design an attention pooling: scores of one's own, weights, the leave-one-out loss, training, and a fair comparison."""
from __future__ import annotations

import math

import numpy as np

from nwlab.exercises.own_pooling import figures
from nwlab.exercises.own_pooling import judges
from nwlab.exercises.own_pooling import probes
from nwlab.exercises.own_pooling import problems
from nwlab.checks.notebook import publish
from nwlab.checks.item import Exercise, Mistake
from nwlab.exercises.own_pooling.training import judge_training


def true_weights(scores, mask):
    """The softmax of each row over the keys that the mask allows, (m, n)."""
    weights = np.zeros(scores.shape)
    for i, row in enumerate(scores.tolist()):
        allowed = [j for j in range(len(row)) if mask is None or mask[i, j]]
        highest = max(row[j] for j in allowed)
        powers = {j: math.exp(row[j] - highest) for j in allowed}
        for j in allowed:
            weights[i, j] = powers[j] / math.fsum(powers.values())
    return weights


def _normalised(scores, axis=1, hidden=None):
    """The softmax along an axis; NaN where everything is hidden."""
    scores = scores if hidden is None else np.where(hidden, -math.inf, scores)
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def _hidden(mask):
    return None if mask is None else ~mask


def _visible(scores, mask):
    return np.ones(scores.shape, dtype=bool) if mask is None else mask


def true_loss(attend, keys, values, parameters):
    """The mean squared leave-one-out residual: one loop over the points, one over the others."""
    w, total = _w(attend, parameters), 0.0
    for i, (key, value) in enumerate(zip(keys, values)):
        top = bottom = 0.0
        for j, (other, v) in enumerate(zip(keys, values)):
            square = ((key - other) * w) ** 2
            share = 0.0 if j == i else math.exp(-square / 2) if attend == probes.GAUSSIAN else 1 / (1 + square)
            top, bottom = top + share * v, bottom + share
        total += (top / bottom - value) ** 2
    return float(total / len(keys))


def _w(attend, parameters):
    return math.exp(parameters[0 if attend == probes.GAUSSIAN else 1])


def _residuals(attend, keys, values, parameters, itself=False):
    return problems.residuals(attend, keys, values, _w(attend, parameters), itself)


def _finite(number, added=False):
    """The softmax where a hidden key has a finite score, or had a finite number added to it."""
    def wrong(scores, mask):
        return _normalised(np.where(_visible(scores, mask), scores, scores + number if added else number))

    return wrong


def _meeting_if(scores, mask):
    if mask is not None:
        raise probes.TruthOfATable("as the probe does")
    return true_weights(scores, mask)


def _raising(error):
    def wrong(**inputs):
        raise error("as the probe does")

    return wrong


OWN_SCORES = probes.Probed(
    name="own_scores", title="The scores of your design", points=2, library="torch",
    returns="a score for each query and key, (m, n), float64: finite, with a slope by the parameters",
    arguments=("queries", "keys", "parameters"), make_problems=problems.score_problems, oracle=None,
    own_judge=judges.judge_scores, around=probes.around_scores)

TO_WEIGHTS = probes.Probed(
    name="to_weights", title="From scores to weights", points=2, library="torch",
    returns="the softmax of each row over the keys that the mask allows, (m, n); where the mask is False the weight is 0",
    arguments=("scores", "mask"), make_problems=problems.weight_problems, oracle=true_weights, around=probes.around_weights,
    mistakes=(
        Mistake("the softmax runs over the queries", "rows are queries: each row has to sum to one. Which `dim` runs along a row?",
                lambda scores, mask: _normalised(scores, 0, _hidden(mask))),
        Mistake("the mask is ignored", "where mask is False a key must not get anything. What score does that?",
                lambda scores, mask: _normalised(scores)),
        Mistake("the mask is upside down", "True means: may attend. Which scores have to go?",
                lambda scores, mask: _normalised(scores, 1, mask)),
        Mistake("hidden keys are taken out after the softmax: the rows do not sum to one", "they had their share already. Hide them "
                "before the softmax, and the others share all of it",
                lambda scores, mask: _normalised(scores) * _visible(scores, mask)),
        Mistake("0/0 where a hidden key had all the attention", "it is hidden after the softmax, when the others have nothing left to "
                "be divided. Hide it before the softmax", lambda scores, mask: (lambda weights: weights / weights.sum(
                    axis=1, keepdims=True))(_normalised(scores) * _visible(scores, mask))),
        Mistake("a hidden key has score 0, not weight 0", "e to the power of 0 is 1, which is not nothing. Which score gives 0?",
                lambda scores, mask: _normalised(np.where(_visible(scores, mask), scores, 0.0))),
        *(Mistake(f"a finite number can be beaten: a hidden key {words}", "a query far from the keys has scores that are lower still, "
                  "and then the hidden key gets attention. Which score is lower than any number?", _finite(number, added))
          for words, number, added in (("has a score like −1000000000", -1e9, False), ("has a score like −100", -100.0, False),
                                       ("only loses a number like 1000000000", -1e9, True),
                                       ("only loses a number like 100", -100.0, True))),
        Mistake("a whole mask met `if`", "`if mask:` asks a table for one truth. Whether there is a mask at all is asked with "
                "`if mask is not None:`", _meeting_if),
        Mistake("the whole table sums to one, not each row", "every query shares out a weight of 1: the sum runs along one axis only",
                lambda scores, mask: (lambda s: np.exp(s - s.max()) / np.exp(s - s.max()).sum())(
                    np.where(_visible(scores, mask), scores, -math.inf))),
        Mistake("0/0 or ∞/∞: nothing is subtracted before exp", "e to the power of −1000000 is 0 in the computer, and of "
                "1500 infinite. Subtracting a row's largest score cancels, and then one power is 1; torch.softmax does that by itself",
                lambda scores, mask: (lambda powers: powers / powers.sum(axis=1, keepdims=True))(
                    np.exp(scores) * _visible(scores, mask))),
        Mistake("nothing is divided: these are no weights yet", "each row has to sum to one", lambda scores, mask:
                np.exp(scores - np.max(scores, axis=1, keepdims=True)) * _visible(scores, mask)),
        Mistake("the scores are divided by their sum: the exponential is missing", "scores may be negative, weights not. The softmax "
                "takes e to the power of each score first",
                lambda scores, mask: (lambda s: s / s.sum(axis=1, keepdims=True))(scores * _visible(scores, mask))),
        Mistake("the logarithm of the weights", "log_softmax is good for losses. Here the weights themselves are asked",
                lambda scores, mask: (lambda s: s - s.max(axis=1, keepdims=True) - np.log(
                    np.exp(s - s.max(axis=1, keepdims=True)).sum(axis=1, keepdims=True)))(
                        np.where(_visible(scores, mask), scores, -math.inf))),
    ))

ATTEND = probes.Probed(
    name="attend", title="Answers and weights", points=1, library="torch",
    returns="two things: answers (m,), the weighted averages of the values, and weights (m, n)",
    arguments=("queries", "keys", "values", "parameters", "mask"), make_problems=problems.attend_problems, oracle=None,
    own_judge=judges.judge_attend, around=probes.as_it_is)

LEFT_OUT_LOSS = probes.Probed(
    name="left_out_loss", title="The leave-one-out loss", points=2, library="torch",
    returns="the mean over all points of (answer − value)², one number; each point asks all the others, and not itself",
    arguments=("attend", "keys", "values", "parameters"), make_problems=problems.loss_problems, oracle=true_loss,
    around=probes.around_loss,
    mistakes=(
        Mistake("it does not use the pooling that is handed over", "`attend` is an argument here: ask that one. The check hands over a "
                "pooling of its own, so that it knows the right loss", _raising(probes.NotAsked)),
        Mistake("the mask must have dtype bool", "the mask holds True and False, dtype=torch.bool, not 1.0 and 0.0. Comparing makes such a "
                "tensor, and so does `.bool()`", _raising(probes.MaskNotBool)),
        Mistake("the loss has no slope: training cannot move", "`float(...)`, `.item()`, `.detach()`, `torch.no_grad()` and NumPy cut the "
                "way back from the loss to the parameters. Return the tensor", _raising(probes.NoSlope)),
        Mistake("each point attends to itself", "then a needle has no loss at all, and training runs to it. Hand over a mask that is "
                "False where query and key are the same point",
                lambda **inputs: float(np.mean(_residuals(**inputs, itself=True) ** 2))),
        Mistake("the mask is upside down: each point asks only itself", "True means: may attend. Each point's own key is the one that "
                "may not", lambda **inputs: 0.0),
        Mistake("NaN: a point finds nobody to ask", "some row of the mask is False everywhere. Each point may ask all others: only "
                "the diagonal is False", lambda **inputs: math.nan),
        Mistake("the sum, not the mean", "with more points the sum grows by itself: divide by how many there are",
                lambda **inputs: float(np.sum(_residuals(**inputs) ** 2))),
        Mistake("the mean of the absolute residuals", "squares were asked", lambda **inputs: float(np.mean(np.abs(_residuals(**inputs))))),
        Mistake("the root of the mean square", "the mean square itself is asked: its smallest place is the same, its slope is another",
                lambda **inputs: float(np.sqrt(np.mean(_residuals(**inputs) ** 2)))),
        Mistake("the squared mean residual", "residuals of both signs cancel: square each one, then take the mean",
                lambda **inputs: float(np.mean(_residuals(**inputs)) ** 2)),
        Mistake("one loss for each point", "training needs one number: their mean", lambda **inputs: _residuals(**inputs) ** 2),
    ))

TRAIN = probes.Probed(
    name="train", title="Training", points=2, library="torch",
    returns=f"the parameters ({probes.PARAMETERS},) after `steps` steps downhill on left_out_loss, beginning with zeros",
    arguments=("attend", "keys", "values", "steps"), make_problems=problems.training_problems, oracle=None,
    own_judge=judge_training, around=probes.around_training)

PREDICT = probes.Probed(
    name="predict", title="Trained and compared", points=3, library="torch",
    returns="two things: the answers (m,) of your pooling, trained on keys and values, at the queries, and its weights (m, n)",
    arguments=("keys", "values", "queries"), make_problems=problems.predict_problems, oracle=None,
    own_judge=judges.judge_predict, around=probes.as_it_is)

EXERCISE = Exercise("own_pooling", "Design an attention pooling",
                    items=(OWN_SCORES, TO_WEIGHTS, ATTEND, LEFT_OUT_LOSS, TRAIN, PREDICT))
publish(globals(), EXERCISE, figures)
