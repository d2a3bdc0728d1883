"""The consistency lab without a browser: what it draws is what the simulation measures, and a stop stops it."""

from __future__ import annotations

import asyncio
import threading

import numpy as np
import pytest
from live_figures import assert_nothing_outside_or_overlapping, count_artists, press

import nwlab
from nwlab.labs import consistency as theory
from nwlab import explore
from nwlab.explore.stage.background import Background, Jobs


@pytest.fixture
def figure():
    return explore.consistency()


def test_it_shows_what_the_simulation_measures(figure):
    sentence, scene, problem = figure.sentence, figure.scene, theory.Problem()
    measured = theory.run(problem, theory.shrinking(problem, 0.2), seeds=40)
    np.testing.assert_allclose(scene.line.get_ydata(), measured.error.mean(axis=1))
    np.testing.assert_allclose(scene.bias.get_ydata(), measured.bias_squared.mean(axis=1))
    np.testing.assert_allclose(scene.variance.get_ydata(), measured.variance.mean(axis=1))
    np.testing.assert_allclose(np.sort(scene.dots.get_ydata()), np.sort(measured.error.ravel()))
    slope = theory.slope(theory.SIZES, measured.error.mean(axis=1))
    assert f"on: −{-slope:.2f}" in sentence and "theory, for large n: −0.80" in sentence
    assert abs(slope + 0.8) < 0.1


def test_the_sample_panel_is_the_first_of_the_samples(figure):
    figure.set(n=200, query=3.0)
    _ = figure.sentence
    problem = theory.Problem()
    keys, values = problem.sample(200, 0)
    h = theory.shrinking(problem, 0.2)(200)
    x, y = figure.scene.fit.curve.get_data()
    np.testing.assert_allclose(y, nwlab.nadaraya_watson(x, keys[:, 0], values, bandwidth=h))
    assert figure.scene.fit.answer.get_ydata()[0] == pytest.approx(nwlab.nadaraya_watson(3.0, keys[:, 0], values, bandwidth=h)[0])
    np.testing.assert_allclose(figure.scene.reach.get_xdata(), [3.0 - h, 3.0 + h])


@pytest.mark.parametrize(("name", "slope", "said"), [
    ("fixed h", "0.00", "the bias stays"), ("theory's best", "−0.80", "no other a does better"),
    ("too fast", "0.00", "the variance stays"), ("two dimensions", "−0.67", "a = 1/6"), ("three dimensions", "−0.57", "a = 1/7")])
def test_presets_say_their_lesson(figure, name, slope, said):
    press(figure, name)
    assert f"theory, for large n: {slope}" in figure.sentence and said in figure.sentence
    assert "so far" not in figure.sentence
    lines = figure.scene.expected.get_data()
    drawn = np.polyfit(np.log(lines[0]), np.log(lines[1]), 1)[0]
    assert f"{drawn + 1e-9:.2f}".replace("-", "−") == slope
    start = explore.consistency().state
    press(figure, "reset")
    assert figure.state == start


def test_what_was_measured_is_kept(figure, monkeypatch):
    figure.set(exponent=0.5)
    _ = figure.sentence
    monkeypatch.setattr(theory, "measure", lambda *_: pytest.fail("measured again"))
    figure.set(exponent=0.2)
    figure.set(exponent=0.5, n=3200)
    figure.set(seeds=10)
    assert "so far" not in figure.sentence


def test_dragging_and_typing(figure):
    scene, state = figure.scene, figure.state
    assert scene.dragged("error", 210.0, 0.1, state) == {"n": 200}
    assert scene.dragged("parts", 12000.0, 0.1, state) == {"n": 12800}
    assert scene.dragged("fit", 3.3, 1.0, state) == {"query": pytest.approx(3.3)}
    figure._key("ArrowRight")
    assert figure.state["query"] == pytest.approx(2.1)


def test_a_page_stays_alive_while_it_computes():
    async def page():
        figure = explore.consistency()
        threads = threading.active_count()
        figure.set(exponent=0.5)
        _ = figure.sentence
        work = figure.scene.work
        assert work.working and "0 of 40 samples of each size so far" in figure.sentence
        turns = 0
        while work.working:
            await asyncio.sleep(0)
            turns += 1
        assert turns > 1 and "so far" not in figure.sentence
        assert work.bar.value == 1 and work.button.disabled
        assert threading.active_count() == threads
        return figure.sentence

    sentence = asyncio.run(page())
    figure = explore.consistency(exponent=0.5)
    assert figure.sentence == sentence                   # in portions or at once, the same


def test_stop_stops_and_go_on_goes_on():
    async def page():
        figure = explore.consistency()
        figure.set(seeds=640, exponent=0.5)
        _ = figure.sentence
        work = figure.scene.work
        await asyncio.sleep(0.05)
        assert work.button.description == "stop" and not work.button.disabled
        work.button.click()
        done = work.jobs.done
        await asyncio.sleep(0.1)
        assert 0 < work.jobs.done == done < 640 * len(theory.SIZES)
        assert len(asyncio.all_tasks()) == 1 and work.button.description == "go on"
        figure.set(n=50)                                 # looking around starts nothing
        _ = figure.sentence
        assert not work.working and 0 < work.bar.value < 1
        work.button.click()
        await asyncio.sleep(0.05)
        assert work.jobs.done > done and work.button.description == "stop"

    asyncio.run(page())


def test_another_setting_ends_the_run_before():
    async def page():
        figure = explore.consistency()
        for exponent in (0.5, 0.6, 0.7):
            figure.set(exponent=exponent, seeds=640)
            _ = figure.sentence
            await asyncio.sleep(0.03)
        assert len(asyncio.all_tasks()) == 2             # this test, and the last run
        assert figure.scene.work.jobs is figure.scene.run(1, 0.7)

    asyncio.run(page())


def test_closing_leaves_nothing_behind():
    async def page():
        from nwlab.lesson.rerun import close_all                # what running the cell again does

        for end in (lambda figure: figure.close(), close_all):
            figure = explore.consistency()
            figure.set(exponent=0.5, seeds=640)
            _ = figure.sentence
            await asyncio.sleep(0.03)
            end(figure)
            done = figure.scene.work.jobs.done
            await asyncio.sleep(0.05)
            assert figure.scene.work.jobs.done == done and len(asyncio.all_tasks()) == 1

    asyncio.run(page())


def test_a_failure_ends_the_work_and_is_said():
    async def page():
        work = Background("numbers")
        work.want(Jobs(lambda job: 1 // (3 - job)), 10)
        await asyncio.sleep(0.05)
        assert not work.working and work.jobs.done == 3
        assert "division" in work.failure and work.button.description == "go on"

    asyncio.run(page())


@pytest.mark.parametrize(("arguments", "said"), [
    ({"d": 4}, "d: got 4"), ({"d": [1]}, "d: got"), ({"query": "left"}, "query: got .left., expected a finite number"),
    ({"n": "many"}, "n: got 'many'"), ({"noise": -1}, "noise: got"), ({"exponent": "fast"}, "exponent: got"),
    ({"curve": lambda x: x}, "curve, noise")])
def test_bad_arguments(arguments, said):
    with pytest.raises(ValueError, match=said):
        explore.consistency(**arguments)


def test_moves_change_the_picture_and_leave_nothing_behind(figure):
    before, artists = figure.canvas.png(), count_artists(figure)
    for i in range(50):
        figure.set(n=theory.SIZES[i % 9], query=0.1 * i)
        figure.canvas.pixels()
    assert figure.canvas.png() != before
    assert count_artists(figure) == artists


@pytest.mark.parametrize("preset", ["theory's best", "three dimensions"])
@pytest.mark.parametrize("width", [490, 620, 760, 1000, 1120])
def test_nothing_is_cut_off_or_overlaps(figure, width, preset):
    press(figure, preset)
    assert_nothing_outside_or_overlapping(figure, width)
