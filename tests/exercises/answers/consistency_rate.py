"""Right and wrong answers to `workbook.exercises.consistency_rate`; test_answers.py says how they are written."""
import numpy as np
from exercises.model_answers import consistency_rate as model


def fitted(ns, errors):
    """SciPy's fit on the logarithms stops a little earlier than the least-squares line."""
    from scipy.optimize import curve_fit
    return curve_fit(lambda x, slope, height: slope * x + height, np.log(ns), np.log(errors))[0][0]


RIGHT = {"slope": {"curve_fit": fitted}}
WRONG = {
    "slope": {"one error a size": (lambda ns, errors: model.slope(*map(np.array, zip(*dict(zip(ns, errors)).items()))),
                                   "“a size that comes three times” does not")},
    "error_exponent": {"the rates change at 1/(d + 2)": (lambda alpha, d: (
        -4 * alpha if alpha <= 1 / (d + 2) else min(0.0, alpha * d - 1)), "does not")}}
