"""Presets and undo travel to their picture, over states on the way, until the hand takes hold; live and on a page."""
import pytest
from jupyter_page import expect, settle, wait_for, wait_for_frame, wait_for_what_is_prepared
from live_figures import shared

START, RIVER = 0.25, 2.0                                # the width at first, and that of the preset
WATCH = """(figure, press) => {
    const slider = figure.querySelector('[name=sigma]'), canvas = figure.querySelector('canvas');
    window.seen = [];
    window.watch?.disconnect();
    window.watch = new MutationObserver(() => {
        const [width, last] = [Number(slider.getAttribute('aria-valuetext')), window.seen.at(-1)];
        if (width !== last) window.seen.push(width);
        if (press && window.seen.length === 3) canvas.dispatchEvent(new PointerEvent('pointerdown', { pointerId: 1 }));
    });
    window.watch.observe(canvas, { attributeFilter: ['data-frame'] });
}"""
PICTURES = """(figure) => {
    const canvas = figure.querySelector('canvas');
    window.seen = new Set();
    window.watch?.disconnect();
    window.watch = new MutationObserver(() => window.seen.add(canvas.toDataURL()));
    window.watch.observe(canvas, { attributeFilter: ['data-frame'] });
}"""


@pytest.fixture(scope="module")
def live(jupyterlab):
    return jupyterlab.show("motion", "from workbook import explore\nfigure = explore.width()\nfigure",
                           "figure.set(sigma=2.0)", "figure.reset()")


@pytest.fixture(params=["live", "recorded"])
def figure(request, jupyterlab):
    """The figure at rest, as at first; of the live one the states on the way have been prepared."""
    source = request.getfixturevalue(request.param)
    page = source.page if request.param == "live" else jupyterlab.another(source.as_uri())
    page.emulate_media(reduced_motion="no-preference")
    figure = page.locator(".wb-figure")
    wait_for_frame(figure.locator("canvas"))
    figure.get_by_role("button", name="reset").click()
    if request.param == "live":
        wait_for_what_is_prepared(page, shared("width"))
    settle(figure.locator("canvas"))
    return figure


def at_rest(figure) -> list[float]:
    """The widths that the figure has gone through, at rest."""
    settle(figure.locator("canvas"))
    return figure.page.evaluate("window.seen")


def test_a_preset_goes_over_the_widths_on_its_way_and_ends_at_its_own(figure):
    figure.evaluate(WATCH, False)
    figure.get_by_role("button", name="river").click()
    expect(figure.locator("[name=sigma]")).to_have_attribute("aria-valuetext", f"{RIVER:g}")
    wait_for(figure.page, lambda: (seen := at_rest(figure)) == sorted(seen) and len(seen) > 3 and seen[-1], RIVER)


def test_a_press_takes_hold_of_a_figure_where_it_is(figure):
    figure.evaluate(WATCH, True)
    figure.get_by_role("button", name="river").click()
    wait_for(figure.page, lambda: START < at_rest(figure)[-1] < RIVER, True)
    slider, key = figure.locator("[name=sigma]"), figure.locator("canvas").get_attribute("data-key")
    options = shared("width").options
    width = options["sigma"][int(key.split(",")[[*options].index("sigma")])]
    expect(slider).to_have_attribute("aria-valuetext", f"{width:g}")


def test_a_point_that_is_taken_back_glides(figure):
    canvas = figure.locator("canvas")
    for key in ("p", "Shift+ArrowUp", "Shift+ArrowUp"):
        canvas.press(key)
    expect(figure.get_by_role("button", name="undo")).to_be_enabled()
    settle(canvas)
    figure.evaluate(PICTURES)
    figure.get_by_role("button", name="undo").click()
    expect(figure.get_by_role("button", name="undo")).to_be_disabled()
    figure.page.wait_for_function("window.seen.size > 3")
    settle(canvas)


def test_nothing_glides_where_less_motion_is_asked_for(figure):
    figure.page.emulate_media(reduced_motion="reduce")
    figure.evaluate(WATCH, False)
    figure.get_by_role("button", name="river").click()
    wait_for(figure.page, lambda: at_rest(figure), [RIVER])
    figure.page.emulate_media(reduced_motion="no-preference")


def test_a_new_sample_glides_and_its_slider_does_not_go_back(live):
    figure = live.page.locator(".wb-figure")
    figure.get_by_role("button", name="reset").click()
    settle(figure.locator("canvas"))
    figure.locator(".wb-fold").click()
    seed = figure.get_by_role("slider", name="seed")
    seed.evaluate("""(slider) => {
        window.seeds = [];
        new MutationObserver(() => window.seeds.push(Number(slider.value))).observe(slider, { attributes: true });
        slider.addEventListener('input', () => requestAnimationFrame(() => window.seeds.push(Number(slider.value))));
    }""")
    figure.evaluate(PICTURES)
    for _ in range(3):
        seed.press("ArrowRight")
    expect(figure.locator(".wb-late")).to_be_hidden()
    live.page.wait_for_function("window.seen.size > 3 && window.seeds.at(-1) === 3")
    live.page.wait_for_function("window.seeds.every((seed, i, all) => i === 0 || all[i - 1] <= seed)")
    figure.locator(".wb-fold").click()


def test_what_python_sets_glides_as_well(live):
    figure = live.page.locator(".wb-figure")
    figure.get_by_role("button", name="reset").click()
    for cell, end in ((2, RIVER), (3, START)):
        settle(figure.locator("canvas"))
        figure.evaluate(WATCH, False)
        live.run_cell(cell)
        wait_for(live.page, lambda end=end: len(seen := at_rest(figure)) > 1 and seen[-1], end)
