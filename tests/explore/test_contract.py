"""What holds for every live figure: presets, reset, keys, pictures without a kernel, and errors for bad input."""
import base64
import html
import inspect
import io
import re
import sys
import warnings
from pathlib import Path

import loops
import numpy as np
import pytest
from live_figures import assert_drawn, assert_fits, cells, drag_in, make, pixels, press, press_key, settled, shared
from matplotlib.collections import PathCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from PIL import Image

import nwlab
from workbook import explore, palette
from workbook.explore.parts import dot_areas
from workbook.figures.live import WIDE, Scene
from workbook.figures.room import cells_drawn
from workbook.figures.tables import tables
from workbook.figures.words import number

PARAMETERS = {name: inspect.signature(getattr(explore, name)).parameters for name in explore.__all__}
SCENES = {scene.__module__.rpartition(".")[2]: scene for name in explore.__all__
          for scene in vars(sys.modules[f"workbook.explore.{name}"]).values()
          if inspect.isclass(scene) and issubclass(scene, Scene)}
CONTROLS = {name: {**SCENES[name].controls, **SCENES[name].more} for name in explore.__all__}
SLOW = {"consistency": ("d",)}                         # controls after which long work is done


@pytest.fixture(scope="module", params=explore.__all__)
def kept(request):
    """One figure after the other, so that those that are slow to make are made once. `scale` measures nothing: how many
    sizes each method gets, and so which methods share a table, would depend on how busy the machine is."""
    scale = sys.modules["workbook.explore.scale"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scale, "measure", lambda n, sigma, method: scale.Cost(
            n * (n if method == "dense" else 150 * (1 + sigma)) * 1e-9, 1e-16))
        yield request.param


@pytest.fixture
def figure(kept):
    return shared(kept)


def test_it_opens_with_a_picture_and_a_sentence_also_without_a_kernel(figure):
    bundle = figure._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    page = re.fullmatch('<div class="wb-picture"><img alt="(.+)" src="data:image/png;base64,(.+)"><p>(.+)</p></div>',
                        bundle["text/html"])
    assert page[1] == html.escape(figure.scene.label)
    assert page[3] == f"{figure.sentence_html} <em>Run this cell to move it.</em>"
    picture = np.asarray(Image.open(io.BytesIO(base64.b64decode(page[2]))))
    handles = figure.scene.figure.findobj(lambda artist: artist.get_gid() == "handle")
    assert all(handle.get_markersize() for handle in handles), "the live figure has lost its handles"
    assert len(np.unique(pixels(figure).view(np.uint32))) > 100
    assert (picture == pixels(figure)[..., :3]).mean() > 0.99
    assert figure.preview == {"picture": page[2], "sentence": figure.sentence_html}
    assert bundle["text/plain"] == figure.sentence and len(figure.sentence) > 80
    assert not any(word in figure.sentence for word in ("cannot be shown", "nan", "<"))
    moved = figure.controls[figure.scene.keyed].text
    assert figure.about["label"].startswith(figure.scene.label) and len(figure.scene.label) > 20
    assert figure.about["label"].endswith(f"arrow keys move {moved}.")


def notes(figure) -> list[tuple]:
    """The notes of all panels, each with its line."""
    return [(note, note.line) for panel in settled(figure).panels.values()
            for note, _ in panel.shown.values() if hasattr(note, "about")]


NAMED = {               # what is said at each preset, in the sentence or in a note
    "width": {"needle": "too narrow: ", "river": "too wide: "},
    "heatmap": {"needle": "a needle", "river": "a river", "shuffled": "same curve"},
    "kernels": {"narrow": "near dots", "another shape": "nearly the same curve"},
    "borders": {"left border": "higher dots on one side", "wide, at the border": "wide σ: far, higher dots"},
    "sparse": {"softmax": "no water left", "narrow": "(σ = 0.1): few keys"},
    "houses": {"nearest only": "C counts almost alone: the answer is near it", "all alike": "all six nearly alike:",
               "beyond F": "no house is larger: the answer is at most F"},
    "pooling": {"everyone alike": "one flat line", "one neighbour": "copies the noise", "five neighbours": "high steps",
                "soft": "no steps"},
    "landscape": {"SGD jumps": "one long step over the valley: learning rate 0.5 × steep slope 41.7",
                  "leave none out": "no valley: each dot now helps to predict itself",
                  "start at 0.1": "nearly flat, but Adam evens out its steps, flat or steep: it drifts away"},
    "two_classes": {"rare ▲": "fewer ▲, so a lower hill: the border moves, and here ● wins",
                    "narrow": "σ is so narrow that single points flip the verdict"},
    "consistency": {"fixed h": "so the curve stays as flat", "too fast": "so the curve wobbles on"},
    "sure": {"left border": "34 of 100 hold it: no dots beyond the border, and answers lie too high",
             "too wide": "41 of 100 hold it: far dots count too and pull answers down",
             "promise 50 %": "narrower bands: 45 of 100 hold it (50 % promised)"},
}


def test_presets_say_the_whole_state_and_what_they_are_called_and_reset_goes_back(figure, kept):
    start, first, sentence, states = figure.state, pixels(figure), figure.sentence, {}
    assert {*NAMED.get(kept, ())} <= {*figure.presets}
    for name in figure.presets:
        press(figure, name)
        states[name] = figure.state
        assert figure.state != start and figure.sentence != sentence, f"{name}: something changes, and it is said"
        said = " ".join([figure.sentence, *(note.get_text() for note, _ in notes(figure))]).replace("\n", " ")
        assert NAMED.get(kept, {}).get(name, "") in said
    assert len(states) >= 2 and not np.array_equal(pixels(figure), first)
    for name in reversed(figure.presets):
        press(figure, name)
        assert figure.state == states[name], f"{name} depends on what was pressed before"
    press(figure, "reset")
    assert figure.state == start and figure.sentence == sentence
    if kept != "two_classes":                           # whose scale changes as seldom as possible
        np.testing.assert_array_equal(pixels(figure), first)


def test_each_control_changes_the_picture_or_is_grey(figure, kept):
    """From the start, from each preset, and with each option of a menu or a switch, at one of three options."""
    starts = {name: press(figure, name) or figure.state for name in ["reset", *figure.presets]}
    starts |= {f"{name} = {option}": {**starts["reset"], name: option} for name, control in figure.controls.items()
               if control.kind != "range" and name not in SLOW.get(kept, ()) for option in control.values}
    for place, start in starts.items():
        for name, control in figure.controls.items():
            other, position = control.needs or (name, figure.positions_of(start)[name])
            able = figure.positions_of(start)[other] == position
            if able and (place == "reset" or name not in (*SLOW.get(kept, ()), *figure.scene.drawn_by)):
                looks = [figure.frame_of(state, finished=name not in figure.scene.drawn_by)[:2] for state in (
                    start, *({**start, name: control.values[i]} for i in (0, len(control.values) // 2, -1)))]
                assert looks != looks[:1] * 4 or "no width" in figure.scene.show(start), (
                    f"{place}: {name} changes nothing, and the sentence does not say why")


def test_any_setting_can_be_shown_and_nothing_piles_up(figure, kept):
    names = [name for name in figure.options if name not in SLOW.get(kept, ())]

    def artists_after_a_walk() -> list[int]:
        dice = np.random.default_rng(0)
        for i in range(8):
            name = names[i % len(names)]
            figure.set(**{name: figure.options[name][dice.integers(len(figure.options[name]))]})
            assert "cannot be shown" not in figure.sentence and "nan" not in figure.sentence, figure.state
        pixels(figure)
        return [len(part.get_children()) for part in (figure.scene.figure, *figure.scene.figure.axes)]

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        first = artists_after_a_walk()                  # an artist is made when it is first needed
        assert artists_after_a_walk() == first


def test_at_the_ends_of_each_control_no_sentence_is_longer_than_its_room(figure, kept):
    """All controls from the start, those in sight from each preset. Controls that draw the sample are in the fold."""
    controls, more = {*figure.controls}, {*figure.scene.more}
    folded = {"seed", "truth", *["noise"][kept == "in_context":]}                    # its layer learned with a noise
    assert folded & controls <= more and controls - more
    longest = 0
    for name in ["reset", *figure.presets]:
        press(figure, name)
        begin = figure.state
        for control in {*figure.options} - {*SLOW.get(kept, ())}:
            options = figure.options[control]
            for value in (options[0], options[-1]) if name == "reset" or control not in figure.scene.more else ():
                figure.set(**{**begin, control: value})
                longest = max(longest, len(figure.sentence))
    assert 0.8 * figure.scene.longest < longest <= figure.scene.longest


NO_HERO = {"heatmap": "matrix and fit", "zoo": "five fits", "morph": "formula and circle", "scale": "areas and times"}


def test_one_panel_takes_most_of_the_width(kept, figure):
    *_, wide = figure.scene.layouts
    share = max(wide.columns) / sum(wide.columns)
    assert len(wide.columns) == 1 or 0.6 <= share <= 0.7 or kept in NO_HERO, (
        f"the widest panel has {share:.2f} of the room, expected 0.6 to 0.7, or a reason in NO_HERO")


@pytest.mark.parametrize("width", [1100, 500])
def test_the_line_of_a_note_leads_to_what_it_is_about_at_any_width(figure, width):
    figure.lay_out(width)
    for note, line in notes(figure):
        if len(ends := line.get_xydata()) and note.axes.get_visible():
            place = note.axes.transData.transform(note.about)
            assert np.hypot(*(ends[-1] - place)) < 8, note.get_text()


def test_at_no_preset_does_a_note_lie_over_a_line_or_a_dot(figure):
    for name in ["reset", *figure.presets]:
        press(figure, name)
        for note, line in notes(figure):
            box, panel = note.get_window_extent(), note.axes
            if note.get_text() and panel.bbox.contains(*box.min) and not panel.images:
                drawn = cells_drawn(panel, 1.0, (note, line))
                (left, low), (right, high) = (box.padded(-2).get_points() - panel.bbox.min).astype(int)
                assert not drawn[left:right, low:high].any(), f"{name}: {note.get_text()!r}"


def test_one_short_question_says_what_can_be_dragged_and_why(figure):
    question = figure.about["invitation"]
    assert question == figure.scene.invitation
    assert re.fullmatch(r"Drag .+: .+\?", question) and len(question) <= 60


def test_dots_stand_out_from_the_paper_in_both_themes(figure):
    for panel in settled(figure).panels.values():
        dots = [colour for scatter in panel.findobj(PathCollection) for colour in scatter.get_facecolors()]
        dots += [to_rgba(line.get_markeredgecolor() if line.get_markerfacecolor() == "none" else
                         line.get_markerfacecolor(), line.get_alpha())
                 for line in panel.lines if line.get_linestyle() == "None"]
        for *colour, alpha in dots:
            painted = [1 - alpha * (1 - each) for each in colour]
            assert palette.contrast(painted, palette.PAPER) >= 3
            assert palette.contrast(palette.in_dark(painted), palette.in_dark(palette.PAPER)) >= 3


def test_nothing_is_cut_off_or_overlaps(figure):
    for width in (340, 490, WIDE, 900):                 # the narrowest of each layout, and a usual width
        assert_fits(figure, width)
        if width > 340 and (fit := getattr(figure.scene, "fit", None)):  # the names of the curves are above all values
            lowest = min(word.get_window_extent().y0 for word in fit.words if word.get_visible())
            assert fit.panel.transData.transform(fit.dots.get_offsets())[:, 1].max() < lowest
    for name in figure.presets:
        press(figure, name)
        for width in (340, 490):
            assert_fits(figure, width)


DRAGS = [       # figure, panel, place of the pointer, and what a drag there sets
    ("width", "fit", (3.33, 1.0), {"query": 3.3}), ("width", "fit", (99.0, 1.0), {"query": 4.9}),
    ("width", "heat", (10.0, 7.2), {"query": 0.7}), ("width", "curve", (0.4, 0.1), {"sigma": 0.4}),
    ("kernels", "kernel", (-0.7, 0.5), {"h": 0.7}), ("kernels", "fit", (3.34, 0.0), {"query": 3.3}),
    ("borders", "lineheat", (7.0, 33.2), {"query": 3.3}), ("morph", "keys", (0.05, 0.9), {"query": 15}),
    ("in_context", "bump", (9.0, 1.0), {"query": 5.0}), ("consistency", "error", (210.0, 0.1), {"n": 200}),
    ("scale", "time", (12_000.0, 0.1), {"n": 10_000}), ("landscape", "land", (2.0, 0.0), {"start": 2.0}),
]


@pytest.mark.parametrize(("name", "panel", "place", "values"), DRAGS)
def test_a_drag_sets_what_lies_under_the_pointer(name, panel, place, values):
    figure = shared(name)
    start, scene = {**figure.state, **values}, settled(figure)
    x, y = scene.panels[panel].transData.transform(place)
    under, = (each for each in figure.interactions(figure.state)["panels"] if each["name"] == panel)
    drag_in(figure, under, x, scene.figure.bbox.height - y)
    assert figure.state == pytest.approx(start)


DRAWN = [       # figure, state, and the kernel and width for the package, or "nearest" and k
    ("width", {"sigma": 0.5, "query": 3.0}, "gaussian", 0.5), ("width", {"kernel": "tricube"}, "tricube", 0.25),
    ("heatmap", {"sigma": 0.06, "query": 0.5}, "gaussian", 0.06), ("borders", {"query": 2.0}, "gaussian", 0.4),
    ("pooling", {"how": "soft", "sigma": 0.3}, "gaussian", 0.3),
    *(("pooling", {"how": "k nearest", "k": k, "query": 3.1}, "nearest", k) for k in (1, 7, 50)),
    *(("kernels", {"kernel": name, "h": 0.4, "query": 1.2}, name, 0.4) for name in ("gaussian", "constant")),
    ("kernels", {"kernel": "boxcar", "h": 0.4, "query": 1.2, "same": "h"}, "boxcar", 0.4),
    ("kernels", {"kernel": "tricube", "h": 0.4, "query": 1.2, "same": "std"}, "tricube",
     0.4 / nwlab.KERNELS["tricube"].std),
]


@pytest.mark.parametrize(("name", "settings", "kernel", "width"), DRAWN)
def test_fit_weights_and_answer_are_those_of_the_package(name, settings, kernel, width):
    figure, data = shared(name), nwlab.make_regression()
    figure.set(**settings)

    def weights(x):
        if kernel == "nearest":
            return nwlab.nearest_weights(x, data.keys, k=width)
        return nwlab.attention_weights(x, data.keys, kernel=kernel, bandwidth=width)

    scene, (row,) = settled(figure), weights(figure.state["query"])
    assert_drawn(scene.fit.curve, lambda x: weights(x) @ data.values)
    if name != "borders":                               # where they show the line's weights, and it says what is missed
        np.testing.assert_allclose(scene.fit.dots.get_sizes(), dot_areas(row))
        assert number(row @ data.values) in figure.sentence
    assert scene.fit.answer.get_ydata()[0] == pytest.approx(row @ data.values)
    if scene.heat is not None:
        np.testing.assert_allclose(cells(scene.heat), weights(data.queries), atol=1e-12)


@pytest.mark.parametrize("place", ["an argument", "in the list", "in the place of the Gaussian"])
@pytest.mark.parametrize("name", [name for name in explore.__all__ if "kernel" in CONTROLS[name]])
def test_a_kernel_of_your_own_is_drawn_and_is_in_the_menu(monkeypatch, name, place):
    """One without a standard deviation. It has a width, so a figure says of it what it says of most kernels."""
    own = nwlab.Kernel("gaussian" if "Gaussian" in place else "cauchy", "1 / (1 + u**2)")
    if place != "an argument":
        monkeypatch.setitem(nwlab.KERNELS, own.name, own)
    figure = make(name, kernel=own if place == "an argument" else own.name)
    assert figure.controls["kernel"].labels == [
        *(each for each in nwlab.KERNELS if (name, each) == ("kernels", "constant") or each != "constant"),
        *([own.name] if place == "an argument" else [])]
    scene, data, width = settled(figure), nwlab.make_regression(), figure.state.get("sigma", figure.state.get("h"))
    keys, values = (scene.sample.points, scene.sample.labels) if name == "two_classes" else (data.keys, data.values)
    x, y = (scene.curve if name == "two_classes" else scene.fit.curve).get_data()
    expected = loops.nadaraya_watson(x[::9], keys, values, lambda u: 1 / (1 + u * u), width)
    np.testing.assert_allclose(y[::9], expected, rtol=1e-9)
    start, said = figure.state, figure.sentence
    assert "no width" not in said and "cannot be shown" not in said
    for kernel in ("boxcar", start["kernel"]):
        figure.set(kernel=kernel)
    assert figure.state == start and figure.sentence == said
    if name != "two_classes":
        assert scene.given()["kernel"] == {"formula": ["/", 1, ["+", 1, ["**", "u", 2]]], "support": None}
    figure.close()


@pytest.mark.parametrize("name", ["width", "heatmap", "borders"])  # for `kernels` see test_kernels.py
def test_queries_without_a_key_in_reach_are_counted_and_have_no_answer(name):
    figure, data = shared(name), nwlab.make_regression()
    figure.set(kernel="boxcar", sigma=0.04)
    alone = np.abs(data.queries[:, None] - data.keys).min(axis=1) > figure.state["sigma"]   # (m,)
    assert f"{alone.sum()} of 50 queries have no key within reach" in figure.sentence
    figure.set(query=data.queries[alone][0])
    said = {"width": "there is nothing to average.", "heatmap": "and so no answer", "borders": "neither has an answer"}
    assert said[name] in figure.sentence and np.isnan(figure.scene.fit.answer.get_ydata()[0])
    np.testing.assert_array_equal(np.isnan(cells(figure.scene.heat)).all(axis=1), alone)


@pytest.mark.parametrize(("name", "arguments", "message"), [
    ("in_context", {"run": np.arange(3)}, "run: got ndarray, expected what workbook.labs.in_context.train returns"),
    ("two_classes", {"data": np.arange(5)}, r"data: got ndarray, expected \(points, labels\)"),
    ("two_classes", {"data": ([1, 2, 3], [1, 2])}, r"values: got shape \(2,\), expected \(3,\)"),
    ("two_classes", {"kernel": "constant"}, "kernel: got 'constant', expected one of 'gaussian', "),
    ("two_classes", {"data": ([1, 2, 3], [1, 1, -1]), "share": 0.5}, "share: got no such control in this figure"),
    *((name, {"sgima": 1}, "sgima: got no such control in this figure, expected one of ") for name in explore.__all__),
    *((name, {argument: value}, f"^{argument}: got .*, expected") for name, argument, value in (
        ("kernels", "kernel", "gausian"), ("width", "sigma", 0), ("kernels", "h", "wide"), ("borders", "query", np.nan),
        ("pooling", "k", 0), ("pooling", "how", "median"), ("zoo", "points", "on a sphere"), ("zoo", "steps", 0))),
    ("zoo", {"own": 3}, "own: got int, expected a function"),
])
def test_an_argument_that_cannot_be_is_named(name, arguments, message):
    with pytest.raises(ValueError, match=message):
        getattr(explore, name)(**arguments)


TAKES_DATA = [name for name in explore.__all__ if "data" in PARAMETERS[name]]
ODD = {
    "a single key": ([1.0], [2.0]),
    "all keys alike": ([5.0] * 6, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
    "ties, and values all zero": ([0.0, 0.0, 1.0, 1.0, 2.0], [0.0] * 5),
    "large numbers, one far away": ([0.0, 1.0, 2.0, 3.0, 1e9], np.linspace(-1e12, 1e12, 5)),
}


@pytest.mark.parametrize("name", TAKES_DATA)
@pytest.mark.parametrize("data", ODD)
def test_odd_data_of_a_readers_own_are_shown_without_a_warning(name, data):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = make(name, data=nwlab.from_arrays(*ODD[data]))
        assert not {"n", "noise", "seed", "truth"} & set(figure.controls)
        for button in figure.presets:
            press(figure, button)
            assert "cannot be shown" not in figure.sentence and "nan" not in figure.sentence
        for panel in figure.interactions(figure.state)["panels"]:
            left, top, right, bottom = panel["box"]
            for share in (0.25, 0.6, 0.9):
                drag_in(figure, panel, left + share * (right - left), top + share * (bottom - top))
        for key in figure.scene.keys:
            press_key(figure, key)
        pixels(figure)
        assert "cannot be shown" not in figure.sentence
    figure.close()


@pytest.mark.parametrize("name", TAKES_DATA)
def test_a_readers_own_data_are_named_and_have_no_truth_and_what_is_no_data_is_refused(name):
    figure = make(name, data=nwlab.load_engel())
    assert "income" in figure.sentence and "truth" not in figure.sentence
    figure.close()
    if name != "two_classes":                             # which takes other data, too
        with pytest.raises(ValueError, match="data: got ndarray, expected what nwlab.make_regression"):
            make(name, data=np.arange(5.0))


COLUMNS = {"scale": ("Time", ["number of keys n", "all pairs, seconds", "window, seconds", "groups, seconds"]),
           "heatmap": ("Effective keys", ["row", "Effective keys"]),
           "consistency": ("Mean squared error",
                           ["number of points n", "error", "wobble (variance)", "gap (bias²)", "expected"])}


def test_what_is_shown_can_be_had_as_numbers_in_columns_that_are_called_what_they_hold(figure, kept):
    tables = figure.tables()
    shown = [panel for panel in figure.scene.panels.values() if panel.get_visible() and panel.axison]
    assert {table["caption"].partition(" (")[0] for table in tables} >= {
        panel.get_title("left").partition(" (")[0] for panel in shown if panel.lines and panel.get_title("left")}
    for table in tables:
        assert all(len(row) == len(table["head"]) for row in table["rows"]) and 1 <= len(table["rows"]) <= 50
        assert all(isinstance(cell, str) and cell for row in (table["head"], *table["rows"]) for cell in row)
        assert len(set(table["head"])) == len(table["head"]), table["head"]
    pictures = [table["caption"].partition(" (")[0] for table in tables if " by " in table["head"][0]]
    assert len(pictures) == len(set(pictures)), "the strip of colours beside a heatmap is no table"
    if kept in COLUMNS:
        caption, head = COLUMNS[kept]
        assert head in [table["head"] for table in tables if table["caption"].startswith(caption)]


def test_a_table_of_the_smallest_numbers_there_are_says_numbers():
    panel = Figure().add_subplot()
    panel.plot([1.0, 2.0], [0.0, 3e-320], label="weight")
    table, = tables([panel])
    assert table["rows"] == [["1", "0"], ["2", "0"]]


def test_the_presets_that_the_teachers_page_names_are_buttons(figure, kept):
    page = (Path(__file__).parents[2] / "notebooks" / "for_teachers.md").read_text(encoding="utf-8")
    lists = re.findall(rf"`explore\.{kept}`: (\*[^*\n]+\*(?:, \*[^*\n]+\*)*)", page)
    named = {preset for each in lists for preset in re.findall(r"\*([^*]+)\*", each)}
    assert named and named <= {*figure.presets, "reset"}


@pytest.mark.parametrize("name", [name for name, scene in SCENES.items() if scene.movable])
def test_asking_for_the_looks_of_weights_changes_no_picture(name):
    figure = shared(name)
    for _, state in [*figure.neighbours()][:12]:
        before = figure.frame_of(state)
        assert figure.looks() and figure.frame_of(state) == before
