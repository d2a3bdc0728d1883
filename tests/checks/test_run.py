"""Running a student's function: plain data comes back, and nothing around it changes."""
import random
import sys
import tracemalloc
import warnings

import numpy as np
import pytest
import torch
from small_items import by_json, row_means
from small_items import right_means as right

from workbook.checks.run import run


def answers(function):
    return run(row_means(), function, row_means().problems(0))


class Nasty:
    shape, dtype = (2,), "float64"

    def __array__(self, *arguments, **options):
        raise RuntimeError("no")


@pytest.mark.parametrize("thing", [
    Nasty(), object(), 10**30, 1j, np.array(["a"]), np.array([None]), np.zeros(300_000), int])
def test_what_is_no_plain_data_keeps_its_type_alone(thing):
    answer = answers(lambda table, scale: thing)[0]
    assert answer.value.data is None and by_json([answer])


def test_an_exception_is_told_with_the_students_line():
    def raising(table, scale):
        return table[:, 7].mean()

    error = answers(raising)[0].error
    assert (error["type"], error["where"]) == ("IndexError", "raising") and "return table[:, 7].mean()" in error["line"]


def test_nothing_around_a_check_changes_and_chance_is_the_same_in_each(capfd):
    import matplotlib.pyplot as plt

    def noisy(table, scale):
        print("out")
        print("err", file=sys.stderr)
        warnings.warn("careful", stacklevel=1)
        plt.figure()
        np.exp([-1e4, 0.0]) / 0.0
        sys.settrace(None)
        return right(table, scale) + np.random.random() + torch.rand(1).item() + random.random()

    def tracer(frame, event, arg):
        return None

    def state():
        return np.random.get_state()[2], random.getstate(), torch.random.get_rng_state().tolist(), plt.get_fignums()

    before = state()
    sys.settrace(tracer)
    try:
        with np.errstate(all="raise"), warnings.catch_warnings(action="error"):
            got, again = answers(noisy), answers(noisy)
        assert sys.gettrace() is tracer
    finally:
        sys.settrace(None)
    assert state() == before and capfd.readouterr() == ("", "")
    assert got[0].printed == "out\n" and got[0].error is None           # NumPy's errors are those of a new kernel
    assert [one.to_dict() for one in got] == [one.to_dict() for one in again]     # chance is the same in every check


def test_what_is_collected_meanwhile_is_not_what_the_function_calls():
    import nwlab

    space = {"nwlab": nwlab}
    exec("class Old:\n    def __del__(self):\n        nwlab.nearest_weights([0.0], [1.0])", space)

    def collects(table, scale):
        space["Old"]()
        return right(table, scale)

    assert [answer.used for answer in answers(collects)] == [()] * len(row_means().problems(0))


def test_an_interrupt_goes_through():
    def interrupted(table, scale):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        answers(interrupted)
    assert sys.gettrace() is None


@pytest.mark.parametrize("switch", [None, lambda: sys.settrace(None), tracemalloc.stop])
def test_code_that_switches_off_what_counts_steps_and_memory_is_noted(switch):
    def function(table, scale):
        made = right(table, scale)
        if switch:
            switch()
        return made

    item = row_means(memory=True)
    assert {answer.watched for answer in run(item, function, item.problems(0))} == {switch is None}
