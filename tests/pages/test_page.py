"""A recorded figure: it shows what the figure itself shows, letter by letter and shape by shape, and stays small."""
import base64
import json
import os
import re
import zlib
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from live_figures import make

from workbook.figures.tables import tables
from workbook.site import page as pages
from workbook.site.recording import ARRAYS, positions

SHORT = {"zoo": {"steps": 20}}
LARGER = ("consistency", "landscape", "pooling", "zoo")     # three axes, or grids that differ in more than one control
MATTERS = {"borders": "sigma", "consistency": "exponent", "heatmap": "sigma", "in_context": "step", "kernels": "h",
           "landscape": "step", "morph": "step", "pooling": "k", "two_classes": "share", "width": "sigma",
           "zoo": "step"}
TYPES = {"i16": "<i2", "u8": "u1", "rgba": "<u4"}


class Recorded:
    """head: what the page knows of the figure. `look(grid, i)` is what it shows in the i-th frame of a grid."""

    def __init__(self, page: str):
        data = zlib.decompress(base64.b64decode(re.search(r'class="wb-recording">([^<]+)<', page)[1]))
        length, = np.frombuffer(data[:4], "<u4")
        self.head, start, self.held = json.loads(data[4:4 + length]), 4 + length, {}
        kinds, numbers, sizes = self.head["news"]
        for kind, number, size in zip(kinds, np.cumsum(numbers).tolist(), sizes):
            self.held[number] = kind, data[start:(start := start + size)]
        assert start == len(data)
        for grid in self.head["grids"]:
            count, *columns = grid["frames"]
            rows = [[*map(int, row)] for row in zip(*map(np.cumsum, columns))]
            grid["frames"] = [[row[0], [one for one in row[2:2 + count] if one >= 0], row[1],
                               [one for one in row[2 + count:] if one >= 0]] for row in rows]

    def look(self, grid: dict, i: int):
        background, items, sentence, (heads, *columns) = grid["frames"][i]
        columns = iter(self.held[column][1].decode().split("\t") for column in columns)
        tables = [{"caption": caption, "head": head, "rows": [list(row) for row in zip(*(next(columns) for _ in head))]}
                  for caption, head in json.loads(self.held[heads][1])]
        return *look(self.held, background, items, sentence), tables


def look(held: dict, background: int, items: list, sentence: int) -> tuple[list, list, str]:
    """The items of a background and those that move, with their arrays, and the sentence."""
    def shapes_of(item: int) -> list:
        shapes = json.loads(held[item][1])
        for shape in shapes:
            at = ARRAYS[shape[0]]
            shape[at] = [None if one < 0 else np.frombuffer(held[one][1], TYPES[held[one][0]]) for one in shape[at]]
        return shapes

    still = json.loads(held[background][1])
    return [*map(shapes_of, still)], [*map(shapes_of, items)], held[sentence][1].decode()


def look_of(figure, state: dict):
    """The same of the figure itself."""
    frame = figure.frame_of(state)
    held = [(about["kind"], data) for about, data in figure.camera.catalogue.news]
    return *look(held, *frame), tables(figure.scene.panels.values())


@cache
def written(name: str, states: int) -> str:
    return pages.page(name, states=states, **SHORT.get(name, {}))


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
    small = pages.Recording(pages.record("width", 900, 12)[0], 60, limit=whole * 9 // 10)
    assert len(small.data) <= whole * 9 // 10
    for at in (small.start, *small.presets.values()):
        grid = next(grid for grid in small.grids if grid.matches(at))
        assert all(at[name] in places for name, places in grid.axes.items())


@pytest.mark.parametrize(("name", "states"), [("pooling", 150), ("width", 60)])
def test_what_a_lesson_asks_for_is_recorded_and_buttons_lead_where_they_lead_in_the_figure(name, states):
    recorded, figure = Recorded(written(name, states)), make(name)
    for state in figure.scene.lesson_asks:
        figure.set(**state)
        at = figure.positions
        assert any(grid["settings"].items() <= at.items() and all(at[axis] in places for axis, places in grid["axes"])
                   for grid in recorded.head["grids"]), state
        figure.reset()
    for name, state in figure.presets.items():
        figure.set(**state)
        assert recorded.head["presets"][name] == figure.positions
    figure.close()


def test_the_first_slider_alone_has_most_stops_at_each_preset():
    grids = Recorded(written("pooling", 150)).head["grids"]
    moved = [(before, grid) for before, grid in pairwise(grids) if {"k"} < dict(grid["axes"]).keys()]
    assert len(moved) >= 2
    for before, grid in moved:
        (name, stops), = before["axes"]
        assert name == "k" and grid["settings"].items() <= before["settings"].items()
        assert len(stops) > len(dict(grid["axes"])["k"])


def test_a_grid_has_its_ends_and_what_must_be():
    found = positions({"sigma": 166, "query": 50}, {"sigma": {75, 101}, "query": {20}}, 400)
    assert {0, 75, 101, 165} <= set(found["sigma"]) and {0, 20, 49} <= set(found["query"])
    assert 300 < len(found["sigma"]) * len(found["query"]) < 500
    assert positions({"exponent": 15, "n": 9}, {"exponent": {4}, "n": {3}}, 50, only_needed=("exponent",)) == {
        "exponent": [4], "n": list(range(9))}


def test_an_unknown_name_is_answered_with_those_there_are():
    with pytest.raises(ValueError, match="expected one of borders, consistency"):
        pages.page("widht")
