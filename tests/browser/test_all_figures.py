"""All live figures in a small window: nothing is cut off, Tab reaches the picture first, and everything has a name; and
what keyboard users and those who prefer less motion need."""
import re

import pytest
from axe import breaks_no_rule
from jupyter_page import CONTENT, expect, frame_of, settle, wait_for, wait_until
from live_figures import shared

from workbook import explore

SHOW = """from workbook import explore
import sys
sys.modules["workbook.explore.scale"].PATIENCE = {"dense": 0.05, "window": 0.1, "fast": 0.5}
def show(figure):
    figure.scene.slow = tuple(figure.options)       # nothing is prepared, which takes most of the time
    return figure"""
HIGHEST = 600                           # pixels, while the numbers are closed
MEASURE = """(figure) => {
  const canvas = figure.querySelector('.wb-canvas');
  const stops = [...figure.querySelectorAll('button, input, select, [tabindex]')].filter((each) =>
    each.tabIndex >= 0 && !each.disabled && each.checkVisibility({visibilityProperty: true}));
  return {
    room: canvas.parentElement.clientWidth, width: canvas.clientWidth, drawn: canvas.width,
    height: figure.getBoundingClientRect().height, stops: stops.indexOf(canvas),
    cut: [...figure.querySelectorAll('.wb-control span, .wb-typed')].filter((each) => each.checkVisibility() &&
      each.scrollWidth > each.clientWidth + 1).map((each) => each.value ?? each.textContent),
  };
}"""
IN_ROOMS = """(figure, sentences) => {
  const { style } = figure, before = style.width, shown = figure.querySelector('.wb-sentence');
  const now = shown.innerHTML, fold = figure.querySelector('.wb-tables');
  const inside = [...figure.querySelectorAll(':scope > :not(.wb-demo, .wb-ring)')];
  const wide = (each) => each.getBoundingClientRect().width;
  const measured = [390, 640, 900, 1400].map((room) => {
    style.width = room + 'px';
    const heights = sentences.map((sentence) => {
      shown.innerHTML = sentence;
      return fold.getBoundingClientRect().top - figure.getBoundingClientRect().top;
    });
    return { room, heights: new Set(heights).size, wider: Math.max(...inside.map((each) => each.scrollWidth)) - room,
             track: Math.min(...[...figure.querySelectorAll('.wb-controls [type=range]')].map(wide)) };
  });
  style.width = before;
  shown.innerHTML = now;
  return measured;
}"""


@pytest.fixture(scope="module")
def figures(jupyterlab):
    """All live figures in one notebook, in a window of 900 by 700 pixels: figures(name) scrolls to one and returns it
    when it rests."""
    short = {"zoo": "steps=20"}
    shown = (f"show(explore.{name}({short.get(name, '')}))" for name in explore.__all__)
    lab = jupyterlab.write("figures", SHOW, *shown, width=900, height=700)
    lab.run_all()

    def figure(name: str):
        cell = explore.__all__.index(name) + 2
        lab.page.evaluate(f"() => void {CONTENT}.scrollToItem({cell})")             # and not wait for its promise
        shown = lab.page.locator(f"[data-windowed-list-index='{cell}'] .wb-figure")
        canvas = shown.locator(".wb-canvas")
        canvas.scroll_into_view_if_needed()
        wait_until(lab.page, lambda: frame_of(canvas), "no frame")
        settle(canvas)
        return shown

    yield figure
    lab.assert_nothing_failed()


@pytest.mark.parametrize("name", explore.__all__)
def test_it_is_seen_whole_the_picture_is_soon_reached_all_has_a_name_and_nothing_jumps(figures, name):
    figure = figures(name)
    def is_whole():
        seen = figure.evaluate(MEASURE)
        return (seen["width"] == seen["drawn"] == seen["room"] < 800 and seen["height"] <= HIGHEST
                and seen["cut"] == [] and seen["stops"] == 0)           # Tab comes to the picture first

    wait_until(figure.page, is_whole, lambda: f"not whole, or not the first for Tab: {figure.evaluate(MEASURE)}")
    numbers = figure.get_by_text("numbers", exact=True)
    numbers.press("Enter")
    figure.locator("table").first.wait_for()
    breaks_no_rule(figure.page, f"[data-windowed-list-index='{explore.__all__.index(name) + 2}'] .wb-figure")
    expect(figure.locator(".wb-canvas")).to_have_attribute("aria-label", re.compile("arrow keys move"))
    for slider, number in zip(figure.locator("[type=range]").all(), figure.locator(".wb-typed").all()):
        expect(slider).to_have_attribute("aria-valuetext", number.input_value())
    numbers.press("Enter")
    longest = shared(name).scene.longest                # tests/explore/test_contract.py holds every sentence to it
    words = "The width is σ = 0.25 (w = 1/σ = 4): a query attends to 5.31 of 50 keys. " * 10
    sentences = ["Short.", words[:longest // 2], words[:longest]]
    wait_for(figure.page, lambda: [seen for seen in figure.evaluate(IN_ROOMS, sentences)
                                   if seen["heights"] != 1 or seen["wider"] > 0 or seen["track"] < 140], [])


def test_what_is_folded_unfolds_arrow_keys_go_along_a_row_of_buttons_and_tab_leads_out_of_the_picture(figures):
    figure = figures("width")
    fold, seed = figure.locator(".wb-fold"), figure.get_by_role("slider", name="seed")
    fold.scroll_into_view_if_needed()
    expect(seed).to_be_hidden()
    expect(fold).to_have_attribute("aria-expanded", "false")
    expect(fold).to_have_text("data and more")
    fold.press("Enter")
    expect(seed).to_be_visible()
    expect(fold).to_have_attribute("aria-expanded", "true")
    wait_for(figure.page, lambda: figure.evaluate(MEASURE)["cut"], [])
    fold.press("Enter")
    seed.wait_for(state="hidden")
    first, second = (figure.get_by_role("button", name=name) for name in ("needle", "river"))
    first.focus()
    first.press("ArrowRight")
    expect(second).to_be_focused()
    expect(second).to_have_js_property("tabIndex", 0)
    expect(first).to_have_js_property("tabIndex", -1)
    second.press("ArrowLeft")
    expect(first).to_be_focused()
    figure.locator(".wb-canvas").press("Tab")
    expect(figure.locator(".wb-canvas")).not_to_be_focused()


def test_a_control_without_an_effect_says_why(figures):
    idle = figures("pooling").locator(".wb-controls [type=range]:disabled")
    expect(idle).to_have_attribute("aria-description", re.compile("Has an effect only with pooling: "))


def test_what_plays_goes_to_its_end_at_once_where_less_motion_is_asked_for(figures):
    figure = figures("landscape")
    figure.page.emulate_media(reduced_motion="reduce")
    try:
        shown = settle(figure.locator(".wb-canvas"))
        figure.get_by_role("button", name="play").click()
        step = figure.get_by_role("slider", name="step", exact=True)
        expect(step).to_have_attribute("aria-valuetext", "300")
        assert settle(figure.locator(".wb-canvas")) - shown <= 3
        expect(figure.get_by_role("button", name="play")).to_have_count(1)          # and not "pause"
    finally:
        figure.page.emulate_media(reduced_motion="no-preference")
