"""On the unit sphere: from the Gaussian kernel to scaled dot-product attention, what it costs off the sphere, and the way back."""
from __future__ import annotations

import numpy as np

from nwlab.exercises.unit_sphere import bridge
from nwlab.exercises.unit_sphere import figures
from nwlab.exercises.unit_sphere import problems
from nwlab.exercises.unit_sphere import wrong
from nwlab.checks.notebook import publish
from nwlab.checks.item import Exercise, Item, Mistake

PAIR, ALL = ("queries", "keys"), ("queries", "keys", "sigma")

SQUARES = Item(
    name="squared_distances_on_sphere", title="Distances from products", points=1, library="any",
    returns="‖q − k‖² for all pairs of points of length 1, (m, n): rows are queries, columns are keys; one product of two matrices "
         "holds all dot products",
    arguments=PAIR, make_problems=problems.sphere, oracle=problems.true_squares, vectorised=True, sized=problems.sized,
    mistakes=(
        Mistake("half of it: 1 − q·k", "that is what remains after the ½ of the exponent. Here the squared distance itself is "
                "asked for: how many ones are in ‖q‖² + ‖k‖²?", lambda queries, keys: 1 - wrong.dots(queries, keys)),
        Mistake("the 2 before the product is missing", "multiply out (q − k)·(q − k) with all four products: how often does q·k "
                "occur?", lambda queries, keys: 2 - wrong.dots(queries, keys)),
        Mistake("one of the two lengths is missing", "‖q‖² is 1, and ‖k‖² is 1, too", lambda queries, keys:
                1 - 2 * wrong.dots(queries, keys)),
        Mistake("both lengths are missing", "two equal points have q·k = 1, and their distance is 0: what has to be added to "
                "−2 q·k?", lambda queries, keys: -2 * wrong.dots(queries, keys)),
        Mistake("the sign of the product is wrong", "two equal points have q·k = 1. What does your formula say of their distance?",
                lambda queries, keys: 2 + 2 * wrong.dots(queries, keys)),
        Mistake("the distance, not its square", "nothing has to be rooted: the exponent holds the square",
                lambda queries, keys: np.sqrt(np.maximum(0, 2 - 2 * wrong.dots(queries, keys)))),
        Mistake("the products themselves", "q·k says how near two points are. How does a squared distance come of it?",
                wrong.dots),
        Mistake("each query has met one key only, the one of its own row", "all pairs are asked for, (m, n): which product of two "
                "matrices takes each row of queries with each row of keys?", lambda queries, keys:
                2 - 2 * np.sum(queries * keys, axis=1)),
    ))

SPLIT = Item(
    name="split_exponent", title="The exponent, simplified", points=2, library="any",
    returns="two things whose sum is −‖q − k‖²/(2σ²) on the sphere: a table (m, n), a multiple of q·k, and one number for all pairs",
    arguments=ALL, make_problems=problems.sphere_with_sigma, oracle=problems.true_split, sized=problems.sized_with_sigma,
    mistakes=tuple(Mistake(name, says, lambda queries, keys, sigma, parts=parts: parts(wrong.dots(queries, keys), sigma))
                   for name, says, parts in (
        ("the ½ is lost", "the exponent is −½ times ‖q − k‖²/σ². The ½ reaches both terms", lambda p, s: (2 * p / s**2, -2 / s**2)),
        ("the ½ has not reached the number", "−½ · 2 is not −2", lambda p, s: (p / s**2, -2 / s**2)),
        ("the ½ has not reached the product", "−½ · (−2 q·k) is not 2 q·k", lambda p, s: (2 * p / s**2, -1 / s**2)),
        ("the 2 of 2 q·k is lost", "−½ · (2 − 2 q·k): the 2 and the ½ eat each other, before the product as well",
         lambda p, s: (p / (2 * s**2), -1 / s**2)),
        ("everything is half as large", "−½ · (2 − 2 q·k): the 2 and the ½ eat each other, in both terms",
         lambda p, s: (p / (2 * s**2), -1 / (2 * s**2))),
        ("σ where σ² belongs", "the exponent divides by the square of the width", lambda p, s: (p / s, -1 / s)),
        ("σ² is missing", "the exponent is divided by σ², so each of its terms is", lambda p, s: (p, -1.0)),
        ("the sign of the number is wrong", "for two equal points, q·k = 1, the exponent is 0: what do your two parts add up to?",
         lambda p, s: (p / s**2, 1 / s**2)),
        ("the minus of the exponent is lost", "near points have the larger exponent, so it grows with q·k",
         lambda p, s: (-p / s**2, 1 / s**2)),
        ("the number is 0", "it cancels in the softmax, and it still is a part of the exponent. For two equal points, q·k = 1, the "
         "exponent is 0: what has to be added?", lambda p, s: (p / s**2, 0.0)),
        ("the table is the whole exponent", "the number is in it already. Take it out: what remains is a multiple of q·k",
         lambda p, s: ((p - 1) / s**2, -1 / s**2)),
        ("the number is a table", "it is the same for all pairs, so one number will do", lambda p, s:
         (p / s**2, np.full(p.shape, -1 / s**2))),
        ("table and number are swapped", "the table comes first", lambda p, s: (-1 / s**2, p / s**2)),
    )))

WEIGHTS = Item(
    name="dot_product_weights", title="Weights from dot products", points=2, library="any",
    returns="softmax of q·k/σ² over the keys, (m, n): each row sums to one, for points of any length and scores of any size",
    arguments=ALL, make_problems=problems.products, oracle=problems.true_weights, sized=problems.sized_with_sigma,
    mistakes=(
        Mistake("the softmax runs over the queries", "each query shares out its attention among the keys: each row sums to one. "
                "Which axis are the keys?", wrong.over_queries),
        Mistake("exp without a shift: large scores give NaN", "exp(1100) is infinite, and infinity by infinity is NaN. What may be "
                "subtracted from a whole row of scores without changing its softmax?", lambda queries, keys, sigma:
                wrong.softmax(wrong.dots(queries, keys) / sigma**2, shift=0)),
        Mistake("one shift for the whole table: a row far below the others gives NaN", "each exp of that row is 0, and 0/0 is NaN. "
                "A maximum of all scores, or 1/σ², is not low enough: a row's own largest score is what has to become 0", lambda queries, keys, sigma:
                wrong.softmax(wrong.dots(queries, keys) / sigma**2, shift="table")),
        *(Mistake(name, says, lambda queries, keys, sigma, shift=shift: wrong.softmax(wrong.dots(queries, keys) / sigma**2, shift=shift))
          for name, says, shift in (
            ("each row's mean is subtracted, or its smallest score: NaN where others lie far above it", "with 1100 and −1100 in one row "
             "the mean is near 0, and exp(1100) is infinite. Which number of a row leaves none above 0?", "row's mean"),
            ("each row's largest |score| is subtracted: NaN where all scores of a row are far below 0", "−1100 less 1100 is −2200, each "
             "exp of that row is 0, and 0/0 is NaN. Signs count: something in each row has to become 0", "row's size"))),
        *(Mistake(name, "a row's numbers have to stay a column, (m, 1). As (m,) they meet the columns of the table, and where m "
                  "and n differ they fit nothing", lambda queries, keys, sigma, keeps=keeps:
                  wrong.without_keepdims(queries, keys, sigma, *keeps))
          for name, keeps in (("the sum has lost its axis (keepdims)", (True, False)), ("the maximum has lost its axis (keepdims)",
                              (False, True)), ("maximum and sum have lost their axis (keepdims)", (False, False)))),
        Mistake("the shift is taken over the queries", "what is subtracted has to be the same in a whole row, or it does not "
                "cancel", lambda queries, keys, sigma: wrong.softmax(wrong.dots(queries, keys) / sigma**2, shift="column")),
        Mistake("σ where σ² belongs", "the exponent divides by the square of the width",
                lambda queries, keys, sigma: wrong.softmax(wrong.dots(queries, keys) / sigma)),
        Mistake("σ² is missing", "without it the width has no effect", lambda queries, keys, sigma:
                wrong.softmax(wrong.dots(queries, keys))),
        Mistake("the scores are multiplied by σ²", "a wider kernel is softer: what happens to the scores as σ grows?",
                lambda queries, keys, sigma: wrong.softmax(wrong.dots(queries, keys) * sigma**2)),
        Mistake("the ½ is still there", "−½ · (−2 q·k): the 2 has eaten it", lambda queries, keys, sigma:
                wrong.softmax(wrong.dots(queries, keys) / (2 * sigma**2))),
        Mistake("the scores are twice as large", "−½ · (−2 q·k): the ½ belongs to it", lambda queries, keys, sigma:
                wrong.softmax(2 * wrong.dots(queries, keys) / sigma**2)),
        Mistake("a minus too many: far keys get the most", "a large product means near", lambda queries, keys, sigma:
                wrong.softmax(-wrong.dots(queries, keys) / sigma**2)),
        Mistake("the scores are divided by √d", "σ² stands where √d stands in attention. One of them is enough",
                lambda queries, keys, sigma: wrong.softmax(wrong.dots(queries, keys) / sigma**2 / queries.shape[1]**0.5)),
        Mistake("√d instead of σ²", "that is one width of many. Here the width is handed over", lambda queries, keys, sigma:
                wrong.softmax(wrong.dots(queries, keys) / queries.shape[1]**0.5)),
        Mistake("these are the Gaussian's weights", "on the sphere they are the same. Here the products are asked for, also where "
                "they are another similarity", wrong.gaussian),
        Mistake("you normalised the points first", "take them as they are. What their lengths do is the question of the next "
                "section", lambda queries, keys, sigma: wrong.products(wrong.unit(queries), wrong.unit(keys), sigma)),
        Mistake("nothing is divided: the rows do not sum to one", "a softmax divides each exp by the sum of its row",
                wrong.undivided),
        Mistake("the whole table sums to one", "each query has attention of its own: sum along its row, and keep the axis",
                lambda queries, keys, sigma: wrong.softmax(wrong.dots(queries, keys) / sigma**2, axis=None, shift="table")),
        Mistake("shares of the scores, without exp", "a score may be negative, a weight never: exp first, then divide",
                wrong.proportional),
        Mistake("the scores, not the weights", "exp is missing, and the division by the row's sum", lambda queries, keys, sigma:
                wrong.dots(queries, keys) / sigma**2),
    ))

SIGMA = Item(
    name="sigma_of", title="The width behind √d", points=1, library="any",
    returns="one number: the σ on the unit sphere with the attention of softmax(q·k/√d) among points of the given length",
    arguments=("d", "length"), make_problems=problems.dimensions, oracle=problems.true_sigma,
    mistakes=(
        Mistake("this is σ², not σ", "the temperature is σ². One root is left to be taken", lambda d, length: d**0.5 / length**2),
        Mistake("√d for σ: at length 1 it is σ² that equals √d", "at length 1 compare q·k/σ² with q·k/√d, and solve for σ. Then "
                "see what the length does", lambda d, length: d**0.5 / length),
        Mistake("√d, and no length", "two steps are missing: σ² is not σ, and long points have large products",
                lambda d, length: d**0.5),
        Mistake("the length has no effect", "points twice as long have products four times as large: softer or sharper?",
                lambda d, length: d**0.25),
        Mistake("the length is on the wrong side", "long points have large products, which makes attention sharp. Is a sharp kernel "
                "wide or narrow?", lambda d, length: d**0.25 * length),
        Mistake("the length is squared once too often", "σ² gets the square of the length. And σ?",
                lambda d, length: d**0.25 / length**2),
        Mistake("the length is missing a square: σ² got the length, not its square", "q and k are both that long: how does q·k "
                "grow?", lambda d, length: d**0.25 / length**0.5),
        Mistake("it is upside down: this is 1/σ", "a wide kernel has a large σ, and a high temperature",
                lambda d, length: length / d**0.25),
        Mistake("d where √d belongs", "attention divides by √d", lambda d, length: d / length),
    ))

DIFFERENCE = Item(
    name="largest_difference", title="How far apart", points=1, library="any",
    returns="one number: the largest |Gaussian weight − dot-product weight| over all pairs",
    arguments=ALL, make_problems=problems.off_sphere, oracle=problems.true_difference, sized=problems.sized_with_sigma,
    may_use=("attention_weights",),
    mistakes=(
        Mistake("it is always 0: the Gaussian was computed by the sphere's formula, or the points were normalised", "2 − 2 q·k is the "
                "squared distance only if both lengths are 1. Take the points as they are: `gaussian_weights` above does", lambda queries, keys, sigma: 0.0),
        Mistake("the mean, not the largest", "one number for the worst pair", lambda queries, keys, sigma:
                wrong.largest(np.abs(wrong.gap(queries, keys, sigma)).mean())),
        Mistake("the largest of each row, one number for each query", "one number is asked for, the largest over the whole table: "
                "along which axis does your maximum run?", lambda queries, keys, sigma:
                wrong.largest(np.abs(wrong.gap(queries, keys, sigma)).max(axis=1))),
        Mistake("the largest of each column, one number for each key", "one number is asked for, the largest over the whole table: "
                "along which axis does your maximum run?", lambda queries, keys, sigma:
                wrong.largest(np.abs(wrong.gap(queries, keys, sigma)).max(axis=0))),
        Mistake("the whole table, not the largest number in it", "one number is asked for, the largest over the whole table",
                lambda queries, keys, sigma: wrong.largest(np.abs(wrong.gap(queries, keys, sigma)))),
        Mistake("the sum of all, not the largest", "one number for the worst pair", lambda queries, keys, sigma:
                wrong.largest(np.abs(wrong.gap(queries, keys, sigma)).sum())),
        Mistake("the absolute value is missing: Gaussian − products", "a weight may be too large or too small: both count",
                lambda queries, keys, sigma: wrong.largest(wrong.gap(queries, keys, sigma).max())),
        Mistake("the absolute value is missing: products − Gaussian", "a weight may be too large or too small: both count",
                lambda queries, keys, sigma: wrong.largest((-wrong.gap(queries, keys, sigma)).max())),
        Mistake("the square of the difference", "the difference itself is asked for, without its sign",
                lambda queries, keys, sigma: wrong.largest((wrong.gap(queries, keys, sigma) ** 2).max())),
        Mistake("the points are normalised for the products", "take the keys as they are: their lengths are what this is about",
                lambda queries, keys, sigma: wrong.largest(np.abs(
                    wrong.gaussian(queries, keys, sigma)
                    - wrong.products(wrong.unit(queries), wrong.unit(keys), sigma)).max())),
        Mistake("both scores were compared, not the weights", "put each through its softmax first", lambda queries, keys, sigma:
                wrong.largest(np.abs(-wrong.squares(queries, keys) / 2 - wrong.dots(queries, keys)).max() / sigma**2)),
    ))

TERM = Item(
    name="missing_term", title="The missing term", points=1, library="any",
    returns="for each key what dot products forget of −‖q − k‖²/(2σ²), (n,): the term in which the key stands alone",
    arguments=("keys", "sigma"), make_problems=problems.keys_alone, oracle=problems.true_term, sized=problems.sized_keys,
    mistakes=(
        Mistake("the minus is missing", "it has to hold long keys back, not to help them", lambda keys, sigma:
                wrong.lengths_squared(keys) / (2 * sigma**2)),
        Mistake("the ½ is missing", "the ½ stands before the whole square. In the middle term a 2 eats it: is there one here?",
                lambda keys, sigma: -wrong.lengths_squared(keys) / sigma**2),
        Mistake("σ where σ² belongs", "the exponent divides by the square of the width", lambda keys, sigma:
                -wrong.lengths_squared(keys) / (2 * sigma)),
        Mistake("σ² is missing", "the whole exponent is divided by σ²", lambda keys, sigma: -wrong.lengths_squared(keys) / 2),
        Mistake("the length where its square belongs", "‖k‖² is k·k: the sum of the squares, without a root",
                lambda keys, sigma: -np.sqrt(wrong.lengths_squared(keys)) / (2 * sigma**2)),
        Mistake("the sum is squared, not the features", "square first, then add", lambda keys, sigma:
                -keys.sum(axis=1) ** 2 / (2 * sigma**2)),
        Mistake("the wrong axis: the squares are added over the keys", "one number for each key: add along its row, over its "
                "features", lambda keys, sigma: -np.sum(keys**2, axis=0) / (2 * sigma**2)),
        Mistake("a table of all pairs of keys", "in keys @ keys.T each key meets all the others. In this term it stands alone: "
                "(n,)", lambda keys, sigma: -keys @ keys.T / (2 * sigma**2)),
        Mistake("the mean of the squares, not their sum", "‖k‖² adds up all features", lambda keys, sigma:
                -np.mean(keys**2, axis=1) / (2 * sigma**2)),
        Mistake("it is 0 on the sphere: the length's 1 was taken off", "on the sphere the term is the same for all keys, and "
                "cancels. It is not 0", lambda keys, sigma: (1 - wrong.lengths_squared(keys)) / (2 * sigma**2)),
    ))

AUGMENTED = Item(
    name="augmented", title="The bridge, for any keys", points=3, library="any",
    returns="new queries (m, d + 1) and new keys (n, d + 1) whose dot products have the Gaussian's weights as their softmax",
    arguments=ALL, make_problems=bridge.make_problems, oracle=None, own_judge=bridge.judge)

EXERCISE = Exercise("unit_sphere", "On the unit sphere", items=(SQUARES, SPLIT, WEIGHTS, SIGMA, DIFFERENCE, TERM, AUGMENTED))
publish(globals(), EXERCISE, figures)
