"""Compares answers with the oracle and says what is wrong, in words. Pure: it never runs a student's code."""
import warnings
from dataclasses import replace

import numpy as np

from workbook.checks import calls, forms, gradients, numbers, values
from workbook.checks.cases import Case, Finding, as_float64, explains, smallest, wrong
from workbook.checks.item import Item, Problem, Verdict, count
from workbook.checks.values import Answer, Value, describe


def own_mistake(item, cases):
    """The first mistake that gives all these answers."""
    for mistake in item.mistakes if wrong(cases) else ():
        if all(case.is_like(predict(mistake.wrong, case.problem)) for case in cases):
            return Finding(mistake.name, smallest(wrong(cases)), look=mistake.look)


def own_judge(item, cases):
    """What the item's own judge complains of, if it has one."""
    if item.own_judge:
        found = item.own_judge([case.problem for case in cases], [case.got.plain() for case in cases],
                               [case.answer for case in cases])
        if found:
            return Finding(found.name, cases[found.problem], found.values, look=found.look)


def predict(function, problem) -> Value | str:
    """What the mistaken function answers to a problem, or the name of the exception that it raises."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return describe(function(**as_float64(problem.inputs)))
        except Exception as error:
            return type(error).__name__


FINDERS = {
    "the call": (calls.not_callable, calls.stub, calls.uses_the_course, calls.changes_its_inputs),
    "a known mistake": (own_mistake, calls.reads_the_notebook),
    "an exception": (calls.raised,),
    "the form": (forms.nothing, forms.library, forms.kind, forms.shape),
    "the numbers": (calls.changes_from_call_to_call, numbers.factor, numbers.nearly, numbers.not_finite),
    "how it was done": (own_judge, gradients.cut, gradients.wrong_gradient),
    "anything else": (numbers.counterexample, calls.loop),
}
"""What can be wrong, in the order in which a student would mend it. Each finder looks at all cases and reports a
mistake, or None; the first report is shown.

A known mistake comes early, because its advice says most. Exceptions come before the form of what is returned, and the
form before its numbers, since each makes the next meaningless. A loop is refused only where all numbers are right.
"""


def judge(item: Item, problems: list[Problem], answers: list[Answer]) -> Verdict:
    """The verdict. ValueError where there are not as many answers as problems."""
    right = [describe(item.oracle(**as_float64(problem.inputs))) if item.oracle else None for problem in problems]
    cases = [Case(item, *parts) for parts in zip(problems, answers, right, strict=True)]
    findings = (finder(item, cases) for group in FINDERS.values() for finder in group)
    found = next(filter(None, findings), None)
    if found is None:
        line = f"{item.name} holds: {count(len(problems), 'problem')}, {count(item.points, 'point')}"
        return Verdict(item.name, "passed", item.points, item.points, line=line)
    case = found.case
    mistake, look, expected = found.words(item)
    line = f"{item.name} does not hold yet: {mistake}"
    failed = Verdict(item.name, "failed", 0, item.points, mistake, got=found.got, next=look, line=line)
    if found.bare:
        return failed
    expected = expected or (_shown(case.right, found.shapes) if case.right else item.returns)
    why = case.problem.why if explains(case, cases) and case.problem.why not in look else ""
    return replace(failed, tried=_tried(item, case, found.shapes), got=found.got or _returned(case, found.shapes),
                   expected=expected, why=why)


def _shown(value: values.Value, shapes: bool = False) -> str:
    """The numbers, their shape and dtype. shapes: of arrays no numbers."""
    if shapes and isinstance(value.data, tuple):
        return f"({', '.join(_shown(part, shapes) for part in value.data)})"
    form = values.form(value)
    return form if shapes and value.shape else f"{values.show(value)}    {form}".rstrip()


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


def _returned(case: Case, shapes: bool) -> str:
    """What was returned, or the exception; and what was printed."""
    error, answer = case.error, case.answer
    text = f"{error['type']}: {error['message']}".rstrip(": ") if error else _shown(case.got, shapes)
    if error.get("line"):
        text += f"\n  in {error['where']}, in the line:  {error['line']}"
    if answer.printed:
        text += "\n  and it printed: " + answer.printed.strip().replace("\n", "\n    ")
    return text
