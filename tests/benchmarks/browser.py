"""How quick the live figures feel: key press to painted picture, and a drag, in JupyterLab in a headless browser.

    python tests/benchmarks/browser.py [figure ...] [--quick] [--busy] [--delay MS] [--dark]

All live figures in one notebook, each moved by its first slider, and beside them what they are measured by:
explore.width rebuilt at every move by ipywidgets' `interact` with inline Matplotlib. Names as arguments measure these
figures only. A figure is measured when it has rested, that is, when nothing more is prepared for it. Presses go round
in blocks, so a slow spell of the machine meets all.

Without options the conditions come one after another, each with a table of its own: nothing else to do; the dark theme,
where the browser turns the colours of every picture (explore.width only); one core kept busy; 75 ms to the server and
75 ms back. Options measure only the one condition that they describe; --quick is the first, and after it the same
figures recorded, on pages without a kernel.

A picture counts as painted when the browser is done with the frame that shows it. "differs" is the share of a drag in
which the picture shows another state than the slider, "longest" the longest time without a break in which it does.
"""

import argparse
import itertools
import json
import os
import statistics
import sys
import tempfile
import time
import urllib.request
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from chromium import MISSING, find_browser
from conditions import busy_core, long_way
from jupyter_page import BROWSER_FLAGS, LabPage, free_port, jupyter_server, wait_for_frame, wait_until, write_notebook

LIVE = "from nwlab import explore\nexplore.{name}()"
REBUILT = """
%matplotlib inline
import ipywidgets, matplotlib.pyplot as plt
from IPython.display import display
from nwlab.course import COURSE
from nwlab import explore
from workbook.figures import controls as make

settings = explore.{name}()                       # never shown: it lends its state, its scene and its width
def rebuilt(sigma):
    fresh = type(settings.scene)(type(settings.scene.sample)(None))
    fresh.place({width})
    fresh.show({{**settings.state, "{moved}": sigma}})
    for artist in fresh.moving:
        artist.set_animated(False)
    display(fresh.figure)
ipywidgets.interact(rebuilt, sigma=make.log_slider("sigma", "width", 0.25, 0.02, 5.0));
"""
# After each frame: is there a new picture, and what do slider and picture say? It asks for no layout: that would cost.
WATCH = """
([index, kind]) => {
  const cell = document.querySelectorAll('.jp-CodeCell, .wb-recorded')[index];
  const canvas = cell.querySelector('.wb-canvas'), slider = cell.querySelector('.noUi-origin');
  const watch = window.watch = {paints: [], moves: [], samples: [], kind};
  let decoded = 0, shown = null;
  window.rebuilt?.disconnect();
  window.rebuilt = new MutationObserver((changes) => {
    for (const change of changes) for (const node of change.addedNodes)
      node.querySelector?.('img')?.decode().then(() => decoded++, () => {});
  });
  if (kind === 'rebuilt') window.rebuilt.observe(cell, {subtree: true, childList: true});
  const {port1, port2} = new MessageChannel();
  let seen = null;                                             // what this frame shows: when, slider, picture
  watch.settle = () => {                                       // an event that comes too late for it moves both anew
    if (!seen) return;
    watch.samples.push([...seen, canvas.dataset.key]);
    seen = null;
  };
  port1.onmessage = () => {                                    // comes once the frame is done
    const now = performance.now(), picture = kind === 'rebuilt' ? decoded : canvas.dataset.frame;
    watch.settle();
    if (shown !== null && shown !== picture) watch.paints.push(now);
    shown = picture;
  };
  const each = (now) => {
    if (window.watch !== watch) return;
    watch.settle();
    if (kind === 'live') seen = [now, parseFloat(slider.style.transform.split('(')[1]) / 1000];
    port2.postMessage(null);
    requestAnimationFrame(each);
  };
  each(performance.now());
  if (!window.listening)
    for (const type of ['keydown', 'pointermove'])
      window.addEventListener(type, (event) => {
        window.watch.settle();
        window.watch.moves.push(event.timeStamp);
      }, true);
  window.listening = true;
}
"""
RESET = "Object.assign(window.watch, {paints: [], moves: [], samples: []})"
ROUNDS, DRAG_SECONDS = 5, 2.0
BLOCK = ("ArrowRight",) * 3 + ("ArrowLeft",) * 3            # short ways: some sliders have few steps
REFERENCE = "width, rebuilt"
MOUSE = 1 / 125                                             # seconds between the moves of a common mouse


def main() -> None:
    path = find_browser()
    if path is None:
        raise SystemExit(f"the browser benchmark was left out: {MISSING}")
    from playwright.sync_api import sync_playwright

    from nwlab import explore

    asked = _arguments(explore.__all__)
    names = asked.names or sorted(explore.__all__, key=lambda name: (name != "width", name))
    conditions = [(asked.dark, asked.busy, asked.delay)]
    if not any(conditions[0]) and not asked.quick:
        conditions += [(True, False, 0), (False, True, 0), (False, False, 75)]
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        address = stack.enter_context(jupyter_server(scratch, scratch))
        playwright = stack.enter_context(sync_playwright())
        port = free_port()
        browser = playwright.chromium.launch(
            executable_path=path, args=[*BROWSER_FLAGS, f"--remote-debugging-port={port}"])
        for number, condition in enumerate(conditions):
            figures = ["width"] if condition[0] and not asked.names else names
            measure(browser, port, address, scratch / f"{number}.ipynb", figures, *condition)
        if asked.quick:
            measure_pages(browser, port, scratch, names)
        browser.close()


def _arguments(names: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="figure", help=f"one of {', '.join(names)}")
    parser.add_argument("--quick", action="store_true", help="nothing else to do, in JupyterLab and on pages")
    parser.add_argument("--busy", action="store_true", help="keep one core busy meanwhile")
    parser.add_argument("--delay", type=float, default=0, metavar="MS", help="to the server, and as much back")
    parser.add_argument("--dark", action="store_true", help="in the dark theme")
    asked = parser.parse_args()
    unknown = set(asked.names) - set(names)
    if unknown:
        parser.error(f"got {', '.join(sorted(unknown))}, expected live figures: {', '.join(names)}")
    return asked


def measure(browser, port: int, address: str, notebook: Path, figures: list[str],
            dark: bool, busy: bool, delay: float) -> None:
    """Open the figures in a page of their own, let them rest, measure them under one condition and print its table."""
    write_notebook(notebook, *(LIVE.format(name=name) for name in figures),
                   REBUILT.format(name="width", moved="sigma", width=1000))
    title = ", ".join(words for words, so in (
        ("dark theme", dark), ("one core busy", busy), (f"{delay:g} ms to the server and back again", delay)) if so)
    with ExitStack() as stack:
        if delay:
            address = stack.enter_context(long_way(address, delay / 1000))
        lab = LabPage(browser, address)
        lab.open(notebook.name, dark=dark).run_all(180)
        lab.page.locator(".jp-CodeCell").nth(len(figures)).locator("img").wait_for(state="attached")
        if busy:
            stack.enter_context(busy_core())
        report(title or "nothing else to do", lab.page, port, figures)
        lab.page.close()


def measure_pages(browser, port: int, scratch: Path, figures: list[str]) -> None:
    """The same for recorded figures, a page each, recorded as the site has them: on a coarser grid several moves of the
    mouse would fall on one position, and paint nothing."""
    from nwlab.course import COURSE
    from workbook.site.page import page as written

    print("\npages without a kernel:")
    print(f"  {'':16}{'median':>9}{'95th':>10}{'frames/s':>10}{'moves/s':>9}{'after it':>10}")
    for name in figures:
        file = scratch / f"{name}.html"
        file.write_text(written(COURSE, name), encoding="utf-8")
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.goto(file.as_uri())
        page.wait_for_selector("canvas[data-frame]")
        times = sorted(each for _ in range(ROUNDS) for each in press_to_paint(page, 0, "page"))
        told = drag(page, port, 0, "page")
        print(f"  {name:16}{statistics.median(times):>6.0f} ms{times[int(0.95 * len(times))]:>7.0f} ms"
              f"{told['frames']:>10.1f}{told['moves']:>9.1f}{told['after']:>7.0f} ms", flush=True)
        page.close()


def report(title: str, page, port: int, figures: list[str]) -> None:
    """Measure the figures, in the order of their cells, the reference in the cell after them, and print a table."""
    cells = {**{name: (index, "live") for index, name in enumerate(figures) if _opens(page, index, name)},
             REFERENCE: (len(figures), "rebuilt")}
    times = {name: [] for name in cells}
    for cell in cells.values():
        rest(page, *cell, quiet=3.0)                    # one kernel prepares all of them, by turns
    for _ in range(ROUNDS):
        for name, cell in cells.items():
            times[name] += press_to_paint(page, *cell)
    presses = ROUNDS * len(BLOCK)
    reference = statistics.median(times[REFERENCE])
    print(f"\n{title}: {presses} key presses each on the first slider, and a drag; {os.cpu_count()} cores, "
          f"load {os.getloadavg()[0]:.1f}")
    print(f"  {'':16}{'press to paint':>19}{'':>13}{'drag':>10}")
    print(f"  {'':16}{'median':>9}{'95th':>10}{'of rebuilt':>13}{'frames/s':>10}{'moves/s':>9}{'after it':>10}"
          f"{'differs':>9}{'longest':>10}")
    for name, cell in cells.items():
        if not times[name]:
            print(f"  {name:16} no press changed the picture")
            continue
        late = sorted(times[name])[int(0.95 * len(times[name]))]
        median = statistics.median(times[name])
        told = drag(page, port, *cell)
        apart = f"{told['share']:>8.0%}{told['longest']:>8.0f} ms" if "share" in told else f"{'':18}"
        idle = presses - len(times[name])
        print(f"  {name:16}{median:>6.0f} ms{late:>7.0f} ms{median / reference:>13.2f}{told['frames']:>10.1f}"
              f"{told['moves']:>9.1f}{told['after']:>7.0f} ms {apart}"
              f"{f'   ({idle} presses changed nothing)' if idle else ''}".rstrip(), flush=True)


def _opens(page, index: int, name: str) -> bool:
    """Whether the figure of that cell is there with a slider to move; says so if not, and the others are measured."""
    cell = page.locator(".jp-CodeCell").nth(index)
    try:
        cell.scroll_into_view_if_needed()
        wait_for_frame(cell.locator(".wb-canvas"))
        return cell.locator(".noUi-handle").count() > 0
    except Exception as error:
        print(f"  {name}: left out, it shows no picture ({str(error).splitlines()[0]})")
        return False


def rest(page, index: int, kind: str, quiet: float = 1.0) -> None:
    """Wait until the picture is that of the controls, and nothing more has been prepared for a while."""
    if kind != "live":
        return page.wait_for_timeout(1000 * quiet)
    seen = {}

    def rests() -> bool:
        now = page.evaluate("""(index) => {
            const {dataset, parentElement} = document.querySelectorAll('.jp-CodeCell')[index]
                .querySelector('.wb-canvas');
            return [dataset.key, dataset.prepared, parentElement.dataset.late];
        }""", index)
        began = seen.setdefault(str(now), time.monotonic())
        return now[2] == "false" and time.monotonic() - began >= quiet

    wait_until(page, rests, "the figure does not come to rest", 120)


def _handle(page, index: int, kind: str):
    """The handle of the first slider of a figure that has come to rest; from now on the page watches the figure."""
    cell = page.locator(".jp-CodeCell, .wb-recorded").nth(index)
    handle = cell.locator(".noUi-handle, input[type=range]").first
    handle.scroll_into_view_if_needed()
    rest(page, index, kind)
    page.evaluate(WATCH, [index, kind])
    return handle


def press_to_paint(page, index: int, kind: str) -> list[float]:
    """Milliseconds from each key press of a block to the first picture painted after it; a press that changes nothing
    has none."""
    from playwright.sync_api import TimeoutError as TooLate

    handle, times = _handle(page, index, kind), []
    handle.focus()
    for key in BLOCK:
        page.wait_for_timeout(100)
        page.evaluate(RESET)
        page.keyboard.press(key)
        try:
            page.wait_for_function("window.watch.paints.length > 0", timeout=3_000, polling=10)
        except TooLate:
            continue
        times.append(page.evaluate("window.watch.paints[0] - window.watch.moves[0]"))
        page.wait_for_timeout(120)
    return times


def drag(page, port: int, index: int, kind: str) -> dict[str, float]:
    """Drag the handle to and fro, 20 positions each way; what is in it is said at the top of the table.

    moves: those that reached the page, of all that the mouse made. after: milliseconds from the last of them to the
    last picture.
    """
    slider = _slider(page, index) if kind == "live" else None
    handle = _handle(page, index, kind)
    box = track = handle.bounding_box()
    share, step = 0.5, 1.0                              # where in its box the handle is; pixels from place to place
    if kind == "page":                                  # a slider of the browser's own: where its thumb is
        at, last = handle.evaluate("(input) => [Number(input.value), Number(input.max)]")
        step = (box["width"] - 16) / last
        share = (8 + step * at) / box["width"]
    else:
        track = handle.locator("xpath=ancestor::*[contains(@class, 'noUi-base')]").bounding_box()
    x, y = box["x"] + share * box["width"], box["y"] + box["height"] / 2
    stride = 20 * max(1.0, slider["unit"] * track["width"] if slider else step)
    right, left = track["x"] + track["width"] - x, x - track["x"]
    far = x + min(stride, right) if right >= left else x - min(stride, left)
    page.mouse.move(x, y)
    page.mouse.down()
    page.evaluate(RESET)
    sweep(port, (x, far), y)
    page.wait_for_timeout(1500)
    page.mouse.up()
    watch = page.evaluate("window.watch")
    first, last = watch["moves"][0], watch["moves"][-1]
    seconds = (last - first) / 1000
    told = {"frames": sum(first <= paint <= last for paint in watch["paints"]) / seconds,
            "moves": len(watch["moves"]) / seconds,
            "after": max(0.0, max(watch["paints"], default=last) - last)}
    return told | (_apart(watch["samples"], slider, first, last) if slider else {})


def sweep(port: int, between: tuple[float, float], y: float) -> None:
    """Move the pressed mouse to and fro as a hand does, which does not wait until the page has dealt with a move.

    Playwright's mouse waits: then its ways between the processes are measured, and not the figure.
    """
    import websocket

    tabs = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json", timeout=10))
    address = next(tab["webSocketDebuggerUrl"] for tab in tabs if tab["type"] == "page"
                   and ("/lab" in tab["url"] or tab["url"].startswith("file:")))
    connection = websocket.create_connection(address, suppress_origin=True)
    begin, (near, far) = time.monotonic(), between
    for i in itertools.count():
        share = abs(i % 40 - 20) / 20                       # 1 to 0 and back: it begins and ends at `near`
        connection.send(json.dumps({"id": i, "method": "Input.dispatchMouseEvent", "params": {
            "type": "mouseMoved", "x": far + share * (near - far), "y": y, "button": "left", "buttons": 1}}))
        if (wait := begin + (i + 1) * MOUSE - time.monotonic()) > 0:
            time.sleep(wait)
        if time.monotonic() - begin > DRAG_SECONDS and i % 40 == 0:
            break
    connection.close()


def _slider(page, index: int) -> dict[str, float]:
    """Which part of the picture's key the first slider moves, and how its place and that part belong together.

    Found at rest, by two presses of a key: what the figure itself says of being late is not asked.
    """
    handle, seen = _handle(page, index, "live"), []
    for keys in ((), ("ArrowRight",) * 2, ("ArrowLeft",) * 2):
        handle.focus()
        for key in keys:
            page.keyboard.press(key)
        page.wait_for_timeout(200)
        rest(page, index, "live")
        _, place, key = page.evaluate("window.watch.samples.at(-1)")
        seen.append((place, [int(part) for part in key.split(",")]))
    (place, key), (other, changed), _ = seen
    part, = (i for i, (one, two) in enumerate(zip(key, changed)) if one != two)
    return {"part": part, "place": place, "position": key[part],
            "unit": (other - place) / (changed[part] - key[part])}


def _apart(samples: list, slider: dict, first: float, last: float) -> dict[str, float]:
    """How long picture and slider disagree in a drag: the share of its time, and the longest time without a break."""
    longest = total = 0.0
    since = None
    for (now, place, key), (then, *_) in zip(samples, samples[1:]):
        position = slider["position"] + round((place - slider["place"]) / slider["unit"])
        if position == int(key.split(",")[slider["part"]]):
            since = None
            continue
        since = now if since is None else since
        longest = max(longest, then - since)
        total += max(0.0, min(then, last) - max(now, first))
    return {"share": total / (last - first), "longest": longest}


if __name__ == "__main__":
    main()
