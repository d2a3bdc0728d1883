"""The judges of `own_pooling`: what must be true of every design. They see problems and answers, never a function."""
from __future__ import annotations

import numpy as np

from nwlab.checks.item import Complaint
from nwlab.exercises.own_pooling import problems as p

ENOUGH = 2.0                            # times the error of Nadaraya-Watson at the leave-one-out width
SAME = {"rtol": 1e-4, "atol": 1e-5}     # float32 is allowed


def judge_scores(problems, tables, answers):
    """Scores (m, n) of any design."""
    at = {problem.name: i for i, problem in enumerate(problems)}
    for i, (problem, scores) in enumerate(zip(problems, tables)):
        if wrong := _wrong_shape(problem, scores, "scores", i):
            return wrong
        if answers[i].dtype != "float64":
            return Complaint(f"the scores are in {answers[i].dtype}, float64 was asked", "the inputs are float64. What "
                             "on the way has another dtype: `.float()`, or a tensor of your own? Give that "
                             "dtype=torch.float64", i, "float64")
        if not np.all(np.isfinite(scores)):
            return _not_finite(problem, scores, i)
    if all(np.all(scores >= 0) and np.allclose(scores.sum(axis=1), 1) for scores in tables):
        return Complaint("these are weights already: each row sums to one", "scores come before the softmax, any "
                         "number will do. A second softmax over weights would make them nearly equal", at[p.BASE])
    weights = {problem.name: p.softmax(scores) for problem, scores in zip(problems, tables)}
    if wrong := _no_attention(problems, at, weights):
        return wrong
    if all(_farther_is_higher(problems[at[name]], tables[at[name]]) for name in (p.BASE, p.ORDER, p.OTHERS)):
        return Complaint("the sign: the farther a key, the higher its score", "near keys should count more. Is a minus "
                         "missing?", at["three keys by hand"])
    if any(answer.slope is None for answer in answers):
        return None                                              # the way back is cut: that is told for any item
    slopes = {name: answers[at[name]].slope.data for name in (p.SLOPES, p.START)}
    for name, slope in slopes.items():
        if not np.all(np.isfinite(slope)):
            return Complaint("the slope is NaN where a query lies on a key", "in training every query lies on a key. "
                             "The root of 0 has an infinite slope, and infinity times 0 is NaN: `abs()` instead of the "
                             "root of a square, or a small number added below the root. A logarithm of 0 does the same",
                             at[name], "finite slopes")
    moved = tables[at[p.EQUAL]] - tables[at[p.START]]           # by a tiny step. What moves a whole row moves no weight
    if any(np.all(np.abs(slope) < 1e-12) for slope in slopes.values()) or np.all(np.ptp(moved, axis=1) < 1e-7):
        return Complaint("at the start every slope is 0: nothing would move", "training starts from p = 0: what is "
                         "your width there, or what are the products in your score? A width of `parameters[0]` itself "
                         "is 0. Take torch.exp(p), which is 1 there, or add constants, a different one to each "
                         "parameter. Rounding, sorting and comparing have slope 0 too", at[p.START], "a slope that is "
                         "not 0 by some parameter, while all of them are 0")


def judge_attend(problems, answers):
    """Answers (m,) and weights (m, n) of any design."""
    at = {problem.name: i for i, problem in enumerate(problems)}
    if wrong := _invalid(problems, answers):
        return wrong
    weights = {name: answers[i][1].astype(float) for name, i in at.items()}
    if wrong := _no_attention(problems, at, weights):
        return wrong
    if not np.allclose(weights[p.BASE], weights[p.VALUES], **SAME):
        return Complaint("the weights depend on the values", "who gets attention is settled by query and keys (and "
                         "parameters). The values are what is averaged afterwards: a weight that has seen them may "
                         "cheat", at[p.VALUES], "the same weights as for other values")


def judge_loss(problems, losses, answers):
    """What the pooling that was handed over noted."""
    for i, noted in enumerate(answer.noted["attend"] for answer in answers):
        if not noted["asked"]:
            return Complaint("it does not use the pooling that is handed over", "`attend` is an argument here: ask "
                             "that one. The check hands over a pooling of its own, so that it knows the right loss", i)
        if noted["mask"]:
            return Complaint("the mask must have dtype bool", "the mask holds True and False, dtype=torch.bool, not "
                             "1.0 and 0.0. Comparing makes such a tensor, and so does `.bool()`", i)


def judge_training(problems, found, answers):
    """Parameters (24,) after so many steps, for a Gaussian with w = exp(parameters[0])."""
    at = {problem.name: i for i, problem in enumerate(problems)}
    noted = [answer.noted["attend"] for answer in answers]
    for i, parameters in enumerate(found):
        if problems[i].inputs["steps"] and not noted[i]["asked"]:
            return Complaint("it does not use the pooling that is handed over", "`attend` is an argument here. Hand it "
                             "on to left_out_loss: the check trains a pooling of its own", i)
        if getattr(parameters, "shape", ()) != (p.PARAMETERS,) or not np.all(np.isfinite(parameters)):
            return Complaint(f"the {p.PARAMETERS} parameters were asked, something else came", "return `parameters`, "
                             "not the loss and not a list of all steps", i, f"a tensor of shape ({p.PARAMETERS},), "
                             "without NaN")
    if np.any(np.abs(found[at[p.NO_STEP]]) > 1e-12):
        return Complaint("it does not begin with zeros, or ignores `steps`", f"start from {p.PARAMETERS} zeros, and "
                         "walk `steps` steps, also if that is none", at[p.NO_STEP], f"{p.PARAMETERS} zeros")
    if not np.any(found[at[p.AT_ONCE]]):
        return Complaint("nothing was learned: the parameters are still 0", "three things happen in a step: the old "
                         "slope is cleared, the loss goes `backward`, the optimiser takes its step. Which is missing, "
                         "or is a new tensor trained in place of the one that is returned?", at[p.AT_ONCE],
                         "parameters with a smaller loss")
    if np.array_equal(found[at[p.AT_ONCE]], found[at[p.ONE_STEP]]):
        return Complaint("a hundred steps end where one step ends", "does `return` stand inside the loop, one step too "
                         "far to the right?", at[p.AT_ONCE], "parameters that have come farther than after one step")
    for i in (at[p.AT_ONCE], len(problems) - 1):
        if wrong := _badly_trained(problems[i].inputs, float(found[i][0]), noted[i], i):
            return wrong


def _badly_trained(inputs, log_w, noted, i):
    """What the loss says of the parameters that came."""
    at = [0.0, np.clip(log_w, -20, 20), *np.linspace(-1, 3.5, 200)]
    start, end, *grid = p.left_out(inputs["keys"], inputs["values"], at)
    best = min(grid)
    if end <= best + 0.1 * (start - best):
        return None
    name, look = "it has not arrived: a smaller loss is in reach", (
        "a hundred steps of Adam with learning rate 0.1 are enough here. Is each of the three lines in the loop, once? "
        "`backward` adds to the slope that is there, if nobody clears it")
    if noted["asked"] < inputs["steps"]:
        name, look = "the loss must be computed anew in each step", (
            "after a step the parameters are others, and an old loss knows nothing of them. Call left_out_loss inside "
            "the loop. (retain_graph, which torch's message proposes, would only repeat the first slope.)")
    elif end > start * (1 + 1e-6) and log_w < 0:
        name, look = "it walks uphill: the loss is larger than at the start", (
            "go against the slope of the loss: which sign is wrong?")
    elif noted["itself"]:
        name, look = "w runs away: each point attends to itself", (
            "the loss that is made small here is the one with every point's own key in it. Train with left_out_loss. "
            "Does that one hold?")
    return Complaint(name, look, i, f"a leave-one-out loss of about {best:.3f}; these parameters have {end:.3f}, the "
                     f"zeros at the start {start:.3f}")


def judge_predict(problems, answers):
    """Answers and weights of a trained pooling: valid weights, learned ones, and an error that is small enough."""
    at, ratios = {problem.name: i for i, problem in enumerate(problems)}, {}
    if wrong := _invalid(problems, answers):
        return wrong
    weights = {name: answers[i][1].astype(float) for name, i in at.items()}
    for name, (truth, *_) in p.SAMPLES.items():
        inputs = problems[at[name]].inputs
        targets = truth(inputs["queries"])
        yardstick = p.yardsticks(inputs["keys"], inputs["values"], inputs["queries"], targets)["width"]
        ratios[name] = float(np.mean((answers[at[name]][0] - targets) ** 2)) / yardstick
    typical = float(np.exp(np.mean(np.log(np.maximum(list(ratios.values()), 1e-9)))))
    worst = max(ratios, key=ratios.get)
    wanted = (f"an error of at most {ENOUGH:g} times that of Nadaraya-Watson at the leave-one-out width, in the "
              f"geometric mean of the {len(ratios)} samples. Yours is {typical:.1f} times: "
              + ", ".join(f"{ratio:.1f}" for ratio in ratios.values()))
    reach = [np.sum(weights[name] * far) / np.sum(far) * far.shape[1]            # 1 for average pooling
             for name, far in ((name, _distances(problems[at[name]])) for name in ratios)]
    if typical > ENOUGH and min(reach) > 1.001:
        return Complaint("far keys get more attention than near ones", "is a minus missing in own_scores?", at[worst],
                         wanted)
    if typical > ENOUGH and all(_deaf(weights[name], 1e-2) for name in ratios):
        return Complaint("average pooling in disguise: every query gets nearly the same weights", "either the scores "
                         "hardly differ, or training has not moved: print the learned parameters. Are they still 0? "
                         "Then see whether check_own_scores and check_train hold", at[worst], wanted)
    if np.allclose(weights[next(iter(p.SAMPLES))], weights[p.VALUES], **SAME):
        return Complaint("nothing is learned: other values, the same weights", "train on these keys and values before "
                         "you answer, and hand the learned parameters to `attend`, not the zeros from before",
                         at[p.VALUES], "weights that were learned from these values")
    if typical <= ENOUGH:
        return None
    if all(np.median(weights[name].max(axis=1)) > 0.85 for name in ratios):
        return Complaint("needles: nearly all weight goes to the nearest key", "each point may have attended to itself "
                         "in training, and then a needle has no loss at all. Is left_out_loss what you train with, and "
                         "does `attend` obey its mask? Or does a parameter grow without end?", at[worst], wanted)
    return Complaint(f"its error is {typical:.1f} times that of Nadaraya–Watson at the leave-one-out width", "look at "
                     "show_pooling: is the band too soft (more steps? can your scores become steeper?), too sharp, or "
                     "somewhere else? A Gaussian with one learned w reaches 1.0", at[worst], wanted)


# --- what the judges share


def _wrong_shape(problem, table, what, i):
    m, n = len(problem.inputs["queries"]), len(problem.inputs["keys"])
    shape = getattr(table, "shape", ())
    if shape != (m, n):
        swapped = "the wrong axis: rows and columns are swapped"
        return Complaint(swapped if shape == (n, m) else f"{what} of shape {shape} where ({m}, {n}) was asked", "rows "
                         "are queries, columns are keys: `queries[:, None] - keys[None, :]` has the shape (m, n)", i,
                         f"shape ({m}, {n}): {m} queries by {n} keys")


def _not_finite(problem, scores, i):
    bad = scores[~np.isfinite(scores)]
    word = "NaN" if np.any(np.isnan(bad)) else "minus infinity" if np.all(bad < 0) else "infinity"
    where, look = "among the scores", "" if np.any(problem.inputs["parameters"]) else (
        "all parameters are 0 here: is something divided by one? ")
    if problem.name == p.FAR:
        where, look = "far from the keys", (
            "the kernel is 0 there in the computer, and its logarithm no number: write down the logarithm itself, as "
            "−½ u² for a Gaussian. ")
    if problem.name == p.EQUAL:
        where, look = "where a query lies on a key", (
            "what is divided by a distance, or what is the logarithm of one? Here it is 0. ")
    return Complaint(f"{word} {where}", f"{look}A kernel that reaches 0, as a triangle does, has a score of −∞ there "
                     "and is not allowed: take one that stays positive at any distance", i, "finite numbers")


def _deaf(weights, slack=1e-6) -> bool:
    """Whether all queries have the same weights."""
    return bool(np.all(np.ptp(weights, axis=0) < slack))


def _farther_is_higher(problem, scores) -> bool:
    order = np.argsort(_distances(problem), axis=1)
    return bool(np.all(np.diff(np.take_along_axis(scores, order, axis=1), axis=1) > 0))


def _distances(problem):
    return np.abs(np.subtract.outer(problem.inputs["queries"], problem.inputs["keys"]))


def _no_attention(problems, at, weights):
    """Weights that do not depend on the query, or on the parameters, or do depend on keys and queries beside it."""
    if _deaf(weights[p.BASE]) and _deaf(weights[p.OTHERS]):
        return Complaint("average pooling in disguise: every query gets the same weights", "the query has to matter, "
                         "together with the key: let the score depend on both, such as on their distance", at[p.BASE],
                         "weights that depend on the query")
    if np.allclose(weights[p.BASE], weights[p.OTHERS], **SAME):
        return Complaint("the parameters play no part", "other parameters, the same weights: then training has nothing "
                         "to turn. Let a width, a slope or a share depend on `parameters[0]`, `parameters[1]` …, and "
                         "hand the parameters on as they come", at[p.OTHERS], "other weights than for other parameters")
    keys, moved = (problems[at[name]].inputs["keys"] for name in (p.BASE, p.ORDER))
    order = np.argsort(moved)[np.argsort(np.argsort(keys))]                     # moved[order] = keys
    if not np.allclose(weights[p.ORDER][:, order], weights[p.BASE], **SAME):
        return Complaint("it depends on the order of the keys", "a key has no number of its own: compute its score "
                         "from the query, the keys and the parameters, the same way for every key. `parameters[i]` or "
                         "`torch.arange` along the keys ties it to its place", at[p.ORDER], "the same weights, in the "
                         "keys' new order")
    if not np.allclose(weights[p.ALONE], weights[p.BASE][:1], **SAME):
        return Complaint("a query's weights depend on the other queries", "in training other queries ask than later. "
                         "Something runs over the queries: a softmax, mean, maximum or sum along axis 0?", at[p.ALONE],
                         "the weights which the first query had in company")


def _invalid(problems, answers):
    """What is wrong with answers and weights by themselves."""
    for i, (problem, came) in enumerate(zip(problems, answers)):
        inputs = problem.inputs
        m, n, mask = len(inputs["queries"]), len(inputs["keys"]), inputs.get("mask")
        if not isinstance(came, tuple) or len(came) != 2:
            return Complaint("answers and weights were asked, two things", "end with `return answers, weights`", i,
                             f"answers ({m},), and weights ({m}, {n})")
        answers, weights = came
        if wrong := _wrong_shape(problem, weights, "weights", i):
            return wrong
        if np.shape(answers) != (m,):
            return Complaint(f"answers of shape {np.shape(answers)} where ({m},) was asked", "one number for each "
                             "query: values (n,) without a second axis, or a sum along the keys", i)
        if not np.all(np.isfinite(weights)):
            return Complaint(f"NaN among the weights{' far from the keys' if problem.name == p.FAR else ''}", "the "
                             "softmax of finite scores is never NaN. Do own_scores and to_weights hold, and are the "
                             "parameters finite?", i, "finite weights")
        if np.any(weights < -1e-6):
            return Complaint("negative weights", "an average with negative weights can leave the range of the values. "
                             "Local linear regression does so, and it is no attention pooling", i, "weights of at "
                             "least 0")
        if not np.allclose(weights.sum(axis=1), 1, **SAME):
            return Complaint("the weights of a query do not sum to one", "each row has to: does the softmax run over "
                             "the queries? And what hides keys after the softmax has to be divided out again. Hide "
                             "keys before it", i, "rows that sum to one")
        if mask is not None and np.any(weights[~mask] > 1e-6):
            return Complaint("the mask is not obeyed: a hidden key gets attention", "hand the `mask` on to to_weights",
                             i, "0 where mask is False")
        right = weights @ inputs["values"]
        if not np.allclose(answers, right, rtol=1e-4, atol=1e-4 * np.max(np.abs(inputs["values"]))):
            return Complaint("the answers are not the weighted averages of the values", "each answer is one row of "
                             "weights times the values: (m, n) times (n,)", i, "weights @ values = "
                             f"{np.array2string(right[:6], precision=4)}")
