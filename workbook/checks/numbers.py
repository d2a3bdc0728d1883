"""Mistakes of number: the shape is right, the numbers are not. Each finder reports one mistake, or None."""
import numpy as np

from workbook.checks.cases import Finding, explains, smallest, usual, wrong
from workbook.checks.values import number


def factor(item, cases):
    """Every answer is the same number times the right one."""
    pairs = [case.floats() for case in cases]
    if not all(pairs) or any(case.right.data.dtype.kind == "b" for case in cases):
        return None
    scales = [np.max(np.abs(right[np.isfinite(right)]), initial=0.0) or 1.0 for _, right in pairs]
    got, right = (np.concatenate([x.ravel() / scale for x, scale in zip(side, scales)]) for side in zip(*pairs))
    finite = np.isfinite(right)
    if not np.array_equal(np.isfinite(got), finite):
        return None
    ratio = got[finite] @ right[finite] / max(right[finite] @ right[finite], 1e-9)
    if np.sum(np.abs(right[finite]) > 1e-6) < 3 or np.isclose(ratio, 1, rtol=1e-2) or abs(ratio) < 1e-9:
        return None
    if not np.allclose(got, ratio * right, rtol=1e-3, atol=1e-6, equal_nan=True):
        return None
    shown = smallest(wrong(cases))
    if np.isclose(ratio, -1, rtol=1e-3):
        return Finding("the sign is flipped: every answer is minus the right one", shown)
    return Finding("every answer is {ratio} times the right one", shown, {"ratio": number(float(ratio), 4)})


def nearly(item, cases):
    """At least three answers are wrong, all by less than one percent: rounded, or approximate."""
    bad = wrong(cases)
    if len(bad) > 2 and all(case.floats() and case.right.data.dtype.kind == "f" and np.allclose(
            *case.floats(), rtol=0.01, atol=0, equal_nan=True) for case in bad):
        return Finding("nearly right: the first digits agree, the later ones do not", smallest(bad))


def not_finite(item, cases):
    for case in sorted(wrong(cases), key=lambda case: case.size):
        got, right = case.floats() or (0.0, 0.0)
        for name, where in (("NaN where a number was expected", np.isnan(got) & np.isfinite(right)),
                            ("infinity where a number was expected", np.isinf(got) & np.isfinite(right)),
                            ("a number where NaN was expected", ~np.isnan(got) & np.isnan(right))):
            if np.any(where):
                return Finding(name, case)


def counterexample(item, cases):
    bad = wrong(cases)
    if bad:
        shown = smallest(usual(bad) or bad)
        name = "{good} of {all} problems hold, “{problem}” does not" if len(bad) < len(cases) else (
            "the numbers differ from the right ones")
        return Finding(name, shown, {"good": len(cases) - len(bad), "all": len(cases), "problem": shown.problem.name,
                                     "why": shown.problem.why},
                       advice="only what is special fails" if explains(shown, cases) else "")
