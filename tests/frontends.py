"""The live figures in other front ends: after `make test`, .venv/bin/python tests/frontends.py [NAME ...]; with
NWLAB_LANGUAGE=zh in Chinese.

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

from workbook.language import say

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
            packages, command, run = FRONT_ENDS[name]
            folder = ROOT / "build" / "frontends" / name
            folder.mkdir(parents=True, exist_ok=True)
            write_notebook(folder / "figure.ipynb", *FIGURE)
            python, chromium = install(folder, packages), playwright.chromium.launch(
                executable_path=browser, args=BROWSER_FLAGS)
            page = chromium.new_page(viewport={"width": 1400, "height": 900})
            page.set_default_timeout(60_000)
            problems = watch(page, HARMLESS)
            try:
                with server(python, *command, folder=folder) as address:
                    run(page, address)
                    all_moves(page, folder / "venv")
                assert not problems, "the page reports errors"
                print(f"{name}: fine")
            except Exception as error:
                failed.append(name)
                print(f"{name}: {type(error).__name__}: {error}", *problems, sep="\n")
            page.screenshot(path=folder / "figure.png")
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


def all_moves(page, environment: Path) -> None:
    """The figure and the question of FIGURE answer whatever a reader does; they are those of this environment."""
    canvas, sentence = page.locator(".wb-canvas"), page.locator(".wb-sentence")
    canvas.wait_for(timeout=120_000)
    loaded = re.findall(r"^loaded (.*) from (.*)$", page.locator("body").inner_text(), flags=re.MULTILINE)
    print(*(what for what, _ in loaded), sep=", ")
    assert len(loaded) == 3 and all(str(environment) in where for _, where in loaded), loaded
    canvas.scroll_into_view_if_needed()
    wait_for_frame(canvas)
    settle(canvas)
    first, words, box = picture(canvas), sentence.inner_text(), canvas.bounding_box()
    sigma, query = (page.get_by_role("slider", name=text) for text in (say("width σ"), say("query {x}", x="x")))

    def at() -> str:
        return f"x = {float(query.get_attribute('aria-valuetext')):g} "

    acts = {
        "the right arrow": lambda: sigma.press("ArrowRight"),
        "a dragged slider": lambda: sigma.drag_to(sigma, target_position={"x": 40, "y": 8}, force=True),
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
        wait_until(page, lambda said=said: said != sentence.inner_text() and at() in " ".join(
            sentence.inner_text().split()),                         # on a page = does not end a line
                   f"{what}: sentence and sliders differ")
        settle(canvas)
    page.get_by_role("button", name=say("reset")).click()
    wait_until(page, lambda: picture(canvas) == first, "reset does not bring the first picture back")
    wait_until(page, lambda: sentence.inner_text() == words, "reset does not bring the first sentence back")
    page.locator(".wb-option").first.click()
    chosen = say("You chose <b>{letter}</b>. Keep it in mind and go on to the experiment.", letter="A")
    page.get_by_text(re.sub("<.*?>", "", chosen)).wait_for()


# --- the front ends: how each shows the notebook and runs it ---

def colab(page, address: str) -> None:
    """Its page first asks the kernel which widgets there are, and draws all outputs anew when it knows."""
    with page.expect_console_message(lambda message: "fetching individual model" in message.text):
        page.goto(f"{address}/notebooks/figure.ipynb", wait_until="domcontentloaded")
    page.wait_for_function("window.Jupyter?.notebook?.kernel?.is_connected()")
    page.wait_for_timeout(3000)
    page.evaluate("Jupyter.notebook.execute_all_cells()")


def notebook(page, address: str) -> None:
    page.goto(f"{address}/notebooks/figure.ipynb")
    page.wait_for_function("window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel", timeout=90_000)
    page.evaluate("""async () => {
        await window.jupyterapp.shell.currentWidget.sessionContext.ready;
        await window.jupyterapp.commands.execute('notebook:run-all-cells');
    }""")


def voila(page, address: str) -> None:
    page.goto(address, timeout=120_000)


FRONT_ENDS = {                          # name -> packages, the server, and what runs the notebook
    "colab": ((*COLAB, "anywidget"),
              ("notebook", *OPEN, "--NotebookApp.token=", "--NotebookApp.password="), colab),
    "notebook": (("notebook>=7", *NEWEST), ("notebook", *OPEN, "--IdentityProvider.token=",
                                            "--JupyterNotebookApp.expose_app_in_browser=True"), notebook),
    "voila": (("voila", *NEWEST), ("voila", "figure.ipynb", "--no-browser", "--Voila.ip=127.0.0.1"), voila),
}


if __name__ == "__main__":
    main(*sys.argv[1:])
