"""Mistakes that any item with an oracle knows: the right formula with one thing done to its answer or its arguments."""
import functools
import itertools
from dataclasses import replace

import numpy as np

from nwlab.checks.cases import Finding, smallest, usual, wrong
from nwlab.checks.declared import predict

TO_ANSWER = (
    ("the root of the right one", np.sqrt), ("the square of the right one", np.square),
    ("one over the right one", np.reciprocal), ("e to the power of the right one", np.exp),
    ("the logarithm of the right one", np.log), ("the right one without its sign", np.abs),
    ("the right one, rounded to a whole number", np.round), ("the sign of the right one", np.sign),
    ("the right one, sorted", lambda x: np.sort(x, axis=-1) if x.ndim else x), ("the right one in reverse", np.flip))
TO_NUMBER = (
    ("exp({})", np.exp), ("log({})", np.log), ("{}²", np.square), ("the root of {}", np.sqrt), ("1/{}", np.reciprocal),
    ("1/{}²", lambda x: x**-2.0), ("−{}", np.negative), ("2 {}", lambda x: 2 * x), ("half of {}", lambda x: x / 2))
TO_ARRAY = (
    ("the sorted {}", lambda x: np.sort(x, axis=0)), ("the {} in reverse", lambda x: x[::-1]),
    ("the {} without their signs", np.abs), ("the {} less their mean", lambda x: x - x.mean(axis=0)))


def of_the_answer(item, cases):
    """Every answer is a function of the right one: its root, its square, ..."""
    if found := _first(item, cases, ((name, functools.partial(_changed, change)) for name, change in TO_ANSWER)):
        name, case = found
        return Finding(f"every answer is {name}", "the rest of your formula is right: look at the last step, and at "
                       f"what was asked for. {item.returns}", case)


def of_the_arguments(item, cases):
    """Every answer is the right one to other arguments: two are swapped, one is used twice, left out, or changed."""
    if item.oracle and (found := _first(item, cases, _other_arguments(item, cases))):
        name, case = found
        return Finding(f"the numbers are those of {name}", "the formula is right, what goes into it is not: follow "
                       "each argument through your lines, also into the functions that you call", case)


def _first(item, cases, rows):
    """The first name whose answers came on all usual problems, and a case that shows it; or None.

    rows: names, and a function of a case that gives the answer (a Value, or the name of an exception).
    """
    plain = usual(cases)
    bad = [case for case in wrong(plain) if case.numeric]
    numbers = {x for case in bad for x in case.came.data.ravel().tolist() if np.isfinite(x)}
    if len(bad) < 2 or any(case.error for case in plain) or len(numbers) < 3:        # fewer fit by chance
        return None
    for name, answer in rows:
        if all(not isinstance(given := answer(case), str) and case.is_like(given) for case in plain):
            return name, smallest(bad)


def _changed(change, case):
    with np.errstate(all="ignore"):
        return replace(case.right, data=change(case.right.data.astype(float))) if case.numeric else "no number"


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
