"""What Python sends to the page of a live figure: frames, and what drags and keys do."""
from collections.abc import Callable

from workbook.figures.recorder import Camera

CONFIRMED = 4                           # the page has to confirm every fourth message
MOST = 24 << 20                         # bytes of frames after which a figure starts afresh


class Frames:
    """The frames that the page has, by the positions of the controls; it paints those without asking Python.

    send: called with each message and its buffers. visible: until the page says that the figure is out of sight. busy:
    until there is a page, and until it confirms. answered: the number of the last change of points shown. looks: see
    `Explorer.looks`, once they are known.
    """

    def __init__(self, send: Callable, camera: Camera):
        self.send, self.camera, self.visible, self.busy, self.answered, self._sent = send, camera, True, True, 0, 0

    def begin(self) -> None:
        """Start afresh, with the figure as large as it is now."""
        self.camera.forget()
        self.known, self.looks, self._interactions, self._clear = {}, {}, {}, "all"

    def forget(self, meanwhile: bool = False) -> None:
        """Forget all frames, as states look different now. meanwhile: the page may show the old ones for a while."""
        self.known.clear()
        self._clear = self._clear or ("" if meanwhile else "frames")

    def supply(self, frames: dict[str, list], now: bool = False) -> None:
        """Send frames by their keys, and the parts that the page lacks. now: paint the only frame, even if late."""
        news, data = self.camera.catalogue.take()
        self.known.update(frames)
        self._sent += 1
        self.busy = self.busy or self._sent % CONFIRMED == 0
        self.send({"type": "frames", "id": self._sent, "clear": self._clear, "frames": frames, "news": news, "now": now,
                   **self.camera.size, "confirm": self.busy, "answered": self.answered, "looks": self.looks}, [data])
        self._clear = ""
        if self.camera.catalogue.size > MOST:
            self.begin()

    def set_interactions(self, interactions: dict) -> None:
        """Send what has changed in the effects of drags and keys, see `workbook.figures.interactions`."""
        news = {name: part for name, part in interactions.items() if part != self._interactions.get(name)}
        if news:
            self._interactions = interactions
            self.send({"type": "interactions", **news})
