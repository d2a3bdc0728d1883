"""Every item of every exercise: right answers hold, however they are written; wrong ones are named.

The model answer of the solution is tried, and each declared mistake. answers/NAME.py holds what is beside these, and is
not in frozen.jsonl.xz already:
    RIGHT = {item: {"how it is written": function}}
    WRONG = {item: {"what is wrong": (function, "words of the message")}}     where an item has a judge of its own
    ALTERED = {item: [(function, old, new, "words of the message")]}          wrong by other words in its source
A right one may be another with other words in its source too: (function, old, new).
"""
import functools
import importlib
import re
import sys
from dataclasses import replace
from unittest import mock

import numpy as np
import pytest
from exercises.model_answers import as_student, complete

from workbook import exercises
from workbook.authoring.project import Project
from workbook.authoring.source import read_lesson
from workbook.checks import hints, rerun
from workbook.checks.judge import judge, predict
from workbook.checks.messages import failure_text
from workbook.checks.run import run

SOURCES = Project.find().solutions / "source"
TRAINED = {"train", "predict", "descend"}
ANSWERS = {name: complete(importlib.import_module(f"exercises.answers.{name}")) for name in exercises.NAMES}
ITEMS = [pytest.param(name, item, id=f"{name}-{item.name}")
         for name in ANSWERS for item in getattr(exercises, name).ITEMS]


def cases(kind):
    """(item, what the case holds, which one it is) of RIGHT or WRONG."""
    return [pytest.param(param.values[1], case, number, id=f"{param.id}-{words}") for param in ITEMS
            for number, (words, case) in enumerate(
                getattr(ANSWERS[param.values[0]], kind).get(param.values[1].name, {}).items())]


problems_of = functools.cache(lambda item, seed: item.problems(seed))
answers_of = functools.cache(lambda item, function, seed: run(item, function, problems_of(item, seed)))


def verdict(item, function, seed=0):
    return judge(item, problems_of(item, seed), run(item, function, problems_of(item, seed)))


def first_right(name, item):
    return next(iter(ANSWERS[name].RIGHT[item.name].values()))


@pytest.mark.parametrize("name", ANSWERS)
def test_the_introduction_says_the_points_that_count(name):
    source = " ".join((SOURCES / f"{name}.md").read_text(encoding="utf-8").split())
    words = re.search(r"BEGIN SOLUTION \((\d+) points\)", source)[1]
    code = getattr(exercises, name).EXERCISE.points
    assert f"{{{{minutes}}}} minutes. There are {code} points for code and {words} for an answer in words." in source


@pytest.mark.parametrize("name", ANSWERS)
def test_no_section_overwrites_a_name_that_an_earlier_one_uses(name):
    """So that a given cell may be run once more, whatever was run since. Locals of functions do not count."""
    uses, section = {}, 0
    for cell in read_lesson(SOURCES / f"{name}.md").cells:
        section += cell.kind == "markdown" and bool(re.search(r"^## ", cell.text, re.M))
        if cell.kind != "code" or "SOLUTION" in cell.text:
            continue
        studied = rerun.study(cell.text)
        taken = [used for used in studied.defines if uses.get(used, section) != section]
        assert not taken, f"{name}, cell {cell.id}: {', '.join(taken)} belongs to an earlier section"
        uses.update(dict.fromkeys(set(studied.reads) - set(studied.defines) - set(uses), section))


@pytest.mark.parametrize("name, item", ITEMS)
def test_problems_are_as_many_for_every_seed_and_each_item_has_its_words(name, item):
    drawn = [problems_of(item, seed) for seed in range(4)]
    assert {len(problems) for problems in drawn} == {len(drawn[0])} != {0}
    assert all(set(problem.inputs) == set(item.arguments) for problems in drawn for problem in problems)
    assert item.title and item.returns and not item.returns.endswith(".") and len(item.hints) == 3 and all(item.hints)
    assert "def " not in " ".join(item.hints)


@pytest.mark.parametrize("item, function, number", cases("RIGHT"))
def test_right_answers_hold_for_every_seed_with_the_same_line(item, function, number):
    """The first way for four seeds, each other for one of six; where a pooling is trained again and again, for half."""
    seeds = range(4) if number == 0 else (number % 6,)
    for seed in seeds[::2] if item.name in TRAINED else seeds:
        found = judge(item, problems_of(item, seed), answers_of(item, function, seed))
        assert found.holds, f"seed {seed}\n{failure_text(found)}"
        assert found.line.startswith(f"{item.name} holds: {len(problems_of(item, seed))} problem")


@pytest.mark.parametrize("seed", [4, 10, 18])
def test_plain_descent_arrives_on_slopes_that_are_flat_at_first(seed):
    assert verdict(exercises.own_pooling.EXERCISE.item("train"), ANSWERS["own_pooling"].train_by_hand, seed).holds


@pytest.mark.parametrize("item, case, _", cases("WRONG"))
def test_wrong_answers_are_named(item, case, _):
    function, words = case
    found = judge(item, problems_of(item, 0), answers_of(item, function, 0))
    assert not found.holds and words and words in found.line, failure_text(found)
    assert found.tried and found.got and found.next and (found.expected or "not written" in found.line)


@pytest.mark.parametrize("name, item", [param for param in ITEMS if param.values[1].oracle][::9])
def test_an_oracle_that_is_fetched_from_the_process_is_no_answer(name, item):
    found = verdict(item, as_student(item, lambda **inputs: sys.modules[item.package].EXERCISE.item(item.name).oracle(
        **inputs)))
    assert "calls nwlab's own" in found.line, found.line


@pytest.mark.parametrize("name, item", ITEMS)
def test_every_mistake_is_recognised_as_itself(name, item):
    plain = replace(item, slope="", given={})           # what is asked beside numbers comes later
    for mistake in item.mistakes if item.oracle else ():
        answers = [predict(mistake.wrong, problem) for problem in problems_of(item, 11)]
        raised = {answer for answer in answers if isinstance(answer, str)}      # of shapes that do not fit
        assert raised <= {"ValueError", "IndexError"} and not all(isinstance(answer, str) for answer in answers)
        with mock.patch("workbook.checks.run.OURS", ("elsewhere",)):    # a mistake's code is our own
            found = verdict(plain, as_student(item, mistake.wrong), seed=11)
        assert mistake.name in found.line, found.line


def test_answers_cut_to_whole_numbers_where_inputs_are_whole_pass_only_if_they_are_whole_anyway():
    """As in an array made with zeros_like(keys). Torch items have no such inputs."""
    def cut(function):
        def student(*inputs):
            answer, whole = function(*inputs), any(np.asarray(x).dtype.kind == "i" for x in inputs if np.ndim(x))
            parts = answer if isinstance(answer, tuple) else (answer,)
            parts = tuple(np.trunc(part) if whole else part for part in parts)
            return parts if isinstance(answer, tuple) else parts[0]
        return student

    items = [param.values for param in ITEMS if param.values[1].library != "torch"]
    passing = {item.name for name, item in items if verdict(item, cut(first_right(name, item))).holds}
    of_numbers = {"absorb", "answer_variances", "error_exponent", "keys_needed", "rates", "sigma_of", "slope"}
    assert passing == of_numbers | {"best_w", "classify", "differences", "disagree", "squared_distances_on_sphere"}, (
        "an item whose right answers are whole where its inputs are belongs into this set")


def complaints(name, item):
    """The names of all that the item's own judge asks of a right answer, and of the wrong ones by hand."""
    asked = set()

    def own_judge(cases):
        for row in item.own_judge(cases):
            asked.add(row[1])
            yield row

    for function in (first_right(name, item), *(case[0] for case in ANSWERS[name].WRONG.get(item.name, {}).values())):
        judge(replace(item, own_judge=own_judge), problems_of(item, 0), answers_of(item, function, 0))
    return asked


@pytest.mark.parametrize("name", exercises.NAMES)
def test_every_mistake_has_its_advice_and_every_advice_its_mistake(name):
    items, advice = getattr(exercises, name).ITEMS, hints.advice(f"workbook.exercises.{name}")
    told = {(item.name, mistake.name) for item in items for mistake in item.mistakes}
    told |= {(item.name, words) for item in items if item.own_judge for words in complaints(name, item)}
    assert told <= set(advice), f"workbook/exercises/{name}/advice.md: no '## item' and '###' for {told - set(advice)}"
    assert all(look for _, look in advice.values())
    of_any_item = {words for _, words in hints.advice("workbook.checks", "findings.md")}
    assert {words for _, words in advice} - of_any_item == {words for _, words in told}
    assert {item for item, _ in advice} <= {item.name for item in items}
    assert all(len({mistake.name for mistake in item.mistakes}) <= 10 for item in items)


@pytest.mark.parametrize("_, item", ITEMS)
def test_a_stub_fails_and_is_told_what_to_return(_, item):
    def stub(*arguments):
        raise NotImplementedError(f"write {item.name}")

    found = verdict(item, stub)
    assert not found.holds and "not written yet" in found.line and item.returns in found.next
