"""The width figure without a browser: its errors, its two sliders."""
import ipywidgets
import numpy as np
import pytest
from live_figures import bands_that_hold, press, settled

import nwlab
from workbook import explore
from workbook.figures.words import number


def test_the_errors_are_those_of_its_width(figure):
    figure.set(sigma=0.5)
    sentence, data = figure.sentence, nwlab.make_regression()
    loo = nwlab.loo_error(data.keys, data.values, bandwidths=[0.5])[0]
    answers = nwlab.nadaraya_watson(data.queries, data.keys, data.values, bandwidth=0.5)
    error = np.mean((answers - data.targets) ** 2)
    np.testing.assert_allclose(figure.scene.errors.get_ydata(), [loo, error])
    assert f"error against the truth is {error:.3g}." in sentence and figure.scene.now.get_xdata()[0] == 0.5
    own = explore.width(nwlab.load_engel(), sigma=100.0)
    assert f"predicted from the others, is {number(settled(own).errors.get_ydata()[0])}" in own.sentence
    own.set(sigma=140.0)
    assert "dots left out" in settled(own).fit.note.get_text()        # nothing about a truth that is not known
    own.close()


def test_the_note_says_whether_the_width_is_too_narrow_or_too_wide_where_that_is_seen_most(figure):
    assert "about right" in settled(figure).fit.note.get_text()
    for name in ("needle", "river"):
        press(figure, name)
        scene = settled(figure)
        x, y = scene.fit.curve.get_data()
        off, there = nwlab.make_regression().truth(x) - y, x == scene.fit.note.about[0]
        assert there.sum() == 1 and y[there] == scene.fit.note.about[1]
        if name == "needle":                            # on the side of the note, to which the line is short
            assert np.abs(off[there]) == np.abs(off[x > np.mean(scene.fit.panel.get_xlim())]).max()
        if name == "river":
            assert off[there] == off.max()
    notes = []
    for sigma in (0.3, 2.0):                            # without noise, the curve first leaves the slope at the border
        figure.set(noise=0.0, sigma=sigma)
        notes.append(settled(figure).fit.note.get_text().replace("\n", " "))
    assert notes == ["too wide: here it runs too low", "too wide: here it flattens the peak"]


@pytest.mark.filterwarnings("ignore::nwlab.EmptyWindowWarning")
@pytest.mark.parametrize("state", [{}, {"sigma": 0.5, "seed": 2}, {"kernel": "boxcar", "sigma": 0.05, "n": 20}])
def test_the_strip_is_the_share_of_fresh_samples_whose_bands_miss_the_truth(figure, state):
    figure.set(band=True, **state)
    now, seeds = figure.state, range(100 * (figure.state["seed"] + 1), 100 * (figure.state["seed"] + 2))
    right = bands_that_hold(now["n"], now["noise"], seeds, now["sigma"], 2, now["kernel"])
    held, panel = np.sum(right, axis=0), settled(figure).fit.panel
    np.testing.assert_allclose(panel["strip"].get_array()[0], 1 - held / 100)
    assert f"There {held[figure.scene.row_of(now['query'])]} of 100 fresh bands" in figure.sentence
    figure.set(band=False)
    assert not any(settled(figure).fit.panel[name].get_visible() for name in ("strip", "sure", "bar"))
    assert "fresh" not in figure.sentence and not figure.scene.fit.words[-1].get_visible()


def test_a_control_is_a_trait_that_links_to_a_slider_of_a_readers_own():
    """What the page makes of a link, tests/browser/test_links.py tests."""
    figure, heard = explore.width(), []
    figure.observe(lambda change: heard.append(change.new), "sigma")
    figure.sigma = 0.2033
    figure.set_state({"sigma": 0.31, "query": 3})       # as a message of the page does
    assert heard == [0.2, 0.31] and figure.state["query"] == 3.0 and "At x = 3 " in figure.sentence
    slider = ipywidgets.FloatSlider(0.5, min=0.02, max=5)
    link = ipywidgets.link((slider, "value"), (figure, "sigma"))
    slider.value = 0.6021
    assert figure.sigma == 0.6
    ipywidgets.jslink((slider, "value"), (figure, "sigma"))
    link.unlink()
    for name, wrong in (("sigma", 0), ("query", "left"), ("kernel", "gausian")):
        with pytest.raises(ValueError, match=f"{name}: got "):
            setattr(figure, name, wrong)
    figure.close()
