"""Every live figure of every notebook, opened in JupyterLab and moved by keyboard and by mouse."""

from __future__ import annotations

from pathlib import Path

import pytest
from jupyter_page import picture, settle, wait_for_frame

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))

assert NOTEBOOKS, "notebooks/ holds no .ipynb"


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_every_live_figure_answers_keyboard_and_mouse(open_notebook, server_memory, name):
    lab = open_notebook(f"notebooks/{name}")
    _shows_pictures_before_it_is_run(lab)
    lab.run_all()
    held = server_memory()
    print(f"{name}: {held:.0f} MB with its server")
    assert held < 1024, f"{held:.0f} MB: Binder gives a notebook and its server 1 to 2 GB"
    assert lab.errors_in_cells() == []
    expected = (ROOT / "notebooks" / "source" / name).with_suffix(".md").read_text(encoding="utf-8").count("explore.")
    assert lab.explorers.count() == expected > 0
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


def _shows_pictures_before_it_is_run(lab):
    lab.page.wait_for_function("""() => {
        const all = [...document.querySelectorAll('.jp-RenderedImage img')];
        return all.length && all.every((one) => one.complete);
    }""", timeout=30_000)
    assert lab.page.locator(".nwlab-canvas").count() == 0
    text = lab.page.locator(".jp-Notebook").inner_text().lower()
    assert "model not found" not in text and "error displaying widget" not in text
    assert lab.page.eval_on_selector_all(".jp-RenderedImage img", "all => all.every((one) => one.naturalWidth > 0)")


def _moves(explorer, canvas, act):
    """What `act` does with the handle of the first slider changes the picture and the sentence."""
    frame, before, said = settle(canvas), picture(canvas), explorer.locator(".nwlab-sentence").inner_text()
    handle = explorer.locator(".noUi-handle").first
    handle.scroll_into_view_if_needed()
    act(handle)
    wait_for_frame(canvas, after=frame)
    settle(canvas)
    assert picture(canvas) != before and explorer.locator(".nwlab-sentence").inner_text() != said


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
    seen = set()
    for key in ("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown"):
        canvas.press(key)
        settle(canvas, quiet=0.2)
        seen.add(picture(canvas))
    assert seen - {before}, "arrow keys on the figure changed no pixel"
    canvas.press("Tab")                                 # the figure is no trap: Tab leads out of it
    assert not canvas.evaluate("canvas => document.activeElement === canvas")
