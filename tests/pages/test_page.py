"""A recording: which states are in it, and that it stays small. What it looks like, tests/browser/test_page.py asks."""
import pytest
from live_figures import make

from workbook.authoring.project import BuildError
from workbook.site import page as pages
from workbook.site.recording import Recording, positions


@pytest.fixture(scope="module")
def width():
    figure = make("width")
    figure.lay_out(900, pages.FINE)
    yield figure, Recording(figure, 60)
    figure.close()


def test_what_is_too_large_gets_a_coarser_grid_with_all_that_buttons_ask_for(width):
    figure, whole = width
    small = Recording(figure, 60, limit=len(whole.data) * 9 // 10)
    assert len(small.data) <= len(whole.data) * 9 // 10
    for at in (small.start, *small.presets.values()):
        grid = next(grid for grid in small.grids if grid.matches(at))
        assert all(at[name] in places for name, places in grid.axes.items())


def test_what_a_lesson_asks_for_is_recorded_and_buttons_lead_where_they_lead_in_the_figure(width):
    figure, recording = width
    assert len(recording.grids[0].axes["sigma"]) >= 4, "the control that matters is not recorded"
    for state in figure.scene.lesson_asks:
        figure.set(**state)
        at = figure.positions
        assert any(grid.matches(at) and all(at[axis] in places for axis, places in grid.axes.items())
                   for grid in recording.grids), state
        figure.reset()
    for name, state in figure.presets.items():
        figure.set(**state)
        assert recording.presets[name] == figure.positions


def test_the_first_slider_alone_and_the_keyed_one_have_most_stops_at_each_preset():
    figure = make("pooling")
    figure.lay_out(900, pages.FINE)
    grids = Recording(figure, 150).grids
    both = [grid for grid in grids if {"k", "query"} <= grid.axes.keys()]
    assert len(both) >= 2
    for grid in both:
        alone = grids[grids.index(grid) - 2:grids.index(grid)]
        assert [[*one.axes] for one in alone] == [["k"], ["query"]]
        for one in alone:
            (name, stops), = one.axes.items()
            assert grid.settings.items() <= one.settings.items() and {*stops} > {*grid.axes[name]}
    figure.close()


def test_a_grid_has_its_ends_and_what_must_be():
    found = positions({"sigma": 166, "query": 50}, {"sigma": {75, 101}, "query": {20}}, 400)
    assert {0, 75, 101, 165} <= set(found["sigma"]) and {0, 20, 49} <= set(found["query"])
    assert 300 < len(found["sigma"]) * len(found["query"]) < 500
    assert positions({"exponent": 15, "n": 9}, {"exponent": {4}, "n": {3}}, 50, only_needed=("exponent",)) == {
        "exponent": [4], "n": list(range(9))}


def test_engels_families_are_recorded_although_they_have_no_samples_to_draw():
    figure, recorded = pages.record("width", 358, 20, "engel", sigma=135)
    assert len(figure.scene.data.keys) == 235 and figure.state["sigma"] == 135 and recorded
    figure.close()


def test_an_unknown_name_is_answered_with_those_there_are():
    with pytest.raises(BuildError, match="expected one of borders, consistency"):
        pages.page("widht")
