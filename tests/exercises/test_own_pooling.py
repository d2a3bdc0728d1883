"""What `own_pooling` promises beyond right and wrong answers: its yardsticks, its own slips, and its figures."""
import importlib.util
from pathlib import Path

import numpy as np
import pytest
import torch

import nwlab
from nwlab.exercises.own_pooling import judges
from nwlab.exercises.own_pooling import problems as p
from nwlab.exercises.own_pooling import training
from nwlab.exercises import own_pooling
from nwlab.exercises.own_pooling.probes import GAUSSIAN, PARAMETERS, RATIONAL, HandedOver

spec = importlib.util.spec_from_file_location("own_answers", Path(__file__).parent / "answers" / "own_pooling.py")
answers = importlib.util.module_from_spec(spec)
spec.loader.exec_module(answers)


@pytest.mark.parametrize("seed", range(5))
def test_the_yardsticks_are_what_they_are_called(seed):
    for problem in own_pooling.EXERCISE.item("predict").problems(seed)[:-1]:
        keys, values, queries = (problem.inputs[name] for name in ("keys", "values", "queries"))
        targets = p.SAMPLES[problem.name][0](queries)
        found = p.yardsticks(keys, values, queries, targets)
        width = p.WIDTHS[np.argmin(nwlab.bandwidth.loo_error(keys, values, p.WIDTHS))]
        assert width == p.best_width(keys, values)
        by_width = nwlab.nadaraya_watson(queries, keys, values, bandwidth=width)
        nearest = [values[np.argmin(np.abs(keys - query))] for query in queries]
        expected = {"width": by_width, "nearest": nearest, "average": np.mean(values)}
        assert found == pytest.approx({name: np.mean((np.array(x) - targets) ** 2) for name, x in expected.items()}, rel=1e-9)
        assert found["nearest"] > p.NEAREST * found["width"] and found["average"] > p.AVERAGE * found["width"]
        assert judges.ENOUGH < p.NEAREST                                        # so that neither end can pass


@pytest.mark.parametrize("kind, place", [(GAUSSIAN, 0), (RATIONAL, 1)])
@pytest.mark.parametrize("itself", [False, True])
def test_the_pooling_that_is_handed_over_has_the_loss_that_the_judges_know(kind, place, itself):
    rng = np.random.default_rng(3)
    keys, values = p.sample(rng, np.sin, 9, 0.3)
    parameters = rng.normal(size=PARAMETERS)
    mask = None if itself else ~torch.eye(9, dtype=torch.bool)
    came, weights = HandedOver(kind)(*(torch.tensor(x) for x in (keys, keys, values, parameters)), mask)
    assert p.left_out(kind, keys, values, np.exp(parameters[place]), itself) == pytest.approx(np.mean((came.numpy() - values) ** 2))
    assert weights.sum(dim=1).numpy() == pytest.approx(1)


def test_the_slip_of_slopes_that_add_up_is_predicted():
    problem = own_pooling.EXERCISE.item("train").problems(5)[0]
    keys, values = (torch.tensor(problem.inputs[name]) for name in ("keys", "values"))
    came = answers.loop_of(answers.adding_up)(HandedOver(GAUSSIAN), keys, values, 60)[0].item()
    assert training.simulate(lambda x: p.left_out(GAUSSIAN, keys.numpy(), values.numpy(), np.exp(x)), 60) == pytest.approx(came, abs=1e-3)


@pytest.mark.parametrize("name", ["along_x", "two_widths", "laplace", "additive"])
def test_figures_show_any_design(name):
    design = getattr(answers, name)
    figures = [own_pooling.show_weights.draw(design), own_pooling.show_pooling.draw(answers.predictor(design, 20)),
               own_pooling.show_errors.draw(answers.predictor(design, 5))]
    assert [len(figure.axes) for figure in figures] == [2, 3, 2]
    assert "typical ratio" in figures[2].axes[1].get_title(loc="left")


def test_figures_never_raise(capsys):
    def stub(*arguments):
        raise NotImplementedError("write own_scores, then run this cell again")

    for figure in (own_pooling.show_weights, own_pooling.show_pooling, own_pooling.show_errors):
        figure(stub)
        assert "Not yet solved: write own_scores" in capsys.readouterr().out
        figure(lambda *arguments: None)
        assert "No figure yet" in capsys.readouterr().out
