"""On the unit sphere: from the Gaussian kernel to dot-product attention, its price off the sphere, and the way back."""
import numpy as np

from workbook.checks.item import Exercise, Item
from workbook.checks.notebook import publish
from workbook.exercises.unit_sphere import figures
from workbook.exercises.unit_sphere import problems as p

ON_SPHERE = {"by_hand": p.sphere, "inputs": (p.SPHERE,), "library": "any"}

EXERCISE = Exercise(__name__, "On the unit sphere", (
    Item("squared_distances_on_sphere", oracle=p.squared_distances, loops=False, **ON_SPHERE, mistakes=(
        ("the 2 before the product is missing", lambda queries, keys: 2 - queries @ keys.T),)),
    Item("split_exponent", points=2, **ON_SPHERE,
         oracle=lambda queries, keys, sigma: (queries @ keys.T / sigma**2, -1 / sigma**2)),     # (m, n) and a number
    Item("dot_product_weights", points=2, by_hand=p.products, oracle=p.dot_product_weights,
         inputs=(p.SPHERE, p.PRODUCTS), library="any", mistakes=(
        ("the points are divided by their lengths",
         lambda queries, keys, sigma: p.dot_product_weights(p.unit(queries), p.unit(keys), sigma)),)),
    Item("sigma_of", by_hand=p.DIMENSIONS, inputs=(p.LENGTHS,), library="any",
         oracle=lambda d, length: d**0.25 / length, mistakes=(
        ("√d for σ: at length 1 it is σ² that equals √d", lambda d, length: d**0.5 / length),
        ("√d for σ: at length 1 it is σ² that equals √d", lambda d, length: d**0.5),
        ("d where √d belongs", lambda d, length: d / length))),
    Item("largest_difference", by_hand=p.OFF_SPHERE, oracle=p.largest_difference, inputs=(p.ANYWHERE,),
         may_use=("attention_weights",), library="any", mistakes=(
        ("the mean, not the largest", lambda **at: np.abs(p.gap(**at)).mean()),
        ("the absolute value is missing", lambda **at: p.gap(**at).max()))),
    Item("missing_term", by_hand=p.KEYS_ALONE, inputs=(p.KEYS,), library="any",
         oracle=lambda keys, sigma: -np.sum(keys**2, axis=1) / (2 * sigma**2), mistakes=(           # (n,)
        ("the length where its square belongs", lambda keys, sigma: -np.linalg.norm(keys, axis=1) / (2 * sigma**2)),)),
    Item("augmented", arguments=p.PAIRED, points=3, by_hand=p.bridges, inputs=(p.FEW_FEATURES,), library="any",
         own_judge=p.judge_features)))
publish(globals(), EXERCISE, figures)
