"""How quick the live figures feel: key press to painted picture, and a drag, in JupyterLab in a headless browser.

    python tests/benchmarks/browser.py [figure ...] [--only CONDITION]

All live figures in one notebook, each moved by its first slider. Names as arguments measure these figures only. A
figure is measured when it has rested, that is, when nothing more is prepared for it. Presses go round in blocks, so a
slow spell of the machine meets all.

The conditions come one after another, each with a table of its own: nothing else to do (quiet); one core kept busy;
75 ms to the server and 75 ms back (far). A picture counts as painted when the browser is done with its frame.
"""
import argparse
import asyncio
import itertools
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from contextlib import ExitStack, suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from chromium import MISSING, find_browser
from jupyter_page import BROWSER_FLAGS, LabPage, free_port, jupyter_server, wait_for_frame

# After each frame: is there a new picture? It asks for no layout: that would take time itself.
WATCH = """
(index) => {
  const canvas = document.querySelectorAll('.jp-CodeCell')[index].querySelector('.wb-canvas');
  const watch = window.watch = {paints: [], moves: []};
  const {port1, port2} = new MessageChannel();
  let shown = null;
  port1.onmessage = () => {                                    // comes once the frame is done
    if (shown !== null && shown !== canvas.dataset.frame) watch.paints.push(performance.now());
    shown = canvas.dataset.frame;
  };
  const each = () => {
    if (window.watch !== watch) return;
    port2.postMessage(null);
    requestAnimationFrame(each);
  };
  each();
  if (!window.listening)
    for (const type of ['keydown', 'pointermove'])
      window.addEventListener(type, (event) => window.watch.moves.push(event.timeStamp), true);
  window.listening = true;
}
"""
RESET = "Object.assign(window.watch, {paints: [], moves: []})"
ROUNDS, DRAG_SECONDS = 5, 2.0
BLOCK = ("ArrowRight",) * 3 + ("ArrowLeft",) * 3            # short ways: some sliders have few steps
FRAME = 1 / 60                                              # seconds between two frames of the display
THUMB = 16                                                  # pixels: Chromium's handle of a slider
MOUSE = 1 / 125                                             # seconds between the moves of a common mouse
CONDITIONS = {"quiet": {}, "busy": {"busy": True}, "far": {"delay": 0.075}}


def main() -> None:
    path = find_browser()
    if path is None:
        raise SystemExit(f"the browser benchmark was left out: {MISSING}")
    from playwright.sync_api import sync_playwright

    from workbook import explore

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="figure", help=f"of {', '.join(explore.__all__)}")
    parser.add_argument("--only", choices=CONDITIONS, help="measure under this condition only")
    options = parser.parse_args()
    if unknown := {*options.names} - {*explore.__all__}:
        parser.error(f"got {', '.join(sorted(unknown))}, expected live figures: {', '.join(explore.__all__)}")
    names = options.names or sorted(explore.__all__, key=lambda name: (name != "width", name))
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        address = stack.enter_context(jupyter_server(scratch))
        playwright = stack.enter_context(sync_playwright())
        port = free_port()
        browser = playwright.chromium.launch(
            executable_path=path, args=[*BROWSER_FLAGS, f"--remote-debugging-port={port}"])
        for title in [options.only] if options.only else CONDITIONS:
            print(f"\n{title}: {ROUNDS * len(BLOCK)} key presses each on the first slider, and a drag; "
                  f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n"
                  f"  {'':16}{'median':>9}{'95th':>10}{'frames/s':>10}{'moves/s':>9}{'after it':>10}")
            measure(browser, port, address, scratch, names, **CONDITIONS[title])
        browser.close()


def measure(browser, port: int, address: str, folder: Path, figures: list[str], busy=False, delay=0.0) -> None:
    """Open the figures in a page of their own, let them rest, measure them and print a row for each."""
    with ExitStack() as stack:
        if delay:
            address = long_way(address, delay)
        lab = LabPage(browser, address, folder)
        lab.write("figures", *(f"from workbook import explore\nexplore.{name}()" for name in figures)).run_all()
        for cell in lab.page.locator(".jp-CodeCell").all():
            cell.scroll_into_view_if_needed()
            wait_for_frame(cell.locator(".wb-canvas"))
        if busy:
            stack.callback(subprocess.Popen([sys.executable, "-c", "while True: pass"]).kill)
        for i in range(len(figures)):
            rest(lab.page, i, quiet=3.0)                # one kernel prepares all of them, by turns
        times = [[] for _ in figures]
        for _ in range(ROUNDS):
            for i in range(len(figures)):
                times[i] += press_to_paint(lab.page, i)
        for i, name in enumerate(figures):
            print_row(name, times[i], drag(lab.page, port, i))
        lab.page.close()


def long_way(address: str, delay: float) -> str:
    """A local address that leads to `address`, with `delay` seconds between what is sent and what arrives, each way.
    It does until the program ends."""
    host, port = address.removeprefix("http://").split(":")
    loop = asyncio.new_event_loop()                         # on a thread of its own, as Playwright's runs on this one

    async def connect(reader, writer):
        far_reader, far_writer = await asyncio.open_connection(host, int(port))
        await asyncio.gather(_carry(reader, far_writer, delay), _carry(far_reader, writer, delay))

    threading.Thread(target=loop.run_forever, daemon=True).start()
    server = asyncio.run_coroutine_threadsafe(asyncio.start_server(connect, "127.0.0.1", 0), loop).result(timeout=10)
    return f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def _carry(reader, writer, delay: float) -> None:
    """Hand on each chunk `delay` seconds after it came, in the order in which they came."""
    loop = asyncio.get_running_loop()
    with suppress(ConnectionError):                         # either side may hang up
        while chunk := await reader.read(1 << 16):
            loop.call_later(delay, writer.write, chunk)
    loop.call_later(delay, writer.close)


def print_row(name: str, times: list[float], dragged: dict[str, float]) -> None:
    idle = ROUNDS * len(BLOCK) - len(times)
    late = sorted(times)[int(0.95 * len(times))] if times else math.nan
    print(f"  {name:16}{statistics.median(times or [late]):>6.0f} ms{late:>7.0f} ms{dragged['frames']:>10.1f}"
          f"{dragged['moves']:>9.1f}{dragged['after']:>7.0f} ms"
          f"{f'   ({idle} presses changed nothing)' if idle else ''}", flush=True)


def rest(page, index: int, quiet: float = 1.0) -> None:
    """Wait until the picture is that of the controls, and nothing more has been prepared for a while."""
    page.wait_for_function("""([index, quiet]) => {
        const canvas = document.querySelectorAll('.jp-CodeCell')[index].querySelector('.wb-canvas');
        const { key, prepared } = canvas.dataset, late = canvas.parentElement.dataset.late === 'true';
        if (late || canvas.last !== key + prepared)
            [canvas.last, canvas.since] = [key + prepared, performance.now()];
        return performance.now() - canvas.since >= quiet;
    }""", arg=[index, 1000 * quiet], polling=50, timeout=120_000)


def _handle(page, index: int):
    """The first slider of a figure that has come to rest; from now on the page watches the figure."""
    cell = page.locator(".jp-CodeCell").nth(index)
    handle = cell.locator(".wb-controls input[type=range]").first
    handle.scroll_into_view_if_needed()
    rest(page, index)
    page.evaluate(WATCH, index)
    return handle


def press_to_paint(page, index: int) -> list[float]:
    """Milliseconds from each key press of a block to the first picture painted after it; a press that changes nothing
    has none."""
    from playwright.sync_api import TimeoutError as TooLate

    handle, times = _handle(page, index), []
    handle.focus()
    for key in BLOCK:
        page.wait_for_timeout(100)
        page.evaluate(RESET)
        time.sleep(random.uniform(0, FRAME))            # else all presses come at the same moment between two frames
        page.keyboard.press(key)
        try:
            page.wait_for_function("window.watch.paints.length > 0", timeout=3_000, polling=10)
        except TooLate:
            continue
        times.append(page.evaluate("window.watch.paints[0] - window.watch.moves[0]"))
        page.wait_for_timeout(120)
    return times


def drag(page, port: int, index: int) -> dict[str, float]:
    """Drag the handle to and fro, 20 positions each way. frames and moves: how many reached the page in a second.
    after: milliseconds from the last move to the last picture."""
    handle = _handle(page, index)
    box, (value, last) = handle.bounding_box(), handle.evaluate("(one) => [Number(one.value), Number(one.max)]")
    step, thumb = (box["width"] - THUMB) / last, THUMB / 2
    x, y, stride = box["x"] + thumb + value * step, box["y"] + box["height"] / 2, 20 * max(1.0, step)
    right, left = box["x"] + box["width"] - thumb - x, x - thumb - box["x"]
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
    return {"frames": sum(first <= paint <= last for paint in watch["paints"]) / seconds,
            "moves": len(watch["moves"]) / seconds,
            "after": max(0.0, max(watch["paints"], default=last) - last)}


def sweep(port: int, between: tuple[float, float], y: float) -> None:
    """Move the pressed mouse to and fro as a hand does, which does not wait until the page has dealt with a move.

    Playwright's mouse waits: then its ways between the processes are measured, and not the figure.
    """
    import websocket

    tabs = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json", timeout=10))
    address = next(tab["webSocketDebuggerUrl"] for tab in tabs if tab["type"] == "page"
                   and "/lab" in tab["url"])
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


if __name__ == "__main__":
    main()
