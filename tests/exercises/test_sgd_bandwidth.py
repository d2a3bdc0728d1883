"""`nwlab.exercises.sgd_bandwidth` beyond its answers: oracles against torch, and figures that say what a student needs."""
import importlib.util
from pathlib import Path

import numpy as np
import pytest
import torch

from nwlab.exercises.sgd_bandwidth import figures
from nwlab.exercises.sgd_bandwidth import mistakes as wrong
from nwlab.exercises.sgd_bandwidth import problems
from nwlab.exercises import sgd_bandwidth

SPEC = importlib.util.spec_from_file_location("sgd_answers", Path(__file__).parent / "answers" / "sgd_bandwidth.py")
answers = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(answers)

FIGURES = {"show_runaway": ("naive_loss",), "show_losses": ("naive_loss", "leave_one_out_loss"),
           "show_paths": ("naive_loss", "leave_one_out_loss", "descend"), "show_errors": ("descend", "error_against_truth"),
           "show_limits": ("best_w",)}


@pytest.mark.parametrize("leave_one_out", [False, True])
def test_the_slope_by_hand_is_the_slope_by_autograd_and_by_differences(leave_one_out):
    for problem in sgd_bandwidth.EXERCISE.item("slope").problems(4):
        at = problem.inputs | {"leave_one_out": leave_one_out}
        by_hand, step = problems.true_slope(**at), 1e-5
        tensors = [torch.tensor(at[name]) for name in ("rho", "keys", "values")]
        assert np.isclose(by_hand, answers.slope(*tensors, leave_one_out).item(), rtol=1e-9)
        up, down = (problems.true_loss(np.exp(at["rho"] + d), at["keys"], at["values"], leave_one_out) for d in (step, -step))
        assert np.isclose(by_hand, (up - down) / (2 * step), rtol=1e-6)


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_shows_yours_or_says_what_is_missing(name, capsys):
    draw, functions = getattr(sgd_bandwidth, name), FIGURES[name]
    figure = draw.draw(*(getattr(answers, function) for function in functions))
    assert len(figure.axes) >= 2 and all(ax.get_xlabel() for ax in figure.axes)
    draw(*(answers.stub(function) for function in functions))
    assert capsys.readouterr().out.startswith(f"Not yet solved: write {functions[0]}")


def test_a_loss_without_a_record_is_told():
    with pytest.raises(ValueError, match="lost its way back to w"):
        sgd_bandwidth.show_runaway.draw(lambda *at: answers.naive_loss(*at).item())


def test_a_path_of_another_length_is_told():
    with pytest.raises(ValueError, match=r"descend gave shape \(200,\), expected \(201,\)"):
        sgd_bandwidth.show_errors.draw(lambda *at: answers.descend(*at)[1:], answers.error_against_truth)


def test_what_the_text_says_of_the_runs():
    """The numbers that notebook and model answer name: 30 to 0.15, w = 4.93, errors 0.025, 0.028 and 0.31."""
    keys, values = figures.sample().keys, figures.sample().values
    naive, left, far = (figures.right_path(*run) for run in ((1.0, False), (1.0, True), (20.0, True)))
    losses = [wrong.squares(wrong.naive(w, keys), values) for w in naive]
    assert round(losses[0]) == 30 and f"{losses[-1]:.2f}" == "0.15" and np.all(np.diff(losses) < 0) and np.all(np.diff(naive) > 0)
    assert f"{left[-1]:.2f}" == f"{far[-1]:.2f}" == "4.93"
    errors = [figures.right_error(w) for w in naive]
    assert f"{min(errors):.3f}" == "0.025" and f"{errors[-1]:.2f}" == "0.31" and round(errors[-1] / min(errors)) == 12
    assert f"{figures.right_error(left[-1]):.3f}" == "0.028"
    assert f"{min(figures.right_error(w) for w in figures.GRID):.3f}" == "0.025"


def test_the_paths_of_the_figure_are_those_of_the_students_right_descent():
    data = [torch.tensor(x) for x in (figures.sample().keys, figures.sample().values)]
    path = answers.descend(torch.tensor(0.0, dtype=torch.float64), *data, True, figures.RATE, figures.STEPS)
    assert np.allclose(path.numpy(), figures.right_path(1.0, True), rtol=1e-6)
