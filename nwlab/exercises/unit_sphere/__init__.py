"""On the unit sphere: from the Gaussian kernel to dot-product attention, its price off the sphere, and the way back."""
from __future__ import annotations

from nwlab.checks.item import Exercise, Item
from nwlab.checks.notebook import publish
from nwlab.exercises.unit_sphere import bridge, figures, mistakes, problems

PAIR, ALL = ("queries", "keys"), ("queries", "keys", "sigma")

SQUARES = Item(
    "squared_distances_on_sphere", "Distances from products", library="any", vectorised=True,
    returns="‖q − k‖² for all pairs of points of length 1, (m, n): rows are queries, columns are keys; one product of "
            "two matrices holds all dot products",
    arguments=PAIR, make_problems=problems.sphere, oracle=problems.true_squares, sized=problems.sized,
    mistakes=mistakes.SQUARES)

SPLIT = Item(
    "split_exponent", "The exponent, simplified", points=2, library="any",
    returns="two things whose sum is −‖q − k‖²/(2σ²) on the sphere: a table (m, n), a multiple of q·k, and one number "
            "for all pairs",
    arguments=ALL, make_problems=problems.sphere_with_sigma, oracle=problems.true_split,
    sized=problems.sized_with_sigma, mistakes=mistakes.SPLIT)

WEIGHTS = Item(
    "dot_product_weights", "Weights from dot products", points=2, library="any",
    returns="softmax of q·k/σ² over the keys, (m, n): each row sums to one, for points of any length and scores of "
            "any size",
    arguments=ALL, make_problems=problems.products, oracle=problems.true_weights, sized=problems.sized_with_sigma,
    mistakes=mistakes.WEIGHTS)

SIGMA = Item(
    "sigma_of", "The width behind √d", library="any",
    returns="one number: the σ on the unit sphere with the attention of softmax(q·k/√d) among points of the given "
             "length",
    arguments=("d", "length"), make_problems=problems.dimensions, oracle=problems.true_sigma, mistakes=mistakes.SIGMA)

DIFFERENCE = Item(
    "largest_difference", "How far apart", library="any", may_use=("attention_weights",),
    returns="one number: the largest |Gaussian weight − dot-product weight| over all pairs",
    arguments=ALL, make_problems=problems.off_sphere, oracle=problems.true_difference, sized=problems.sized_with_sigma,
    mistakes=mistakes.DIFFERENCE)

TERM = Item(
    "missing_term", "The missing term", library="any",
    returns="for each key what dot products forget of −‖q − k‖²/(2σ²), (n,): the term in which the key stands alone",
    arguments=("keys", "sigma"), make_problems=problems.keys_alone, oracle=problems.true_term,
            sized=problems.sized_keys,
    mistakes=mistakes.TERM)

AUGMENTED = Item(
    "augmented", "The bridge, for any keys", points=3, library="any",
    returns="new queries (m, d + 1) and new keys (n, d + 1) whose dot products have the Gaussian's weights as their "
                 "softmax",
    arguments=ALL, make_problems=bridge.make_problems, oracle=None, own_judge=bridge.judge)

EXERCISE = Exercise("unit_sphere", "On the unit sphere", (SQUARES, SPLIT, WEIGHTS, SIGMA, DIFFERENCE, TERM, AUGMENTED))
publish(globals(), EXERCISE, figures)
