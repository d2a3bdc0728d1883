"""Mistakes of form: nothing comes back, or another library, kind or shape. Each finder reports one, or None."""
from workbook.checks.cases import Finding, slope_of, smallest, usual
from workbook.checks.values import NUMERIC, fits
from workbook.language import say, say_count

NAMES = {"str": say("text"), "numpy": say("an array"), "torch": say("a tensor"), "float": say("a number"),
         "int": say("a number"), "bool": say("true or false"), "NoneType": say("nothing"), "tuple": say("a tuple"),
         "list": say("a list")}


def nothing(item, cases):
    bad = [case for case in cases if case.got.kind == "NoneType" and getattr(case.right, "kind", "") != "NoneType"]
    if not bad:
        return None
    shown = smallest(bad)
    line = shown.answer.line
    none = say("None, from the line:  {line}", line=line)
    if ".grad" in line:
        return Finding("the grad is None: backward leaves grad only at the tensor marked requires_grad", shown,
                       {"slope": slope_of(item, shown)}, got=none)
    if not shown.whole and line.startswith("return "):
        return Finding("it returns None", shown, {"line": line}, got=none)
    if not shown.whole:
        return Finding("it returns nothing", shown, got=say("None: nothing was returned"))


def library(item, cases):
    wanted, other = ("torch", "NumPy") if item.library == "torch" else ("NumPy", "torch")
    for case in cases if item.library != "any" else ():
        parts = case.got.data if isinstance(case.got.data, tuple) else (case.got,)
        if any(part.kind == other.lower() and (part.shape or part.kind == "torch" or item.slope) for part in parts):
            return Finding("{other} where {wanted} was expected", case, {"other": other, "wanted": wanted})


def kind(item, cases):
    """Something else where an array, a number or a tuple is right; or a tuple with too many or too few things."""
    for case in cases:
        got, right = case.got, case.right
        if right is None or not (right.numeric or right.kind == "tuple"):
            continue
        too_large = got.kind in NUMERIC and got.dtype.startswith(("float", "int", "uint", "bool"))    # shape names it
        kind_fits = got.numeric or too_large if right.numeric else got.kind in ("tuple", "list")
        if not kind_fits:
            number = "float" if not right.shape else "torch" if item.library == "torch" else "numpy"
            wanted = NAMES[number if right.numeric else "tuple"]
            name = NAMES.get(got.kind) or say("a {type}", type=got.kind)
            if got.kind in ("numpy", "torch"):                  # of text, or of complex numbers
                name = say("{array} of {dtype}", array=name, dtype=got.dtype)
                wanted = say("{array} of numbers", array=wanted)
            return Finding("{kind} where {wanted} was expected", case, {"kind": name, "wanted": wanted}, shapes=True)
        if right.kind == "tuple" and len(got.data or ()) != len(right.data):
            return Finding("{got} where {right} were expected", case,
                           {"got": say_count("{n} thing", "{n} things", len(got.data or ())), "right": len(right.data)})


def shape(item, cases):
    bad = [case for case in cases if case.right and case.right.numeric and not fits(case.got, case.right)]
    if bad:
        telling = [case for case in bad if len(set(case.right.shape)) == len(case.right.shape)]     # not (3, 3)
        shown = smallest(usual(telling) or telling or bad)
        got, right = shown.got.shape, shown.right.shape
        name = _shape_words(got, right, [(case.got.shape, case.right.shape) for case in bad])
        return Finding(name, shown, {"got": got, "right": right}, shapes=True)


def _shape_words(got, right, pairs) -> str:
    """pairs: the shapes, got and right, of all cases in which these differ."""
    if len(right) > 1 and all(one == other[::-1] for one, other in pairs):
        return "rows and columns are swapped: {got}, not {right}"
    if any(got[:i] + got[i + 1:] == right for i, n in enumerate(got) if n == 1):
        return "an axis of length 1 too many: {got}"
    if got and all(one == tuple(n for n in other if n > 1) for one, other in pairs):
        return "an axis of length 1 is missing: {got} where {right} was expected"
    if not got:
        return "one number where an array was expected"
    if not right:
        return "an array where one number was expected"
    if len(got) == len(right) + 1:
        return "an axis too many: {got}, not {right}"
    return "shape {got} where {right} was expected"
