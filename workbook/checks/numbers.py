"""Mistakes of number: the shape is right, the numbers are not. Each finder reports one mistake, or None."""
import numpy as np

from workbook.checks import patterns
from workbook.checks.cases import ORDINALS, Finding, explains, smallest, sound, usual, wrong
from workbook.checks.values import apart, close, number


def nearly(item, cases):
    """At least three answers are wrong, all by less than one percent: rounded, or approximate."""
    bad = wrong(cases)
    if len(bad) > 2 and all(case.floats() and case.right.data.dtype.kind == "f" and np.allclose(
            *case.floats(), rtol=0.01, atol=0 if case.right.data.any() else 1e-6, equal_nan=True) for case in bad):
        return Finding("nearly right: the first digits agree, the later ones do not", smallest(bad))


def not_finite(item, cases):
    """Most wrong answers have NaN or infinity in a place where a number is right, or a number in place of NaN."""
    bad = wrong(cases)
    for name, where in (("NaN where a number was expected", lambda got, right: np.isnan(got) & np.isfinite(right)),
                        ("infinity where a number was expected", lambda got, right: np.isinf(got) & np.isfinite(right)),
                        ("a number where NaN was expected", lambda got, right: ~np.isnan(got) & np.isnan(right))):
        found = [case for case in bad if np.any(where(*(case.floats() or (0.0, 0.0))))]
        if 2 * len(found) > len(bad):
            return Finding(name, smallest(found))


def counterexample(item, cases):
    """Nothing that fits all problems: which of them fail, and one entry of the smallest of them."""
    bad = wrong(sound(cases))
    if not bad:
        return None
    shown = smallest(usual(bad) or bad)
    words = {"good": len(cases) - len(wrong(cases)), "all": len(cases), "problem": shown.problem.name,
             "why": shown.problem.why, "where": patterns.where(cases), "entry": entry(shown)}
    name = "{good} of {all} problems hold, “{problem}” does not"
    if not words["good"]:
        name = "the numbers differ from the right ones"
    if explains(shown, cases):
        return Finding(name, shown, words, advice="only what is special fails")
    if words["where"]:
        return Finding("{good} of {all} problems hold, all but those in which {where}", shown, words)
    return Finding(name, shown, words)


def entry(case) -> str:
    """The entry that is farthest off: where it stands, what came back, what is right, in words; "" for no numbers."""
    whole = "the answer"
    if case.parts:
        case = next(part for part in case.parts if not part.good)
        whole = f"the {ORDINALS[case.part]} result"
    pair = case.floats()
    if not pair:
        return ""
    with np.errstate(all="ignore"):
        off = np.array(np.nan_to_num(np.abs(np.subtract(*pair)), nan=np.inf, posinf=np.inf))
    off[close(case.got, case.right, case.item.tolerance)] = -1.0
    at = np.unravel_index(np.argmax(off), off.shape)
    got, right = (x[at] for x in pair)
    came, expected = apart(lambda digits: (number(got, digits), number(right, digits)))
    text = (f"entry [{', '.join(map(str, at))}] of " if at else "") + f"{whole} is {came}, and {expected} was expected"
    if not np.isfinite(got - right):
        return text
    ratio = f", a ratio of {number(got / right, 4)}" if right and not np.isclose(got, right, rtol=1e-3) else ""
    return f"{text}: a difference of {number(got - right, 4)}{ratio}"
