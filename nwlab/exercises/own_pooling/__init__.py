"""Design an attention pooling: scores, weights, the leave-one-out loss, training, and a fair comparison."""
import math

import numpy as np

from nwlab.checks.item import Exercise, Item, named
from nwlab.checks.notebook import publish
from nwlab.exercises.own_pooling import figures, judges, problems as p
from nwlab.exercises.own_pooling.given import HandedOver

EXERCISE = Exercise("own_pooling", "Design an attention pooling", (
    Item(
        name="own_scores", title="The scores of your design", points=2, library="torch",
        returns="a score for each query and key, (m, n), float64: finite, with a slope by the parameters",
        arguments=("queries", "keys", "parameters"), slope="parameters", twice=True,
        make_problems=p.score_problems, oracle=None, own_judge=judges.judge_scores),
    Item(
        name="to_weights", title="From scores to weights", points=2, library="torch", arguments=("scores", "mask"),
        returns="the softmax of each row over the keys that the mask allows, (m, n); where the mask is False the "
                "weight is 0",
        make_problems=p.weight_problems, oracle=p.weights_of,
        mistakes=named(
            ("the softmax runs over the queries", {"axis": 0}),
            ("the mask is ignored", lambda scores, mask: p.weights_of(scores)),
            ("the mask is upside down", lambda scores, mask: p.weights_of(scores, None if mask is None else ~mask)),
            ("hidden keys are taken out after the softmax: the rows do not sum to one",
             lambda scores, mask: p.kept(p.weights_of(scores), mask, 0)),
            ("a hidden key has score 0, not weight 0", lambda scores, mask: p.weights_of(p.kept(scores, mask, 0))),
            ("the whole table sums to one, not each row", {"axis": None}),
            ("nothing is divided: these are not weights yet",
             lambda scores, mask: p.kept(np.exp(scores - scores.max(axis=1, keepdims=True)), mask, 0)),
            right=p.weights_of)),
    Item(
        name="attend", title="Answers and weights", points=1, library="torch",
        returns="two things: answers (m,), the weighted averages of the values, and weights (m, n)",
        arguments=("queries", "keys", "values", "parameters", "mask"),
        make_problems=p.attend_problems, oracle=None, own_judge=judges.judge_attend),
    Item(
        name="left_out_loss", title="The leave-one-out loss", points=2, library="torch",
        returns="the mean over all points of (answer − value)², one number; each point asks all the others, and not "
                "itself",
        arguments=("attend", "keys", "values", "parameters"), given={"attend": HandedOver}, slope="parameters",
        make_problems=p.loss_problems, oracle=p.loss, own_judge=judges.judge_loss, mistakes=named(
            ("each point attends to itself", {"itself": True}),
            ("the mask is upside down: each point asks only itself", lambda **inputs: 0.0),
            ("NaN: a point finds nobody to ask", lambda **inputs: math.nan),
            ("the root of the mean square", lambda **inputs: math.sqrt(p.loss(**inputs))),
            ("the squared mean residual", lambda **inputs: float(np.mean(p.residuals(**inputs)) ** 2)), right=p.loss)),
    Item(
        name="train", title="Training", points=2, library="torch",
        returns=f"the parameters ({p.PARAMETERS},) after `steps` steps downhill on left_out_loss, beginning with zeros",
        arguments=("attend", "keys", "values", "steps"), given={"attend": HandedOver},
        make_problems=p.training_problems, oracle=None, own_judge=judges.judge_training),
    Item(
        name="predict", title="Trained and compared", points=3, library="torch",
        returns="two things: the answers (m,) of your pooling, trained on keys and values, at the queries, and its "
                "weights (m, n)",
        arguments=("keys", "values", "queries"),
        make_problems=p.predict_problems, oracle=None, own_judge=judges.judge_predict)))
publish(globals(), EXERCISE, figures)
