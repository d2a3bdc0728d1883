"""Wrong answers to `workbook.exercises.unit_sphere`; test_answers.py says how they are written."""
from exercises.model_answers import unit_sphere as model

WRONG = {"augmented": {
    "unchanged": (lambda q, k, s: (q, k / s**2), "no feature was added"),
    "flat": (lambda q, k, s: (q.ravel(), k.ravel()), "the shapes are (4,) and (6,)"),
    "weights": (lambda *at: model.dot_product_weights(*at), "two arrays are asked for")}}

FEATURES = model.augmented
FAR, ONE_MEAN = (FEATURES, "keys.mean(axis=0)", "0"), (FEATURES, "keys.mean(axis=0)", "keys.mean()")
TERM = "missing_term(centred_keys, sigma)"

ALTERED = {
    "dot_product_weights": [(model.dot_product_weights, "sigma**2", "max(sigma, 1e-6)**2",
                             "“a very narrow kernel” does not")],
    "augmented": [
        (*FAR, "digits are lost far from the origin"), (*ONE_MEAN, "digits are lost far from the origin"),
        (FEATURES, "queries - middle", "queries - queries.mean(axis=0)", "not yet the Gaussian's"),
        (*FAR, TERM, "-np.linalg.norm(keys, axis=1)", "not yet the Gaussian's"),
        (FEATURES, TERM, "np.full(len(keys), np.inf)", "NaN or infinity")],
}
