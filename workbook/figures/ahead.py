"""What the reader may want next, prepared while the figure rests: the states to both sides of the present one."""
import asyncio
import time
from collections.abc import Iterator

from workbook.figures.background import running_loop

REST, PAUSE = 0.12, 0.004               # seconds after a change before it begins; between two portions
PORTION = 0.02                          # seconds of work before the page's messages are heard again
MANY = 10                               # controls with fewer positions are not prepared
NEAR, COARSE = 6, 4                     # up to NEAR steps away every position comes first, beyond it every fourth


class Ahead:
    """Prepares states for the page: along the control that was moved last, then along the others.

    The nearest positions come first, then some of the whole range, then the rest. A figure out of sight rests. Nothing
    is prepared along controls that draw the sample or that the scene calls slow, nor where no event loop runs.
    """

    def __init__(self, figure):
        self.figure, self.turn, self.last, self.sent_hands = figure, 0, None, None

    def begin(self) -> None:
        self.stop()
        work, loop = self.figure.scene.work, running_loop()
        if loop and (work is None or work.complete):    # unfinished work shows its figure again when it is done
            loop.create_task(self._work(self.turn))

    def stop(self, moved: str | None = None) -> None:
        """End the work before its next step; moved: the control because of which."""
        self.last = moved if moved in self.figure.controls else self.last
        self.turn += 1                  # the task may belong to the loop of another thread: it ends by itself

    def forget(self) -> None:
        """The page begins afresh."""
        self.sent_hands = None

    @property
    def walked(self) -> list[str]:
        """The controls along which states are prepared, the one that was moved last first."""
        still = {*self.figure.scene.slow, *self.figure.scene.drawn_by}
        names = [name for name, options in self.figure.options.items() if len(options) >= MANY and name not in still]
        return sorted(names, key=lambda name: name != self.last)

    def states(self) -> Iterator[tuple[str, dict]]:
        """The states to prepare, (key, state) each."""
        figure = self.figure
        here = figure.positions
        for name in self.walked:
            options = figure.options[name]
            away = [abs(i - here[name]) for i in range(len(options))]
            later = [each > NEAR and each % COARSE > 0 for each in away]
            for at in sorted(range(len(options)), key=lambda i: (later[i], i < here[name], away[i])):
                yield ",".join(map(str, {**here, name: at}.values())), {**figure.state, name: options[at]}

    async def _work(self, turn: int) -> None:
        figure, canvas = self.figure, self.figure.canvas

        def goes_on() -> bool:
            return turn == self.turn and figure.comm is not None and canvas.seen

        await asyncio.sleep(REST)
        if goes_on():
            with figure.lock:
                self.send_hands()
        states = (each for each in self.states() if each[0] not in canvas.known)
        left = True
        while left and goes_on():
            with figure.lock:
                frames, end, left = {}, time.perf_counter() + PORTION, False
                for key, state in states:
                    frames[key] = figure.frame_of(state)
                    if left := not goes_on() or time.perf_counter() > end:
                        break
                if frames:
                    figure.supply(frames)
            await asyncio.sleep(PAUSE)
            while canvas.waiting and goes_on():         # the page has not dealt with what was sent
                await asyncio.sleep(PAUSE)

    def send_hands(self) -> None:
        """Tell the page what drags and keys do, and where the other controls stand as long as this holds."""
        message = {"type": "hands", **self.figure.hands(self.figure.state)}
        moved = {name for panel in message["panels"] for name in panel["names"]}
        moved |= {way["name"] for way in message["keys"].values()} | set(self.walked)
        message["others"] = {name: at for name, at in self.figure.positions.items() if name not in moved}
        if message != self.sent_hands:
            self.sent_hands = message
            self.figure.canvas.send(message)
