"""What `own_pooling` promises beyond right and wrong answers: its samples, and the pooling it hands over."""
import numpy as np
import pytest
import torch
from exercises.answers.own_pooling import train_by_hand

from workbook.checks.judge import judge
from workbook.checks.messages import failure_text
from workbook.checks.run import run
from workbook.exercises import own_pooling
from workbook.exercises.own_pooling import items
from workbook.exercises.own_pooling.given import HandedOver


@pytest.mark.parametrize("seed", range(3))
def test_neither_end_of_pooling_can_pass(seed):
    """Each point its nearest key, and average pooling, are much worse than Nadaraya-Watson in every sample."""
    for problem in own_pooling.EXERCISE.item("predict").problems(seed)[:len(items.SAMPLES)]:
        targets = items.SAMPLES[problem.name][0](problem.inputs["queries"])
        found = items.yardsticks(*(problem.inputs[name] for name in ("keys", "values", "queries")), targets)
        assert found["nearest"] > items.NEAREST * found["width"] and found["average"] > items.AVERAGE * found["width"]
        assert items.ENOUGH < items.NEAREST < items.AVERAGE


@pytest.mark.parametrize("itself", [False, True])
def test_the_pooling_that_is_handed_over_has_the_loss_that_the_judge_knows(itself):
    rng = np.random.default_rng(3)
    keys, values = items.sample(rng, np.sin, 9, 0.3)
    parameters, pooling = rng.normal(size=items.PARAMETERS), HandedOver(items.OURS)
    mask = None if itself else ~torch.eye(9, dtype=torch.bool)
    answers, weights = pooling(*(torch.tensor(x) for x in (keys, keys, values, parameters)), mask)
    right = items.loss(items.OURS, keys, values, parameters, itself)
    assert right == pytest.approx(np.mean((answers.numpy() - values) ** 2))
    assert weights.sum(dim=1).numpy() == pytest.approx(1)
    assert pooling.noted == {"calls": 1, "at": [parameters.tolist()], "slopes": [0.0]}


@pytest.mark.parametrize("seed", [4, 10, 18])
def test_plain_descent_arrives_on_slopes_that_are_flat_at_first(seed):
    item = own_pooling.EXERCISE.item("train")
    problems = item.problems(seed)
    found = judge(item, problems, run(item, train_by_hand, problems))
    assert found.holds, failure_text(found)
