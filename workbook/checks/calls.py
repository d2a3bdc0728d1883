"""How a function is called, and how the call ends: what it takes, uses, changes and raises, and how long it takes.

Each finder reports one mistake, or None. The texts stand in findings.md.
"""
import re
import textwrap

from workbook.checks import patterns
from workbook.checks.cases import Finding, listed, slope_of, smallest, usual, wrong
from workbook.checks.item import LARGE
from workbook.language import say


def not_callable(item, cases):
    if cases[0].error.get("type") == "not callable":
        return Finding("what was handed over is not a function", cases[0],
                       got=say("something of type {type}", type=cases[0].error["message"]))


def stub(item, cases):
    bad = [case for case in cases if case.error.get("type") == "NotImplementedError"]
    if not bad:
        return None
    named = re.search(r"write (\w+)", bad[0].error["message"])
    other = named[1] if named else bad[0].error["where"]
    if other.isidentifier() and other != item.name:
        return Finding("it calls {other}, which is not written yet", bad[0], {"other": other})
    return Finding("not written yet", bad[0], got=say("nothing yet: the function is still a stub"), bare=True)


def uses_nwlab(item, cases):
    for case in cases:
        names = [name for name in case.answer.used if name not in item.may_use]
        if names:
            allowed = listed([say("NumPy or torch"), *(f"nwlab.{name}" for name in item.may_use)])
            return Finding("it calls nwlab's own {used}", case, {"used": names[0], "allowed": allowed})


def changes_its_inputs(item, cases):
    for case in cases:
        if case.answer.mutated:
            copied = "x.detach().clone()" if item.library == "torch" else "x.copy()"
            return Finding("it changes its inputs ({names})", case,
                           {"names": ", ".join(case.answer.mutated), "copied": copied})


def reads_the_notebook(item, cases):
    """A wrong answer of code that names an array of the notebook."""
    for case in wrong(cases):
        names = [name for name, kind in case.answer.reads.items() if kind in ("ndarray", "Tensor")]
        if names:
            return Finding("it reads {name} of the notebook, which is not one of its arguments", case,
                           {"name": names[0]})


def changes_from_call_to_call(item, cases):
    bad = [case for case in cases if not case.answer.again]
    if bad:
        return Finding("each call gives another answer, for the same inputs", smallest(bad))


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
        return None
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
    return Finding(name, shown, {"some": len(bad), "all": len(cases), "where": where, "slope": slope_of(item, shown),
                                 "message": textwrap.shorten(message, 160, placeholder=" …")},
                   advice=advice, shapes=advice.endswith("shapes"))


def loop(item, cases):
    shown = next((case for case in cases if case.problem.large and case.answer.steps > LARGE / 2), None)
    if shown and not item.loops:
        return Finding("a loop in Python", shown, shapes=True,
                       got=say("the right numbers, after {steps} steps in Python", steps=shown.answer.steps))
