"""The attention zoo without a browser: what it trains, draws and says is what the package computes."""
import numpy as np
import pytest
import torch
from live_figures import assert_drawn, settled
from scipy.special import softmax

import nwlab
from nwlab import attention
from nwlab.training import fit
from workbook import explore
from workbook.explore.zoo import ON_A_CIRCLE, POINTS, POOLINGS, place

STEPS = 20                                              # as in the shared figure: enough to learn something
DATA, HELD = nwlab.make_regression(), nwlab.make_regression(n=100, seed=1000)
UNIT = np.ptp(DATA.keys) / 5


def said(figure, name: str) -> float:
    """The error at new points that stands in the panel of a pooling."""
    return float(settled(figure).small[name].caption.get_text().removeprefix("error ").split(",")[0])


def verdicts(figure) -> dict[str, str]:
    """What stands beside the errors, by pooling, where something does."""
    captions = {name: small.caption.get_text().partition(", ") for name, small in settled(figure).small.items()}
    return {name: verdict for name, (_, _, verdict) in captions.items() if verdict}


def test_it_trains_as_fit_does_and_shows_the_step_that_is_chosen(figure):
    z, y = ((x - x.mean()) / unit for x, unit in ((DATA.keys, UNIT), (DATA.values, DATA.values.std())))
    history = fit(attention.LearnedWidth().double(), (torch.as_tensor(z), torch.as_tensor(y)),
                  learning_rate=POOLINGS["one width"][0], epochs=STEPS, seed=0)
    for step in (6, STEPS):
        figure.set(step=step, query=3.0)
        w = float(history.parameters["w"][step]) / UNIT

        def pool(x, width=1 / w):
            return nwlab.nadaraya_watson(x, DATA.keys, DATA.values, bandwidth=width)

        small = settled(figure).small["one width"]
        assert_drawn(small.curve, pool)
        assert small.answer.get_ydata()[0] == pytest.approx(pool([3.0])[0])
        assert said(figure, "one width") == pytest.approx(np.mean((pool(HELD.keys) - HELD.values) ** 2), rel=0.06)


@pytest.mark.parametrize("points", POINTS)
def test_every_pooling_learns_on_every_kind_of_points_and_those_that_miss_are_named(figure, points):
    if points == "on a circle":                         # where a dot product is a Gaussian
        np.testing.assert_allclose(np.linalg.norm(place(DATA.keys, DATA.keys, points), axis=1), 1.0)
    figure.set(points=points, step=STEPS)
    panel = settled(figure).panels["keys"]
    (middle, query), keys, bars = (np.transpose(panel[name].get_data()) * panel.bbox.size
                                   for name in ("query", "keys", "products"))
    keys, far, lengths = keys - middle, np.hypot(*(keys - middle).T), np.hypot(*(bars[1::3] - bars[::3]).T)
    assert keys[:, 1] == pytest.approx(0) if points == "on a line" else far == pytest.approx(np.full(50, far[0]))
    assert np.ptp(far) > 100 or far[0] > 70, "it is large"
    products = np.maximum(keys @ (query - middle), 0)
    assert lengths / lengths.max() == pytest.approx(products / products.max())
    wins = products.argmax()
    assert np.transpose(panel["largest"].get_data())[0] * panel.bbox.size - middle == pytest.approx(keys[wins])
    assert wins == (0 if points == "on a line" else np.abs(DATA.keys - figure.state["query"]).argmin())
    assert np.interp(figure.state["query"], DATA.keys, keys[:, 0]) == pytest.approx((query - middle)[0], abs=0.5)
    histories = [history for *_, history in settled(figure).work.results]
    assert all(last.loss[-1] < first.loss[0] for first, last in zip(histories, histories[-len(POOLINGS):]))
    for pooling, panel in settled(figure).small.items():
        row = figure.scene.weights[pooling][figure.scene.row_of(figure.state["query"])]
        large = row > 0.1 * row.max()
        assert len(panel.panel["all"].get_xdata()) == 50
        np.testing.assert_array_equal(panel.dots.get_offsets(), np.transpose([DATA.keys, DATA.values]))
        np.testing.assert_allclose(panel.dots.get_sizes(), np.where(large, 14 + 300 * row, 0))
        off = panel.curve.get_ydata() - DATA.truth(panel.curve.get_xdata())
        assert (verdicts(figure).get(pooling) == "misses") == (np.mean(off ** 2) > 0.2)
    figure.set(step=1, noise=2)
    assert "curves are flat" not in figure.sentence, "it has just begun"


def test_at_no_query_is_another_key_the_largest_than_the_one_that_is_named(figure):
    for points in POINTS:
        for query in figure.options["query"]:
            figure.set(points=points, query=query, step=1)
            panel = settled(figure).panels["keys"]
            key, = np.flatnonzero((panel["keys"].get_xydata() == panel["largest"].get_xydata()[0]).all(axis=1))
            if points == "on a line":
                assert key == (0 if query < DATA.keys.mean() else 49) and "farthest" in panel["note"].get_text()
            else:
                assert key == np.abs(DATA.keys - query).argmin() and "nearest" in panel["note"].get_text()


def test_going_back_trains_nothing_anew(figure):
    runs = [settled(figure).work]
    for change in ({"points": "on a circle"}, {"points": "on a line", "step": 3}, {"noise": 0.1}, {"noise": 0.5}):
        figure.set(**change)
        runs.append(settled(figure).work)
    assert runs[0] is runs[2] is runs[4] and runs[0] is not runs[1] and runs[3].data.noise == 0.1


def test_on_a_circle_both_dot_products_are_as_good_as_the_others_and_on_a_line_they_are_not():
    figure, errors, products = explore.zoo(step=200), [], ("dot product", "projected")
    for points in POINTS:
        for noise in (0.0, 0.5):
            figure.set(points=points, noise=noise)
            assert verdicts(figure) == dict.fromkeys(products, "misses" if points == "on a line" else "follows")
            assert ("On a line the outermost key" in figure.sentence) == (points == "on a line")
        errors.append({name: said(figure, name) for name in POOLINGS})
    line, circle = errors
    assert {name: small.aside.get_text() for name, small in figure.scene.small.items()} == {
        name: f"on a line: error {line[name]:g}" if name in products else ""
        for name in figure.scene.small}
    assert "in Dot product and Projected, too" in figure.sentence
    assert {name for name in POOLINGS if circle[name] < 0.8 * line[name]} == {*products}
    assert max(circle.values()) < 1.2 * min(circle.values())


def test_what_was_on_a_line_is_grey_once_it_was_trained_there_and_it_is_said_what_follows_now():
    figure = explore.zoo(points="on a circle", n=20, step=200)       # nothing was trained on a line: there is no grey
    for points, grey in (("on a circle", set()), ("on a line", set()), ("on a circle", {*ON_A_CIRCLE})):
        figure.set(points=points)
        small = settled(figure).small
        assert {name for name, each in small.items() if each.panel["grey"].get_visible()} == grey
        assert {name for name, verdict in verdicts(figure).items() if verdict == "follows"} == grey


class Distance(attention.LearnedPooling):
    """A pooling as a reader may write one: minus the distance, times a number."""

    def __init__(self):
        super().__init__()
        self.a = torch.nn.Parameter(torch.ones(()))

    def scores(self, queries, keys, mask=None):
        return -self.a.abs() * torch.cdist(queries, keys)


def test_a_pooling_of_ones_own_and_what_goes_wrong_is_said():
    figure = explore.zoo(own=lambda n, d: Distance(), steps=STEPS)
    figure.set(step=STEPS)
    run, number = settled(figure).work, len(POOLINGS) - 1
    *_, history = run.results[run.job_of(number, STEPS)]
    a, z = abs(float(history.parameters["a"][-1])), (DATA.queries[:, None] - DATA.keys) / UNIT
    np.testing.assert_allclose(run.at(number, STEPS, DATA.queries), softmax(-a * np.abs(z), axis=1), atol=1e-10)
    assert figure.scene.panels["e"].get_title("left") == "Your own" and "width per key" not in figure.scene.small
    assert "your own curve" in figure.about["invitation"]
    assert figure.scene.panels["e"]["way"].get_text() == "by your own rule"
    Distance.scores = lambda self, queries, keys, mask=None: queries @ keys[:3] * self.a     # shapes that do not fit
    wrong = explore.zoo(own=lambda n, d: Distance(), steps=STEPS)
    wrong.set(step=0)
    assert "The training has stopped with an error: " in wrong.sentence and said(wrong, "additive") > 0
    Distance.scores = lambda self, queries, keys, mask=None: (      # whose gradient is not defined
        torch.sqrt(self.a - self.a) - torch.cdist(queries, keys))
    assert "stopped with an error: step 1" in explore.zoo(own=lambda n, d: Distance(), steps=STEPS).sentence
    assert "own: got a Linear" in explore.zoo(own=lambda n, d: torch.nn.Linear(d, 1)).sentence
