"""Mistakes of form: nothing comes back, or another library, kind or shape. Each finder reports one, or None."""
from dataclasses import replace

import numpy as np

from workbook.checks.cases import Finding, smallest, usual
from workbook.checks.item import count
from workbook.checks.values import same

NAMES = {"str": "text", "numpy": "an array", "torch": "a tensor", "float": "a number", "int": "a number",
         "bool": "true or false", "NoneType": "nothing"}
SWAPPED = "the wrong axis: rows and columns are swapped"


def nothing(item, cases):
    bad = [case for case in cases if case.got.kind == "NoneType" and getattr(case.right, "kind", "") != "NoneType"]
    if bad:
        return Finding("it returns nothing", "does every path through the function end with `return ...`? "
                       "Without it Python returns None", smallest(bad), got="None: nothing was returned")


def library(item, cases):
    wanted, other, how = "NumPy", "torch", "`np....`"
    if item.library == "torch":
        wanted, other, how = "torch", "NumPy", "`torch....`; a NumPy array on the way breaks the gradient"
    for case in cases if item.library != "any" else ():
        parts = case.got.data if isinstance(case.got.data, tuple) else (case.got,)
        if any(part.kind == other.lower() and (part.shape or part.kind == "torch" or item.slope) for part in parts):
            return Finding(f"{other} where {wanted} was expected",
                           f"what comes after this computes with {wanted}: compute with {how}", case)


def kind(item, cases):
    """Something else where an array, a number or a tuple is right; or a tuple with too many or too few things."""
    for case in cases:
        got, right, several = case.got, case.right, case.got.kind in ("tuple", "list")
        if right is None or not (right.numeric or right.kind == "tuple"):
            continue
        if not (got.numeric if right.numeric else several):
            wanted = "a tuple" if right.kind == "tuple" else "an array" if right.shape else "a number"
            maker = "torch.stack(...)" if item.library == "torch" else "np.array(...)"
            more = f": {maker} makes one" if several and right.shape else ""
            name = NAMES.get(got.kind, f"a {got.kind}")
            if got.kind in ("numpy", "torch") and not got.numeric:      # of text, of complex numbers, or far too large
                name, wanted = f"{name} of shape {got.shape} and dtype {got.dtype}", wanted + " of numbers"
            return Finding(f"{name} where {wanted} was expected",
                           f"return {wanted}{more}. Asked for: {item.returns}", case, shapes=True)
        if right.kind == "tuple" and len(got.data or ()) != len(right.data):
            return Finding(f"{count(len(got.data or ()), 'thing')} where {len(right.data)} were expected",
                           f"asked for: {item.returns}", case)


def shape(item, cases):
    bad = [case for case in cases if case.numeric and case.got.shape != case.right.shape
           and (item.exact_shape or (case.got.shape, case.right.shape) != ((1,), ()))]
    if bad:
        telling = [case for case in bad if len(set(case.right.shape)) == len(case.right.shape)]     # not (3, 3)
        shown = smallest(usual(telling) or telling or bad)
        return Finding(*_shape_words(item, shown, bad), shown, shapes=True)


def _shape_words(item, case, bad) -> tuple[str, str]:
    """The mistake, and where to look. bad: all cases with another shape."""
    got, right, asked = case.got.shape, case.right.shape, f"asked for: {item.returns}"
    if len(right) >= 2 and all(each.got.shape == each.right.shape[::-1] for each in bad):
        turned = case.is_like(replace(case.right, data=case.right.data.T, shape=right[::-1]))
        return SWAPPED if turned else f"shape {got} where {right} was expected: rows and columns are swapped", asked
    if len(got) > len(right) and any(got[:i] + got[i + 1:] == right for i, n in enumerate(got) if n == 1):
        return (f"an axis of length 1 too many: {got}", "an axis is left over from `keepdims=True`, `[:, None]`, a "
                "slice or a list of one number. Take the last step without it, or index it away")
    if got and all(each.got.shape == tuple(n for n in each.right.shape if n > 1) for each in bad):
        return (f"an axis of length 1 is missing: {got} where {right} was expected", "did `squeeze` or an index drop "
                "it? Or did a sum or mean run over it?")
    if not got:
        single = " Or is it one NaN, where one for each was expected?" if np.isnan(float(case.got.data)) else ""
        along = "dim" if item.library == "torch" else "axis"
        return ("one number where an array was expected", f"one number instead of {right}: which axis "
                f"does the sum, mean or norm run over? Without `{along}=` it runs over all. And `squeeze` drops every "
                f"axis of length one.{single}")
    if not right:
        return ("an array where one number was expected", "what makes one number of these: is a sum, a mean, a maximum "
                f"or an index missing at the end? Asked for: {item.returns}")
    if len(got) == len(right) + 1:
        words = "a table where one axis was expected" if len(got) == 2 else "an axis too many"
        return (f"{words}: {got}, not {right}", "either a sum over an axis is missing, or (n,) met (n, 1) and "
                "became a table of all pairs. Write the shape of each result beside its line")
    if all(_is_beginning(each) for each in bad):
        return (f"only the first {got[0]} of the {right[0]} that were expected",
                f"those are right. Does a `return` stand inside a loop? Asked for: {item.returns}")
    if len(got) == len(right) == 1 and (owner := _one_for_each(bad)):
        return (f"the wrong length: one number for each {owner}", f"{count(got[0], 'number')} instead of {right[0]}. "
                "Did a sum or mean run over the other axis, or does a slice, a loop or an array of your own take its "
                "length from the wrong argument?")
    return f"shape {got} where {right} was expected", asked


def _is_beginning(case) -> bool:
    """Whether the answer is the beginning of the right one."""
    got, right = case.got, case.right
    part = replace(right, data=right.data[:len(got.data)], shape=got.shape)
    return part.data.shape == got.shape and same(got, part, case.coarsest, case.item.tolerance)


def _one_for_each(cases) -> str:
    """What there are as many of on all these problems, "of keys" or "column of keys"; or nothing."""
    for axis, words in enumerate(("of", "column of")):
        for name in cases[0].problem.inputs:
            if all(np.shape(case.problem.inputs[name])[axis:axis + 1] == case.got.shape for case in cases):
                return f"{words} {name}"
    return ""
