"""What an item knows by itself: its own mistakes, recognised by the wrong answers they give, and a judge of its own."""
import warnings

import numpy as np

from workbook.checks.cases import Finding, as_float64, smallest, wrong
from workbook.checks.values import Value, describe


def own_mistake(item, cases):
    """The first mistake that gives all these answers."""
    for mistake in item.mistakes if wrong(cases) else ():
        if all(case.is_like(predict(mistake.wrong, case.problem)) for case in cases):
            return Finding(mistake.name, smallest(wrong(cases)), look=mistake.look)


def own_judge(item, cases):
    """What the item's own judge complains of, if it has one."""
    if item.own_judge is None:
        return None
    parts = ((case.problem, case.got.plain(), case.answer) for case in cases)
    if found := item.own_judge(*map(list, zip(*parts))):
        return Finding(found.name, cases[found.problem], found.values, expected=found.expected, look=found.look)


def predict(function, problem) -> Value | str:
    """What a mistake answers to a problem, or the name of the exception that it raises."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return describe(function(**as_float64(problem.inputs)))
        except Exception as error:
            return type(error).__name__
