"""The widget of a live figure: what Python sends to the page, which frames the page has, and whether it is busy.

The page keeps frames by the positions of the controls, and paints those that it has without asking Python.
"""
from collections.abc import Callable
from pathlib import Path

import anywidget
import traitlets

from workbook import palette
from workbook.figures.recorder import Catalogue

HERE = Path(__file__).parent
SCRIPTS = "player.js", "access.js", "demo.js", "points.js"      # on a page without a kernel, too
CONFIRMED = 4                           # the page has to confirm every fourth message


def files(folder: Path, *names: str) -> str:
    """The texts of these files, joined."""
    return "".join((folder / name).read_text(encoding="utf-8") for name in names)


class Canvas(anywidget.AnyWidget):
    """The picture and the sentence on the page. hear: called with each message from the page."""

    _esm = files(HERE, *SCRIPTS, "canvas.js")
    _css = palette.style_sheet() + files(HERE, "canvas.css")
    label = traitlets.Unicode().tag(sync=True)          # alternative text of the picture
    invitation = traitlets.Unicode().tag(sync=True)     # what to drag, and why
    handled_keys = traitlets.List(traitlets.Unicode()).tag(sync=True)
    controls = traitlets.List().tag(sync=True)          # [name, model] of each control, in the order of the keys
    twins = traitlets.List().tag(sync=True)             # [name, model, last]: a second slider, which counts backwards
    demo = traitlets.List().tag(sync=True)              # a control, then positions; see `Scene.demo`
    play_buttons = traitlets.List().tag(sync=True)      # their models
    longest = traitlets.Int(0).tag(sync=True)           # characters of the longest sentence, for its room
    height = traitlets.Int(400).tag(sync=True)          # until the first frame arrives
    preview = traitlets.Bytes().tag(sync=True)          # a PNG, shown while the kernel runs other cells

    def __init__(self, hear: Callable[[dict], None], **traits):
        super().__init__(**traits)
        self.visible = True                             # until the page says that the figure is out of sight
        self.busy = True                                # until there is a page, and until it confirms
        self._sent = self.answered = 0                  # answered: number of the last change of points shown
        self.on_msg(lambda _, message, __: hear(message))

    def begin(self, catalogue: Catalogue, width: int, height: int, ratio: float) -> None:
        """Start afresh with a picture of so many screen pixels, `ratio` of them in a pixel of the page."""
        self.known, self._interactions = {}, {}
        self._clear, self._catalogue = "all", catalogue
        self._size = {"width": width, "height": height, "ratio": ratio}

    def forget_frames(self, meanwhile: bool = False) -> None:
        """Forget all frames, as states look different now. meanwhile: the page may show the old ones for a while."""
        self.known.clear()
        self._clear = self._clear or ("" if meanwhile else "frames")

    def supply(self, frames: dict[str, list], now: bool = False) -> None:
        """Send frames by their keys, and the parts that the page lacks. now: paint the only frame, even if late."""
        news, data = self._catalogue.take()
        self.known.update(frames)
        self._sent += 1
        self.busy = self.busy or self._sent % CONFIRMED == 0
        self.send({"type": "frames", "id": self._sent, "clear": self._clear, "frames": frames, "news": news, "now": now,
                   **self._size, "confirm": self.busy, "answered": self.answered}, [data])
        self._clear = ""

    def set_interactions(self, interactions: dict) -> None:
        """Send what has changed in the effects of drags and keys, see `workbook.figures.interactions`."""
        news = {name: part for name, part in interactions.items() if part != self._interactions.get(name)}
        if news:
            self._interactions = interactions
            self.send({"type": "interactions", **news})
