"""Python's half of a live figure: says what each state looks like, and keeps the page supplied while the reader rests.

A frame is a background, the items drawn onto it and a sentence, all by number; what the page has not seen yet goes
along. The page keeps the frames by the positions of the controls, and paints one that it has without asking.
"""
import io
from pathlib import Path
from threading import RLock

import anywidget
import numpy as np
import traitlets
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from workbook import palette
from workbook.figures.recorder import Recorder, Tracks

HERE = Path(__file__).parent
UNDER_WAY = 4                           # of every fourth message the page is asked to say that it has painted it
MOST = 24 << 20                         # bytes that the page keeps of one figure; beyond that it begins anew


class Canvas(anywidget.AnyWidget):
    """A Matplotlib figure in the page: a background, and `moving` artists drawn onto it.

    on_resize, on_pointer, on_key: called with what the page says. before_frame brings the artists up to the state that
    `key` names, and sets `sentence`.
    """

    _esm = "".join((HERE / name).read_text(encoding="utf-8") for name in ("player.js", "access.js", "canvas.js"))
    label = traitlets.Unicode().tag(sync=True)          # its name, for those who do not see it
    handled_keys = traitlets.List(traitlets.Unicode()).tag(sync=True)
    controls = traitlets.List().tag(sync=True)          # [name, model] of each control, in the order of the keys
    twins = traitlets.List().tag(sync=True)             # [name, model, last]: another face, which counts backwards
    players = traitlets.List().tag(sync=True)           # models of buttons that play
    hovers = traitlets.Bool(False).tag(sync=True)       # whether the pointer counts when it is not pressed
    longest = traitlets.Int(0).tag(sync=True)           # characters of the longest sentence: the page keeps their room
    height = traitlets.Int(400).tag(sync=True)          # until the first frame arrives
    preview = traitlets.Bytes().tag(sync=True)          # a PNG to show while the kernel is busy with other cells

    @property
    def _css(self) -> str:                              # by now the course has named its words
        return palette.style_sheet() + (HERE / "canvas.css").read_text(encoding="utf-8")

    def __init__(self, figure: Figure, **traits):
        super().__init__(**traits)
        self.figure, self.moving = figure, []
        self.agg = FigureCanvasAgg(figure)
        self.on_resize = self.on_pointer = self.on_key = self.before_frame = self.at_rest = None    # set by the owner
        self.numbers = list                                         # what is shown, as tables
        self.which = lambda: ("", False)                            # the key of the state, and whether it says all
        self.fine = False                                           # whether words are recorded for finer screens too
        self._background = None
        self._connected = self._waiting = self._stale = self._passing = False
        self._message, self.seen = 0, True                          # until the page says that it is out of sight
        self.lock = RLock()                                         # the page may call on another thread than a cell
        self.sentence = ""                                          # what the figure shows now, in words (HTML)
        self.forget()
        self.on_msg(self._receive)

    def forget(self) -> None:
        """The page begins anew: it has nothing, or has another size."""
        self.tracks, self.known = Tracks(), {}
        self._clear, self._recorder, self._scenery = "all", None, None

    def forget_frames(self) -> None:
        """No state looks as it did, though its key is the same: work in the background went on."""
        self.known.clear()
        self._clear = self._clear or "frames"

    def changed_background(self) -> None:
        """The background has to be drawn anew, or found again among those that were."""
        self._background = self._scenery = None

    def redraw(self) -> None:
        """Something in the background changed (limits, labels, size): the next frame draws everything."""
        self.changed_background()
        self.refresh()

    def refresh(self) -> None:
        """Something moved: paint a frame, now or as soon as the browser has caught up."""
        with self.lock:
            self._stale = True
            if self._connected and not self._waiting:
                self._paint()

    def pixels(self) -> np.ndarray:
        """The figure as it is now, (height, width, 4) bytes."""
        with self.lock:
            self._stale = False
            if self.before_frame:
                self.before_frame()
            self._recorder = self._scenery = None                   # drawn here, an artist no longer says that it moved
            self._draw_background()
            for artist in self._shown():
                self.figure.draw_artist(artist)
            return np.asarray(self.agg.buffer_rgba())

    def png(self) -> bytes:
        """The whole figure as a PNG."""
        return _encode(self.pixels(), level=6)

    def _shown(self) -> list:
        return [artist for artist in sorted(self.moving, key=lambda artist: artist.zorder) if artist.get_visible()]

    def _draw_background(self) -> None:
        if self._background is None:
            for artist in self.moving:
                artist.set_animated(True)
            self.agg.draw()
            self._background = self.agg.copy_from_bbox(self.figure.bbox)
        else:
            self.agg.restore_region(self._background)

    def record(self) -> list:
        """The frame of the state that the artists show: [background, items, sentence], by number."""
        if self._scenery is None:
            for artist in self.moving:
                artist.set_animated(True)
            width, height = (int(side) for side in self.agg.get_width_height(physical=True))
            size = width, height, self.figure.dpi
            if self._recorder is None or self._size != size:
                self._size, self._recorder = size, Recorder(*size, self.tracks, self.fine)
            self._scenery = self._recorder.background(self.figure)
            self._rooms = {panel: (panel.bbox.bounds, *panel.viewLim.extents) for panel in self.figure.axes}
        items = [self._recorder.moving(artist, self._rooms[artist.axes]) for artist in self._shown()]
        return [self._scenery, items, self.tracks.number("text", self.sentence.encode())]

    def _paint(self) -> None:
        """Say what the state looks like that the controls are in, unless the page has it and has painted it already."""
        self._stale = False
        key, lasting = self.which()
        if not lasting or key not in self.known:
            if self.before_frame:
                self.before_frame()
            self.supply({key: self.record()}, now=True, lasting=lasting)
        elif self._passing:                                         # the page still shows what was only passing
            self.supply({key: self.known[key]}, now=True)
        self._passing = not lasting
        if self.at_rest:
            self.at_rest()

    def supply(self, frames: dict[str, list], now: bool = False, lasting: bool = True) -> None:
        """Send frames by their keys, and what is new in them. now: to be painted; lasting: to be kept."""
        if lasting:
            self.known.update(frames)
        news, held = self.tracks.take()
        width, height = self.agg.get_width_height(physical=True)
        self._message += 1
        self._waiting = self._message % UNDER_WAY == 0
        self.send({"type": "frames", "id": self._message, "clear": self._clear, "frames": frames, "news": news,
                   "now": now, "lasting": lasting, "width": int(width), "height": int(height),
                   "ratio": self.agg.device_pixel_ratio, "say_painted": self._waiting}, [held])
        self._clear = ""
        if self.tracks.size > MOST:
            self.forget()

    def _receive(self, _, message: dict, __) -> None:
        with self.lock:
            self._hear(message)

    def _hear(self, message: dict) -> None:
        kind = message.get("type")
        if kind == "painted":
            self._waiting = False
            if self._stale:
                self._paint()
        elif kind == "ready":                                       # a view appeared, or its room changed
            self._connected, self._waiting = True, False
            self.agg._set_device_pixel_ratio(float(message.get("ratio", 1.0)))
            if self.on_resize:
                self.on_resize(int(message["width"]))
            self.forget()
            self.redraw()
        elif kind == "numbers":
            self.send({"type": "numbers", "tables": self.numbers()})
        elif kind == "seen":
            self.seen = bool(message["seen"])
            if self.seen and self._connected and self.at_rest:
                self.at_rest()                                      # go on with what was left
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
