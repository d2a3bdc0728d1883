"""The morph figure without a browser: the weights of each step against its formula, and what it says about them."""
import math

import numpy as np
import pytest
from live_figures import press, press_key, settled
from scipy.special import softmax

import nwlab
from workbook.explore.morph import DROPPED, HIGH, KEY, LOW, QUERY, STEPS, level_line, scores_at


def weights_by_formula(step, q, k, sigma):
    """The weights (m, n) of each step for queries (m, d) and keys (n, d)."""
    dot, lengths = q @ k.T, np.sum(k**2, axis=1)
    kernel = -np.sum((q[:, None] - k) ** 2, axis=2) / (2 * sigma**2)
    scores = kernel, kernel, (dot - lengths / 2) / sigma**2, dot / sigma**2, dot / math.sqrt(q.shape[1]), dot / sigma**2
    return softmax(scores[step], axis=1)


def areas(dots) -> np.ndarray:
    """The weights that discs or rings show, (n,): their areas above that of no weight."""
    return (dots.get_sizes() - 16) / 3200


@pytest.mark.parametrize(("step", "spread"), [(0, 0.0), (1, 0.4), (2, 0.4), (3, 0.4), (4, 0.0), (5, 0.2)])
def test_each_step_shows_the_weights_of_its_formula_and_of_the_one_before(figure, step, spread):
    figure.set(step=step, spread=spread, sigma=0.5, query=4)
    scene, sigma = settled(figure), figure.state["sigma"]
    points = scene.sample.q, scene.sample.points.places
    before, now = (weights_by_formula(each, *points, sigma) for each in (max(step - 1, 0), step))
    np.testing.assert_allclose(areas(scene.discs), now[3], atol=1e-13)
    np.testing.assert_allclose(areas(scene.rings), before[3], atol=1e-13)
    table, = (each for each in figure.tables() if each["head"][0] == "key number")
    assert table["head"] == ["key number", "length", "weight before", "weight after"] and len(table["rows"]) == 16
    np.testing.assert_allclose([float(row[3]) for row in table["rows"]], now[3], atol=1e-3)
    if step == 0:
        kernel = nwlab.attention_weights(scene.sample.q, scene.sample.points.places, bandwidth=sigma)
        np.testing.assert_allclose(now, kernel, atol=1e-13)


def test_which_steps_change_the_weights_on_the_sphere_and_off_it(figure):
    for spread, changed in [(0.0, {4, 5, 6}), (0.4, {3, 4, 5, 6})]:
        for step in range(1, len(STEPS)):
            figure.set(spread=spread, step=step)
            assert ("No weight changes." in figure.sentence) == (step not in changed), (spread, step)


def test_a_term_that_is_dropped_is_crossed_out_and_falls_as_its_weight_goes(figure):
    heights = []
    for position in (2.0, 2.2, 2.4, 3.0, 5.0):
        figure.set(step=position, spread=0.4, sigma=0.5)
        formula = settled(figure).panels["formula"]
        heights.append(formula[KEY].get_position()[1])
        assert formula["stroke", KEY].get_visible() == (position > 2)
        assert formula[QUERY].get_position()[1] == LOW
    assert heights == sorted(heights, reverse=True) and (heights[0], heights[-1]) == (HIGH, LOW) and DROPPED[KEY] == 3
    figure.set(step=2.3)
    assert "Step 3: drop the keys' own term." in figure.sentence
    scene, q, k = settled(figure), figure.scene.sample.q, figure.scene.sample.points.places
    scores = (q @ k.T - 0.7 * np.sum(k**2, axis=1) / 2) / figure.state["sigma"] ** 2
    np.testing.assert_allclose(areas(scene.discs), softmax(scores, axis=1)[8], atol=1e-13)


def test_what_stays_in_the_formula_moves_without_a_jump_and_stands_in_its_order(figure):
    formula, before = settled(figure).panels["formula"], {}
    width, pieces = formula.get_xlim()[1], {piece for step in STEPS for piece in step.pieces}
    for tenth in range(61):
        figure.set(step=tenth / 10)
        seen = {text: np.array(text.get_position()) for text in settled(figure) and [formula[each] for each in pieces]
                if text.get_visible()}
        for text in seen.keys() & before.keys():
            assert np.hypot(*(seen[text] - before[text])) < width / 8, (text, tenth)
        before = seen
        if tenth % 10 == 0:
            places = [formula[piece].get_position() for piece in STEPS[tenth // 10].pieces]
            assert places == sorted(places) and {y for _, y in places} == {HIGH}


@pytest.mark.parametrize("position", [0, 2, 2.25, 2.9, 3, 4, 6])
def test_on_a_level_line_all_keys_have_the_same_score(position):
    q, key, sigma = np.array([0.9, 0.3]), np.array([-0.2, 0.7]), 0.4
    line = level_line(position, q, sigma, key)
    expected = scores_at(position, q[None], key[None], sigma).item()
    np.testing.assert_allclose(scores_at(position, q[None], line, sigma), expected, atol=1e-9)
    assert np.hypot(*(line - key).T).min() < 0.05
    straight = np.linalg.svd(line - line.mean(axis=0), compute_uv=False)[1] < 1e-9
    assert straight == (position >= 3)


def test_pulled_outward_a_key_loses_weight_in_the_kernel_and_gains_it_in_the_dot_product(figure):
    press(figure, "off the sphere")
    scene = settled(figure)
    query = scene.sample.q[scene.row_of(figure.state["query"])]
    point = int((figure.points.places @ query).argmax())
    seen = []
    for length in (1.0, 1.2, 1.4):
        figure.change_points("move", point, length * query)
        key = np.abs(settled(figure).sample.points.places - length * query).sum(axis=1).argmin()
        seen.append((areas(scene.rings)[key], areas(scene.discs)[key]))
        np.testing.assert_allclose(scene.discs.get_offsets(), scene.sample.points.places)
    rings, discs = np.transpose(seen)
    assert np.all(np.diff(rings) < 0) and np.all(np.diff(discs) > 0)
    assert "long key" in scene.note.get_text()
    figure.change_points("add", place=(-0.5, -1.2))
    assert len(settled(figure).discs.get_offsets()) == len(figure.tables()[0]["rows"]) == 17
    figure.change_points("undo")
    press(figure, "on the sphere")
    assert not figure.points.past and "equally long" in figure.sentence


def test_the_line_of_the_note_leads_to_the_key_on_which_the_two_disagree_most(figure):
    for query in (2, 8, 17, 30):
        figure.set(step=3, query=query)
        scene = settled(figure)
        key = np.abs(areas(scene.discs) - areas(scene.rings)).argmax()
        np.testing.assert_array_equal(scene.note.about, scene.sample.points.places[key])
        assert f"Key {key + 1} goes from" in figure.sentence


def test_arrow_keys_go_round_the_circle_and_the_button_plays_the_steps(figure):
    figure.set(query=36)
    press_key(figure, "ArrowRight")
    assert figure.state["query"] == 1
    figure.controls["_play"].value = 25
    assert figure.state["step"] == 2.5
