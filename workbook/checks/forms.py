"""Mistakes of form: nothing comes back, or another kind or shape than expected. Each finder reports one, or None."""
import re
from dataclasses import replace

import numpy as np

from workbook.checks.cases import Finding, bears, smallest, usual, wrong
from workbook.checks.item import count
from workbook.checks.values import same

NAMES = {"str": "text", "dict": "a dict", "numpy": "an array", "torch": "a tensor", "float": "a number",
         "int": "a number", "bool": "true or false", "NoneType": "nothing"}
SHAPES = r"(?i)shape|size|broadcast|dimension|\bdim\b|axis|axes|mat1|operands|\bindex|indices|out of bounds"
NOT_WRITTEN = "not written yet"
SWAPPED = "the wrong axis: rows and columns are swapped"


def not_callable(item, cases):
    if cases[0].error.get("type") == "not callable":
        return Finding("what was handed over is not a function", "hand over the function itself, without brackets "
                       f"behind its name: check_{item.name}({item.name})", cases[0], expected="a function",
                       got=f"something of type {cases[0].error['message']}")


def stub(item, cases):
    bad = [case for case in cases if case.error.get("type") == "NotImplementedError"]
    if not bad:
        return None
    named = re.search(r"write (\w+)", bad[0].error["message"])
    other = named.group(1) if named else bad[0].error["where"]
    if other.isidentifier() and other != item.name:
        return Finding(f"it calls {other}, which is not written yet", f"write {other} first, then run this cell again",
                       bad[0])
    return Finding(NOT_WRITTEN, "replace the line `raise NotImplementedError(...)` with your own code. "
                   f"{item.name} returns: {item.returns}", bad[0], got="nothing yet: the function is still a stub",
                   bare=True)


def arguments(item, cases):
    if cases[0].error.get("type") == "arguments":
        head = f"{item.name}({', '.join(x + '=None' * (x in item.optional) for x in item.arguments)})"
        return Finding("it takes other arguments", f"give the function these arguments, in this order: {head}",
                       cases[0], f"a function written as {cases[0].error['message']}", f"a function written as {head}")


def used(item, cases):
    for case in cases:
        if names := [name for name in case.answer.used if name not in item.may_use]:
            course = item.package.partition(".")[0]
            alone = " and ".join(["NumPy or torch", *(f"{course}.{name}" for name in item.may_use)])
            return Finding(f"it calls {course}'s own {names[0]}", f"you may use {names[0]} to compare with. The points "
                           f"are for writing it yourself: build it from {alone} alone", case)


def mutated(item, cases):
    for case in cases:
        if case.answer.mutated:
            names, copied = ", ".join(case.answer.mutated), "x.clone()" if item.library == "torch" else "x.copy()"
            return Finding(f"it changes its inputs ({names})", "an assignment like `x[i] = ...` or `x -= ...` writes "
                           f"into the caller's array. Make a new array: `x = x - ...`, or start with `{copied}`", case,
                           expected=f"{names} as it was before the call: the caller still needs it")


def raised(item, cases):
    bad, rest = [case for case in cases if case.error], [case for case in cases if not case.error]
    if not bad:
        return None
    shown = smallest(usual(bad) or bad)
    look, met = "read the message and the line that it names", _met(shown.error["message"])
    if met:
        look = f"in the line that is named, {met} meet. Print the shapes there: what does each axis count?"
    elif re.search(SHAPES, shown.error["message"]):
        look += ". Print the shapes of the arrays there"
    if shown.error["type"] == "NameError":
        look = "a name in this line is not known there: is it spelled as where it was made, and was that cell run?"
    if shown.error["type"] == "UnboundLocalError":
        look = ("a name in this line has no value yet: is it made only in a loop that did not turn here, or below an "
                "`if` that did not hold?")
    if shown.error.get("cause") == "truth of a table":
        of = "torch" if item.library == "torch" else "np"
        look = ("`max`, `if`, `and` and `or` take one truth value, and here they meet a whole array. For arrays there "
                f"are `{of}.maximum`, `{of}.where`, `&` and `|`")
    if "arrays used as indices" in shown.error["message"] or "tensors used as indices" in shown.error["message"]:
        look = ("an array is used as an index, and its type does not fit: an index holds whole numbers, which are "
                "places, or truth values. Which comparison says which entries you want?")
    if re.search("bitwise_(and|or)|for [&|]: ", shown.error["message"]):
        look = "`&` and `|` bind more strongly than `<` and `>`: put each comparison into brackets of its own"
    if shown.error.get("cause") == "two for an axis":
        look = ("`np.max` and `np.min` take one array, and what comes second is an axis. To compare two, entry by "
                "entry, there are `np.maximum` and `np.minimum`")
    if bears(shown, cases):
        look += ("" if look.endswith("?") else ".") + f" What is special here: {shown.problem.why}"
    on = f" on {len(bad)} of {len(cases)} problems" if rest else ""
    return Finding(f"it raises {shown.error['type']}{on}{f': {met} do not fit' if met else ''}", look, shown,
                   shapes=bool(met))


def _met(message: str) -> str:
    """The sizes that do not fit, as NumPy or torch name them; or nothing."""
    for pattern, words in (
            (r"broadcast together with shapes (\(.*?\)) (\(.*?\))", "shapes {} and {}"),
            (r"size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\)", "sizes {} and {}"),
            (r"cannot be multiplied \((\d+x\d+) and (\d+x\d+)\)", "tables {} and {}"),
            (r"size (\d+) is different from (\d+)", "sizes {} and {} in a product"),
            (r"array at index 0 has size (\d+) and the array at index 1 has size (\d+)", "arrays of {} and {} rows"),
            (r"index 0 has (\d+) dimension\(s\) and the array at index 1 has (\d+)", "arrays of {} and {} axes"),
            (r"Expected size \S+ (\d+) but got size (\d+)", "sizes {} and {}"),
            (r"Expected size (\d+) but got size (\d+)", "sizes {} and {}"),
            (r"mat \((\d+x\d+)\), vec \((\d+)\)", "a table {} and {} numbers")):
        if found := re.search(pattern, message):
            return words.format(*found.groups())
    return ""


def stale(item, cases):
    """A wrong answer of a function that reads arrays of the notebook."""
    bad = [case for case in wrong(cases) if case.answer.reads]
    if bad:
        name = bad[0].answer.reads[0]
        return Finding(f"it reads {name} of the notebook, which is not one of its arguments", "a check asks with other "
                       f"data than the notebook has, and so will others. Compute everything from the arguments: "
                       f"{', '.join(item.arguments)}", smallest(bad))


def nothing(item, cases):
    bad = [case for case in cases if case.got.kind == "NoneType" and getattr(case.right, "kind", "") != "NoneType"]
    if bad:
        return Finding("it returns nothing", "does every path through the function end with `return ...`? "
                       "Without it Python returns None", smallest(bad), got="None: nothing was returned")


def library(item, cases):
    wanted, other, how = "NumPy", "torch", "`np....`"
    if item.library == "torch":
        wanted, other, how = "torch", "NumPy", "`torch....`; a NumPy array on the way breaks the gradient"
    for case in cases:
        if item.library != "any" and other.lower() in _kinds(case.got, plain=not item.slope):
            look = f"the inputs are {wanted}: compute with {how}"
            if not any(isinstance(x, np.ndarray) for x in case.problem.inputs.values()):
                maker = wanted.replace("NumPy", "np")
                look = f"what comes after this computes with {wanted}: make the answer with `{maker}....`"
            return Finding(f"{other} where {wanted} was expected", look, case)


def kind(item, cases):
    """Something else where an array, a number or a tuple is right; or a tuple with too many or too few things."""
    for case in cases:
        got, right, several, wanted = case.got, case.right, case.got.kind in ("tuple", "list"), "a tuple"
        if right is None or got.too_large or not (right.numeric or right.kind == "tuple"):
            continue
        if right.numeric:
            wanted = "an array" if right.shape else "a number"
        if not (got.numeric if right.numeric else several):
            maker = "torch.stack(...)" if item.library == "torch" else "np.array(...)"
            more = f": {maker} makes one" if several and right.shape else ""
            name = NAMES.get(got.kind, f"a {got.kind}")
            if got.kind in ("numpy", "torch") and not got.numeric:          # of text, of objects, of complex numbers
                name, wanted = f"{name} of dtype {got.dtype}", wanted + " of numbers"
            return Finding(f"{name} where {wanted} was expected",
                           f"return {wanted}{more}. Asked for: {item.returns}", case, shapes=True)
        if right.kind == "tuple" and len(got.data or ()) != len(right.data):
            return Finding(f"{count(len(got.data or ()), 'thing')} where {len(right.data)} were expected",
                           f"asked for: {item.returns}", case)


def _kinds(value, plain) -> set[str]:
    """Of a value and its parts. plain: a NumPy number is a plain number."""
    parts = value.data.values() if isinstance(value.data, dict) else value.data if isinstance(value.data, tuple) else ()
    kind = "float" if plain and (value.kind, value.shape) == ("numpy", ()) else value.kind
    return {kind}.union(*(_kinds(part, plain) for part in parts))


def parts(item, cases):
    """A tuple with a part of another shape."""
    for case in cases:
        if case.right is None or case.right.kind != "tuple" or not case.got.data:
            continue
        for number, (got, right) in enumerate(zip(case.got.data, case.right.data)):
            if got.numeric and right.numeric and got.shape != right.shape != got.shape[::-1] and got.shape != (1,):
                which = ("first", "second", "third")[number]
                wanted = f"shape {right.shape}" if right.shape else "one number"
                return Finding(f"the {which} thing has shape {got.shape} where {wanted} was expected",
                               f"asked for: {item.returns}", case)
            if got.shape == right.shape[::-1] != right.shape:
                return Finding(SWAPPED, f"asked for: {item.returns}", case)
    return None


def shape(item, cases):
    bad = [case for case in cases if case.numeric and case.got.shape != case.right.shape
           and (item.exact_shape or (case.got.shape, case.right.shape) != ((1,), ()))]
    if not bad:
        return None
    first = _shape_words(item, smallest(usual(bad) or bad), bad)
    telling = [case for case in bad if _shape_words(item, case, bad)[0] != first[0] and len(set(case.right.shape)) > 1]
    shown = smallest(telling or usual(bad) or bad)                # one whose sizes differ tells more than (3, 3)
    if all(case.got.shape[:-1] == case.right.shape for case in bad):
        shown = smallest([case for case in bad if _keeps_features(case, bad)] or [shown])
    return Finding(*_shape_words(item, shown, bad), shown, shapes=True)


def _shape_words(item, case, bad) -> tuple[str, str]:
    got, right = case.got.shape, case.right.shape
    if _keeps_features(case, bad):
        return (f"the axis of the features is still there: {got}", f"{right} was expected: the axis of "
                f"the {got[-1]} features has to be summed over")
    turned = replace(case.right, data=case.right.data.T, shape=right[::-1])
    if len(right) >= 2 and case.is_like(turned) and all(each.got.shape == each.right.shape[::-1] for each in bad):
        return SWAPPED, f"shape {got} instead of {right}. Asked for: {item.returns}"
    if len(right) == 2 and all(case.got.shape == case.right.shape[::-1] for case in bad):
        return f"shape {got} where {right} was expected: rows and columns are swapped", f"asked for: {item.returns}"
    if got and right and (got[-1] == 1 and got[:-1] == right or got[0] == 1 and got[1:] == right):
        return (f"an axis of length 1 too many: {got}", "an axis is left over from `keepdims=True`, `[:, None]` or "
                "a slice. Take the last step without it, or index it away")
    if len(right) == 1 and len(got) == 2:
        return (f"a table where one axis was expected: {got}, not {right}", "either a sum over an axis is missing, or "
                "(n,) met (n, 1) somewhere and became a table of all pairs. Write the shape of each result beside its "
                "line")
    if len(right) == 1 and len(got) == 1:
        owner, each_of = (_one_for_each(bad, shapes) for shapes in ([case.got.shape for case in bad],
                                                                  [case.right.shape for case in bad]))
        if owner and owner != each_of:
            each = f", one for each {each_of}" if each_of else ""
            return (f"the wrong length: one number for each {owner}", f"{count(got[0], 'number')} instead of "
                    f"{right[0]}{each}. Did a sum or mean run over the other axis, or does a slice, a loop or an array "
                    "of your own take its length from the wrong argument?")
        which = "is missing" if got < right else "too many"
        for end, part in (("at the start", slice(1, None)), ("at the end", slice(-1))):
            if case.right.data.dtype.kind != "b" and all(_but_for(each, part) for each in bad):
                return f"one entry {which} {end}", f"the others are right. Asked for: {item.returns}"
    if got and right and 0 < got[0] < right[0] and all(_but_for(each, slice(got[0])) for each in bad):
        return (f"only the first of the {right[0]} that were expected" if got[0] == 1 else
                f"only the first {got[0]} of the {right[0]} that were expected",
                f"those are right. Does a `return` stand inside a loop? Asked for: {item.returns}")
    if not got and right:
        single = " Or is it one NaN, where one for each was expected?" if np.isnan(float(case.got.data)) else ""
        along = "dim" if item.library == "torch" else "axis"
        return ("one number where an array was expected", f"one number instead of {right}: which axis "
                f"does the sum, mean or norm run over? Without `{along}=` it runs over all. And `squeeze` drops every "
                f"axis of length one.{single}")
    if got != right and got == tuple(n for n in right if n > 1):
        return (f"an axis of length 1 is missing: {got} where {right} was expected", "did `squeeze` or an index drop "
                "it? Or did a sum or mean run over it?")
    if got == (1,) and not right:
        return (f"an axis of length 1 too many: {got}", "`torch.stack` will not take (1,) and () together later. Is "
                "there a list with one number, as in `torch.tensor([...])`?")
    if got and not right:
        return ("an array where one number was expected", "what makes one number of these: is a sum, a mean, a maximum "
                f"or an index missing at the end? Asked for: {item.returns}")
    return f"shape {got} where {right} was expected", f"asked for: {item.returns}"


def _but_for(case, part) -> bool:
    """Whether this part of the longer one, of the answer and the right one, is the shorter one."""
    longer, shorter = sorted((case.got, case.right), key=lambda value: value.shape)[::-1]
    data = longer.data[part]
    return same(replace(longer, data=data, shape=data.shape), shorter, case.coarsest, case.item.tolerance)


def _one_for_each(cases, shapes) -> str:
    """Of what there are as many, on all these problems: "of keys", "column of keys", or nothing."""
    for axis, words in enumerate(("of", "column of")):
        for name in cases[0].problem.inputs:
            if all(np.shape(case.problem.inputs[name])[axis:axis + 1] == shape for case, shape in zip(cases, shapes)):
                return f"{words} {name}"
    return ""


def _keeps_features(case, bad) -> bool:
    """Whether the last axis is one too many, and that of the features, here and wherever there are features."""
    got, right = case.got.shape, case.right.shape
    return (got[:-1] == right and got[-1:] != () and got[-1] in _features(case) and got[-1] not in right
            and all(other.got.shape[-1:] and other.got.shape[-1] in features for other in bad
                    if (features := _features(other))))


def _features(case) -> set[int]:
    """The last axis of two inputs, if it is longer than 1: the d of queries (m, d), keys (n, d)."""
    last = [shape[-1] for shape in {np.shape(x) for x in case.problem.inputs.values()} if len(shape) > 1]
    return {d for d in last if last.count(d) > 1 and d > 1}
