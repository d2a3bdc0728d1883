"""Work that takes longer than a frame: the page stays alive, a stop stops it, nothing outlives its figure."""
import asyncio
import time
from types import SimpleNamespace

import pytest
from live_figures import make

from workbook.figures import background, controls
from workbook.figures.background import Background, Jobs
from workbook.figures.live import Explorer, Layout, Scene
from workbook.lesson.rerun import close_all


class Clock:
    """Stands still but for the jobs: so a busy machine does as many in a portion as an idle one."""

    now = 0.0

    def work(self):
        self.now += 0.001


clock = Clock()


@pytest.fixture
def own_clock(monkeypatch):
    monkeypatch.setattr(background, "time", SimpleNamespace(perf_counter=lambda: clock.now))


class Counting(Scene):
    """Says how many of 200 jobs, each a millisecond of `clock` long, are done; there is one series a choice of x."""

    layouts = (Layout(("bar",), (1,), (1,), height=100),)

    def __init__(self, patience=None):
        super().__init__()
        self.work, self.series = Background(patience), [Jobs(lambda _: clock.work()) for _ in range(4)]

    def update(self, state):
        self.work.want(self.series[state["x"]], 200)
        return f"{self.work.jobs.done} of 200"


def counting(patience=None, page=False):
    """The figure and its work, shown in a page or not."""
    scene = Counting(patience)
    figure = Explorer(scene, {"x": controls.slider("x", 0, 0, 3, 1), **scene.work.controls("jobs")}, hidden={"look": 0})
    if page:
        figure.canvas._receive(None, {"type": "ready", "width": 600}, None)
    return figure, scene.work


async def until(condition, figure=None):
    """Let the loop run, and acknowledge frames as the page would, until the condition holds."""
    end = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < end
        await asyncio.sleep(0.002)
        if figure is not None:
            figure.canvas._receive(None, {"type": "painted"}, None)


def nothing_else_runs() -> bool:
    return len(asyncio.all_tasks()) == 1                # this test


async def a_page_stays_alive_and_sees_how_far_it_has_come():
    figure, work = counting(page=True)
    seen = []
    await until(lambda: seen.append(figure.canvas.sentence) or not work.working, figure)
    assert seen[0] == "0 of 200" and len({*seen} - {"0 of 200", "200 of 200"}) == 1 and figure.sentence == "200 of 200"
    assert work.bar.value == 1 and work.button.disabled


async def stop_stops_and_go_on_goes_on():
    figure, work = counting(page=True)
    await until(lambda: work.jobs.done > 0)
    assert work.button.description == "stop" and not work.button.disabled
    work.button.click()
    done = work.jobs.done
    await until(nothing_else_runs)
    assert 0 < work.jobs.done == done < 200 and work.button.description == "go on"
    figure.set(look=1)                                  # looking around starts nothing
    assert figure.sentence == f"{done} of 200" and not work.working and 0 < work.bar.value < 1
    work.button.click()
    await until(lambda: work.jobs.done > done)
    assert work.button.description == "stop"


async def another_setting_ends_the_work_before():
    figure, work = counting(page=True)
    for x in (1, 2, 3):
        figure.set(x=x)
        figure.canvas._receive(None, {"type": "painted"}, None)
    await until(lambda: len(asyncio.all_tasks()) == 2)                              # this test, and the last
    assert work.jobs is figure.scene.series[3] and work.working
    await until(lambda: not work.working, figure)
    assert [jobs.done == 200 for jobs in figure.scene.series] == [False, False, False, True]


async def closing_ends_the_work():
    for end in (Explorer.close, close_all):             # close_all: the cell was run again
        figure, work = counting(page=True)
        jobs = work.jobs
        await until(lambda jobs=jobs: jobs.done > 0)
        end(figure)
        done = jobs.done
        await until(nothing_else_runs)
        assert jobs.done == done < 200


async def a_failure_is_kept_to_be_said():
    work = Background()
    work.controls("numbers")
    work.want(Jobs(lambda job: 1 // (3 - job)), 10)
    await until(lambda: not work.working)
    assert work.jobs.done == 3 and "division" in work.failure and work.button.description == "go on"


async def a_frame_waits_a_moment_and_code_that_asks_for_the_end():
    figure, work = counting(patience=0.02, page=True)
    assert figure.canvas.sentence == "20 of 200"        # the page has not waited for the end
    assert figure.sentence == "200 of 200" == figure.canvas.sentence and not work.working
    figure.set(x=1)
    assert figure._repr_mimebundle_()["text/plain"] == "200 of 200"
    figure, work = counting()
    assert figure.sentence == "0 of 200", "without patience nobody waits"


async def a_training_is_shown_as_it_goes_on_and_ends_with_its_figure():
    figure = make("zoo")
    figure.canvas._receive(None, {"type": "ready", "width": 900}, None)
    assert "Training:" not in figure.sentence and figure.scene.run.reached == 20
    figure.scene.steps, runs = 100_000, []
    for seed in (1, 2):
        figure.set(seed=seed)
        figure.canvas._receive(None, {"type": "painted"}, None)
        runs.append(figure.scene.run)
    await until(lambda: "Training:" in figure.canvas.sentence, figure)
    assert runs[0].stopped and not runs[1].stopped and runs[1].seed == 2
    figure.close()
    for run in runs:
        run.work_until(100_000, 30)
        assert run.stopped and run.reached < 100_000


@pytest.mark.parametrize("story", [
    a_page_stays_alive_and_sees_how_far_it_has_come, stop_stops_and_go_on_goes_on, another_setting_ends_the_work_before,
    closing_ends_the_work, a_failure_is_kept_to_be_said, a_frame_waits_a_moment_and_code_that_asks_for_the_end])
def test_in_a_page(story, own_clock):
    asyncio.run(story())


def test_a_training_in_a_page():
    asyncio.run(a_training_is_shown_as_it_goes_on_and_ends_with_its_figure())


def test_without_a_page_all_is_done_at_once():
    assert counting()[0].sentence == "200 of 200"
