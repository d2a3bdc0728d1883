"""The figure of attention at scale: what it measures, what it does not measure, and what it says of both."""
import sys

import numpy as np
import pytest
from live_figures import make, settled

import nwlab
from nwlab.fast import gauss, window
from nwlab.kernels import get_kernel
from workbook.explore.scale import METHODS, SIZES, Cost, _duration

scale = sys.modules["workbook.explore.scale"]              # the module: workbook.explore.scale is the function


@pytest.fixture
def counted(monkeypatch):
    """A figure for which nothing is measured: all pairs take n² µs, a window, which is off, half of that, groups 10 n
    µs."""
    asked = []

    def measure(n, sigma, method):
        asked.append((n, sigma, method))
        seconds = {"dense": n * n, "window": n * n / 2, "fast": 10 * n}[method] * 1e-6
        return Cost(seconds, 0.002 if method == "window" else 1e-16)

    monkeypatch.setattr(scale, "measure", measure)
    figure = make("scale", n=1000)
    assert figure.sentence
    yield figure, asked
    figure.close()


def test_what_is_measured_is_right():
    dense, fast = (scale.measure(2000, 0.1, method) for method in ("dense", "fast"))
    assert dense.error == 0 and fast.error < 1e-14
    assert min(dense.seconds, fast.seconds) > 0


def test_a_larger_n_measures_what_is_missing_and_what_would_take_too_long_is_not_tried(counted):
    figure, asked = counted
    every = [(n, 0.1, method) for n in (100, 200, 500, 1000) for method in METHODS]
    every.remove((1000, 0.1, "dense"))
    assert asked == every
    figure.set(n=10_000)
    assert figure.sentence and asked[11:] == [(n, 0.1, "fast") for n in (2000, 5000, 10_000)]
    figure.set(n=1000)
    assert figure.sentence and len(asked) == 14, "what was measured is kept"
    figure.scene.runs[0.3] = scale.Jobs(None)               # no job can be done
    assert "stopped with an error" in figure.scene.show({**figure.state, "sigma": 0.3})
    figure.set(sigma=1.0)
    assert figure.sentence and {(sigma, method) for _, sigma, method in asked[14:]} == {(1.0, "window"), (1.0, "fast")}


def test_it_says_what_was_measured_and_what_was_not(counted):
    figure, _ = counted
    assert "At n = 1,000 all pairs take 100 times as long as groups." in figure.sentence
    assert "answers are off by 0.002." in figure.sentence
    area, time = figure.scene.panels["area"], figure.scene.panels["time"]
    assert time["took", "window"].get_text() == "window: 500 ms"
    keys = np.linspace(0, 5, 1000)
    pairs = np.diff(window.runs(keys, keys, 0.1, get_kernel("gaussian")), axis=0).sum()
    assert float(area["pairs", "window"].get_text().split(": ")[1].replace(",", "")) == pytest.approx(pairs, rel=0.02)
    for n, sigma in ((100, 0.003), (1000, 0.1), (1000, 1.0)):           # a box more where the first begins inside
        figure.set(n=n, sigma=sigma)
        boxes = len(gauss.boxes_of(nwlab.make_regression(n, seed=0).keys, sigma)[0])
        assert figure.sentence and boxes <= int(area["pairs", "fast"].get_text().split()[1]) <= boxes + 3
    figure.set(n=1e6, sigma=0.1)
    assert "100,000 times as long as groups. Dashed: predicted. The answers are the same." in figure.sentence
    assert [time["took", method].get_text() for method in METHODS] == [
        "all pairs: 12 days", "window: 5.8 days", "groups: 10 s"]
    assert area["pairs", "dense"].get_text() == "all pairs: 1,000,000,000,000"
    x, y = figure.scene.panels["time"]["beyond", "dense"].get_data()
    assert list(x) == [500, 1e6] and y == pytest.approx([0.25, 1e6])
    x, y = figure.scene.panels["time"]["fast"].get_data()
    assert list(x) == list(SIZES) and y == pytest.approx([1e-5 * n for n in SIZES])
    figure.set(sigma=1.0)
    assert "fills the square" in figure.sentence and area["pairs", "window"].get_text().endswith("plus finding them")
    assert len(np.unique(area["groups"].get_xdata()[::3])) == 6, "a bar for each group"
    assert len(area["columns"].get_xdata()[::3]) + 1 == 6, "and a part of the square"
    assert "6 groups, not 1,000,000 keys" in area["pairs", "one"].get_text()
    assert time["took", "dense"].xy[0] == max(time.lines[0].get_xdata()), "no name is on the line of one hour"
    assert time["took", "dense"].get_bbox_patch() is not None, "nor do dashes run through one"


@pytest.mark.parametrize(("n", "sigma"), [(1000, 0.1), (1000, 1.0), (5000, 0.01), (100, 0.1), (20_000, 0.003)])
def test_one_query_takes_the_groups_within_reach_and_the_frame_shrinks_to_a_million_pairs(counted, n, sigma):
    figure, _ = counted
    figure.set(n=n, sigma=sigma)
    area, keys = settled(figure).panels["area"], nwlab.make_regression(n, seed=0).keys
    boxes = np.unique(np.rint(keys / sigma))
    reached = np.sum(np.abs(boxes - np.rint(keys[n // 2] / sigma)) <= gauss.REACH)
    said = f"▬ 1 query: {reached} groups, not {n:,} keys" if n > 100 else ""     # there some groups are empty
    assert area["pairs", "one"].get_text() == said and area["near"].get_visible() == bool(said)
    assert len(np.unique(area["near"].get_xdata()[::3])) == reached or not said
    assert area["part name"].get_text() == ("1 million pairs" if n >= 1000 else "")
    assert area["part"].get_visible() == (n >= 1000)
    assert area["full"].get_visible() == (sigma == 1.0) == ("fills the square" in figure.sentence)
    assert area["part"].get_width() == pytest.approx(max(1000 / n, 1 / figure.scene.side))


@pytest.mark.parametrize(("seconds", "words"), [
    (3e-5, "30 µs"), (0.002, "2 ms"), (1.5, "1.5 s"), (100, "100 s"), (150, "2.5 minutes"), (7200, "2 hours"),
    (86400 * 3, "3 days")])
def test_durations_in_words(seconds, words):
    assert _duration(seconds) == words
