"""The in-context figure without a browser: what it draws is what the layer and the package compute."""
import numpy as np
import pytest
import torch
from live_figures import drag, press

from workbook import explore
from workbook.labs import in_context
from workbook.labs import in_context_yardstick as yardstick


def test_it_shows_the_layer_beside_the_best_gaussian(figure):
    figure.set(noise=0.5, n=20, query=2.0, seed=4)
    sentence, scene = figure.sentence, figure.scene
    run = yardstick.shipped()[0.5, 20]
    data = in_context.draw_tasks(1, 20, 0.5, seed=4).one(0)
    layer = run.layers[-1]
    with torch.no_grad():
        answers = layer(*(torch.as_tensor(x) for x in (data.queries, data.keys, data.values))).numpy()
    np.testing.assert_allclose(scene.weights, layer.attention_weights.numpy())
    assert scene.fit.answer.get_ydata()[0] == pytest.approx(answers[20])
    np.testing.assert_allclose(scene.bump.get_ydata(), yardstick.profile(layer, [2.0])[0])
    keys = scene.gaussian.get_xdata()
    assert np.sum(scene.gaussian.get_ydata()) * (keys[1] - keys[0]) == pytest.approx(1.0)
    assert keys[np.argmax(scene.gaussian.get_ydata())] == pytest.approx(2.0)
    np.testing.assert_allclose([scene.now.get_xdata()[0], scene.now.get_ydata()[0]], [run.spreads[-1], run.errors[-1]])
    assert f"best width is {run.best:.2g}" in sentence and f"width is {run.spreads[-1]:.2g}" in sentence
    assert sentence.startswith("After 1500 training steps, near dots") and "noise 0.5 and 20 dots" in sentence
    assert "trained afresh on noisier" in scene.note.get_text()
    least, before = scene.panels["curve"]["note"], scene.panels["curve"]["calm"]
    assert least.about == (scene.spreads[best := run.kernel_errors.argmin()], run.kernel_errors[best])
    assert f"width {run.best:.2g}\n(grey: noise 0.3)" in least.get_text() and before.get_visible()
    np.testing.assert_allclose(before.get_ydata(), yardstick.shipped()[0.3, 20].kernel_errors)


def test_scrubbing_shows_the_layer_as_it_was(figure):
    run, scene = yardstick.shipped()[0.3, 50], figure.scene
    figure.set(step=0)
    assert figure.sentence.startswith("Before training") and "untrained" in scene.note.get_text()
    np.testing.assert_allclose(scene.bump.get_ydata(), yardstick.profile(run.layers[0], [2.5])[0])
    assert scene.now.get_ydata()[0] == pytest.approx(run.errors[0])
    x, y = scene.panels["steps"].transData.transform((5, 0.5))
    drag(figure, x, scene.figure.bbox.height - y)
    assert figure.state["step"] == 100 and "After 100 training steps" in figure.sentence


def test_a_run_of_ones_own_opens_at_its_end():
    run = in_context.train(noise=0.7, n=30, steps=20, seed=0)
    figure = explore.in_context(run)
    assert "noise" not in figure.controls and "n" not in figure.controls and "query" not in figure.scene.more
    assert "After 20 training steps" in figure.sentence and "noise 0.7 and 30 dots" in figure.sentence
    np.testing.assert_allclose(figure.scene.bump.get_ydata(), yardstick.profile(run.layer, [2.5])[0])
    press(figure, "before training")
    assert "Before training" in figure.sentence
