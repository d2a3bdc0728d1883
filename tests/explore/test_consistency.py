"""The consistency lab without a browser: what it draws is what the simulation measures, and a stop stops it."""
from __future__ import annotations

import asyncio
import threading

import numpy as np
import pytest
from live_figures import press, settled, shared

import nwlab
from nwlab import explore
from nwlab.explore.stage.background import Background, Jobs
from nwlab.labs import consistency as theory
from nwlab.lesson.rerun import close_all

PROBLEM = theory.Problem()


def test_it_shows_what_the_simulation_measures(figure):
    sentence, scene = figure.sentence, figure.scene
    measured = theory.run(PROBLEM, theory.shrinking(PROBLEM, 0.2), seeds=40)
    for line, found in zip((scene.line, scene.bias, scene.variance), measured):
        np.testing.assert_allclose(line.get_ydata(), found.mean(axis=1))
    np.testing.assert_allclose(np.sort(scene.dots.get_ydata()), np.sort(measured.error.ravel()))
    slope = theory.slope(theory.SIZES, measured.error.mean(axis=1))
    assert f"on: −{-slope:.2f}" in sentence and "theory, for large n: −0.80" in sentence
    assert abs(slope + 0.8) < 0.1


def test_the_sample_panel_is_the_first_of_the_samples(figure):
    figure.set(n=200, query=3.0)
    scene, h = settled(figure), theory.shrinking(PROBLEM, 0.2)(200)
    keys, values = PROBLEM.sample(200, 0)
    x, y = scene.fit.curve.get_data()
    np.testing.assert_allclose(y, nwlab.nadaraya_watson(x, keys[:, 0], values, bandwidth=h))
    answer, = nwlab.nadaraya_watson(3.0, keys[:, 0], values, bandwidth=h)
    assert scene.fit.answer.get_ydata()[0] == pytest.approx(answer)
    np.testing.assert_allclose(scene.reach.get_xdata(), [3.0 - h, 3.0 + h])


@pytest.mark.parametrize(("name", "slope", "said"), [
    ("fixed h", "0.00", "the bias stays"), ("theory's best", "−0.80", "no other a does better"),
    ("too fast", "0.00", "the variance stays"), ("two dimensions", "−0.67", "a = 1/6"),
    ("three dimensions", "−0.57", "a = 1/7")])
def test_presets_say_their_lesson_and_what_was_measured_is_kept(figure, monkeypatch, name, slope, said):
    press(figure, name)
    figure.set(seeds=10)
    assert f"theory, for large n: {slope}" in figure.sentence and said in figure.sentence
    assert "so far" not in figure.sentence
    drawn = np.polyfit(*np.log(figure.scene.expected.get_data()), 1)[0]
    assert f"{drawn + 1e-9:.2f}".replace("-", "−") == slope
    monkeypatch.setattr(theory, "measure", lambda *_: pytest.fail("measured again"))
    figure.reset()
    figure.set(exponent=figure.state["exponent"], n=3200)
    assert "so far" not in figure.sentence


async def working(**values):
    """A figure that has begun to compute, and its work."""
    figure = explore.consistency()
    figure.set(**values)
    _ = figure.sentence
    work = figure.scene.work
    assert work.working
    return figure, work


async def until(condition):
    while not condition():
        await asyncio.sleep(0)


def test_a_page_stays_alive_while_it_computes():
    async def page():
        threads = threading.active_count()
        figure, work = await working(exponent=0.5, seeds=10)
        assert "0 of 10 samples of each size so far" in figure.sentence
        turns = 0
        while work.working:
            await asyncio.sleep(0)
            turns += 1
        assert turns > 1 and "so far" not in figure.sentence
        assert work.bar.value == 1 and work.button.disabled and threading.active_count() == threads
        return figure.sentence

    sentence, figure = asyncio.run(page()), shared("consistency")
    figure.set(exponent=0.5, seeds=10)
    assert figure.sentence == sentence                   # in portions or at once, the same


def test_stop_stops_go_on_goes_on_and_another_setting_ends_the_run_before():
    async def page():
        figure, work = await working(seeds=640, exponent=0.5)
        await until(lambda: work.jobs.done > 0)
        assert work.button.description == "stop" and not work.button.disabled
        work.button.click()
        done = work.jobs.done
        await asyncio.sleep(0.05)
        assert 0 < work.jobs.done == done < 640 * len(theory.SIZES)
        assert len(asyncio.all_tasks()) == 1 and work.button.description == "go on"
        figure.set(n=50)                                 # looking around starts nothing
        _ = figure.sentence
        assert not work.working and 0 < work.bar.value < 1
        work.button.click()
        await until(lambda: work.jobs.done > done)
        assert work.button.description == "stop"
        for exponent in (0.6, 0.7):
            figure.set(exponent=exponent)
            _ = figure.sentence
            await asyncio.sleep(0.02)
        assert len(asyncio.all_tasks()) == 2             # this test, and the last run
        assert work.jobs is figure.scene.run(1, 0.7)

    asyncio.run(page())


def test_closing_or_a_failure_ends_the_work():
    async def page():
        for end in (lambda figure: figure.close(), close_all):          # close_all: the cell was run again
            figure, work = await working(exponent=0.5, seeds=640)
            await asyncio.sleep(0.02)
            end(figure)
            done = work.jobs.done
            await asyncio.sleep(0.05)
            assert work.jobs.done == done and len(asyncio.all_tasks()) == 1
        work = Background("numbers")
        work.want(Jobs(lambda job: 1 // (3 - job)), 10)
        await until(lambda: not work.working)
        assert work.jobs.done == 3 and "division" in work.failure and work.button.description == "go on"

    asyncio.run(page())
