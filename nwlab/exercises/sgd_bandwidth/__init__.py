"""Learn the width by gradient descent: the naive loss lets w run away, leave-one-out gives it a place to stop."""
from __future__ import annotations

import math

import numpy as np

from nwlab.exercises.sgd_bandwidth import figures
from nwlab.exercises.sgd_bandwidth import mistakes as wrong
from nwlab.exercises.sgd_bandwidth import probes
from nwlab.exercises.sgd_bandwidth import problems
from nwlab.checks.notebook import publish
from nwlab.checks.item import Exercise, Item, Mistake
from nwlab.exercises.sgd_bandwidth.losses import LEFT_OUT, MASK, NAIVE, SCORES


def _slope(**change):
    return lambda **at: problems.true_slope(**at | change)


SLOPE = probes.Traced(
    name="slope", title="The slope", points=2, library="torch", tolerance=1e-4,
    returns="the slope of the loss at w = exp(ρ), with respect to ρ, a tensor of shape ()",
    arguments=("rho", "keys", "values", "leave_one_out"), make_problems=problems.slope_problems, oracle=problems.true_slope,
    around=probes.around_slope,
    mistakes=(
        probes.marked_input(problems.true_slope),
        probes.shape_of_one(problems.true_slope),
        Mistake("the slope with respect to w, not to ρ", "mark ρ with requires_grad and compute w from it: then backward goes "
                "all the way to ρ, and the factor dw/dρ = w comes by itself", _slope(log=False)),
        Mistake("the exponential is missing: ρ is used as w", "w = exp(ρ), so ρ = 0 means w = 1", wrong.without_exp),
        Mistake("the logarithm of ρ is taken", "ρ is already a logarithm: w = exp(ρ). A negative ρ is fine, it has no logarithm "
                "itself", wrong.with_log),
        Mistake("divided by w where it should be multiplied", "dw/dρ = w, so the chain rule multiplies the slope of w by w",
                lambda rho, **at: problems.true_slope(rho, **at, log=False) / math.exp(rho)),
        Mistake("always the slope of the naive loss", "the argument leave_one_out says which loss is meant, and the first line "
                "chooses it: use what it chose", _slope(leave_one_out=False)),
        Mistake("always the slope of the leave-one-out loss", "the argument leave_one_out says which loss is meant, and the "
                "first line chooses it: use what it chose", _slope(leave_one_out=True)),
        Mistake("the two losses are swapped", "leave_one_out=True means the leave-one-out loss",
                lambda leave_one_out, **at: problems.true_slope(**at, leave_one_out=not leave_one_out)),
        Mistake("the loss, not its slope", "backward leaves the slope in the .grad of what you marked",
                lambda rho, **at: problems.true_loss(math.exp(rho), **at)),
        Mistake("minus the slope", "that is the direction of the step, which comes next. Here the slope itself is asked for",
                lambda **at: -problems.true_slope(**at)),
        Mistake("gradients add up: backward ran twice, and .grad was not emptied in between", "every backward adds to .grad. "
                "Take a new tensor for each slope, or set .grad to None first", lambda **at: 2 * problems.true_slope(**at)),
        Mistake("it returns nothing: None", "backward itself returns nothing, it leaves the slope in the .grad of what you "
                "marked. A .grad is None before backward, and on what was not marked", lambda **at: None),
        Mistake("torch stops with a RuntimeError, most likely because the way from the loss back to ρ is cut", "if torch says "
                "“does not require grad”: mark ρ before w is computed from it, and keep .item(), float(), .detach() and "
                "torch.tensor(...) out of the way from there to the loss, in your loss functions too", wrong.no_way_back),
    ))


def _path(**change):
    return lambda **at: wrong.path(**at | change)


def _from_path(end):
    return lambda **at: end(problems.true_path(**at))


DESCEND = probes.Traced(
    name="descend", title="Gradient descent", points=2, library="torch", tolerance=1e-4,
    returns="the w of the start and after each step, (steps + 1,); a step takes ρ to ρ − learning_rate · slope, and w = exp(ρ)",
    arguments=("rho", "keys", "values", "leave_one_out", "learning_rate", "steps"),
    make_problems=problems.descent_problems, oracle=problems.true_path, around=probes.around_rho,
    mistakes=(
        probes.marked_input(problems.true_path),
        Mistake("it walks uphill", "the slope points to where the loss grows. Go the other way: minus", _path(sign=1)),
        Mistake("the path has no start", "the first entry is the w with which it begins, before any step",
                _from_path(lambda ws: ws[1:])),
        Mistake("the path has no end", "the last entry is the w after the last step: store the start before the loop, and in "
                "the loop store after stepping", _from_path(lambda ws: ws[:-1])),
        Mistake("one step too many", "steps is how many there are; the path has one entry more, as the start counts",
                lambda steps, **at: problems.true_path(**at, steps=steps + 1)),
        Mistake("the path of ρ, not of w", "w = exp(ρ) is what we want to look at", _from_path(np.log)),
        Mistake("only the last w", "keep every w on the way, in a list, and stack them at the end", _from_path(lambda ws: ws[-1])),
        Mistake("every entry of the path is the last w", "a list that holds the same tensor many times sees it change each "
                "time. Append a new tensor: torch.exp makes one, .clone() does too",
                _from_path(lambda ws: np.full(len(ws), ws[-1]))),
        Mistake("a list where a tensor was asked", "torch.stack makes a tensor of a list of tensors, torch.tensor of a list of "
                "numbers", _from_path(list)),
        Mistake("the losses along the way, not w", "the path is where the walk is, not how high", lambda **at: wrong.losses_on(
            problems.true_path(**at), at["keys"], at["values"], at["leave_one_out"])),
        Mistake("gradients add up: .grad is never emptied", "every backward adds to .grad, so each step also repeats all "
                "earlier ones. Take your slope function, or set .grad to None before each backward", _path(summed=True)),
        Mistake("the slope of the start is used for every step", "the ground changes on the way: ask for the slope where the "
                "walk is now, inside the loop", _path(first_only=True)),
        Mistake("the slope with respect to w is used for ρ", "the step is taken in ρ, so it needs the slope with respect to ρ: "
                "your slope function has it", _path(log=False)),
        Mistake("slope is asked at w, not at ρ", "your slope function takes ρ, and computes w = exp(ρ) by itself: hand it ρ",
                _path(asked=math.exp)),
        Mistake("exp is taken twice: the walk begins at exp(ρ)", "what comes in is ρ already. Keep it, and take exp only for what "
                "goes into the path", lambda rho, **at: wrong.path(rho=math.exp(rho), **at)),
        Mistake("the steps are taken in w, not in ρ", "keep ρ, change ρ, and compute w from it",
                lambda **at: wrong.path_of_w(**at, log=False)),
        Mistake("the slope of ρ is subtracted from w", "change ρ by it, then compute w = exp(ρ) anew",
                lambda **at: wrong.path_of_w(**at, log=True)),
        Mistake("the learning rate is missing", "a step is learning_rate times the slope", _path(learning_rate=1.0)),
        Mistake("the slope is divided by the number of points", "that is the slope of the mean. The loss here is a sum",
                lambda learning_rate, keys, **at: wrong.path(keys=keys, learning_rate=learning_rate / len(keys), **at)),
        Mistake("leave_one_out is not passed on: always the naive loss", "hand leave_one_out to slope as it came",
                _path(leave_one_out=False)),
        Mistake("leave_one_out is not passed on: always the leave-one-out loss", "hand leave_one_out to slope as it came",
                _path(leave_one_out=True)),
        Mistake("torch stops with a RuntimeError", "read its message above. A leaf that is changed in place: write "
                "rho = rho − …, not rho −= …. Does not require grad: take your slope function, which marks a copy of ρ by "
                "itself", wrong.no_way_back),
    ))


def _on_grid(grid, keys, values, leave_one_out=True):
    return wrong.losses_on(grid, keys, values, leave_one_out)


BEST = Item(
    name="best_w", title="The best w of a grid", points=1, library="torch",
    returns="the w of the grid at which the leave-one-out loss is smallest, a tensor of shape ()",
    arguments=("grid", "keys", "values"), make_problems=problems.grid_problems, oracle=problems.true_best,
    mistakes=(
        Mistake("the place in the grid, not the w that stands there", "argmin gives an index. What does the grid hold there?",
                lambda **at: _on_grid(**at).argmin()),
        Mistake("the smallest loss, not the w that has it", "argmin says where the smallest is, min only how small",
                lambda **at: _on_grid(**at).min()),
        Mistake("the naive loss is minimised, so the largest w wins", "it only falls as w grows. Which loss has a valley?",
                lambda grid, **at: grid[_on_grid(grid, **at, leave_one_out=False).argmin()]),
        Mistake("the w with the largest loss", "a loss is to be small", lambda grid, **at: grid[_on_grid(grid, **at).argmax()]),
        Mistake("1/w, the bandwidth σ", "here w itself is asked for", lambda **at: np.divide(1.0, problems.true_best(**at))),
        Mistake("the losses of the whole grid", "which w has the smallest of them?", _on_grid),
        Mistake("the grid was sorted, the losses were not", "losses and grid have to be in the same order, whichever it is",
                lambda grid, **at: np.sort(grid)[_on_grid(grid, **at).argmin()]),
        Mistake("the smallest w of the grid", "whatever the data? The leave-one-out loss has a valley", lambda grid, **at: grid.min()),
    ))


def _at_test(end):
    """An error of the right answers at the queries, put together wrongly."""
    return lambda w, keys, values, queries, truth: end(wrong.softmax(wrong.table(w, queries, keys)) @ values, truth)


def _mean_square(weights, against="truth"):
    """The error of wrong weights, or against something else than the truth; where shapes do not fit, as torch says it."""
    return wrong.as_torch(lambda **at: np.mean((weights(at["w"], at["queries"], at["keys"]) @ at["values"] - at[against]) ** 2))


ERROR = Item(
    name="error_against_truth", title="The error against the truth", points=1, library="torch",
    returns="the mean squared difference between answers and truth at new queries, a tensor of shape ()",
    arguments=("w", "keys", "values", "queries", "truth"), make_problems=problems.error_problems, oracle=problems.true_error,
    mistakes=(
        Mistake("one point is left out here too", "a new query is no key, so it has no “itself”. At test time all keys count",
                _mean_square(lambda w, queries, keys: wrong.softmax(np.where(
                    np.eye(len(keys), dtype=bool), -math.inf, wrong.table(w, queries, keys))))),
        Mistake("the keys ask, not the queries", "the answers are wanted at the new queries",
                _mean_square(lambda w, queries, keys: wrong.naive(w, keys))),
        Mistake("the answers are compared with the values", "the values carry the noise. Compare with the truth",
                _mean_square(lambda w, queries, keys: wrong.softmax(wrong.table(w, queries, keys)), against="values")),
        Mistake("queries and keys have changed places", "scores(w, queries, keys): first who asks, then who answers. The table is "
                "(m, n), one row for each query, and only such a row fits the n values",
                _mean_square(lambda w, queries, keys: wrong.softmax(wrong.table(w, keys, queries)))),
        Mistake(*wrong.AXIS, _mean_square(lambda w, queries, keys: wrong.softmax(wrong.table(w, queries, keys), axis=0))),
        Mistake("NaN for a query far away", "without subtracting the largest score all parts underflow, and 0/0 is NaN: "
                "torch.softmax takes care of it", _mean_square(wrong.unshifted)),
        Mistake("the sum, not the mean", "only a mean can be compared between few and many queries",
                _at_test(lambda f, t: np.sum((f - t) ** 2))),
        Mistake("the sum is divided by the number of keys", "one error belongs to each query, m of them: .mean() of the squared "
                "differences divides by m", lambda keys, queries, **at:
                problems.true_error(keys=keys, queries=queries, **at) * len(queries) / len(keys)),
        Mistake("the root of the mean", "no root here", _at_test(lambda f, t: np.sqrt(np.mean((f - t) ** 2)))),
        Mistake("absolute differences, not squared ones", "square each difference", _at_test(lambda f, t: np.mean(np.abs(f - t)))),
        Mistake("the square of the mean difference", "square each difference first, then take the mean",
                _at_test(lambda f, t: np.mean(f - t) ** 2)),
        Mistake("the differences are a table of all pairs, by accident", "one of answers and truth has shape (m, 1), and "
                "(m, 1) − (m,) is (m, m). Both should be (m,)", _at_test(lambda f, t: np.mean((f[:, None] - t) ** 2))),
    ))

EXERCISE = Exercise("sgd_bandwidth", "Learn the width by gradient descent",
                    items=(SCORES, NAIVE, MASK, LEFT_OUT, SLOPE, DESCEND, BEST, ERROR))
publish(globals(), EXERCISE, figures)
