"""The judges of `own_pooling`: what must be true of every design. They see problems and answers, never a function.

Each yields rows: whether something is wrong, its name, where to look next, on which problem, what was expected.
"""
from functools import wraps

import numpy as np

from nwlab.checks.item import Complaint
from nwlab.checks.problems import softmax
from nwlab.exercises.own_pooling import problems as p

ENOUGH = 2.0                            # times the error of Nadaraya-Watson at the leave-one-out width
SAME = {"rtol": 1e-4, "atol": 1e-5}     # float32 is allowed


def first_wrong(rows):
    """A judge from a function that yields rows: the first that is wrong is the complaint, and ends it."""
    @wraps(rows)
    def judge(*asked):
        return next((Complaint(*words) for wrong, *words in rows(*asked) if wrong), None)

    return judge


def places(problems):
    """The number of each problem, by name."""
    return {problem.name: i for i, problem in enumerate(problems)}


@first_wrong
def judge_scores(problems, tables, answers):
    """Scores (m, n) of any design."""
    at = places(problems)
    for i, (problem, scores) in enumerate(zip(problems, tables)):
        yield from _shape(problem, scores, "scores", i)
        yield (answers[i].dtype != "float64", f"the scores are in {answers[i].dtype}, float64 was asked",
               "the inputs are float64. What on the way has another dtype: `.float()`, or a tensor of your own? Give "
               "that dtype=torch.float64", i, "float64")
        yield not np.all(np.isfinite(scores)), *_not_finite(problem, scores), i, "finite numbers"
    yield (all(np.all(scores >= 0) and np.allclose(scores.sum(axis=1), 1) for scores in tables),
           "these are weights already: each row sums to one", "scores come before the softmax, any number will do. A "
           "second softmax over weights would make them nearly equal", at[p.BASE])
    yield from _attention(problems, {problem.name: softmax(scores) for problem, scores in zip(problems, tables)})
    yield (all(_farther_is_higher(problems[at[name]], tables[at[name]]) for name in (p.BASE, p.ORDER, p.OTHERS)),
           "the sign: the farther a key, the higher its score", "near keys should count more. Is a minus missing?",
           at["three keys by hand"])
    if any(answer.slope is None for answer in answers):
        return                                                  # the way back is cut: that is told for any item
    slopes = {name: answers[at[name]].slope.data for name in (p.SLOPES, p.START)}
    for name, slope in slopes.items():
        yield (not np.all(np.isfinite(slope)), "the slope is NaN where a query lies on a key",
               "in training every query lies on a key. The root of 0 has an infinite slope, and infinity times 0 is "
               "NaN: `abs()` instead of the root of a square, or a small number added below the root. A logarithm of 0 "
               "does the same", at[name], "finite slopes")
    moved = tables[at[p.EQUAL]] - tables[at[p.START]]           # by a tiny step. What moves a whole row moves no weight
    yield (any(np.all(np.abs(slope) < 1e-12) for slope in slopes.values()) or np.all(np.ptp(moved, axis=1) < 1e-7),
           "at the start every slope is 0: nothing would move", "training starts from p = 0: what is your width there, "
           "or what are the products in your score? A width of `parameters[0]` itself is 0. Take torch.exp(p), which "
           "is 1 there, or add constants, a different one to each parameter. Rounding, sorting and comparing have "
           "slope 0 too", at[p.START], "a slope that is not 0 by some parameter, while all of them are 0")


@first_wrong
def judge_attend(problems, answers):
    """Answers (m,) and weights (m, n) of any design."""
    yield from _valid(problems, answers)
    weights = {problem.name: came[1].astype(float) for problem, came in zip(problems, answers)}
    yield from _attention(problems, weights)
    yield (not np.allclose(weights[p.BASE], weights[p.VALUES], **SAME), "the weights depend on the values",
           "who gets attention is settled by query and keys (and parameters). The values are what is averaged "
           "afterwards: a weight that has seen them may cheat", places(problems)[p.VALUES],
           "the same weights as for other values")


@first_wrong
def judge_loss(problems, losses, answers):
    """What the pooling that was handed over noted."""
    for i, noted in enumerate(answer.noted["attend"] for answer in answers):
        yield (not noted["asked"], "it does not use the pooling that is handed over", "`attend` is an argument here: "
               "ask that one. The check hands over a pooling of its own, so that it knows the right loss", i)
        yield (noted["mask"], "the mask must have dtype bool", "the mask holds True and False, dtype=torch.bool, not "
               "1.0 and 0.0. Comparing makes such a tensor, and so does `.bool()`", i)


@first_wrong
def judge_training(problems, found, answers):
    """Parameters (24,) after so many steps, for a Gaussian with w = exp(parameters[0])."""
    at, noted, zeros = places(problems), [answer.noted["attend"] for answer in answers], f"{p.PARAMETERS} zeros"
    for i, parameters in enumerate(found):
        yield (problems[i].inputs["steps"] and not noted[i]["asked"], "it does not use the pooling that is handed over",
               "`attend` is an argument here. Hand it on to left_out_loss: the check trains a pooling of its own", i)
        yield (getattr(parameters, "shape", ()) != (p.PARAMETERS,) or not np.all(np.isfinite(parameters)),
               f"the {p.PARAMETERS} parameters were asked, something else came", "return `parameters`, not the loss "
               "and not a list of all steps", i, f"a tensor of shape ({p.PARAMETERS},), without NaN")
    none, one, many = (found[at[name]] for name in (p.NO_STEP, p.ONE_STEP, p.AT_ONCE))
    yield (np.any(np.abs(none) > 1e-12), "it does not begin with zeros, or ignores `steps`",
           f"start from {zeros}, and walk `steps` steps, also if that is none", at[p.NO_STEP], zeros)
    yield (not np.any(many), "nothing was learned: the parameters are still 0", "three things happen in a step: the "
           "old slope is cleared, the loss goes `backward`, the optimiser takes its step. Which is missing, or is a "
           "new tensor trained in place of the one that is returned?", at[p.AT_ONCE], "parameters with a smaller loss")
    yield (np.array_equal(many, one), "a hundred steps end where one step ends", "does `return` stand inside the loop, "
           "one step too far to the right?", at[p.AT_ONCE], "parameters that have come farther than after one step")
    for i in (at[p.AT_ONCE], len(problems) - 1):
        yield from _trained(problems[i].inputs, float(found[i][0]), noted[i], i)


def _trained(inputs, log_w, noted, i):
    """What the loss says of the parameters that came."""
    at = [0.0, np.clip(log_w, -20, 20), *np.linspace(-1, 3.5, 200)]
    start, end, *grid = p.left_out(inputs["keys"], inputs["values"], at)
    best = min(grid)
    bad = end > best + 0.1 * (start - best)
    shown = i, (f"a leave-one-out loss of about {best:.3f}; these parameters have {end:.3f}, the zeros at the start "
                f"{start:.3f}")
    yield (bad and noted["asked"] < inputs["steps"], "the loss must be computed anew in each step",
           "after a step the parameters are others, and an old loss knows nothing of them. Call left_out_loss inside "
           "the loop. (retain_graph, which torch's message proposes, would only repeat the first slope.)", *shown)
    yield (bad and end > start * (1 + 1e-6) and log_w < 0, "it walks uphill: the loss is larger than at the start",
           "go against the slope of the loss: which sign is wrong?", *shown)
    yield (bad and noted["itself"], "w runs away: each point attends to itself", "the loss that is made small here is "
           "the one with every point's own key in it. Train with left_out_loss. Does that one hold?", *shown)
    yield (bad, "it has not arrived: a smaller loss is in reach", "a hundred steps of Adam with learning rate 0.1 are "
           "enough here. Is each of the three lines in the loop, once? `backward` adds to the slope that is there, if "
           "nobody clears it", *shown)


@first_wrong
def judge_predict(problems, answers):
    """Answers and weights of a trained pooling: valid weights, learned ones, and an error that is small enough."""
    yield from _valid(problems, answers)
    at, names = places(problems), list(p.SAMPLES)
    weights = {problem.name: came[1].astype(float) for problem, came in zip(problems, answers)}
    ratios = {}
    for name, (truth, *_) in p.SAMPLES.items():
        inputs = problems[at[name]].inputs
        targets = truth(inputs["queries"])
        ratios[name] = np.mean((answers[at[name]][0] - targets) ** 2) / p.yardsticks(**inputs, targets=targets)["width"]
    typical = float(np.exp(np.mean(np.log(np.maximum(list(ratios.values()), 1e-9)))))
    bad = typical > ENOUGH
    worst = at[max(ratios, key=ratios.get)], (
        f"an error of at most {ENOUGH:g} times that of Nadaraya-Watson at the leave-one-out width, in the geometric "
        f"mean of the {len(ratios)} samples. Yours is {typical:.1f} times: "
        + ", ".join(f"{ratio:.1f}" for ratio in ratios.values()))
    far = {name: _distances(problems[at[name]]) for name in names}
    yield (bad and all(np.sum(weights[name] * far[name]) > 1.001 * np.mean(far[name]) * len(far[name])
                       for name in names),                      # equal for average pooling
           "far keys get more attention than near ones", "is a minus missing in own_scores?", *worst)
    yield (bad and all(_deaf(weights[name], 1e-2) for name in names), "average pooling in disguise: every query gets "
           "nearly the same weights", "either the scores hardly differ, or training has not moved: print the learned "
           "parameters. Are they still 0? Then see whether check_own_scores and check_train hold", *worst)
    yield (np.allclose(weights[names[0]], weights[p.VALUES], **SAME), "nothing is learned: other values, the same "
           "weights", "train on these keys and values before you answer, and hand the learned parameters to `attend`, "
           "not the zeros from before", at[p.VALUES], "weights that were learned from these values")
    yield (bad and all(np.median(weights[name].max(axis=1)) > 0.85 for name in names),
           "needles: nearly all weight goes to the nearest key", "each point may have attended to itself in training, "
           "and then a needle has no loss at all. Is left_out_loss what you train with, and does `attend` obey its "
           "mask? Or does a parameter grow without end?", *worst)
    yield (bad, f"its error is {typical:.1f} times that of Nadaraya–Watson at the leave-one-out width",
           "look at show_pooling: is the band too soft (more steps? can your scores become steeper?), too sharp, or "
           "somewhere else? A Gaussian with one learned w reaches 1.0", *worst)


# --- what the judges share


def _shape(problem, table, what, i):
    m, n = len(problem.inputs["queries"]), len(problem.inputs["keys"])
    shape = getattr(table, "shape", ())
    name = f"{what} of shape {shape} where ({m}, {n}) was asked"
    yield (shape != (m, n), "the wrong axis: rows and columns are swapped" if shape == (n, m) else name, "rows are "
           "queries, columns are keys: `queries[:, None] - keys[None, :]` has the shape (m, n)", i,
           f"shape ({m}, {n}): {m} queries by {n} keys")


def _not_finite(problem, scores):
    """What stands where among the scores, and where to look next."""
    bad = scores[~np.isfinite(scores)]
    word = "NaN" if np.any(np.isnan(bad)) else "minus infinity" if np.all(bad < 0) else "infinity"
    zeros = "" if np.any(problem.inputs["parameters"]) else "all parameters are 0 here: is something divided by one? "
    where, look = {
        p.FAR: ("far from the keys", "the kernel is 0 there in the computer, and its logarithm no number: write down "
                "the logarithm itself, as −½ u² for a Gaussian. "),
        p.EQUAL: ("where a query lies on a key", "what is divided by a distance, or what is the logarithm of one? Here "
                  "it is 0. ")}.get(problem.name, ("among the scores", zeros))
    return f"{word} {where}", (f"{look}A kernel that reaches 0, as a triangle does, has a score of −∞ there and is not "
                               "allowed: take one that stays positive at any distance")


def _deaf(weights, slack=1e-6) -> bool:
    """Whether all queries have the same weights."""
    return bool(np.all(np.ptp(weights, axis=0) < slack))


def _farther_is_higher(problem, scores) -> bool:
    order = np.argsort(_distances(problem), axis=1)
    return bool(np.all(np.diff(np.take_along_axis(scores, order, axis=1), axis=1) > 0))


def _distances(problem):
    return np.abs(np.subtract.outer(problem.inputs["queries"], problem.inputs["keys"]))


def _attention(problems, weights):
    """Weights depend on the query and on the parameters, and not on a key's place or on the other queries."""
    at = places(problems)
    keys, moved = (problems[at[name]].inputs["keys"] for name in (p.BASE, p.ORDER))
    order = np.argsort(moved)[np.argsort(np.argsort(keys))]                     # moved[order] = keys
    yield (_deaf(weights[p.BASE]) and _deaf(weights[p.OTHERS]), "average pooling in disguise: every query gets the "
           "same weights", "the query has to matter, together with the key: let the score depend on both, such as on "
           "their distance", at[p.BASE], "weights that depend on the query")
    yield (np.allclose(weights[p.BASE], weights[p.OTHERS], **SAME), "the parameters play no part",
           "other parameters, the same weights: then training has nothing to turn. Let a width, a slope or a share "
           "depend on `parameters[0]`, `parameters[1]` …, and hand the parameters on as they come", at[p.OTHERS],
           "other weights than for other parameters")
    yield (not np.allclose(weights[p.ORDER][:, order], weights[p.BASE], **SAME),
           "it depends on the order of the keys", "a key has no number of its own: compute its score from the query, "
           "the keys and the parameters, the same way for every key. `parameters[i]` or `torch.arange` along the keys "
           "ties it to its place", at[p.ORDER], "the same weights, in the keys' new order")
    yield (not np.allclose(weights[p.ALONE], weights[p.BASE][:1], **SAME), "a query's weights depend on the other "
           "queries", "in training other queries ask than later. Something runs over the queries: a softmax, mean, "
           "maximum or sum along axis 0?", at[p.ALONE], "the weights which the first query had in company")


def _valid(problems, answers):
    """Answers and weights by themselves: shapes, weights that share out 1, and answers that are averages."""
    for i, (problem, came) in enumerate(zip(problems, answers)):
        inputs = problem.inputs
        m, n, mask = len(inputs["queries"]), len(inputs["keys"]), inputs.get("mask")
        far = " far from the keys" if problem.name == p.FAR else ""
        yield (not isinstance(came, tuple) or len(came) != 2, "answers and weights were asked, two things",
               "end with `return answers, weights`", i, f"answers ({m},), and weights ({m}, {n})")
        answers, weights = came
        yield from _shape(problem, weights, "weights", i)
        yield (np.shape(answers) != (m,), f"answers of shape {np.shape(answers)} where ({m},) was asked",
               "one number for each query: values (n,) without a second axis, or a sum along the keys", i)
        yield (not np.all(np.isfinite(weights)), "NaN among the weights" + far, "the softmax of finite scores is never "
               "NaN. Do own_scores and to_weights hold, and are the parameters finite?", i, "finite weights")
        yield (np.any(weights < -1e-6), "negative weights", "an average with negative weights can leave the range of "
               "the values. Local linear regression does so, and it is no attention pooling", i,
               "weights of at least 0")
        yield (not np.allclose(weights.sum(axis=1), 1, **SAME), "the weights of a query do not sum to one",
               "each row has to: does the softmax run over the queries? And what hides keys after the softmax has to "
               "be divided out again. Hide keys before it", i, "rows that sum to one")
        yield (mask is not None and np.any(weights[~mask] > 1e-6),
               "the mask is not obeyed: a hidden key gets attention", "hand the `mask` on to to_weights", i,
               "0 where mask is False")
        right, slack = weights @ inputs["values"], 1e-4 * np.max(np.abs(inputs["values"]))
        yield (not np.allclose(answers, right, rtol=1e-4, atol=slack),
               "the answers are not the weighted averages of the values", "each answer is one row of weights times the "
               "values: (m, n) times (n,)", i, f"weights @ values = {np.array2string(right[:6], precision=4)}")
