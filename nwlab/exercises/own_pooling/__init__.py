"""Design an attention pooling: scores, weights, the leave-one-out loss, training, and a fair comparison."""
import math
from functools import partial

import numpy as np

from workbook.checks.item import Exercise, Item, named
from workbook.checks.notebook import publish
from nwlab.exercises.own_pooling import figures, judges, problems as p
from nwlab.exercises.own_pooling.given import HandedOver

EXERCISE = Exercise(__name__, "Design an attention pooling", (
    Item(
        name="own_scores", title="The scores of your design", points=2, library="torch",
        returns="a score for each query and key, (m, n), float64: finite, with a slope by the parameters",
        arguments=("queries", "keys", "parameters"), slope="parameters",
        make_problems=p.score_problems, oracle=None, own_judge=judges.judge_scores),
    Item(
        name="to_weights", title="From scores to weights", points=2, library="torch", arguments=("scores", "mask"),
        slope="scores",
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
            *(("a hidden key has a low score, but a far one has a lower score still",
               lambda scores, mask, low=low: p.weights_of(p.kept(scores, mask, low))) for low in (-1e9, -100, -10)),
            ("the whole table sums to one, not each row", {"axis": None}),
            ("not divided by the row's sum: these are not weights yet",
             lambda scores, mask: p.kept(np.exp(scores - scores.max(axis=1, keepdims=True)), mask, 0)),
            ("not divided by the row's sum: these are not weights yet",
             lambda scores, mask: p.kept(np.exp(scores), mask, 0)),
            ("the logarithms of the weights", lambda scores, mask: np.log(p.weights_of(scores, mask))),
            ("a second softmax", lambda scores, mask: p.weights_of(p.weights_of(scores, mask))),
            ("scores times −1: the smallest wins", lambda scores, mask: p.weights_of(-scores, mask)),
            right=p.weights_of)),
    Item(
        name="attend", title="Answers and weights", points=1, library="torch",
        returns="two things: answers (m,), the weighted averages of the values, and weights (m, n)",
        arguments=("queries", "keys", "values", "parameters", "mask"), optional=("mask",), slope="parameters",
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
            ("equal keys are hidden, not only the point itself", {"equal": True}),
            ("only some of the parameters are handed on", {"first": 2}),
            ("only some of the parameters are handed on", {"first": 12}),
            ("absolute values, not squares", {"end": lambda gaps: np.mean(np.abs(gaps))}),
            ("the square is forgotten", {"end": np.mean}),
            ("divided by n − 1, not by n", {"end": lambda gaps: np.sum(gaps ** 2) / (len(gaps) - 1)}),
            ("the variance of the residuals", {"end": np.var}),
            ("the variance of the residuals", {"end": partial(np.var, ddof=1)}),
            ("the answers are compared with the keys", lambda **inputs: float(np.mean(
                (p.residuals(**inputs) + inputs["values"] - inputs["keys"]) ** 2))),
            ("keys and values have changed places",
             lambda keys, values, **inputs: p.loss(keys=values, values=keys, **inputs)),
            ("the root of the mean square", {"end": lambda gaps: math.sqrt(np.mean(gaps ** 2))}),
            ("the squared mean residual", {"end": lambda gaps: np.mean(gaps) ** 2}), right=p.loss)),
    Item(
        name="train", title="Training", points=2, library="torch",
        returns=f"the parameters ({p.PARAMETERS},) after `steps` steps downhill on left_out_loss, beginning with zeros",
        arguments=("attend", "keys", "values", "steps"), given={"attend": HandedOver},
        twice=100, make_problems=p.training_problems, oracle=None, own_judge=judges.judge_training),
    Item(
        name="predict", title="Trained and compared", points=3, library="torch",
        returns="two things: the answers (m,) of your pooling, trained on keys and values, at the queries, and its "
                "weights (m, n)",
        arguments=("keys", "values", "queries"),
        make_problems=p.predict_problems, oracle=None, own_judge=judges.judge_predict)))
publish(globals(), EXERCISE, figures)
