"""The items of `own_pooling`, and what its judges measure by: Nadaraya-Watson at the leave-one-out width.

A design of the student's own has no one right answer. So a function is run on problems that belong together (the same
keys in another order, other values, other parameters), and the judges compare its answers with each other. Two
functions take a pooling as an argument: they get one of ours, and then there is a right answer.
"""
from dataclasses import replace

import numpy as np

import nwlab
from nwlab.data import linear_truth, power_truth
from workbook.checks.cases import listed
from workbook.checks.inputs import Inputs, flags, numbers, one_of, until
from workbook.checks.item import Exercise, Item, Problem
from workbook.exercises.common import score_traps, softmax
from workbook.exercises.own_pooling.given import HandedOver, log_w, scores_of
from workbook.language import say

PARAMETERS = 24
OURS = say("a Gaussian, w = exp(half the sum of the parameters 2, 9, 16 and 23)")
BASE, ORDER = say("a hundred keys and more"), say("the same keys in another order")
VALUES = say("the same keys, other values")
FEW = say("few keys in another order")
ALONE, OTHERS, FAR = say("the first query alone"), say("other parameters"), say("far from all keys")
EQUAL, START = say("queries on keys, two of them equal"), say("the slopes before training")
TALL = say("more queries than keys")
STEP, SQUARE, ITSELF = say("a small step of the parameters"), say("as many queries as keys"), say("no point for itself")
BESIDE, APART = say("queries just beside the keys"), say("one point far from all others, none for itself")
AT_ONCE, NO_STEP, AGAIN = say("twenty steps"), say("no step"), say("the first sample in another order")
SAMPLES = {                                             # name: truth, noise. They have their keys and queries in common
    say("forty points of 2 sin x + x^0.8"): (power_truth, 0.5),
    say("forty points of cos 3x + 0.3 x"): (lambda x: np.cos(3 * x) + 0.3 * x, 0.25),
}
WIDTHS = np.geomspace(0.03, 3.0, 30)
BY_HAND = {"queries": np.array([1.0, 2.5]), "keys": np.array([0.0, 1.25, 3.0]), "values": np.array([1.0, 4.0, 2.0]),
           "parameters": np.zeros(PARAMETERS), "mask": None}
NEAREST, AVERAGE = 3.2, 4.0             # in each sample the two ends of pooling are at least so many times as wrong

TABLES = tuple(Inputs({"scores": numbers("m", "n", low=-4, high=1), "mask": mask})
               for mask in (one_of(None), flags("m", "n")))
LOSSES = Inputs({"attend": one_of(OURS),
                 "keys": replace(numbers("n", low=-3, high=4), specials=numbers("n").specials[:1]),     # two alike
                 "values": numbers("n", low=-40, high=90),
                 "parameters": replace(numbers(PARAMETERS, low=-0.5, high=1.5), specials=())},
                units=("values",), sizes={"n": (2, 200)})


FEW_POINTS = (                          # losses that can be worked out with a pen, with a pooling of ours
    (say("two points"), OURS, [1, 2], [3, 5], [0] * PARAMETERS,
     say("each point can only ask the other: both are off by 2")),
    (say("three points"), OURS, [1, 2, 4], [3, 5, 5], [0] * PARAMETERS),
    (say("an isolated point"), OURS, [0, 1, 1e3], [3, 5, 8], [0] * PARAMETERS,
     say("the weight of the others would underflow beside its own: a point has to be left out before the softmax")),
    (say("three points far apart"), OURS, [1e9, 2e9, 4e9], [3, 5, 5], [-10.3] * PARAMETERS,
     say("keys may be in any unit")))


def size(rng, least: int) -> int:
    """One of three sizes, so that no size is the same for every seed."""
    return int(rng.integers(least, least + 3))


def designs(rng):
    """Problems of any design: `own_scores` takes the first three arguments, `attend` all of them."""
    start, n, few = np.zeros(PARAMETERS), size(rng, 121), size(rng, 5)
    keys, values, queries = rng.uniform(0, 5, n), rng.normal(2, 1, n), rng.uniform(0.2, 4.8, 7)
    queries[0], queries[4:] = 2.5, keys[:3]                 # alone, in the middle, it has no large distance
    base = {"queries": queries, "keys": keys, "parameters": rng.normal(0, 0.5, PARAMETERS), "values": values,
            "mask": None}
    zero = base | {"queries": keys[:4], "keys": np.append(keys[:5], keys[:1]), "parameters": start,
                   "values": values[:6]}
    near = 1e-5 * rng.choice([-1, 1], PARAMETERS) * rng.uniform(0.5, 1.5, PARAMETERS)     # a tiny step from the start
    tall = {"queries": rng.uniform(-1.5, 2.5, size(rng, 121)), "keys": rng.uniform(-2, 3, few),
            "parameters": rng.normal(0, 0.3, PARAMETERS), "values": rng.uniform(100, 400, few), "mask": None}
    order, others = rng.permutation(n), 1e9 * rng.normal(-5, 9, n)
    yield Problem(say("three keys by hand"), BY_HAND)
    yield Problem(BASE, base)
    yield Problem(ORDER, base | {"keys": keys[order], "values": values[order]},
                  say("the keys are a set: where a key stands in the tensor says nothing, and nothing may be tied to "
                      "one key. There are more keys than parameters ({n})", n=PARAMETERS))
    yield Problem(VALUES, base | {"queries": keys, "values": others},
                  say("weights come from queries and keys. Here the queries are the keys, as in training"))
    yield Problem(ALONE, base | {"queries": queries[:1]}, say("a query's weights do not depend on who else is asking"))
    yield Problem(OTHERS, base | {"parameters": start}, say("what can be learned has to matter"))
    yield Problem(STEP, base | {"parameters": base["parameters"] + 10 * near})
    yield Problem(FAR, base | {"queries": np.array([1e3, -1e3, 2.0]), "parameters": start},
                  say("two queries are a thousand away from every key"))
    yield Problem(EQUAL, zero | {"parameters": near}, say("distances of 0 are among them"))
    yield Problem(TALL, tall)
    yield Problem(FEW, tall | {name: tall[name][::-1].copy() for name in ("keys", "values")},
                  say("the keys are a set, also where they are fewer than the parameters"))
    yield Problem(SQUARE, tall | {"queries": tall["queries"][:few], "mask": np.tri(few) > 0},
                  say("a table with as many rows as columns: rows are queries still"))
    yield Problem(ITSELF, base | {"queries": keys, "mask": ~np.eye(n, dtype=bool)},
                  say("no key may attend to itself"))
    yield Problem(BESIDE, base | {"queries": np.append(keys + 1e-9, 2.5), "values": others},
                  say("next to the keys weights are nearly those at the keys"))
    yield Problem(APART, zero | {"queries": np.append(keys[:5], 1e3), "keys": np.append(keys[:5], 1e3),
                                 "mask": ~np.eye(6, dtype=bool)},
                  say("no key may attend to itself, and one is far away"))
    yield Problem(say("one key"), zero | {"keys": keys[:1], "values": values[:1]},
                  say("any number of keys is allowed, even one"))
    yield Problem(say("two keys at one place"), zero | {"keys": keys[[0, 0]], "values": values[:2]},
                  say("keys may be equal, even all of them"))
    yield Problem(START, zero, say("training begins with zeros: where every slope is 0, no step leads away"))


def tables(rng):
    """The traps of a softmax, without a mask and with one."""
    far = np.array([[-1e20, -2e20, -3e20, -1e20]] * 2)
    yield from ((trap.name, trap.inputs["scores"], None, trap.why) for trap in score_traps(rng))
    yield (say("only the farthest key may be seen"), -far, np.array([[1, 0, 0, 0], [0, 0, 0, 1]], bool),
           say("a number below all of the scores is not low enough where they are so large that rounding swallows it"))
    yield (say("far from all keys, one of them hidden"), far, np.array([[1, 1, 1, 0], [0, 1, 1, 0]], bool),
           say("with steep scores a query far away has such numbers, and a hidden key must have a lower one"))


def training_problems(rng):
    """Two samples, one of them with no step too."""
    first = {"attend": OURS, **one_valley(rng, lambda x: 2 * power_truth(x), size(rng, 30), 0.8)}
    yield Problem(AT_ONCE, first | {"steps": 20})               # a tenth of the learning rate comes half as far
    yield Problem(NO_STEP, first | {"steps": 0},
                  say("after no step the parameters are what they were: {n} zeros", n=PARAMETERS))
    yield Problem(say("ninety steps, another sample"), {"attend": OURS, "steps": 90} | one_valley(
        rng, linear_truth, size(rng, 43), 0.6))


def predict_problems(rng):
    """Two samples with the same keys and queries, and the first of them in another order."""
    samples, cycle = telling(rng, 40), rng.permutation(40)
    order = np.empty_like(cycle)
    order[cycle] = np.roll(cycle, 1)                        # one cycle through all: no part of the places stays a part
    for name, inputs in zip(SAMPLES, samples):
        yield Problem(name, inputs)
    first = samples[0]
    yield Problem(AGAIN, first | {name: first[name][order] for name in ("keys", "values")},
                  say("the same points: learned from all of them, the weights are the same, in their order"))
    yield Problem(say("the first sample, one query"), first | {"queries": first["queries"][:1]},
                  say("one query is still an array of shape (1,): one answer, (1,), and one row of weights, (1, n)"))


def one_valley(rng, truth, n, noise):
    """A sample on which every descent from w = 1 ends at the best w."""
    def good(keys, values):
        losses = left_out(keys, values, np.linspace(-0.7, 3.4, 60))
        best = int(np.argmin(losses))
        return 20 < best < 34 and np.all(np.diff(losses[: best + 1]) < 0) and losses[best] < 0.6 * losses[10]

    def drawn():
        keys = rng.uniform(0, 5, n)
        return {"keys": keys, "values": truth(keys) + noise * rng.standard_normal(n)}

    return until(good, drawn)


def telling(rng, n):
    """A sample of each curve on the same keys: neither end of pooling does well on it."""
    while True:
        keys, queries = rng.uniform(0, 5, n), rng.uniform(0.1, 4.9, size(rng, 41))
        queries[:2] = keys[0], keys[0] + 1e-4                   # beside a key, and told from it by `isclose`
        values = [truth(keys) + noise * rng.standard_normal(n) for truth, noise in SAMPLES.values()]
        errors = [yardsticks(keys, each, queries, truth(queries)) for (truth, _), each in zip(SAMPLES.values(), values)]
        if all(NEAREST < error["nearest"] / error["width"] and AVERAGE < error["average"] / error["width"]
               for error in errors):
            return [{"keys": keys, "values": each, "queries": queries} for each in values]


def left_out(keys, values, log_w):
    """The leave-one-out loss of a Gaussian for each log w."""
    return nwlab.loo_error(keys, values, bandwidths=np.exp(-np.asarray(log_w)))


def best_width(keys, values) -> float:
    """The width on a coarse grid with the smallest leave-one-out error."""
    return float(WIDTHS[np.argmin(nwlab.loo_error(keys, values, bandwidths=WIDTHS))])


def yardsticks(keys, values, queries, targets) -> dict[str, float]:
    """Errors against the truth: "width" (Nadaraya-Watson, leave-one-out width), "nearest" and "average"."""
    answers = {"width": nwlab.nadaraya_watson(queries, keys, values, bandwidth=best_width(keys, values)),
               "nearest": nwlab.nearest_pooling(queries, keys, values), "average": values.mean()}
    return {name: float(np.mean((answer - targets) ** 2)) for name, answer in answers.items()}


def kept(table, mask, otherwise):
    """The table (m, n) where the mask is True, or where there is no mask."""
    return table if mask is None else np.where(mask, table, otherwise)


def weights_of(scores, mask=None):
    """The softmax of each row over the keys that the mask allows, (m, n)."""
    return softmax(kept(scores, mask, -np.inf))


def loss(attend, keys, values, parameters, itself=False, end=np.square):
    """The leave-one-out loss of the pooling that is handed over, a number.

    May be wrong: itself, each point attends to itself too; end, of the gaps between answers and values, (n,).
    """
    squares, others = np.subtract.outer(keys, keys) ** 2, ~np.eye(len(keys), dtype=bool)
    return np.mean(end(weights_of(scores_of(squares, parameters), None if itself else others) @ values - values))


# --- judges: what must be true of every design. Each yields rows: whether something is wrong, its name in advice.md, on
# which problem, and what stands in braces there


ENOUGH = 2.5                            # times the error of Nadaraya-Watson at the leave-one-out width
SAME = {"rtol": 1e-4, "atol": 1e-5}     # float32 is allowed
COMPANY, UNORDERED = "a query's weights depend on the other queries", "it depends on the order of the keys"
RELATED = (                             # two problems, and what is wrong if queries in common have other weights
    (BASE, ALONE, COMPANY),
    (BASE, ORDER, UNORDERED),
    (TALL, FEW, UNORDERED),
    (BASE, VALUES, "the weights depend on the values"),
    (BASE, ITSELF, "under a mask the other keys do not keep their proportions"),
    (TALL, SQUARE, "under a mask the other keys do not keep their proportions"))


def by_name(cases):
    return {case.problem.name: case for case in cases}


def judge_scores(cases):
    """Scores (m, n) of any design."""
    at = by_name(cases)
    for case in cases:
        yield from _shape(case, case.plain, say("scores"))
        dtype = case.got.dtype
        yield dtype != "float64", "the scores are in {dtype}, float64 was expected", case, {"dtype": dtype}
        yield not np.all(np.isfinite(case.plain)), "infinity or NaN among the scores", case
    weights = all(np.allclose(case.plain.sum(axis=1), 1) for case in cases)
    kernel = not np.any(at[FAR].plain[:2])
    yield (all(np.all((case.plain >= 0) & (case.plain <= 1)) for case in cases) and (weights or kernel),
           "these are weights or kernel values already: every score lies between 0 and 1", cases[0])
    yield from _attention(at, {name: softmax(case.plain) for name, case in at.items()})
    yield (all(_farther_is_higher(at[name]) for name in (BASE, OTHERS)),
           "the sign: the farther a key, the higher its score", cases[0])
    if any(case.answer.slope is None for case in cases):
        return                                                  # the engine says that the way back is cut
    for case in at[VALUES], at[START]:
        yield not np.all(np.isfinite(case.answer.slope.data)), "the slope is NaN where a query lies on a key", case
    moved = at[EQUAL].plain - at[START].plain               # by a tiny step. What moves a whole row moves no weight
    yield (np.all(np.abs(at[START].answer.slope.data) < 1e-12) or np.all(np.ptp(moved, axis=1) < 1e-7),
           "at the start every slope is 0: nothing would move", at[START])
    yield from _slopes(at)


def judge_attend(cases):
    """Answers (m,) and weights (m, n) of any design."""
    yield from _valid(cases)
    at = by_name(cases)
    yield from _attention(at, {name: case.plain[1].astype(float) for name, case in at.items()})
    yield from _slopes(at)


def judge_training(cases):
    """Parameters (24,) after so many steps, for a Gaussian of which we know how steep the parameters make it."""
    at, count = by_name(cases), {"count": PARAMETERS}
    rows = [(case, case.plain, case.answer.noted["attend"]) for case in cases]
    yield not any(noted["calls"] for *_, noted in rows), "it does not use the pooling that is handed over", cases[-1]
    for case, parameters, _ in rows:
        yield (getattr(parameters, "shape", ()) != (PARAMETERS,) or not np.all(np.isfinite(parameters)),
               "it does not return the {count} parameters", case, count)
    yield (np.any(np.abs(at[NO_STEP].plain) > 1e-12) or any(np.any(noted["at"][:1]) for *_, noted in rows),
           "it does not begin with zeros, or ignores `steps`", at[NO_STEP], count)
    yield not any(np.any(case.plain) for case in cases), "nothing was learned: the parameters are still 0", cases[0]
    for case, parameters, noted in rows:
        steps, turns = case.problem.inputs["steps"], len({tuple(x) for x in noted["at"]} - {tuple(parameters)})
        arrived = noted["calls"] >= steps                       # early: then some steps do not move
        yield turns > steps or turns < steps and not arrived, "it does not take `steps` steps", case
    for case, parameters, noted in rows:
        slopes = np.abs(noted["slopes"])
        late = [slope for place, slope in zip(noted["at"], slopes) if np.array_equal(place, parameters)]
        yield late and max(late) > 1e-4 * slopes.max(), "the slope at its last parameters leads to no step", case
        trained = parameters[2::7]                              # those that count: all of them have the same slope
        yield np.ptp(trained) > 1e-3 * np.abs(trained).max(), "only some of the parameters are trained", case
    for case, parameters, noted in rows[::2]:                   # those with steps
        sample = case.problem.inputs["keys"], case.problem.inputs["values"]
        learned = np.clip(float(log_w(parameters)), -20, 20)
        start, end, *grid = left_out(*sample, [0.0, learned, *np.linspace(-1, 3.5, 200)])
        yield (end > min(grid) + 0.2 * (start - min(grid)), "it has not arrived: a smaller loss is in reach", case,
               {"best": min(grid), "end": end, "start": start})
        slopes, path = np.array(noted["slopes"]), np.clip(log_w(np.array(noted["at"]).T), -20, 20)
        right = np.subtract(*(left_out(*sample, path + step) for step in (1e-4, -1e-4)))
        right *= slopes != 0                                    # 0: none was computed
        yield (abs(slopes @ right) < 0.9999 * np.linalg.norm(slopes) * np.linalg.norm(right),   # not a multiple of it
               "it goes downhill on another loss", case)


def judge_predict(cases):
    """Answers and weights of a trained pooling: valid weights, learned ones, and an error that is small enough."""
    yield from _valid(cases)
    at, (first, second), ratios = by_name(cases), SAMPLES, []
    weights = {name: case.plain[1].astype(float) for name, case in at.items()}
    for name, (truth, _) in SAMPLES.items():
        inputs = at[name].problem.inputs
        targets = truth(inputs["queries"])
        ratios.append(np.mean((at[name].plain[0] - targets) ** 2) / yardsticks(**inputs, targets=targets)["width"])
        yield from _at_a_key(weights[name][:1], weights[name][1:2], at[name], inputs["keys"] == inputs["keys"][0])
    yield (np.allclose(weights[first], weights[second], **SAME),
           "nothing is learned from the values: others, and the same weights", at[second])
    yield (not np.allclose(*(_in_order(at[name], weights[name]) for name in (first, AGAIN)), rtol=1e-3, atol=1e-4),
           "the same points in another order, and other weights", at[AGAIN])
    typical = float(np.exp(np.mean(np.log(np.maximum(ratios, 1e-9)))))
    yield (typical > ENOUGH, "its error is {typical:.1f} times that of Nadaraya–Watson at the leave-one-out width",
           at[(first, second)[np.argmax(ratios)]],
           {"enough": ENOUGH, "typical": typical, "ratios": ", ".join(f"{ratio:.1f}" for ratio in ratios)})
    missing = [say("your {name}", name=name) for name in ("train", "attend") if name not in cases[0].answer.reads]
    yield missing, "it never calls {missing}", cases[0], {"missing": listed(missing)}


# --- what the judges share


def _shape(case, table, what):
    m, n = len(case.problem.inputs["queries"]), len(case.problem.inputs["keys"])
    yield (np.shape(table) != (m, n), "{what} of shape {shape} where ({m}, {n}) was expected", case,
           {"what": what, "shape": np.shape(table), "m": m, "n": n})


def _farther_is_higher(case) -> bool:
    distances = np.abs(np.subtract.outer(case.problem.inputs["queries"], case.problem.inputs["keys"]))
    order = np.argsort(distances, axis=1)
    return bool(np.all(np.diff(np.take_along_axis(case.plain, order, axis=1), axis=1) > 0))


def _attention(at, weights):
    """Weights depend on the query and on the parameters, and not on a key's place or on the other queries."""
    yield from _at_a_key(weights[VALUES], weights[BESIDE][:-1], at[VALUES])
    yield (all(np.all(np.ptp(weights[name], axis=0) < 1e-6) for name in (BASE, OTHERS)),
           "average pooling in disguise: every query gets the same weights", at[BASE])
    yield np.allclose(weights[BASE], weights[OTHERS], **SAME), "the parameters play no part", at[OTHERS]
    for first, other, wrong in RELATED:
        same = np.allclose(*_in_common(at[first], at[other], weights), **SAME)
        of_queries = "values" not in at[BASE].problem.inputs and wrong != UNORDERED
        yield not same, COMPANY if of_queries else wrong, at[other]


def _in_common(first, other, weights):
    """The weights of the queries in common, for the keys in their order, shared out among those that `other` sees."""
    queries = np.intersect1d(first.problem.inputs["queries"], other.problem.inputs["queries"])
    mask = kept(np.ones(weights[other.problem.name].shape), other.problem.inputs.get("mask"), 0)
    seen = _in_order(other, mask, queries)
    tables = [_in_order(case, weights[case.problem.name], queries) * seen for case in (first, other)]
    sums = [table.sum(axis=1, keepdims=True) for table in tables]
    enough = np.minimum(*sums)[:, 0] > 1e-3                     # below, nothing is left to be compared
    return [(table / np.where(total, total, 1))[enough] for table, total in zip(tables, sums)]


def _in_order(case, table, queries=None):
    """The rows of these queries, or of all, with the keys sorted."""
    asked = case.problem.inputs["queries"]
    rows = slice(None) if queries is None else [list(asked).index(query) for query in queries]
    return table[rows][:, np.argsort(case.problem.inputs["keys"])]


def _at_a_key(on, beside, case, own=None):
    """Weights of queries on keys and of others just beside them, (n, n), or a row of each and which key is `own`."""
    own = np.eye(on.shape[1], dtype=bool) if own is None else own[None]
    yield (np.any((beside[own] > 1e-3) & (on[own] < beside[own] / 2)),
           "a key at the query's own place is left out, where nothing is masked", case)
    yield (np.any((on[own] > 1e-3) & (beside[own] < on[own] / 2)),
           "a key at the query's own place gets far more than one just beside it", case)


def _slopes(at):
    """The slopes at both ends of a small step say how the numbers change on it, as far as a float32 can tell."""
    start, end = at[BASE], at[STEP]
    if start.answer.slope and end.answer.slope:                 # otherwise the engine says that the way back is cut
        changes = np.subtract(end.got.entries(), start.got.entries())
        step = end.problem.inputs["parameters"] - start.problem.inputs["parameters"]
        each = (start.answer.slope.data + end.answer.slope.data) / 2 * step
        parts = end.got.data if isinstance(end.got.data, tuple) else [end.got]
        slack = 1e-4 if all(part.dtype == "float64" for part in parts) else 0.1
        wrong = abs(np.cos(np.arange(len(changes))) @ changes - each.sum()) > slack * abs(each).max()
        yield wrong, "the gradient with respect to parameters is wrong: a small step changes other numbers", end


def _valid(cases):
    """Answers and weights by themselves: shapes, weights that share out 1, and answers that are averages."""
    for case in cases:
        inputs, two = case.problem.inputs, case.plain
        mask, shown = inputs.get("mask"), {"m": len(inputs["queries"]), "n": len(inputs["keys"])}
        yield not isinstance(two, tuple) or len(two) != 2, "two things were expected: answers and weights", case, shown
        answers, weights = two
        yield (np.ndim(answers), np.ndim(weights)) == (2, 1), "answers and weights have changed places", case, shown
        yield from _shape(case, weights, say("weights"))
        shown |= {"shape": np.shape(answers)}
        yield shown["shape"] != (shown["m"],), "answers of shape {shape} where ({m},) was expected", case, shown
        yield not np.all(weights >= -1e-6), "some weights are negative, or NaN", case
        yield not np.allclose(weights.sum(axis=1), 1, **SAME), "the weights of a query do not sum to one", case
        yield (mask is not None and np.any(weights[~mask] > 1e-6),
               "the mask is not obeyed: a hidden key gets attention", case)
        right, slack = weights @ inputs["values"], 1e-4 * np.max(np.abs(inputs["values"]))
        yield (not np.allclose(answers, right, rtol=1e-4, atol=slack),
               "the answers are not the weighted averages of the values", case,
               {"right": np.array2string(right[:6], precision=4)})


EXERCISE = Exercise(__package__, say("Design an attention pooling"), (
    Item("own_scores", arguments=("queries", "keys", "parameters"), points=2, by_hand=designs,
         own_judge=judge_scores, library="torch", slope="parameters"),
    Item("to_weights", arguments=("scores", "mask"), points=2, by_hand=tables, oracle=weights_of, inputs=TABLES,
         library="torch", slope="scores", mistakes=(
        ("the mask is ignored", lambda scores, mask: weights_of(scores)),
        ("the mask is upside down", lambda scores, mask: weights_of(scores, None if mask is None else ~mask)),
        ("a hidden key has score 0, not weight 0", lambda scores, mask: weights_of(kept(scores, mask, 0))))),
    Item("attend", arguments=("queries", "keys", "values", "parameters", "mask"), by_hand=designs,
         own_judge=judge_attend, library="torch", slope="parameters"),
    Item("left_out_loss", points=2, by_hand=FEW_POINTS, oracle=loss, inputs=(LOSSES,), library="torch",
         slope="parameters", given={"attend": HandedOver}, mistakes=(
        ("each point attends to itself", {"itself": True}),
        ("the mask is upside down: each point attends only to itself", lambda **inputs: 0.0),
        ("the square is forgotten", {"end": np.positive}))),
    Item("train", arguments=("attend", "keys", "values", "steps"), points=2, by_hand=training_problems,
         own_judge=judge_training, library="torch", given={"attend": HandedOver}),
    Item("predict", arguments=("keys", "values", "queries"), points=3, by_hand=predict_problems,
         own_judge=judge_predict, library="torch")))
