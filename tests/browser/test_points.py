"""Points of a figure that a reader moves in JupyterLab: by mouse, finger and keys, and takes back."""
import json

import numpy as np
import pytest
from jupyter_page import expect, wait_until

from workbook import explore

TELL = "import json\nprint(json.dumps([figure.sample_points.places.tolist(), figure.state['query']]))"
CELLS = "from workbook import explore\nfigure = explore.width()\nfigure", TELL


@pytest.fixture(scope="module", autouse=True)
def measured(live):
    """Give the page its points, where they are in pixels, and which of them is moved."""
    lab, figure = live, explore.width()
    figure.lay_out(int(lab.canvas.get_attribute("width")))
    lab.start, lab.interactions = figure.sample_points.places, figure.interactions(figure.state)
    figure.close()
    places = lab.start * lab.interactions["movable"]["unit"]   # in pixels
    apart = np.linalg.norm(places[:, None] - places, axis=2) + 1e3 * np.eye(len(places))
    lab.point = int(apart.min(axis=1)[:40].argmax())    # the one that is moved has no other near it
    away = places[lab.point] - places[apart[lab.point].argmin()]
    lab.beside = 11 * away / np.linalg.norm(away)       # pixels from it, where no other is as near


def _places(lab, expected) -> None:
    """Wait until the points (k, 2) and the query that Python has are as expected."""
    def told():
        places, query = json.loads(lab.printed(2))
        return expected(np.array(places), query)
    wait_until(lab.page, told, "the points are not where they should be")


def _on_page(lab, place) -> np.ndarray:
    """Where a place of the panel is in the page."""
    box, movable = lab.canvas.bounding_box(), lab.interactions["movable"]
    x, y = np.array(movable["origin"]) + movable["unit"] * np.array(place)
    return np.array([box["x"] + x, box["y"] + y])


def _only_moved(lab, places, up: float, tolerance=0.03) -> bool:
    """Whether the point has gone up so far, and no other anywhere."""
    apart = places - lab.start if len(places) == 50 else np.full((50, 2), np.inf)
    near = np.abs(apart[lab.point] - (0, up)) < tolerance
    return bool(near.all() and not np.delete(apart, lab.point, axis=0).any())


def test_a_dot_follows_the_mouse_and_undo_takes_the_whole_gesture_back(lab):
    mouse, (x, y), cursor = lab.page.mouse, _on_page(lab, lab.start[lab.point]), "(one) => one.style.cursor"
    _, top = _on_page(lab, lab.start[lab.point] + (0, 1))
    sentence = lab.page.locator(".wb-sentence").text_content()
    wait_until(lab.page, lambda: mouse.move(x + 3, y - 3) or lab.canvas.evaluate(cursor) == "grab",
               "the pointer does not say that the dot can be moved")
    expect(lab.page.locator(".wb-ring")).to_be_visible()
    expect(lab.page.get_by_text("Or drag a dot")).to_be_visible()
    mouse.down()
    mouse.move(x + 3, top - 3, steps=30)
    mouse.up()
    _places(lab, lambda places, query: _only_moved(lab, places, 1.0) and query == explore.width().state["query"])
    lab.page.wait_for_function(f"document.querySelector('.wb-sentence').textContent !== {json.dumps(sentence)}")
    lab.page.get_by_role("button", name="undo").click()
    _places(lab, lambda places, _: np.array_equal(places, lab.start))
    lab.page.wait_for_function(f"document.querySelector('.wb-sentence').textContent === {json.dumps(sentence)}")
    expect(lab.page.get_by_role("button", name="undo")).to_be_disabled()        # there is nothing more to undo


def test_a_double_click_adds_a_dot_and_one_that_is_dragged_out_is_gone(lab):
    mouse, (x, y) = lab.page.mouse, _on_page(lab, lab.start[lab.point])
    free = np.array([4.6, 4.5])
    assert np.abs((lab.start - free) * lab.interactions["movable"]["unit"]).max(axis=1).min() > 16
    lab.page.mouse.dblclick(*_on_page(lab, free))
    _places(lab, lambda places, query: len(places) == 51 and np.abs(places[50] - free).max() < 0.06
            and query == pytest.approx(4.6))
    mouse.move(x, y)
    mouse.down()
    mouse.move(x, y - 400, steps=10)
    mouse.up()
    _places(lab, lambda places, _: np.array_equal(places[:49], np.delete(lab.start, lab.point, axis=0)))


def test_a_finger_moves_a_dot_or_a_row_and_beside_all_dots_the_query_or_scrolls(lab):
    touch = lab.page.context.new_cdp_session(lab.page)

    def swipe(begin, end):
        for i in range(11):
            x, y = np.array(begin) + i / 10 * (np.array(end) - begin)
            touch.send("Input.dispatchTouchEvent", {"type": "touchMove" if i else "touchStart",
                                                    "touchPoints": [{"x": float(x), "y": float(y)}]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    begin, end = (_on_page(lab, lab.start[lab.point] + (0, up)) + lab.beside for up in (0, 1))
    swipe(begin, end)                                   # upwards, where a page would scroll
    _places(lab, lambda places, _: _only_moved(lab, places, 1.0))
    swipe(_on_page(lab, (0.5, 4.5)), _on_page(lab, (4.0, 4.5)))
    _places(lab, lambda places, query: _only_moved(lab, places, 1.0) and query == pytest.approx(4.0, abs=0.11))
    heat, = (panel for panel in lab.interactions["panels"] if panel["name"] == "heat")
    corner = [lab.canvas.bounding_box()[side] for side in "xy"]
    swipe(*(corner + np.array([heat["box"][2] - 9, heat["y"][row]]) for row in (40, 20)))       # a row, upwards as well
    _places(lab, lambda places, query: _only_moved(lab, places, 1.0) and query == pytest.approx(2.0, abs=0.11))
    begin = _on_page(lab, (0.5, 4.5))
    swipe(begin, begin - (0, 60))                       # nothing is dragged up there: the page scrolls
    _places(lab, lambda places, query: _only_moved(lab, places, 1.0) and query == pytest.approx(2.0, abs=0.11))
