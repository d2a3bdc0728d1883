"""What only a browser can show of the engine: nothing piles up, cells replace their figures, both themes, any width."""

from __future__ import annotations

import nbformat
import pytest
from jupyter_page import picture, settle, wait_for_frame, write_notebook

LIVE = "from nwlab import explore\nfigure = explore.width()\nfigure"
COUNT = """import gc, psutil
from ipywidgets.widgets import widget
gc.collect()
print("counted", len(widget._instances), len(figure.scene.figure.findobj()), psutil.Process().memory_info().rss >> 20)"""


@pytest.fixture
def live_page(open_notebook, lab_address, scratch):
    """A notebook with one live figure and a cell that counts what the kernel holds."""

    def open_live(**options):
        notebook = nbformat.v4.new_notebook(metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}})
        notebook.cells = [nbformat.v4.new_markdown_cell("# Live", id="title"),
                          nbformat.v4.new_code_cell(LIVE, id="live"), nbformat.v4.new_code_cell(COUNT, id="count")]
        nbformat.write(notebook, scratch / "live.ipynb")
        lab = open_notebook("live.ipynb", **options)
        lab.run_all()
        lab.canvas = lab.page.locator(".nwlab-canvas")
        wait_for_frame(lab.canvas)
        return lab

    return open_live


def _run_cell(lab, index: int) -> None:
    cell = lab.page.locator(".jp-CodeCell").nth(index)
    prompt = cell.locator(".jp-InputPrompt").first
    before = prompt.inner_text()
    cell.locator(".cm-content").click()
    lab.page.keyboard.press("Control+Enter")
    lab.page.wait_for_function(
        "([cell, before]) => { const text = cell.querySelector('.jp-InputPrompt').textContent.trim();"
        " return text !== before.trim() && /\\d/.test(text); }",
        arg=[cell.element_handle(), before], timeout=30_000)
    lab.page.wait_for_timeout(300)


def _counts(lab) -> list[int]:
    _run_cell(lab, 1)
    text = lab.page.locator(".jp-CodeCell").nth(1).locator(".jp-OutputArea-output").inner_text()
    return [int(word) for word in text.split()[1:]]


def test_nothing_piles_up_after_two_hundred_moves(live_page):
    lab = live_page()
    handle = lab.page.locator(".noUi-handle").first
    settle(lab.canvas)
    handle.focus()
    for _ in range(10):                                   # caches fill before the count starts
        handle.press("ArrowRight")
    settle(lab.canvas)
    widgets, artists, memory = _counts(lab)
    nodes = lab.page.evaluate("document.querySelectorAll('*').length")
    start = settle(lab.canvas)
    handle.focus()
    for i in range(200):
        handle.press("ArrowLeft" if i % 40 < 20 else "ArrowRight")
    frames = settle(lab.canvas) - start
    assert 0 < frames <= 220                            # a busy machine skips states, and never paints more than there are
    assert lab.page.evaluate("document.querySelectorAll('*').length") == nodes
    after = _counts(lab)
    assert after[:2] == [widgets, artists]
    assert after[2] - memory < 30, f"{after[2] - memory} MB more after 200 moves"
    assert lab.problems == []


def test_the_figure_ends_where_the_slider_ends(live_page):
    """However fast the moves, the last frame shows the last state: it equals the frame drawn from scratch."""
    lab = live_page()
    handle = lab.page.locator(".noUi-handle").first
    handle.focus()
    for i in range(40):
        handle.press("ArrowRight")
    settle(lab.canvas)
    fast = picture(lab.canvas)
    _run_cell(lab, 1)
    lab.page.evaluate("window.dispatchEvent(new Event('resize'))")
    lab.page.set_viewport_size({"width": 1300, "height": 900})
    settle(lab.canvas, quiet=0.8)
    lab.page.set_viewport_size({"width": 1400, "height": 900})
    settle(lab.canvas, quiet=0.8)
    assert picture(lab.canvas) == fast


def test_running_a_cell_again_replaces_its_figure(live_page):
    lab = live_page()
    widgets, artists, _ = _counts(lab)
    for _ in range(3):
        _run_cell(lab, 0)
        settle(lab.canvas)
    assert lab.canvas.count() == 1
    assert _counts(lab)[:2] == [widgets, artists]
    assert lab.errors_in_cells() == [] and lab.problems == []


def test_the_sentence_is_read_out_and_the_figure_has_a_name(live_page):
    lab = live_page()
    lab.page.wait_for_function("document.querySelector('.nwlab-spoken').textContent.includes('Width σ')")
    assert "attention heatmap" in lab.canvas.get_attribute("aria-label")


def test_sliders_have_a_name_and_say_the_value_that_is_seen(live_page):
    lab = live_page()
    handle = lab.page.locator(".noUi-handle").first
    assert handle.get_attribute("aria-label") == "width σ"
    for key in ("ArrowRight", "ArrowRight"):
        handle.press(key)
    settle(lab.canvas)
    seen = lab.page.locator(".widget-hslider .widget-readout").first.inner_text()
    assert handle.get_attribute("aria-valuetext") == seen
    assert f"Width σ = {seen}" in lab.page.locator(".nwlab-sentence").inner_text()


def test_no_click_and_no_end_of_a_drag_is_lost(live_page):
    """Faster than Python answers: a click is kept, and a drag ends where the pointer was let go."""
    lab = live_page()
    mouse = lab.page.mouse
    lab.canvas.scroll_into_view_if_needed()

    def asked() -> str:
        settle(lab.canvas)
        return lab.page.locator(".nwlab-sentence").inner_text().rpartition("At x = ")[2].partition(":")[0]

    box = lab.canvas.bounding_box()
    y, ends = box["y"] + box["height"] / 3, {}
    for share in (0.1, 0.25, 0.15):
        x = box["x"] + share * box["width"]
        mouse.move(x - 3, y)
        mouse.move(x, y)
        mouse.down()
        mouse.up()
        mouse.move(x, y + 3)
        ends[share] = asked()
    assert float(ends[0.1]) < float(ends[0.15]) < float(ends[0.25])
    mouse.move(box["x"] + 0.1 * box["width"], y)
    mouse.down()
    mouse.move(box["x"] + 0.25 * box["width"], y, steps=12)
    mouse.up()
    assert asked() == ends[0.25]
    assert lab.problems == []


def test_a_figure_whose_kernel_was_restarted_says_what_to_do(live_page):
    lab = live_page()
    lab.page.click(".lm-MenuBar-itemLabel:text-is('Kernel')")
    lab.page.click(".lm-Menu-itemLabel:text-is('Restart Kernel…')")
    lab.page.locator(".jp-Dialog .jp-mod-warn").click()
    lab.page.wait_for_function("!document.querySelector('.jp-Dialog')")
    lab.page.wait_for_timeout(2000)
    lab.canvas.click()
    lab.page.wait_for_function("document.querySelector('.nwlab-sentence').textContent.includes('run its cell again')")
    assert lab.problems == []


@pytest.mark.parametrize("width", [700, 520])
def test_in_a_narrow_room_the_figure_shrinks_whole(live_page, width):
    lab = live_page(width=width)
    settle(lab.canvas, quiet=0.8)
    box, room = lab.canvas.bounding_box(), lab.page.locator(".nwlab").bounding_box()["width"]
    drawn = lab.canvas.evaluate("canvas => canvas.height / canvas.width")
    assert box["width"] <= room + 1
    assert box["height"] / box["width"] == pytest.approx(drawn, rel=0.01)


@pytest.mark.parametrize("width", [1400, 900])
@pytest.mark.parametrize("dark", [False, True])
def test_themes_and_widths(live_page, dark, width):
    """The figure fits its room, and is dark where the page is dark: its corner has the page's own shade."""
    lab = live_page(dark=dark, width=width)
    settle(lab.canvas, quiet=0.8)
    room = lab.page.locator(".nwlab").bounding_box()["width"]
    box = lab.canvas.bounding_box()
    assert box["width"] <= room + 1, "the figure is wider than the room it has"
    assert box["width"] >= min(room, 1120) - 2, "the figure leaves room unused"
    assert lab.canvas.evaluate("canvas => getComputedStyle(canvas).filter") == (
        "invert(0.93) hue-rotate(180deg)" if dark else "none")
    lab.canvas.scroll_into_view_if_needed()
    shown = lab.page.evaluate("document.body.dataset.jpThemeLight")
    assert shown == ("false" if dark else "true")
    cut = lab.page.eval_on_selector_all(
        ".nwlab-controls .widget-label", "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).length")
    assert cut == 0, f"{cut} labels of controls are cut off"


def test_the_figure_follows_its_room(live_page):
    lab = live_page(width=1400)
    settle(lab.canvas, quiet=0.8)
    for width in (1000, 1387, 900, 1250):
        lab.page.set_viewport_size({"width": width, "height": 900})
        settle(lab.canvas, quiet=0.8)
        room = lab.page.locator(".jp-OutputArea-output:has(.nwlab-canvas)").bounding_box()["width"]
        figure = lab.canvas.bounding_box()["width"]
        assert min(room, 1120) - 20 <= figure <= room, f"{figure} pixels wide in a room of {room}"


def test_a_figure_is_not_empty_while_the_kernel_runs_other_cells(open_notebook, scratch):
    """Run All in a long notebook keeps the kernel busy: until the first frame the picture of the output is shown."""
    write_notebook(scratch / "busy.ipynb", LIVE, "import time\ntime.sleep(8)")
    lab = open_notebook("busy.ipynb")
    lab.run_all_without_waiting()
    canvas = lab.page.locator(".nwlab-canvas")
    canvas.wait_for(timeout=30_000)
    lab.page.wait_for_timeout(1500)
    assert canvas.get_attribute("data-frame") is None, "the kernel is not busy: this shows nothing"
    colours = canvas.evaluate("""canvas => new Set(canvas.getContext('2d')
        .getImageData(0, 0, canvas.width, canvas.height).data).size""")
    assert colours > 20
    wait_for_frame(canvas)
    settle(canvas)
    assert lab.problems == []
