"""The mistakes of number: the right shape, and wrong numbers in it. Each finder reports one, or None."""
from dataclasses import replace

import numpy as np

from workbook.checks import hints
from workbook.checks.cases import bears, Case, clearest, Finding, smallest, usual, wrong
from workbook.checks.forms import SWAPPED
from workbook.checks.values import RELATIVE, close, fits, number, same

A_POWER = "which power of {} does the formula have, and which one has your line?"
A_FACTOR = "compare your formula with the one in the text: which division or factor differs?"


def another_time(item, cases):
    """Asked a second time with the very same inputs, it gives another answer."""
    bad = [case for case in cases if not case.answer.again]
    if bad and not any(case.answer.marked for case in bad):
        return Finding("each call gives another answer, for the same inputs", "either you draw new random numbers "
                       "in each call, perhaps in a new layer, or you keep something from one call to the next",
                       smallest(bad), expected="the same inputs, the same answer")


def coarse(item, cases):
    """Right but for a dtype that is coarser than that of the inputs."""
    bad = wrong(cases)
    names = {dtype for case in bad for dtype in _dtypes(case.got) if dtype in RELATIVE and dtype != case.coarsest}
    if bad and names and all(same(case.got, case.right, max(_dtypes(case.got), key=lambda d: RELATIVE.get(d, 0)))
                             for case in bad if not case.error and case.right is not None):
        come = ", ".join(sorted(names))
        torch = item.library == "torch"
        makes = ("torch.tensor([...]), torch.zeros(n) and torch.ones(n) make float32 of plain numbers: say "
                 "dtype=torch.float64 there" if torch else "is there an astype or a dtype= on the way?")
        return Finding(f"{come} where float64 was expected", f"the numbers are right, but rounded to fewer digits than "
                       f"the inputs have. Somewhere on the way they became {come}: {makes}", smallest(bad))


def _dtypes(value) -> list[str]:
    """Of an array, or of the parts of a tuple."""
    parts = value.data if isinstance(value.data, tuple) else [value]
    return [part.dtype for part in parts] or [""]


def hard_coded(item, cases):
    """The same answer to every problem, or one number everywhere. One number for a whole array is a wrong shape."""
    bad = wrong(cases)
    if not bad or len(cases) < 2 or not all(case.numeric for case in cases) or any(
            case.got.shape == () != case.right.shape for case in bad):
        return None
    got, compute = [case.got.data.astype(float) for case in cases], f"from the arguments: {', '.join(item.arguments)}"
    if all(np.isnan(data).all() for data in got):
        return None                                     # nobody hard-codes NaN: what makes it is asked next
    if (all(np.array_equal(data, got[0], equal_nan=True) for data in got)
            and len({(case.right.shape, case.right.data.tobytes()) for case in cases}) > 1):
        unfilled = "" if np.any(got[0]) else " An array of zeros that is never filled fits none."
        return Finding("the same answer to every problem", f"a hard-coded answer fits one set of inputs.{unfilled} "
                       f"Compute it {compute}", smallest(bad))
    entries = np.concatenate([data.ravel() for data in got])
    if len(entries) > 1 and len(set(entries)) == 1 and all(fits(case.got, case.right) for case in cases):
        return Finding(f"the answer is {number(entries[0])} everywhere, whatever the inputs",
                       f"a hard-coded answer? Compute it {compute}", smallest(bad))


OWN_WORDS = ("NaN where a number was expected", "infinity where a number was expected",
             "a number where NaN was expected")


def own_words(item, name: str) -> str:
    """What the exercise says of one of OWN_WORDS for this item, in its advice.md; or nothing."""
    return hints.advice(item.package).get((item.name, name), "") if item.package else ""


def not_finite(item, cases):
    plain = wrong(usual(cases))
    for case in sorted(wrong(cases), key=lambda case: case.size):
        got, right = case.floats() or (0.0, 0.0)
        if np.any(~np.isfinite(got) & np.isfinite(right)):
            word, makes = "infinity", "it comes from a division by 0, or from a number too large for its dtype"
            if np.any(np.isnan(got) & np.isfinite(right)):
                word, makes = "NaN", "it comes from 0/0, ∞/∞, ∞ − ∞ or an earlier NaN"
            name = f"{word} where a number was expected"
            if own := own_words(item, name):
                return Finding(name, own, case)
            return Finding(name, f"{makes}, if you did not put it there. Print numerators and denominators.", case)
        if np.any(~np.isnan(got) & np.isnan(right)) and (case in plain or not plain):
            name = "a number where NaN was expected"
            return Finding(name, own_words(item, name) or f"NaN is the right answer there, and means that there is no "
                           f"number to give. Asked for: {item.returns}", case)


def pattern(item, cases):
    """What all the wrong answers have in common: swapped axes, a factor, or a constant more or less."""
    if bad := wrong(cases):
        return _swapped(item, bad) or _factor(cases, bad) or _offset(cases, bad)


def only_the_first(item, cases):
    """In each wrong answer as many rows are right, and none after them: a length is written as a number."""
    ends = set()
    for case in (bad := wrong(cases)):
        if not case.floats() or not case.right.shape:
            return None
        right = close(case.got, case.right, case.coarsest, item.tolerance)
        right = right.reshape(len(right), -1).all(axis=1)
        end = int(np.argmin(right))
        ends.add(0 if right[end:].any() or end + 1 == len(right) else end)
    if len(ends) == 1 and (end := min(ends)) > 5:
        return Finding(f"only the first {end} rows are right", f"where there are more than {end}, the rest is wrong. "
                       f"Is there a {end} in your code, as in `[:{end}]` or `range({end})`? Take the length from the "
                       f"arguments, as with `len({item.arguments[0]})`", smallest(bad))


def counter_example(item, cases):
    if bad := wrong(cases):
        shown = clearest(bad)
        look = "compute one number of it step by step, and print each step"
        if bears(shown, cases):
            look = f"what is special here: {shown.problem.why}"
        elif _is_short(shown):
            look = "work this one out with pen and paper. One number is enough"
        few = f"{len(cases) - len(bad)} of {len(cases)} problems hold, “{shown.problem.name}” does not"
        return Finding(_right_side(cases) or (few if len(bad) < len(cases) else "the numbers differ from the right "
                                              "ones"), look, shown)


def _is_short(case) -> bool:
    """Whether a person would work it out: few numbers of few digits."""
    return case.size <= 8 and all(len(number(x)) <= 4 for value in case.problem.inputs.values()
                                  for x in np.ravel(value).tolist())


def _swapped(item, bad):
    """Swapped rows and columns that no shape gives away: the tables that are wrong are square."""
    if all(case.floats() and len(case.right.shape) == 2 and len(set(case.right.shape)) == 1
           and case.is_like(replace(case.right, data=case.right.data.T)) for case in bad):
        return Finding(SWAPPED, f"asked for: {item.returns}", smallest(bad))


NEARLY = ("nearly right: the first digits agree, the later ones do not", "something on the way is approximate: "
          "float32, a difference quotient, a grid, a rounding, an ε added to a denominator?")


def nearly(item, cases):
    """Three wrong answers and more, none of which is off by more than one percent."""
    bad = wrong(cases)
    if len(bad) > 2 and all(case.floats() and case.right.data.dtype.kind == "f" and np.allclose(
            *case.floats(), rtol=0.01, atol=0, equal_nan=True) for case in bad):
        return Finding(*NEARLY, smallest(bad))


def _factor(cases, bad):
    """Every answer is a constant times the right one; or, in each problem, times something that the inputs say."""
    ratios = _ratios(cases)
    if len(ratios) < min(2, len(cases)):
        return None
    first, shown = next(iter(ratios.values())), smallest([case for case in bad if case in ratios] or bad)
    if all(abs(ratio) < 1e-9 for ratio in ratios.values()):
        return Finding("every answer is 0, up to rounding", "the terms that you add up cancel: is a factor missing "
                       "that differs from term to term?", shown)
    for ratio_of, mistake, look in (
            (lambda case: -1.0, "the sign is flipped: every answer is minus the right one", "a minus is missing, or "
             "there is one too many"),
            (lambda case: 1.0, *NEARLY),
            (lambda case: first, f"every answer is {number(first, 4)} times the right one", "a constant factor is "
             "missing or one too many: a ½, a 2, a normalising constant?"),
            *((ratio_of, f"every answer is {name} times the right one",
               A_FACTOR if "(" in name else A_POWER.format(name.strip("1/²")))
              for name, ratio_of in _candidates(cases))):
        if all(np.isclose(ratio, ratio_of(case), rtol=1e-3, atol=0) for case, ratio in ratios.items()):
            return Finding(mistake, look, shown)
    if side := _right_side(cases):
        return Finding(f"{side}: a factor", "compare the factor in front for one feature and for two: what does it "
                       "depend on?", shown)


def proportion(item, cases):
    """In each problem a factor of its own, and no word for it, or one on the line and another in the plane."""
    ratios = _ratios(cases)
    shown = [case for case in ratios if not case.good]
    if len(ratios) < min(2, len(cases)) or not any(case.right.data.size > 1 for case in shown):
        return None
    for on_line in _on_line(cases):
        sides = [[ratio for case, ratio in ratios.items() if on_line[case] is side] for side in (True, False)]
        if all(side and np.allclose(side, side[0], rtol=1e-3) for side in sides):
            line, plane = (number(side[0], 4) for side in sides)
            return Finding(f"every answer is {line} times the right one on the line, and {plane} times in the plane",
                           "compare the factor in front for one feature and for two with the text", smallest(shown))
    return Finding("a factor is wrong that changes from problem to problem", "within each problem your answers are "
                   "in the right proportion to each other: what differs from problem to problem?", smallest(shown))


def _offset(cases, bad):
    """Every answer is a constant more, or less, than the right one."""
    if not all(case.floats() for case in cases):
        return None
    with np.errstate(invalid="ignore"):                 # ∞ − ∞, which is left out
        gaps = np.concatenate([np.ravel(got - right) for got, right in (case.floats() for case in cases)])
    gaps = gaps[np.isfinite(gaps)]
    if len(gaps) > 2 and abs(gaps[0]) > 1e-6 and np.allclose(gaps, gaps[0], rtol=1e-3):
        return Finding(f"every answer is {number(abs(gaps[0]), 4)} {'more' if gaps[0] > 0 else 'less'} than the right "
                       "one", "a constant is missing, or there is one too many", smallest(bad))


def _ratios(cases) -> dict[Case, float]:
    """Answer / right, for each case with a number other than zero in it; nothing where that is not one number."""
    ratios = {}
    for case in cases:
        if not case.floats() or case.right.data.dtype.kind == "b":
            return {}
        got, right = case.floats()
        finite = np.isfinite(right)
        scale = np.max(np.abs(right[finite]), initial=0.0) or 1.0
        telling, quiet = finite & (np.abs(right) > 1e-6 * scale), finite & (np.abs(right) <= 1e-12 * scale)
        elsewhere = np.any(np.isfinite(got) != finite) or np.any(np.isnan(got) != np.isnan(right))
        if elsewhere or np.any(np.abs(got[quiet]) > 1e-6 * scale):
            return {}
        if np.any(telling):
            parts = got[telling] / right[telling]
            if not np.allclose(parts, parts[0], rtol=1e-3, atol=1e-12) or parts[0] == 0:
                return {}
            ratios[case] = float(parts[0])
    several = any(np.sum(np.isfinite(case.right.data.astype(float))) > 1 for case in ratios)
    return ratios if len(ratios) > 1 and (several or len(ratios) > 2) else {}     # two numbers are always in proportion


def _right_side(cases) -> str:
    """Words for answers that are all right where an input is (n,) and all wrong where it is (n, 2), or the reverse."""
    for on_line in _on_line(cases):
        if all(case.good is line for case, line in on_line.items()):
            return "right on the line, wrong in the plane"
        if all(case.good is not line for case, line in on_line.items()):
            return "wrong on the line, right in the plane"
    return ""


def _on_line(cases):
    """For each input that is (n,) in some problems and (n, 2) in all others: case -> whether it is (n,)."""
    for name in cases[0].problem.inputs:
        shapes = {case: np.shape(case.problem.inputs[name]) for case in cases}
        if all(len(shape) == 1 or shape[1:] == (2,) for shape in shapes.values()) and len(
                {len(shape) for shape in shapes.values()}) == 2:
            yield {case: len(shape) == 1 for case, shape in shapes.items()}


def _candidates(cases):
    """What a factor may be: the length of an array, a number among the inputs, their squares, and one over these.

    And the quotient of two lengths, or of a length and one less.
    """
    lengths = {name: dict(zip(cases, [len(case.problem.inputs[name]) for case in cases]))
               for name in cases[0].problem.inputs if all(np.ndim(case.problem.inputs[name]) for case in cases)}
    for one, n in lengths.items():
        for other, m in lengths.items():
            yield f"len({one})/len({other})", lambda case, n=n, m=m: n[case] / m[case]
        yield f"len({one})/(len({one}) − 1)", lambda case, n=n: n[case] / max(n[case] - 1, 0.5)
    for name in cases[0].problem.inputs:
        given = [case.problem.inputs[name] for case in cases]
        powers = ((1, name), (-1, f"1/{name}"), (2, f"{name}²"), (-2, f"1/{name}²"))
        if all(np.ndim(value) for value in given):
            given, powers = list(map(len, given)), ((1, f"len({name})"), (-1, f"1/len({name})"))
        elif not all(isinstance(value, (int, float, np.number)) and value and value is not True for value in given):
            continue
        of = dict(zip(cases, given))
        for power, words in powers:
            yield words, lambda case, of=of, power=power: float(of[case]) ** power
