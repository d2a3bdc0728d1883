"""On the unit sphere: from the Gaussian kernel to dot-product attention, its price off the sphere, and the way back."""
from functools import partial

from workbook.checks.item import Exercise, Item
from workbook.checks.notebook import publish
from nwlab.exercises.unit_sphere import bridge, figures, mistakes, problems

TABLE = {"arguments": problems.PAIRED, "sized": problems.sized, "library": "any"}

EXERCISE = Exercise(__name__, "On the unit sphere", (
    Item("squared_distances_on_sphere", "Distances from products", "‖q − k‖² for all pairs of points of length 1, "
         "(m, n): rows are queries, columns are keys; one product of two matrices holds all dot products",
         make_problems=problems.sphere, oracle=problems.true_squares, loops="refused", mistakes=mistakes.SQUARES,
         **TABLE | {"arguments": ("queries", "keys")}),
    Item("split_exponent", "The exponent, simplified", "two things whose sum is −‖q − k‖²/(2σ²) on the sphere: a table "
         "(m, n), a multiple of q·k, and one number for all pairs",
         points=2, make_problems=problems.sphere, oracle=problems.true_split, mistakes=mistakes.SPLIT, **TABLE),
    Item("dot_product_weights", "Weights from dot products", "softmax of q·k/σ² over the keys, (m, n): each row sums "
         "to one, for points of any length and scores of any size",
         points=2, make_problems=problems.products, oracle=problems.true_weights, mistakes=mistakes.WEIGHTS, **TABLE),
    Item("sigma_of", "The width behind √d", "one number: the σ on the unit sphere with the attention of softmax(q·k/√d)"
         " among points of the given length", library="any", arguments=("d", "length"),
         make_problems=problems.dimensions, oracle=problems.true_sigma, mistakes=mistakes.SIGMA),
    Item("largest_difference", "How far apart",
         "one number: the largest |Gaussian weight − dot-product weight| over all pairs",
         make_problems=problems.off_sphere, oracle=problems.true_difference, mistakes=mistakes.DIFFERENCE,
         may_use=("attention_weights",), **TABLE | {"sized": partial(problems.sized, points=problems.anywhere)}),
    Item("missing_term", "The missing term", "for each key what dot products forget of −‖q − k‖²/(2σ²), (n,): the term "
         "in which the key stands alone", library="any", arguments=("keys", "sigma"),
         make_problems=problems.keys_alone, oracle=problems.true_term, mistakes=mistakes.TERM,
         sized=lambda rng, n: {"keys": problems.anywhere(rng, n, 3), "sigma": 0.7}),
    Item("augmented", "The bridge, for any keys", "new queries (m, d + 1) and new keys (n, d + 1) whose dot products "
         "have the Gaussian's weights as their softmax", points=3, library="any", arguments=problems.PAIRED,
         make_problems=bridge.make_problems, oracle=None, own_judge=bridge.judge)))
publish(globals(), EXERCISE, figures)
