"""A figure that trains in a thread: it shows how far it has come, ends on the last settings, and never hangs."""
from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager

import numpy as np
import pytest
from live_figures import make

import nwlab


@asynccontextmanager
async def open_page(steps: int):
    """A figure in a page, trained, whose next training takes so many steps."""
    figure = make("zoo")
    assert figure.sentence
    figure.canvas._receive(None, {"type": "ready", "width": 900}, None)
    figure.scene.steps = steps
    yield figure


async def until(condition, figure, seconds=240):
    """Let the loop run, and acknowledge frames as the page would, until the condition holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        await asyncio.sleep(0.02)
        figure.canvas._receive(None, {"type": "painted"}, None)


async def a_long_training_is_shown_as_it_goes_on():
    async with open_page(steps=600) as figure:
        figure.set(pooling="additive", step=20)
        run, seen = figure.scene.run, []
        assert run.busy and "Training:" in figure.canvas.sentence       # set has not waited for the end
        await until(lambda: seen.append(figure.canvas.sentence) or not figure.scene.busy, figure)
        assert len(set(seen)) > 2 and run.reached == 600
        assert "Training:" not in figure.canvas.sentence and "<b>20</b> of 600" in figure.canvas.sentence


async def settings_that_change_quickly_leave_one_training_and_the_last_settings():
    async with open_page(steps=400) as figure:
        runs = []
        for seed in range(1, 4):
            figure.set(seed=seed)
            figure.canvas._receive(None, {"type": "painted"}, None)
            runs.append(figure.scene.run)
        await until(lambda: not figure.scene.busy, figure)
        assert figure.scene.run is runs[-1] and runs[-1].seed == 3 and runs[-1].reached == 400
        assert all(run.wait(10) for run in runs)
        np.testing.assert_allclose(figure.scene.split.train.keys, nwlab.make_regression(seed=3).keys)
        assert "Training:" not in figure.canvas.sentence


async def closing_the_figure_ends_its_training():
    async with open_page(steps=100_000) as figure:
        figure.set(pooling="additive")
        run = figure.scene.run
        assert run.busy
        figure.close()
        figure.comm = None
        await until(lambda: not run.busy, figure)
        assert run.wait(30) and run.reached < 100_000


async def code_that_asks_for_the_sentence_waits_for_the_end():
    async with open_page(steps=200) as figure:
        figure.set(pooling="a width per key")
        assert "Training:" not in figure.sentence and figure.scene.run.reached == 200
        assert "Training:" not in figure._repr_mimebundle_()["text/plain"]


@pytest.mark.parametrize("story", [
    a_long_training_is_shown_as_it_goes_on, settings_that_change_quickly_leave_one_training_and_the_last_settings,
    closing_the_figure_ends_its_training, code_that_asks_for_the_sentence_waits_for_the_end])
def test_in_a_page(story):
    asyncio.run(story())


def test_going_back_trains_nothing_anew():
    figure = make("zoo")
    runs = []
    for change in ({}, {"pooling": "additive"}, {"pooling": "one width w", "step": 3}, {"noise": 0.1}):
        figure.set(**change)
        assert figure.sentence
        runs.append(figure.scene.run)
    assert runs[2] is runs[0] is not runs[1] and runs[3] is not runs[0] and runs[3].split.train.noise == 0.1
