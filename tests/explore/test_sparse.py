"""explore.sparse: the level, the radius and the counts that it shows, against the package."""
import numpy as np
import pytest
from live_figures import settled

import nwlab
from workbook import explore


@pytest.mark.parametrize("sigma", [0.1, 0.5, 2.0])
def test_the_sentence_counts_the_keys_above_the_level_and_gives_the_radius(sigma):
    figure, data = explore.sparse(alpha=2, sigma=sigma), nwlab.make_regression()
    scores = nwlab.attention_scores(figure.state["query"], data.keys, bandwidth=figure.state["sigma"])[0]
    weights = nwlab.sparsemax(scores)                   # (score - level)₊
    level = (scores - weights)[weights > 0].mean()
    radius = figure.state["sigma"] * (-2 * level) ** 0.5
    assert f"nearer than {radius:.3g} get weight at x = 2: {sum(weights > 0)} of 50 keys." in figure.sentence
    assert figure.scene.level.get_ydata()[0] == pytest.approx(np.exp(level - max(scores)), abs=1e-9)
    dots = figure.scene.panels["level"]["tops"].get_sizes()
    assert np.array_equal(dots > 30, weights > 0), "what has no weight is a small dot"


def test_few_keys_are_not_all():
    wide = explore.sparse(nwlab.from_arrays([0, 1, 2], [1, 3, 2]), sigma=2.0, alpha=2)
    assert "few keys" not in wide.sentence + wide.scene.note.get_text()


def test_softmax_has_no_level_and_its_curve_is_the_estimate():
    figure = explore.sparse(alpha=1)
    assert "At 1, called softmax" in figure.sentence and "all 50 keys count" in figure.sentence
    scene = settled(figure)
    begins, ends, _ = scene.panels["level"]["heights"].get_ydata().reshape(-1, 3).T
    weights = scene.weights[scene.row_of(figure.state["query"])]
    np.testing.assert_allclose((ends - begins) / (ends - begins).max(), weights / weights.max(), err_msg="its bars")
    np.testing.assert_allclose(figure.scene.fit.curve.get_ydata(), figure.scene.fit.second.get_ydata(), rtol=1e-9)


def test_a_key_that_says_nothing_adds_c_to_the_sum_of_the_kernel():
    figure, data = explore.sparse(alpha=1.0, sigma=0.1, nothing=3.0), nwlab.make_regression()
    assert figure.sentence.startswith("A key that says nothing is added")
    scene, x = figure.scene, figure.scene.fit.grid
    kernel = np.exp(-0.5 * ((x[:, None] - data.keys) / figure.state["sigma"]) ** 2)
    expected = kernel @ data.values / (kernel.sum(axis=1) + 3)
    np.testing.assert_allclose(scene.fit.curve.get_ydata(), expected, atol=1e-9)
    taken = 1 - scene.weights[scene.row_of(figure.state["query"])].sum()
    assert f"it takes {taken:.3g} of the weight" in figure.sentence
    figure.set(sigma=0.5, alpha=2.0, nothing=1.0)
    x = figure.state["query"]
    (at,), (height,) = settled(figure).panels["level"]["nothing"].get_data()
    assert at == x and height == 1, "as near as a key at the query"
    assert scene.fit.panel["nothing"].get_data() == ([x], [0.0])
    figure.set(nothing=0.0)
    assert "nothing" not in figure.sentence and np.allclose(scene.weights.sum(axis=1), 1)


def test_a_key_that_says_nothing_drowns_all_others_where_its_score_towers_over_theirs():
    figure = explore.sparse(alpha=2.0, sigma=0.05, nothing=3.0)
    assert "0 of 50 keys." in figure.sentence and "takes 1 of" in figure.sentence
    assert figure.scene.level.get_ydata()[0] == np.exp(-1)
    assert np.all(np.isfinite(figure.scene.fit.curve.get_ydata()))
