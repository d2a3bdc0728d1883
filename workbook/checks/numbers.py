"""The right shape, and wrong numbers in it. Each finder reports one mistake, or None."""
import numpy as np

from workbook.checks.cases import Finding, clearest, explains, smallest, usual, wrong
from workbook.checks.values import number


def factor(item, cases):
    """Every answer is the same number times the right one."""
    ratios = _ratios(cases)
    if len(ratios) < min(2, len(cases)) or not np.allclose(ratios, ratios[0], rtol=1e-3):
        return None
    if np.isclose(ratios[0], -1.0, rtol=1e-3):
        return Finding("the sign is flipped: every answer is minus the right one", smallest(wrong(cases)))
    if not np.isclose(ratios[0], 1.0, rtol=1e-2):
        return Finding("every answer is {ratio} times the right one", smallest(wrong(cases)),
                       {"ratio": number(ratios[0], 4)})


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
        return Finding("nearly right: the first digits agree, the later ones do not", smallest(bad))


def not_finite(item, cases):
    plain = wrong(usual(cases))
    for case in sorted(wrong(cases), key=lambda case: case.size):
        got, right = case.floats() or (0.0, 0.0)
        if np.any(np.isnan(got) & np.isfinite(right)):
            return Finding("NaN where a number was expected", case)
        if np.any(np.isinf(got) & np.isfinite(right)):
            return Finding("infinity where a number was expected", case)
        if np.any(~np.isnan(got) & np.isnan(right)) and (case in plain or not plain):
            return Finding("a number where NaN was expected", case)


def counterexample(item, cases):
    bad = wrong(cases)
    if bad:
        shown = clearest(bad)
        name = "{good} of {all} problems hold, “{problem}” does not" if len(bad) < len(cases) else (
            "the numbers differ from the right ones")
        return Finding(name, shown, {"good": len(cases) - len(bad), "all": len(cases), "problem": shown.problem.name,
                                     "why": shown.problem.why},
                       advice="only what is special fails" if explains(shown, cases) else "")
