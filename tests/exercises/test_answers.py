"""Every item of every exercise: right answers pass, however they are written; wrong ones fail with their mistake's name.

The answers stand in tests/exercises/answers/NAME.py:
    RIGHT = {item: {"how it is written": function}}                     at least three for each item
    WRONG = {item: {"what is wrong": (function, "words of the message")}}     at least six for each item
"""
import importlib.util
import json
from pathlib import Path

import pytest

from nwlab import exercises
from nwlab.checks import hints
from nwlab.checks.run import Answer
from nwlab.checks.messages import failure_text

FOLDER = Path(__file__).resolve().parent / "answers"


def load(name):
    spec = importlib.util.spec_from_file_location(f"exercise_answers_{name}", FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ANSWERS = {name: load(name) for name in exercises.NAMES if (FOLDER / f"{name}.py").is_file()}
ITEMS = [pytest.param(name, item, id=f"{name}-{item.name}")
         for name in ANSWERS for item in getattr(exercises, name).ITEMS]
RIGHT = [pytest.param(item.values[1], way, range(50) if first == 0 else range(1000, 1010), id=f"{item.id}-{how}")
         for item in ITEMS
         for first, (how, way) in enumerate(ANSWERS[item.values[0]].RIGHT.get(item.values[1].name, {}).items())]
WRONG = [pytest.param(item.values[1], *case, id=f"{item.id}-{what}") for item in ITEMS
         for what, case in ANSWERS[item.values[0]].WRONG.get(item.values[1].name, {}).items()]


def verdict(item, function, seed=0):
    problems = item.problems(seed)
    return item.judge(problems, item.answers(function, problems))


def test_every_exercise_has_answers():
    assert set(ANSWERS) == set(exercises.NAMES)


@pytest.mark.parametrize("name, item", ITEMS)
def test_there_are_enough_answers(name, item):
    assert len(ANSWERS[name].RIGHT[item.name]) >= 3 and len(ANSWERS[name].WRONG[item.name]) >= 6
    assert set(ANSWERS[name].RIGHT) == set(ANSWERS[name].WRONG) == {item.name for item in getattr(exercises, name).ITEMS}


@pytest.mark.parametrize("name, item", ITEMS)
def test_problems_fit_the_arguments_and_are_as_many_for_every_seed(name, item):
    drawn = [item.problems(seed) for seed in range(4)]
    assert {len(problems) for problems in drawn} == {len(drawn[0])} != {0}
    assert all(set(problem.inputs) == set(item.arguments) for problems in drawn for problem in problems)


@pytest.mark.parametrize("item, function, seeds", RIGHT)
def test_right_answers_hold_for_every_seed_with_the_same_line(item, function, seeds):
    """The first way for 50 seeds, the others for ten."""
    for seed in seeds:
        problems = item.problems(seed)
        found = item.judge(problems, item.answers(function, problems))
        assert found.holds, f"seed {seed}\n{failure_text(found)}"
        assert found.line.startswith(f"{item.name} holds: {len(item.problems(0))} problem")


@pytest.mark.parametrize("item, function, words", WRONG)
@pytest.mark.parametrize("seed", [0, 23])
def test_wrong_answers_are_named(item, function, words, seed):
    found = verdict(item, function, seed)
    assert not found.holds
    assert words in found.line, failure_text(found)
    assert found.tried and found.came and found.next and (found.expected or "not written" in found.line)


@pytest.mark.parametrize("name, item", ITEMS)
def test_a_stub_fails(name, item):
    def stub(*arguments):
        raise NotImplementedError(f"write {item.name}")

    found = verdict(item, stub)
    assert not found.holds and "not written yet" in found.line and item.returns in found.next


@pytest.mark.parametrize("name, item", ITEMS)
def test_every_mistake_is_a_mistake_for_every_seed(name, item):
    """The oracle of each mistake, handed in as an answer, is recognised as that mistake."""
    if item.library == "torch" or item.oracle is None:
        pytest.skip("mistakes answer in NumPy")
    for mistake in item.mistakes:
        for seed in (0, 11):
            words = verdict(item, lambda *inputs, wrong=mistake.wrong: wrong(**dict(zip(item.arguments, inputs))), seed).line
            assert mistake.name in words, words


@pytest.mark.parametrize("name, item", ITEMS)
def test_answers_survive_json_and_are_judged_alike(name, item):
    wrong = next(iter(ANSWERS[name].WRONG[item.name].values()))[0]
    right = next(iter(ANSWERS[name].RIGHT[item.name].values()))
    problems = item.problems(3)
    for function in (right, wrong):
        answers = item.answers(function, problems)
        stored = json.loads(json.dumps([answer.to_dict() for answer in answers], allow_nan=False))
        assert item.judge(problems, [Answer.from_dict(answer) for answer in stored]) == item.judge(problems, answers)


@pytest.mark.parametrize("name, item", ITEMS)
def test_hints_and_sentences_fit_together(name, item):
    three = hints.read(name)[item.name]
    assert not item.returns.endswith(".") and len(three) == 3 and all(three)
    assert "def " not in " ".join(three)
