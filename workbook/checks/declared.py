"""What an item knows by itself: its own mistakes, recognised by the wrong answers they give, and a judge of its own."""
import functools
import warnings

import numpy as np

from workbook.checks import hints, values
from workbook.checks.cases import Case, Finding, as_float64, beside, smallest, usual, wrong
from workbook.checks.values import Value, describe


def own_mistake(item, cases):
    """The first mistake that gives all these answers; or all that got, and exceptions and NaN are told beside it."""
    if not wrong(cases):
        return None
    outcome = functools.cache(lambda mistake, case: predict(mistake.wrong, case.problem))
    for mistake in item.mistakes:
        if all(case.is_like(outcome(mistake, case)) for case in cases):
            return Finding(mistake.name, _advice(item, mistake)[0], smallest(wrong(cases)))
    plain = usual(cases)                  # whoever mends what is special keeps the name of the mistake that is left
    entries = [x for case in wrong(plain) for x in case.got.numbers()]
    telling = len(entries) > 2 and len(set(entries)) > 1                # one number, or zeros, fit by chance
    for mistake in item.mistakes if telling else ():
        if all(case.is_like(outcome(mistake, case)) for case in plain):
            return Finding(mistake.name, _advice(item, mistake)[0], smallest(wrong(plain)))
    lost = [case for case in cases if case.error or not np.all(_kept(case))]
    telling = [case for case in cases if not case.error and not _is_like_where_finite(case, case.right)]
    for mistake in item.mistakes if lost and len(telling) >= len(lost) else ():
        if all(_is_like_where_finite(case, outcome(mistake, case)) for case in cases):
            return Finding(mistake.name, beside(_advice(item, mistake)[0], lost, cases), smallest(telling))


def own_judge(item, cases):
    """What the item's own judge complains of, if it has one."""
    if item.own_judge is None:
        return None
    parts = ((case.problem, case.got.plain(), case.answer) for case in cases)
    if complaint := item.own_judge(*map(list, zip(*parts))):
        texts = (complaint.name, *_advice(item, complaint))
        name, look, expected = (text.format(**complaint.values) for text in texts) if complaint.values else texts
        return Finding(name, look, cases[complaint.problem], expected=complaint.expected or expected or item.returns)


def _advice(item, found) -> tuple[str, str]:
    """Where to look next for a Mistake or a Complaint, and what was expected, if that is said."""
    look, _, expected = (found.look or hints.advice(item.package)[item.name, found.name]).partition(" Expected: ")
    return look, expected


def predict(function, problem) -> Value | str:
    """What a mistake answers to a problem, or the name of the exception that it raises."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return describe(function(**as_float64(problem.inputs)))
        except Exception as error:
            return type(error).__name__


def _is_like_where_finite(case: Case, value: Value | str) -> bool:
    """Leaves out exceptions, and NaN or infinity where a finite number is right."""
    if not case.floats() or isinstance(value, str) or not value.numeric or value.shape != case.got.shape:
        return bool(case.error) or case.is_like(value)
    return bool(np.all(values.close(case.got, value, case.coarsest, case.item.tolerance)[_kept(case)]))


def _kept(case: Case) -> np.ndarray | bool:
    """Where the answer is as finite as the right one is."""
    got, right = case.floats() or (0.0, 0.0)
    return np.isfinite(got) | ~np.isfinite(right)
