"""The mistakes that `sgd_bandwidth` knows by name, a tuple for each item. Most are the model with one thing changed."""
from functools import partial

import numpy as np

from nwlab.checks.item import Complaint, Mistake
from nwlab.checks.problems import softmax
from nwlab.exercises.sgd_bandwidth.model import (
    attention, best, error, loss, losses, mask, path, scores, slope, slope_in_w, squares, walk,
)

AXIS = "rows are queries, columns are keys. The weights of one query sum to one: which dim is that?"

SCORES = (
    Mistake("w stands outside the square", "the width belongs to the distance: multiply by w first, square then. "
            "Outside, w is a precision, and with w < 0 the farthest key would get the most",
            partial(scores, outside=True)),
    Mistake("the square is missing", "the score is a parabola in the distance: square the distance times w",
            lambda w, queries, keys: -0.5 * np.abs((queries[:, None] - keys) * w)),
    Mistake("the weights, not the scores", "no softmax yet: the mask will have to come in between",
            lambda **at: softmax(scores(**at))))


def in_both_losses(leave_one_out):
    """What can go wrong behind the scores and the mask: the same for both losses."""
    wrong = partial(loss, leave_one_out=leave_one_out)
    return (
        Mistake("the softmax runs over the queries", AXIS, partial(wrong, axis=0)),
        Mistake("the errors are a table of all pairs, by accident", "one of the two, answers or values, has shape (n, "
                "1), and (n, 1) − (n,) is (n, n). Both should be (n,): look for a [:, None] or a reshape",
                partial(wrong, end=lambda answers, values: squares(answers[:, None], values))),
        Mistake("weights times values were not added up", "* multiplies each weight with a value and leaves a table "
                "(n, n). The answer of a point is the sum along its row: that is what @ does",
                lambda w, keys, values: squares(attention(w, keys, leave_one_out) * values, values)))


NAIVE = (
    Mistake("the point itself is left out already", "that comes later. The naive loss lets every point attend to all n",
            partial(loss, leave_one_out=True)),
    Mistake("the weights do not sum to one", "e to the power of the scores is not yet a weight: each row has to be "
            "divided by its sum, as the softmax does",
            lambda w, keys, values: squares(np.exp(scores(w, keys, keys)) @ values, values)),
    *in_both_losses(leave_one_out=False))


def truth_values(problems, answers):
    """The mask is asked for as truth values; ones and zeros compare equal to them."""
    for number, answer in enumerate(answers):
        if np.asarray(answer).dtype != bool:
            return Complaint("numbers where truth values were asked", "ones and zeros look alike, but ~ and "
                             "masked_fill want true and false: dtype=torch.bool, or a comparison", number,
                             "the same with dtype torch.bool")
    return None


MASK = (
    Mistake("the mask is the wrong way round: it is true on the diagonal",
            "true means: may attend. The diagonal is where a point meets itself", lambda n: ~mask(n)),
    Mistake("everybody may attend to everybody",
            "this mask hides nothing. One entry of each row has to be false: which?", lambda n: np.ones((n, n), bool)),
    Mistake("scores, not truth values", "−∞ will come into the scores by the mask. The mask itself says true or false",
            lambda n: np.where(mask(n), 0.0, -np.inf)),
    Mistake("−1 and −2: ~ turned every bit of whole numbers round", "~ turns true into false only for truth values: "
            "torch.eye takes dtype=torch.bool", lambda n: ~np.eye(n, dtype=int)))

LEFT_OUT = (
    Mistake("each point still attends to itself: this is the naive loss", "its score on the diagonal has to be −∞ "
            "before the softmax. A score of 0 is no mask: 0 is the highest score there is. And masked_fill returns a "
            "new tensor, the old one stays as it is: an assignment keeps the new one, or masked_fill_ fills in place",
            loss),
    Mistake("the mask is the wrong way round: each point attends to itself alone", "then every answer is the point's "
            "own value and the loss is 0. Your mask is true where attending is allowed; masked_fill fills where its "
            "own mask is true", lambda **at: 0.0),
    Mistake("the diagonal is set to 0 after the softmax, and the rows do not sum to one", "what the point gave to "
            "itself is lost. Mask the scores, and the softmax shares all of it out among the others",
            lambda w, keys, values: squares(attention(w, keys, False) * mask(len(keys)) @ values, values)),
    Mistake("NaN for every input: +∞ or 0 times ∞ among the scores", "print the masked scores. Does +∞ stand there? "
            "The sign: −∞ gives the weight 0, +∞ gives ∞/∞. Does NaN? An eye matrix times infinity is NaN off the "
            "diagonal, as 0 · ∞ is NaN: masked_fill or torch.where put −∞ where it belongs, and nowhere else",
            lambda **at: np.nan),
    Mistake("the answers are multiplied by the mask", "there each point has attended to itself already, and (n,) with "
            "(n, n) makes a table of all pairs. The mask says who attends to whom: so it belongs to the scores, which "
            "are (n, n) too, before the softmax",
            partial(loss, end=lambda answers, values: squares(mask(len(values)) * answers, values))),
    *in_both_losses(leave_one_out=True))

CHOSEN = "the argument leave_one_out says which loss is meant, and the first line chooses it: use what it chose"

SLOPE = (
    Mistake("the slope with respect to w, not to ρ", "mark ρ with requires_grad and compute w from it: then backward "
            "goes all the way to ρ, and the factor dw/dρ = w comes by itself",
            lambda rho, **at: slope_in_w(np.exp(rho), **at)),
    Mistake("the exponential is missing: ρ is used as w", "w = exp(ρ), so ρ = 0 means w = 1",
            lambda rho, **at: slope_in_w(rho, **at)),
    Mistake("always the slope of the naive loss", CHOSEN, lambda **at: slope(**at | {"leave_one_out": False})),
    Mistake("always the slope of the leave-one-out loss", CHOSEN, lambda **at: slope(**at | {"leave_one_out": True})),
    Mistake("gradients add up: backward ran twice, and .grad was not emptied in between", "every backward adds to "
            ".grad. Take a new tensor for each slope, or set .grad to None first", lambda **at: 2 * slope(**at)),
    Mistake("it returns nothing: None", "backward itself returns nothing, it leaves the slope in the .grad of what you "
            "marked. A .grad is None before backward, and on what was not marked", lambda **at: None))

DESCEND = (
    Mistake("it walks uphill", "the slope points to where the loss grows. Go the other way: minus",
            lambda **at: path(**at | {"learning_rate": -at["learning_rate"]})),
    Mistake("one step too many", "steps is how many there are; the path has one entry more, as the start counts",
            lambda **at: path(**at | {"steps": at["steps"] + 1})),
    Mistake("the path of ρ, not of w", "w = exp(ρ) is what we want to look at", lambda rho, **at: walk(rho, **at)),
    Mistake("every entry of the path is the last w", "a list that holds the same tensor many times sees it change each "
            "time. Append a new tensor: torch.exp makes one, .clone() does too",
            lambda **at: np.full(at["steps"] + 1, path(**at)[-1])),
    Mistake("gradients add up: .grad is never emptied", "every backward adds to .grad, so each step also repeats all "
            "earlier ones. Take your slope function, or set .grad to None before each backward",
            partial(path, summed=True)),
    Mistake("the slope of the start is used for every step", "the ground changes on the way: ask for the slope where "
            "the walk is now, inside the loop", partial(path, stale=True)),
    Mistake("the steps are taken in w, not in ρ", "keep ρ, change ρ, and compute w from it",
            lambda rho, **at: walk(np.exp(rho), **at, slope=slope_in_w)),
    Mistake("the learning rate is missing", "a step is learning_rate times the slope",
            lambda **at: path(**at | {"learning_rate": 1.0})))

BEST = (
    Mistake("the place in the grid, not the w that stands there",
            "argmin gives an index. What does the grid hold there?", lambda **at: losses(**at).argmin()),
    Mistake("the smallest loss, not the w that has it", "argmin says where the smallest is, min only how small",
            lambda **at: losses(**at).min()),
    Mistake("the naive loss is minimised, so the largest w wins", "it only falls as w grows. Which loss has a valley?",
            partial(best, leave_one_out=False)),
    Mistake("the grid was sorted, the losses were not", "losses and grid have to be in the same order, whichever it is",
            lambda grid, **at: np.sort(grid)[losses(grid, **at).argmin()]))

ERROR = (
    Mistake("the softmax runs over the queries", AXIS, partial(error, axis=0)),
    Mistake("the differences are a table of all pairs, by accident", "one of answers and truth has shape (m, 1), and "
            "(m, 1) − (m,) is (m, m). Both should be (m,)",
            partial(error, end=lambda answers, truth: np.mean((answers[:, None] - truth) ** 2))))
