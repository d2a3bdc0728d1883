"""Compares answers with the oracle and says what is wrong, in words. Pure: it never runs a student's code."""
from dataclasses import replace

import numpy as np

from workbook.checks import calls, patterns, values
from workbook.checks.cases import Case, Finding, as_float64, predict, smallest, sound, wrong
from workbook.checks.item import Item, Problem, Verdict
from workbook.checks.values import Answer, describe
from workbook.language import say, say_count


def own_mistake(item, cases):
    """The first mistake that gives all these answers, but for a few that are NaN or infinite."""
    cases = sound(cases)
    for mistake in item.mistakes if wrong(cases) else ():
        if all(case.is_like(predict(mistake.wrong, case.problem)) for case in cases):
            yield Finding(mistake.name, smallest(wrong(cases)))


def own_judge(item, cases):
    """The first row of the item's own judge that says that something is wrong, if it has one."""
    for is_wrong, *found in item.own_judge(cases) if item.own_judge else ():
        if is_wrong:
            yield Finding(*found)


FINDERS = (
    calls.not_callable, calls.stub, calls.uses_nwlab, calls.changes_its_inputs,
    own_mistake, calls.reads_the_notebook, calls.raised,
    calls.nothing, calls.library, calls.kind, calls.shape,
    calls.changes_from_call_to_call, patterns.factor, patterns.nearly, patterns.not_finite, patterns.rows,
    patterns.other_argument, patterns.other_form, patterns.same_everywhere, patterns.places, patterns.zeros,
    own_judge, calls.cut, calls.wrong_gradient, patterns.counterexample, calls.loop)
"""What can be wrong, in the order in which a student would mend it. Each finder looks at all cases and yields what it
finds; the first finding is shown.

A known mistake comes early, because its advice says most. Exceptions come before the form of what is returned, and the
form before its numbers, since each makes the next meaningless. A loop is refused only where all numbers are right.
"""


@np.errstate(all="ignore")
def judge(item: Item, problems: list[Problem], answers: list[Answer]) -> Verdict:
    """The verdict. ValueError where there are not as many answers as problems."""
    right = [describe(item.oracle(**as_float64(problem.inputs))) if item.oracle else None for problem in problems]
    cases = [Case(item, *parts) for parts in zip(problems, answers, right, strict=True)]
    found = next((found for finder in FINDERS for found in finder(item, cases)), None)
    if found is None:
        line = say("{item} holds: {problems}, {points}", item=item.name,
                   problems=say_count("{n} problem", "{n} problems", len(problems)),
                   points=say_count("{n} point", "{n} points", item.points))
        return Verdict(item.name, "passed", item.points, item.points, line=line)
    case = found.case
    mistake, look, expected = found.words(item)
    line = say("{item} does not hold yet: {mistake}", item=item.name, mistake=mistake)
    failed = Verdict(item.name, "failed", 0, item.points, mistake, got=found.got, next=look, line=line)
    if found.bare:
        return failed
    both = case.right and case.answer.value and not found.shapes
    digits = values.digits(values.show, case.got, case.right) if both else 5
    expected = expected or (_shown(case.right, found.shapes, digits) if case.right else item.returns)
    why = case.problem.why if case.explains(cases) and case.problem.why not in look else ""
    return replace(failed, tried=_tried(item, case, found.shapes), expected=expected, why=why,
                   got=found.got or _returned(case, found.shapes, digits))


def _shown(value: values.Value, shapes: bool = False, digits: int = 5) -> str:
    """The numbers, their shape and dtype. shapes: of arrays no numbers."""
    if shapes and isinstance(value.data, tuple):
        return f"({', '.join(_shown(part, shapes) for part in value.data)})"
    form = values.form(value)
    return form if shapes and value.shape else f"{values.show(value, digits)}    {form}".rstrip()


def _tried(item: Item, case: Case, shapes: bool) -> str:
    width = max(map(len, item.arguments))
    lines = [f"“{case.problem.name}”"]
    for name in item.arguments:
        value = describe(case.problem.inputs[name])
        if item.library == "torch" and value.kind == "numpy":
            value = replace(value, kind="torch")                 # what the student's function was given
        large = len(value.shape) > 1 and case.size > 2 * values.WHOLE           # nobody works that out by hand
        lines.append(f"  {name:<{width}} = " + _shown(value, shapes or large).replace("\n", "\n" + " " * (width + 5)))
    return "\n".join(lines)


def _returned(case: Case, shapes: bool, digits: int) -> str:
    """What was returned, or the exception; and what was printed."""
    error, answer = case.error, case.answer
    text = f"{error['type']}: {error['message']}".rstrip(": ") if error else _shown(case.got, shapes, digits)
    if not shapes and not error and case.size > 2 * values.WHOLE and (entry := patterns.entry(case)):
        text += f"\n  {entry}"
    if error.get("line"):
        text += "\n  " + say("in {function}, in the line:  {line}", function=error["where"], line=error["line"])
    if answer.printed:
        text += "\n  " + say("and it printed: {printed}", printed=answer.printed.strip().replace("\n", "\n    "))
    return text
