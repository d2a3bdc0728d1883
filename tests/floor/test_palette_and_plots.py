"""Colours that can be read in both themes; static figures that draw what they are given on the Axes they are given."""
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.font_manager import FontEntry, FontProperties, findfont, fontManager, get_font

import nwlab
from workbook import palette, pictures, plots
from workbook.site import cells

WORDS = ["INK", "MUTED", "QUERY_INK", "KEY_INK", "VALUE_INK", "NEGATIVE", "LOCAL_LINEAR"]
MARKS = ["QUERY", "KEY", "VALUE"]


@pytest.fixture
def ax():
    figure, ax = plt.subplots()
    yield ax
    plt.close(figure)


@pytest.mark.parametrize(("name", "least"), [(name, 4.5) for name in WORDS] + [(name, 3) for name in MARKS])
def test_words_can_be_read_and_marks_stand_out_in_both_themes(name, least):
    colour = getattr(palette, name)
    assert palette.contrast(colour, palette.PAPER) >= least
    assert palette.contrast(palette.in_dark(colour), palette.in_dark(palette.PAPER)) >= least


def test_contrast_against_known_values_and_the_style_sheet_has_the_colours_of_words_for_both_themes():
    assert palette.contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert palette.contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)
    sheet = palette.style_sheet()
    assert ".wb-query { color: #b34700; }" in sheet
    assert '[data-jp-theme-light="false"] .wb-query { color: #ee9154; }' in sheet       # as a browser paints it
    assert sheet.count("{") == sheet.count("}") and "invert(93%) hue-rotate(180deg)" in sheet


def test_fit_draws_values_truth_and_estimates(ax):
    data = nwlab.make_regression()
    estimate = nwlab.nadaraya_watson(data.queries, data.keys, data.values, bandwidth=0.25)
    assert plots.fit(ax, data, estimate) is ax
    np.testing.assert_array_equal(ax.collections[0].get_offsets(), np.column_stack([data.keys, data.values]))
    np.testing.assert_array_equal(ax.lines[1].get_ydata(), estimate)
    *colour, alpha = ax.collections[0].get_facecolors()[0]
    assert palette.contrast([1 - alpha * (1 - each) for each in colour], palette.PAPER) >= 3


def test_heatmap_by_number_and_by_position(ax):
    data = nwlab.make_regression(n=30)
    weights = nwlab.attention_weights(data.queries, data.keys, bandwidth=0.25)
    plots.heatmap(ax, weights)
    assert ax.images[0].get_clim() == (0, 1) and ax.images[0].norm([0.0, 0.25, 1.0]).tolist() == [0, 0.5, 1]
    np.testing.assert_array_equal(ax.images[0].get_array(), weights)
    assert ax.get_xlabel().startswith("keys") and ax.get_ylabel().startswith("queries")
    ax.clear()
    plots.heatmap(ax, weights, data.queries, data.keys, colorbar=False)
    np.testing.assert_array_equal(np.asarray(ax.collections[0].get_array()).ravel(), weights.ravel())
    low, high = ax.get_ylim()
    assert low > high, "the first query is on top in both"
    np.testing.assert_allclose(plots.edges([0.0, 1.0, 4.0]), [-0.5, 0.5, 2.5, 5.5])    # the middles between points
    with pytest.raises(ValueError, match="sorted"):
        plots.edges([1.0, 0.0])
    ax.clear()
    plots.heatmap(ax, np.array([[-0.5, 1.5]]), colorbar=False)
    assert ax.images[0].get_clim() == (-1, 1), "two colours for negative weights"
    with pytest.raises(ValueError, match=r"weights: got shape \(3,\), expected \(m, n\)"):
        plots.heatmap(ax, np.ones(3))


def test_kernels_have_their_names_beside_them(ax):
    plots.kernels(ax, {"gaussian": (1.3, 0.5), "boxcar": (1.1, 0.9)})
    u, k = ax.lines[1].get_data()
    assert np.max(np.abs(u[k > 0])) == pytest.approx(1, abs=0.01)
    assert [(text.get_text(), text.get_position()) for text in ax.texts] == [
        ("gaussian", (1.3, 0.5)), ("boxcar", (1.1, 0.9))]


def test_error_curve_marks_the_smallest_and_weights_are_stems(ax):
    widths = np.array([0.1, 0.2, 0.4])
    plots.error_curve(ax, widths, leave_one_out=np.array([np.inf, 0.3, 0.5]))
    assert ax.lines[1].get_data() == (pytest.approx([0.2]), pytest.approx([0.3]))
    ax.clear()
    plots.weights(ax, [1.0, 2.0], [0.25, 0.75], query=1.5)
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), [0.25, 0.75])


def test_names_at_the_ends_of_lines_keep_their_order_and_are_apart(ax):
    lines = [ax.plot([0, 1, 2], [0, 1, height])[0] for height in (1.0, np.nan, 1.001, -3.0)]
    ax.set_ylim(0, 2)
    plots.name_ends(ax, [*zip("abcd", lines)])
    assert [(text.get_text(), *text.xy) for text in ax.texts] == [
        ("d", 2, 0), ("a", 2, 1), ("b", 1, 1), ("c", 2, 1.001)], "from below, and within the axes"
    ax.figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in ax.texts]
    assert len(plots.name_ends(ax, [("nothing", ax.plot([0], [np.nan])[0])]).texts) == 4
    assert all(low.y1 <= high.y0 for low, high in zip(boxes, boxes[1:]))


def test_in_a_row_of_heatmaps_the_first_names_the_rows_and_one_key_stands_below():
    figure = Figure()
    panels = figure.subplots(1, 2)
    for panel in panels:
        plots.heatmap(panel, np.eye(2), colorbar=panels if panel is panels[1] else False)
    assert [panel.yaxis.label.get_visible() for panel in panels] == [True, False]
    assert len(figure.axes) == 3 and figure.axes[2].get_position().y1 < panels[0].get_position().y0
    assert pictures.in_words(figure).count("queries, by index") == 2


def test_lines_of_a_circuit_are_as_thick_as_the_weights_and_lead_from_keys_to_queries(ax):
    plots.circuit(ax, "abc", [[1, 0, 0], [0.5, 0.5, 0], [0.01, 0.75, 0.24]], [0, 0.9, 0.1], "b")
    ends = [tuple(line.get_xdata()) for line in ax.lines[:7]]
    assert ends == [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (1, 2), (2, 2)]
    assert [line.get_linewidth() for line in ax.lines[:7]] == pytest.approx([6, 3, 3, 4.5, 1.44, 5.4, 0.6])
    assert "".join(text.get_text() for text in ax.texts) == "aabbaccbc→ b"


@pytest.mark.parametrize("scale", ["linear", "log"])
def test_a_tick_at_the_end_of_an_axis_is_in_its_words_however_both_are_rounded(scale):
    for side in (0, 1):
        ax = Figure().subplots()
        ax.set(xscale=scale, xticks=[1, 10, 100])
        ax.set_xlim(np.nextafter([1, 100], [2 - 2 * side, 200 * side]))      # a little narrower, a little wider
        words = "(10^0 to 10^2, logarithmic)" if scale == "log" else "(1 to 100)"
        assert f"against an axis {words}" in pictures.in_words(ax.figure)


def test_a_figure_is_put_into_words():
    figure = Figure()
    with matplotlib.rc_context():
        left, right = figure.subplots(1, 2)
        plots.heatmap(left, nwlab.attention_weights([0.0, 1.0], [0.0, 1.0, 2.0]))
        right.set(title="errors", xlabel=r"$\sigma$", ylabel="error", xscale="log", xlim=(1, 100), ylim=(0, 2))
        right.plot([1, 10], [1, 2], label="ours")
        right.legend()
    words = pictures.in_words(figure)
    assert words.startswith("2 panels. 1: queries, by index (")
    assert " against keys, by index (0 to 2); a heatmap of 2 × 3. " in words
    assert "2: errors; error (0.00 to 2.00) against" in words and words.endswith("logarithmic); shown: ours.")
    figure.set_label("Errors < 2")
    assert pictures.in_words(figure) == "Errors < 2"
    assert 'alt="Errors &lt; 2"' in pictures.html(b"png", "Errors < 2", width=9)


@pytest.mark.parametrize(("panels", "title", "headline", "narrow"), [
    ((1, 1), "A < B", '<p class="wb-headline"><b>A &lt; B</b></p>', True), ((1, 1), "$A^2$", "", True),
    ((2, 1), "", "", True), ((1, 2), "", "", True), ((1, 1), "", "", False),
])
def test_a_title_stands_above_a_picture_and_what_is_wider_than_a_phone_is_drawn_again_for_it(
        panels, title, headline, narrow, monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: shown.append(data["text/html"]))
    figure, axes = plt.subplots(*panels, squeeze=False, layout="constrained", figsize=(6.4 if narrow else 4, 3))
    axes[0, 0].set_title(title)
    for _ in range(2):                                  # the figure stays as it was
        pictures._show(figure)
    plt.close(figure)
    assert shown[0] == shown[1] and ("<source" in shown[0]) == narrow
    assert shown[0].startswith(f'<div class="wb-picture">{headline}<{"picture" if narrow else "img"}')
    assert cells.PICTURE.search(shown[0])["img"].startswith('alt="')


@pytest.mark.parametrize(("panels", "columns"), [(2, 1), (3, 1), (4, 2)])
def test_for_a_phone_panels_side_by_side_stand_one_below_the_other_with_their_numbers(panels, columns):
    figure, axes = plt.subplots(1, panels, sharey=True, layout="constrained", figsize=(8, 3))
    size, first = figure.get_size_inches().copy(), axes[0].get_subplotspec()
    with pictures._narrow(figure, [*axes]):
        figure.canvas.draw()
        places = [(round(ax.get_position().x0, 2), -round(ax.get_position().y0, 2)) for ax in axes]
        assert len({across for across, _ in places}) == columns
        assert places == sorted(places, key=lambda place: place[::-1])
        assert all(ax.yaxis.get_tick_params()["labelleft"] for ax in axes[::columns])
        assert figure.get_figheight() == 3 * panels / columns
    assert [*figure.get_size_inches()] == [*size] and axes[0].get_subplotspec() is first
    assert not axes[1].yaxis.get_tick_params()["labelleft"]
    plt.close(figure)


def test_readers_own_labels_may_be_in_any_chinese_font_that_is_installed(monkeypatch):
    palette.style()                                     # it makes ours known only once
    ours, theirs = (FontEntry(name=name) for name in ("DejaVu Sans", "SimHei"))
    monkeypatch.setattr(fontManager, "ttflist", [theirs, ours])
    with matplotlib.rc_context():
        plots.use_style()
        assert matplotlib.rcParams["font.family"] == [palette.LATIN, "DejaVu Sans", "SimHei"]


def test_figures_have_letters_of_our_own_as_high_as_those_that_stand_in_for_what_they_lack():
    family, heights = palette.style()["font.family"], {}
    for name, *more in family[:1], family[:1] + ["bold"], ["DejaVu Sans"]:
        path = findfont(FontProperties(family=name, weight=(*more, "normal")[0]), fallback_to_default=False)
        letters = get_font(path)
        assert {*map(ord, "aσα²−≤→")} <= {*letters.get_charmap()}
        letters.set_size(100, 72)
        heights[Path(path).name] = letters.load_char(ord("x")).height / 64
    assert [*heights][:2] == ["regular.ttf", "semibold.ttf"]
    assert max(heights.values()) < 1.05 * min(heights.values())
