"""On the unit sphere: from the Gaussian kernel to dot-product attention, its price off the sphere, and the way back."""
from workbook.checks.item import Exercise, Item
from workbook.checks.notebook import publish
from nwlab.exercises.unit_sphere import bridge, figures, mistakes, problems

ON_SPHERE = {"make_problems": problems.sphere, "inputs": (problems.SPHERE,), "library": "any"}

EXERCISE = Exercise(__name__, "On the unit sphere", (
    Item("squared_distances_on_sphere", "Distances from products", "‖q − k‖² for all pairs of points of length 1, "
         "(m, n): rows are queries, columns are keys; one product of two matrices holds all dot products",
         ("queries", "keys"), oracle=problems.true_squares, loops=False, mistakes=mistakes.SQUARES, **ON_SPHERE),
    Item("split_exponent", "The exponent, simplified", "two things whose sum is −‖q − k‖²/(2σ²) on the sphere: a table "
         "(m, n), a multiple of q·k, and one number for all pairs", problems.PAIRED,
         points=2, oracle=problems.true_split, mistakes=mistakes.SPLIT, **ON_SPHERE),
    Item("dot_product_weights", "Weights from dot products", "softmax of q·k/σ² over the keys, (m, n): each row sums "
         "to one, for points of any length and scores of any size", problems.PAIRED, problems.products,
         problems.true_weights, (problems.SPHERE, problems.PRODUCTS), points=2, mistakes=mistakes.WEIGHTS,
         library="any"),
    Item("sigma_of", "The width behind √d", "one number: the σ on the unit sphere with the attention of softmax(q·k/√d)"
         " among points of the given length", ("d", "length"), problems.dimensions, problems.true_sigma,
         (problems.LENGTHS,), mistakes=mistakes.SIGMA, library="any"),
    Item("largest_difference", "How far apart",
         "one number: the largest |Gaussian weight − dot-product weight| over all pairs", problems.PAIRED,
         problems.off_sphere, problems.true_difference, (problems.ANYWHERE,), mistakes=mistakes.DIFFERENCE,
         may_use=("attention_weights",), library="any"),
    Item("missing_term", "The missing term", "for each key what dot products forget of −‖q − k‖²/(2σ²), (n,): the term "
         "in which the key stands alone", ("keys", "sigma"), problems.keys_alone, problems.true_term, (problems.KEYS,),
         mistakes=mistakes.TERM, library="any"),
    Item("augmented", "The bridge, for any keys", "new queries (m, d + 1) and new keys (n, d + 1) whose dot products "
         "have the Gaussian's weights as their softmax", problems.PAIRED, bridge.make_problems, None,
         (problems.FEW_FEATURES,), points=3, library="any", own_judge=bridge.judge)))
publish(globals(), EXERCISE, figures)
