"""The consistency lab without a browser: what it draws is what the simulation measures."""
import re

import numpy as np
import pytest
from live_figures import assert_drawn, settled

import nwlab
from workbook.labs import consistency as theory

PROBLEM = theory.Regression()


def test_it_shows_what_the_simulation_measures(figure):
    figure.set(n=12_800)
    scene = settled(figure)
    error, bias, variance = measured = theory.run(PROBLEM, theory.shrinking(PROBLEM, 0.2), seeds=40)
    for line, found in zip(scene.curves, (error, variance, bias)):
        np.testing.assert_allclose(line.get_ydata(), found.mean(axis=1))
    np.testing.assert_allclose(np.sort(scene.panels["error"]["dots"].get_ydata()), np.sort(measured.error.ravel()))
    means = measured.error.mean(axis=1)
    assert abs(theory.slope(theory.SIZES, means) + 0.8) < 0.1
    assert f"error {means[1] / means[-1]:.0f} times smaller\n" in scene.panels["error"]["why"].get_text()
    line, said = (scene.panels["error"][name] for name in ("tenth", "a tenth"))
    assert line.get_ydata()[0] == pytest.approx(means[1] / 10) and f"\nof {means[1]:.3g}" in said.get_text()
    figure.set(n=800)                                   # as far as n has grown
    assert settled(figure).curves[0].get_xdata().tolist() == [50, 100, 200, 400, 800]
    assert scene.panels["error"]["dots"].get_xdata().max() < 1000 and scene.expected.get_xdata()[-1] == 800
    assert not scene.panels["error"]["why"].get_text()


def test_the_sample_panel_is_the_first_of_the_samples(figure):
    figure.set(n=200, query=3.0)
    scene, h = settled(figure), theory.shrinking(PROBLEM, 0.2)(200)
    keys, values = PROBLEM.sample(200, 0)
    assert_drawn(scene.fit.curve, lambda x: nwlab.nadaraya_watson(x, keys[:, 0], values, bandwidth=h))
    answer, = nwlab.nadaraya_watson(3.0, keys[:, 0], values, bandwidth=h)
    assert scene.fit.answer.get_ydata()[0] == pytest.approx(answer)
    np.testing.assert_allclose(scene.reach.get_xdata(), [3.0 - h, 3.0 + h])


@pytest.mark.parametrize(("d", "a", "low", "high"), [(1, 1.0, 9, 16), (2, 0.5, 4, 11)])
def test_keys_in_effect_stay_between_two_numbers_where_the_width_shrinks_as_keys_come(figure, d, a, low, high):
    """Those that lesson 13 says."""
    found = []
    for n in figure.options["n"]:
        figure.set(n=n, exponent=a, d=d)
        found.append(float(re.search(r"([\d.]+)( points count)?$", settled(figure).width.get_text())[1]))
    assert low < min(found) < low + 1 and high - 1 < max(found) < high


def test_at_the_first_size_no_rule_is_at_fault(figure):
    figure.set(n=figure.options["n"][0], exponent=1.0)
    assert "the same for every a" in figure.sentence and "too fast" not in figure.sentence


SLOPES = {(0.0, 1): "−0.80", (0.2, 1): "−0.80", (1.0, 1): "−0.80", (1 / 7, 3): "−0.57", (0.2, 3): "−0.57"}


def test_what_theory_expects_begins_where_the_error_does_and_what_was_measured_is_kept(figure, monkeypatch):
    figure.set(n=12_800)
    panel = settled(figure).panels["error"]
    limits = panel.get_ylim()
    for (exponent, d), slope in SLOPES.items():
        figure.set(exponent=exponent, d=d)
        assert "At n = 12800 the" in figure.sentence
        drawn = np.polyfit(*np.log(figure.scene.expected.get_data()), 1)[0]
        assert f"{drawn + 1e-9:.2f}".replace("-", "−") == slope and panel.get_ylim() == limits
        assert figure.scene.expected.get_ydata()[0] == pytest.approx(figure.scene.curves[0].get_ydata()[0])
    monkeypatch.setattr(theory, "run", lambda *_, **__: pytest.fail("measured again"))
    figure.set(exponent=0.2, d=1, n=3200)
    assert "At n = 3200" in figure.sentence and not panel["why"].get_text()
