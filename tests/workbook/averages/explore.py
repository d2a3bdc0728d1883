"""A live figure: the last number moves, and the mean with it."""
import numpy as np

from workbook.figures import controls as make
from workbook.figures.live import Explorer, Layout, Scene

__all__, MEASURED = ["middle"], ()


class MiddleScene(Scene):
    label = "Five numbers, their mean and their median"
    invitation = "Drag the last number: which of the two follows?"
    layouts = (Layout(("line",), (1,), (1,), height=200),)

    def __init__(self):
        super().__init__()
        (panel := self.panels["line"]).set(xlim=(0, 21), ylim=(0, 1), yticks=[], xlabel="numbers")
        self.dots, self.mean = panel.plot([], [], "o")[0], panel.axvline(3, color="#0072B2")
        self.move(self.dots, self.mean)

    def update(self, state):
        numbers = np.array([1, 2, 3, 4, state["last"]])
        self.dots.set_data(numbers, np.full(5, 0.5))
        self.mean.set_xdata([numbers.mean()] * 2)
        return f"The mean is <b>{numbers.mean():g}</b>, the median <b>{np.median(numbers):g}</b>."


def middle() -> Explorer:
    return Explorer(MiddleScene(), {"last": make.slider("last", 5.0, 5.0, 20.0, 0.5)}, presets={"far": {"last": 20.0}})
