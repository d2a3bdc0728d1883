"""Background work: the page stays responsive meanwhile, and another state or closing the figure ends the work."""
import asyncio
from types import SimpleNamespace

import pytest
from live_figures import make, until

from workbook.figures import background, controls, live
from workbook.figures.background import Jobs
from workbook.questions.widgets import close_all

pytestmark = pytest.mark.anyio


class Counting(live.Scene):
    """A scene that says how many of 200 jobs, of a millisecond each, are done, with a series of jobs for each x."""

    layouts = (live.Layout(("bar",), (1,), (1,), height=100),)
    controls = {"x": lambda _: controls.slider("x", 0, 0, 3, 1)}
    clock = 0.0                         # only jobs advance it, so that a busy machine does as many jobs

    def __init__(self):
        super().__init__()
        self.series = [Jobs(self.job) for _ in range(4)]

    def job(self, number):
        Counting.clock += 0.001
        return 1 // (self.breaks_at - number)

    breaks_at = 1000

    def update(self, state):
        self.work = self.series[state["x"]]
        self.work.want(200)
        return f"{self.work.done} of 200 {self.work.failure}".strip()


@pytest.fixture
def shown(monkeypatch):
    """shown(): the figure, its background work, and the sentences that the page gets."""
    for module in (background, live):
        monkeypatch.setattr(module, "time", SimpleNamespace(perf_counter=lambda: Counting.clock))

    def show():
        figure, sentences = live.Explorer(Counting()), []
        frame = figure.camera.frame
        figure.camera.frame = lambda sentence: sentences.append(sentence) or frame(sentence)
        figure.hear({"type": "ready", "width": 600, "ratio": 1.0})
        return figure, figure.scene.work, sentences

    return show


async def test_a_page_stays_responsive_and_shows_progress(shown):
    figure, work, seen = shown()
    await until(lambda: seen[-1] == "200 of 200", figure)
    assert seen[0] == "0 of 200" and len({*seen}) == 3 and not work.working
    figure.close()


async def test_another_setting_ends_the_work_before(shown):
    figure, *_ = shown()
    for x in (1, 2, 3):
        figure.set(x=x)
        figure.hear({"type": "painted"})
    assert figure.scene.work is figure.scene.series[3] and figure.scene.work.working
    await until(lambda: not figure.scene.work.working, figure)
    assert [jobs.done == 200 for jobs in figure.scene.series] == [False, False, False, True]
    figure.close()


@pytest.mark.parametrize("end", [live.Explorer.close, close_all])      # close_all: as when the cell is run again
async def test_closing_ends_the_work(shown, end):
    before, (figure, work, _) = asyncio.all_tasks(), shown()
    await until(lambda: work.done > 0)
    end(figure)
    done = work.done
    await until(lambda: asyncio.all_tasks() == before)
    assert work.done == done < 200


async def test_the_message_of_an_error_is_shown(shown):
    figure, work, seen = shown()
    figure.scene.breaks_at = 3
    await until(lambda: not work.working, figure)
    assert "3 of 200 integer division" in seen[-1]
    figure.close()


async def test_code_that_reads_the_sentence_waits_for_the_end(shown):
    figure, work, seen = shown()
    assert seen == ["0 of 200"]                         # the page does not wait
    assert figure.sentence == "200 of 200" and not work.working
    figure.set(x=1)
    assert figure._repr_mimebundle_()["text/plain"] == "200 of 200"
    figure.close()


async def test_a_training_is_shown_as_it_goes_on_and_ends_with_its_figure():
    before, figure = asyncio.all_tasks(), make("zoo", step=1)
    figure.hear({"type": "ready", "width": 900, "ratio": 1.0})
    work, waits_for = figure.scene.work, figure.scene.work.needed           # of 20 steps the first 10
    assert "trained so far" not in figure.sentence and waits_for <= work.done < work.count
    figure.set(seed=1)
    run = figure.scene.work
    await until(lambda: run.done > 3, figure)
    assert ("trained so far" in figure.scene.show(figure.state)) == (run.done < waits_for)
    await until(lambda: run.done > waits_for, figure)
    assert "trained so far" not in figure.scene.show(figure.state)
    figure.close()
    await until(lambda: asyncio.all_tasks() == before)
