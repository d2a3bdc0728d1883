"""The morph figure without a browser: the weights of each step against its formula, and what it says about them."""
import math
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from live_figures import press, press_key, settled
from matplotlib.colors import to_hex
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath
from scipy.special import softmax

from workbook import palette
from workbook.explore.morph import STEPS, Piece


def weights_by_formula(step, q, k, sigma):
    """The weights (m, n) of each step for queries (m, d) and keys (n, d)."""
    dot, lengths = q @ k.T, np.sum(k**2, axis=1)
    kernel = -np.sum((q[:, None] - k) ** 2, axis=2) / (2 * sigma**2)
    scores = kernel, kernel, (dot - lengths / 2) / sigma**2, dot / sigma**2, dot / math.sqrt(q.shape[1])
    return softmax(scores[step], axis=1)


def areas(dots) -> np.ndarray:
    """The weights that discs or rings show, (n,): their areas above that of no weight."""
    return (dots.get_sizes() - 16) / 3200


@pytest.mark.parametrize(("step", "spread"), [(0, 0.0), (1, 0.4), (2, 0.4), (3, 0.4), (3, 0.0), (4, 0.0), (4, 0.2)])
def test_each_step_shows_the_weights_of_its_formula_and_of_the_one_before(figure, step, spread):
    figure.set(step=step, spread=spread, sigma=0.5, query=4)
    scene, sigma = settled(figure), figure.state["sigma"]
    points = scene.sample.q, scene.sample.points.places
    before, now = (weights_by_formula(each, *points, sigma) for each in (max(step - 1, 0), step))
    assert ("no dot changes" in scene.note.get_text()) == (step > 0 and np.allclose(before, now))
    np.testing.assert_allclose(areas(scene.discs), now[3], atol=1e-13)
    np.testing.assert_allclose(areas(scene.rings), before[3], atol=1e-13)
    table, = (each for each in figure.tables() if each["head"][0] == "key number")
    assert table["head"] == ["key number", "length", "weight before", "weight after"] and len(table["rows"]) == 16
    np.testing.assert_allclose([float(row[3]) for row in table["rows"]], now[3], atol=1e-3)


def formula_of(figure) -> dict[str, list[tuple[str, float, np.ndarray]]]:
    """For each piece of the formula its letters and bars: (colour, opacity, box) each, in units of the letters.

    A box is (left, bottom, right, top).
    """
    pieces = {}
    for name, (artist, _) in settled(figure).panels["formula"].shown.items():
        if isinstance(artist, Piece) and artist.get_visible():
            pieces[name] = []
            for font, letter, size, colour, x, y, wide, high in artist.marks:
                box = np.array([x, y, x + wide, y + high])
                if letter:
                    box = TextPath((x, y), letter, size, prop=FontProperties(fname=font)).get_extents().extents
                pieces[name].append((to_hex(colour[:3]).upper(), colour[3], box))
    return pieces


def around(marks) -> np.ndarray:
    boxes = np.array([box for _, _, box in marks])
    return np.array([*boxes[:, :2].min(axis=0), *boxes[:, 2:].max(axis=0)])


@pytest.mark.parametrize("width", [340, 700, 1100])
def test_at_no_stop_is_the_bracket_empty_and_no_piece_touches_another(figure, width):
    figure.lay_out(width)
    _, room = figure.scene.panels["formula"].get_xlim()
    for stop in figure.options["step"]:
        figure.set(step=stop)
        pieces = formula_of(figure)
        boxes = {name: around(marks) for name, marks in pieces.items()}
        for (one, a), (other, b) in combinations(boxes.items(), 2):
            assert max(a[0] - b[2], b[0] - a[2], a[1] - b[3], b[1] - a[3]) > 0.03, f"{one} meets {other} at {stop}"
        within = [mark for name, marks in pieces.items() for mark in marks if mark[1] > 0.5
                  and boxes["("][2] < mark[2][0] and mark[2][2] < boxes[")"][0]
                  and boxes["("][1] < mark[2][[1, 3]].mean() < boxes["("][3]]
        assert len(within) >= 3, f"the bracket is empty at {stop}"
        middles = np.array([(box[:2] + box[2:]) / 2 for marks in pieces.values() for _, opacity, box in marks
                            if opacity > 0.5])
        gaps = np.linalg.norm(middles[:, None] - middles, axis=2) + 99 * np.eye(len(middles))
        assert gaps.min() > 0.1, f"two letters in one place at {stop}"
        everything = around([mark for marks in pieces.values() for mark in marks])
        assert -0.05 < everything[0] and everything[2] < room + 0.05


def test_q_and_k_have_the_colours_of_query_and_key_until_they_are_dropped(figure):
    seen = []
    for step in (0, 1, 3, 5):
        figure.set(step=step)
        seen.append({name: Counter(colour for colour, _, _ in marks if colour != palette.INK)
                     for name, marks in formula_of(figure).items() if name not in "()"})
    q, k, both = {palette.QUERY_INK: 1}, {palette.KEY_INK: 1}, {palette.QUERY_INK: 1, palette.KEY_INK: 1}
    grey = {palette.MUTED: 9}
    assert seen == [{"square": both}, {"query": q, "dot": both, "key": k}, {"dot": both, "query": grey, "key": grey},
                    {"dot": {palette.QUERY_INK: 2, palette.KEY_INK: 2}, "query": grey, "key": grey}]


def test_a_term_that_is_dropped_is_struck_through_and_falls_as_its_weight_goes(figure):
    figure.set(spread=0.4, sigma=0.5, step=2.0)
    before, fell = None, []
    for stop in figure.options["step"][20:]:
        figure.set(step=stop)
        marks = formula_of(figure)["key"]
        shown = around(marks)[1], areas(figure.scene.discs)
        struck = figure.scene.panels["formula"]["stroke", "key"].get_visible()
        assert struck == (stop > 2.1) == ({colour for colour, _, _ in marks} == {palette.MUTED})
        if before and stop <= 3:
            assert (shown[0] < before[0]) == (np.abs(shown[1] - before[1]).max() > 1e-3), f"{stop}: at the same moment"
            fell.append(shown[0] < before[0])
        assert stop <= 3 or shown[0] == before[0]
        before = shown
    assert sum(fell) == 3
    figure.set(step=2.5)
    assert "Step 3: drop the keys' own term." in figure.sentence
    scene, q, k = settled(figure), figure.scene.sample.q, figure.scene.sample.points.places
    scores = (q @ k.T - np.sum(k**2, axis=1) / 6) / figure.state["sigma"] ** 2         # two thirds of the way
    np.testing.assert_allclose(areas(scene.discs), softmax(scores, axis=1)[8], atol=1e-13)


def test_what_stays_in_the_formula_moves_without_a_jump_and_rests_at_whole_steps(figure):
    before, (_, width) = {}, figure.scene.panels["formula"].get_xlim()
    for i, stop in enumerate(figure.options["step"]):
        figure.set(step=stop)
        seen = {name: around(marks)[0] for name, marks in formula_of(figure).items()}
        for name in seen.keys() & before.keys():
            assert abs(seen[name] - before[name]) < width / 7, (name, stop)
            assert i % 10 > 1 or seen[name] == before[name], "from 0.9 to 1.1 nothing moves"
        if i % 10 == 0:
            order = ["(", *(name for name in STEPS[i // 10].pieces if name != ")"), ")"]
            assert [seen[name] for name in order] == sorted(seen[name] for name in order)
        before = seen


def test_it_begins_with_the_kernel_and_ends_with_attention(figure):
    assert figure.state["step"] == 0 and "the Gaussian kernel" in figure.sentence
    figure.set(step=5)
    assert "attention" in STEPS[-1].name and "This is scaled dot-product attention" in figure.sentence
    labels = [label.get_text() for label in settled(figure).panels["formula"].get_xticklabels()]
    assert "kernel" in labels[0] and "attention" in labels[-1]


def test_pulled_outward_a_key_loses_weight_in_the_kernel_and_gains_it_in_the_dot_product(figure):
    press(figure, "drop the keys' own term")
    scene = settled(figure)
    query = scene.sample.q[scene.row_of(figure.state["query"])]
    point = int((figure.sample_points.places @ query).argmax())
    seen = []
    for length in (1.0, 1.2, 1.4):
        figure.change_points("move", point, length * query)
        key = np.abs(settled(figure).sample.points.places - length * query).sum(axis=1).argmin()
        seen.append((areas(scene.rings)[key], areas(scene.discs)[key]))
        np.testing.assert_allclose(scene.discs.get_offsets(), scene.sample.points.places)
    rings, discs = np.transpose(seen)
    assert np.all(np.diff(rings) < 0) and np.all(np.diff(discs) > 0)
    assert "far from" in scene.note.get_text()
    figure.change_points("add", place=(-0.5, -1.2))
    assert len(settled(figure).discs.get_offsets()) == len(figure.tables()[0]["rows"]) == 17
    figure.change_points("undo")
    figure.set(spread=0.0)
    assert not figure.sample_points.past and "equally long" in figure.sentence


def test_it_says_whether_the_nearest_key_counts_most_where_that_may_change(figure):
    for state, said in (({"step": 2}, None), ({"step": 3}, "no longer"), ({"step": 3, "spread": 0.0}, "still"),
                        ({"step": 4, "spread": 0.0}, "still"), ({"step": 5}, "no longer")):
        figure.reset()
        figure.set(**state)
        scene = settled(figure)
        q, keys = scene.sample.q[scene.row_of(figure.state["query"])], scene.sample.points.places
        largest = areas(scene.discs).argmax() == np.linalg.norm(keys - q, axis=1).argmin()
        assert said is None or largest == (said == "still")
        assert ("it shrinks" in scene.panels["keys"]["nearest"].get_text()) == (state == {"step": 3})
        sentence = figure.sentence
        assert f"The nearest key {said} counts most." in sentence or said is None and "nearest" not in sentence
    figure.set(step=3, spread=0.0)
    for point, turn in enumerate((0.001, -0.001)):      # two keys, equally near: none is nearer
        figure.change_points("move", point, np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ q)
    settled(figure)
    assert "still counts most" in figure.sentence


def test_the_line_of_the_note_leads_to_the_key_on_which_the_two_disagree_most(figure):
    for query in (2, 8, 17, 30):
        figure.set(step=3, query=query, spread=0.4)
        scene = settled(figure)
        key = np.abs(areas(scene.discs) - areas(scene.rings)).argmax()
        np.testing.assert_array_equal(scene.note.about, scene.sample.points.places[key])
        assert f"Key {key + 1} goes from" in figure.sentence
        number = scene.panels["keys"]["number"]
        assert number.get_text() == str(key + 1)
        x, y = np.divide(number.get_position(), scene.note.about)
        assert x == pytest.approx(y) and x >= 1, "on the key, or beyond it"


def test_arrow_keys_go_round_the_circle(figure):
    figure.set(query=36)
    press_key(figure, "ArrowRight")
    assert figure.state["query"] == 1
