"""A live figure that has to train before it can show anything: in a thread, while the page sees how far it has come."""
from __future__ import annotations

import asyncio

from nwlab.explore.stage.live import Explorer

PATIENCE = 0.3              # seconds a frame waits for a training that has just begun, as most are done by then


class PatientExplorer(Explorer):
    """An explorer whose scene trains in a thread. The page sees how far it has come; code that asks waits for the end.

    Its scene has `patience`, how many seconds `update` may wait for a training that it begins (None: until the end),
    `busy`, whether what `update` has shown is not the end, and `stop()`, which ends a training nobody waits for.
    """

    _tick, _patient = None, False

    @property
    def sentence(self) -> str:
        self._wait_for_the_end()
        return super().sentence

    def _repr_mimebundle_(self, **kwargs):
        self._wait_for_the_end()
        return super()._repr_mimebundle_(**kwargs)

    def _wait_for_the_end(self) -> None:
        self._pending, self._patient = self._pending or self.scene.busy, True
        try:
            self._settle()
        finally:
            self._patient = False

    def _settle(self) -> None:
        loop = None if self._patient or not self.canvas._connected else _running_loop()
        self.scene.patience = PATIENCE if loop and not self._tick else 0.0 if loop else None
        super()._settle()
        if loop and self.scene.busy and self._tick is None:
            self._tick = loop.call_later(0.2, self._go_on)

    def _go_on(self) -> None:
        """Show how far the training has come, unless the figure was closed meanwhile."""
        self._tick = None
        if self.comm is None:
            return self.scene.stop()
        self._pending = True
        self.canvas.refresh()


def _running_loop():
    try:
        return asyncio.get_running_loop()
    except RuntimeError:                                # no kernel: a script or a test, which wait
        return None
