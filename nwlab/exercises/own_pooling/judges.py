"""The judges of `own_pooling`: what must be true of every design. They see problems and answers, never a function.

Each yields rows: whether something is wrong, its name in advice.md, on which problem, and what stands in braces there.
"""
import numpy as np

from workbook.checks.item import first_wrong
from nwlab.exercises.common import softmax
from nwlab.exercises.own_pooling import problems as p
from nwlab.exercises.own_pooling.given import log_w as log_w_of

ENOUGH = 2.5                            # times the error of Nadaraya-Watson at the leave-one-out width
SAME = {"rtol": 1e-4, "atol": 1e-5}     # float32 is allowed
COMPANY = "a query's weights depend on the other queries"
RELATED = (                             # two problems, and what is wrong if queries in common have other weights
    (p.BASE, p.ALONE, COMPANY),
    (p.BASE, p.ORDER, "it depends on the order of the keys"),
    (p.BASE, p.VALUES, "the weights depend on the values"),
    (p.BASE, p.ITSELF, "under a mask the other keys do not keep their proportions"),
    (p.TALL, p.SQUARE, "under a mask the other keys do not keep their proportions"))


def places(problems):
    """The number of each problem, by name."""
    return {problem.name: i for i, problem in enumerate(problems)}


@first_wrong
def judge_scores(problems, tables, answers):
    """Scores (m, n) of any design."""
    at = places(problems)
    for i, (problem, scores) in enumerate(zip(problems, tables)):
        yield from _shape(problem, scores, "scores", i)
        dtype = answers[i].dtype
        yield dtype != "float64", "the scores are in {dtype}, float64 was expected", i, {"dtype": dtype}
        yield not np.all(np.isfinite(scores)), "infinity or NaN among the scores", i
    weights = all(np.allclose(scores.sum(axis=1), 1) for scores in tables)
    kernel = not np.any(tables[at[p.FAR]][:2])
    yield (all(np.all((scores >= 0) & (scores <= 1)) for scores in tables) and (weights or kernel),
           "these are weights or kernel values already: every score lies between 0 and 1", at["three keys by hand"])
    yield from _attention(problems, {problem.name: softmax(scores) for problem, scores in zip(problems, tables)})
    yield (all(_farther_is_higher(problems[at[name]], tables[at[name]]) for name in (p.BASE, p.OTHERS)),
           "the sign: the farther a key, the higher its score", at["three keys by hand"])
    if any(answer.slope is None for answer in answers):
        return                                                  # the engine says that the way back is cut
    for name in (p.VALUES, p.START):
        yield (not np.all(np.isfinite(answers[at[name]].slope.data)), "the slope is NaN where a query lies on a key",
               at[name])
    moved = tables[at[p.EQUAL]] - tables[at[p.START]]           # by a tiny step. What moves a whole row moves no weight
    yield (np.all(np.abs(answers[at[p.START]].slope.data) < 1e-12) or np.all(np.ptp(moved, axis=1) < 1e-7),
           "at the start every slope is 0: nothing would move", at[p.START])
    yield from _slopes(problems, answers, 1e-4)


@first_wrong
def judge_attend(problems, pairs, answers):
    """Answers (m,) and weights (m, n) of any design."""
    yield from _valid(problems, pairs)
    yield from _attention(problems, _weights(problems, pairs))
    yield from _slopes(problems, answers, 0.1)


@first_wrong
def judge_training(problems, answers, records):
    """Parameters (24,) after so many steps, for a Gaussian of which we know how steep the parameters make it."""
    at, noted, count = places(problems), [record.noted["attend"] for record in records], {"count": p.PARAMETERS}
    yield (not any(each["calls"] for each in noted), "it does not use the pooling that is handed over",
           len(problems) - 1)
    for i, parameters in enumerate(answers):
        yield (getattr(parameters, "shape", ()) != (p.PARAMETERS,) or not np.all(np.isfinite(parameters)),
               "it does not return the {count} parameters", i, count)
    yield (np.any(np.abs(answers[at[p.NO_STEP]]) > 1e-12) or any(np.any(each["at"][:1]) for each in noted),
           "it does not begin with zeros, or ignores `steps`", at[p.NO_STEP], count)
    yield not any(map(np.any, answers)), "nothing was learned: the parameters are still 0", at[p.AT_ONCE]
    for i, each in enumerate(noted):
        steps, turns = problems[i].inputs["steps"], len({tuple(x) for x in each["at"]} - {tuple(answers[i])})
        arrived = each["calls"] >= steps                        # early: then some steps do not move
        yield turns > steps or turns < steps and not arrived, "it does not take `steps` steps", i
    for i in (at[p.AT_ONCE], len(problems) - 1):
        inputs = problems[i].inputs
        log_w = np.clip(float(log_w_of(answers[i])), -20, 20)
        start, end, *grid = p.left_out(inputs["keys"], inputs["values"], [0.0, log_w, *np.linspace(-1, 3.5, 200)])
        yield (end > min(grid) + 0.08 * (start - min(grid)), "it has not arrived: a smaller loss is in reach", i,
               {"best": min(grid), "end": end, "start": start})


@first_wrong
def judge_predict(problems, answers, records):
    """Answers and weights of a trained pooling: valid weights, learned ones, and an error that is small enough."""
    yield from _valid(problems, answers)
    at, names, ratios, weights = places(problems), list(p.SAMPLES), {}, _weights(problems, answers)
    for name, (truth, _) in p.SAMPLES.items():
        inputs = problems[at[name]].inputs
        targets = truth(inputs["queries"])
        ratios[name] = np.mean((answers[at[name]][0] - targets) ** 2) / p.yardsticks(**inputs, targets=targets)["width"]
    typical = float(np.exp(np.mean(np.log(np.maximum(list(ratios.values()), 1e-9)))))
    bad = typical > ENOUGH
    worst = at[max(ratios, key=ratios.get)], {"enough": ENOUGH, "typical": typical,
                                              "ratios": ", ".join(f"{ratio:.1f}" for ratio in ratios.values())}
    yield (np.allclose(*(weights[name] for name in names), **SAME),
           "nothing is learned from the values: others, and the same weights", at[names[1]])
    in_order = [weights[name][:, np.argsort(problems[at[name]].inputs["keys"])] for name in (names[0], p.AGAIN)]
    yield (not np.allclose(*in_order, rtol=1e-3, atol=1e-4), "the same points in another order, and other weights",
           at[p.AGAIN])
    yield bad, "its error is {typical:.1f} times that of Nadaraya–Watson at the leave-one-out width", *worst


# --- what the judges share


def _weights(problems, pairs):
    return {problem.name: weights.astype(float) for problem, (_, weights) in zip(problems, pairs)}


def _shape(problem, table, what, i):
    m, n = len(problem.inputs["queries"]), len(problem.inputs["keys"])
    yield (np.shape(table) != (m, n), "{what} of shape {shape} where ({m}, {n}) was expected", i,
           {"what": what, "shape": np.shape(table), "m": m, "n": n})


def _farther_is_higher(problem, scores) -> bool:
    distances = np.abs(np.subtract.outer(problem.inputs["queries"], problem.inputs["keys"]))
    order = np.argsort(distances, axis=1)
    return bool(np.all(np.diff(np.take_along_axis(scores, order, axis=1), axis=1) > 0))


def _attention(problems, weights):
    """Weights depend on the query and on the parameters, and not on a key's place or on the other queries."""
    at = places(problems)
    yield (all(np.all(np.ptp(weights[name], axis=0) < 1e-6) for name in (p.BASE, p.OTHERS)),
           "average pooling in disguise: every query gets the same weights", at[p.BASE])
    yield np.allclose(weights[p.BASE], weights[p.OTHERS], **SAME), "the parameters play no part", at[p.OTHERS]
    for first, other, wrong in RELATED:
        same = np.allclose(*_in_common(problems[at[first]], problems[at[other]], weights), **SAME)
        of_queries = "values" not in problems[0].inputs and other != p.ORDER
        yield not same, COMPANY if of_queries else wrong, at[other]


def _in_common(first, other, weights):
    """The weights of the queries in common, for the keys in their order, shared out among those that `other` sees."""
    queries = np.intersect1d(first.inputs["queries"], other.inputs["queries"])
    mask = p.kept(np.ones(weights[other.name].shape), other.inputs.get("mask"), 0)
    seen = _in_order(other, mask, queries)
    tables = [_in_order(problem, weights[problem.name], queries) * seen for problem in (first, other)]
    sums = [table.sum(axis=1, keepdims=True) for table in tables]
    enough = np.minimum(*sums)[:, 0] > 1e-3                     # below, nothing is left to be compared
    return [(table / np.where(total, total, 1))[enough] for table, total in zip(tables, sums)]


def _in_order(problem, table, queries):
    """The rows of these queries, with the keys sorted."""
    rows = [list(problem.inputs["queries"]).index(query) for query in queries]
    return table[rows][:, np.argsort(problem.inputs["keys"])]


def _slopes(problems, answers, slack):
    """The slopes at the start say how the numbers change with a tiny step."""
    start, end = (places(problems)[name] for name in (p.START, p.EQUAL))
    if answers[start].slope is not None:                        # otherwise the engine says that the way back is cut
        changes = np.subtract(*(answers[i].value.numbers() for i in (end, start)))
        each = answers[start].slope.data * problems[end].inputs["parameters"]
        wrong = abs(np.cos(np.arange(len(changes))) @ changes - each.sum()) > slack * abs(each).max()
        yield wrong, "the gradient with respect to parameters is wrong: a tiny step changes other numbers", start


def _valid(problems, pairs):
    """Answers and weights by themselves: shapes, weights that share out 1, and answers that are averages."""
    for i, (problem, pair) in enumerate(zip(problems, pairs)):
        inputs = problem.inputs
        mask, shown = inputs.get("mask"), {"m": len(inputs["queries"]), "n": len(inputs["keys"])}
        yield not isinstance(pair, tuple) or len(pair) != 2, "two things were expected: answers and weights", i, shown
        answers, weights = pair
        yield (np.ndim(answers), np.ndim(weights)) == (2, 1), "answers and weights have changed places", i, shown
        yield from _shape(problem, weights, "weights", i)
        shown |= {"shape": np.shape(answers)}
        yield shown["shape"] != (shown["m"],), "answers of shape {shape} where ({m},) was expected", i, shown
        yield not np.all(weights >= -1e-6), "some weights are negative, or NaN", i
        yield not np.allclose(weights.sum(axis=1), 1, **SAME), "the weights of a query do not sum to one", i
        yield (mask is not None and np.any(weights[~mask] > 1e-6),
               "the mask is not obeyed: a hidden key gets attention", i)
        right, slack = weights @ inputs["values"], 1e-4 * np.max(np.abs(inputs["values"]))
        yield (not np.allclose(answers, right, rtol=1e-4, atol=slack),
               "the answers are not the weighted averages of the values", i,
               {"right": np.array2string(right[:6], precision=4)})
