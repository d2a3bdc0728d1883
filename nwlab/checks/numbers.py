"""The second half of the generic mistakes: right shapes with wrong numbers, loops, and what nobody has a name for."""
from __future__ import annotations

import numpy as np

from nwlab.checks import torch, values
from nwlab.checks.cases import Case, Finding, smallest
from nwlab.checks.item import SIZES, Item
from nwlab.checks.values import number


def _transposed(item, cases):
    """Swapped rows and columns that no shape gives away: the tables that are wrong are square."""
    bad = [case for case in cases if not case.good]
    if bad and all(case.right is not None and case.right.numeric and len(case.right.shape) == 2
                   and case.came.shape == case.right.shape == case.right.shape[::-1]
                   and case.is_like(_turned(case.right)) for case in bad):
        return Finding("the wrong axis: rows and columns are swapped", item.returns, smallest(bad))


def _factor(item, cases):
    """Every answer is a constant times the right one; or, in each problem, times something that the inputs say."""
    ratios = _ratios(cases)
    bad = [case for case in cases if not case.good]
    if not bad or ratios is None or len(ratios) < min(2, len(cases)):
        return None
    first = ratios[0][1]
    shown = smallest([case for case in bad if any(case is other for other, _ in ratios)] or bad)
    if all(np.isclose(ratio, first, rtol=1e-3) for _, ratio in ratios):
        if np.isclose(first, -1.0, rtol=1e-3):
            return Finding("the sign is flipped: every answer is minus the right one", "a minus is missing or one too many: "
                           "look at each difference and ask which way round it is", shown)
        if np.isclose(first, 1.0, rtol=1e-3):
            return Finding("nearly right: the first digits agree, the later ones do not", "something on the way is approximate: "
                           "float32 where float64 was given, a difference quotient, an ε added to a denominator?", shown)
        return Finding(f"every answer is {number(first, 4)} times the right one", "a constant factor is missing or one too "
                       "many: a ½, a 2, a normalising constant?", shown)
    for name, value_of in _candidates(cases):
        values = [value_of(case) for case, _ in ratios]
        if all(np.isclose(ratio, value, rtol=1e-3) for (_, ratio), value in zip(ratios, values)):
            return Finding(f"every answer is {name} times the right one",
                           "compare your formula with the one in the text: which division or factor differs?", shown)
    if all(np.isfinite(ratio) for _, ratio in ratios) and any(case.right.data.size > 1 for case, _ in ratios):
        if where := _line_or_plane(cases):
            return Finding(where, "compare the factor in front for one feature and for two: what does it depend on?", shown)
        return Finding("a factor is wrong that changes from problem to problem",
                       "within each problem your answers are in the right proportion to each other: a normalisation is missing "
                       "or is made with something else", shown)


def _line_or_plane(cases) -> str:
    """Words for answers that are all right where an input is (n,) and all wrong where it is (n, 2), or the other way round."""
    for name in cases[0].problem.inputs:
        flat = {case: np.ndim(case.problem.inputs[name]) == 1 for case in cases}
        if all(is_flat or np.shape(case.problem.inputs[name])[1:] == (2,) for case, is_flat in flat.items()):
            if len(set(flat.values())) == 2 and all(case.good == is_flat for case, is_flat in flat.items()):
                return "right on the line, wrong in the plane: a factor"
            if len(set(flat.values())) == 2 and all(case.good != is_flat for case, is_flat in flat.items()):
                return "wrong on the line, right in the plane: a factor"
    return ""


def _offset(item, cases):
    bad = [case for case in cases if not case.good]
    gaps = []
    for case in cases:
        if case.right is None or not (case.right.numeric and case.came.numeric):
            return None
        a, b = (np.ravel(value.data).astype(float) for value in (case.came, case.right))
        if a.shape != b.shape:
            return None
        gaps += list((a - b)[np.isfinite(a - b)])
    if bad and len(gaps) > 2 and abs(gaps[0]) > 1e-6 and np.allclose(gaps, gaps[0], rtol=1e-3):
        way = "more" if gaps[0] > 0 else "less"
        return Finding(f"every answer is {number(abs(gaps[0]), 4)} {way} than the right one",
                       "a constant is missing or one too many", smallest(bad))


def _own_judge(item, cases):
    if item.own_judge is None:
        return None
    asked = [[case.problem for case in cases], [case.came.plain() for case in cases]]
    if item.slope or item.given or item.twice:
        asked.append([case.answer for case in cases])
    complaint = item.own_judge(*asked)
    if complaint is not None:
        return Finding(complaint.name, complaint.look, cases[complaint.problem], expected=complaint.expected or item.returns)


def _counter_example(item, cases):
    bad = [case for case in cases if not case.good]
    if not bad:
        return None
    shown = smallest(bad)
    few = f"{len(cases) - len(bad)} of {len(cases)} problems hold, this one does not"
    many = "the numbers differ from the right ones"
    look = f"work this one through with pen and paper, one number is enough. {_special(shown)}".rstrip()
    return Finding(few if len(bad) < len(cases) else many, look, shown)


def _loop(item, cases):
    if item.vectorised and (shown := _grows(cases)):
        return Finding("a loop in Python",
                       "the answers are right. Here the aim is one array expression that does all of it at once. Where each of one "
                       "array meets each of another, give one an axis more (`x[:, None]`)", shown,
                       came=f"the right numbers, but with {SIZES[1]} points the code takes more steps in Python than with "
                            f"{SIZES[0]}", expected="as many steps in Python for any number of points")


NAMED = (_transposed, _factor, _offset)                # these are told before an exception on other problems
FINDERS = (_transposed, _factor, _offset, _own_judge, torch.marks_an_input, torch.cut, torch.wrong_slope, _counter_example, _loop)


def loop_remark(item: Item, cases: list[Case]) -> str:
    """A remark on a right answer that loops, where vectorising is not the point."""
    if item.vectorised or not _grows(cases):
        return ""
    return "A loop is right, and easy to read. An array expression would do all of it at once, and faster for many."


def _grows(cases: list[Case]) -> Case | None:
    """The larger of the two sized cases, if its steps in Python are more by half a step for each added point."""
    sized = {case.problem.size: case for case in cases if case.problem.size}
    if len(sized) < 2:
        return None
    small, large = (sized[size] for size in SIZES)
    return large if large.answer.steps - small.answer.steps >= (SIZES[1] - SIZES[0]) / 2 else None


def _ratios(cases) -> list[tuple[Case, float]] | None:
    """For each case with a number other than zero in it, answer / right; None where that is not one number."""
    ratios = []
    for case in cases:
        if case.right is None or not (case.right.numeric and case.came.numeric) or case.right.data.dtype.kind == "b":
            return None
        a, b = (np.ravel(value.data).astype(float) for value in (case.came, case.right))
        if a.shape != b.shape or np.any(np.isfinite(a) != np.isfinite(b)):
            return None
        scale = np.max(np.abs(b[np.isfinite(b)]), initial=0.0) or 1.0
        telling = np.isfinite(b) & (np.abs(b) > 1e-6 * scale)
        quiet = np.isfinite(b) & (np.abs(b) <= 1e-12 * scale)
        if np.any(np.abs(a[quiet]) > 1e-6 * scale):
            return None
        if np.any(telling):
            all_of_it = a[telling] / b[telling]
            if not np.allclose(all_of_it, all_of_it[0], rtol=1e-3) or all_of_it[0] == 0:
                return None
            ratios.append((case, float(all_of_it[0])))
    several = any(np.sum(np.isfinite(case.right.data.astype(float))) > 1 for case, _ in ratios)
    return ratios if len(ratios) > 1 and (several or len(ratios) > 2) else None


def _candidates(cases):
    """What a factor may be: the length of an array, a number among the inputs, their squares, and one over these."""
    for name in cases[0].problem.inputs:
        given = [case.problem.inputs[name] for case in cases]
        if all(np.ndim(value) for value in given):
            yield f"len({name})", lambda case, name=name: np.shape(case.problem.inputs[name])[0]
            yield f"1/len({name})", lambda case, name=name: 1 / np.shape(case.problem.inputs[name])[0]
        elif all(isinstance(value, (int, float, np.number)) and not isinstance(value, bool) and value for value in given):
            for power, words in ((1, name), (-1, f"1/{name}"), (2, f"{name}²"), (-2, f"1/{name}²")):
                yield words, lambda case, name=name, power=power: float(case.problem.inputs[name]) ** power


def _special(case: Case) -> str:
    return f"What is special about it: {case.problem.why}" if case.problem.why else ""


def _turned(value):
    return values.Value(value.kind, value.dtype, value.shape[::-1], value.data.T)
