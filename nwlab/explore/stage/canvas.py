"""Python's half of a live figure: draw what moved, send the rectangle that changed, wait until it is painted."""
import io
from pathlib import Path

import anywidget
import numpy as np
import traitlets
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from nwlab import palette

HERE = Path(__file__).parent
AHEAD = 4       # so many frames at most are under way: of every fourth the page is asked to say that it has painted it


class Canvas(anywidget.AnyWidget):
    """A Matplotlib figure in the page, redrawn by blitting: a background kept, and `moving` artists drawn onto it."""

    _esm = HERE / "canvas.js"
    _css = palette.style_sheet() + (HERE / "canvas.css").read_text(encoding="utf-8")
    label = traitlets.Unicode().tag(sync=True)          # its name, for those who do not see it
    handled_keys = traitlets.List(traitlets.Unicode()).tag(sync=True)
    cursor = traitlets.Unicode("default").tag(sync=True)
    height = traitlets.Int(400).tag(sync=True)          # until the first frame arrives
    preview = traitlets.Bytes().tag(sync=True)          # a PNG to show while the kernel is busy with other cells

    def __init__(self, figure: Figure, **traits):
        super().__init__(**traits)
        self.figure, self.moving = figure, []
        self.agg = FigureCanvasAgg(figure)
        self.on_resize = self.on_pointer = self.on_key = self.before_frame = None   # set by the owner
        self._background = self._sent = self._said = None
        self._connected = self._waiting = self._stale = False
        self._frame = 0
        self.sentence = ""                                          # what the figure shows now, in words (HTML)
        self.on_msg(self._receive)

    def redraw(self) -> None:
        """Something in the background changed (limits, labels, size): the next frame draws everything."""
        self._background = None
        self.refresh()

    def refresh(self) -> None:
        """Something moved: paint a frame, now or as soon as the browser has caught up."""
        self._stale = True
        if self._connected and not self._waiting:
            self._paint()

    def pixels(self) -> np.ndarray:
        """The figure as it is now, (height, width, 4) bytes."""
        self._stale = False
        if self.before_frame:
            self.before_frame()
        if self._background is None:
            for artist in self.moving:
                artist.set_animated(True)
            self.agg.draw()
            self._background = self.agg.copy_from_bbox(self.figure.bbox)
        else:
            self.agg.restore_region(self._background)
        for artist in sorted(self.moving, key=lambda artist: artist.zorder):
            if artist.get_visible():
                self.figure.draw_artist(artist)
        return np.asarray(self.agg.buffer_rgba())

    def png(self) -> bytes:
        """The whole figure as a PNG."""
        return _encode(self.pixels(), level=6)

    def _paint(self) -> None:
        pixels = self.pixels()
        words = pixels.view(np.uint32)[..., 0]                      # one comparison a pixel instead of four
        whole = self._sent is None or self._sent.shape != words.shape
        differs = np.ones(words.shape, bool) if whole else words != self._sent
        rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
        if rows.size == 0:
            if self.sentence == self._said:
                return
            rows = columns = np.zeros(1, dtype=int)                 # the words alone have changed: a patch of one pixel
        top, bottom, left, right = rows[0], rows[-1] + 1, columns[0], columns[-1] + 1
        self._sent, self._said = words.copy(), self.sentence
        self._frame += 1
        self._waiting = self._frame % AHEAD == 0
        self.send({"type": "frame", "id": self._frame, "x": int(left), "y": int(top), "width": words.shape[1],
                   "height": words.shape[0], "ratio": self.agg.device_pixel_ratio, "sentence": self.sentence,
                   "say_painted": self._waiting},
                  [_encode(pixels[top:bottom, left:right], level=1)])

    def _receive(self, _, message: dict, __) -> None:
        kind = message.get("type")
        if kind == "painted":
            self._waiting = False
            if self._stale:
                self._paint()
        elif kind == "ready":                                       # a view appeared, or its room changed
            self._connected, self._waiting, self._sent = True, False, None
            self.agg._set_device_pixel_ratio(float(message.get("ratio", 1.0)))
            if self.on_resize:
                self.on_resize(int(message["width"]))
            self.redraw()
        elif kind in ("pointer", "key"):
            try:
                if kind == "pointer" and self.on_pointer:
                    self.on_pointer(message["kind"], float(message["x"]), float(message["y"]), bool(message["pressed"]))
                elif kind == "key" and self.on_key:
                    self.on_key(str(message["key"]))
            finally:
                self.send({"type": "handled"})


def _encode(pixels: np.ndarray, level: int) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels[..., :3])).save(buffer, format="png", compress_level=level)
    return buffer.getvalue()
