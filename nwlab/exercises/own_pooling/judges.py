"""The judges of `own_pooling`: what must be true of every design. They see problems and answers, never a function."""
from __future__ import annotations

import numpy as np

from nwlab.exercises.own_pooling import problems as p
from nwlab.checks.item import Complaint
from nwlab.exercises.own_pooling.probes import AT_RANDOM, FLOAT, NO_SLOPE, SLOPES, START, WORKS_WITH

ENOUGH = 2.0                            # times the error of Nadaraya-Watson at the leave-one-out width
SAME = {"rtol": 1e-4, "atol": 1e-5}     # float32 is allowed
SET = ("a key has no number of its own: compute its score from the query, the keys and the parameters, the same way for every "
       "key. `parameters[i]` or `torch.arange` along the keys ties it to its place")
ROWS = "rows are queries, columns are keys: `queries[:, None] - keys[None, :]` has the shape (m, n)"


def judge_scores(problems, answers):
    """Scores (m, n) of any design."""
    at = {problem.name: i for i, problem in enumerate(problems)}
    for i, scores in enumerate(answers):
        if isinstance(scores, str) and scores.startswith(WORKS_WITH):
            return Complaint("it works for some numbers of keys only", "a pooling has to serve any number of keys: in training, "
                             f"for new data, with one more point. {SET[0].upper()}{SET[1:]}", i, _asked_shape(problems[i]))
    for i, (problem, scores) in enumerate(zip(problems, answers)):
        if isinstance(scores, str) and scores == AT_RANDOM:
            return Complaint("it is random: each call gives other scores", "`torch.randn`, `torch.rand` or a new layer inside draws new "
                             "numbers at each call, and a score has to be the same whenever it is asked. For constants take "
                             "`torch.linspace`", i, "the same inputs, the same scores")
        if isinstance(scores, str) and scores.startswith(FLOAT):
            return Complaint(f"the scores are in {scores.removeprefix(FLOAT)}, float64 was asked", "the inputs are float64. What on the "
                             "way has another dtype: `.float()`, or a tensor of your own? Give that dtype=torch.float64", i,
                             f"float64, {_asked_shape(problem)}")
        if problem.name not in (SLOPES, START) and (wrong := _wrong_shape(problem, scores, "scores")):
            return Complaint(*wrong, i, _asked_shape(problem))
    tables = {name: answers[i].astype(float) for name, i in at.items() if name not in (SLOPES, START)}
    for name, scores in tables.items():
        if not np.all(np.isfinite(scores)):
            return _not_finite(scores, at[name], problems[at[name]])
    if all(np.all(scores >= 0) and np.allclose(scores.sum(axis=1), 1) for scores in tables.values()):
        return Complaint("these are weights already: each row sums to one", "scores come before the softmax, any number will do. "
                         "A second softmax over weights would make them nearly equal", at[p.BASE])
    weights = {name: softmax(scores) for name, scores in tables.items()}
    if _deaf(weights[p.BASE]) and _deaf(weights[p.OTHERS]):
        return _same_rows(weights[p.BASE], at[p.BASE])
    if all(_farther_is_higher(problems[at[name]], scores) for name, scores in tables.items() if name not in (p.FAR, p.EQUAL)):
        return Complaint("the sign: the farther a key, the higher its score", "near keys should count more. Is a minus missing?",
                         at["three keys by hand"])
    if np.allclose(weights[p.BASE], weights[p.OTHERS], **SAME):
        return Complaint("the parameters play no part", "other parameters, the same weights: then training has nothing to turn. "
                         "Let a width, a slope or a share depend on `parameters[0]`, `parameters[1]` …", at[p.OTHERS])
    if wrong := _not_a_set(problems, at, weights):
        return wrong
    slope, first = answers[at[SLOPES]], answers[at[START]]
    if isinstance(slope, str) and slope == NO_SLOPE:
        return Complaint("the scores have no slope: training cannot move", "stay with tensors from the parameters to the scores. "
                         "`float(...)`, `.item()`, `.detach()`, `torch.tensor(...)`, `math.exp` and NumPy cut the way back",
                         at[SLOPES], "the slope by each parameter, found by torch")
    if not (np.all(np.isfinite(slope)) and np.all(np.isfinite(first))):
        return Complaint("the slope is NaN where a query lies on a key", "in training every query lies on a key. The root of 0 has "
                         "an infinite slope, and infinity times 0 is NaN: `abs()` instead of the root of a square, or a small "
                         "number added below the root. A logarithm of 0 does the same", at[SLOPES if np.all(np.isfinite(first)) else START], "finite slopes")
    if np.all(np.abs(slope) < 1e-12):
        return Complaint("the slope is 0 for every parameter: training cannot move", "rounding, sorting and comparing have slope 0. "
                         "Let a parameter multiply something, or stand in an exponent", at[SLOPES], "a slope that is not 0")
    if np.all(np.abs(first) < 1e-12):
        return Complaint("at the start every slope is 0: nothing would move", "training starts from p = 0: what is your width there, or "
                         "what are the products in your score? A width of `parameters[0]` itself is 0. Take torch.exp(p), which is 1 "
                         "there, or add constants, a different one to each parameter", at[START],
                         "a slope that is not 0 by some parameter, while all of them are 0")


def judge_attend(problems, answers):
    """Answers (m,) and weights (m, n) of any design."""
    at = {problem.name: i for i, problem in enumerate(problems)}
    for i, (problem, came) in enumerate(zip(problems, answers)):
        if wrong := _invalid(problem, came):
            return Complaint(wrong[0], wrong[1], i, wrong[2])
    weights = {name: answers[i][1].astype(float) for name, i in at.items()}
    if _deaf(weights[p.BASE]) and _deaf(weights[p.OTHERS]):
        return _same_rows(weights[p.BASE], at[p.BASE])
    if not np.allclose(weights[p.BASE], weights[p.VALUES], **SAME):
        return Complaint("the weights depend on the values", "who gets attention is settled by query and keys (and parameters). The "
                         "values are what is averaged afterwards: a weight that has seen them may cheat", at[p.VALUES],
                         "the same weights as for other values")
    if np.allclose(weights[p.BASE], weights[p.OTHERS], **SAME):
        return Complaint("the parameters play no part", "hand the `parameters` on to own_scores as they come", at[p.OTHERS],
                         "other weights than for other parameters")
    return _not_a_set(problems, at, weights)


def judge_predict(problems, answers):
    """Answers and weights of a trained pooling: valid weights, learned ones, and an error that is small enough."""
    at, ratios = {problem.name: i for i, problem in enumerate(problems)}, {}
    for i, (problem, came) in enumerate(zip(problems, answers)):
        if wrong := _invalid(problem, came):
            return Complaint(wrong[0], wrong[1], i, wrong[2])
    for name in p.SAMPLES:
        inputs, truth = problems[at[name]].inputs, p.SAMPLES[name][0]
        targets = truth(inputs["queries"])
        yardstick = p.yardsticks(inputs["keys"], inputs["values"], inputs["queries"], targets)["width"]
        ratios[name] = float(np.mean((answers[at[name]][0] - targets) ** 2)) / yardstick
    typical, worst = float(np.exp(np.mean(np.log(np.maximum(list(ratios.values()), 1e-9))))), max(ratios, key=ratios.get)
    wanted = (f"an error of at most {ENOUGH:g} times that of Nadaraya-Watson at the leave-one-out width, in the geometric mean of "
              f"the {len(ratios)} samples. Yours is {typical:.1f} times: " + ", ".join(f"{r:.1f}" for r in ratios.values()))
    weights = {name: answers[i][1].astype(float) for name, i in at.items()}
    if typical > ENOUGH and all(_far_ones(weights[name], _distances(problems[at[name]])) for name in p.SAMPLES):
        return Complaint("far keys get more attention than near ones", "is a minus missing in own_scores?", at[worst], wanted)
    if typical > ENOUGH and all(_deaf(weights[name], 1e-2) for name in p.SAMPLES):
        return Complaint(*_same_rows(weights[worst], at[worst], nearly=True), wanted)
    if np.allclose(weights[next(iter(p.SAMPLES))], weights[p.VALUES], **SAME):
        return Complaint("nothing is learned: other values, the same weights", "train on these keys and values before you answer, and "
                         "hand the learned parameters to `attend`, not the zeros from before", at[p.VALUES],
                         "weights that were learned from these values")
    if typical <= ENOUGH:
        return None
    if all(np.median(weights[name].max(axis=1)) > 0.85 for name in p.SAMPLES):
        return Complaint("needles: nearly all weight goes to the nearest key", "each point may have attended to itself in training, and "
                         "then a needle has no loss at all. Is left_out_loss what you train with, and does `attend` obey its mask? "
                         "Or does a parameter grow without end?", at[worst], wanted)
    return Complaint(f"its error is {typical:.1f} times that of Nadaraya–Watson at the leave-one-out width", "look at show_pooling: "
                     "is the band too soft (more steps? can your scores become steeper?), too sharp, or somewhere else? A "
                     "Gaussian with one learned w reaches 1.0", at[worst], wanted)


def softmax(scores):
    """Of each row."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


# --- what the judges share


def _asked_shape(problem) -> str:
    m, n = len(problem.inputs["queries"]), len(problem.inputs["keys"])
    return f"shape ({m}, {n}): {m} queries by {n} keys"


def _wrong_shape(problem, table, what):
    m, n = len(problem.inputs["queries"]), len(problem.inputs["keys"])
    if not isinstance(table, np.ndarray) or table.ndim == 0:
        return f"no table of {what}", f"return a tensor of shape (m, n). {ROWS}"
    if table.shape == (m, n):
        return None
    if table.shape == (n, m):
        return "the wrong axis: rows and columns are swapped", ROWS
    return f"{what} of shape {table.shape} where ({m}, {n}) was asked", ROWS


def _not_finite(scores, i, problem):
    word = "NaN" if np.any(np.isnan(scores)) else "minus infinity" if np.all(scores[~np.isfinite(scores)] < 0) else "infinity"
    where = {p.FAR: "far from the keys", p.EQUAL: "where a query lies on a key"}.get(problem.name, "among the scores")
    reaches = ("A kernel that reaches 0, as a triangle does, has a score of −∞ there and is not allowed: take one that stays "
               "positive at any distance")
    if problem.name == p.FAR:
        look = ("the kernel is 0 there in the computer, and its logarithm no number: write down the logarithm itself, as "
                f"−½ u² for a Gaussian. {reaches}")
    elif problem.name == p.EQUAL:
        look = "what is divided by a distance, or what is the logarithm of one? Here it is 0"
    else:
        zeros = "" if np.any(problem.inputs["parameters"]) else "all parameters are 0 here: is something divided by one? "
        look = f"{zeros}{reaches if word == 'minus infinity' else 'Print the steps before, for this problem'}"
    return Complaint(f"{word} {where}", look, i, "finite numbers")


def _deaf(weights, slack=1e-6) -> bool:
    """Whether all queries have the same weights."""
    return bool(np.all(np.ptp(weights, axis=0) < slack))


def _same_rows(weights, i, nearly=False):
    nearly = "nearly " if nearly else ""
    if np.ptp(weights) < (1e-2 if nearly else 1e-6):
        found = f"average pooling in disguise: every key has {nearly}the same weight"
    else:
        found = f"average pooling in disguise: every query gets {nearly}the same weights"
    look = "the query has to matter, together with the key: let the score depend on both, such as on their distance"
    if nearly:
        look = ("either the scores hardly differ, or training has not moved: print the learned parameters. Are they still 0? Then "
                "see whether check_own_scores and check_train hold")
    return (found, look, i) if nearly else Complaint(found, look, i, "weights that depend on the query")


def _far_ones(weights, distances) -> bool:
    """Whether attention goes farther than that of average pooling."""
    return bool(np.sum(weights * distances) > 1.001 * np.sum(distances) / weights.shape[1])


def _farther_is_higher(problem, scores) -> bool:
    if problem.name == p.ALONE:
        return True
    order = np.argsort(_distances(problem), axis=1)
    return bool(np.all(np.diff(np.take_along_axis(scores, order, axis=1), axis=1) > 0))


def _distances(problem):
    return np.abs(np.subtract.outer(problem.inputs["queries"], problem.inputs["keys"]))


def _not_a_set(problems, at, weights):
    """The keys in another order, and one query alone."""
    keys, moved = (problems[at[name]].inputs["keys"] for name in (p.BASE, p.ORDER))
    order = np.argsort(moved)[np.argsort(np.argsort(keys))]                     # moved[order] = keys
    if not np.allclose(weights[p.ORDER][:, order], weights[p.BASE], **SAME):
        return Complaint("it depends on the order of the keys", SET, at[p.ORDER], "the same weights, in the keys' new order")
    if not np.allclose(weights[p.ALONE], weights[p.BASE][:1], **SAME):
        return Complaint("a query's weights depend on the other queries", "in training other queries ask than later. Something runs "
                         "over the queries: a softmax, mean, maximum or sum along axis 0?", at[p.ALONE],
                         "the weights which the first query had in company")


def _invalid(problem, came):
    """What is wrong with answers and weights by themselves: (name, where to look, what was expected), or None."""
    asked = _asked_shape(problem)
    if not isinstance(came, tuple) or len(came) != 2:
        return "answers and weights were asked, two things", "end with `return answers, weights`", f"answers, and weights of {asked}"
    answers, weights = came
    m, n = len(problem.inputs["queries"]), len(problem.inputs["keys"])
    both = f"answers of shape ({m},), then weights of {asked}"
    if np.shape(answers) == (m, n) and np.shape(weights) == (m,):
        return "the two are swapped: answers first, then weights", "end with `return answers, weights`", both
    if np.shape(weights) == (n, n) != (m, n):
        return "you answered at the keys, not at the queries", "which of the arguments asks, and which are asked? Only in training are "\
               "the keys the queries too", both
    if wrong := _wrong_shape(problem, weights, "weights"):
        return *wrong, both
    if np.shape(answers) != (m,):
        return f"answers of shape {np.shape(answers)} where ({m},) was asked", "one number for each query: values (n,) without a "\
               "second axis, or a sum along the keys", both
    sums, mask = weights.sum(axis=1), problem.inputs.get("mask")
    if not np.all(np.isfinite(weights)):
        where = " far from the keys" if problem.name == p.FAR else ""
        return f"NaN among the weights{where}", ("the softmax of finite scores is never NaN. Do own_scores and "
                                                      "to_weights hold, and are the parameters finite?"), "finite weights"
    if np.allclose(weights.sum(axis=0), 1, **SAME) and not np.allclose(sums, 1, **SAME):
        return "the softmax runs over the queries", "each row, not each column, has to sum to one", "rows that sum to one"
    if np.any(weights < -1e-6):
        return "negative weights", ("an average with negative weights can leave the range of the values. Local linear regression does "
                                    "so, and it is no attention pooling"), "weights of at least 0"
    if not np.allclose(sums, 1, **SAME):
        return "the weights of a query do not sum to one", ("what hides keys after the softmax, or changes weights, has to be "
                                                            "divided out again. Hide keys before the softmax"), "rows that sum to one"
    if mask is not None and np.any(weights[~mask] > 1e-6):
        return "the mask is not obeyed: a hidden key gets attention", "hand the `mask` on to to_weights", "0 where mask is False"
    right = weights @ problem.inputs["values"]
    if not np.allclose(answers, right, rtol=1e-4, atol=1e-4 * np.max(np.abs(problem.inputs["values"]))):
        return "the answers are not the weighted averages of the values", "each answer is one row of weights times the values: (m, n) "\
               "times (n,)", "weights @ values = " + np.array2string(right[:6], precision=4)
