"""The controls of live figures: sliders over a list of values, menus and switches, as the page makes them."""
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from numbers import Real

import numpy as np
import traitlets

from workbook.language import say


@dataclass(eq=False)
class Control:
    """A control with the words before it. kind: "range" for a slider, "select" for a menu, or "switch".

    labels, values: of its options. value: the one with which it opens. unit: presets are multiples of it, see `Scene`.
    colour: the name in `workbook.palette.WORDS` of what it is about. inverse: the words before a second slider, which
    shows 1 / value. needs: another control, and its position at which this one has an effect. accept: called with
    a value of a menu, returns an option, which may be a new one; ValueError for a value that cannot be.
    """

    kind: str
    text: str
    labels: list[str]
    values: list
    value: object
    unit: float | None = None
    colour: str = ""
    inverse: str = ""
    needs: tuple[str, int] | None = None
    accept: Callable | None = None

    def option(self, value, name: str):
        """The option for a value or a label: of a slider the nearest. ValueError, with this name, if there is none."""
        if self.kind == "range":
            low = 0 if self.values[0] > 0 else -math.inf
            if not isinstance(value, Real) or not low < value < math.inf:
                above = " above 0" if low == 0 else ""
                raise ValueError(f"{name}: got {value!r}, expected a finite number{above}")
            return min(self.values, key=lambda option: abs(option - value))
        if value in self.labels and value not in self.values:
            return self.values[self.labels.index(value)]
        if self.accept:
            return self.accept(value)
        if value not in self.values:
            raise ValueError(f"{name}: got {value!r}, expected one of {', '.join(map(repr, self.values))}")
        return self.values[self.values.index(value)]

    def to_page(self, value):
        """The value as the page has it: a number, True or False, or a text."""
        return value if isinstance(value, (Real, str)) else self.labels[self.values.index(value)]

    def about(self) -> dict:
        """What the page has to know."""
        return {"kind": self.kind, "text": self.text, "labels": [*self.labels], "colour": self.colour,
                "values": [*map(self.to_page, self.values)], "inverse": self.inverse, "needs": self.needs}


class Choice(traitlets.TraitType):
    """The trait of a figure that is moved by a control: one of its options."""

    def __init__(self, control: Control):
        super().__init__(control.value)
        self.control = control
        self.tag(sync=True, to_json=lambda value, _: control.to_page(value))

    def validate(self, obj, value):
        return self.control.option(value, self.name)


def pick(text: str, options: Iterable[float], value, label="{:g}".format, unit=None, **style) -> Control:
    """A slider over these numbers, at the one nearest to `value`. style: other properties of the `Control`."""
    values = np.asarray([*options]).tolist()
    control = Control("range", text, [label(x) for x in values], values, None, unit, **style)
    control.value = control.option(value, text)
    return control


def slider(text: str, value, low, high, step, **style) -> Control:
    """A slider over equal steps; over whole numbers where low and step are whole."""
    return pick(text, [round(low + i * step, 9) for i in range(round((high - low) / step) + 1)], value, **style)


def log_slider(text: str, value: float, low: float, high: float, unit: float = 1.0, **style) -> Control:
    """A slider from low to high in about equal ratios; all three are in this unit."""
    return pick(text, round_numbers(low * unit, high * unit), value * unit, "{:.4g}".format, unit, **style)


def round_numbers(low: float, high: float) -> list[float]:
    """Numbers with few digits from low to high, 2.5 to 5 per cent apart: 1, 1.05, ... 2, 2.1, ... 4, 4.2, ... 10."""
    steps = [x / 100 for x in (*range(100, 200, 5), *range(200, 400, 10), *range(400, 1000, 20))]
    decades = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 1)
    numbers = [float(f"{step * 10.0**decade:.3g}") for decade in decades for step in steps]
    return [x for x in numbers if low * 0.999 <= x <= high * 1.001]


def dropdown(text: str, options: Iterable, value) -> Control:
    """A menu of options, (label, value) each, or labels that are values."""
    labels, values = zip(*[each if isinstance(each, tuple) else (each, each) for each in options])
    return Control("select", text, [*labels], [*values], value)


def switch(text: str, value: bool = False, **style) -> Control:
    return Control("switch", text, [say("off"), say("on")], [False, True], value, **style)
