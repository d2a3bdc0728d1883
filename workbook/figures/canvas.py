"""The page's half of a live figure, as Python sees it: which frames the page has, and whether it can take another.

The page keeps frames by the positions of the controls, and paints those that it has without asking Python.
"""
from collections.abc import Callable
from pathlib import Path

import anywidget
import traitlets

from workbook import palette
from workbook.figures.recorder import Catalogue

HERE = Path(__file__).parent
SCRIPTS = "player.js", "access.js", "hand.js", "points.js"      # which a page without a kernel has too
CONFIRMED = 4                           # the page is asked to confirm every fourth message


def files(folder: Path, *names: str) -> str:
    """The text of these files, one after the other."""
    return "".join((folder / name).read_text(encoding="utf-8") for name in names)


class Canvas(anywidget.AnyWidget):
    """The picture and the sentence in the page. hear: called with each message of the page."""

    _esm = files(HERE, *SCRIPTS, "canvas.js")
    _css = palette.style_sheet() + files(HERE, "canvas.css")
    label = traitlets.Unicode().tag(sync=True)          # its name, for those who do not see it
    invitation = traitlets.Unicode().tag(sync=True)     # what to drag, and why
    handled_keys = traitlets.List(traitlets.Unicode()).tag(sync=True)
    controls = traitlets.List().tag(sync=True)          # [name, model] of each control, in the order of the keys
    twins = traitlets.List().tag(sync=True)             # [name, model, last]: a second slider, which counts backwards
    hand = traitlets.List().tag(sync=True)              # a control, then positions: see `Scene.hand`
    players = traitlets.List().tag(sync=True)           # models of buttons that play
    longest = traitlets.Int(0).tag(sync=True)           # characters of the longest sentence, whose room is reserved
    height = traitlets.Int(400).tag(sync=True)          # until the first frame arrives
    preview = traitlets.Bytes().tag(sync=True)          # a PNG to show while the kernel is busy with other cells

    def __init__(self, hear: Callable[[dict], None], **traits):
        super().__init__(**traits)
        self.visible = True                             # until the page says that the figure is out of sight
        self.busy = True                                # before there is a page, and until it confirms a message
        self._sent = self.answered = 0                  # answered: number of the last change of points that frames show
        self.on_msg(lambda _, message, __: hear(message))

    def begin(self, catalogue: Catalogue, width: int, height: int, ratio: float) -> None:
        """Start afresh: a picture of so many pixels of the screen, `ratio` times those of the page."""
        self.known, self._hands = {}, {}
        self._clear, self._catalogue = "all", catalogue
        self._size = {"width": width, "height": height, "ratio": ratio}

    def forget_frames(self, meanwhile: bool = False) -> None:
        """Forget all frames, as states look different now. meanwhile: the page may show them until it gets others."""
        self.known.clear()
        self._clear = self._clear or ("" if meanwhile else "frames")

    def supply(self, frames: dict[str, list], now: bool = False) -> None:
        """Send frames by their keys, with parts that the page does not have yet. now: it paints the only frame."""
        news, data = self._catalogue.take()
        self.known.update(frames)
        self._sent += 1
        self.busy = self.busy or self._sent % CONFIRMED == 0
        self.send({"type": "frames", "id": self._sent, "clear": self._clear, "frames": frames, "news": news, "now": now,
                   **self._size, "confirm": self.busy, "answered": self.answered}, [data])
        self._clear = ""

    def set_hands(self, hands: dict) -> None:
        """Send what has changed in the effects of drags and keys, see `workbook.figures.hands`."""
        news = {name: part for name, part in hands.items() if part != self._hands.get(name)}
        if news:
            self._hands = hands
            self.send({"type": "hands", **news})
