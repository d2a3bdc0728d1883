"""A recorded figure: it shows what the figure itself shows, letter by letter and shape by shape, and stays small."""
import os
import re
from functools import cache

import numpy as np
import pytest
from live_figures import make
from recorded import Recorded, look_of

from nwlab.course import COURSE
from nwlab import explore
from workbook.authoring.project import Project
from workbook.site import page as pages
from workbook.site.recording import grid

SHORT = {"zoo": {"steps": 20}}
LARGER = ("consistency", "landscape", "pooling", "zoo")     # three axes, or slabs that differ in more than one control
MATTERS = {"borders": "sigma", "consistency": "exponent", "heatmap": "sigma", "in_context": "step", "kernels": "h",
           "landscape": "step", "morph": "step", "pooling": "k", "two_classes": "sigma", "width": "sigma",
           "zoo": "step"}


def write(name: str, states: int) -> str:
    return pages.page(COURSE, name, states=states, **SHORT.get(name, {}))


written = cache(write)


@pytest.mark.parametrize("name", MATTERS if "NWLAB_STATES" in os.environ else ["width", "landscape"])
def test_it_shows_what_the_figure_shows(name):
    recorded, dice = Recorded(written(name, 260 if name in LARGER else 120)), np.random.default_rng(0)
    figure = make(name)
    figure.lay_out(900, pages.FINE)
    first = recorded.head["slabs"][0]
    assert len(dict(first["axes"])[MATTERS[name]]) >= 4, "the control that matters is not recorded"
    for slab in recorded.head["slabs"]:
        for place in map(int, dice.choice(len(slab["table"]), size=3)):
            state = state_at(recorded, figure, slab, place, dice)
            np.testing.assert_equal(recorded.look(slab, place), look_of(figure, state))
    figure.close()


def state_at(recorded: Recorded, figure, slab: dict, place: int, dice) -> dict:
    """The state of a place in a slab; a control that changes nothing there stands anywhere."""
    at = {**recorded.head["start"], **slab["settings"]}
    across = np.unravel_index(place, [len(places) for _, places in slab["axes"]])
    at.update((axis, places[i]) for (axis, places), i in zip(slab["axes"], across))
    at.update((idle, int(dice.integers(len(figure.options[idle])))) for idle in slab["idle"])
    return {name: figure.options[name][i] for name, i in at.items()}


def test_the_same_bytes_twice():
    assert write("width", 30) == written("width", 30)


def test_what_is_too_large_gets_a_coarser_grid_with_all_that_buttons_ask_for():
    figure = pages.make(COURSE, "width", 900)
    whole = len(pages.Recording(figure, 200).data)
    small = pages.Recording(pages.make(COURSE, "width", 900), 200, limit=whole * 5 // 6)
    assert len(small.data) <= whole * 5 // 6 < whole
    for at in (small.start, *small.presets.values()):
        slab = next(slab for slab in small.slabs if slab.matches(at))
        assert all(at[name] in places for name, places in slab.axes.items())


def test_what_no_grid_makes_small_enough_is_refused():
    with pytest.raises(ValueError, match=r"width: got a recording of \d+ bytes, expected at most 1000"):
        pages.Recording(pages.make(COURSE, "width", 900), 30, limit=1000, name="width")


def test_buttons_lead_where_they_lead_in_the_figure():
    recorded, figure = Recorded(written("width", 30)), make("width")
    figure.set(sigma=0.03)
    assert recorded.head["presets"]["needle"] == figure.positions
    assert [*recorded.head["presets"], "reset"] == [button.description for button in figure.buttons]
    figure.close()


@pytest.mark.parametrize("name", ["landscape", "morph", "pooling", "width"])
def test_what_a_lesson_asks_for_is_recorded(name):
    recorded, figure = Recorded(write(name, 30)), make(name)
    for state in figure.scene.lesson_asks:
        figure.set(**state)
        at = figure.positions
        assert any(all(at[control] == place for control, place in slab["settings"].items())
                   and all(at[control] in places for control, places in slab["axes"])
                   for slab in recorded.head["slabs"]), state
        figure.reset()
    figure.close()


def test_a_grid_has_its_ends_and_what_must_be():
    found = grid({"sigma": 166, "query": 50}, {"sigma": {75, 101}, "query": {20}}, 400)
    assert {0, 75, 101, 165} <= set(found["sigma"]) and {0, 20, 49} <= set(found["query"])
    assert 200 < len(found["sigma"]) * len(found["query"]) <= 400
    assert grid({"exponent": 15, "n": 9}, {"exponent": {4}, "n": {3}}, 50, ("exponent",)) == {
        "exponent": [4], "n": list(range(9))}


def test_each_figure_leads_to_its_lesson(root):
    project = Project(root, COURSE)
    found = {name: pages.lesson_on_binder(name, project) for name in explore.__all__}
    for name, address in found.items():
        lesson = re.fullmatch(r"https://mybinder\.org/v2/gh/[^?]+\?urlpath=lab/tree/notebooks/(\w+)\.ipynb", address)[1]
        assert f"explore.{name}(" in (project.notebooks / "source" / f"{lesson}.md").read_text(encoding="utf-8")
    assert "04_choosing_the_width" in found["width"] and "02_kernels" in found["kernels"]


def test_nothing_comes_from_another_host():
    text = written("width", 30)
    head = text.split('<script type="module">')[0]
    found = re.findall(r'(?:src|href|url)\W+([^"]+)', head)
    assert found and all(address.startswith("data:") for address in found)
    assert "{{" not in text.split("<style>")[0]


def test_an_unknown_name_is_answered_with_those_there_are():
    with pytest.raises(ValueError, match="expected one of borders, consistency"):
        pages.page(COURSE, "widht")
