"""The mistakes that `worth_of_w` knows by name, a tuple for each item. Most are the model with one option."""
from functools import partial

import numpy as np

from nwlab.checks.item import Mistake
from nwlab.exercises.worth_of_w.model import best, error, gaps, left_out_errors, rules, scores, slope, steps


def in_weights_and_measure(answer, also=""):
    """What can go wrong in the weights and in the mean of the squares, for an answer that takes these options."""
    def mistake(name, look, **how):
        return Mistake(name, look + ("." if also and look[-1] not in "?." else "") + also, partial(answer, **how))

    return (
        mistake("w stands outside the square", "the distance is multiplied by w first, then squared: a distance and a "
                "width are compared, and their ratio is what counts", outside=True),
        mistake("it divides by w: that is σ, not w",
                "w = 1/σ. Where σ divides the distance, w multiplies it", divide=True),
        mistake("the ½ is missing in the scores", "the kernel is exp(−½ u²) with u = (q − k) w", half=1.0),
        mistake("the minus is missing in the scores: the farthest key gets most",
                "the nearer a key, the larger its score should be", sign=1.0),
        mistake("the softmax runs over the queries, not the keys",
                "rows are queries. Each row has to sum to one: along which axis do you divide?", axis=0),
        mistake("the square is forgotten",
                "errors of opposite sign cancel in a plain mean: square each one first", measure=np.mean),
        mistake("the root of the mean square", "no root here: bias² and variance add up in the mean square itself",
                measure=lambda residuals: np.sqrt(np.mean(residuals**2))))


ERROR = (
    *in_weights_and_measure(error),
    Mistake("it asks at the keys and compares with the noisy values", "there each point meets its own value again, and "
            "the noise is on both sides. Ask at the queries, and compare with the targets: they have no noise",
            lambda queries, targets, keys, values, w: error(keys, values, keys, values, w)))

LEFT_OUT = (
    Mistake("no point is left out: each one attends to itself", "at a large w each point repeats its own value, and "
            "the error falls to 0, whatever the values are. Take the diagonal out",
            partial(left_out_errors, itself="keep")),
    Mistake("the mask is the wrong way round: each point attends to itself alone",
            "true means: may attend. Which entries of (n, n) should be true?", lambda ws, **p: np.zeros(len(ws))),
    Mistake("the diagonal is set to 0 after the softmax, so the weights no longer sum to one", "what is left of a row "
            "has to be shared out anew. A score of −∞ before the softmax, or a mask, does both",
            partial(left_out_errors, itself="zero")),
    *in_weights_and_measure(left_out_errors, " If you call error_against_truth here: does it hold?"))

BEST = (
    Mistake("the place of the best w, not w itself", "argmin says where in ws the best one stands. Look it up there",
            lambda **p: np.argmin(left_out_errors(**p))),
    Mistake("the smallest error, not the w that has it", "a w is asked for: argmin says where it stands in ws",
            lambda **p: np.min(left_out_errors(**p))),
    Mistake("no point is left out, so the largest w wins", "when each point may repeat its own value, sharper is "
            "always better. Use your leave_one_out_errors", partial(best, itself="keep")),
    Mistake("the widths are sorted before the errors are looked up", "sort both or neither: the errors belong to the "
            "ws as they came", lambda **p: np.sort(p["ws"])[np.argmin(left_out_errors(**p))]))

RULES = (
    Mistake("the w is chosen by the error against the truth", "that is peeking: whoever has data only does not know "
            "the targets. Let best_w choose, which sees the sample's keys and values alone",
            lambda queries, targets, **p: rules(queries, targets, **p, choose=lambda ws, *sample: min(
                ws, key=lambda w: error(queries, targets, *sample, w)))),
    Mistake("the columns are swapped", "first the fixed w, then the chosen one", lambda **p: rules(**p)[:, ::-1]),
    Mistake("leave-one-out errors, not errors against the truth",
            "leave-one-out chooses. The judge of both rules is error_against_truth",
            partial(rules, measured=lambda queries, targets, keys, values, w: left_out_errors([w], keys, values)[0])))

GAPS = (
    Mistake("measured from the farthest key, not from the nearest", "is the nearest key's score the smallest of all or "
            "the largest?", lambda query, keys, w: scores(query, keys, w).min() - scores(query, keys, w)),
    Mistake("minus the scores, not their gaps", "from each one the nearest key's has to be taken away, so that the "
            "nearest gets 0", lambda query, keys, w: -scores(query, keys, w)),
    Mistake("e to the power of minus the gap: weights beside the nearest key's",
            "the log of a ratio is a difference of logs: no exp is needed", lambda **p: np.exp(-gaps(**p))))

SLOPE = (
    Mistake("the w of the inner derivative is missing",
            "the scores are −½ w² s: what is their derivative with respect to w?", partial(slope, times_w=False)),
    Mistake("the mean s̄ is not subtracted",
            "weights sum to one, so what one gains the others lose: that is what s̄ is for", partial(slope, mean=False)),
    Mistake("s̄ is subtracted from the columns: keepdims is missing", "s̄ (n,) meets (n, n) along its columns. As (n, 1) "
            "it meets the rows, where it belongs", partial(slope, keepdims=False)),
    Mistake("the slopes of the answers are added up without their residuals",
            "chain rule: each residual is multiplied by the slope of its answer", partial(slope, residual=False)),
    Mistake("w is not squared in the softmax", "the scores are −½ w² s", partial(slope, outside=True)))

STEPS = (
    Mistake("it climbs: the sign of the step is flipped",
            "downhill is against the slope. If your step says so: does loss_slope hold?", partial(steps, sign=1.0)),
    Mistake("the factor has no effect", "hand factor on to loss_slope. If you do: does loss_slope hold?",
            lambda factor, **p: steps(**p, factor=1.0)),
    Mistake("the learning rate is left out", "a step is the learning rate times the slope",
            lambda learning_rate, **p: steps(**p, learning_rate=1.0)),
    Mistake("each step uses the slope at the start",
            "after a step one stands elsewhere: ask loss_slope again, at the new w", partial(steps, stale=True)))
