"""Take the README's picture anew, from JupyterLab itself: `make screenshots`, after `explore.width` changed its looks.

Opens the figure in a headless browser, in the light theme, and moves its first slider with the keyboard from one end
to the other. Writes notebooks/images/width-light.webp, which moves, and width-light.png, for who prefers less motion.
"""
import io
import sys
import tempfile
from pathlib import Path

from chromium import MISSING, find_browser
from jupyter_page import lab_in_browser, settle, wait_for_frame, write_notebook
from PIL import Image

IMAGES = Path(__file__).resolve().parents[1] / "notebooks" / "images"
WIDTH = 1000                                        # pixels: a code host shows a README about as wide
STEP, REST = 90, 1200                               # milliseconds between two places of the slider, and at both ends


def main() -> None:
    path = find_browser()
    if path is None:
        raise SystemExit(f"no pictures were taken: {MISSING}")
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        write_notebook(scratch / "width.ipynb", "from nwlab import explore\nexplore.width()")
        with lab_in_browser(path, scratch, scratch) as lab:
            lab.open("width.ipynb", width=1440, height=1000).run_all()
            start, sweep = swept(lab.page)
    still, moving = IMAGES / "width-light.png", IMAGES / "width-light.webp"
    start.save(still, optimize=True)
    frames = [resized(frame) for frame in (*sweep, *sweep[-2:0:-1])]            # there and back
    times = [REST if n in (0, len(sweep) - 1) else STEP for n in range(len(frames))]
    frames[0].save(moving, save_all=True, append_images=frames[1:], duration=times, loop=0, quality=70, method=6)
    for picture in (still, moving):
        print(f"{picture.relative_to(IMAGES.parents[1])}: {picture.stat().st_size >> 10} kB")


def swept(page) -> tuple[Image.Image, list[Image.Image]]:
    """The figure as it opens, and with its first slider at every fifth place, from left to right."""
    canvas, output = page.locator(".wb-canvas"), page.locator(".jp-OutputArea-output:has(.wb-canvas)")

    def shot() -> Image.Image:
        settle(canvas, quiet=0.3)
        return Image.open(io.BytesIO(output.screenshot())).convert("RGB")

    wait_for_frame(canvas)
    start, handle = shot(), output.locator(".noUi-handle").first
    handle.press("Home")
    frames = [shot()]
    while handle.get_attribute("aria-valuenow") != handle.get_attribute("aria-valuemax"):
        handle.press("PageUp")                    # five places at once
        frames.append(shot())
    return start, frames


def resized(picture: Image.Image) -> Image.Image:
    return picture.resize((WIDTH, round(picture.height * WIDTH / picture.width)), Image.Resampling.LANCZOS)


if __name__ == "__main__":
    sys.exit(main())
