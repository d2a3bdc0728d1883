"""The in-context explorer without a browser: what it draws is what the layer and the package compute."""
from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import torch
from live_figures import assert_nothing_outside_or_overlapping, count_artists, press

import nwlab
from nwlab import explore
from nwlab.labs import in_context
from nwlab.labs import in_context_replay
from nwlab.labs import in_context_yardstick as yardstick


@pytest.fixture
def figure():
    return explore.in_context()


def test_it_shows_the_layer_beside_the_best_gaussian(figure):
    figure.set(noise=0.5, n=20, query=2.0, seed=4)
    sentence, scene = figure.sentence, figure.scene
    run = in_context_replay.shipped()[0.5, 20]
    data = in_context.draw_tasks(1, 20, 0.5, seed=4).one(0)
    layer = run.layers[-1]
    with torch.no_grad():
        answers = layer(*(torch.as_tensor(x) for x in (data.queries, data.keys, data.values))).numpy()
    weights = layer.attention_weights.numpy()
    np.testing.assert_allclose(np.asarray(scene.heat.image.get_array()), weights)
    assert scene.fit.answer.get_ydata()[0] == pytest.approx(answers[20])
    x, y = scene.fit.second.get_data()
    np.testing.assert_allclose(y, nwlab.nadaraya_watson(x, data.keys, data.values, bandwidth=run.best))
    np.testing.assert_allclose(scene.bump.get_ydata(), yardstick.profile(layer, [2.0])[0])
    keys = scene.gaussian.get_xdata()
    assert np.sum(scene.gaussian.get_ydata()) * (keys[1] - keys[0]) == pytest.approx(1.0)
    assert keys[np.argmax(scene.gaussian.get_ydata())] == pytest.approx(2.0)
    np.testing.assert_allclose([scene.now.get_xdata()[0], scene.now.get_ydata()[0]], [run.spreads[-1], run.errors[-1]])
    assert f"σ = {run.best:.2g}" in sentence and f"spread by {run.spreads[-1]:.2g}" in sentence
    assert "20 tokens, after 1500 training steps" in sentence and f"{run.errors[-1]:.2g}" in sentence


def test_scrubbing_shows_the_layer_as_it_was(figure):
    figure.set(step=0)
    assert "before training" in figure.sentence
    run = in_context_replay.shipped()[0.3, 50]
    np.testing.assert_allclose(figure.scene.bump.get_ydata(), yardstick.profile(run.layers[0], [2.5])[0])
    assert figure.scene.now.get_ydata()[0] == pytest.approx(run.errors[0])
    figure.set(step=100)
    assert "after 100 training steps" in figure.sentence


def test_presets_and_reset(figure):
    start, said = figure.state, {}
    for name in ("before training", "half-way", "trained", "little noise", "much noise"):
        press(figure, name)
        said[name] = figure.sentence
    assert len(set(said.values())) == 5
    assert "Noise 0.1" in said["little noise"] and "Noise 1," in said["much noise"]
    figure.set(noise=0.8, n=100, seed=7)
    press(figure, "reset")
    assert figure.state == start


def test_dragging_each_panel_and_typing(figure):
    scene, state = figure.scene, figure.state
    _ = figure.sentence
    assert scene.dragged("fit", 3.3, 1.0, state) == {"query": pytest.approx(3.3)}
    assert scene.dragged("bump", 9.0, 1.0, state) == {"query": pytest.approx(5.0)}
    assert scene.dragged("heat", 10.0, 7.2, state) == {"query": pytest.approx(0.7)}
    run = in_context_replay.shipped()[0.3, 50]
    assert scene.dragged("curve", run.spreads[2], run.errors[2], state) == {"step": run.steps[2]}
    figure.set(query=2.0)
    figure._key("ArrowRight")
    assert figure.state["query"] == pytest.approx(2.1)


def test_a_run_of_ones_own_starts_before_its_first_step():
    run = in_context.train(noise=0.7, n=30, steps=60, seed=0)
    figure = explore.in_context(run)
    assert "noise" not in figure.controls and "n" not in figure.controls
    assert "Noise 0.7, 30 tokens, before training" in figure.sentence
    press(figure, "trained")
    assert "after 60 training steps" in figure.sentence
    np.testing.assert_allclose(figure.scene.bump.get_ydata(), yardstick.profile(run.layer, [2.5])[0])
    figure.set(step=figure.scene.runs[0.7, 30].steps[5])
    assert "after 5 training steps" in figure.sentence or "after 6 training steps" in figure.sentence


@pytest.mark.parametrize("arguments, message", [
    ({"run": np.arange(3)}, "run: got ndarray, expected what nwlab.labs.in_context.train returns"),
    ({"noise": "much"}, "noise: got 'much', expected a finite number"),
    ({"n": None}, "n: got None, expected a finite number"),
    ({"query": float("nan")}, "query: got nan, expected a finite number"),
])
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        explore.in_context(**arguments)


def test_every_shipped_run_can_be_shown(figure):
    for noise, n in in_context_replay.shipped():
        for step in (0, 1500):
            figure.set(noise=noise, n=n, step=step)
            assert f"Noise {noise:g}, {n} tokens" in figure.sentence and "not defined" not in figure.sentence


def test_moves_change_the_picture_and_leave_nothing_behind(figure):
    before, artists = figure.canvas.png(), count_artists(figure)
    for i in range(30):
        figure.set(noise=in_context_replay.NOISES[i % 12], query=i / 6, step=in_context_replay.STEPS[i % 9], seed=i % 5)
        figure.canvas.pixels()
    assert figure.canvas.png() != before
    assert count_artists(figure) == artists


@pytest.mark.parametrize("width", [490, 620, 760, 1000, 1120])
@pytest.mark.parametrize("state", [{}, {"noise": 0.1, "n": 100}, {"noise": 1.5, "n": 20, "step": 0, "query": 0.0}])
def test_nothing_is_cut_off_or_overlaps(figure, width, state):
    figure.set(**state)
    assert_nothing_outside_or_overlapping(figure, width)


def test_importing_the_explorers_does_not_import_torch():
    done = subprocess.run([sys.executable, "-c", "import sys; from nwlab import explore; print('torch' in sys.modules)"],
                          capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
