"""explore.sparse: the level, the radius and the counts that it shows, against the package."""
import numpy as np
import pytest

import nwlab
from workbook import explore


@pytest.mark.parametrize("sigma", [0.1, 0.5, 2.0])
def test_the_sentence_counts_the_keys_above_the_level_and_gives_the_radius(sigma):
    figure, data = explore.sparse(alpha=2, sigma=sigma), nwlab.make_regression()
    scores = nwlab.attention_scores(figure.state["query"], data.keys, bandwidth=figure.state["sigma"])[0]
    weights = nwlab.sparsemax(scores)                   # (score - level)₊
    level = (scores - weights)[weights > 0].mean()
    radius = figure.state["sigma"] * (-2 * level) ** 0.5
    assert f"{sum(weights > 0)} of 50 keys" in figure.sentence and f"radius of {radius:.3g}" in figure.sentence
    assert figure.scene.level.get_ydata()[0] == pytest.approx(level - max(scores), abs=1e-9)


def test_softmax_has_no_level_and_its_curve_is_the_estimate():
    figure = explore.sparse(alpha=1)
    assert "every key gets some weight" in figure.sentence
    np.testing.assert_allclose(figure.scene.fit.curve.get_ydata(), figure.scene.fit.second.get_ydata(), rtol=1e-9)
