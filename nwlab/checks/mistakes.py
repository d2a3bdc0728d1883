"""The mistakes that any item knows by name, most telling first. Each finder looks at all cases and reports one, or None."""
from __future__ import annotations

import re

import numpy as np

from nwlab.checks import values
from nwlab.checks.cases import Finding, also, predict, smallest


def _not_callable(item, cases):
    if cases[0].error.get("type") == "not callable":
        return Finding("what was handed over is not a function",
                       f"hand over the function itself, without brackets behind its name: check_{item.name}({item.name})",
                       cases[0], came=f"something of type {cases[0].error['message']}", expected="a function")


def _stub(item, cases):
    bad = [case for case in cases if case.error.get("type") == "NotImplementedError"]
    if not bad:
        return None
    named = re.search(r"write (\w+)", bad[0].error["message"])
    other = named.group(1) if named else bad[0].error["where"]
    if other.isidentifier() and other != item.name:
        return Finding(f"it calls {other}, which is not written yet", f"write {other} first, then run this cell again",
                       bad[0])
    return Finding("not written yet",
                   f"replace the line `raise NotImplementedError(...)` by your own code. {item.name} returns: {item.returns}",
                   bad[0], came="nothing yet: the function still is a stub")


def _arguments(item, cases):
    if cases[0].error.get("type") == "arguments":
        asked = f"{item.name}({', '.join(item.arguments)})"
        return Finding("it takes other arguments", f"give the function these arguments, in this order: {asked}", cases[0],
                       came=f"a function written as {cases[0].error['message']}", expected=f"a function written as {asked}")


def _used(item, cases):
    for case in cases:
        used = [name for name in case.answer.used if name not in item.may_use]
        if used:
            return Finding(f"it calls nwlab's own {used[0]}",
                           f"nice to know that {used[0]} is there, and it is fine to compare with it. The points are for "
                           "writing it yourself: build it from NumPy or torch alone", case)


def _mutated(item, cases):
    for case in cases:
        if case.answer.mutated:
            names, copied = ", ".join(case.answer.mutated), "x.clone()" if item.library == "torch" else "x.copy()"
            return Finding(f"it changes its inputs ({names})",
                           "an assignment like `x[i] = ...` or `x -= ...` writes into the caller's array. Make a new array: "
                           f"`x = x - ...`, or start with `{copied}`", case,
                           expected=f"{names} as it was before the call: the caller still needs it")


def _own_mistakes(item, cases):
    if item.oracle is None:
        return None
    for mistake in item.mistakes:
        outcomes = [predict(mistake.wrong, case.problem) for case in cases]
        telling = [case for case, outcome in zip(cases, outcomes)
                   if isinstance(outcome, str) or not values.same(outcome, case.right, case.coarsest, item.tolerance)]
        if telling and all(case.is_like(outcome) for case, outcome in zip(cases, outcomes)):
            shown = smallest(telling)
            return Finding(mistake.name, mistake.look, shown)


def _own_mistakes_where_it_came(item, cases):
    """One of the item's own mistakes explains all that came; exceptions and NaN on the other problems are told beside it."""
    lost = [case for case in cases if case.error or (case.kept() is not None and not case.kept().all())]
    if item.oracle is None or not lost:
        return None
    for mistake in item.mistakes:
        outcomes = [predict(mistake.wrong, case.problem) for case in cases]
        if all(case.is_like_where_it_came(outcome) for case, outcome in zip(cases, outcomes)):
            telling = [case for case in cases if not case.error and not case.is_like_where_it_came(case.right)]
            if telling:
                return Finding(mistake.name, also(mistake.look, lost), smallest(telling))


def _raised(item, cases):
    bad, rest = [case for case in cases if case.error], [case for case in cases if not case.error]
    if bad:
        shown, look = smallest(bad), "read the message and the line above. Print the shapes of what meets there"
        if shown.error.get("cause") == "truth of a table":
            of = "torch" if item.library == "torch" else "np"
            look = ("`max`, `if`, `and` and `or` take one truth value, and here they meet a whole array. For arrays there are "
                    f"`{of}.maximum`, `{of}.where`, `&` and `|`")
        if rest and all(case.right is not None and case.good for case in rest):
            look += ". The other problems hold, so see what is special about this one"
        elif rest:
            look += ". The others raise nothing, but may be wrong"
        return Finding(f"it raises {shown.error['type']}{' on some of the problems' if rest else ''}", look, shown)


def _nothing(item, cases):
    bad = [case for case in cases if case.came.kind == "NoneType" and not (case.right and case.right.kind == "NoneType")]
    if bad:
        return Finding("it returns nothing", "does the function, on every way through it, end with `return ...`? Without "
                       "that Python returns None", smallest(bad), came="None: nothing was returned")


def _library(item, cases):
    other = {"numpy": "torch", "torch": "numpy"}.get(item.library)
    names = {"numpy": "NumPy", "torch": "torch"}
    for case in cases:
        if other and other in _kinds(case.came):
            how = "`np....`" if item.library == "numpy" else "`torch....`; a NumPy array on the way breaks the gradient"
            return Finding(f"{names[other]} where {names[item.library]} was asked",
                           f"the inputs are {names[item.library]}: compute with {how}", case)


def _kind(item, cases):
    for case in cases:
        right, came = case.right, case.came
        if right is None:
            continue
        if right.numeric and not came.numeric:
            maker = "torch.stack(...)" if item.library == "torch" else "np.array(...)"
            more = f": {maker} makes one" if came.kind in ("list", "tuple") and right.shape else ""
            wanted = "an array" if right.shape else "a number"
            return Finding(f"{_a(came.kind)} where {wanted} was asked", f"return {wanted}{more}. It is: {item.returns}", case)
        if right.kind in ("tuple", "dict", "str") and came.kind != right.kind and (right.kind, came.kind) != ("tuple", "list"):
            return Finding(f"{_a(came.kind)} where {_a(right.kind)} was asked", f"return {_a(right.kind)}. It is: {item.returns}", case)
        if right.kind == "tuple" and len(came.data or ()) != len(right.data):
            return Finding(f"{len(came.data or ())} things where {len(right.data)} were asked", item.returns, case)


def _another_time(item, cases):
    """Asked a second time with the very same inputs, it gives another answer."""
    bad = [case for case in cases if not case.answer.again]
    if bad and not any(case.answer.marked for case in bad):
        return Finding("each call gives another answer, for the same inputs", "random numbers are drawn anew at each call, and a new "
                       "layer inside begins with such numbers; or something is kept from one call to the next", smallest(bad),
                       expected="the same inputs, the same answer")


def _the_same(item, cases):
    """Hard-coded answers: the same for every problem, or one number everywhere."""
    numeric = [case for case in cases if case.right is not None and case.right.numeric and case.came.numeric]
    if len(numeric) < len(cases) or len(cases) < 2 or all(case.good for case in cases):
        return None
    if all(_floats(case.came) and np.isnan(case.came.data).all() for case in cases):
        return None                                     # nobody hard-codes NaN: what makes it is asked next
    bad = [case for case in cases if not case.good]
    if any(case.came.shape == () != case.right.shape for case in bad):
        return None                                     # one number for a whole array: its shape is asked about first
    first = cases[0].came
    if all(case.came.shape == first.shape and np.array_equal(case.came.data, first.data, equal_nan=_floats(first))
           for case in cases) and len({(c.right.shape, c.right.data.tobytes()) for c in cases}) > 1:
        return Finding("the same answer to every problem", "a hard-coded answer fits one set of inputs. Compute it from "
                       f"the arguments: {', '.join(item.arguments)}", smallest(bad))
    numbers = {float(x) for case in cases for x in np.unique(case.came.data.astype(float))}
    if len(numbers) == 1 and sum(case.came.data.size for case in cases) > 1:
        number = values.number(numbers.pop())
        return Finding(f"the answer is {number} everywhere, whatever the inputs",
                       f"a hard-coded answer? Compute it from the arguments: {', '.join(item.arguments)}", smallest(bad))


def _shape(item, cases):
    bad = [case for case in cases if case.right is not None and case.right.numeric and case.came.numeric
           and case.came.shape != case.right.shape
           and (item.exact_shape or (case.came.shape, case.right.shape) != ((1,), ()))]
    if not bad:
        return None
    if features := [case for case in bad if case.keeps_features]:
        if all(case.came.shape[:-1] == case.right.shape for case in bad):
            shown = smallest(features)
            return Finding(f"the axis of the features is still there: {shown.came.shape}", f"{shown.came.shape} came, "
                           f"{shown.right.shape} was expected: the axis of the {shown.came.shape[-1]} features has to be "
                           "summed over", shown)
    shown = smallest(bad)
    for case in sorted(bad, key=lambda case: case.size):         # one whose sizes differ tells more than (3, 3)
        if _shape_words(item, case)[0] != _shape_words(item, shown)[0] and len(set(case.right.shape)) > 1:
            shown = case
            break
    mistake, look = _shape_words(item, shown)
    return Finding(mistake, look, shown)


def _shape_words(item, case) -> tuple[str, str]:
    came, right = case.came.shape, case.right.shape
    lengths = {name: np.shape(x)[0] for name, x in case.problem.inputs.items() if np.ndim(x)}
    columns = {name: np.shape(x)[1] for name, x in case.problem.inputs.items() if np.ndim(x) > 1}
    if len(right) >= 2 and came == right[::-1]:
        return "the wrong axis: rows and columns are swapped", f"shape {came} came, {right} was expected. {item.returns}"
    if came and right and (came[-1] == 1 and came[:-1] == right or came[0] == 1 and came[1:] == right):
        return f"an axis of length 1 too many: {came}", ("an axis stayed: from `keepdims=True`, `[:, None]` or a slice. Take "
                                                         "the last step without it, or index it away")
    if len(right) == 1 and len(came) == 2:
        return (f"a shape that broadcasts by accident: {came} where {right} was asked",
                "somewhere (n,) met (n, 1), or a sum over an axis is missing, and NumPy made a table of all pairs without a "
                "word. Write the shape of each intermediate result beside its line")
    if len(right) == 1 and len(came) == 1:
        owner = next((name for name, n in lengths.items() if n == came[0]), "")
        asked = next((name for name, n in lengths.items() if n == right[0]), "")
        column = next((name for name, n in columns.items() if n == came[0] and not owner), "")
        if (owner or column) and owner != asked:
            return (f"the wrong axis: one number for each {f'of {owner}' if owner else f'column of {column}'}",
                    f"{came[0]} numbers came, {right[0]} were expected{f', one for each of {asked}' if asked else ''}: "
                    "the sum or mean ran over the other axis")
    if not came and right:
        single = " Or is it one NaN, where one for each was asked?" if np.isnan(float(case.came.data)) else ""
        return "one number where an array was asked", (
            f"one number came where {right} was asked: which axis does the sum, mean or norm run over? Without "
            f"`{'dim' if item.library == 'torch' else 'axis'}=` it runs over all. And `squeeze` drops every axis of length one."
            + single)
    if came != right and came == tuple(n for n in right if n > 1):
        return f"an axis of length 1 is missing: {came} where {right} was asked", (
            "did `squeeze` or an index drop it? Or did a sum or mean run over it?")
    if came == (1,) and not right:
        return f"an axis of length 1 too many: {came}", ("`torch.stack` will not take (1,) and () together later. Is there a list "
                                                         "with one number, as in `torch.tensor([...])`?")
    if came and not right:
        return "an array where one number was asked", f"a sum or mean is missing at the end. {item.returns}"
    return f"shape {came} where {right} was asked", item.returns


def _not_finite(item, cases):
    for case in sorted(cases, key=lambda case: case.size):
        if case.good or case.right is None or not (case.right.numeric and case.came.numeric):
            continue
        came, right = case.came.data.reshape(case.right.shape).astype(float), case.right.data.astype(float)
        if np.any(~np.isfinite(came) & np.isfinite(right)):
            word = "NaN" if np.any(np.isnan(came) & np.isfinite(right)) else "infinity"
            return Finding(f"{word} where a number was asked", _not_finite_words(item, case, word), case)
        if np.any(np.isfinite(came) & np.isnan(right)):
            return Finding("a number where NaN was asked", "where nothing is in reach there is nothing to average: the "
                           "honest answer is NaN, not a number that looks like data", case)


def _not_finite_words(item, case, word) -> str:
    makes = "0/0 or ∞/∞ makes it, or ∞ − ∞" if word == "NaN" else "a number divided by 0 makes it, or one too large for its dtype"
    window = " Is there a window without a key?" if "window" in f"{item.returns} {case.problem.name} {case.problem.why}" else ""
    return (f"{word} came on the problem “{case.problem.name}”: {makes}. Print what is computed there step by step, "
            f"numerators and denominators first.{window}")


def _kinds(value) -> set[str]:
    parts = value.data.values() if isinstance(value.data, dict) else value.data if isinstance(value.data, tuple) else ()
    return {value.kind}.union(*(_kinds(part) for part in parts))


def _a(kind: str) -> str:
    word = {"str": "text", "dict": "a dict", "numpy": "an array", "torch": "a tensor", "float": "a number",
            "int": "a number", "bool": "true or false", "NoneType": "nothing"}.get(kind, f"a {kind}")
    return word


def _floats(value) -> bool:
    return value.data.dtype.kind == "f"


FIRST = (_not_callable, _stub, _arguments, _used, _mutated, _own_mistakes, _own_mistakes_where_it_came)
FORMS = (_nothing, _library, _kind)                     # told before an exception on other problems. Not shapes: what broadcasts
                                                        # by accident on some problems raises on the others
FINDERS = (_raised, _nothing, _library, _kind, _another_time, _the_same, _shape, _not_finite)
