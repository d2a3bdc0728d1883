"""How a function is called, and how the call ends: what it takes, uses, changes, raises and returns, and how.

Each finder yields the mistakes that it finds, of which the first counts. The texts stand in findings.md.
"""
import re
import textwrap

import numpy as np

from workbook.checks import patterns
from workbook.checks.cases import Finding, as_float64, in_parts, listed, slope_of, smallest, usual, wrong
from workbook.checks.item import LARGE
from workbook.checks.values import NUMERIC, describe, fits, show
from workbook.language import say, say_count

DIRECTIONS, STEP = 3, 1e-6             # in which a gradient is compared, and how far
def not_callable(item, cases):
    if cases[0].error.get("type") == "not callable":
        yield Finding("what was handed over is not a function", cases[0],
                      got=say("something of type {type}", type=cases[0].error["message"]))


def stub(item, cases):
    for case in cases:
        if case.error.get("type") == "NotImplementedError":
            named = re.search(r"write (\w+)", case.error["message"])
            other = named[1] if named else case.error["where"]
            if other.isidentifier() and other != item.name:
                yield Finding("it calls {other}, which is not written yet", case, {"other": other})
            yield Finding("not written yet", case, got=say("nothing yet: the function is still a stub"), bare=True)


def uses_nwlab(item, cases):
    for case in cases:
        for name in case.answer.used:
            if name not in item.may_use:
                allowed = listed([say("NumPy or torch"), *(f"nwlab.{name}" for name in item.may_use)])
                yield Finding("it calls nwlab's own {used}", case, {"used": name, "allowed": allowed})


def changes_its_inputs(item, cases):
    for case in cases:
        if case.answer.mutated:
            copied = "x.detach().clone()" if item.library == "torch" else "x.copy()"
            yield Finding("it changes its inputs ({names})", case,
                          {"names": ", ".join(case.answer.mutated), "copied": copied})


def reads_the_notebook(item, cases):
    for case in wrong(cases):
        for name, kind in case.answer.reads.items():
            if kind in ("ndarray", "Tensor") and "not callable" not in str(case.answer.error):    # meant is a function
                yield Finding("it reads {name} of the notebook, which is not one of its arguments", case,
                              {"name": name})


def changes_from_call_to_call(item, cases):
    if bad := [case for case in cases if not case.answer.again]:
        yield Finding("each call gives another answer, for the same inputs", smallest(bad))


def loop(item, cases):
    for case in cases if not item.loops else ():
        if case.problem.large and case.answer.steps > LARGE / 2:
            yield Finding("a loop in Python", case, shapes=True,
                          got=say("the right numbers, after {steps} steps in Python", steps=case.answer.steps))


# Patterns of "Type: message | line", and the advice in findings.md. The first that fits counts.
EXCEPTIONS = (
    ("^RuntimeError.*does not require grad",
     "something cut the way back to {slope}: backward() finds nothing that requires a gradient"),
    (r"NoneType.*\|.*\bgrad\b", "the grad is None: backward leaves grad only at the tensor marked requires_grad"),
    (r"^RuntimeError.*numpy\(\) on Tensor that requires grad",
     "a function of NumPy met a tensor that requires a gradient"),
    ("^RuntimeError.*(a second time|modified by an inplace)", "the loss must be computed anew in each step"),
    ("^RuntimeError.*leaf Variable that requires grad", "a tensor that requires a gradient is changed in place"),
    (r"^TypeError.*unexpected keyword argument '(dim|keepdim)'", "an exception: torch's word in NumPy"),
    (r"^TypeError.*unexpected keyword argument '(axis|keepdims)'", "an exception: NumPy's word in torch"),
    (r"^TypeError.*positional argument", "an exception: other arguments"),
    ("is ambiguous", "an exception: a whole array where one truth value is taken"),
    ("bitwise_(and|or)|for [&|]: ", "an exception: & and | before comparisons"),
    (r"integer scalar.*\|.*(max|min)", "an exception: max or min of two arrays"),
    ("used as indices must be", "an exception: numbers where an index was expected"),
    (r"(?i)^[^|]*(shape|size|broadcast|dimension|\bdim\b|axis|axes|mat1|\bindex|indices|out of bounds)",
     "an exception: shapes"),
    ("", "an exception"),
)


def raised(item, cases):
    bad = [case for case in cases if case.error]
    if not bad:
        return
    shown = smallest(usual(bad) or bad)
    message = f"{shown.error['type']}: {shown.error['message']}".rstrip(": ").replace("\n", " ")
    text = f"{message} | {shown.error.get('line', '')}"
    name = advice = next(advice for pattern, advice in EXCEPTIONS if re.search(pattern, text))
    where = patterns.where(cases, lambda case: case.error)
    if advice.startswith("an exception"):
        name = say("it raises {message}")
        if len(bad) < len(cases):
            name = (say("on {some} of {all} problems (those in which {where}) it raises {message}") if where
                    else say("on {some} of {all} problems it raises {message}"))
    yield Finding(name, shown, {"some": len(bad), "all": len(cases), "where": where, "slope": slope_of(item, shown),
                                "message": textwrap.shorten(message, 160, placeholder=" …")},
                  advice=advice, shapes=advice.endswith("shapes"))


NAMES = {"str": say("text"), "numpy": say("an array"), "torch": say("a tensor"), "float": say("a number"),
         "int": say("a number"), "bool": say("true or false"), "NoneType": say("nothing"), "tuple": say("a tuple"),
         "list": say("a list")}


@in_parts
def nothing(item, cases):
    bad = [case for case in cases if case.got.kind == "NoneType" and getattr(case.right, "kind", "") != "NoneType"]
    if bad:
        shown = smallest(bad)
        line, is_whole = shown.answer.line, shown.got is shown.answer.value
        none = say("None, from the line:  {line}", line=line)
        if ".grad" in line:
            yield Finding("the grad is None: backward leaves grad only at the tensor marked requires_grad", shown,
                          {"slope": slope_of(item, shown)}, got=none)
        elif is_whole and line.startswith("return "):
            yield Finding("it returns None", shown, {"line": line}, got=none)
        elif is_whole:
            yield Finding("it returns nothing", shown, got=say("None: nothing was returned"))


def library(item, cases):
    wanted, other = ("torch", "NumPy") if item.library == "torch" else ("NumPy", "torch")
    for case in cases if item.library != "any" else ():
        parts = case.got.data if isinstance(case.got.data, tuple) else (case.got,)
        if any(part.kind == other.lower() and (part.shape or part.kind == "torch" or item.slope) for part in parts):
            yield Finding("{other} where {wanted} was expected", case, {"other": other, "wanted": wanted})


@in_parts
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
            yield Finding("{kind} where {wanted} was expected", case, {"kind": name, "wanted": wanted}, shapes=True)
        if right.kind == "tuple" and len(got.data or ()) != len(right.data):
            yield Finding("{got} where {right} were expected", case,
                          {"got": say_count("{n} thing", "{n} things", len(got.data or ())), "right": len(right.data)})


@in_parts
def shape(item, cases):
    bad = [case for case in cases if case.right and case.right.numeric and not fits(case.got, case.right)]
    if bad:
        telling = [case for case in bad if len(set(case.right.shape)) == len(case.right.shape)]     # not (3, 3)
        shown = smallest(usual(telling) or telling or bad)
        got, right = shown.got.shape, shown.right.shape
        name = _shape_words(got, right, [(case.got.shape, case.right.shape) for case in bad])
        yield Finding(name, shown, {"got": got, "right": right}, shapes=True)


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


def cut(item, cases):
    if lost := [case for case in cases if item.slope and not case.error and case.answer.slope is None]:
        right = say("the numbers are right, but ") if all(case.good for case in cases) else ""
        yield Finding("the way back to {slope} is cut", smallest(lost), {"right": right})


def wrong_gradient(item, cases):
    """The numbers are right, but their gradient is not what central differences give."""
    if not (item.slope and item.oracle and all(case.good and case.answer.slope for case in cases)):
        return
    for case in sorted(cases, key=lambda case: case.size):
        directions = np.random.default_rng(0).normal(size=(DIRECTIONS, case.answer.slope.data.size))
        got = directions @ case.answer.slope.data.ravel()
        right, slack = _derivatives(item, case.problem, directions)
        if not np.all(np.abs(got - right) <= slack):
            name = "part of the way back is cut" if np.all(np.isfinite(got)) else "it is NaN or infinite"
            what = say("how steep it is along three directions: {slopes}")
            if directions.shape[1] == 1:
                what = say("the gradient: {slopes}")
                got, right = got[0] / directions[0, 0], right[0] / directions[0, 0]
            yield Finding("the gradient with respect to {slope} is wrong: " + name, case,
                          got=what.format(slopes=show(describe(got))),
                          expected=what.format(slopes=show(describe(right))))


def _derivatives(item, problem, directions) -> tuple[np.ndarray, float]:
    """Of Σ right_k cos k along each direction, by central differences; and how far off these may be."""
    inputs = as_float64(problem.inputs)
    start = inputs[item.slope]
    largest = float(np.abs(start).max(initial=0.0)) or 1.0
    unit = largest if start.ndim == 0 else min(largest, 1.0)

    def total(step):
        entries = describe(item.oracle(**inputs | {item.slope: start + step})).entries()
        return np.cos(np.arange(len(entries))) @ entries

    steps = [STEP * unit * direction.reshape(start.shape) for direction in directions]
    slopes = np.array([total(step) - total(-step) for step in steps]) / (2 * STEP * unit)
    return slopes, 1e-4 * np.abs(slopes).max() + 1e-6 * abs(total(0.0)) / unit
