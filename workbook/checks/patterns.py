"""What wrong numbers have in common with the right ones: a factor, an argument, an order, a place.

Each finder yields mistakes, of which the first counts. What it says holds on every problem, so it is a fact and not a
guess; `counterexample` is for what has nothing in common.
"""
from itertools import combinations, permutations

import numpy as np

from workbook.checks.cases import ORDINALS, Finding, in_parts, listed, numbers, predict, smallest, sound, usual, wrong
from workbook.checks.inputs import like
from workbook.checks.values import close, describe, digits, number, same
from workbook.language import say

POWERS = {1: "{}", -1: "1/{}", 2: "{}²", -2: "1/{}²", 0.5: "√{}", -0.5: "1/√{}"}
CHANGES = (
    ("{}²", np.square), ("√{}", lambda x: np.sqrt(np.abs(x))), ("1/{}", lambda x: 1 / x), ("−{}", np.negative),
    ("|{}|", np.abs), ("2·{}", lambda x: 2 * x), ("{}/2", lambda x: x / 2), ("√2·{}", lambda x: 2**0.5 * x),
    ("{}/√2", lambda x: x / 2**0.5), ("{} + 1", lambda x: x + 1), ("{} − 1", lambda x: x - 1),
    ("1", np.ones_like), ("0", np.zeros_like))
OF_ARRAYS = ((say("sorted {}"), lambda x: np.sort(x, axis=0)), (say("reversed {}"), lambda x: x[::-1]),
             ("{0} − mean({0})", lambda x: x - x.mean(axis=0)))
FORMS = (
    (say("the square of"), np.square), (say("the root of"), np.sqrt), (say("one over"), lambda x: 1 / x),
    (say("the absolute value of"), np.abs), (say("the logarithm of"), np.log), (say("e to the power of"), np.exp),
    (say("one minus"), lambda x: 1 - x))


@numbers
def factor(item, cases, bad):
    """Every answer is the right one times a number, or times a power of a length or a number of the inputs."""
    found = [None if case.right.data.dtype.kind == "b" else _ratio(*case.floats()) for case in cases]
    kept = [] if None in found else [i for i, ratio in enumerate(found) if np.isfinite(ratio)]
    cases, ratios = [cases[i] for i in kept], np.array([found[i] for i in kept])
    entries = sum(np.sum(case.right.data != 0) for case in cases)
    if not wrong(cases) or entries < 3 or np.allclose(ratios, 1, rtol=1e-2) or np.any(np.abs(ratios) < 1e-9):
        return
    shown = smallest(wrong(cases))
    if np.allclose(ratios, -1, rtol=1e-3):
        yield Finding("the sign is flipped: every answer is minus the right one", shown)
    constant, power, measure = _law(cases, ratios)
    ratio = {"ratio": _words(constant, power, measure)}
    if np.isclose(constant, 1) and power in (1, -1) and measure.endswith((")", "]")) and "−" not in measure:
        name = "a sum where a mean is right" if power == 1 else "a mean where a sum is right"
        yield Finding(name + ": every answer is the right one times {ratio}", shown, ratio)
    if constant:
        yield Finding("every answer is {ratio} times the right one", shown, ratio)
    if sum(case.right.data.size > 1 for case in cases) > 2:
        yield Finding("in each problem all answers are the right ones times one number, another in each", shown)


def other_argument(item, cases):
    """The right answers, but to other inputs: one of them is changed, or two of them have changed places."""
    cases = sound(cases)
    if item.oracle and wrong(cases):
        first = smallest(wrong(cases))
        for words, change, names in _changes(item, first.problem.inputs):
            if all(case.is_like(predict(item.oracle, case.problem, change)) for case in (first, *cases)):
                yield Finding("these are the right answers for {changed} in place of {names}", first,
                              {"changed": words, "names": listed(names)},
                              advice="two arguments changed places" if len(names) > 1 else "")


@numbers
def other_form(item, cases, bad):
    """A function of the right answers, or the right answers in another order."""
    truths = all(case.right.data.dtype.kind == "b" for case in cases)
    for words, function in ((say("the opposite of"), np.logical_not),) if truths else FORMS:
        if all(case.is_like(describe(function(case.right.data))) for case in cases):
            yield Finding("every answer is {words} the right one", smallest(bad), {"words": words})
    if not truths and any(case.right.data.size > 1 for case in bad):
        if all(same(*(describe(np.sort(x.ravel())) for x in case.floats()), item.tolerance) for case in cases):
            yield Finding("the right numbers, in another order", smallest(bad))


@numbers
def rows(item, cases, bad):
    pairs = [case.floats() for case in cases]
    bad = [case for case in bad if not np.allclose(case.floats()[0].sum(-1), 1, atol=1e-3)]
    if bad and all(right.ndim > 1 and np.allclose(right.sum(-1), 1) for _, right in pairs):
        name = advice = "the rows do not sum to one"
        if all(np.allclose(got.sum(-2), 1) for got, _ in pairs):
            name = say("the rows do not sum to one, but the columns do")
        yield Finding(name, smallest(bad), advice=advice)


@numbers
def same_everywhere(item, cases, bad):
    """The same number in every place of an answer, or in every problem, where the right ones differ."""
    pairs = [case.floats() for case in cases]
    if len(bad) < 3 or any(np.ptp(got) > 0 or not got.size for got, _ in pairs):
        return
    values = {float(got.flat[0]) for got, _ in pairs}
    if len(values) == 1:
        yield Finding("every answer is {value}, whatever the inputs", smallest(bad), {"value": number(*values)})
    if any(np.ptp(right) > 0 for _, right in pairs):
        yield Finding("all entries of an answer are the same number", smallest(bad))


PLACES = (                             # words, where it is, and how many axes it needs
    (say("the first entry"), lambda x: _at(x, 0, 0), 1), (say("the last entry"), lambda x: _at(x, 0, -1), 1),
    (say("the first column"), lambda x: _at(x, -1, 0), 2), (say("the last column"), lambda x: _at(x, -1, -1), 2),
    (say("the diagonal"), lambda x: np.eye(*x.shape[-2:], dtype=bool), 2),
    (say("what is off the diagonal"), lambda x: ~np.eye(*x.shape[-2:], dtype=bool), 2),
    (say("what is above the diagonal"), lambda x: ~np.tri(*x.shape[-2:], dtype=bool), 2),
    (say("what is below the diagonal"), lambda x: np.tri(*x.shape[-2:], k=-1, dtype=bool), 2),
    (say("what should be 0"), lambda x: x == 0, 1),
    (say("what should be negative"), lambda x: x < 0, 1))


@numbers
def places(item, cases, bad):
    if sum(case.right.data.size > 1 for case in bad) < 2:
        return
    off = [~close(case.got, case.right, item.tolerance) for case in bad]
    for words, where, axes in PLACES:
        if all(case.right.data.ndim >= axes for case in bad):
            at = [np.broadcast_to(where(case.right.data), case.right.data.shape) for case in bad]
            if not any(np.any(x & ~y) for x, y in zip(off, at)) and not all(map(np.all, at)):
                yield Finding("only {place} is wrong", smallest(bad), {"place": words})


@numbers
def zeros(item, cases, bad):
    """All numbers that are wrong are 0, and some others are right."""
    pairs = [case.floats() for case in cases]
    if bad[0].explains(cases) or any(case.right.data.dtype.kind == "b" for case in bad):
        return
    kept = [close(case.got, case.right, item.tolerance) for case in cases]
    if all(np.all(got[~near] == 0) for (got, _), near in zip(pairs, kept)) and any(map(np.any, kept)):
        yield Finding("0 where another number was expected", smallest(usual(bad) or bad))


@in_parts
def nearly(item, cases):
    """At least three answers are wrong, all by less than one percent: rounded, or approximate."""
    bad = wrong(cases)
    if len(bad) > 2 and all(case.floats() and case.right.data.dtype.kind == "f" and np.allclose(
            *case.floats(), rtol=0.01, atol=0 if case.right.data.any() else 1e-6, equal_nan=True) for case in bad):
        yield Finding("nearly right: the first digits agree, the later ones do not", smallest(bad))


@in_parts
def not_finite(item, cases):
    """Most wrong answers have NaN or infinity in a place where a number is right, or a number in place of NaN."""
    bad = wrong(cases)
    for name, where in (("NaN where a number was expected", lambda got, right: np.isnan(got) & np.isfinite(right)),
                        ("infinity where a number was expected", lambda got, right: np.isinf(got) & np.isfinite(right)),
                        ("a number where NaN was expected", lambda got, right: ~np.isnan(got) & np.isnan(right))):
        found = [case for case in bad if np.any(where(*(case.floats() or (0.0, 0.0))))]
        if 2 * len(found) > len(bad):
            yield Finding(name, smallest(found))


def counterexample(item, cases):
    """Nothing that fits all problems: which of them fail, and one entry of the smallest of them."""
    bad = wrong(sound(cases))
    if not bad:
        return
    shown = smallest(usual(bad) or bad)
    words = {"good": len(cases) - len(wrong(cases)), "all": len(cases), "problem": shown.problem.name,
             "why": shown.problem.why, "where": where(cases), "entry": entry(shown)}
    name = "{good} of {all} problems hold, “{problem}” does not"
    if not words["good"]:
        name = "the numbers differ from the right ones"
    special = {case.problem.why: case.problem.name for case in bad}
    if words["where"] and not shown.explains(cases):
        yield Finding("{good} of {all} problems hold, all but those in which {where}", shown, words)
    if words["good"] and all(special) and len(special) < 4:
        words["specials"] = say("; ").join(say("“{problem}”: {why}", problem=problem, why=why)
                                           for why, problem in special.items())
        yield Finding(name, shown, words, advice="all that fails is special")
    yield Finding(name, shown, words)


def entry(case) -> str:
    """The entry that is farthest off: where it stands, what came back, what is right, in words; "" for no numbers."""
    whole = say("the answer")
    if case.parts:
        k, case = next((k, part) for k, part in enumerate(case.parts) if not part.good)
        whole = say("the {ordinal} result", ordinal=ORDINALS[k])
    pair = case.floats()
    if not pair:
        return ""
    off = np.array(np.nan_to_num(np.abs(np.subtract(*pair)), nan=np.inf, posinf=np.inf))
    off[close(case.got, case.right, case.item.tolerance)] = -1.0
    at = np.unravel_index(np.argmax(off), off.shape)
    got, right = (x[at] for x in pair)
    place = say("entry [{at}] of {whole}", at=", ".join(map(str, at)), whole=whole) if at else whole
    n = digits(number, got, right)
    text = say("{place} is {got}, and {right} was expected", place=place, got=number(got, n), right=number(right, n))
    if not np.isfinite(got - right):
        return text
    places = {"fact": text, "difference": number(got - right, 4)}
    if not right or np.isclose(got, right, rtol=1e-3):
        return say("{fact}: a difference of {difference}", **places)
    return say("{fact}: a difference of {difference}, a ratio of {ratio}", **places, ratio=number(got / right, 4))


def where(cases, fails=lambda case: not case.good) -> str:
    """What all problems that fail have in common and none of the others, in words; "" if nothing is found."""
    if all(map(fails, cases)):
        return ""
    facts = [dict(_facts(case.problem.inputs)) for case in cases]
    ranks = {words: rank for fact in facts for rank, words in enumerate(fact)}
    return next((words for words in sorted(ranks, key=ranks.get) if all(
        fact.get(words, False) == bool(fails(case)) for fact, case in zip(facts, cases))), "")


def _facts(inputs):
    """(words, whether they are true) for the inputs of a problem."""
    arrays = {name: x for name, x in inputs.items() if np.ndim(x)}
    for name, x in inputs.items():
        if name in arrays:
            yield f"{name}.ndim == {x.ndim}", True
            for axis, n in enumerate(x.shape):
                yield f"{_length(name, axis)} == 1", n == 1
            if x.dtype.kind in "fi":
                yield say("{name} has numbers below 0", name=name), bool(np.any(x < 0))
                yield say("{name} has equal numbers", name=name), len(np.unique(x)) < x.size
                yield say("{name} is not in rising order", name=name), bool(np.any(np.diff(x, axis=0) < 0))
        elif isinstance(x, (bool, str, type(None))):
            yield f"{name} is {x!r}", True
        else:
            for words, true in ("< 0", x < 0), ("== 0", x == 0), ("!= 0", x != 0), ("> 1", x > 1), ("< 1", x < 1):
                yield f"{name} {words}", bool(true)
    for one, other in permutations(arrays, 2):
        m, n = len(arrays[one]), len(arrays[other])
        yield f"len({one}) != len({other})", m != n
        yield f"len({one}) > len({other})", m > n


def _changes(item, inputs):
    """(words, function of the inputs that changes them, names of the arguments) for each change worth trying."""
    numeric = [name for name in item.arguments if describe(inputs[name]).numeric and not isinstance(inputs[name], bool)
               and np.asarray(inputs[name]).dtype.kind in "fi"]
    for name in sorted(numeric, key=lambda name: np.ndim(inputs[name])):            # of several, a number is likelier
        counts = isinstance(inputs[name], int)          # of steps or points: their square may take hours
        for words, change in CHANGES[counts:] + (OF_ARRAYS if np.ndim(inputs[name]) else ()):
            yield (words.format(name),
                   lambda at, name=name, change=change: at | {name: like(at[name], change(at[name]))}, [name])
    for one, other in combinations(numeric, 2):
        yield listed([other, one]), (lambda at, a=one, b=other: at | {a: at[b], b: at[a]}), [one, other]
        for a, b in ((one, other), (other, one)):
            yield b, (lambda at, a=a, b=b: at | {a: at[b]}), [a]


def _ratio(got, right) -> float | None:
    """got / right if it is one number; NaN if both are 0, None if it is not."""
    finite = np.isfinite(right)
    scale = np.max(np.abs(right[finite]), initial=0.0)
    if not np.array_equal(np.isfinite(got), finite) or not scale and np.any(got[finite]):
        return None
    if not scale:
        return np.nan
    a, b = got[finite] / scale, right[finite] / scale
    ratio = float(a @ b / (b @ b))
    return ratio if np.allclose(a, ratio * b, rtol=1e-3, atol=1e-6 * abs(ratio)) else None


def _law(cases, ratios) -> tuple[float, float, str]:
    """(constant, power, measure) if the ratios are constant · measure^power in all cases; else (0, 0, "")."""
    if np.allclose(ratios, ratios[0], rtol=1e-3, atol=0):
        return float(np.mean(ratios)), 0, ""
    names = dict.fromkeys(name for case in cases for name in _measures(case.problem.inputs))
    found = []
    for name in names:
        x = np.array([_measures(case.problem.inputs).get(name, np.nan) for case in cases], float)
        sizes = len(np.unique(x))
        for power in POWERS:
            rest = ratios / x**power
            plain = np.allclose(rest, 1, rtol=1e-3) and sizes > 1 and len(x) > 2          # else two sizes prove little
            if plain or sizes > 2 and np.all(np.isfinite(rest)) and np.allclose(rest, rest[0], rtol=1e-3, atol=0):
                found.append((float(np.mean(rest)), power, name))
    return min(found, key=lambda law: not np.isclose(law[0], 1), default=(0.0, 0, ""))


def _measures(inputs) -> dict[str, float]:
    """The lengths of the arrays among the inputs, and the numbers."""
    lengths = {_length(name, axis): n for name, x in inputs.items() for axis, n in enumerate(np.shape(x))}
    less_one = {f"({words} − 1)": n - 1 for words, n in lengths.items()}
    shrunk = {f"({words} − 1)/{words}": (n - 1) / n for words, n in lengths.items()}
    plain = {name: float(x) for name, x in inputs.items()
             if not np.ndim(x) and describe(x).numeric and not isinstance(x, bool)}
    return lengths | plain | shrunk | less_one


def _length(name, axis) -> str:
    return f"{name}.shape[{axis}]" if axis else f"len({name})"


def _words(constant, power, measure) -> str:
    """constant · measure^power, as one writes it."""
    if not measure:
        return number(constant, 4)
    symbol = POWERS[power].format(f"({measure})" if "/" in measure and power != 1 else measure)
    return symbol if np.isclose(constant, 1) else f"{number(constant, 4)} · {symbol}"


def _at(x, axis, index):
    return np.indices(x.shape, sparse=True)[axis] == index % x.shape[axis]
