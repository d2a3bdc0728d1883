"""The morph explorer without a browser: every step's weights against its formula, and what it says about them."""
import math

import numpy as np
import pytest
from live_figures import cells, settled
from scipy.special import softmax

import nwlab
from nwlab import explore
from nwlab.explore.morph import STEPS


def weights_by_formula(step, q, k, sigma):
    """What each step says of queries (m, d) and keys (n, d)."""
    dot, lengths = q @ k.T, np.sum(k**2, axis=1)
    kernel = -np.sum((q[:, None] - k) ** 2, axis=2) / (2 * sigma**2)
    scores = kernel, kernel, (dot - lengths / 2) / sigma**2, dot / sigma**2, dot / math.sqrt(q.shape[1]), dot / sigma**2
    return softmax(scores[step], axis=1)


@pytest.mark.parametrize(("step", "d", "spread"), [
    (0, 2, 0.0), (1, 5, 0.6), (2, 2, 0.6), (3, 5, 0.6), (4, 5, 0.0), (5, 2, 0.0)])
def test_each_step_shows_the_weights_of_its_formula_and_of_the_one_before(figure, step, d, spread):
    figure.set(step=step, d=d, spread=spread, sigma=0.5, query=4)
    scene, sigma = settled(figure), figure.state["sigma"]
    before, now = (weights_by_formula(each, scene.sample.q, scene.sample.k, sigma)
                   for each in (max(step - 1, 0), step))
    np.testing.assert_allclose(cells(scene.now_heat), now, atol=1e-13)
    np.testing.assert_allclose(cells(scene.before_heat), before, atol=1e-13)
    np.testing.assert_allclose(scene.stems.heads.get_ydata(), now[3], atol=1e-13)
    np.testing.assert_allclose(scene.rings.get_ydata(), before[3], atol=1e-13)
    if step == 0:
        kernel = nwlab.attention_weights(scene.sample.q, scene.sample.k, bandwidth=sigma)
        np.testing.assert_allclose(now, kernel, atol=1e-13)


def test_which_steps_change_the_weights_on_the_sphere_and_off_it(figure):
    for spread, changed in [(0.0, {4, 5, 6}), (0.6, {3, 4, 5, 6})]:
        for step in range(1, len(STEPS)):
            figure.set(spread=spread, step=step)
            same = "The largest change of a weight is 0 (rounding apart)" in figure.sentence
            assert same == (step not in changed), (spread, step)


def test_between_two_steps_a_term_fades(figure):
    figure.set(step=2.25, spread=0.6, sigma=0.5)
    assert "Step 3: drop the keys' own term, 25% of the way." in figure.sentence
    scene, q, k = figure.scene, figure.scene.sample.q, figure.scene.sample.k
    scores = (q @ k.T - 0.75 * np.sum(k**2, axis=1) / 2) / figure.state["sigma"] ** 2
    np.testing.assert_allclose(cells(scene.now_heat), softmax(scores, axis=1), atol=1e-13)


def test_off_the_sphere_the_longer_keys_win(figure):
    before, now = settled(figure).weights(figure.state)
    difference, lengths = np.abs(now - before).max(), np.linalg.norm(figure.scene.sample.k, axis=1)
    assert f"The largest change of a weight is {difference:.2g}." in figure.sentence and difference > 0.3
    assert "longer on average" in figure.sentence and (now @ lengths).mean() > (before @ lengths).mean()
    figure.set(spread=0.0, d=7)
    assert "All keys have length 1" in figure.sentence


def test_the_formula_marks_what_changes(figure):
    before, now = ([text for text in line.texts if text.get_visible()] for line in settled(figure).lines)
    assert [text.get_text() for text in before if text.get_bbox_patch()] == [STEPS[2].terms[1]]
    assert len(now) == 4 and not any(text.get_bbox_patch() for text in now)


def test_a_readers_own_keys_and_data():
    keys = np.random.default_rng(3).normal(40.0, [5.0, 2.0, 9.0], (25, 3))
    figure = explore.morph(keys, step=0, sigma=4.0)
    assert "spread" not in figure.controls and "of 25 keys" in figure.sentence
    order = np.argsort(np.arctan2(*(keys - keys.mean(axis=0)).T[1::-1]), kind="stable")
    expected = nwlab.attention_weights(keys[order], keys[order], bandwidth=4.0)
    np.testing.assert_allclose(cells(figure.scene.now_heat), expected, atol=1e-12)
    figure.set(sphere=True, step=3)
    assert "0 (rounding apart)" in figure.sentence
    data = nwlab.make_regression()
    line = explore.morph(data, step=0)
    assert "of 50 keys" in line.sentence
    np.testing.assert_allclose(line.scene.sample.q[:, 0], data.queries - data.keys.mean())


@pytest.mark.parametrize("width", [490, 900])
def test_the_words_beside_the_points_stand_above_them(figure, width):
    figure.lay_out(width)
    scene = settled(figure)
    panel = scene.panels["points"]
    panel.apply_aspect()
    lowest = min(word.get_window_extent().y0 for word in panel.texts)
    assert panel.transData.transform(scene.dots.get_offsets())[:, 1].max() < lowest
