"""Finders for PyTorch: does a gradient lead back from the answer, and is that gradient right?"""
import numpy as np

from workbook.checks.cases import Finding, as_float64, smallest
from workbook.checks.values import describe, show
from workbook.language import say

DIRECTIONS, STEP = 3, 1e-6


def cut(item, cases):
    """Torch finds no way back from the answer to the argument `item.slope`."""
    lost = [case for case in cases if item.slope and not case.error and case.answer.slope is None]
    if lost:
        right = say("the numbers are right, but ") if all(case.good for case in cases) else ""
        return Finding("the way back to {slope} is cut", smallest(lost), {"right": right})


def wrong_gradient(item, cases):
    """The numbers are right, but their gradient is not what central differences give."""
    if not (item.slope and item.oracle and all(case.good and case.answer.slope for case in cases)):
        return None
    for case in sorted(cases, key=lambda case: case.size):
        directions = np.random.default_rng(0).normal(size=(DIRECTIONS, case.answer.slope.data.size))
        got = directions @ case.answer.slope.data.ravel()
        right, slack = _derivatives(item, case.problem, directions)
        if not np.all(np.abs(got - right) <= slack):
            name = "part of the way back is cut" if np.all(np.isfinite(got)) else "it is NaN or infinite"
            what = say("how steep it is along three directions: {slopes}")
            if directions.shape[1] == 1:
                what = say("the gradient: {slopes}")
                got, right = got[0] / directions[0, 0], right[0] / directions[0, 0]
            return Finding("the gradient with respect to {slope} is wrong: " + name, case,
                           got=what.format(slopes=show(describe(got))),
                           expected=what.format(slopes=show(describe(right))))


def _derivatives(item, problem, directions) -> tuple[np.ndarray, float]:
    """Of Σ right_k cos k along each direction, by central differences; and how far off these may be."""
    inputs = as_float64(problem.inputs)
    start = inputs[item.slope]
    largest = float(np.abs(start).max(initial=0.0)) or 1.0
    unit = largest if start.ndim == 0 else min(largest, 1.0)

    def total(step):
        entries = describe(item.oracle(**inputs | {item.slope: start + step})).entries()
        return np.cos(np.arange(len(entries))) @ entries

    steps = [STEP * unit * direction.reshape(start.shape) for direction in directions]
    slopes = np.array([total(step) - total(-step) for step in steps]) / (2 * STEP * unit)
    return slopes, 1e-4 * np.abs(slopes).max() + 1e-6 * abs(total(0.0)) / unit
