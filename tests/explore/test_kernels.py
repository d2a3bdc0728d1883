"""The kernels figure without a browser: profile, band and words against plain computations."""
import numpy as np
import pytest
from live_figures import press, settled

import nwlab
from workbook import explore
from workbook.figures.words import number


@pytest.mark.parametrize(("kernel", "same"), [("gaussian", "h"), ("tricube", "std"), ("constant", "std")])
def test_kernel_and_keys_have_the_width_that_is_named_and_the_grey_stays(figure, kernel, same):
    figure.set(kernel=kernel, same=same, h=0.4, query=1.2)
    scene, data, kernel = settled(figure), nwlab.make_regression(), nwlab.KERNELS[kernel]
    width, panel = figure.state["h"] / (kernel.std if same == "std" and kernel.has_width else 1), scene.panels["kernel"]
    off, x = data.keys - 1.2, panel["profile"].get_xdata()
    for line, expected in ((scene.dots, (off, kernel(off / width))), (panel["profile"], (x, kernel(x / width))),
                           (panel["first"], (x, np.exp(-(x / 0.6)**2 / 2)))):
        np.testing.assert_allclose(line.get_data(), expected, atol=1e-12)
    assert panel["width"].get_text() == ("h" if same == "h" or not kernel.has_width else "width")


def test_an_empty_window_is_said_and_drawn(figure):
    figure.set(kernel="boxcar", h=0.15, query=3.9, same="h")
    scene, data = settled(figure), nwlab.make_regression()
    h, x = figure.state["h"], figure.state["query"]
    assert np.abs(data.keys - x).min() > h
    assert "no key is within reach" in figure.sentence and "0/0" in figure.sentence
    assert "no key in reach" in scene.fit.note.get_text() and scene.fit.note.about[0] == x
    assert f"the nearest is {number(np.abs(data.keys - x).min())} away" in figure.sentence
    assert np.isnan(scene.fit.answer.get_ydata()[0])
    grid, curve = scene.fit.curve.get_data()
    alone = np.abs(grid[:, None] - data.keys).min(axis=1) > h
    np.testing.assert_array_equal(np.isnan(curve), alone)


def test_how_far_width_and_shape_move_the_curve_is_said_and_the_first_one_stays_in_grey(figure):
    data, x = nwlab.make_regression(), settled(figure).fit.curve.get_xdata()

    def curve(kernel, std):
        width = std / nwlab.KERNELS[kernel].std
        return nwlab.nadaraya_watson(x, data.keys, data.values, kernel=kernel, bandwidth=width)

    grey, narrow = curve("gaussian", 0.6), curve("gaussian", 0.2)
    shape, width = (number(np.abs(each - grey).max(), 2) for each in (curve("boxcar", 0.6), narrow))
    for preset, sentence, note in (
            ("narrow", f"not 0.6, which moves the curve by up to {width}.", "follows them"),
            ("another shape", f"up to {shape}; a third of the width would move it by {width}.", "nearly the same")):
        press(figure, preset)
        fit = settled(figure).fit
        assert sentence in figure.sentence and note in fit.note.get_text()
        assert fit.panel["apart"].get_text().split()[0] in sentence
        np.testing.assert_allclose(fit.panel["first"].get_ydata(), grey)
        off = np.abs(fit.curve.get_ydata() - grey)
        assert off[x == fit.note.about[0]] == off[np.abs(x / 4.9 - 0.7) < 0.2].max()
    figure.set(kernel="gaussian", h=0.62)
    assert "not 0.6, which moves" in figure.sentence and settled(figure).fit.note.get_text() == ""
    figure.set(kernel="boxcar", h=1.4)
    assert settled(figure).fit.panel["apart"].get_text() == "", "the sentence compares it with a Gaussian of 1.4"


def test_a_readers_own_data_open_at_the_first_width_and_no_change_is_too_small_to_be_said():
    figure = explore.kernels(nwlab.from_arrays(1e-9 * nwlab.load_engel().keys, nwlab.load_engel().values))
    assert "The nearer a dot" in figure.sentence and figure.scene.grey.endswith(number(figure.h))
    press(figure, "narrow")
    assert "which moves the curve" in figure.sentence
    figure.close()


def test_at_one_h_shapes_are_not_equally_wide_nor_is_a_kernel_without_a_standard_deviation(monkeypatch):
    cauchy = nwlab.Kernel("cauchy", "1 / (1 + u**2)")
    monkeypatch.setitem(nwlab.KERNELS, "cauchy", cauchy)
    figure = explore.kernels(kernel="cauchy", same="std")
    said = "At one h the shapes are not equally wide: the {} kernel moves the curve by up to "
    assert settled(figure).panels["kernel"]["width"].get_text() == "h" and said.format("cauchy") in figure.sentence
    figure.set(kernel="boxcar")
    assert "with the same spread" in figure.sentence
    figure.set(same="h")
    assert said.format("boxcar") in figure.sentence and "not equally wide" in settled(figure).fit.note.get_text()
    figure.close()
