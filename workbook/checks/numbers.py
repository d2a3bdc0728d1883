"""The right shape, and wrong numbers in it. Each finder reports one mistake, or None."""
import numpy as np

from workbook.checks import hints
from workbook.checks.cases import Finding, clearest, explains, smallest, usual, wrong
from workbook.checks.values import number

# what advice.md of an exercise may say in other words
OWN_WORDS = ("NaN where a number was expected", "infinity where a number was expected",
             "a number where NaN was expected")
WHERE_FROM = ("it comes from 0/0, ∞/∞, ∞ − ∞ or an earlier NaN, if you did not put it there. Print numerators and "
              "denominators.",
              "it comes from a division by 0, or from a number too large for its dtype. Print numerators and "
              "denominators.",
              "NaN is the right answer there, and means that there is no number to give. Asked for: {returns}")


def factor(item, cases):
    """Every answer is the same number times the right one."""
    ratios = _ratios(cases)
    if len(ratios) < min(2, len(cases)) or not np.allclose(ratios, ratios[0], rtol=1e-3) or (
            np.isclose(ratios[0], 1.0, rtol=1e-2)):
        return None
    shown = smallest(wrong(cases))
    if np.isclose(ratios[0], -1.0, rtol=1e-3):
        return Finding("the sign is flipped: every answer is minus the right one", "a minus is missing, or there is "
                       "one too many", shown)
    return Finding(f"every answer is {number(ratios[0], 4)} times the right one", "a constant factor is missing or one "
                   "too many: a ½, a 2, a normalising constant?", shown)


def _ratios(cases) -> list[float]:
    """Answer / right, for each case with a number other than zero in it; nothing where that is not one number."""
    ratios, several = [], False
    for case in cases:
        if not case.floats() or case.right.data.dtype.kind == "b":
            return []
        got, right = case.floats()
        finite = np.isfinite(right)
        scale = np.max(np.abs(right[finite]), initial=0.0) or 1.0
        large = finite & (np.abs(right) > 1e-6 * scale)
        if np.any(np.isfinite(got) != finite) or np.any(np.abs(got[finite & ~large]) > 1e-3 * scale):
            return []
        if np.any(large):
            parts = got[large] / right[large]
            if not np.allclose(parts, parts[0], rtol=1e-3, atol=1e-12) or parts[0] == 0:
                return []
            ratios.append(float(parts[0]))
            several = several or np.sum(large) > 1
    return ratios if several or len(ratios) > 2 else []             # two numbers are always in proportion


def nearly(item, cases):
    """Three wrong answers and more, none of which is off by more than one percent: rounded, or approximate."""
    bad = wrong(cases)
    if len(bad) > 2 and all(case.floats() and case.right.data.dtype.kind == "f" and np.allclose(
            *case.floats(), rtol=0.01, atol=0, equal_nan=True) for case in bad):
        dtype = "float16 or float32"
        if item.library == "torch":
            dtype += " (torch.tensor([...]), torch.zeros(n) and torch.ones(n) make it: say dtype=torch.float64 there)"
        return Finding("nearly right: the first digits agree, the later ones do not", "something on the way is "
                       f"approximate: {dtype}, a difference quotient, a grid, a rounding, an ε added to a "
                       "denominator?", smallest(bad))


def not_finite(item, cases):
    plain = wrong(usual(cases))
    for case in sorted(wrong(cases), key=lambda case: case.size):
        got, right = case.floats() or (0.0, 0.0)
        kinds = (np.any(np.isnan(got) & np.isfinite(right)), np.any(np.isinf(got) & np.isfinite(right)),
                 np.any(~np.isnan(got) & np.isnan(right)) and (case in plain or not plain))
        for name, look in (row for found, *row in zip(kinds, OWN_WORDS, WHERE_FROM) if found):
            own = hints.advice(item.package).get((item.name, name)) if item.package else ""
            return Finding(name, own or look.format(returns=item.returns), case)


def counterexample(item, cases):
    bad = wrong(cases)
    if bad:
        shown = clearest(bad)
        few = f"{len(cases) - len(bad)} of {len(cases)} problems hold, “{shown.problem.name}” does not"
        return Finding(few if len(bad) < len(cases) else "the numbers differ from the right ones",
                       f"what is special here: {shown.problem.why}" if explains(shown, cases) else
                       "compute one number of it step by step, on paper or by printing each step", shown)
