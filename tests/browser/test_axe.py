"""Live figures, lessons and exercises for everybody: axe finds nothing, all has a name, and less motion is less."""
import re

import pytest
from axe import violations
from jupyter_page import CONTENT, frame_of, settle, wait_until, write_notebook

from nwlab import explore
from nwlab.exercises import NAMES
from nwlab.pages.page import page as written

SHORT = {"zoo": "steps=20"}
LESSON = ["from nwlab import lesson", 'lesson.predict("01-castle")', 'lesson.predict_number("13-two")',
          'lesson.court("02-half-and-minus")', 'lesson.task("01-average", 270)', 'lesson.quiz("01-check")']
EXERCISE = [f"from nwlab.exercises import {NAMES[0]} as exercise",
            "from nwlab.checks import messages\n"
            "messages.panel('✓', 'holds', 'average', ['average: `2 + 2` holds'], 'holds')\n"
            "messages.panel('✗', 'not yet', 'average', ['Next: look at `weights`'], 'not yet')",
            "exercise.progress()"]


@pytest.fixture(scope="module")
def figures(jupyterlab, scratch):
    """All live figures in one notebook, a cell each; figures(name) scrolls to one and returns it when it rests."""
    write_notebook(scratch / "figures.ipynb", "from nwlab import explore",
                   *(f"explore.{name}({SHORT.get(name, '')})" for name in explore.__all__))
    lab = jupyterlab.open("figures.ipynb")
    lab.run_all()

    def figure(name: str):
        cell = explore.__all__.index(name) + 2
        lab.page.evaluate(f"() => void {CONTENT}.scrollToItem({cell})")             # and not wait for its promise
        shown = lab.page.locator(f"[data-windowed-list-index='{cell}'] .nwlab-figure")
        canvas = shown.locator(".nwlab-canvas")
        canvas.scroll_into_view_if_needed()
        wait_until(lab.page, lambda: frame_of(canvas), "no frame", 90)      # the kernel prepares all the others too
        settle(canvas)
        return shown

    return figure


@pytest.mark.parametrize("name", explore.__all__)
def test_a_live_figure_breaks_no_rule_and_all_has_a_name(figures, name):
    figure = figures(name)
    figure.evaluate("figure => figure.id = 'looked-at'")
    try:
        for slider in figure.locator(".widget-hslider").all():
            handle = slider.locator(".noUi-handle")
            assert handle.get_attribute("aria-label") == slider.locator(".widget-label").inner_text() != ""
            assert handle.get_attribute("aria-valuetext") == slider.locator(".widget-readout").inner_text() != ""
        for button in figure.locator("button:visible").all():
            assert button.inner_text().strip() or button.get_attribute("aria-label")
        for group in figure.locator(".widget-toggle-buttons").all():
            assert group.locator("[aria-pressed=true]").count() == 1
        name, said = figure.locator(".nwlab-canvas").get_attribute("aria-label"), figure.locator("p").inner_text()
        assert "arrow keys move" in name and len(name) < 200 and not set(sentences(name)) & set(sentences(said))
        figure.get_by_text("numbers", exact=True).focus()
        figure.page.keyboard.press("Enter")
        figure.locator("table").first.wait_for()
        for table in figure.locator("table").all():
            assert table.locator("caption").inner_text() and table.locator("thead th[scope=col]").count() >= 2
            assert table.locator("tbody th[scope=row]").count() == table.locator("tbody tr").count() > 0
        assert violations(figure.page, "#looked-at") == []
    finally:
        figure.evaluate("figure => figure.removeAttribute('id')")


def slider(figure, name: str):
    return figure.get_by_role("slider", name=name, exact=True)


def sentences(text: str) -> list[str]:
    return re.split(r"[.:;] ", text)


def test_a_slider_says_its_value_whoever_moves_it(figures):
    """At no time what ipywidgets says, the number of the option: each value is kept as a screen reader would get it."""
    figure = figures("width")
    handle, canvas = figure.locator(".noUi-handle").first, figure.locator(".nwlab-canvas")
    handle.evaluate("""handle => {
        window.told = [];
        new MutationObserver(() => window.told.push(handle.getAttribute("aria-valuetext")))
            .observe(handle, { attributes: true, attributeFilter: ["aria-valuetext"] });
    }""")
    figure.get_by_role("button", name="reset").click()
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
    said = f"= {float(answer.inner_text()):.3g}."
    wait_until(figure.page, lambda: said in figure.locator("p").inner_text(), f"the figure does not say {said}")


def test_a_click_does_what_a_drag_does(figures):
    """On the track of a slider, and in the picture."""
    figure = figures("width")
    query, told = slider(figure, "query x"), set()
    track = query.locator("xpath=ancestor::div[contains(@class, 'noUi-target')]")
    for place in (track, figure.locator(".nwlab-canvas")):
        told.add(query.get_attribute("aria-valuetext"))
        place.scroll_into_view_if_needed()
        box = place.bounding_box()
        figure.page.mouse.click(box["x"] + 0.22 * box["width"], box["y"] + 0.3 * box["height"])
        wait_until(figure.page, lambda: query.get_attribute("aria-valuetext") not in told, "nothing moved")


def test_what_plays_goes_to_its_end_at_once_where_less_motion_is_asked_for(figures):
    figure = figures("landscape")
    figure.page.emulate_media(reduced_motion="reduce")
    try:
        shown = int(figure.locator(".nwlab-canvas").get_attribute("data-frame"))
        figure.get_by_label("play", exact=True).click()
        wait_until(figure.page, lambda: slider(figure, "step").get_attribute("aria-valuetext") == "300", "no end")
        settle(figure.locator(".nwlab-canvas"))
        assert int(figure.locator(".nwlab-canvas").get_attribute("data-frame")) - shown <= 3
        assert figure.get_by_label("play", exact=True).count() == 1                 # and not "pause"
        glides = """figure => [...figure.querySelectorAll('*')].filter((one) => {
            const { transitionDuration, animationName } = getComputedStyle(one);
            return transitionDuration !== '0s' || animationName !== 'none';
        }).length"""
        assert figure.evaluate(glides) == 0
    finally:
        figure.page.emulate_media(reduced_motion="no-preference")


@pytest.mark.parametrize("cells", [LESSON, EXERCISE], ids=["lesson", "exercise"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_what_asks_and_what_answers_breaks_no_rule(jupyterlab, scratch, cells, dark):
    write_notebook(scratch / "pieces.ipynb", *cells)
    lab = jupyterlab.open("pieces.ipynb", height=3000, dark=dark)
    try:
        lab.run_all()
        for piece in lab.page.locator(".nwlab-ask").all():
            if (option := piece.locator(".nwlab-option")).count():
                option.last.click()
                piece.get_by_role("alert").first.wait_for()
        for fold in lab.page.locator(".nwlab-ask details").all():
            fold.evaluate("fold => fold.open = true")
        assert lab.errors_in_cells() == []
        assert violations(lab.page, ".jp-OutputArea-output") == []
    finally:
        lab.theme(False)


def test_a_recorded_figure_breaks_no_rule(jupyterlab, tmp_path):
    file = tmp_path / "landscape.html"
    file.write_text(written("landscape", states=60), encoding="utf-8")
    page = jupyterlab.page.context.browser.new_page(viewport={"width": 1000, "height": 800})
    try:
        page.goto(file.as_uri())
        page.wait_for_selector("canvas[data-frame]")
        page.get_by_text("Not recorded here").click()
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.wait_for_selector(f'html[data-jp-theme-light="{str(scheme == "light").lower()}"]')
            assert violations(page) == []
        assert "arrow keys move" in page.locator("canvas").get_attribute("aria-label")
    finally:
        page.close()
