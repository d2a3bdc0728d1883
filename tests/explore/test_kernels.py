"""The kernels explorer without a browser: profile, stems, table and words against plain computations."""
import numpy as np
import pytest
from live_figures import press, settled
from matplotlib.colors import to_rgba

import nwlab
from nwlab import palette, plots
from workbook.figures.words import number


@pytest.mark.parametrize(("kernel", "same"), [("gaussian", "h"), ("tricube", "std"), ("constant", "std")])
def test_profile_and_words_tell_the_same_story(figure, kernel, same):
    figure.set(kernel=kernel, same=same, h=0.4, query=1.24)
    scene, data, kernel = settled(figure), nwlab.make_regression(), nwlab.KERNELS[kernel]
    width = figure.state["h"] / (kernel.std if same == "std" and np.isfinite(kernel.std) else 1.0)
    similarity = kernel((data.keys - 1.24) / width)
    weights = similarity / similarity.sum()
    for line, x in ((scene.profile.dots, data.keys - 1.24), (scene.profile.curve, scene.profile.grid)):
        np.testing.assert_allclose(line.get_data(), (x, kernel(x / width)), atol=1e-12)
    assert f"α is K / {number(similarity.sum())}, its sum" in figure.sentence
    text = f"= {number(weights @ data.values)}, from effectively {number(1 / (weights @ weights))} of 50 keys"
    assert text in figure.sentence


def test_an_empty_window_is_said_and_drawn(figure):
    press(figure, "empty window")
    scene, data = settled(figure), nwlab.make_regression()
    h, x = figure.state["h"], figure.state["query"]
    assert np.abs(data.keys - x).min() > h                                      # the preset keeps its promise
    assert "no key is within reach" in figure.sentence and "0/0" in figure.sentence
    assert f"the nearest is {number(np.abs(data.keys - x).min())} away" in figure.sentence
    assert np.all(scene.stems.heads.get_ydata() == 0) and np.isnan(scene.fit.answer.get_ydata()[0])
    grid, curve = scene.fit.curve.get_data()
    alone = np.abs(grid[:, None] - data.keys).min(axis=1) > h
    np.testing.assert_array_equal(np.isnan(curve), alone)
    tinted = [path.vertices[:, 0] for path in scene.gaps.get_paths()]
    np.testing.assert_array_equal([any(v.min() <= g <= v.max() for v in tinted) for g in grid], alone)
    press(figure, "reset")
    assert "reach" not in figure.sentence and not scene.gaps.get_paths()


def test_thin_curves_are_the_other_kernels_in_the_colours_that_they_have_in_a_static_picture(figure):
    figure.set(kernel="triangular", same="std", h=0.5)
    h, data, x = figure.state["h"], nwlab.make_regression(), settled(figure).fit.curve.get_xdata()
    curves = [curve[:, 1] for curve in figure.scene.others.get_segments()]
    colours = {name: to_rgba(plots.kernel_line(kernel)["color"]) for name, kernel in nwlab.KERNELS.items()}
    own, scene = colours.pop("triangular"), figure.scene
    for chosen, thin in ((scene.fit.curve, scene.others), (scene.profile.curve, scene.profile.others)):
        assert to_rgba(chosen.get_color()) == own and list(map(tuple, thin.get_color())) == list(colours.values())
    assert all(palette.contrast(colour, palette.PAPER) >= 4.5 for colour in (own, *colours.values()))
    others = [kernel for name, kernel in nwlab.KERNELS.items() if name != "triangular"]
    for curve, kernel in zip(curves, others):
        width = h / kernel.std if np.isfinite(kernel.std) else h
        np.testing.assert_allclose(curve,
                                   nwlab.nadaraya_watson(x, data.keys, data.values, kernel=kernel, bandwidth=width))
