"""Take the README's picture anew, from JupyterLab itself: `make screenshots`, after `explore.houses` changed its looks.

Opens the figure in a headless browser, in the light theme, and sweeps its pin from end to end with the arrow keys,
then its width. Writes notebooks/images/houses.webp, which moves, and houses.png, for readers who prefer less motion.
"""
import io
import sys
import tempfile
from pathlib import Path

from chromium import MISSING, find_browser
from jupyter_page import lab_in_browser, settle, wait_for_frame
from PIL import Image

IMAGES = Path(__file__).resolve().parents[1] / "notebooks" / "images"
WIDTH = 1000                                        # pixels: a code host shows a README about as wide
STEP, REST = 110, 1400                              # milliseconds between two pictures, and where a slider turns
SWEEP = [(-1, 25), (1, 60), (-1, 35)]               # of the pin, and then of the width: to the left or right, places
WIDEN = [(-1, 8), (1, 15), (-1, 7)]


def main() -> None:
    path = find_browser()
    if path is None:
        raise SystemExit(f"no pictures were taken: {MISSING}")
    with tempfile.TemporaryDirectory() as folder:
        with lab_in_browser(path, Path(folder)) as lab:
            lab.page.emulate_media(reduced_motion="reduce")             # so that the figure does not move by itself
            lab.write("houses", "from workbook import explore\nexplore.houses()", width=1440, height=1000).run_all()
            still, frames, times = swept(lab.page)
    first, *others = (frame.resize((WIDTH, round(frame.height * WIDTH / frame.width)), Image.Resampling.LANCZOS)
                      for frame in frames)
    first.save(IMAGES / "houses.webp", save_all=True, append_images=others, duration=times, loop=0, quality=55,
               method=6)
    still.save(IMAGES / "houses.png", optimize=True)
    for picture in IMAGES.glob("houses.*"):
        print(f"{picture.relative_to(IMAGES.parents[1])}: {picture.stat().st_size >> 10} kB")


def swept(page) -> tuple[Image.Image, list[Image.Image], list[int]]:
    """The figure with its heatmap whole; as it opens, and as both sliders move; the milliseconds of each picture."""
    canvas, output = page.locator(".wb-canvas"), page.locator(".jp-OutputArea-output:has(.wb-canvas)")

    def shot() -> Image.Image:
        settle(canvas, quiet=0.3)
        return Image.open(io.BytesIO(output.screenshot())).convert("RGB")

    wait_for_frame(canvas)
    frames, times = [shot()], [REST]
    for handle, ways, stride in zip(output.locator(".wb-controls input[type=range]").all(), (SWEEP, WIDEN), (2, 1)):
        whole = frames[-1]
        for way, places in ways:
            for left in range(places, 0, -stride):
                for _ in range(min(stride, left)):
                    handle.press("ArrowRight" if way > 0 else "ArrowLeft")
                frames.append(shot())
                times.append(STEP if left > stride else REST)
    return whole, frames, times


if __name__ == "__main__":
    sys.exit(main())
