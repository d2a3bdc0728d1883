"""What every live figure promises: presets, reset, keys, pictures for those without a kernel, and kind refusals."""
from __future__ import annotations

import base64
import inspect
import io
import types
import warnings

import ipywidgets
import numpy as np
import pytest
from ipywidgets.widgets.widget import _instances
from live_figures import assert_nothing_outside_or_overlapping, buttons, count_artists, make, press, shared
from PIL import Image

import nwlab
from nwlab import explore
from nwlab.lesson.rerun import replace_earlier_run

PARAMETERS = {name: inspect.signature(getattr(explore, name)).parameters for name in explore.__all__}
SLOW = {"consistency": ("d", "exponent", "seeds")}      # controls behind which a simulation stands


@pytest.fixture(scope="module", params=explore.__all__)
def kept(request):
    """One figure after the other, so that those that are slow to make are made once."""
    return request.param


@pytest.fixture
def figure(kept):
    return shared(kept)


def presets(figure) -> list[str]:
    return [name for name in buttons(figure) if name not in ("reset", "stop", "go on")]


def points_in_panels(figure):
    """The pointer at three places of each panel: (panel, (x, y) in pixels)."""
    assert figure.sentence
    for name, panel in figure.scene.panels.items():
        if panel.get_visible():
            yield from ((name, panel.bbox.min + share * panel.bbox.size) for share in (0.25, 0.6, 0.9))


def test_it_opens_with_a_picture_and_a_sentence_also_without_a_kernel(figure):
    bundle = figure._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle and "text/html" not in bundle
    picture, pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(bundle["image/png"])))), figure.canvas.pixels()
    assert np.array_equal(picture, pixels[..., :3]) and len(np.unique(pixels.view(np.uint32))) > 100
    assert figure.canvas.preview == base64.b64decode(bundle["image/png"])
    assert bundle["text/plain"] == figure.sentence and len(figure.sentence) > 80
    assert not any(word in figure.sentence for word in ("cannot be shown", "nan", "<"))
    assert figure.canvas.label == figure.scene.label and len(figure.scene.label) > 20


def test_presets_say_the_whole_state_and_reset_goes_back(figure, kept):
    start, first, said, states = figure.state, figure.canvas.pixels().copy(), figure.sentence, {}
    for name in presets(figure):
        press(figure, name)
        states[name] = figure.state
        assert (figure.sentence == said) == (figure.state == start), f"{name}: what changes is said"
    assert len(states) >= 2 and not np.array_equal(figure.canvas.pixels(), first)
    for name in reversed(presets(figure)):
        press(figure, name)
        assert figure.state == states[name], f"{name} depends on what was pressed before"
    press(figure, "reset")
    assert figure.state == start and figure.sentence == said
    if kept != "two_classes":                           # whose scale gives way only when it must
        np.testing.assert_array_equal(figure.canvas.pixels(), first)


def test_what_is_dragged_has_a_control_and_keys_move_it(figure):
    start, dragged, typed = figure.state, set(), set()
    for _, (x, y) in points_in_panels(figure):
        before = figure.state
        figure._pointer("down", x, y, True)
        dragged |= {name for name, value in figure.state.items() if value != before[name]}
        figure._pointer("up", x, y, False)
        figure._pointer("leave", 0.0, 0.0, False)
    figure.reset()
    back, forth = figure.scene.keys
    for key in (forth, forth, back, back):
        assert figure.sentence
        before = figure.state
        figure._key(key)
        typed |= {name for name, value in figure.state.items() if value != before[name]}
    assert dragged and typed and dragged | typed <= set(figure.controls)
    assert figure.state == start, "one key goes back where the other came from"


def test_any_setting_can_be_shown_and_nothing_piles_up(figure, kept):
    dice, artists = np.random.default_rng(0), count_artists(figure)
    names = [name for name in figure.controls if name in figure.state and name not in SLOW.get(kept, ())]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for i in range(24):
            name = names[i % len(names)]
            figure.set(**{name: any_value(figure.controls[name], dice)})
            assert "cannot be shown" not in figure.sentence and "nan" not in figure.sentence, figure.state
        figure.canvas.pixels()
    assert count_artists(figure) == artists


def any_value(control, dice):
    if hasattr(control, "options"):
        options = [option[1] if isinstance(option, tuple) else option for option in control.options]
        return options[dice.integers(len(options))]
    if isinstance(control, ipywidgets.Checkbox):
        return bool(dice.integers(2))
    return control.min + control.step * int(dice.integers(round((control.max - control.min) / control.step) + 1))


def test_nothing_is_cut_off_or_overlaps(figure):
    for width in (490, 760, 860, 1000):
        assert_nothing_outside_or_overlapping(figure, width)
    for name in presets(figure):
        press(figure, name)
        assert_nothing_outside_or_overlapping(figure, 490)


def test_running_its_cell_again_closes_it_and_leaves_nothing(kept, monkeypatch):
    def run(number):
        parent = {"metadata": {"cellId": f"cell of {kept}"}, "header": {"msg_id": number}}
        kernel = types.SimpleNamespace(get_parent=lambda channel: parent)
        monkeypatch.setattr("IPython.get_ipython", lambda: types.SimpleNamespace(kernel=kernel))

    before = set(_instances)
    run("first")
    figure = make(kept)
    figure.set(**figure.state)
    run("second")
    box = replace_earlier_run(ipywidgets.VBox())
    assert figure.comm is None
    for part in (box.layout, box):
        part.close()
    assert set(_instances) == before


NO_WIDTH = [0, -1.0, np.nan, np.inf, "wide", [1.0, 2.0]]
WRONG = {"kernel": ["gausian"], "sigma": NO_WIDTH, "h": NO_WIDTH, "query": [np.nan, "left"], "k": [0, 2.5, "five"],
         "order": ["random"], "same": ["width"], "how": ["median"], "pooling": ["dot"], "points": ["on a sphere"],
         "steps": [0, "many"]}


@pytest.mark.parametrize(("name", "argument"), [(name, argument) for name, parameters in PARAMETERS.items()
                                               for argument in parameters if argument in WRONG])
def test_an_argument_that_cannot_be_is_named(name, argument):
    for value in WRONG[argument]:
        with pytest.raises(ValueError, match=f"^{argument}: got .*, expected"):
            getattr(explore, name)(**{argument: value})


@pytest.mark.parametrize(("values", "message"), [
    ({"sigma": "wide"}, "sigma: got 'wide', expected a finite number"),
    ({"kernel": "gausian"}, "kernel: got 'gausian', which this control does not take"),
    ({"n": "many"}, "n: got 'many', which this control does not take"),
])
def test_setting_a_control_to_what_it_cannot_be_is_refused(values, message):
    with pytest.raises(ValueError, match=message):
        shared("width").set(**values)


TAKES_DATA = [name for name in explore.__all__ if "data" in PARAMETERS[name]]
ODD = {
    "a single key": ([1.0], [2.0]),
    "all keys alike": ([5.0] * 6, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
    "ties, and values all zero": ([0.0, 0.0, 1.0, 1.0, 2.0], [0.0] * 5),
    "small numbers": (np.linspace(0.0, 1e-9, 20), np.linspace(0.0, 1e-12, 20)),
    "large numbers, one far away": ([0.0, 1.0, 2.0, 3.0, 1e9], np.linspace(-1e12, 1e12, 5)),
}


@pytest.mark.parametrize("name", TAKES_DATA)
@pytest.mark.parametrize("data", ODD)
def test_odd_data_of_a_readers_own_are_shown_without_a_warning(name, data):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = make(name, data=nwlab.from_arrays(*ODD[data]))
        assert not {"n", "noise", "seed", "truth"} & set(figure.controls)
        for button in presets(figure):
            press(figure, button)
            assert "cannot be shown" not in figure.sentence and "nan" not in figure.sentence
        for _, (x, y) in points_in_panels(figure):
            for kind, pressed in (("down", True), ("move", True), ("up", False), ("leave", False)):
                figure._pointer(kind, x, y, pressed)
        for key in figure.scene.keys:
            figure._key(key)
        figure.canvas.pixels()
        assert "cannot be shown" not in figure.sentence
    figure.close()


@pytest.mark.parametrize("name", sorted({*TAKES_DATA} - {"morph", "two_classes"}))      # which take more kinds of data
def test_what_is_no_data_is_refused(name):
    with pytest.raises(ValueError, match="data: got ndarray, expected what nwlab.make_regression"):
        make(name, data=np.arange(5.0))
