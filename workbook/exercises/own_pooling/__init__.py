"""Design an attention pooling: scores, weights, the leave-one-out loss, training, and a fair comparison."""
import numpy as np

from workbook.checks.item import Exercise, Item
from workbook.checks.notebook import publish
from workbook.exercises.own_pooling import figures
from workbook.exercises.own_pooling import problems as p
from workbook.exercises.own_pooling.given import HandedOver

EXERCISE = Exercise(__name__, "Design an attention pooling", (
    Item("own_scores", arguments=("queries", "keys", "parameters"), points=2, by_hand=p.designs,
         own_judge=p.judge_scores, library="torch", slope="parameters"),
    Item("to_weights", arguments=("scores", "mask"), points=2, by_hand=p.tables, oracle=p.weights_of, inputs=p.TABLES,
         library="torch", slope="scores", mistakes=(
        ("the mask is ignored", lambda scores, mask: p.weights_of(scores)),
        ("the mask is upside down", lambda scores, mask: p.weights_of(scores, None if mask is None else ~mask)),
        ("a hidden key has score 0, not weight 0", lambda scores, mask: p.weights_of(p.kept(scores, mask, 0))))),
    Item("attend", arguments=("queries", "keys", "values", "parameters", "mask"), by_hand=p.designs,
         own_judge=p.judge_attend, library="torch", slope="parameters"),
    Item("left_out_loss", points=2, by_hand=p.FEW_POINTS, oracle=p.loss, inputs=(p.LOSSES,), library="torch",
         slope="parameters", given={"attend": HandedOver}, mistakes=(
        ("each point attends to itself", {"itself": True}),
        ("the mask is upside down: each point attends only to itself", lambda **inputs: 0.0),
        ("the square is forgotten", {"end": np.positive}))),
    Item("train", arguments=("attend", "keys", "values", "steps"), points=2, by_hand=p.training_problems,
         own_judge=p.judge_training, library="torch", given={"attend": HandedOver}),
    Item("predict", arguments=("keys", "values", "queries"), points=3, by_hand=p.predict_problems,
         own_judge=p.judge_predict, library="torch")))
publish(globals(), EXERCISE, figures)
