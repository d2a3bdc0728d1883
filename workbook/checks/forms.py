"""Mistakes of form: nothing comes back, or another library, kind or shape. Each finder reports one, or None."""
from workbook.checks.cases import Finding, smallest, usual
from workbook.checks.item import count

NAMES = {"str": "text", "numpy": "an array", "torch": "a tensor", "float": "a number", "int": "a number",
         "bool": "true or false", "NoneType": "nothing"}


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
            name = NAMES.get(got.kind, f"a {got.kind}")
            if got.kind in ("numpy", "torch") and not got.numeric:      # of text, of complex numbers, or far too large
                name, wanted = f"{name} of shape {got.shape} and dtype {got.dtype}", wanted + " of numbers"
            return Finding(f"{name} where {wanted} was expected", f"return {wanted}. Asked for: {item.returns}", case,
                           shapes=True)
        if right.kind == "tuple" and len(got.data or ()) != len(right.data):
            return Finding(f"{count(len(got.data or ()), 'thing')} where {len(right.data)} were expected",
                           f"asked for: {item.returns}", case)


def shape(item, cases):
    bad = [case for case in cases if case.numeric and case.got.shape != case.right.shape
           and (item.exact_shape or (case.got.shape, case.right.shape) != ((1,), ()))]
    if bad:
        telling = [case for case in bad if len(set(case.right.shape)) == len(case.right.shape)]     # not (3, 3)
        shown = smallest(usual(telling) or telling or bad)
        mistake, look = _shape_words(item, shown.got.shape, shown.right.shape, [case.right.shape for case in bad],
                                     [case.got.shape for case in bad])
        return Finding(mistake, look or f"asked for: {item.returns}", shown, shapes=True)


def _shape_words(item, got, right, all_right, all_got) -> tuple[str, str]:
    """The mistake, and where to look: of the case that is shown, and of all cases with another shape."""
    if len(right) > 1 and all(one == other[::-1] for one, other in zip(all_got, all_right)):
        return f"rows and columns are swapped: {got}, not {right}", ""
    if any(got[:i] + got[i + 1:] == right for i, n in enumerate(got) if n == 1):
        return (f"an axis of length 1 too many: {got}", "an axis is left over from `keepdims=True`, `[:, None]`, a "
                "slice or a list of one number. Take the last step without it, or index it away")
    if got and all(one == tuple(n for n in other if n > 1) for one, other in zip(all_got, all_right)):
        return (f"an axis of length 1 is missing: {got} where {right} was expected", "did `squeeze` or an index drop "
                "it? Or did a sum or mean run over it?")
    if not got:
        along = "dim" if item.library == "torch" else "axis"
        return ("one number where an array was expected", f"one number instead of {right}: which axis does the sum, "
                f"mean or norm run over? Without `{along}=` it runs over all. And `squeeze` drops every axis of "
                "length one")
    if not right:
        return ("an array where one number was expected", "what makes one number of these: is a sum, a mean, a maximum "
                f"or an index missing at the end? Asked for: {item.returns}")
    if len(got) == len(right) + 1:
        return (f"an axis too many: {got}, not {right}", "either a sum over an axis is missing, or (n,) met (n, 1) and "
                "became a table of all pairs. Write the shape of each result beside its line")
    return f"shape {got} where {right} was expected", ""
