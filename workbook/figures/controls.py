"""The controls of live figures: sliders over a list of values, dropdowns and switches, with labels never cut off."""
import math
from collections.abc import Callable, Iterable
from numbers import Real

import ipywidgets
import numpy as np

_STYLE = {"description_width": "7.2em"}      # the same for all, so that labels and tracks are aligned
_LAYOUT = {"width": "auto"}


def pick(text: str, options: Iterable[float], value, label="{:g}".format, unit=None) -> ipywidgets.SelectionSlider:
    """A slider over these numbers, at the one nearest to `value`. unit: presets are multiples of it, see `Scene`.

    Page and Python exchange the index of the option, which is exact: no rounded value comes back and moves the slider.
    """
    options = [(label(x), x) for x in np.asarray([*options]).tolist()]
    control = ipywidgets.SelectionSlider(options=options, description=text, style=_STYLE, layout=_LAYOUT)
    control.unit = unit
    assign(control, value)
    return control


def slider(text: str, value, low, high, step) -> ipywidgets.SelectionSlider:
    """A slider over equal steps; over whole numbers where low and step are whole."""
    return pick(text, [round(low + i * step, 9) for i in range(round((high - low) / step) + 1)], value)


def log_slider(text: str, value: float, low: float, high: float, unit: float = 1.0) -> ipywidgets.SelectionSlider:
    """A slider from low to high in about equal ratios; all three are in this unit."""
    return pick(text, round_numbers(low * unit, high * unit), value * unit, "{:.4g}".format, unit)


def round_numbers(low: float, high: float) -> list[float]:
    """Numbers with few digits from low to high, 2.5 to 5 per cent apart: 1, 1.05, ... 2, 2.1, ... 4, 4.2, ... 10."""
    steps = [x / 100 for x in (*range(100, 200, 5), *range(200, 400, 10), *range(400, 1000, 20))]
    decades = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 1)
    numbers = [float(f"{step * 10.0**decade:.3g}") for decade in decades for step in steps]
    return [x for x in numbers if low * 0.999 <= x <= high * 1.001]


def play(name: str, interval: int) -> Callable:
    """What makes a button that moves the slider of that name one option further every `interval` milliseconds."""
    def make(figure) -> ipywidgets.Play:
        slider = figure.controls[name]
        button = ipywidgets.Play(max=len(slider.options) - 1, interval=interval, show_repeat=False)
        ipywidgets.link((slider, "index"), (button, "value"))
        button.moves = slider
        return button

    return make


def dropdown(text: str, options, value) -> ipywidgets.Dropdown:
    return ipywidgets.Dropdown(options=options, value=value, description=text, style=_STYLE, layout=_LAYOUT)


def switch(text: str, value: bool = False) -> ipywidgets.Checkbox:
    return ipywidgets.Checkbox(value=value, description=text, indent=False, layout=_LAYOUT)


def assign(control: ipywidgets.Widget, value, name: str = "") -> None:
    """Set a control's value, of a slider the nearest option. ValueError for a value that the control cannot have."""
    name, options = name or control.description, values(control)
    if isinstance(control, ipywidgets.SelectionSlider):
        if not isinstance(value, Real) or not (0 if options[0] > 0 else -math.inf) < value < math.inf:
            above = " above 0" if options[0] > 0 else ""
            raise ValueError(f"{name}: got {value!r}, expected a finite number{above}")
        control.index = min(range(len(options)), key=lambda i: abs(options[i] - value))
    elif hasattr(control, "admit"):
        control.value = control.admit(value)
    elif value in options:
        control.value = value
    else:
        raise ValueError(f"{name}: got {value!r}, expected one of {', '.join(map(repr, options))}")


def position(control: ipywidgets.Widget) -> int:
    """The index of the option at which a control is; 0 or 1 for a switch."""
    return control.index if hasattr(control, "index") else int(control.value)


def labelled(control: ipywidgets.Widget) -> list[tuple]:
    """The options of a control, (label, value) each."""
    options = getattr(control, "options", [("off", False), ("on", True)])
    return [option if isinstance(option, tuple) else (str(option), option) for option in options]


def values(control: ipywidgets.Widget) -> list:
    """The values of the options of a control."""
    return [value for _, value in labelled(control)]
