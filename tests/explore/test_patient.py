"""A figure that trains in a thread: it shows how far it has come, ends on the last settings, and never hangs."""
from __future__ import annotations

import asyncio
import time

import numpy as np

import nwlab
from nwlab import explore

STEPS = 40


async def until(condition, figure, seconds=60):
    """Let the loop run, and acknowledge frames as the page would, until the condition holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        await asyncio.sleep(0.02)
        figure.canvas._receive(None, {"type": "painted"}, None)


def test_in_a_page_a_long_training_is_shown_as_it_goes_on():
    async def page():
        figure = explore.zoo(steps=STEPS)
        _ = figure.sentence
        figure.canvas._receive(None, {"type": "ready", "width": 900}, None)
        long, figure.scene.steps = figure.scene.steps, 3000
        figure.set(pooling="additive", step=long)
        run, seen = figure.scene.run, []
        assert run.busy and "Training:" in figure.canvas.sentence       # set has not waited for the end
        await until(lambda: seen.append(figure.canvas.sentence) or not figure.scene.busy, figure)
        assert len(set(seen)) > 2 and run.reached == 3000
        assert "Training:" not in figure.canvas.sentence and f"<b>{long}</b> of 3000" in figure.canvas.sentence
    asyncio.run(page())


def test_settings_that_change_quickly_leave_one_training_and_the_last_settings():
    async def page():
        figure = explore.zoo(steps=1000)
        _ = figure.sentence
        figure.canvas._receive(None, {"type": "ready", "width": 900}, None)
        runs = []
        for seed in range(1, 6):
            figure.set(seed=seed)
            figure.canvas._receive(None, {"type": "painted"}, None)
            runs.append(figure.scene.run)
        await until(lambda: not figure.scene.busy, figure)
        assert figure.scene.run is runs[-1] and runs[-1].seed == 5 and runs[-1].reached == 1000
        assert all(run.wait(10) for run in runs)
        np.testing.assert_allclose(figure.scene.split.train.keys, nwlab.make_regression(seed=5).keys)
        assert "Training:" not in figure.canvas.sentence
    asyncio.run(page())


def test_closing_the_figure_ends_its_training():
    async def page():
        figure = explore.zoo(steps=STEPS)
        _ = figure.sentence
        figure.canvas._receive(None, {"type": "ready", "width": 900}, None)
        figure.scene.steps = 100_000
        figure.set(pooling="additive")
        run = figure.scene.run
        assert run.busy
        figure.close()
        figure.comm = None
        await asyncio.sleep(0.5)
        assert run.wait(30) and run.reached < 100_000
    asyncio.run(page())


def test_code_that_asks_for_the_sentence_waits_for_the_end():
    async def page():
        figure = explore.zoo(steps=STEPS)
        figure.canvas._receive(None, {"type": "ready", "width": 900}, None)
        figure.scene.steps = 1000
        figure.set(pooling="a width per key")
        assert "Training:" not in figure.sentence and figure.scene.run.reached == 1000
        assert "Training:" not in figure._repr_mimebundle_()["text/plain"]
    asyncio.run(page())


def test_going_back_trains_nothing_anew():
    figure = explore.zoo(steps=STEPS)
    _ = figure.sentence
    first = figure.scene.run
    figure.set(pooling="additive")
    _ = figure.sentence
    assert figure.scene.run is not first
    figure.set(pooling="one width w", step=3)
    _ = figure.sentence
    assert figure.scene.run is first
    figure.set(noise=0.1)
    _ = figure.sentence
    assert figure.scene.run is not first and figure.scene.run.split.train.noise == 0.1
