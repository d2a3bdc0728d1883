"""The judges of `own_pooling`: what must be true of every design. They see problems and answers, never a function.

Each yields rows: whether something is wrong, its name in advice.md, on which problem, and what stands in braces there.
"""
import numpy as np

from workbook.checks.item import first_wrong
from nwlab.exercises.common import softmax
from nwlab.exercises.own_pooling import problems as p
from nwlab.exercises.own_pooling.given import SHARED, log_w as log_w_of

ENOUGH = 2.5                            # times the error of Nadaraya-Watson at the leave-one-out width
SAME = {"rtol": 1e-4, "atol": 1e-5}     # float32 is allowed


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
        yield from _not_finite(problem, scores[~np.isfinite(scores)], i)
    yield (all(np.all(scores >= 0) and np.allclose(scores.sum(axis=1), 1) for scores in tables),
           "these are weights already: each row sums to one", at[p.BASE])
    yield (all(np.all((scores >= 0) & (scores <= 1)) and not np.any(scores[:2]) for scores in [tables[at[p.FAR]]])
           and all(np.all((scores >= 0) & (scores <= 1)) for scores in tables),
           "a kernel, not its logarithm: every score lies between 0 and 1", at["three keys by hand"])
    yield from _attention(problems, {problem.name: softmax(scores) for problem, scores in zip(problems, tables)})
    yield (all(_farther_is_higher(problems[at[name]], tables[at[name]]) for name in (p.BASE, p.ORDER, p.OTHERS)),
           "the sign: the farther a key, the higher its score", at["three keys by hand"])
    if any(answer.slope is None for answer in answers):
        return                                                  # the way back is cut: that is told for any item
    slopes = {name: answers[at[name]].slope.data for name in (p.SLOPES, p.START)}
    for name, slope in slopes.items():
        yield not np.all(np.isfinite(slope)), "the slope is NaN where a query lies on a key", at[name]
    moved = tables[at[p.EQUAL]] - tables[at[p.START]]           # by a tiny step. What moves a whole row moves no weight
    yield (any(np.all(np.abs(slope) < 1e-12) for slope in slopes.values()) or np.all(np.ptp(moved, axis=1) < 1e-7),
           "at the start every slope is 0: nothing would move", at[p.START])


@first_wrong
def judge_attend(problems, pairs, answers):
    """Answers (m,) and weights (m, n) of any design. The slopes are compared for any item."""
    yield from _valid(problems, pairs)
    weights = {problem.name: came[1].astype(float) for problem, came in zip(problems, pairs)}
    yield (not np.allclose(weights[p.BASE], weights[p.VALUES], **SAME), "the weights depend on the values",
           places(problems)[p.VALUES])
    yield from _attention(problems, weights)


@first_wrong
def judge_loss(problems, losses, answers):
    """What the pooling that was handed over noted."""
    for i, noted in enumerate(answer.noted["attend"] for answer in answers):
        yield not noted["asked"], "it does not use the pooling that is handed over", i
        yield noted["mask"], "the mask must have dtype bool", i


@first_wrong
def judge_training(problems, found, answers):
    """Parameters (24,) after so many steps, for a Gaussian of which we know how steep the parameters make it."""
    at, noted, count = places(problems), [answer.noted["attend"] for answer in answers], {"count": p.PARAMETERS}
    yield (not any(each["asked"] for each in noted), "it does not use the pooling that is handed over",
           len(problems) - 1)
    for i, parameters in enumerate(found):
        yield (getattr(parameters, "shape", ()) != (p.PARAMETERS,) or not np.all(np.isfinite(parameters)),
               "the {count} parameters were expected, something else came", i, count)
    none, one, many = (found[at[name]] for name in (p.NO_STEP, p.ONE_STEP, p.AT_ONCE))
    yield (np.any(np.abs(none) > 1e-12) or any(np.any(each["at"][:1]) for each in noted),
           "it does not begin with zeros, or ignores `steps`", at[p.NO_STEP], count)
    yield not any(map(np.any, found)), "nothing was learned: the parameters are still 0", at[p.AT_ONCE]
    yield (np.array_equal(many, one) and len(noted[at[p.AT_ONCE]]["at"]) <= 2,
           "fifty steps end where one step ends", at[p.AT_ONCE])
    yield (noted[at[p.ONE_STEP]]["asked"] and not np.all(one[SHARED]),       # else a step is missing: see below
           "some parameters that matter are never moved", at[p.ONE_STEP], count)
    for i in (at[p.AT_ONCE], len(problems) - 1):
        yield from _trained(problems[i].inputs, float(log_w_of(problems[i].inputs["attend"], found[i])), noted[i], i)
    for i, each in enumerate(noted):
        places_before, steps = {tuple(x) for x in each["at"]} - {tuple(found[i])}, problems[i].inputs["steps"]
        more = "more" if len(places_before) > steps else "fewer"
        yield (more == "more" or len(places_before) < steps and each["asked"] < steps,       # it may have arrived early
               "it takes {more} steps than it is told to", i, {"more": more, "steps": steps})


def _trained(inputs, log_w, noted, i):
    """What the loss says of the parameters that came."""
    at = [0.0, np.clip(log_w, -20, 20), *np.linspace(-1, 3.5, 200)]
    start, end, *grid = p.left_out(inputs["keys"], inputs["values"], at)
    bad = end > min(grid) + 0.08 * (start - min(grid))
    shown = i, {"best": min(grid), "end": end, "start": start}
    yield (noted["fewest"] < len(inputs["keys"]) - 1, "some points could not ask all the others", i,
           {"others": len(inputs["keys"]) - 1})
    yield bad and noted["asked"] < inputs["steps"], "the loss must be computed anew in each step", *shown
    yield (bad and end > start * (1 + 1e-6) and log_w < 0, "it walks uphill: the loss is larger than at the start",
           *shown)
    yield bad and noted["itself"], "w runs away: each point attends to itself", *shown
    yield bad, "it has not arrived: a smaller loss is in reach", *shown
    yield _other_slopes(inputs, noted), "it goes downhill on another loss", i


def _other_slopes(inputs, noted) -> bool:
    """Whether the slopes that came back are not those of the left-out loss, up to a factor: here log w is linear."""
    keys, values, kind = (inputs[name] for name in ("keys", "values", "attend"))
    came, at = (np.array(noted[name]) for name in ("slopes", "at"))
    share = np.array([log_w_of(kind, row) for row in np.eye(p.PARAMETERS)])
    log_w = at @ share
    slopes = (p.left_out(keys, values, log_w + 1e-4) - p.left_out(keys, values, log_w - 1e-4)) / 2e-4
    right = np.outer(slopes, share) * (came[0] @ share) / (slopes[0] * (share @ share))
    gone = np.any(came, axis=1)                             # a slope that was not asked for is 0
    return bool(np.any(np.abs(came - right)[gone] > 0.003 * np.max(np.abs(right))))


@first_wrong
def judge_predict(problems, answers, records):
    """Answers and weights of a trained pooling: valid weights, learned ones, and an error that is small enough."""
    yield from _valid(problems, answers)
    at, names, ratios = places(problems), list(p.SAMPLES), {}
    weights = {problem.name: came[1].astype(float) for problem, came in zip(problems, answers)}
    for name, (truth, _) in p.SAMPLES.items():
        inputs = problems[at[name]].inputs
        targets = truth(inputs["queries"])
        ratios[name] = np.mean((answers[at[name]][0] - targets) ** 2) / p.yardsticks(**inputs, targets=targets)["width"]
    typical = float(np.exp(np.mean(np.log(np.maximum(list(ratios.values()), 1e-9)))))
    bad = typical > ENOUGH
    worst = at[max(ratios, key=ratios.get)], {"enough": ENOUGH, "count": len(ratios), "typical": typical,
                                              "ratios": ", ".join(f"{ratio:.1f}" for ratio in ratios.values())}
    far = {name: _distances(problems[at[name]]) for name in names}
    yield (bad and all(np.sum(weights[name] * far[name]) > 1.001 * np.mean(far[name]) * len(far[name])
                       for name in names),                      # equal for average pooling
           "far keys get more attention than near ones", *worst)
    yield (bad and all(_deaf(weights[name], 1e-2) for name in names),
           "average pooling in disguise: every query gets nearly the same weights", *worst)
    yield (bad and np.median([np.median(weights[name].max(axis=1)) for name in names]) > 0.85,
           "needles: nearly all weight goes to the nearest key", *worst)
    yield (np.allclose(*(weights[name] for name in names), **SAME),
           "nothing is learned from the values: others, and the same weights", at[names[1]])
    in_order = [weights[name][:, np.argsort(problems[at[name]].inputs["keys"])] for name in (names[0], p.AGAIN)]
    yield (not np.allclose(*in_order, rtol=1e-3, atol=1e-4), "the same points in another order, and other weights",
           at[p.AGAIN])
    yield bad, "its error is {typical:.1f} times that of Nadaraya–Watson at the leave-one-out width", *worst
    missing = [f"your {name}" for name in ("train", "attend") if name not in records[0].called]
    yield missing, "it never calls {missing}", at[names[0]], {"missing": " and ".join(missing)}


# --- what the judges share


def _shape(problem, table, what, i):
    m, n = len(problem.inputs["queries"]), len(problem.inputs["keys"])
    shown = i, {"what": what, "shape": getattr(table, "shape", ()), "m": m, "n": n}
    yield shown[1]["shape"] == (n, m) != (m, n), "the wrong axis: rows and columns are swapped", *shown
    yield (shown[1]["shape"] == tuple(side for side in (m, n) if side > 1) != (m, n),
           "an axis of length 1 is missing from the {what}", *shown)
    yield shown[1]["shape"] != (m, n), "{what} of shape {shape} where ({m}, {n}) was expected", *shown


def _not_finite(problem, bad, i):
    """What stands where among the scores: bad are those that are no finite numbers."""
    word = "NaN" if np.any(np.isnan(bad)) else "minus infinity" if np.all(bad < 0) else "infinity"
    zeros = "" if np.any(problem.inputs["parameters"]) else "all parameters are 0 here: is something divided by one? "
    where = {p.FAR: "{word} far from the keys", p.EQUAL: "{word} where a query lies on a key"}
    yield len(bad), where.get(problem.name, "{word} among the scores"), i, {"word": word, "zeros": zeros}


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
    yield (_deaf(weights[p.BASE]) and _deaf(weights[p.OTHERS]),
           "average pooling in disguise: every query gets the same weights", at[p.BASE])
    yield np.allclose(weights[p.BASE], weights[p.OTHERS], **SAME), "the parameters play no part", at[p.OTHERS]
    for i, first in enumerate(problems):
        for other in problems[i + 1:]:
            if _belong_together(first, other):
                yield (not np.allclose(*_in_common(first, other, weights), **SAME), _what_differs(first, other),
                       at[other.name])


def _belong_together(first, other) -> bool:
    """Whether two problems have the same parameters and the same keys, in any order."""
    return all(np.array_equal(*(np.sort(problem.inputs[name]) if name == "keys" else problem.inputs[name]
                                for problem in (first, other))) for name in ("parameters", "keys"))


def _in_common(first, other, weights):
    """The weights of the queries in common, for the keys in their order, shared out among those that both may see."""
    found, queries = [], np.intersect1d(first.inputs["queries"], other.inputs["queries"])
    masks = [p.kept(np.ones(weights[problem.name].shape), problem.inputs.get("mask"), 0) for problem in (first, other)]
    for problem, table in zip((first, other), (weights[first.name] * masks[0], weights[other.name] * masks[1])):
        rows = [list(problem.inputs["queries"]).index(query) for query in queries]
        found.append(np.stack([table[rows], masks[problem is other][rows]])[:, :, np.argsort(problem.inputs["keys"])])
    shares = [table * mask for (table, _), (_, mask) in (found, found[::-1])]
    sums = [share.sum(axis=1, keepdims=True) for share in shares]
    seen = np.minimum(*sums)[:, 0] > 1e-3                       # below, nothing is left to be compared
    return [(share / np.where(total, total, 1))[seen] for share, total in zip(shares, sums)]


def _what_differs(first, other) -> str:
    masks = [problem.inputs.get("mask") is None for problem in (first, other)]
    if masks[0] != masks[1]:
        return "under a mask the other keys do not keep their proportions"
    if not np.array_equal(first.inputs["keys"], other.inputs["keys"]):
        return "it depends on the order of the keys"
    return "a query's weights depend on the other queries"


def _valid(problems, answers):
    """Answers and weights by themselves: shapes, weights that share out 1, and answers that are averages."""
    for i, (problem, came) in enumerate(zip(problems, answers)):
        inputs = problem.inputs
        mask, shown = inputs.get("mask"), {"m": len(inputs["queries"]), "n": len(inputs["keys"])}
        yield not isinstance(came, tuple) or len(came) != 2, "two things were expected: answers and weights", i, shown
        answers, weights = came
        yield (np.ndim(answers), np.ndim(weights)) == (2, 1), "answers and weights have changed places", i, shown
        yield from _shape(problem, weights, "weights", i)
        shown |= {"shape": np.shape(answers), "far": " far from the keys" if problem.name == p.FAR else ""}
        yield shown["shape"] != (shown["m"],), "answers of shape {shape} where ({m},) was expected", i, shown
        yield not np.all(np.isfinite(weights)), "NaN among the weights{far}", i, shown
        shares = np.allclose(weights.sum(axis=1), 1, **SAME)
        yield not shares and np.any(weights < -1e-6), "scores where weights were expected", i
        yield np.any(weights < -1e-6), "negative weights", i
        yield not shares, "the weights of a query do not sum to one", i
        yield (mask is not None and np.any(weights[~mask] > 1e-6),
               "the mask is not obeyed: a hidden key gets attention", i)
        right, slack = weights @ inputs["values"], 1e-4 * np.max(np.abs(inputs["values"]))
        yield (not np.allclose(answers, right, rtol=1e-4, atol=slack),
               "the answers are not the weighted averages of the values", i,
               {"right": np.array2string(right[:6], precision=4)})
