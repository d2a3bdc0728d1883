"""Design an attention pooling: scores, weights, the leave-one-out loss, training, and a fair comparison."""
import numpy as np

from workbook.checks.item import Exercise, Item, named
from workbook.checks.notebook import publish
from workbook.exercises.own_pooling import figures
from workbook.exercises.own_pooling import problems as p
from workbook.exercises.own_pooling.given import HandedOver

WEIGHTS = named(
    ("the softmax runs over the queries", {"axis": 0}),
    ("the mask is ignored", lambda scores, mask: p.weights_of(scores)),
    ("the mask is upside down", lambda scores, mask: p.weights_of(scores, None if mask is None else ~mask)),
    ("hidden keys are taken out after the softmax: the rows do not sum to one",
     lambda scores, mask: p.kept(p.weights_of(scores), mask, 0)),
    ("a hidden key has score 0, not weight 0", lambda scores, mask: p.weights_of(p.kept(scores, mask, 0))),
    ("a hidden key has a low score, but a far one has a lower score still",
     lambda scores, mask: p.weights_of(p.kept(scores, mask, -1e9))),
    right=p.weights_of)

LOSS = named(
    ("each point attends to itself", {"itself": True}),
    ("the mask is upside down: each point attends only to itself", lambda **inputs: 0.0),
    ("the square is forgotten", {"end": np.mean}), right=p.loss)

EXERCISE = Exercise(__name__, "Design an attention pooling", (
    Item("own_scores", "The scores of your design",
         "a score for each query and key, (m, n), float64: finite, with a slope by the parameters",
         ("queries", "keys", "parameters"), p.designs, own_judge=p.judge_scores, points=2, library="torch",
         slope="parameters"),
    Item("to_weights", "From scores to weights",
         "the softmax of each row over the keys that the mask allows, (m, n); where the mask is False the weight is 0",
         ("scores", "mask"), p.tables, p.weights_of, p.TABLES, points=2, library="torch", slope="scores",
         mistakes=WEIGHTS),
    Item("attend", "Answers and weights",
         "two things: answers (m,), the weighted averages of the values, and weights (m, n)",
         ("queries", "keys", "values", "parameters", "mask"), p.designs, own_judge=p.judge_attend,
         library="torch", slope="parameters", optional=("mask",)),
    Item("left_out_loss", "The leave-one-out loss",
         "the mean over all points of (answer − value)², one number; each point asks all the others, and not itself",
         ("attend", "keys", "values", "parameters"), p.FEW_POINTS, p.loss, (p.LOSSES,),
         points=2, library="torch", slope="parameters", given={"attend": HandedOver}, mistakes=LOSS),
    Item("train", "Training",
         f"the parameters ({p.PARAMETERS},) after `steps` steps downhill on left_out_loss, beginning with zeros",
         ("attend", "keys", "values", "steps"), p.training_problems, own_judge=p.judge_training, points=2,
         library="torch", given={"attend": HandedOver}),
    Item("predict", "Trained and compared",
         "two things: the answers (m,) of your pooling, trained on keys and values, at the queries, and its weights "
         "(m, n)", ("keys", "values", "queries"), p.predict_problems, own_judge=p.judge_predict, points=3,
         library="torch")))
publish(globals(), EXERCISE, figures)
