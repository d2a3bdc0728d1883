"""The kernels explorer without a browser: profile, stems, table and words against plain computations."""
import numpy as np
import pytest
from live_figures import press, settled
from matplotlib.colors import to_rgba

import nwlab
from nwlab import palette, plots
from workbook.figures.words import number


def table(figure) -> list[list[str]]:
    """The rows of the table as they are read, the sum last."""
    drawn = settled(figure).table
    rows = [[cell.get_text() for cell in row] for row in drawn.cells]
    return [row for row in rows if any(row)] + [[cell.get_text() for cell in drawn.total[::2]]]


def value_of(text: str) -> float:
    return float(text.replace("−", "-"))


@pytest.mark.parametrize(("kernel", "same"), [("gaussian", "h"), ("tricube", "std"), ("constant", "std")])
def test_profile_and_words_tell_the_same_story(figure, kernel, same):
    figure.set(kernel=kernel, same=same, h=0.4, query=1.24)
    scene, data, kernel = settled(figure), nwlab.make_regression(), nwlab.KERNELS[kernel]
    width = figure.state["h"] / (kernel.std if same == "std" and np.isfinite(kernel.std) else 1.0)
    similarity = kernel((data.keys - 1.24) / width)
    weights = similarity / similarity.sum()
    for line, x in ((scene.profile.dots, data.keys - 1.24), (scene.profile.curve, scene.profile.grid)):
        np.testing.assert_allclose(line.get_data(), (x, kernel(x / width)), atol=1e-12)
    assert f"{similarity.sum():.3g}" in scene.table.divisor.get_text()
    text = f"is {number(weights @ data.values)}, from effectively {number(1 / (weights @ weights))} of 50 keys"
    assert text in figure.sentence


def test_the_numbers_in_the_table_are_the_largest_parts_and_add_up(figure):
    figure.set(query=2.0)
    *rows, total = table(figure)
    data = nwlab.make_regression()
    weights = nwlab.attention_weights([2.0], data.keys, bandwidth=figure.state["h"])[0]
    largest = np.argsort(-weights)[:4]
    alpha, values, parts = np.array([[value_of(text) for text in row] for row in rows[:4]]).T
    np.testing.assert_allclose(alpha, weights[largest], rtol=0, atol=5e-4)
    np.testing.assert_allclose(values, data.values[largest], rtol=0, atol=5e-3)
    np.testing.assert_allclose(parts, alpha * values, rtol=0, atol=6e-3)
    assert rows[4][1] == f"other {np.count_nonzero(weights) - 4}"
    assert sum(value_of(row[0]) for row in rows) == pytest.approx(value_of(total[0]), abs=3e-3) and total[0] == "1.000"
    assert sum(value_of(row[2]) for row in rows) == pytest.approx(value_of(total[1]), abs=3e-3)
    assert value_of(total[1]) == pytest.approx(weights @ data.values, abs=5e-4)


def test_an_empty_window_is_said_and_drawn(figure):
    press(figure, "empty window")
    scene, data = settled(figure), nwlab.make_regression()
    h, x = figure.state["h"], figure.state["query"]
    assert np.abs(data.keys - x).min() > h                                      # the preset keeps its promise
    assert "no key is within reach" in figure.sentence and "0/0" in figure.sentence
    assert f"the nearest is {number(np.abs(data.keys - x).min())} away" in figure.sentence
    assert "no key within reach" in scene.table.empty.get_text() and table(figure) == [["0/0", "none"]]
    assert scene.table.divisor.get_text() == "α = K / 0, the sum of K"
    assert np.all(scene.stems.heads.get_ydata() == 0) and np.isnan(scene.fit.answer.get_ydata()[0])
    grid, curve = scene.fit.curve.get_data()
    alone = np.abs(grid[:, None] - data.keys).min(axis=1) > h
    np.testing.assert_array_equal(np.isnan(curve), alone)
    tinted = [path.vertices[:, 0] for path in scene.gaps.get_paths()]
    np.testing.assert_array_equal([any(v.min() <= g <= v.max() for v in tinted) for g in grid], alone)
    press(figure, "reset")
    assert "reach" not in figure.sentence and not scene.table.empty.get_text() and not scene.gaps.get_paths()


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
