"""All live figures in a small window: whole, in columns, few stops before the picture, moved by keyboard and by mouse;
and for everybody: axe finds nothing, all has a name, and less motion is less."""
import itertools
import re

import pytest
from axe import violations
from jupyter_page import CONTENT, frame_of, picture, settle, wait_until, write_notebook
from live_figures import shared

from nwlab import explore

SHORT = {"zoo": "steps=20"}
SHOW = """from nwlab import explore
def show(figure):
    if type(figure.scene).__name__ != "WidthScene":
        figure.canvas.at_rest = None    # what is prepared for later takes most of the time, and is looked at once
    return figure"""
BY_HAND = ("width", "pooling", "consistency", "scale", "zoo")   # the page, Python, simulated, measured, trained
HIGHEST, STOPS = 600, 6                 # pixels from the controls to the closed numbers; stops of Tab to the picture
MEASURE = """(figure) => {
  const canvas = figure.querySelector('.wb-canvas'), fold = figure.querySelector('.wb-numbers summary');
  const edges = (selector) => [...figure.querySelectorAll('.wb-controls > .widget-hslider ' + selector)]
    .map((each) => each.getBoundingClientRect()).map(({left, right}) => [Math.round(left), Math.round(right)]);
  const stops = [...figure.querySelectorAll('button, input, select, [tabindex]')].filter((each) =>
    each.tabIndex >= 0 && !each.disabled && each.checkVisibility({visibilityProperty: true}));
  return {
    room: canvas.parentElement.clientWidth, width: canvas.clientWidth, drawn: canvas.width,
    height: fold.getBoundingClientRect().bottom - figure.getBoundingClientRect().top, stops: stops.indexOf(canvas),
    tracks: edges('.slider-container'), numbers: edges('.widget-readout'),
    cut: [...figure.querySelectorAll('.widget-label, .widget-readout')].filter((each) =>
      each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent),
  };
}"""
IN_ROOMS = """(figure, sentences) => {
  const { style } = figure, before = style.width, shown = figure.querySelector('.wb-sentence');
  const said = shown.innerHTML, fold = figure.querySelector('.wb-numbers');
  const wide = (each) => each.getBoundingClientRect().width;
  const measured = [390, 540, 640, 790, 900, 1400].map((room) => {
    style.width = room + 'px';
    const heights = sentences.map((sentence) => {
      shown.innerHTML = sentence;
      return fold.getBoundingClientRect().top - figure.getBoundingClientRect().top;
    });
    return { room, heights: new Set(heights).size, wider: figure.scrollWidth - room,
             track: Math.min(...[...figure.querySelectorAll('.wb-controls .slider-container')].map(wide)) };
  });
  style.width = before;
  shown.innerHTML = said;
  return measured;
}"""
RINGS = """(figure) => {
  const before = document.activeElement, found = { cut: [], count: 0 };
  for (const each of figure.querySelectorAll('button, select, input, summary, [tabindex], [contenteditable]')) {
    each.focus({ focusVisible: true });
    if (!each.checkVisibility() || document.activeElement !== each) continue;
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(each), box = each.getBoundingClientRect();
    const ring = parseFloat(outlineWidth) + parseFloat(outlineOffset);
    let cut = outlineStyle !== 'solid' || parseFloat(outlineWidth) < 2;
    for (let around = each.parentElement; !around.matches('.jp-Cell'); around = around.parentElement) {
      const { left, right, top, bottom } = around.getBoundingClientRect();
      cut ||= getComputedStyle(around).overflow !== 'visible' && Math.max(left - box.left, box.right - right,
        top - box.top, box.bottom - bottom) + ring > 0.5;
    }
    found.count += 1;
    if (cut) found.cut.push(each.outerHTML.slice(0, 90));
  }
  before.focus();
  return found;
}"""
NAMES = """(figure) => {
  const all = (within, selector) => [...within.querySelectorAll(selector)];
  const said = (one) => [one.getAttribute('aria-label'), one.getAttribute('aria-valuetext')];
  return {
    sliders: all(figure, '.widget-hslider').map((slider) => [said(slider.querySelector('.noUi-handle')),
      ['.widget-label', '.widget-readout'].map((words) => slider.querySelector(words).innerText)]),
    buttons: all(figure, 'button').filter((one) => one.checkVisibility())
      .map((one) => one.innerText.trim() || one.getAttribute('aria-label')),
    pressed: all(figure, '.widget-toggle-buttons').map((group) => all(group, '[aria-pressed=true]').length),
    picture: said(figure.querySelector('.wb-canvas'))[0], sentence: figure.querySelector('p').innerText,
    tables: all(figure, 'table').map((table) => ({ caption: table.caption.innerText,
      heads: all(table, 'thead th[scope=col]').length, rows: all(table, 'tbody tr').length,
      named: all(table, 'tbody th[scope=row]').length })),
  };
}"""


@pytest.fixture(scope="module")
def figures(jupyterlab, scratch):
    """All live figures in one notebook, in a window of 900 by 700 pixels without the side bar: figures(name) scrolls to
    one and returns it when it rests."""
    write_notebook(scratch / "figures.ipynb", SHOW,
                   *(f"show(explore.{name}({SHORT.get(name, '')}))" for name in explore.__all__))
    lab = jupyterlab.open("figures.ipynb", width=900, height=700)
    collapsed = lab.page.evaluate("window.jupyterapp.shell.leftCollapsed")
    if not collapsed:
        lab.command("application:toggle-left-area")
    lab.run_all()

    def figure(name: str):
        cell = explore.__all__.index(name) + 2
        lab.page.evaluate(f"() => void {CONTENT}.scrollToItem({cell})")             # and not wait for its promise
        shown = lab.page.locator(f"[data-windowed-list-index='{cell}'] .wb-figure")
        canvas = shown.locator(".wb-canvas")
        canvas.scroll_into_view_if_needed()
        wait_until(lab.page, lambda: frame_of(canvas), "no frame", 60)
        settle(canvas)
        return shown

    figure.lab = lab
    yield figure
    assert lab.errors_in_cells() == lab.problems == []
    if not collapsed:
        lab.command("application:toggle-left-area")


@pytest.mark.parametrize("name", explore.__all__)
def test_it_is_seen_whole_the_picture_is_soon_reached_and_all_has_a_name(figures, name):
    figure = figures(name)
    wait_until(figure.page, lambda: figure.evaluate(MEASURE)["stops"] <= STOPS, "too many stops before the picture")
    seen = figure.evaluate(MEASURE)
    assert seen["width"] == seen["drawn"] == seen["room"] < 800
    assert seen["height"] <= HIGHEST
    assert seen["cut"] == []
    columns = {left for left, _ in seen["tracks"]}, {right for _, right in seen["numbers"]}
    assert len(seen["tracks"]) == 1 or all(len(places) <= 3 for places in columns), "controls do not stand in columns"
    numbers = figure.get_by_text("numbers", exact=True)
    numbers.press("Enter")
    figure.locator("table").first.wait_for()
    found = figure.evaluate(NAMES)
    numbers.press("Enter")
    for told, shown in found["sliders"]:
        assert told == shown and all(shown)
    assert all(found["buttons"]) and set(found["pressed"]) <= {1}
    label = found["picture"]
    assert "arrow keys move" in label and len(label) < 200
    assert not set(sentences(label)) & set(sentences(found["sentence"]))
    for table in found["tables"]:
        assert table["caption"] and table["heads"] >= 2 and table["named"] == table["rows"] > 0


@pytest.mark.parametrize("name", explore.__all__)
def test_in_every_room_tracks_are_long_and_nothing_moves_when_another_sentence_comes(figures, name):
    """In a turn of the page, which asks the kernel nothing; what each preset says comes from a figure made here."""
    figure, made = figures(name), shared(name)
    said = [made.sentence and made.canvas.sentence]
    for preset in made.buttons:
        preset.click()
        said.append(made.sentence and made.canvas.sentence)
    for seen in figure.evaluate(IN_ROOMS, said):
        assert seen["heights"] == 1 and seen["wider"] <= 0 and seen["track"] >= 140, seen


@pytest.mark.parametrize("dark", [False, True])
def test_the_ring_of_what_has_the_focus_is_whole(figures, dark):
    figure = figures("heatmap")
    figure.locator(".wb-fold").click()
    figures.lab.theme(dark)
    try:
        found = figure.evaluate(RINGS)
        assert found["count"] > 20 and found["cut"] == []
    finally:
        figures.lab.theme(False)
        figure.locator(".wb-fold").click()


@pytest.mark.parametrize("name", BY_HAND)
def test_it_answers_keyboard_and_mouse(figures, name):
    """Its first slider and its own keys change the picture; the slider the sentence, too. That the state of every
    figure is seen and said, tests/explore/test_contract.py asks without a browser."""
    figure = figures(name)
    canvas, sentence = figure.locator(".wb-canvas"), figure.locator(".wb-sentence")
    handle, mouse = figure.locator(".noUi-handle").first, figure.page.mouse

    def by_keyboard():
        for _ in range(4):
            handle.press("ArrowRight")

    def by_mouse():
        box = handle.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        mouse.move(x, y)
        mouse.down()
        mouse.move(x + 30, y, steps=3)
        mouse.up()

    for act in (by_keyboard, by_mouse):
        settle(canvas)
        before, said, height = picture(canvas), sentence.inner_text(), figure.evaluate(MEASURE)["height"]
        handle.scroll_into_view_if_needed()
        act()
        wait_until(canvas.page, lambda said=said: sentence.inner_text() != said, "what is said stays")
        wait_until(canvas.page, lambda before=before: picture(canvas) != before, "the picture stays")
        assert figure.evaluate(MEASURE)["height"] == height
    settle(canvas)
    before = picture(canvas)
    canvas.focus()
    keys = itertools.cycle(("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"))         # some figures begin at an end

    def moved():
        canvas.press(next(keys))
        settle(canvas)
        return picture(canvas) != before

    wait_until(canvas.page, moved, "arrow keys on the figure changed no pixel")
    canvas.press("Tab")                                 # the figure is no trap: Tab leads out of it
    assert not canvas.evaluate("canvas => document.activeElement === canvas")


@pytest.mark.parametrize("name", ["width", "landscape"])
def test_what_is_folded_unfolds(figures, name):
    figure = figures(name)
    fold, seed = figure.locator(".wb-fold"), figure.locator(".wb-more").get_by_text("seed", exact=True)
    fold.scroll_into_view_if_needed()
    assert not seed.is_visible() and fold.get_attribute("aria-expanded") == "false"
    assert fold.text_content() == "data and more"
    fold.press("Enter")
    seed.wait_for(state="visible")
    figure.page.wait_for_function("(fold) => fold.ariaExpanded === 'true'", arg=fold.element_handle())
    assert figure.evaluate(MEASURE)["cut"] == []
    fold.press("Enter")
    seed.wait_for(state="hidden")


def test_arrow_keys_go_along_a_row_of_buttons(figures):
    figure = figures("width")
    first, second = (figure.get_by_role("button", name=name) for name in ("needle", "just right"))
    first.focus()
    first.press("ArrowRight")
    assert second.evaluate("(button) => button === document.activeElement && button.tabIndex === 0")
    assert first.evaluate("(button) => button.tabIndex") == -1
    second.press("ArrowLeft")
    assert first.evaluate("(button) => button === document.activeElement")


def test_no_live_figure_breaks_a_rule(figures):
    """All at once, in a window as high as they are together: axe reads the whole page first. Numbers unfold in one."""
    figure = figures("width")
    page = figure.page
    figure.get_by_text("numbers", exact=True).click()
    figure.locator("table").first.wait_for()
    page.set_viewport_size({"width": 900, "height": 900 * len(explore.__all__)})
    try:
        shown = page.locator(".wb-figure")
        wait_until(page, lambda: shown.count() == len(explore.__all__), "not all figures are on the page")
        assert violations(page, ".wb-figure") == []
    finally:
        page.set_viewport_size({"width": 900, "height": 700})
    figure.get_by_text("numbers", exact=True).click()


def slider(figure, name: str):
    return figure.get_by_role("slider", name=name, exact=True)


def sentences(text: str) -> list[str]:
    return re.split(r"[.:;] ", text)


def test_a_slider_says_its_value_whoever_moves_it(figures):
    """At no time what ipywidgets says, the number of the option: each value is kept as a screen reader would get it."""
    figure = figures("width")
    handle, canvas = figure.locator(".noUi-handle").first, figure.locator(".wb-canvas")
    handle.evaluate("""handle => {
        window.told = [];
        new MutationObserver(() => window.told.push(handle.getAttribute("aria-valuetext")))
            .observe(handle, { attributes: true, attributeFilter: ["aria-valuetext"] });
    }""")
    figure.get_by_role("button", name="reset").click()
    wait_until(figure.page, lambda: handle.get_attribute("aria-valuetext") == "0.25", "no reset")
    figure.page.evaluate("window.told = []")
    handle.press("ArrowRight")
    handle.press("ArrowRight")
    told = wait_until(figure.page, lambda: figure.page.evaluate("window.told"), "the slider says nothing")
    assert set(told) <= {"0.25", "0.26", "0.27"}
    query = slider(figure, "query x")
    before = query.get_attribute("aria-valuetext")
    canvas.press("ArrowRight")                          # the page moves the slider, not the slider the page
    wait_until(figure.page, lambda: query.get_attribute("aria-valuetext") != before, "the slider says what it said")
    asked = f"At x = {float(query.get_attribute('aria-valuetext')):g} "
    wait_until(figure.page, lambda: asked in figure.locator("p").inner_text(), "the figure asks another query")


def test_numbers_follow_what_is_shown(figures):
    figure = figures("width")
    if figure.locator("details[open]").count() == 0:
        figure.get_by_text("numbers", exact=True).click()
    answer = figure.locator("table:has(th:text-is('answer')) td")
    answer.wait_for()
    before = answer.inner_text()
    slider(figure, "query x").press("ArrowRight")
    wait_until(figure.page, lambda: answer.inner_text() != before, "the numbers stay")

    def agree():                                        # the sentence has three digits, the table more
        said = re.findall(r"= (\d+\.?\d*)", figure.locator("p").inner_text())
        return any(abs(float(each) - float(answer.inner_text())) < 0.006 for each in said)

    wait_until(figure.page, agree, "numbers and sentence differ")


def test_a_click_does_what_a_drag_does(figures):
    """On the track of a slider, and in the picture."""
    figure = figures("width")
    query, told = slider(figure, "query x"), set()
    track = query.locator("xpath=ancestor::div[contains(@class, 'noUi-target')]")
    for place in (track, figure.locator(".wb-canvas")):
        told.add(query.get_attribute("aria-valuetext"))
        place.scroll_into_view_if_needed()
        box = place.bounding_box()
        figure.page.mouse.click(box["x"] + 0.22 * box["width"], box["y"] + 0.3 * box["height"])
        wait_until(figure.page, lambda: query.get_attribute("aria-valuetext") not in told, "nothing moved")


def test_what_plays_goes_to_its_end_at_once_where_less_motion_is_asked_for(figures):
    figure = figures("landscape")
    figure.page.emulate_media(reduced_motion="reduce")
    try:
        shown = int(figure.locator(".wb-canvas").get_attribute("data-frame"))
        figure.get_by_label("play", exact=True).click()
        wait_until(figure.page, lambda: slider(figure, "step").get_attribute("aria-valuetext") == "300", "no end")
        settle(figure.locator(".wb-canvas"))
        assert int(figure.locator(".wb-canvas").get_attribute("data-frame")) - shown <= 3
        assert figure.get_by_label("play", exact=True).count() == 1                 # and not "pause"
        glides = """figure => [...figure.querySelectorAll('*')].filter((one) => {
            const { transitionDuration, animationName } = getComputedStyle(one);
            return transitionDuration !== '0s' || animationName !== 'none';
        }).length"""
        assert figure.evaluate(glides) == 0
    finally:
        figure.page.emulate_media(reduced_motion="no-preference")
