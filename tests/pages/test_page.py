"""A recorded figure: it shows what the figure itself shows, letter by letter and shape by shape, and stays small."""
import base64
import os
import re
from functools import cache

import numpy as np
import pytest
from live_figures import make
from recorded import Recorded, look_of

from nwlab.course import COURSE
from workbook.site import page as pages
from workbook.site.recording import positions

SHORT = {"zoo": {"steps": 20}}
LARGER = ("consistency", "landscape", "pooling", "zoo")     # three axes, or grids that differ in more than one control
MATTERS = {"borders": "sigma", "consistency": "exponent", "heatmap": "sigma", "in_context": "step", "kernels": "h",
           "landscape": "step", "morph": "step", "pooling": "k", "two_classes": "sigma", "width": "sigma",
           "zoo": "step"}


@cache
def written(name: str, states: int) -> str:
    return pages.page(COURSE, name, states=states, **SHORT.get(name, {}))


@pytest.mark.parametrize("name", MATTERS if "NWLAB_STATES" in os.environ else ["width", "pooling"])
def test_it_shows_what_the_figure_shows(name):
    recorded, dice = Recorded(written(name, 150 if name in LARGER else 60)), np.random.default_rng(0)
    figure = make(name)
    figure.lay_out(900, pages.FINE)
    first = recorded.head["grids"][0]
    assert len(dict(first["axes"])[MATTERS[name]]) >= 4, "the control that matters is not recorded"
    for grid in recorded.head["grids"]:
        for i in map(int, dice.choice(len(grid["frames"]), size=3)):
            state = state_at(recorded, figure, grid, i, dice)
            np.testing.assert_equal(recorded.look(grid, i), look_of(figure, state))
    figure.close()


def state_at(recorded: Recorded, figure, grid: dict, i: int, dice) -> dict:
    """The state of the i-th frame of a grid; a control that changes nothing there stands anywhere."""
    at = {name: int(dice.integers(len(options))) for name, options in figure.options.items()} | grid["settings"]
    across = np.unravel_index(i, [len(places) for _, places in grid["axes"]])
    at |= {axis: places[j] for (axis, places), j in zip(grid["axes"], across)}
    return {name: figure.options[name][position] for name, position in at.items()}


def test_what_is_too_large_gets_a_coarser_grid_with_all_that_buttons_ask_for():
    whole = len(base64.b64decode(re.search(r'class="wb-recording">([^<]+)<', written("width", 60))[1]))
    small = pages.Recording(pages.make(COURSE, "width", 900), 60, limit=whole * 9 // 10)
    assert len(small.data) <= whole * 9 // 10
    for at in (small.start, *small.presets.values()):
        grid = next(grid for grid in small.grids if grid.matches(at))
        assert all(at[name] in places for name, places in grid.axes.items())


def test_what_no_grid_makes_small_enough_is_refused():
    with pytest.raises(ValueError, match=r"width: got a recording of \d+ bytes, expected at most 1000"):
        pages.Recording(pages.make(COURSE, "width", 900), 30, limit=1000, name="width")


@pytest.mark.parametrize(("name", "states"), [("pooling", 150), ("width", 60)])
def test_what_a_lesson_asks_for_is_recorded_and_buttons_lead_where_they_lead_in_the_figure(name, states):
    recorded, figure = Recorded(written(name, states)), make(name)
    for state in figure.scene.lesson_asks:
        figure.set(**state)
        at = figure.positions
        assert any(grid["settings"].items() <= at.items() and all(at[axis] in places for axis, places in grid["axes"])
                   for grid in recorded.head["grids"]), state
        figure.reset()
    for button in figure.buttons[:-1]:
        button.click()
        assert recorded.head["presets"][button.description] == figure.positions
    figure.close()


def test_a_grid_has_its_ends_and_what_must_be():
    found = positions({"sigma": 166, "query": 50}, {"sigma": {75, 101}, "query": {20}}, 400)
    assert {0, 75, 101, 165} <= set(found["sigma"]) and {0, 20, 49} <= set(found["query"])
    assert 300 < len(found["sigma"]) * len(found["query"]) < 500
    assert positions({"exponent": 15, "n": 9}, {"exponent": {4}, "n": {3}}, 50, only_needed=("exponent",)) == {
        "exponent": [4], "n": list(range(9))}


def test_nothing_comes_from_another_host():
    text = written("width", 60)
    head = text.split('<script type="module">')[0]
    found = re.findall(r'(?:src|href|url)\W+([^"]+)', head)
    assert found and all(address.startswith("data:") for address in found)
    assert "{{" not in text.split("<style>")[0]


def test_an_unknown_name_is_answered_with_those_there_are():
    with pytest.raises(ValueError, match="expected one of borders, consistency"):
        pages.page(COURSE, "widht")
