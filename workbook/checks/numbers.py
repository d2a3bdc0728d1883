"""The right shape, and wrong numbers in it. Each finder reports one mistake, or None."""
from dataclasses import replace

import numpy as np

from workbook.checks import hints
from workbook.checks.cases import Case, Finding, clearest, explains, smallest, usual, wrong
from workbook.checks.forms import SWAPPED
from workbook.checks.values import RELATIVE, fits, number

# what advice.md of an exercise may say in other words
OWN_WORDS = ("NaN where a number was expected", "infinity where a number was expected",
             "a number where NaN was expected")


def constant(item, cases):
    """The same answer to every problem, or one number everywhere. One number for a whole array is a wrong shape."""
    bad = wrong(cases)
    if not bad or len(cases) < 2 or not all(case.numeric and len(case.got.shape) >= len(case.right.shape)
                                            for case in cases):
        return None
    answers = [np.ravel(case.got.data).astype(float) for case in cases]
    entries = np.concatenate(answers)
    look = f"a hard-coded answer? Compute it from the arguments: {', '.join(item.arguments)}"
    if np.isnan(entries).all():
        return None                                     # what makes the NaN is asked later
    if all(np.array_equal(answer, answers[0], equal_nan=True) for answer in answers) and len(
            {case.right.data.tobytes() for case in cases}) > 1:
        return Finding("the same answer to every problem", look, smallest(bad))
    if len(set(entries)) == 1 and all(fits(case.got, case.right) for case in cases):
        return Finding(f"the answer is {number(entries[0])} everywhere, whatever the inputs", look, smallest(bad))


def swapped(item, cases):
    """Swapped rows and columns that no shape gives away: the tables that are wrong are square."""
    bad = wrong(cases)
    if bad and all(case.floats() and len(case.right.shape) == 2 and len(set(case.right.shape)) == 1
                   and case.is_like(replace(case.right, data=case.right.data.T)) for case in bad):
        return Finding(SWAPPED, f"asked for: {item.returns}", smallest(bad))


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
        name = ""
        if np.any(np.isnan(got) & np.isfinite(right)):
            name, look = OWN_WORDS[0], "it comes from 0/0, ∞/∞, ∞ − ∞ or an earlier NaN, if you did not put it there. "
        elif np.any(np.isinf(got) & np.isfinite(right)):
            name, look = OWN_WORDS[1], "it comes from a division by 0, or from a number too large for its dtype. "
        elif np.any(~np.isnan(got) & np.isnan(right)) and (case in plain or not plain):
            name, look = OWN_WORDS[2], "NaN is the right answer there, and means that there is no number to give. "
        if name:
            own = hints.advice(item.package).get((item.name, name)) if item.package else ""
            more = f"Asked for: {item.returns}" if name == OWN_WORDS[2] else "Print numerators and denominators."
            return Finding(name, own or look + more, case)


def counterexample(item, cases):
    bad = wrong(cases)
    if not bad:
        return None
    shown = clearest(bad)
    short = shown.size <= 8 and all(len(number(x)) <= 4 for value in shown.problem.inputs.values()
                                    for x in np.ravel(value).tolist())
    look = "compute one number of it step by step, and print each step"
    if explains(shown, cases):
        look = f"what is special here: {shown.problem.why}"
    elif short:
        look = "work this one out with pen and paper. One number is enough"
    few = f"{len(cases) - len(bad)} of {len(cases)} problems hold, “{shown.problem.name}” does not"
    return Finding(few if len(bad) < len(cases) else "the numbers differ from the right ones", look, shown)
