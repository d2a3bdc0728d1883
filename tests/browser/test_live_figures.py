"""Every live figure of every notebook, opened in JupyterLab and moved by keyboard and by mouse."""

import re
from pathlib import Path

import psutil
import pytest
from jupyter_page import picture, settle, wait_for_frame, wait_until

ROOT = Path(__file__).resolve().parents[2]
FIGURES = {path.with_suffix(".ipynb").name: len(re.findall(r"(?m)^explore\.", path.read_text(encoding="utf-8")))
           for path in sorted((ROOT / "notebooks" / "source").glob("*.md"))}
NOTEBOOKS = [name for name, figures in FIGURES.items() if figures]

assert len(NOTEBOOKS) > 9


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_every_live_figure_answers_keyboard_and_mouse(jupyterlab, name):
    lab = jupyterlab.open(f"notebooks/{name}")
    _shows_pictures_before_it_is_run(lab)
    lab.run_all()
    held = _memory()
    print(f"{name}: {held:.0f} MB with its server")
    assert held < 1024, f"{held:.0f} MB: Binder gives a notebook and its server 1 to 2 GB"
    assert lab.errors_in_cells() == []
    assert lab.explorers.count() == FIGURES[name]
    for i in range(lab.explorers.count()):
        explorer = lab.explorers.nth(i)
        canvas = explorer.locator(".nwlab-canvas")
        canvas.scroll_into_view_if_needed()
        wait_for_frame(canvas)
        _moves(explorer, canvas, _by_keyboard)
        _moves(explorer, canvas, _by_mouse)
        _answers_its_own_keys(explorer, canvas)
    assert lab.errors_in_cells() == []
    assert lab.problems == []


def _memory() -> float:
    """MB that JupyterLab's server and its youngest kernel hold: what one open notebook needs."""
    server, = (one for one in psutil.Process().children() if "jupyterlab" in one.cmdline())
    kernel = max(server.children(), key=lambda one: one.create_time())
    return (server.memory_info().rss + kernel.memory_info().rss) / 2**20


def _shows_pictures_before_it_is_run(lab):
    lab.page.wait_for_function("""() => {
        const all = [...document.querySelectorAll('.nwlab-picture img, .jp-RenderedMarkdown img')];
        return all.length && all.every((one) => one.complete && one.naturalWidth > 0);
    }""", timeout=30_000)
    assert lab.page.locator(".nwlab-canvas").count() == 0
    text = " ".join(lab.page.locator(".jp-OutputArea").all_inner_texts()).lower()
    assert "model not found" not in text and "error displaying widget" not in text


def _moves(explorer, canvas, act):
    """What `act` does with the handle of the first slider changes the picture and the sentence."""
    settle(canvas)
    handle, sentence = explorer.locator(".noUi-handle").first, explorer.locator(".nwlab-sentence")
    before, said = picture(canvas), sentence.inner_text()
    handle.scroll_into_view_if_needed()
    act(handle)
    wait_until(canvas.page, lambda: picture(canvas) != before and sentence.inner_text() != said, "nothing has changed")


def _by_keyboard(handle):
    for _ in range(8):
        handle.press("ArrowRight")


def _by_mouse(handle):
    box, mouse = handle.bounding_box(), handle.page.mouse
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 30, y, steps=6)
    mouse.up()


def _answers_its_own_keys(explorer, canvas):
    if canvas.get_attribute("tabindex") != "0":
        return
    before = picture(canvas)
    canvas.focus()
    for key in ("ArrowLeft", "ArrowUp"):                # no figure has both, and every figure has one
        canvas.press(key)
    wait_until(canvas.page, lambda: picture(canvas) != before, "arrow keys on the figure changed no pixel")
    canvas.press("Tab")                                 # the figure is no trap: Tab leads out of it
    assert not canvas.evaluate("canvas => document.activeElement === canvas")
