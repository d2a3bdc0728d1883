"""Take the README's pictures anew, from JupyterLab itself: `make screenshots`, after a live figure changed its looks.

Opens each figure in a headless browser, in the light theme, and writes notebooks/images/NAME-light.png.
"""

from __future__ import annotations

from pathlib import Path

from jupyter_page import run_in_browser, settle, wait_for_frame

IMAGES = Path(__file__).resolve().parents[1] / "notebooks" / "images"
FIGURES = ("width", "heatmap")


def main() -> None:
    with run_in_browser({name: [f"from nwlab import explore\nexplore.{name}()"] for name in FIGURES}) as open_one:
        for name in FIGURES:
            lab = open_one(name, width=1440, height=1000)
            canvas = lab.page.locator(".nwlab-canvas")
            wait_for_frame(canvas)
            settle(canvas, quiet=1.0)
            target = IMAGES / f"{name}-light.png"
            lab.page.locator(".jp-OutputArea-output:has(.nwlab-canvas)").screenshot(path=target)
            print(f"{target.relative_to(IMAGES.parents[1])}: {target.stat().st_size >> 10} kB")
            lab.close()


if __name__ == "__main__":
    main()
