"""What a page does by itself in `explore.houses`: a hand shows the pin, terms light marks, the pin uncovers rows.

That the hand moves it in JupyterLab too, test_all_figures.py asks."""
import pytest
from axe import violations
from jupyter_page import picture, wait_until

from nwlab.course import COURSE
from workbook.site import page as pages

RESTS = """async () => {
  const {key} = document.querySelector("canvas").dataset, begin = performance.now();
  while (performance.now() - begin < 600) await new Promise(requestAnimationFrame); // in which it would go on
  return [document.querySelectorAll(".wb-hand").length, key === document.querySelector("canvas").dataset.key];
}"""
INK = """(canvas, [x, y]) => {
  const scale = canvas.width / 1800, context = canvas.getContext("2d");
  return 255 - Math.min(...context.getImageData(Math.round(x * scale), Math.round(y * scale), 1, 1).data.slice(0, 3));
}"""


@pytest.fixture(scope="module")
def figure():
    """As it is recorded."""
    figure, _ = pages.record(COURSE, "houses", 900, 20)
    yield figure
    figure.close()


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("pages") / "houses.html"
    path.write_text(pages.page(COURSE, "houses", states=200), encoding="utf-8")
    return path


@pytest.fixture
def open_page(jupyterlab, file):
    """open_page(motion="no-preference"): the page in a session of its own."""
    page = jupyterlab.another(file.as_uri())

    def opened(motion="no-preference"):
        page.emulate_media(reduced_motion=motion)
        page.evaluate("sessionStorage.clear()")
        page.reload()
        page.wait_for_selector("canvas[data-frame]")
        return page

    yield opened
    page.emulate_media(reduced_motion="no-preference")


def heat_cell(figure, query: float, house: int) -> list[float]:
    """Where the middle of a cell of the heatmap is, in recorded pixels."""
    panel, = (panel for panel in figure.hands(figure.state)["panels"] if panel["name"] == "heat")
    left, _, right, _ = panel["box"]
    return [left + (right - left) * (house + 0.5) / 6, panel["y"][figure.options["query"].index(query)]]


def hand_at_pin(page, figure) -> bool:
    """Whether its finger tip lies at the foot of the pin."""
    panel, = (panel for panel in figure.hands(figure.state)["panels"] if panel["name"] == "houses")
    box, query = page.locator("canvas").bounding_box(), int(page.get_attribute("canvas", "data-key").split(",")[0])
    tip = page.eval_on_selector(".wb-hand", "hand => [hand.getBoundingClientRect().x, hand.getBoundingClientRect().y]")
    there = [box["x"] + panel["x"][query] * box["width"] / 1800, box["y"] + panel["box"][3] * box["width"] / 1800]
    return tip == pytest.approx(there, abs=1)


def test_the_hand_moves_the_pin_once_and_back_and_rests_at_it(open_page, figure):
    page = open_page()
    start = page.get_attribute("canvas", "data-key")
    for stop in ("8,", "45,", start):
        page.wait_for_function("(stop) => document.querySelector('canvas').dataset.key.startsWith(stop)", arg=stop)
    page.wait_for_function("Object.values(sessionStorage).includes('shown')")
    page.set_viewport_size({"width": 700, "height": 800})
    wait_until(page, lambda: hand_at_pin(page, figure), "the hand is elsewhere")
    assert page.problems == violations(page) == []
    canvas = page.locator("canvas")
    assert canvas.evaluate(INK, heat_cell(figure, 70, 1)) > 60 > canvas.evaluate(INK, heat_cell(figure, 160, 5))
    page.reload()
    page.wait_for_selector("canvas[data-frame]")
    assert page.evaluate(RESTS) == [1, True]


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_the_hand_only_rests_where_less_motion_is_wanted_and_leaves_at_a_touch(open_page, motion, figure):
    page = open_page(motion)
    assert hand_at_pin(page, figure)
    if motion == "reduce":
        assert page.evaluate(RESTS) == [1, True]
    page.get_by_role("button", name="all alike").press("Shift")                 # a key that moves nothing
    assert page.evaluate(RESTS) == [0, True]
    page.reload()
    page.wait_for_selector("canvas[data-frame]")
    assert page.evaluate(RESTS) == [0, True]


def test_a_term_that_is_pointed_at_or_has_the_focus_lights_its_marks(open_page):
    page = open_page("reduce")
    canvas, plain = page.locator("canvas"), picture(page.locator("canvas"))
    seen = set()
    for name in "ABCDEF":
        page.locator(f"[data-mark={name}]").hover()
        wait_until(page, lambda: picture(canvas) not in {plain, *seen}, f"house {name} is not lit")
        seen.add(picture(canvas))
    page.mouse.move(5, 5)
    wait_until(page, lambda: picture(canvas) == plain, "a house stays lit")
    page.locator("[data-mark=B]").focus()
    wait_until(page, lambda: picture(canvas) in seen, "the focus lights nothing")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.mark") == "C"
    assert violations(page, ".wb-recorded") == []


def test_the_pin_uncovers_rows_until_reset(open_page, figure):
    page = open_page("reduce")
    canvas = page.locator("canvas")
    here, later = heat_cell(figure, 100, 2), heat_cell(figure, 108, 2)
    assert canvas.evaluate(INK, later) == 0
    canvas.focus()
    for _ in range(6):
        canvas.press("ArrowRight")
    wait_until(page, lambda: canvas.evaluate(INK, later) > 60, "no row is laid down")
    assert canvas.evaluate(INK, here) > 60, "the rows before stay"
    page.get_by_role("button", name="all alike").click()
    wait_until(page, lambda: 60 < canvas.evaluate(INK, later) < 160, "the rows have not followed the width")
    page.get_by_role("button", name="reset").click()
    wait_until(page, lambda: canvas.evaluate(INK, later) == 0, "the rows are not cleared")
    assert canvas.evaluate(INK, here) > 60
