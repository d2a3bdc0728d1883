"""How quick the live figures feel: key press to painted picture, and a drag, in JupyterLab in a headless browser.

All live figures in one notebook and one run, each moved by its first slider, and beside them what they are measured
by: explore.width rebuilt at every move by ipywidgets' `interact` with inline Matplotlib. Presses go round in blocks, so
a slow spell of the machine meets all. Prints medians, 95th percentiles and ratios; then explore.width once more in the
dark theme, where the browser turns the colours of every picture. Names as arguments measure these figures only.
"""

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from chromium import MISSING, find_browser
from jupyter_page import lab_in_browser, wait_for_frame, write_notebook

LIVE = "from nwlab import explore\nexplore.{name}()"
REBUILT = """
%matplotlib inline
import ipywidgets, matplotlib.pyplot as plt
from IPython.display import display
from nwlab import explore
from nwlab.explore.stage import controls as make

settings = explore.{name}()                       # never shown: it lends its state, its scene and its width
def rebuilt(sigma):
    fresh = type(settings.scene)(type(settings.scene.sample)(None))
    fresh.place({width})
    fresh.show({{**settings.state, "{moved}": sigma}})
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
ROUNDS, DRAG_SECONDS = 5, 1.5
BLOCK = ("ArrowRight",) * 3 + ("ArrowLeft",) * 3            # short ways: some sliders have few steps
REFERENCE = "width, rebuilt"


def main() -> None:
    path = find_browser()
    if path is None:
        raise SystemExit(f"the browser benchmark was left out: {MISSING}")
    from nwlab import explore

    unknown = set(sys.argv[1:]) - set(explore.__all__)
    if unknown:
        raise SystemExit(f"got {', '.join(sorted(unknown))}, expected live figures: {', '.join(explore.__all__)}")
    names = sys.argv[1:] or sorted(explore.__all__, key=lambda name: (name != "width", name))
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        with lab_in_browser(path, scratch, scratch) as lab:
            for dark, figures in ((False, names), (True, ["width"])):
                notebook = "dark.ipynb" if dark else "light.ipynb"
                write_notebook(scratch / notebook, *(LIVE.format(name=name) for name in figures),
                               REBUILT.format(name="width", moved="sigma", width=1000))
                lab.open(notebook, dark=dark).run_all(180)
                lab.page.wait_for_selector(".jp-RenderedImage img")
                report("dark theme" if dark else "light theme", lab.page, figures)


def report(title: str, page, figures: list[str]) -> None:
    """Measure the figures, in the order of their cells, the reference in the cell after them, and print a table."""
    cells = {**{name: (index, "live") for index, name in enumerate(figures) if _opens(page, index, name)},
             REFERENCE: (len(figures), "rebuilt")}
    times = {name: [] for name in cells}
    for _ in range(ROUNDS):
        for name, cell in cells.items():
            times[name] += press_to_paint(page, *cell)
    presses = ROUNDS * len(BLOCK)
    reference = statistics.median(times[REFERENCE])
    print(f"\n{title}: {presses} key presses each on the first slider, {os.cpu_count()} cores, "
          f"load {os.getloadavg()[0]:.1f}")
    print(f"  {'':18}{'median':>10}{'95th':>10}{'of rebuilt':>13}{'drag: frames/s':>18}{'lag after it':>16}")
    for name, cell in cells.items():
        if not times[name]:
            print(f"  {name:18} no press changed the picture")
            continue
        late = sorted(times[name])[int(0.95 * len(times[name]))]
        median = statistics.median(times[name])
        rate, lag = drag(page, *cell)
        idle = presses - len(times[name])
        print(f"  {name:18}{median:>7.0f} ms{late:>7.0f} ms{median / reference:>13.2f}{rate:>18.1f}{lag:>13.0f} ms"
              f"{f'   ({idle} presses changed nothing)' if idle else ''}", flush=True)


def _opens(page, index: int, name: str) -> bool:
    """Whether the figure of that cell is there with a slider to move; says so if not, and the others are measured."""
    cell = page.locator(".jp-CodeCell").nth(index)
    try:
        cell.scroll_into_view_if_needed()
        wait_for_frame(cell.locator(".nwlab-canvas"))
        return cell.locator(".noUi-handle").count() > 0
    except Exception as error:
        print(f"  {name}: left out, it shows no picture ({str(error).splitlines()[0]})")
        return False


def _handle(page, index: int, kind: str):
    page.evaluate(WATCH, [index, kind])
    handle = page.locator(".jp-CodeCell").nth(index).locator(".noUi-handle").first
    handle.scroll_into_view_if_needed()
    return handle


def press_to_paint(page, index: int, kind: str) -> list[float]:
    """Milliseconds from each key press of a block to the first picture painted after it; a press that changes nothing
    has none."""
    from playwright.sync_api import TimeoutError as TooLate

    handle, times = _handle(page, index, kind), []
    handle.focus()
    for key in BLOCK:
        page.wait_for_timeout(100)
        page.evaluate("window.paints = []; window.presses = []")
        page.keyboard.press(key)
        try:
            page.wait_for_function("window.paints.length > 0", timeout=3_000, polling=10)
        except TooLate:
            continue
        times.append(page.evaluate("window.paints[0] - window.presses[0]"))
        page.wait_for_timeout(120)
    return times


def drag(page, index: int, kind: str) -> tuple[float, float]:
    """Painted pictures a second while the handle is dragged to and fro, and milliseconds from the last move to rest."""
    handle = _handle(page, index, kind)
    page.wait_for_timeout(400)                          # the page may still be scrolling to it
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
    page.wait_for_timeout(1000)
    page.mouse.up()
    last_paint = page.evaluate("window.paints.at(-1)")
    return moving / spent, max(0.0, (last_paint or last_move) - last_move)


if __name__ == "__main__":
    main()
