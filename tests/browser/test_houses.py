"""What a page without a kernel does in `explore.houses`: the demonstration moves the pin, terms highlight marks, and
the pin uncovers rows of the heatmap."""
import pytest
from axe import breaks_no_rule
from jupyter_page import expect, nothing_reported, picture, wait_for, wait_until
from live_figures import make

from workbook.site import page as pages

RESTS = """async (demos) => {
  const {key} = document.querySelector("canvas").dataset, begin = performance.now();
  while (performance.now() - begin < 600) await new Promise(requestAnimationFrame); // in which it would go on
  if (document.querySelectorAll(".wb-demo").length !== demos) throw new Error(`there are not ${demos} pointers`);
  if (key !== document.querySelector("canvas").dataset.key) throw new Error("the demonstration goes on");
}"""
# In one turn, in which nothing can follow.
NARROW_AT_ONCE = """() => {
  const { body } = document;
  body.style.cssText = "width: 300px; position: relative";
  const wider = body.scrollWidth - body.clientWidth;
  body.style.cssText = "";
  if (wider > 0) throw new Error(`the page is ${wider} pixels wider than its room`);
}"""
# From before the page's own scripts: the keys of all pictures, however late the test looks.
KEYS = """
  window.keys = [];
  const note = ([{ target }]) => keys.at(-1) !== target.dataset.key && keys.push(target.dataset.key);
  new MutationObserver(note).observe(document, { attributeFilter: ["data-key"], subtree: true });
"""
THERE_AND_BACK = """() => {
  const there = keys.findIndex((key) => key.startsWith("8,"));
  const back = keys.findIndex((key, i) => i > there && key.startsWith("45,"));
  return there > 0 && back > there && keys.lastIndexOf(keys[0]) > back;
}"""
INK = """(canvas, [x, y]) => {
  const scale = canvas.width / 1800, context = canvas.getContext("2d");
  return 255 - Math.min(...context.getImageData(Math.round(x * scale), Math.round(y * scale), 1, 1).data.slice(0, 3));
}"""


@pytest.fixture(scope="module")
def figure():
    """As it is recorded."""
    figure = make("houses")
    figure.lay_out(900, pages.FINE)
    return figure


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("pages") / "houses.html"
    path.write_text(pages.page("houses", states=200), encoding="utf-8")
    return path


@pytest.fixture
def open_page(jupyterlab, file):
    """open_page(motion="no-preference"): the page in a session of its own."""
    page = jupyterlab.another(file.as_uri())
    page.add_init_script(KEYS)

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
    panel, = (panel for panel in figure.interactions(figure.state)["panels"] if panel["name"] == "heat")
    left, _, right, _ = panel["box"]
    return [left + (right - left) * (house + 0.5) / 6, panel["y"][figure.options["query"].index(query)]]


def ink_at(page, place) -> int:
    """How dark the picture is at a place, in recorded pixels; 0 is white."""
    return page.locator("canvas").evaluate(INK, place)


def wait_for_pointer(page, figure) -> None:
    """Wait until the pointer of the demonstration is at the pin."""
    panel, = (panel for panel in figure.interactions(figure.state)["panels"] if panel["name"] == "houses")

    def is_there() -> bool:
        box, query = page.locator("canvas").bounding_box(), int(page.get_attribute("canvas", "data-key").split(",")[0])
        tip = page.eval_on_selector(".wb-demo", "one => [one.getBoundingClientRect().x, one.getBoundingClientRect().y]")
        there = [box[side] + panel[side][query] * box["width"] / 1800 for side in "xy"]
        return tip == pytest.approx(there, abs=1)

    wait_until(page, is_there, "the pointer is elsewhere")


def test_the_demonstration_moves_the_pin_once_and_back_and_rests_at_it(open_page, figure):
    page = open_page()
    page.wait_for_function(THERE_AND_BACK)
    page.wait_for_function("Object.values(sessionStorage).includes('shown')")
    page.evaluate(NARROW_AT_ONCE)
    page.set_viewport_size({"width": 700, "height": 800})
    wait_for_pointer(page, figure)
    breaks_no_rule(page)
    nothing_reported(page, page.problems)
    wait_until(page, lambda: ink_at(page, heat_cell(figure, 70, 1)) > 60 > ink_at(page, heat_cell(figure, 160, 5)),
               "the pin has uncovered other rows")
    page.reload()
    page.wait_for_selector("canvas[data-frame]")
    page.evaluate(RESTS, 1)


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_the_pointer_only_rests_where_less_motion_is_wanted_and_leaves_at_a_touch(open_page, motion, figure):
    page = open_page(motion)
    if motion == "reduce":
        wait_for_pointer(page, figure)
        page.evaluate(RESTS, 1)
    page.get_by_role("button", name="all alike").press("Shift")                 # a key that moves nothing
    page.evaluate(RESTS, 0)
    page.reload()
    page.wait_for_selector("canvas[data-frame]")
    page.evaluate(RESTS, 0)


def test_a_term_that_is_pointed_at_or_has_the_focus_highlights_its_marks(open_page):
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
    expect(page.locator("[data-mark=C]")).to_be_focused()
    breaks_no_rule(page, ".wb-recorded")


def test_the_pin_uncovers_rows_until_reset(open_page, figure):
    page = open_page("reduce")
    canvas = page.locator("canvas")
    here, later = heat_cell(figure, 100, 2), heat_cell(figure, 108, 2)
    wait_for(page, lambda: ink_at(page, later), 0)
    canvas.focus()
    for _ in range(6):
        canvas.press("ArrowRight")
    wait_until(page, lambda: min(ink_at(page, later), ink_at(page, here)) > 60, "no row is laid down, or one is gone")
    page.get_by_role("button", name="all alike").click()
    wait_until(page, lambda: 60 < ink_at(page, later) < 160, "the rows have not followed the width")
    page.get_by_role("button", name="reset").click()
    wait_until(page, lambda: ink_at(page, later) == 0 and ink_at(page, here) > 60, "the rows are not cleared")
