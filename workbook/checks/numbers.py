"""The right shape, and wrong numbers in it. Each finder reports one mistake, or None."""
import numpy as np

from workbook.checks import hints
from workbook.checks.cases import Case, Finding, clearest, explains, smallest, usual, wrong
from workbook.checks.values import RELATIVE, number

# what advice.md of an exercise may say in other words
OWN_WORDS = ("NaN where a number was expected", "infinity where a number was expected",
             "a number where NaN was expected")
WHERE_FROM = ("it comes from 0/0, ∞/∞, ∞ − ∞ or an earlier NaN, if you did not put it there. Print numerators and "
              "denominators.",
              "it comes from a division by 0, or from a number too large for its dtype. Print numerators and "
              "denominators.",
              "NaN is the right answer there, and means that there is no number to give. Asked for: {returns}")


def factor(item, cases):
    """Every answer is a constant times the right one; or, in each problem, times something that the inputs say."""
    ratios = _ratios(cases)
    if len(ratios) < min(2, len(cases)) or np.allclose(list(ratios.values()), 1.0, rtol=1e-2):
        return None
    first, shown = next(iter(ratios.values())), smallest([case for case in wrong(cases) if case in ratios])
    for ratio_of, mistake, look in (
            (lambda case: -1.0, "the sign is flipped: every answer is minus the right one",
             "a minus is missing, or there is one too many"),
            (lambda case: first, f"every answer is {number(first, 4)} times the right one",
             "a constant factor is missing or one too many: a ½, a 2, a normalising constant?"),
            *((of, f"every answer is {words} times the right one", f"compare your formula with the one in the text: "
               f"which division or factor by {words} differs?") for words, of in _quantities(cases))):
        if all(np.isclose(ratio, ratio_of(case), rtol=1e-3) for case, ratio in ratios.items()):
            return Finding(mistake, look, shown)


def _ratios(cases) -> dict[Case, float]:
    """Answer / right, for each case with a number other than zero in it; nothing where that is not one number."""
    ratios, several = {}, False
    for case in cases:
        if not case.floats() or case.right.data.dtype.kind == "b":
            return {}
        got, right = case.floats()
        finite = np.isfinite(right)
        scale = np.max(np.abs(right[finite]), initial=0.0) or 1.0
        large = finite & (np.abs(right) > 1e-6 * scale)
        if np.any(np.isfinite(got) != finite) or np.any(np.abs(got[finite & ~large]) > 1e-3 * scale):
            return {}
        if np.any(large):
            parts = got[large] / right[large]
            if not np.allclose(parts, parts[0], rtol=1e-3, atol=1e-12) or parts[0] == 0:
                return {}
            ratios[case], several = float(parts[0]), several or np.sum(large) > 1
    return ratios if several or len(ratios) > 2 else {}             # two numbers are always in proportion


def _quantities(cases):
    """What a factor may be: the length of an array, or a number among the inputs, to the power 1, −1, 2 or −2."""
    for name in cases[0].problem.inputs:
        given = {case: case.problem.inputs[name] for case in cases}
        if all(np.ndim(x) for x in given.values()):
            name, given = f"len({name})", {case: len(x) for case, x in given.items()}
        elif not all(isinstance(x, (int, float, np.number)) and x and x is not True for x in given.values()):
            continue
        for power, words in ((1, name), (-1, f"1/{name}"), (2, f"{name}²"), (-2, f"1/{name}²")):
            yield words, lambda case, given=given, power=power: float(given[case]) ** power


def nearly(item, cases):
    """Three wrong answers and more, none of which is off by more than one percent: rounded, or approximate."""
    bad = wrong(cases)
    if len(bad) < 3 or not all(case.floats() and case.right.data.dtype.kind == "f" and np.allclose(
            *case.floats(), rtol=0.01, atol=0, equal_nan=True) for case in bad):
        return None
    if all(case.got.dtype in RELATIVE and case.got.dtype != case.coarsest for case in bad):
        makes = "is there an astype or a dtype= on the way?"
        if item.library == "torch":
            makes = ("torch.tensor([...]), torch.zeros(n) and torch.ones(n) make float32 of plain numbers: say "
                     "dtype=torch.float64 there")
        return Finding(f"{bad[0].got.dtype} where float64 was expected", "the numbers are right, but rounded to fewer "
                       f"digits than the inputs have: {makes}", smallest(bad))
    return Finding("nearly right: the first digits agree, the later ones do not", "something on the way is "
                   "approximate: float32, a difference quotient, a grid, a rounding, an ε added to a denominator?",
                   smallest(bad))


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
