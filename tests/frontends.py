"""The live figures in other front ends: after `make test`, .venv/bin/python tests/frontends.py [NAME ...]

Installs each front end into a virtual environment of its own, opens it in a headless browser, and moves a figure there
by keyboard, mouse and button. It is not part of `make test`, because it downloads what it tests. Only packages that
belong to no front end (NumPy, PyTorch, Matplotlib ...) are borrowed from the Python that runs it. The environments and
a picture of each figure stay in build/frontends.
"""
import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

from chromium import MISSING, find_browser
from jupyter_page import BROWSER_FLAGS, OPEN, picture, server, settle, wait_for_frame, wait_until, watch, write_notebook

ROOT = Path(__file__).resolve().parents[1]
# What Colab's kernel runs, with the page that has the same widgets: ipywidgets 7.7.1 and Notebook 6.5.
COLAB = ("ipywidgets==7.7.1", "notebook==6.5.7", "ipython==7.34.0", "ipykernel==6.17.1", "traitlets==5.7.1",
         "jupyter_client==7.4.9")
NEWEST = ("ipywidgets", "anywidget")
VERSIONS = """import anywidget, ipywidgets, nwlab
for one in ipywidgets, anywidget, nwlab:
    print("loaded", one.__name__, getattr(one, "__version__", ""), "from", one.__file__)"""
FIGURE = (VERSIONS, "from workbook import explore, lesson\nlesson.predict('00-width')", "explore.width()")
# What a front end writes to the console about itself.
HARMLESS = ("favicon", "/api/contents", "ResizeObserver loop", "ERR_INTERNET_DISCONNECTED",
            "fortawesome",                               # Voilà asks a public server for its icons
            "reading 'schema'")                          # Notebook 7.6 begins with it, whatever the notebook holds


def main(*names: str) -> None:
    browser, failed = find_browser(), []
    if browser is None:
        raise SystemExit(f"nothing was driven: {MISSING}")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        for name in names or FRONT_ENDS:
            packages, drive = FRONT_ENDS[name]
            folder = ROOT / "build" / "frontends" / name
            folder.mkdir(parents=True, exist_ok=True)
            write_notebook(folder / "figure.ipynb", *FIGURE)
            chromium = playwright.chromium.launch(executable_path=browser, args=BROWSER_FLAGS)
            place = Place(name, folder, install(folder, packages), chromium)
            try:
                drive(place)
                print(f"{name}: fine")
            except Exception as error:
                failed.append(name)
                print(f"{name}: {type(error).__name__}: {error}", *place.problems, sep="\n")
            place.page.screenshot(path=folder / "figure.png")
            chromium.close()
    raise SystemExit(f"failed: {', '.join(failed)}" if failed else 0)


def install(folder: Path, packages: tuple[str, ...]) -> Path:
    """The Python of an environment with these packages and the workbook; made if it is not there."""
    python = folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    site = Path(sysconfig.get_path("purelib", vars={"base": str(folder / "venv")}))
    borrowed = site / "zzz_borrowed.pth"                                # last on the path: its own packages come first
    if not borrowed.is_file():
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder / "venv"], check=True)
        subprocess.run([*pip, "hatchling>=1.25", *packages], check=True)
        borrowed.write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    subprocess.run([*pip, "--no-deps", "--no-build-isolation", "--no-index", "--force-reinstall", ROOT], check=True)
    return python


class Place:
    """One front end: its folder, its Python, and a page whose problems are noted."""

    def __init__(self, name: str, folder: Path, python: Path, browser):
        self.name, self.folder, self.python = name, folder, python
        self.page = browser.new_page(viewport={"width": 1400, "height": 900})
        self.page.set_default_timeout(60_000)
        self.problems = watch(self.page, HARMLESS)


def all_moves(place: Place) -> None:
    """The figure and the question of FIGURE answer whatever a reader does."""
    page, canvas, sentence = place.page, place.page.locator(".wb-canvas"), place.page.locator(".wb-sentence")
    canvas.wait_for(timeout=120_000)
    loaded = re.findall(r"^loaded (.*) from (.*)$", page.locator("body").inner_text(), flags=re.MULTILINE)
    print(f"{place.name}: {', '.join(what for what, _ in loaded)}")
    assert len(loaded) == 3 and all(str(place.folder / "venv") in where for _, where in loaded), loaded
    canvas.scroll_into_view_if_needed()
    wait_for_frame(canvas)
    settle(canvas)
    first, words, box = picture(canvas), sentence.inner_text(), canvas.bounding_box()
    sigma, query = (page.locator(".widget-hslider").filter(has_text=text) for text in ("width σ", "query x"))
    handle = sigma.locator(".noUi-handle, .ui-slider-handle").first
    acts = {
        "the right arrow": lambda: handle.press("ArrowRight"),
        "a dragged slider": lambda: handle.drag_to(handle, target_position={"x": 40, "y": 8}, force=True),
        "a drag in the figure": lambda: canvas.drag_to(
            canvas, source_position={"x": 0.15 * box["width"], "y": 0.2 * box["height"]},
            target_position={"x": 0.2 * box["width"], "y": 0.2 * box["height"]}),
        "another kernel": lambda: page.locator(".wb-more select", has_text="boxcar").select_option("boxcar"),
    }
    page.locator(".wb-fold").click()
    for what, act in acts.items():
        before, said = picture(canvas), sentence.inner_text()
        act()
        wait_until(page, lambda before=before: picture(canvas) != before, f"{what}: no other picture")
        wait_until(page, lambda said=said: said != sentence.inner_text() and
                   f"x = {float(readout(query)):g} " in sentence.inner_text(), f"{what}: sentence and sliders differ")
        settle(canvas)
    page.get_by_role("button", name="reset").click()
    wait_until(page, lambda: picture(canvas) == first, "reset does not bring the first picture back")
    wait_until(page, lambda: sentence.inner_text() == words, "reset does not bring the first sentence back")
    page.locator(".wb-option").first.click()
    page.get_by_text("You chose A").wait_for()
    assert not place.problems, "the page reports errors"


def readout(slider) -> str:
    return slider.locator(".widget-readout").inner_text().strip()


# --- the front ends ---

def colab(place: Place) -> None:
    """Notebook 6.5 with what Colab's kernel runs."""
    with server(place.python, "notebook", *OPEN, "--NotebookApp.token=", "--NotebookApp.password=",
                scratch=place.folder) as address:
        # Its page first asks the kernel which widgets there are, and draws all outputs anew when it knows.
        with place.page.expect_console_message(lambda message: "fetching individual model" in message.text):
            place.page.goto(f"{address}/notebooks/figure.ipynb", wait_until="domcontentloaded")
        place.page.wait_for_function("window.Jupyter?.notebook?.kernel?.is_connected()")
        place.page.wait_for_timeout(3000)
        place.page.evaluate("Jupyter.notebook.execute_all_cells()")
        all_moves(place)


def notebook(place: Place) -> None:
    """Notebook 7."""
    with server(place.python, "notebook", *OPEN, "--IdentityProvider.token=",
                "--JupyterNotebookApp.expose_app_in_browser=True", scratch=place.folder) as address:
        place.page.goto(f"{address}/notebooks/figure.ipynb")
        place.page.wait_for_function(
            "window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel", timeout=90_000)
        place.page.evaluate("""async () => {
            await window.jupyterapp.shell.currentWidget.sessionContext.ready;
            await window.jupyterapp.commands.execute('notebook:run-all-cells');
        }""")
        all_moves(place)


def voila(place: Place) -> None:
    """Voilà, which shows the figures of a notebook as a page."""
    with server(place.python, "voila", "figure.ipynb", "--no-browser", "--Voila.ip=127.0.0.1",
                scratch=place.folder) as address:
        place.page.goto(address, timeout=120_000)
        all_moves(place)


FRONT_ENDS = {
    "colab": ((*COLAB, "anywidget"), colab),
    "notebook": (("notebook>=7", *NEWEST), notebook),
    "voila": (("voila", *NEWEST), voila),
}


if __name__ == "__main__":
    main(*sys.argv[1:])
