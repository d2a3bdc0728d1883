"""What a page does by itself in `explore.houses`: a hand comes once, terms light marks, the pin uncovers rows.

That the hand comes in JupyterLab too, test_all_figures.py asks."""
import pytest
from axe import violations
from jupyter_page import picture, wait_until

from nwlab.course import COURSE
from workbook.site import page as pages

TEN_FRAMES = """async () => {
  for (let i = 0; i < 10; i++) await new Promise(requestAnimationFrame); // in which a hand would come
  return document.querySelectorAll(".wb-hand").length;
}"""
INK = """(canvas, [x, y]) => {
  const scale = canvas.width / 1800, context = canvas.getContext("2d");
  return 255 - Math.min(...context.getImageData(Math.round(x * scale), Math.round(y * scale), 1, 1).data.slice(0, 3));
}"""


@pytest.fixture(scope="module")
def figure():
    """As it is recorded."""
    figure = pages.make(COURSE, "houses", 900)
    yield figure
    figure.close()


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("pages") / "houses.html"
    path.write_text(pages.page(COURSE, "houses", states=130), encoding="utf-8")
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


def test_the_hand_comes_once_goes_where_it_came_from_and_leaves_its_rows(open_page, figure):
    page, (first, *stops) = open_page(), figure.canvas.hand
    start = page.get_attribute("canvas", "data-key")
    page.wait_for_selector(".wb-hand", state="attached")
    page.wait_for_function("([stop]) => document.querySelector('canvas').dataset.key.split(',')[0] === String(stop)",
                           arg=[min(stops)])
    page.wait_for_selector(".wb-hand", state="detached")
    assert page.get_attribute("canvas", "data-key") == start
    assert page.problems == []
    canvas = page.locator("canvas")
    assert canvas.evaluate(INK, heat_cell(figure, 70, 1)) > 60 > canvas.evaluate(INK, heat_cell(figure, 160, 5))
    page.reload()
    page.wait_for_selector("canvas[data-frame]")
    assert page.evaluate(TEN_FRAMES) == 0


@pytest.mark.parametrize(("motion", "touch"), [("reduce", False), ("no-preference", True)])
def test_the_hand_stays_away_where_less_motion_is_wanted_and_leaves_at_a_touch(open_page, motion, touch):
    page = open_page(motion)
    if touch:
        page.wait_for_selector(".wb-hand", state="attached")
        page.get_by_role("button", name="all alike").press("Shift")             # a key that moves nothing
        page.wait_for_selector(".wb-hand", state="detached")
        key = page.get_attribute("canvas", "data-key")
        assert page.evaluate(TEN_FRAMES) == 0 and page.get_attribute("canvas", "data-key") == key
    else:
        assert page.evaluate(TEN_FRAMES) == 0


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
