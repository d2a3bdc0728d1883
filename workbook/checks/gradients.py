"""What torch alone can say of an answer: whether a gradient leads back from it, and whether that gradient is right."""
import numpy as np

from workbook.checks.cases import Finding, as_float64, smallest
from workbook.checks.values import describe, show

DIRECTIONS, STEP = 3, 1e-6


def cut(item, cases):
    """No way back from the answer to the argument by which a gradient will be asked for."""
    lost = [case for case in cases if item.slope and not case.error and case.answer.slope is None]
    if lost:
        right = "the numbers are right, but " if all(case.good for case in cases) else ""
        return Finding("the way back to {slope} is cut", smallest(lost), {"right": right})


def wrong_gradient(item, cases):
    """Right numbers, whose gradient does not say how they change when the argument is changed a little."""
    if not (item.slope and item.oracle and all(case.good and case.answer.slope for case in cases)):
        return None
    for case in sorted(cases, key=lambda case: case.size):
        along = np.random.default_rng(0).normal(size=(DIRECTIONS, case.answer.slope.data.size))
        got, (right, slack) = along @ case.answer.slope.data.ravel(), _changes(item, case.problem, along)
        if not np.all(np.abs(got - right) <= slack):
            name = "part of the way back is cut" if np.all(np.isfinite(got)) else "it is NaN or infinite"
            where = "how steep it is along three directions:"
            if along.shape[1] == 1:
                where, got, right = "the gradient:", *(x[0] / along[0, 0] for x in (got, right))
            got, right = (f"{where} {show(describe(x))}" for x in (got, right))
            return Finding("the gradient with respect to {slope} is wrong: " + name, case, got=got, expected=right)


def _changes(item, problem, along) -> tuple[np.ndarray, float]:
    """How steep Σ right_k cos k is along each direction, by central differences, and by how much that may be off."""
    inputs = as_float64(problem.inputs)
    start = inputs[item.slope]
    unit = float(abs(start)) if start.ndim == 0 and start else 1.0

    def total(step):
        entries = describe(item.oracle(**inputs | {item.slope: start + step})).numbers()
        return np.cos(np.arange(len(entries))) @ entries

    steps = [STEP * unit * direction.reshape(start.shape) for direction in along]
    steep = np.array([total(step) - total(-step) for step in steps]) / (2 * STEP * unit)
    return steep, 1e-4 * np.abs(steep).max() + 1e-6 * abs(total(0.0)) / unit
