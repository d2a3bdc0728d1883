"""What an item knows by itself: its own mistakes, recognised by the wrong answers they give, and a judge of its own."""
import functools
import warnings

import numpy as np

from workbook.checks.cases import Finding, as_float64, smallest, usual, wrong
from workbook.checks.values import Value, describe


def own_mistake(item, cases):
    """The first mistake that gives all these answers, or at least all those to usual problems."""
    outcome = functools.cache(lambda mistake, case: predict(mistake.wrong, case.problem))
    plain = usual(cases)
    entries = [x for case in wrong(plain) for x in case.got.numbers()]
    telling = len(entries) > 2 and len(set(entries)) > 1                # one number, or zeros, fit by chance
    for some in (cases, plain) if telling else (cases,):
        for mistake in item.mistakes if wrong(some) else ():
            if all(case.is_like(outcome(mistake, case)) for case in some):
                return Finding(mistake.name, smallest(wrong(some)), look=mistake.look)


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
