"""Inputs described by kind: the problems that follow, and what each of them must hold."""
import numpy as np
import pytest

from workbook.checks.inputs import Inputs, count, flags, number, numbers, one_of, positive, until

SEEDS = range(3)
PAIRS = Inputs({"x": numbers("m"), "points": numbers("n", "d"), "labels": numbers("n"), "width": positive()},
               units=("x points width", "labels"))


def by_name(inputs, arguments, seed=0):
    return {problem.name: problem for problem in inputs.problems(np.random.default_rng(seed), arguments)}


def test_lengths_differ_both_ways_are_equal_one_and_more_than_a_hundred():
    problems = by_name(PAIRS, ("x", "points")).values()
    assert not any("width" in problem.name or "labels" in problem.name for problem in problems)
    lengths = [(len(problem.inputs["x"]), *problem.inputs["points"].shape) for problem in problems if not problem.why]
    assert any(m < n < d for m, n, d in lengths) and any(m > n > d for m, n, d in lengths)
    assert [max(row[axis] for row in lengths) > 100 for axis in range(3)] == [True] * 3
    special = {(len(problem.inputs["x"]), *problem.inputs["points"].shape) for problem in problems if problem.why}
    assert {(4, 4, 4), (1, 1, 1), (7, 7, 4), (7, 3, 7), (2, 7, 7)} <= special       # two are equal, one is not
    assert all(any(row[axis] == 1 != max(row) for row in special) for axis in range(3))


@pytest.mark.parametrize("x, points, meet", [
    (numbers("m"), numbers("n"), True), (numbers("m", "d"), numbers("n", "d"), True), (number(), numbers("n"), True),
    (numbers("m", 1), numbers("n"), True), (numbers("m"), numbers("m", "n"), False),
    (numbers("m", 2), numbers("n"), False)])
def test_some_of_what_is_in_one_unit_is_equal(x, points, meet):
    inputs = Inputs({"x": x, "points": points, "width": positive()}, units=("x points width",))
    found = by_name(inputs, ("x", "points", "width"))
    assert ("x among the points" in found) == meet and "x among the points" not in by_name(inputs, ("x",))
    if meet:
        x, points = (found["x among the points"].inputs[name] for name in ("x", "points"))
        rows = np.reshape(x, (-1, *points.shape[1:])).tolist()
        same = [row in points.tolist() for row in rows]
        assert any(same) and (len(same) == 1 or not all(same)) and type(x) is type(found["small units"].inputs["x"])


def test_units_go_together_and_each_group_in_its_own_direction():
    inputs = Inputs({"x": numbers("n"), "rate": positive(), "y": numbers("n")}, units=("x 1/rate", "y"))
    named = by_name(inputs, ("x", "rate", "y"))
    for words, x, y in (("large", 1e9, 1e-9), ("small", 1e-9, 1e9)):
        found = named[f"{words} units"].inputs
        assert x < np.abs(found["x"]).max() < 10 * x and y < np.abs(found["y"]).max() < 10 * y
        assert 0.4 < found["rate"] * x < 2.0


@pytest.mark.parametrize("kind, usual, special", [
    (numbers("n"), lambda x: np.min(np.diff(np.sort(x))) > 0, {
        "two alike": lambda x: x[0] == x[-1], "all 0": lambda x: not x.any()}),
    (numbers(low=1), lambda x: x.shape == () and x > 1, {"below 0": lambda x: x.shape == () and x < 0}),
    (number(), lambda x: 0.4 <= x <= 2, {"0": lambda x: x == 0, "below 0": lambda x: x < 0}),
    (positive("n"), lambda x: np.all(x > 0), {"very small": lambda x: 0 < x.max() < 0.01}),
    (count(2, 9), lambda x: 2 <= x <= 9, {"as small as can be": lambda x: x == 2, "large": lambda x: x == 90}),
    (flags("m", "n"), lambda x: x.any(axis=1).all() and x.dtype == bool, {}),
    (one_of("a", None), lambda x: x in ("a", None), {"'a'": lambda x: x == "a", "None": lambda x: x is None}),
])
def test_kinds(kind, usual, special):
    for seed in SEEDS:
        found = by_name(Inputs({"it": kind}), ("it",), seed)
        assert usual(next(iter(found.values())).inputs["it"])
        for words, holds in special.items():
            problem = found[f"it: {words}"]
            assert holds(problem.inputs["it"]) and problem.why.startswith(("it may be", "the it may", "two of the it"))


def test_the_largest_of_more_than_a_hundred_stand_at_the_end():
    x = numbers("n").draw(np.random.default_rng(0), (130,))
    assert np.abs(x).argmax() >= 125


def test_a_function_may_draw_inputs_that_depend_on_each_other():
    def drawn(rng, m, n, noise=0.1):
        keys = np.sort(rng.uniform(1, 2, n))
        return {"x": rng.uniform(1, 2, m), "keys": keys, "values": keys**2 + noise}

    inputs = Inputs(drawn, units=("x keys", "values"), sizes={"n": (2, 50)})
    assert inputs.letters == ["m", "n"] and len(inputs.draw(np.random.default_rng(0), m=3, n=4)["keys"]) == 4
    found = by_name(inputs, ("keys", "values"))
    lengths = {len(problem.inputs["keys"]) for problem in found.values()}
    assert (min(lengths), max(lengths)) == (3, 50)
    assert {"large units", "m = 4, n = 4"} <= set(found)
    assert all(np.array_equal(np.sort(problem.inputs["keys"]), problem.inputs["keys"]) for problem in found.values())


def test_until_draws_again():
    rng = np.random.default_rng(0)
    assert until(lambda x: x > 0.9, lambda: {"x": rng.uniform()})["x"] > 0.9
