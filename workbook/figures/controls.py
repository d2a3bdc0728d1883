"""The controls that explorers share: sliders that answer the keyboard, with labels that are never cut."""
import math
from contextlib import nullcontext

import ipywidgets
import traitlets

_STYLE = {"description_width": "7.2em"}      # of all, so that labels, tracks and numbers stand in columns
_LAYOUT = {"width": "auto"}


def slider(text: str, value, low, high, step) -> ipywidgets.Widget:
    """A slider over numbers; whole ones where all of value, low, high and step are whole."""
    kind = ipywidgets.IntSlider if all(isinstance(x, int) for x in (value, low, high, step)) else ipywidgets.FloatSlider
    return kind(value=value, min=low, max=high, step=step, description=text, style=_STYLE, layout=_LAYOUT)


def pick(text: str, options, value, label="{:g}".format, name="") -> ipywidgets.SelectionSlider:
    """A slider over given numbers, starting at the one nearest to value; errors call the value `name`.

    Whatever Python itself moves (a query that can be dragged, one of two linked widths) is such a slider: page and
    Python exchange the number of the option, which is exact, so no rounded echo comes back and moves it again.
    """
    options = [(label(x), float(x)) for x in options]
    slider = ipywidgets.SelectionSlider(options=options, description=text, style=_STYLE, layout=_LAYOUT)
    assign(slider, value, name)
    return slider


def assign(control: ipywidgets.Widget, value, name: str = "") -> None:
    """Set a control's value; a slider over given numbers goes to the nearest. ValueError if it cannot be."""
    name = name or control.description
    if isinstance(control, ipywidgets.SelectionSlider):
        value, numbers = check_number(name, value), [x for _, x in control.options]
        control.index = min(range(len(numbers)), key=lambda i: abs(numbers[i] - value))
        return
    try:
        control.value = value
    except traitlets.TraitError as error:
        raise ValueError(f"{name}: got {value!r}, expected a value that this control takes ({error})") from None


def position(control: ipywidgets.Widget) -> int:
    """The number of the option, or of the step, at which a control stands; 0 and 1 for a switch."""
    if hasattr(control, "index"):
        return control.index
    if isinstance(control.value, bool):
        return int(control.value)
    return round((control.value - control.min) / control.step)


def values(control: ipywidgets.Widget) -> list:
    """What a control can be set to, by position."""
    if hasattr(control, "options"):
        return [option[1] if isinstance(option, tuple) else option for option in control.options]
    if isinstance(control.value, bool):
        return [False, True]
    return [control.min + i * control.step for i in range(round((control.max - control.min) / control.step) + 1)]


def twins(controls: dict) -> list[tuple[str, ipywidgets.Widget]]:
    """Second faces of controls, whose numbers count backwards: `_sigma`, which is 1/sigma, of `sigma`."""
    return [(name[1:], controls[name]) for name in controls if name[0] == "_" and name[1:] in controls]


def round_numbers(low: float, high: float) -> list[float]:
    """Numbers with few digits from low to high, 2.5 to 5 per cent apart: 1, 1.05, ... 2, 2.1, ... 4, 4.2, ... 10."""
    steps = [x / 100 for x in (*range(100, 200, 5), *range(200, 400, 10), *range(400, 1000, 20))]
    decades = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 1)
    numbers = [float(f"{step * 10.0**decade:.3g}") for decade in decades for step in steps]
    return [x for x in numbers if low * 0.999 <= x <= high * 1.001]


def log_slider(name: str, text: str, value: float, low: float, high: float) -> ipywidgets.SelectionSlider:
    """A slider from low to high in equal ratios, over numbers with few digits; ValueError for a `name` not above 0."""
    return pick(text, round_numbers(low, high), check_number(name, value, above=0), label=lambda x: f"{x:.4g}")


def dropdown(text: str, options, value) -> ipywidgets.Dropdown:
    return ipywidgets.Dropdown(options=options, value=value, description=text, style=_STYLE, layout=_LAYOUT)


def choice(text: str, options, value) -> ipywidgets.ToggleButtons:
    """A few words, one of which is pressed."""
    return ipywidgets.ToggleButtons(options=options, value=value, description=text,
                                    style={**_STYLE, "button_width": "auto"}, layout={"width": "auto"})


def switch(text: str, value: bool = False) -> ipywidgets.Checkbox:
    return ipywidgets.Checkbox(value=value, description=text, indent=False, layout={"width": "auto"})


def lead(one, other, last: int) -> None:
    """The other moves with this one, backwards. A page that moved this one has moved both, and hears of neither."""
    def follow(change):
        index, heard = last - change["new"], one._property_lock.get("index") == change["new"]
        with other._lock_property(index=index) if heard else nullcontext():
            other.index = index

    one.observe(follow, names="index")


def check_number(name: str, value, above: float = -math.inf) -> float:
    """A finite number above a bound, as a float; ValueError otherwise."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not above < number < math.inf:
        bound = f" above {above:g}" if math.isfinite(above) else ""
        raise ValueError(f"{name}: got {value!r}, expected a finite number{bound}")
    return number
