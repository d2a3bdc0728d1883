"""Take the README's pictures anew, from JupyterLab itself: `make screenshots`, after a live figure changed its looks.

Opens each figure in a headless browser, in the light theme, and writes notebooks/images/NAME-light.png.
"""

import sys
import tempfile
from pathlib import Path

from chromium import MISSING, find_browser
from jupyter_page import lab_in_browser, settle, wait_for_frame, write_notebook

IMAGES = Path(__file__).resolve().parents[1] / "notebooks" / "images"
FIGURES = ("width", "heatmap")


def main() -> None:
    path = find_browser()
    if path is None:
        raise SystemExit(f"no pictures were taken: {MISSING}")
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        with lab_in_browser(path, scratch, scratch) as lab:
            for name in FIGURES:
                write_notebook(scratch / f"{name}.ipynb", f"from nwlab import explore\nexplore.{name}()")
                lab.open(f"{name}.ipynb", width=1440, height=1000).run_all()
                canvas = lab.page.locator(".wb-canvas")
                wait_for_frame(canvas)
                settle(canvas, quiet=1.0)
                target = IMAGES / f"{name}-light.png"
                lab.page.locator(".jp-OutputArea-output:has(.wb-canvas)").screenshot(path=target)
                print(f"{target.relative_to(IMAGES.parents[1])}: {target.stat().st_size >> 10} kB")


if __name__ == "__main__":
    sys.exit(main())
