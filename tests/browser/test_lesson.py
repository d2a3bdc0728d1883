"""A whole lesson in JupyterLab, run from top to bottom: the quickest that needs PyTorch and has a live figure.

What the live figures of all lessons do, tests/browser/test_all_figures.py asks; what their cells print, nbval.
"""
import psutil
from jupyter_page import wait_for_frame


def test_a_lesson_shows_pictures_before_it_is_run_and_runs_in_what_binder_gives(jupyterlab):
    lab = jupyterlab.open("notebooks/07_from_kernel_to_attention.ipynb")
    lab.page.wait_for_function("""() => {
        const all = [...document.querySelectorAll('.wb-picture img, .jp-RenderedMarkdown img')];
        return all.length && all.every((one) => one.complete && one.naturalWidth > 0);
    }""")
    assert lab.page.locator(".wb-canvas").count() == 0
    text = " ".join(lab.page.locator(".jp-OutputArea").all_inner_texts()).lower()
    assert "model not found" not in text and "error displaying widget" not in text
    lab.run_all()
    held = _memory()
    assert held < 1024, f"{held:.0f} MB: Binder gives a notebook and its server 1 to 2 GB"
    canvas = lab.page.locator(".wb-canvas")
    canvas.scroll_into_view_if_needed()
    wait_for_frame(canvas)
    assert lab.errors_in_cells() == lab.problems == []


def _memory() -> float:
    """MB that JupyterLab's server and its youngest kernel hold: what one open notebook needs."""
    server, = (one for one in psutil.Process().children() if "jupyterlab" in one.cmdline())
    kernel = max(server.children(), key=lambda one: one.create_time())
    return (server.memory_info().rss + kernel.memory_info().rss) / 2**20
