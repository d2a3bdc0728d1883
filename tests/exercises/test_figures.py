"""Every figure, drawn from the model answers: a figure cell never raises, so a broken one goes unseen."""
import inspect

import numpy as np
import pytest

from exercises import model_answers
from workbook import exercises
from workbook.exercises import online_softmax

FIGURES = [pytest.param(name, figure, id=f"{name}-{figure}") for name in exercises.NAMES
           for figure in getattr(exercises, name).__all__ if figure.startswith("show_")]
FEWER = {"own_pooling": {"FRESH": 3}, "worth_of_w": {"SAMPLES": 2, "SIZES": (25, 50)},
         "sgd_bandwidth": {"STEPS": 45, "GRID": np.geomspace(0.2, 1000, 15)}}             # as right, and quicker


def overprinted(figure):
    """The pairs of texts, those of ticks aside, that stand on each other."""
    figure.draw_without_rendering()
    texts = [text for ax in figure.axes for text in (*ax.texts, ax.xaxis.label, ax.yaxis.label)]
    boxes = [(text.get_text(), text.get_window_extent().shrunk(0.9, 0.9)) for text in texts if text.get_text().strip()]
    return [(one, other) for i, (one, box) in enumerate(boxes) for other, at in boxes[i + 1:] if box.overlaps(at)]


@pytest.mark.parametrize("name, figure, wrong", [
    ("online_softmax", "show_memory", {"attend_in_blocks": online_softmax.items.attend_in_blocks}),
    ("one_head", "show_learned", {"train": lambda x, known, steps: model_answers.one_head.train(x, known, 0)}),
    ("sgd_bandwidth", "show_errors",
     {"descend": lambda *at: model_answers.sgd_bandwidth.descend(*at[:3], True, *at[4:])}),
])
def test_labels_stay_apart_where_a_wrong_answer_makes_curves_coincide(name, figure, wrong):
    draw, model = getattr(getattr(exercises, name), figure), getattr(model_answers, name)
    asked = list(inspect.signature(draw).parameters)[1:]
    assert not overprinted(draw.draw(*(wrong.get(item) or getattr(model, item) for item in asked)))


@pytest.mark.parametrize("name, figure", FIGURES)
def test_it_is_drawn_from_model_answers(name, figure, monkeypatch):
    """With words at each of its axes, and something drawn in it."""
    exercise, model = getattr(exercises, name), getattr(model_answers, name)
    for constant, value in FEWER.get(name, {}).items():
        monkeypatch.setattr(exercise.figures, constant, value)
    asked = list(inspect.signature(draw := getattr(exercise, figure)).parameters)[1:]
    drawn = draw.draw(*(getattr(model, item) for item in asked if hasattr(model, item)),
                      **{option: 3 for option in asked if option == "samples"})
    assert drawn.axes and not overprinted(drawn)
    for ax in drawn.axes:
        assert ax.get_xlabel() or ax.get_ylabel() or any(ax.get_title(loc=side) for side in ("left", "center"))
        assert ax.lines or ax.images or ax.collections or ax.patches
