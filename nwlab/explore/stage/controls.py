"""The controls that explorers share: sliders that answer the keyboard, with labels that are never cut."""
import math
from contextlib import nullcontext

import ipywidgets
import traitlets

from nwlab._engine.inputs import check_number
from nwlab.kernels import KERNELS, get_kernel

START = 0.41                                        # of the queries lie left of the one that is asked first
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
    """Second faces of controls, whose numbers count backwards: w = 1/sigma of sigma."""
    return [("sigma", controls["_w"])] if "_w" in controls else []


def query_slider(queries, query: float | None = None) -> ipywidgets.SelectionSlider:
    """Which query is asked: a slider over the queries themselves; None starts a little left of the middle."""
    query = queries[int(len(queries) * START)] if query is None else query
    return pick("query x", queries, query, label=lambda x: f"{x:.2f}" if abs(x) < 100 else f"{x:.0f}", name="query")


def round_numbers(low: float, high: float) -> list[float]:
    """Numbers with few digits from low to high, 2.5 to 5 per cent apart: 1, 1.05, ... 2, 2.1, ... 4, 4.2, ... 10."""
    steps = [x / 100 for x in (*range(100, 200, 5), *range(200, 400, 10), *range(400, 1000, 20))]
    decades = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 1)
    numbers = [float(f"{step * 10.0**decade:.3g}") for decade in decades for step in steps]
    return [x for x in numbers if low * 0.999 <= x <= high * 1.001]


def log_slider(name: str, text: str, value: float, low: float, high: float) -> ipywidgets.SelectionSlider:
    """A slider from low to high in equal ratios, over numbers with few digits; ValueError for a `name` not above 0."""
    return pick(text, round_numbers(low, high), check_number(name, value, above=0), label=lambda x: f"{x:.4g}")


def width_and_kernel(sigma: float | None, kernel, unit: float, start: float = 0.25) -> tuple[dict, dict]:
    """The width sigma (None: `start` units) and the kernel; and w = 1/sigma: moving either width moves both."""
    sigmas = round_numbers(0.02 * unit, 5 * unit)
    sigma = start * unit if sigma is None else sigma
    sigma_slider = log_slider("sigma", "width σ", sigma, 0.02 * unit, 5 * unit)
    w_slider = pick("w = 1/σ", [1 / x for x in reversed(sigmas)], 1 / sigma_slider.value, label="{:.3g}".format)
    last = len(sigmas) - 1
    _lead(sigma_slider, w_slider, last)
    _lead(w_slider, sigma_slider, last)
    return {"sigma": sigma_slider, "kernel": kernel_choice(kernel)}, {"_w": w_slider}


def _lead(one, other, last: int) -> None:
    """The other moves with this one, backwards. A page that moved this one has moved both, and hears of neither."""
    def follow(change):
        index, heard = last - change["new"], one._property_lock.get("index") == change["new"]
        with other._lock_property(index=index) if heard else nullcontext():
            other.index = index

    one.observe(follow, names="index")


def kernel_choice(kernel="gaussian", names=tuple(KERNELS)) -> ipywidgets.Dropdown:
    return dropdown("kernel", list(names), get_kernel(kernel).name)


def dropdown(text: str, options, value) -> ipywidgets.Dropdown:
    return ipywidgets.Dropdown(options=options, value=value, description=text, style=_STYLE, layout=_LAYOUT)


def choice(text: str, options, value) -> ipywidgets.ToggleButtons:
    """A few words, one of which is pressed."""
    return ipywidgets.ToggleButtons(options=options, value=value, description=text,
                                    style={**_STYLE, "button_width": "auto"}, layout={"width": "auto"})


def switch(text: str, value: bool = False) -> ipywidgets.Checkbox:
    return ipywidgets.Checkbox(value=value, description=text, indent=False, layout={"width": "auto"})


def sample_controls(sample, names=("n", "noise", "seed")) -> dict:
    """How the sample is drawn: some of n, noise, seed and truth; none for a sample that is a reader's own."""
    if sample.fixed:
        return {}
    truths = [("2 sin x + x^0.8", "power"), ("2 sin x + x", "linear")]
    kinds = {
        "n": lambda: slider("n", 50, 5, 200, 1),
        "noise": lambda: slider("noise", 0.5, 0.0, 2.0, 0.05),
        "seed": lambda: slider("seed", 0, 0, 30, 1),
        "truth": lambda: dropdown("truth", truths, "power"),
    }
    return {name: kinds[name]() for name in names}
