"""A recorded figure in a browser, without a kernel: after keys and drags it says what the live figure says."""
from contextlib import nullcontext

import numpy as np
import pytest
from axe import breaks_no_rule
from jupyter_page import expect, nothing_reported, picture, settle, slowed, wait_for, wait_for_width, wait_until
from live_figures import apart, pixels, set_positions, settled, shared

from workbook.site import page as pages


def opened(jupyterlab, file):
    """A page with a figure, whose demonstration has ended; its last frame is painted."""
    page = jupyterlab.another(file.as_uri())
    page.wait_for_selector("canvas[data-frame]")
    page.locator(".wb-headline").click()
    settle(page.locator("canvas"))
    return page


@pytest.fixture
def page(jupyterlab, recorded):
    return opened(jupyterlab, recorded)


def figure_of(page, name="width"):
    """The figure in the state that the picture on the page shows."""
    figure = shared(name)
    set_positions(figure, figure.options, map(int, page.get_attribute("canvas", "data-key").split(",")))
    return figure


def said(page) -> str:
    """The sentence, with plain spaces."""
    return " ".join(page.text_content(".wb-sentence").split())


def says_what_it_shows(page) -> None:
    """Wait until its sentence is that of the live figure: the last drag may be painted a moment later."""
    wait_until(page, lambda: said(page) == figure_of(page).sentence, "another sentence")


def moved(page, before: str) -> str:
    expect(page.locator("canvas")).not_to_have_attribute("data-key", before)
    return page.get_attribute("canvas", "data-key")


def output_of(page, name: str):
    """What stands beside the control of that name."""
    return page.locator(f".wb-control:has([name={name}]) .wb-typed")


def test_a_finger_that_scrolls_the_page_leaves_the_slider_where_it_was(page):
    slider = page.get_by_role("slider", name="width σ")
    before, touch = slider.input_value(), page.context.new_cdp_session(page)
    box = slider.bounding_box()
    x, y = box["x"] + 0.9 * box["width"], box["y"] + box["height"] / 2

    def finger(kind, *places):
        touch.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": [*places]})

    finger("Start", {"x": x, "y": y})
    expect(slider).not_to_have_value(before)                        # a tap would move it
    for up in range(10, 160, 10):
        finger("Move", {"x": x, "y": y - up})
    finger("End")
    expect(slider).to_have_value(before)


def test_keys_and_drags_move_it_and_nothing_is_asked_for(page, recorded):
    key = page.get_attribute("canvas", "data-key")
    says_what_it_shows(page)
    page.get_by_role("slider", name="width σ").focus()
    page.keyboard.press("ArrowRight")
    key = moved(page, key)
    says_what_it_shows(page)
    expect(output_of(page, "sigma")).to_have_value(f"{figure_of(page).state['sigma']:g}")
    box = page.locator("canvas").bounding_box()
    panel, = (each for each in figure_of(page).interactions(figure_of(page).state)["panels"] if each["name"] == "fit")
    x, y = (box["x"] + panel["x"][figure_of(page).positions["query"]] * box["width"] / 900,     # the handle, of which
            box["y"] + panel["box"][3] * box["width"] / 900 + 5)                # half is below the panel
    wait_until(page, lambda: page.mouse.move(x, y) or page.locator("canvas").evaluate("(one) => one.style.cursor") ==
               "ew-resize", "the pointer does not say that the query can be dragged")
    page.mouse.down()
    page.mouse.move(x + 0.2 * box["width"], y, steps=3)
    key = moved(page, key)
    page.mouse.up()
    says_what_it_shows(page)
    page.wait_for_function("['.wb-sentence', '.wb-words + .wb-spoken'].map((one) => "
                           "document.querySelector(one).textContent).every((one, _, all) => one === all[0])")
    page.locator("canvas").focus()
    page.keyboard.press("ArrowLeft")
    key = moved(page, key)
    says_what_it_shows(page)
    page.get_by_role("button", name="river").click()
    moved(page, key)
    says_what_it_shows(page)
    nothing_reported(page, page.problems)
    wait_for(page, lambda: page.requests, [recorded.as_uri()])


def test_a_knob_stands_at_a_recorded_place_and_a_key_leads_to_the_next(page):
    slider = page.get_by_role("slider", name="width σ")
    slider.press("Home")
    places = [0]
    expect(slider).to_have_value("0")
    while places[-1] < int(slider.get_attribute("max")):
        slider.press("ArrowRight")
        expect(slider).not_to_have_value(f"{places[-1]}")
        places.append(int(slider.input_value()))
    gaps = np.diff(places)
    at = int(gaps.argmax())
    assert min(gaps) > 0 and gaps[at] > 2, "no place is left out"
    for _ in places[at + 1:]:
        slider.press("ArrowLeft")
    expect(slider).to_have_value(f"{places[at]}")
    slider.evaluate("""(slider) => {                                        // a drag that ends just beside it
        slider.dispatchEvent(new Event("pointerdown"));
        slider.stepUp();
        for (const kind of ["input", "pointerup", "change"]) slider.dispatchEvent(new Event(kind)); }""")
    expect(slider).to_have_value(f"{places[at]}")
    slider.press("ArrowRight")
    expect(slider).to_have_value(f"{places[at + 1]}")


def test_its_numbers_are_those_of_the_figure_and_follow_it(page):
    page.get_by_text("numbers", exact=True).focus()
    page.keyboard.press("Enter")
    for key in ("ArrowLeft", "ArrowRight"):
        page.locator("table").first.wait_for()
        meant = [[table["head"], *table["rows"]] for table in figure_of(page).tables()]
        page.wait_for_function("""(meant) => JSON.stringify(meant) === JSON.stringify(
            [...document.querySelectorAll("table")].map((table) => [...table.rows].map((row) =>
              [...row.cells].map((cell) => cell.textContent))))""", arg=meant)
        before = page.get_attribute("canvas", "data-key")
        page.locator("canvas").press(key)
        moved(page, before)


def test_the_picture_is_drawn_at_the_size_in_which_it_is_shown(page, recorded, ratio=1.25):
    size = {"width": 1000, "height": 800}
    other = slowed(page.context.browser.new_page(viewport=size, device_scale_factor=ratio))
    other.goto(recorded.as_uri())
    other.wait_for_selector("canvas[data-frame]")
    for room in (1000, 640):                                                 # and anew when there is less room
        other.set_viewport_size({"width": room, "height": 800})
        other.wait_for_function("""([room, ratio]) => {
            const canvas = document.querySelector("canvas"), { width } = canvas.getBoundingClientRect();
            return width < room && Math.abs(canvas.width - width * ratio) < 1; }""", arg=[room, ratio])
    other.close()


def looks_like(canvas, expected) -> bool:
    mean, blocks = apart(canvas.evaluate("(one) => one.toDataURL()"), expected)
    return mean < 2 and blocks.max() < 40


@pytest.mark.parametrize("name", ["width", "borders"])
def test_points_are_moved_without_a_kernel_and_drawn_as_the_figure_draws_them(name, jupyterlab, tmp_path, monkeypatch):
    """By keys, of which the places are known; undo gives the first picture back. Recorded in the pixels of this screen,
    and outside of a lesson, so that letters are no different."""
    monkeypatch.setattr(pages, "FINE", 1)
    monkeypatch.setattr(pages, "rc_context", lambda _: nullcontext())
    (tmp_path / "page.html").write_text(pages.page(name, states=40), encoding="utf-8")
    page = opened(jupyterlab, tmp_path / "page.html")
    figure, canvas = figure_of(page, name), page.locator("canvas")
    places, unit = figure.sample_points.places, figure.interactions(figure.state)["movable"]["unit"]
    order, first = np.argsort(places[:, 0]), picture(canvas)
    place = canvas.bounding_box()
    canvas.press("Shift")
    expect(page.locator(".wb-headline")).to_contain_text("P picks a dot, arrows move it", use_inner_text=True)
    wait_for(page, canvas.bounding_box, place)          # the picture stays where it was
    for key in ("p", *3 * ["Shift+ArrowUp"], "p", *3 * ["Shift+ArrowRight"]):
        page.keyboard.press(key)
    page.wait_for_function("document.querySelector('.wb-ring + .wb-spoken').textContent.startsWith('dot 27 of 50: x ')")
    figure.change_points("move", order[25], places[order[25]] - (0, 60 / unit[1]))
    figure.change_points("move", order[26], places[order[26]] + (60 / unit[0], 0))
    hidden = [artist for artist, tag in figure.scene.tags.items() if tag in (["data", ""], ["note", ""])]
    for artist in hidden:
        artist.set_visible(False)
    expected = pixels(figure)
    for artist in hidden:
        artist.set_visible(True)

    wait_until(page, lambda: looks_like(canvas, expected), "not what the figure draws")
    expect(page.locator(".wb-sentence")).to_contain_text("You have moved points")
    for key in ("p", "Delete", "a", "Escape", *4 * ["Control+z"]):
        page.keyboard.press(key)
    wait_until(page, lambda: picture(canvas) == first, "not the picture before")
    figure.reset()
    wait_until(page, lambda: said(page) == figure.sentence, "another sentence")
    key = page.get_attribute("canvas", "data-key")
    canvas.press("ArrowRight")                          # no dot is picked: the query moves again
    moved(page, key)


def test_what_plays_goes_to_its_end_and_a_click_leads_to_what_is_nearest(page, tmp_path):
    (tmp_path / "figure.html").write_text(pages.page("landscape", states=30), encoding="utf-8")
    page.goto((tmp_path / "figure.html").as_uri())
    page.wait_for_selector("canvas[data-frame]")
    page.get_by_role("button", name="play").click()
    expect(output_of(page, "step")).to_have_value("300")
    page.get_by_role("button", name="play").wait_for()                     # it has stopped by itself
    canvas = page.locator("canvas")
    played = canvas.get_attribute("data-key")
    page.get_by_role("button", name="start at 0.1").click()
    expect(canvas).not_to_have_attribute("data-key", played)               # and it has arrived there
    box, scene = canvas.bounding_box(), settled(figure_of(page, "landscape"))
    x = scene.panels["land"].transData.transform((0.22, 0))[0] / scene.figure.bbox.width
    page.mouse.click(box["x"] + x * box["width"], box["y"] + 0.2 * box["height"])     # it goes to the nearest start
    expect(output_of(page, "start")).to_have_value("0.2")


def test_what_is_not_recorded_is_shown_and_leads_to_the_live_figure(page):
    page.get_by_text("Only in JupyterLab").click()
    for name, value in {"n": 50, "seed": 0}.items():
        expect(page.locator(f"input[name={name}]")).to_be_disabled()
        expect(page.locator(f"input[name={name}]")).to_have_value(f"{shared('width').options[name].index(value)}")
        expect(output_of(page, name)).to_have_value(f"{value}")
    expect(page.get_by_text("can be moved in the live figure: in JupyterLab.")).to_be_visible()


def test_the_picture_comes_before_its_controls_the_keys_follow_and_no_rule_is_broken_on_a_phone(page):
    """Unfolded; in the dark, tests/browser/test_site.py asks axe."""
    parts = ["canvas", ".wb-controls", ".wb-tables"]
    page.evaluate("""(parts) => {
        window.reached = new Set();
        window.addEventListener("focusin", ({ target }) =>
            parts.filter((part) => target.closest(part)).forEach((part) => window.reached.add(part)));
    }""", parts)
    for _ in range(12):
        page.keyboard.press("Tab")
    wait_for(page, lambda: page.evaluate("[...window.reached]"), parts)
    page.wait_for_function("""(parts) => parts.map((part) => document.querySelector(part).getBoundingClientRect().y)
        .every((high, i, all) => i === 0 || all[i - 1] < high)""", arg=[".wb-headline", *parts])
    expect(page.locator(".wb-headline b")).to_contain_text("Drag the blue width: ")
    page.set_viewport_size({"width": 390, "height": 800})                       # a phone that is turned
    wait_for(page, lambda: page.evaluate("document.querySelector('canvas')?.clientWidth"), pages.NARROW)
    says_what_it_shows(page)
    page.get_by_text("Only in JupyterLab").click()
    page.get_by_text("numbers", exact=True).click()
    page.locator("table").first.wait_for()
    wait_for_width(page, 390)
    breaks_no_rule(page)
