"""Right and wrong answers to `workbook.exercises.worth_of_w`; test_answers.py says how they are written."""
import numpy as np
from exercises.model_answers import nearest_where_nan
from exercises.model_answers import worth_of_w as model

import nwlab


def loss_itself(w, keys, values, factor):
    return factor * len(keys) * model.leave_one_out_errors([w], keys, values)[0]


def slope_forward(w, *at):
    return (loss_itself(w + 1e-6, *at) - loss_itself(w, *at)) / 1e-6


RIGHT = {"loss_slope": {"forward differences": slope_forward},
         "five_steps": {"forward differences": (model.five_steps, "loss_slope", "slope_forward")}}


def descends_on_the_grid(start):
    """Best w of a sorted grid, by steps to a smaller neighbour."""
    def best(ws, keys, values):
        ws = np.sort(ws)
        errors, at = model.leave_one_out_errors(ws, keys, values), start(len(ws))
        while True:
            near = range(max(0, at - 1), min(len(ws), at + 2))
            if (lowest := min(near, key=errors.__getitem__)) == at:
                return ws[at]
            at = lowest

    return best


def smaller_loss_only(w, keys, values, learning_rate, factor):
    path = [w]
    for _ in range(5):
        new = path[-1] - learning_rate * model.loss_slope(path[-1], keys, values, factor)
        old, at_new = model.leave_one_out_errors([path[-1], new], keys, values)
        path.append(new if at_new < old else path[-1])
    return np.array(path)


VALLEYS, TWINS = "problems hold, “", (model.best_w, "leave_one_out_errors(ws", "leave_twins_out(ws")


def leave_twins_out(ws, keys, values):
    masks = keys[:, None] != keys
    return np.array([np.mean((nwlab.masked_softmax(-0.5 * ((keys[:, None] - keys) * w) ** 2, mask=masks) @ values
                              - values) ** 2) for w in ws])


WRONG = {
    "error_against_truth": {"the nearest where it is NaN": (lambda queries, targets, keys, values, w: np.mean(
        (nearest_where_nan(-0.5 * ((queries[:, None] - keys) * w) ** 2, values) - targets) ** 2),
        "“between two keys” does not")},
    "best_w": {"from the left": (descends_on_the_grid(lambda g: 0), "the deeper one on the right” does not"),
               "from the right": (descends_on_the_grid(lambda g: g - 1), VALLEYS),
               "from the middle": (descends_on_the_grid(lambda g: g // 2), VALLEYS),
               "above 0": (lambda ws, *at: model.best_w(ws[ws > 0] if any(ws > 0) else ws, *at), "“ws of both signs”")},
    "five_steps": {"only steps to a smaller loss": (smaller_loss_only, "“too far and back” does not")}}
ALTERED = {
    "five_steps": [(model.five_steps, "learning_rate * loss_slope(path[-1], keys, values, factor)",
                    "np.clip(learning_rate * loss_slope(path[-1], keys, values, factor), -10, 10)", "“far too far”"),
                   (model.five_steps, "path = [w]", "path = list(np.full(1, w))",  "path.append(", "path.append(type("
                    "path[0])(", "factor))", "factor)))", "“whole numbers” does not"),
                   (model.five_steps, "path.append(", "path.append(path[-1]) if abs(learning_rate * loss_slope("
                    "path[-1], keys, values, factor)) < 1e-6 else path.append(", "“large keys and values” does not")],
    "best_w": [(*TWINS, "“two points at each place” does not")],
    "error_against_truth": [(model.error_against_truth, "(gaps * w) ** 2", "(gaps * w) ** 2, mask=gaps != 0",
                             "among the keys” does not")],
    "log_weight_gaps": [(model.log_weight_gaps, "scores.max()", "scores[keys != query].max(initial=-1e300)",
                         "“query among the keys” does not")]}
