"""What `own_pooling` promises beyond right and wrong answers: its samples let a plain descent arrive."""
import pytest
from exercises.answers.own_pooling import train_by_hand

from workbook.checks.judge import judge
from workbook.checks.messages import failure_text
from workbook.checks.run import run
from workbook.exercises import own_pooling


@pytest.mark.parametrize("seed", [4, 10, 18])
def test_plain_descent_arrives_on_slopes_that_are_flat_at_first(seed):
    item = own_pooling.EXERCISE.item("train")
    problems = item.problems(seed)
    found = judge(item, problems, run(item, train_by_hand, problems))
    assert found.holds, failure_text(found)
