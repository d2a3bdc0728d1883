"""Every item of every exercise: right answers hold, however they are written; wrong ones are named.

Each declared mistake is fed back, so the answers by hand are independent spellings only. They stand in answers/NAME.py:
    RIGHT = {item: {"how it is written": function}}                           at least three for each item
    WRONG = {item: {"what is wrong": (function, "words of the message")}}     as many as spell a mistake otherwise
"""
import importlib.util
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from nwlab import exercises
from nwlab.checks import hints
from nwlab.checks.answer import Answer
from nwlab.checks.judge import judge
from nwlab.checks.messages import failure_text
from nwlab.checks.run import run

FOLDER = Path(__file__).resolve().parent / "answers"


def load(name):
    spec = importlib.util.spec_from_file_location(f"exercise_answers_{name}", FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ANSWERS = {name: load(name) for name in exercises.NAMES}
ITEMS = [pytest.param(name, item, id=f"{name}-{item.name}")
         for name in ANSWERS for item in getattr(exercises, name).ITEMS]


def cases(kind):
    """(item, what the case holds, which one it is) of RIGHT or WRONG."""
    return [pytest.param(param.values[1], case, number, id=f"{param.id}-{words}") for param in ITEMS
            for number, (words, case) in enumerate(
                getattr(ANSWERS[param.values[0]], kind).get(param.values[1].name, {}).items())]


def verdict(item, function, seed=0):
    problems = item.problems(seed)
    return judge(item, problems, run(item, function, problems))


def test_the_answers_are_those_of_the_items():
    for name, answers in ANSWERS.items():
        names = {item.name for item in getattr(exercises, name).ITEMS}
        assert set(answers.RIGHT) == names >= set(answers.WRONG)
        assert all(len(ways) >= 3 for ways in answers.RIGHT.values())


@pytest.mark.parametrize("name, item", ITEMS)
def test_problems_fit_the_arguments_and_are_as_many_for_every_seed(name, item):
    drawn = [item.problems(seed) for seed in range(4)]
    assert {len(problems) for problems in drawn} == {len(drawn[0])} != {0}
    assert all(set(problem.inputs) == set(item.arguments) for problems in drawn for problem in problems)


@pytest.mark.parametrize("item, function, number", cases("RIGHT"))
def test_right_answers_hold_for_every_seed_with_the_same_line(item, function, number):
    """The first way for six seeds, the others for two."""
    for seed in range(6) if number == 0 else (1000 + number, 2000 + number):
        found = verdict(item, function, seed)
        assert found.holds, f"seed {seed}\n{failure_text(found)}"
        assert found.line.startswith(f"{item.name} holds: {len(item.problems(0))} problem")


@pytest.mark.parametrize("item, case, _", cases("WRONG"))
def test_wrong_answers_are_named(item, case, _):
    function, words = case
    found = verdict(item, function)
    assert not found.holds and words in found.line, failure_text(found)
    assert found.tried and found.came and found.next and (found.expected or "not written" in found.line)


def as_student(item, wrong):
    """The oracle of a mistake as a student's function, answering in the item's library."""
    import torch

    def tensors(answer):
        if isinstance(answer, (tuple, list)):
            return type(answer)(tensors(part) for part in answer)
        return answer if answer is None or isinstance(answer, str) else torch.as_tensor(np.asarray(answer))

    def student(*inputs):
        arrays = [x.detach().numpy() if isinstance(x, torch.Tensor) else x for x in inputs]
        answer = wrong(**dict(zip(item.arguments, arrays)))
        return tensors(answer) if item.library == "torch" else answer

    return student


@pytest.mark.parametrize("name, item", ITEMS)
def test_every_mistake_is_recognised_as_itself(name, item):
    plain = replace(item, slope="", given={}, twice=False)          # what is asked beside numbers comes later
    for mistake in item.mistakes if item.oracle else ():
        found = verdict(plain, as_student(item, mistake.wrong), seed=11)
        assert mistake.name in found.line, found.line


@pytest.mark.parametrize("name, item", ITEMS)
def test_a_stub_fails_and_answers_survive_json(name, item):
    def stub(*arguments):
        raise NotImplementedError(f"write {item.name}")

    found = verdict(item, stub)
    assert not found.holds and "not written yet" in found.line and item.returns in found.next
    problems, right = item.problems(3), next(iter(ANSWERS[name].RIGHT[item.name].values()))
    for function in (right, stub):
        answers = run(item, function, problems)
        stored = json.loads(json.dumps([answer.to_dict() for answer in answers], allow_nan=False))
        again = [Answer.from_dict(answer) for answer in stored]
        assert judge(item, problems, again) == judge(item, problems, answers)


@pytest.mark.parametrize("name, item", ITEMS)
def test_hints_and_sentences_fit_together(name, item):
    three = hints.read(name)[item.name]
    assert not item.returns.endswith(".") and len(three) == 3 and all(three)
    assert "def " not in " ".join(three)
