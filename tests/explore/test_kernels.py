"""The kernels figure without a browser: profile, band and words against plain computations."""
import numpy as np
import pytest
from live_figures import press, settled

import nwlab
from workbook import explore
from workbook.explore.kernels import compared, width_of
from workbook.figures.words import number


@pytest.mark.parametrize(("kernel", "same"), [("gaussian", "h"), ("tricube", "std"), ("constant", "std")])
def test_profile_and_words_tell_the_same_story(figure, kernel, same):
    figure.set(kernel=kernel, same=same, h=0.4, query=1.2)
    scene, data, kernel = settled(figure), nwlab.make_regression(), nwlab.KERNELS[kernel]
    width = figure.state["h"] / (kernel.std if same == "std" and np.isfinite(kernel.std) else 1.0)
    for line, x in ((scene.dots, data.keys - 1.2), (scene.profile, scene.profile.get_xdata())):
        np.testing.assert_allclose(line.get_data(), (x, kernel(x / width)), atol=1e-12)
    grey = compared(same)
    distances, similarities = np.reshape(scene.others.get_data(), (2, len(grey), -1))
    for other, x, y in zip(grey, distances[:, 2:-3], similarities[:, 2:-3]):
        np.testing.assert_allclose(y, other(x / width_of(other, figure.state["h"], same)), atol=1e-12)
    spread = {"std": "all equally wide", "h": "not equally wide"}[same]
    assert (spread in scene.panels["kernel"]["widths"].get_text()) == kernel.has_width


def test_an_empty_window_is_said_and_drawn(figure):
    figure.set(kernel="boxcar", h=0.15, query=3.9, same="h")
    scene, data = settled(figure), nwlab.make_regression()
    h, x = figure.state["h"], figure.state["query"]
    assert np.abs(data.keys - x).min() > h
    assert "no key is within reach" in figure.sentence and "0/0" in figure.sentence
    assert "no key in reach" in scene.fit.note.get_text() and scene.fit.note.about[0] == x
    assert f"the nearest is {number(np.abs(data.keys - x).min())} away" in figure.sentence
    assert np.all(scene.stems.heads.get_ydata() == 0) and np.isnan(scene.fit.answer.get_ydata()[0])
    grid, curve = scene.fit.curve.get_data()
    alone = np.abs(grid[:, None] - data.keys).min(axis=1) > h
    np.testing.assert_array_equal(np.isnan(curve), alone)
    press(figure, "reset")
    assert "reach" not in figure.sentence


def test_the_band_holds_the_fits_of_all_kernels_that_have_a_width_and_the_note_stands_where_it_is_widest(figure):
    figure.set(kernel="triangular", same="std", h=0.5)
    h, data, x = figure.state["h"], nwlab.make_regression(), settled(figure).fit.curve.get_xdata()
    curves = [nwlab.nadaraya_watson(x, data.keys, data.values, kernel=kernel, bandwidth=h / kernel.std)
              for kernel in nwlab.KERNELS.values() if np.isfinite(kernel.std)]
    high, low = np.max(curves, axis=0), np.min(curves, axis=0)
    np.testing.assert_allclose(figure.scene.band.get_xy(), [*zip(x, high), *zip(x[::-1], low[::-1])])
    words, (at, _) = figure.scene.fit.note.get_text(), figure.scene.fit.note.about
    assert "thin band" in words and (high - low)[x == at] == (high - low)[x > np.mean(x)].max() < 0.5
    figure.set(h=0.05)
    assert "narrow: near dots only" in settled(figure).fit.note.get_text()


def test_a_kernel_without_a_standard_deviation_is_compared_where_all_have_the_same_h(monkeypatch):
    cauchy = nwlab.Kernel("cauchy", "1 / (1 + u**2)")
    monkeypatch.setitem(nwlab.KERNELS, "cauchy", cauchy)
    figure = explore.kernels(kernel="cauchy", same="std")
    assert cauchy not in compared("std") and cauchy in compared("h")
    assert settled(figure).panels["kernel"]["widths"].get_text() == "not equally wide"
    figure.set(kernel="gaussian", h=0.2)
    assert "The gaussian curve is 3.44 high: the width 0.2 changed it by 1.02" in figure.sentence
    figure.set(kernel="cauchy", same="h")
    assert "At one h, 0.2, some shapes are narrower" in figure.sentence
    figure.close()
