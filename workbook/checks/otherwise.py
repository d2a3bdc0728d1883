"""Mistakes that any item with an oracle knows: the right formula with one thing done to its answer or its arguments."""
import functools
import itertools
from dataclasses import replace

import numpy as np

from workbook.checks import numbers, values
from workbook.checks.cases import Finding, smallest, usual, wrong
from workbook.checks.declared import predict

TO_ANSWER = (
    ("the root of the right one", np.sqrt), ("the square of the right one", np.square),
    ("one over the right one", np.reciprocal), ("e to the power of the right one", np.exp),
    ("the logarithm of the right one", np.log), ("the right one without its sign", np.abs),
    ("the right one, rounded to a whole number", np.round), ("the sign of the right one", np.sign),
    *((f"the right one, rounded to {digits} decimals", functools.partial(np.round, decimals=digits))
      for digits in (2, 3, 4)),
    ("the right one, added up from the first entry on", lambda x: np.cumsum(x, axis=-1) if x.ndim else x),
    ("the right one, sorted", lambda x: np.sort(x, axis=-1) if x.ndim else x), ("the right one in reverse", np.flip))
TO_NUMBER = (
    ("exp({})", np.exp), ("log({})", np.log), ("{}²", np.square), ("the root of {}", np.sqrt), ("1/{}", np.reciprocal),
    ("1/{}²", lambda x: x**-2.0), ("−{}", np.negative), ("2 {}", lambda x: 2 * x), ("half of {}", lambda x: x / 2))
TO_ARRAY = (
    ("the sorted {}", lambda x: np.sort(x, axis=0)), ("the {} in reverse", lambda x: x[::-1]),
    ("the {} without their signs", np.abs), ("the {} less their mean", lambda x: x - x.mean(axis=0)))


PLACES = ("first", "second", "third")


def of_the_answer(item, cases):
    """Every answer is a function of the right one: its root, its square, ..."""
    rows = ((name, functools.partial(_changed, change)) for name, change in TO_ANSWER)
    if found := first_that_fits(item, cases, rows):
        name, case = found
        return Finding(f"every answer is {name}", f"look at the last step. Asked for: {item.returns}", case)
    if found := first_that_fits(item, cases, [("places", _in_other_places)]):
        return Finding("the right numbers stand in the wrong places", "does a `reshape`, a sort or a loop put them in "
                       f"another order? Asked for: {item.returns}", found[1])


def of_the_arguments(item, cases):
    """Every answer is the right one to other arguments: two are swapped, one is used twice, left out, or changed."""
    if item.oracle and (found := first_that_fits(item, cases, _other_arguments(item, cases))):
        name, case = found
        return Finding(f"the numbers are those of {name}", "follow each argument through your lines, also into the "
                       "functions that you call", case)


def of_the_parts(item, cases):
    """Which of several things are wrong; or, where all are wrong and are numbers, what these have in common."""
    if not wrong(cases) or not all(
            case.right is not None and case.right.kind == "tuple" and case.came.kind in ("tuple", "list")
            and len(case.came.data) == len(case.right.data) for case in cases):
        return None
    split = [{_part(case, number): case for case in cases} for number in range(len(cases[0].right.data))]
    bad = [number for number, parts in enumerate(split) if wrong(list(parts))]
    if len(bad) == len(split):
        numbers_only = all(part.numeric and not part.right.shape for parts in split for part in parts)
        return _in_common(item, {_together(case): case for case in cases}) if numbers_only else None
    plain = wrong(usual(cases))
    if not plain:
        return None                                             # what is special there tells more
    if len(bad) > 1:
        which = " and ".join(f"the {PLACES[number]}" for number in bad)
        return Finding(f"{which} of the {len(split)} things are wrong", "the rest is right, so look at the lines that "
                       f"make these. Asked for: {item.returns}", smallest(plain))
    parts = split[bad[0]]
    name = f"only the {PLACES[bad[0]]} {'thing' if any(part.right.shape for part in parts) else 'number'} is wrong"
    if found := _in_common(item, parts):
        return replace(found, mistake=f"{name}: {found.mistake}".replace("every answer", "it"))
    return Finding(name, f"the rest is right, so look at what is done for this one alone. Asked for: {item.returns}",
                   smallest(plain))


def _in_common(item, parts):
    """A mistake that the parts of cases have in common, shown by the case. parts: what is of which case."""
    found = next((found for finder in (numbers.pattern, of_the_answer) if (found := finder(item, list(parts)))), None)
    return found and replace(found, case=parts[found.case])


def _part(case, number):
    """The case of one of several things alone."""
    return replace(case, answer=replace(case.answer, value=case.came.data[number]), right=case.right.data[number])


def _together(case):
    """The case of several numbers as one array."""
    came, right = (replace(value.data[0], shape=(len(value.data),), data=np.array([part.data for part in value.data]))
                   for value in (case.came, case.right))
    return replace(case, answer=replace(case.answer, value=came), right=right)


def first_that_fits(item, cases, rows):
    """The first name whose answers came on all usual problems, and a case that shows it; or None.

    rows: names, and a function of a case that gives the answer (a Value, or the name of an exception). Where numbers
    are chosen, of those given, many choices agree by chance: special problems count too.
    """
    bad = [case for case in wrong(usual(cases)) if case.came.numbers()]
    several = {x for case in bad for x in case.came.numbers() if np.isfinite(x)}
    chosen = all(case.came.shape == () and any(np.isin(case.came.data, x) for x in case.problem.inputs.values()
                                               if np.ndim(x)) for case in bad)
    plain = sorted(cases if chosen else usual(cases), key=lambda case: (case.good, case.size))
    if len(bad) < 2 or any(case.error for case in plain) or len(several) < 3:        # fewer fit by chance
        return None
    for name, answer in rows:
        if all(not isinstance(given := answer(case), str) and case.is_like(given) for case in plain):
            return name, smallest(bad)


def _changed(change, case):
    with np.errstate(all="ignore"):
        return replace(case.right, data=change(case.right.data.astype(float))) if case.numeric else "no number"


def _in_other_places(case):
    """What came, where it is the right one in another order; or the right one."""
    if not case.floats():
        return "no numbers"
    came, right = (replace(value, data=np.sort(value.data, axis=None), shape=(value.data.size,))
                   for value in (case.came, case.right))
    return case.came if values.same(came, right, case.coarsest, case.item.tolerance) else case.right


def _other_arguments(item, cases):
    """Names, and the oracle's answers to arguments that were changed."""
    def asked(change):
        return lambda case: predict(lambda **inputs: item.oracle(**inputs | change(inputs)), case.problem)

    given = cases[0].problem.inputs
    for one, other in itertools.combinations(item.arguments, 2):
        if np.ndim(given[one]) == np.ndim(given[other]):
            yield f"{one} and {other} in each other's place", asked(lambda x, a=one, b=other: {a: x[b], b: x[a]})
    for one, other in itertools.permutations(item.arguments, 2):
        if np.ndim(given[one]) == np.ndim(given[other]) and not isinstance(given[one], bool):
            yield f"{other} in the place of {one}", asked(lambda x, a=one, b=other: {a: x[b]})
    for name in item.arguments:
        number = np.ndim(given[name]) == 0 and isinstance(given[name], (int, float, np.ndarray))
        if isinstance(given[name], (bool, str)) or not (number or np.ndim(given[name])):
            continue
        for words, change in TO_NUMBER if number else TO_ARRAY:
            yield f"{words.format(name)} in the place of {name}", asked(
                lambda x, a=name, change=change: {a: change(np.asarray(x[a], float))})
        if number:
            yield f"{name} = 1, whatever {name} is", asked(lambda x, a=name: {a: np.ones_like(x[a], float)})
