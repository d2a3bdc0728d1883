"""What every explorer does with data that a reader may bring, however odd, and with arguments it cannot use."""
import inspect
import warnings

import ipywidgets
import numpy as np
import pytest

import nwlab
from nwlab import explore

EXPLORERS = {name: getattr(explore, name) for name in explore.__all__}


def those_that_take(argument: str) -> list[str]:
    return [name for name, make in EXPLORERS.items() if argument in inspect.signature(make).parameters]


ODD = {
    "a single key": ([1.0], [2.0]),
    "two keys at one place": ([1.0, 1.0], [2.0, 3.0]),
    "all keys alike": ([5.0] * 6, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
    "ties": ([0.0, 0.0, 1.0, 1.0, 2.0], [1.0, 2.0, 3.0, 4.0, 5.0]),
    "values all zero": ([0.0, 1.0, 2.0, 3.0], [0.0] * 4),
    "large numbers": (np.linspace(0.0, 1e9, 20), np.linspace(-1e12, 1e12, 20)),
    "small numbers": (np.linspace(0.0, 1e-9, 20), np.linspace(0.0, 1e-12, 20)),
    "one key far away": ([0.0, 1.0, 2.0, 3.0, 1e8], [1.0, 2.0, 3.0, 4.0, 5.0]),
}


@pytest.mark.parametrize("name", those_that_take("data"))
@pytest.mark.parametrize("data", ODD)
def test_odd_data_are_shown_without_a_warning(name, data):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = EXPLORERS[name](nwlab.from_arrays(*ODD[data]))
        buttons = [child for box in figure.children for child in getattr(box, "children", ())
                   if isinstance(child, ipywidgets.Button)]
        for button in buttons:
            button.click()
            assert "cannot be shown" not in figure.sentence and "nan" not in figure.sentence
        for panel in figure.scene.panels.values():
            if panel.get_visible():
                for kind, pressed in (("down", True), ("move", True), ("up", False), ("leave", False)):
                    figure._pointer(kind, *panel.bbox.min + 0.9 * panel.bbox.size, pressed)
                    figure.canvas.pixels()
        for key in figure.scene.keys:
            figure._key(key)
        figure.canvas.pixels()
        assert "cannot be shown" not in figure.sentence


@pytest.mark.parametrize("name", those_that_take("kernel"))
def test_an_unknown_kernel_is_refused(name):
    with pytest.raises(ValueError, match="kernel: got 'gausian', expected one of gaussian"):
        EXPLORERS[name](kernel="gausian")


@pytest.mark.parametrize(("name", "argument"), [(name, a) for a in ("sigma", "h") for name in those_that_take(a)])
@pytest.mark.parametrize("width", [0, -1.0, np.nan, np.inf, "wide", [1.0, 2.0]])
def test_a_width_that_is_none_is_refused(name, argument, width):
    with pytest.raises(ValueError, match=f"^{argument}: got .*, expected a finite number above 0"):
        EXPLORERS[name](**{argument: width})


@pytest.mark.parametrize("name", those_that_take("query"))
@pytest.mark.parametrize("query", [np.nan, "left"])
def test_a_query_that_is_no_number_is_refused(name, query):
    with pytest.raises(ValueError, match="^query: got .*, expected a finite number"):
        EXPLORERS[name](query=query)


@pytest.mark.parametrize("k", [0, 2.5, "five"])
def test_a_k_that_counts_nothing_is_refused(k):
    with pytest.raises(ValueError, match="^k: got .*, expected a whole number of at least 1"):
        explore.pooling(k=k)


@pytest.mark.parametrize(("values", "message"), [
    ({"sigma": "wide"}, "sigma: got 'wide', expected a finite number"),
    ({"kernel": "gausian"}, "kernel: got 'gausian', which this control does not take"),
    ({"n": "many"}, "n: got 'many', which this control does not take"),
])
def test_setting_a_control_to_what_it_cannot_be_is_refused(values, message):
    with pytest.raises(ValueError, match=message):
        explore.width().set(**values)
