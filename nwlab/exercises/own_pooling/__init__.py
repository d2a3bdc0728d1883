"""Design an attention pooling: scores, weights, the leave-one-out loss, training, and a fair comparison."""
import math
from functools import partial

import numpy as np

from nwlab.checks.item import Exercise, Item, Mistake
from nwlab.checks.notebook import publish
from nwlab.exercises.own_pooling import figures, judges, problems as p

OWN_SCORES = Item(
    name="own_scores", title="The scores of your design", points=2, library="torch",
    returns="a score for each query and key, (m, n), float64: finite, with a slope by the parameters",
    arguments=("queries", "keys", "parameters"), slope="parameters", twice=True,
    make_problems=p.score_problems, oracle=None, own_judge=judges.judge_scores)

TO_WEIGHTS = Item(
    name="to_weights", title="From scores to weights", points=2, library="torch", arguments=("scores", "mask"),
    returns="the softmax of each row over the keys that the mask allows, (m, n); where the mask is False the weight "
            "is 0",
    make_problems=p.weight_problems, oracle=p.weights_of,
    mistakes=(
        Mistake("the softmax runs over the queries", "rows are queries: each row has to sum to one. Which `dim` runs "
                "along a row?", partial(p.weights_of, axis=0)),
        Mistake("the mask is ignored", "where mask is False a key must not get anything. What score does that?",
                lambda scores, mask: p.weights_of(scores)),
        Mistake("the mask is upside down", "True means: may attend. Which scores have to go?",
                lambda scores, mask: p.weights_of(scores, None if mask is None else ~mask)),
        Mistake("hidden keys are taken out after the softmax: the rows do not sum to one", "they had their share "
                "already. Hide them before the softmax, and the others share all of it",
                lambda scores, mask: p.kept(p.weights_of(scores), mask, 0)),
        Mistake("a hidden key has score 0, not weight 0", "e to the power of 0 is 1, which is not nothing. Which score "
                "gives 0?", lambda scores, mask: p.weights_of(p.kept(scores, mask, 0))),
        Mistake("the whole table sums to one, not each row", "every query shares out a weight of 1: the sum runs along "
                "one axis only", partial(p.weights_of, axis=None)),
        Mistake("nothing is divided: these are no weights yet", "each row has to sum to one", lambda scores, mask:
                p.kept(np.exp(scores - scores.max(axis=1, keepdims=True)), mask, 0)),
    ))

ATTEND = Item(
    name="attend", title="Answers and weights", points=1, library="torch",
    returns="two things: answers (m,), the weighted averages of the values, and weights (m, n)",
    arguments=("queries", "keys", "values", "parameters", "mask"),
    make_problems=p.attend_problems, oracle=None, own_judge=judges.judge_attend)

LEFT_OUT_LOSS = Item(
    name="left_out_loss", title="The leave-one-out loss", points=2, library="torch",
    returns="the mean over all points of (answer − value)², one number; each point asks all the others, and not itself",
    arguments=("attend", "keys", "values", "parameters"), given={"attend": p.HandedOver}, slope="parameters",
    make_problems=p.loss_problems, oracle=lambda **inputs: float(np.mean(p.residuals(**inputs) ** 2)),
    own_judge=judges.judge_loss,
    mistakes=(
        Mistake("each point attends to itself", "then a needle has no loss at all, and training runs to it. Hand over "
                "a mask that is False where query and key are the same point",
                lambda **inputs: float(np.mean(p.residuals(**inputs, itself=True) ** 2))),
        Mistake("the mask is upside down: each point asks only itself", "True means: may attend. Each point's own key "
                "is the one that may not", lambda **inputs: 0.0),
        Mistake("NaN: a point finds nobody to ask", "some row of the mask is False everywhere. Each point may ask all "
                "others: only the diagonal is False", lambda **inputs: math.nan),
        Mistake("the root of the mean square", "the mean square itself is asked: its smallest place is the same, its "
                "slope is another", lambda **inputs: float(np.sqrt(np.mean(p.residuals(**inputs) ** 2)))),
        Mistake("the squared mean residual", "residuals of both signs cancel: square each one, then take the mean",
                lambda **inputs: float(np.mean(p.residuals(**inputs)) ** 2)),
    ))

TRAIN = Item(
    name="train", title="Training", points=2, library="torch",
    returns=f"the parameters ({p.PARAMETERS},) after `steps` steps downhill on left_out_loss, beginning with zeros",
    arguments=("attend", "keys", "values", "steps"), given={"attend": p.HandedOver},
    make_problems=p.training_problems, oracle=None, own_judge=judges.judge_training)

PREDICT = Item(
    name="predict", title="Trained and compared", points=3, library="torch",
    returns="two things: the answers (m,) of your pooling, trained on keys and values, at the queries, and its weights "
            "(m, n)",
    arguments=("keys", "values", "queries"),
    make_problems=p.predict_problems, oracle=None, own_judge=judges.judge_predict)

EXERCISE = Exercise("own_pooling", "Design an attention pooling",
                    items=(OWN_SCORES, TO_WEIGHTS, ATTEND, LEFT_OUT_LOSS, TRAIN, PREDICT))
publish(globals(), EXERCISE, figures)
