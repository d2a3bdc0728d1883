"""How a function is called, and how the call ends: what it takes, uses, changes and raises, and how long it takes.

Each finder reports one mistake, or None.
"""
import re
import textwrap

from workbook.checks.cases import Finding, explains, smallest, usual, wrong
from workbook.checks.item import LARGE

NOT_WRITTEN = "NotImplementedError"


def not_callable(item, cases):
    if cases[0].error.get("type") == "not callable":
        return Finding("what was handed over is not a function", "hand over the function itself, without brackets "
                       f"behind its name: check_{item.name}({item.name})", cases[0], expected="a function",
                       got=f"something of type {cases[0].error['message']}")


def stub(item, cases):
    bad = [case for case in cases if case.error.get("type") == NOT_WRITTEN]
    if not bad:
        return None
    named = re.search(r"write (\w+)", bad[0].error["message"])
    other = named[1] if named else bad[0].error["where"]
    if other.isidentifier() and other != item.name:
        return Finding(f"it calls {other}, which is not written yet", f"write {other} first, then run this cell again",
                       bad[0])
    return Finding("not written yet", "replace the line `raise NotImplementedError(...)` with your own code. "
                   f"{item.name} returns: {item.returns}", bad[0], got="nothing yet: the function is still a stub",
                   bare=True)


def arguments(item, cases):
    if cases[0].error.get("type") == "arguments":
        head = f"{item.name}({', '.join(item.arguments)})"
        return Finding("it takes other arguments", f"give the function these arguments, in this order: {head}",
                       cases[0], f"a function written as {cases[0].error['message']}", f"a function written as {head}")


def uses_the_course(item, cases):
    for case in cases:
        if names := [name for name in case.answer.used if name not in item.may_use]:
            course = item.package.partition(".")[0]
            alone = " and ".join(["NumPy or torch", *(f"{course}.{name}" for name in item.may_use)])
            return Finding(f"it calls {course}'s own {names[0]}", f"you may use {names[0]} to compare with. The points "
                           f"are for writing it yourself: build it from {alone} alone", case)


def changes_its_inputs(item, cases):
    for case in cases:
        if case.answer.mutated:
            names, copied = ", ".join(case.answer.mutated), "x.clone()" if item.library == "torch" else "x.copy()"
            return Finding(f"it changes its inputs ({names})", "an assignment like `x[i] = ...` or `x -= ...` writes "
                           f"into the caller's array. Make a new array: `x = x - ...`, or start with `{copied}`", case,
                           expected=f"{names} as it was before the call: the caller still needs it")


def reads_the_notebook(item, cases):
    """A wrong answer of a function that reads arrays of the notebook."""
    bad = [case for case in wrong(cases) if case.answer.reads]
    if bad:
        name = bad[0].answer.reads[0]
        return Finding(f"it reads {name} of the notebook, which is not one of its arguments", "the check calls it with "
                       "data that the notebook does not have. Compute everything from the arguments: "
                       f"{', '.join(item.arguments)}", smallest(bad))


def changes_from_call_to_call(item, cases):
    bad = [case for case in cases if not case.answer.again]
    if bad and not any(case.answer.marked for case in bad):
        return Finding("each call gives another answer, for the same inputs", "either you draw new random numbers "
                       "in each call, perhaps in a new layer, or you keep something from one call to the next",
                       smallest(bad), expected="the same inputs, the same answer")


# "Type: message | line"; the mistake, or "" for the exception itself; where to look. {slope}: the argument by which a
# gradient is asked for
EXCEPTIONS = (
    ("^RuntimeError.*does not require grad",
     "something cut the way back to {slope}: backward() finds nothing that requires a gradient",
     "on the way from {slope} to the loss every step has to be made by torch, on the tensor itself. .item(), "
     "float(...), .detach(), torch.tensor(...) and functions of math make a plain number, which forgets where it "
     "came from. And {slope} must be marked with requires_grad before anything is computed from it"),
    (r"NoneType.*\|.*\bgrad\b", "the grad is None: backward leaves grad only at the tensor marked requires_grad",
     "what is computed from that tensor gets none, and without a call of backward() there is none at all. "
     "Mark {slope}, compute from there, call backward(), and read the grad of {slope}"),
    (r"^RuntimeError.*numpy\(\) on Tensor that requires grad",
     "a function of NumPy met a tensor that requires a gradient", "torch's message proposes detach(), but that "
     "would cut the way back: take the function of the same name from torch"),
    ("^RuntimeError.*(a second time|modified by an inplace)", "the loss must be computed anew in each step",
     "each step changes the parameters, and an old loss does not follow. Compute it inside the loop. (retain_graph, "
     "which torch's message proposes, would only repeat the first slope.)"),
    ("^RuntimeError.*leaf Variable that requires grad", "a tensor that requires a gradient is changed in place",
     "write `{slope} = {slope} - ...`, which makes a new tensor, and not `{slope} -= ...`"),
    ("is ambiguous", "", "`max`, `if`, `and` and `or` take one truth value, and here they meet a whole array. For "
     "arrays there are `{np}.maximum`, `{np}.where`, `&` and `|`. Whether there is an array at all is asked with "
     "`if mask is not None:`"),
    ("bitwise_(and|or)|for [&|]: ", "", "`&` and `|` bind more strongly than `<` and `>`: put each comparison into "
     "brackets of its own"),
    (r"integer scalar.*\|.*(max|min)", "", "`np.max` and `np.min` take one array, and what comes second is an axis. To "
     "compare two, entry by entry, there are `np.maximum` and `np.minimum`"),
    (r"(?i)^[^|]*(shape|size|broadcast|dimension|\bdim\b|axis|axes|mat1|\bindex|indices|out of bounds)", "",
     "look at the line that is named, and print the shapes of the arrays there: what does each axis count?"),
    ("", "", "read the message and the line that it names"),
)


def raised(item, cases):
    bad = [case for case in cases if case.error]
    if not bad:
        return None
    shown = smallest(usual(bad) or bad)
    error, inputs = shown.error, shown.problem.inputs
    learned = next((name for name, x in inputs.items() if getattr(x, "shape", None) == ()), "the parameters")
    message = f"{error['type']}: {error['message']}".rstrip(": ").replace("\n", " ")
    text = f"{message} | {error.get('line', '')}"
    names = {"slope": item.slope or learned, "np": "torch" if item.library == "torch" else "np"}
    mistake, look = (words.format(**names)
                     for words in next(words for pattern, *words in EXCEPTIONS if re.search(pattern, text)))
    if not mistake:
        on = f"on {len(bad)} of {len(cases)} problems " if len(bad) < len(cases) else ""
        mistake = f"{on}it raises {textwrap.shorten(message, 160, placeholder=' …')}"
        if explains(shown, cases):
            look += f"{'' if look.endswith('?') else '.'} What is special here: {shown.problem.why}"
    return Finding(mistake, look, shown, shapes="print the shapes" in look)


def loop(item, cases):
    shown = next((case for case in cases if case.problem.large and case.answer.steps > LARGE / 2), None)
    if shown and not item.loops:
        return Finding("a loop in Python", "the answers are right, but the aim here is one array expression that "
                       "does everything at once", shown, shapes=True, expected="a few steps, for any number of points",
                       got=f"the right numbers, after {shown.answer.steps} steps in Python")
