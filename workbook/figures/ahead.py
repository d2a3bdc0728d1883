"""What the reader may want next, prepared while the figure rests: states to both sides, and what the hand would do."""
import asyncio
import time
from collections.abc import Iterator

import numpy as np

from workbook.figures import controls as make

REST, PAUSE = 0.12, 0.004               # seconds after a change before it begins; between two portions
PORTION = 0.02                          # seconds of work before the page's messages are heard again
MANY = 10                               # positions from which on a control is walked along
NEAR, COARSE = 6, 4                     # so far to each side every position comes first, further away every fourth


class Ahead:
    """Prepares states for the page: along the control that was moved last, then along the others.

    The nearest positions come first, then some of the whole range, then the rest, from here outward to one side and to
    the other. A figure out of sight rests. Nothing is prepared along controls that draw the sample or that the scene
    calls slow; where no loop runs, as in a plain script, nothing is at all.
    """

    def __init__(self, figure):
        self.figure, self.turn, self.last, self.sent_hands = figure, 0, None, None

    def begin(self) -> None:
        self.stop()
        if self.figure.scene.work is not None and not self.figure.scene.work.complete:
            return                                      # it will be shown again when it is
        try:
            asyncio.get_running_loop().create_task(self._work(self.turn))
        except RuntimeError:
            pass

    def stop(self, moved: str | None = None) -> None:
        """End the work before its next step; moved: the control because of which."""
        self.last = moved if moved in self.figure.controls else self.last
        self.turn += 1                  # not a task to cancel: JupyterLab may have us called on another thread and loop

    @property
    def walked(self) -> list[str]:
        """The controls along which states are prepared, the one that was moved last first."""
        scene, controls = self.figure.scene, self.figure.controls
        still = {*scene.slow, *getattr(scene.sample, "drawn_by", ())}
        names = [name for name in self.figure._named if name not in still and len(make.values(controls[name])) >= MANY]
        return sorted(names, key=lambda name: name != self.last)

    def states(self) -> Iterator[tuple[str, dict]]:
        """The states to prepare, (key, state) each."""
        figure = self.figure
        here = figure.positions
        for name in self.walked:
            options = make.values(figure.controls[name])
            away = {i: abs(i - here[name]) for i in range(len(options))}
            for at in sorted(away, key=lambda i: (away[i] > NEAR and away[i] % COARSE > 0, i < here[name], away[i])):
                yield ",".join(map(str, {**here, name: at}.values())), {**figure.state, name: options[at]}

    async def _work(self, turn: int) -> None:
        figure, canvas = self.figure, self.figure.canvas
        await asyncio.sleep(REST)
        if turn != self.turn or figure.comm is None or not canvas.seen or figure._extra != figure._hidden:
            return
        with canvas.lock:
            self._say_hands()
        states = self.states()
        while turn == self.turn and figure.comm is not None and canvas.seen:
            with canvas.lock:
                frames, began = {}, time.perf_counter()
                for key, state in states:
                    if key not in canvas.known and turn == self.turn:
                        frames[key] = figure.frame_of(state)
                    if turn != self.turn or time.perf_counter() - began > PORTION:
                        break
                else:
                    turn = None                         # that was all
                if frames:
                    canvas.supply(frames)
            await asyncio.sleep(PAUSE)
            while canvas._waiting and turn == self.turn:        # the page has not dealt with what is under way
                await asyncio.sleep(PAUSE)

    def _say_hands(self) -> None:
        """Tell the page what a drag or a key does, where it can be said by positions of controls."""
        hands = {"type": "hands", **self.hands()}
        moved = {name for panel in hands["panels"] for name in panel["names"]}
        moved |= {way["name"] for way in hands["keys"].values()} | set(self.walked)
        hands["others"] = {name: at for name, at in self.figure.positions.items() if name not in moved}
        if hands != self.sent_hands:
            self.sent_hands = hands
            self.figure.canvas.send(hands)

    def hands(self) -> dict:
        """What drags and keys do."""
        self.options = {name: np.asarray(make.values(self.figure.controls[name])) for name in self.figure._named}
        return {"panels": list(self._drags()), "keys": dict(self._keys())}

    def _positions(self, change: dict | None) -> dict[str, int] | None:
        """What is changed, as positions of controls; None where that cannot be said."""
        figure, found = self.figure, {}
        for name, value in (change or {}).items():
            if name not in figure.controls:
                if value != figure._extra[name]:
                    return None
                continue
            options = self.options[name]
            numbers = isinstance(value, (int, float)) and not isinstance(value, bool)
            found[name] = int(np.argmin(np.abs(options - value))) if numbers else list(options).index(value)
        return found or None

    def _drags(self) -> Iterator[dict]:
        """For each panel whose drags depend on one direction only: what each place in that direction sets."""
        scene, state = self.figure.scene, self.figure.state

        def drag(x, y):
            return self._positions(scene.dragged(name, *map(float, back.transform((x, y))), state))

        for name, panel in scene.panels.items():
            if not panel.get_visible():
                continue
            box, height, back = panel.bbox, scene.figure.bbox.height, panel.transData.inverted()
            xs, ys = (np.linspace(low, high, 5)[1:4] for low, high in (box.intervalx, box.intervaly))
            probes = [[drag(x, y) for y in ys] for x in xs]
            across = all(row[0] == each for row in probes for each in row)
            down = all(probes[0][j] == row[j] for row in probes for j in range(3))
            if probes[0][0] is None or across == down:
                continue
            if across:
                found = [drag(x, ys[1]) for x in np.arange(box.x0, box.x1 + 1, 1.0)]
            else:
                found = [drag(xs[1], y) for y in np.arange(box.y1, box.y0 - 1, -1.0)]
            names = list(found[0] or ())
            if all(each is not None and list(each) == names for each in found):
                yield {"box": [float(each) for each in (box.x0, height - box.y1, box.x1, height - box.y0)],
                       "across": across, "names": names, "positions": [list(each.values()) for each in found]}

    def _keys(self) -> Iterator[tuple[str, dict]]:
        """For each key that moves one control: the position that follows each of its positions."""
        figure = self.figure
        for key in figure.scene.keys:
            change = self._positions(figure.scene.typed(key, figure.state))
            if change and len(change) == 1:
                name, = change
                states = ({**figure.state, name: value} for value in make.values(figure.controls[name]))
                follows = [self._positions(figure.scene.typed(key, state)) for state in states]
                if all(each and list(each) == [name] for each in follows):
                    yield key, {"name": name, "next": [each[name] for each in follows]}
