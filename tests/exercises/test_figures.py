"""Every figure, drawn from the model answers: a figure cell never raises, so a broken one goes unseen."""
import inspect

import numpy as np
import pytest
from matplotlib.text import Text

from exercises import model_answers
from workbook import exercises

FIGURES = [pytest.param(name, figure, id=f"{name}-{figure}") for name in exercises.NAMES
           for figure in getattr(exercises, name).__all__ if figure.startswith("show_")]
FEWER = {"own_pooling": {"FRESH": 3}, "worth_of_w": {"SAMPLES": 2, "SIZES": (25, 50)},
         "sgd_bandwidth": {"STEPS": 45, "GRID": np.geomspace(0.2, 1000, 15)}}             # as right, and quicker


def words_of(figure) -> list:
    """The texts of its axes, those of ticks aside."""
    figure.draw_without_rendering()
    return [text for ax in figure.axes for text in (*ax.get_children(), ax.xaxis.label, ax.yaxis.label)
            if isinstance(text, Text)]


def cut_off(figure):
    """The texts of which the picture's edge cuts off more than a hair."""
    (left, low), (right, high) = figure.bbox.padded(2).extents.reshape(2, 2)
    boxes = {text.get_text(): text.get_window_extent() for text in words_of(figure) if text.get_text().strip()}
    return [words for words, box in boxes.items() if box.x0 < left or box.y0 < low or box.x1 > right or box.y1 > high]


def overprinted(figure):
    """The pairs of texts, those of ticks aside, that stand on each other."""
    texts = words_of(figure)
    boxes = [(text.get_text(), text.get_window_extent().shrunk(0.9, 0.9)) for text in texts if text.get_text().strip()]
    return [(one, other) for i, (one, box) in enumerate(boxes) for other, at in boxes[i + 1:] if box.overlaps(at)]


@pytest.mark.parametrize("name, figure", FIGURES)
def test_it_is_drawn_from_model_answers(name, figure, monkeypatch):
    """With words at each of its axes, and something drawn in it."""
    exercise, model = getattr(exercises, name), getattr(model_answers, name)
    for constant, value in FEWER.get(name, {}).items():
        monkeypatch.setattr(exercise.figures, constant, value)
    asked = list(inspect.signature(draw := getattr(exercise, figure)).parameters)[1:]
    drawn = draw.draw(*(getattr(model, item) for item in asked if hasattr(model, item)),
                      **{option: 3 for option in asked if option == "samples"})
    assert drawn.axes and not cut_off(drawn) and not overprinted(drawn)      # as the first drawing is, and the next
    for ax in drawn.axes:
        assert ax.get_xlabel() or ax.get_ylabel() or any(ax.get_title(loc=side) for side in ("left", "center"))
        assert ax.lines or ax.images or ax.collections or ax.patches
