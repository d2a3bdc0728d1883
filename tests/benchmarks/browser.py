"""How quick a live figure feels: key press to painted picture, and a drag, in JupyterLab in a headless browser.

The same figure three times in one notebook and one run: live (nwlab.explore), and rebuilt at every move by ipywidgets'
`interact` with inline Matplotlib. Presses alternate between the two in blocks, so a slow spell of the machine meets
both. Prints medians, 95th percentiles and the ratio.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from chromium import MISSING, find_browser
from jupyter_page import BROWSER_FLAGS, LabPage, jupyter_server, wait_for_frame, write_notebook

LIVE = "from nwlab import explore\nexplore.{name}()"
REBUILT = """
%matplotlib inline
import ipywidgets, matplotlib.pyplot as plt
from IPython.display import display
from nwlab import explore
from nwlab.explore import controls as make

settings = explore.{name}()                       # never shown: it lends its state, its scene and its width
def rebuilt(sigma):
    fresh = type(settings.scene)(type(settings.scene.sample)(None))
    fresh.place({width})
    fresh.update({{**settings.state, "{moved}": sigma}})
    for artist in fresh.moving:
        artist.set_animated(False)
    display(fresh.figure)
ipywidgets.interact(rebuilt, sigma=make.log_slider("sigma", "width", 0.25, 0.02, 5.0, "270px"));
"""
WATCH = """
([selector, kind]) => {
  const cell = document.querySelectorAll('.jp-CodeCell')[selector];
  window.paints = []; window.presses = [];
  const painted = () => requestAnimationFrame(() => window.paints.push(performance.now()));
  if (window.watcher) window.watcher.disconnect();
  window.watcher = new MutationObserver((changes) => {
    for (const change of changes) {
      if (kind === 'live' && change.type === 'attributes') return painted();
      for (const node of change.addedNodes || []) {
        const image = node.querySelector && node.querySelector('img');
        if (kind === 'rebuilt' && image) image.decode().then(painted, () => {});
      }
    }
  });
  window.watcher.observe(cell, {subtree: true, childList: true, attributes: true, attributeFilter: ['data-frame']});
  if (!window.listening) {
    window.listening = true;
    for (const type of ['keydown', 'pointermove', 'mousemove'])
      document.addEventListener(type, (event) => window.presses.push(event.timeStamp), true);
  }
}
"""
PRESSES, BLOCK, DRAG_SECONDS = 60, 10, 2.0


def main() -> None:
    path = find_browser()
    if path is None:
        raise SystemExit(f"the browser benchmark was left out: {MISSING}")
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        scratch = Path(folder)
        write_notebook(scratch / "width.ipynb", LIVE.format(name="width"),
                       REBUILT.format(name="width", moved="sigma", width=1000))
        with jupyter_server(scratch, scratch) as address:
            browser = playwright.chromium.launch(executable_path=path, args=BROWSER_FLAGS)
            for dark in (False, True):
                lab = LabPage(browser, address, scratch, "width.ipynb", dark=dark)
                lab.run_all()
                wait_for_frame(lab.page.locator(".nwlab-canvas").first)
                lab.page.wait_for_selector(".jp-RenderedImage img")
                report("explore.width, dark theme" if dark else "explore.width", lab.page)
                lab.close()
            browser.close()


def report(title: str, page) -> None:
    times = {"live": [], "rebuilt": []}
    for block in range(PRESSES // BLOCK):
        for index, kind in enumerate(times):
            times[kind] += press_to_paint(page, index, kind, "ArrowRight" if block % 2 == 0 else "ArrowLeft")
    drags = {kind: drag(page, index, kind) for index, kind in enumerate(times)}
    print(f"\n{title}: {PRESSES} key presses each, on {os.cpu_count()} cores")
    print(f"  {'':22}{'median':>10}{'95th':>10}{'drag: frames/s':>18}{'lag after it':>16}")
    names = {"live": "live", "rebuilt": "rebuilt by interact"}
    for kind, name in names.items():
        late = sorted(times[kind])[int(0.95 * len(times[kind]))]
        rate, lag = drags[kind]
        print(f"  {name:22}{statistics.median(times[kind]):>7.0f} ms{late:>7.0f} ms{rate:>18.1f}{lag:>13.0f} ms")
    ratio = statistics.median(times["live"]) / statistics.median(times["rebuilt"])
    print(f"  key press to painted, live : rebuilt = {ratio:.2f} : 1")


def _handle(page, index: int):
    page.evaluate(WATCH, [index, ("live", "rebuilt")[index]])
    handle = page.locator(".jp-CodeCell").nth(index).locator(".noUi-handle").first
    handle.scroll_into_view_if_needed()
    return handle


def press_to_paint(page, index: int, kind: str, key: str) -> list[float]:
    """Milliseconds from each key press to the first picture painted after it."""
    handle, times = _handle(page, index), []
    handle.focus()
    for _ in range(BLOCK):
        page.wait_for_timeout(120)
        page.evaluate("window.paints = []; window.presses = []")
        page.keyboard.press(key)
        page.wait_for_function("window.paints.length > 0", timeout=10_000, polling=10)
        times.append(page.evaluate("window.paints[0] - window.presses[0]"))
        page.wait_for_timeout(150)
    return times


def drag(page, index: int, kind: str) -> tuple[float, float]:
    """Painted pictures a second while the handle is dragged to and fro, and milliseconds from the last move to rest."""
    handle = _handle(page, index)
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.evaluate("window.paints = []; window.presses = []")
    start, i = time.monotonic(), 0
    while time.monotonic() - start < DRAG_SECONDS:
        i += 1
        page.mouse.move(x + 40 * (abs(i % 80 - 40) / 40) - 20, y)
    spent = time.monotonic() - start
    last_move, moving = page.evaluate("[window.presses.at(-1), window.paints.length]")
    page.wait_for_timeout(1500)
    page.mouse.up()
    last_paint = page.evaluate("window.paints.at(-1)")
    return moving / spent, max(0.0, last_paint - last_move)


if __name__ == "__main__":
    main()
