"""The six houses without a browser: each mark against plain loops, and what the page does without Python."""
import math
import re

import numpy as np
import pytest
from live_figures import settled

from workbook import palette

HOUSES = {"A": (60, 150), "B": (75, 240), "C": (90, 300), "D": (115, 280), "E": (130, 360), "F": (155, 450)}
STATES = [{}, {"query": 66, "sigma": 8}, {"query": 170}, {"query": 132, "sigma": 120}, {"query": 50, "sigma": 3}]


def by_loops(query: float, sigma: float) -> tuple[list[float], float]:
    """The weights of the houses, and the answer in thousand euros."""
    likeness = [math.exp(-((query - area) / sigma) ** 2 / 2) for area, _ in HOUSES.values()]
    weights = [each / sum(likeness) for each in likeness]
    return weights, sum(weight * price for weight, (_, price) in zip(weights, HOUSES.values()))


@pytest.fixture(params=STATES, ids=str)
def seen(request, figure):
    """The scene in a state, with its weights and answer computed by loops."""
    figure.set(**request.param)
    return settled(figure), *by_loops(figure.state["query"], figure.state["sigma"])


def test_spokes_discs_and_shares_are_as_large_as_the_weights(seen, figure):
    scene, weights, answer = seen
    shown = [weight > 0.003 for weight in weights]
    for kind in (scene.spokes, scene.discs, scene.shares):
        assert [each.get_visible() for each in kind] == shown
    np.testing.assert_allclose([spoke.get_linewidth() for spoke in scene.spokes], 14 * np.array(weights), atol=1e-9)
    np.testing.assert_allclose([disc.get_markersize() ** 2 for disc in scene.discs], 361 * np.array(weights), atol=1e-9)
    np.testing.assert_allclose([share.get_width() for share in scene.shares], weights, atol=1e-12)
    np.testing.assert_allclose([share.get_x() for share in scene.shares], np.cumsum(weights) - weights, atol=1e-12)
    for spoke, disc, (area, price) in zip(scene.spokes, scene.discs, HOUSES.values()):
        assert tuple(spoke.get_xydata()[-1]) == (area, price) and disc.get_ydata() == [price]
    assert scene.panels["houses"]["fulcrum"].get_ydata() == [pytest.approx(answer)], "where the discs balance"


def test_pin_bell_curve_and_row_stand_at_the_query(seen, figure):
    scene, weights, answer = seen
    query, sigma = figure.state["query"], figure.state["sigma"]
    assert scene.panels["houses"]["pin"].get_data() == ([query], [0])
    assert scene.answer.get_data() == ([query], [pytest.approx(answer)])
    heights = scene.panels["houses"]["stems"].get_ydata()[1::3]
    np.testing.assert_allclose(heights / heights.sum(), weights, atol=1e-12, err_msg="the bell cut at the houses")
    np.testing.assert_allclose(scene.panels["houses"]["arrow"].get_xdata(),
                               [query - sigma if query - sigma > 50 else query + sigma, query])
    curve = dict(zip(*scene.curve.get_data()))
    assert curve[query] == pytest.approx(answer) and curve[170.0] == pytest.approx(by_loops(170, sigma)[1])
    cells, row = scene.heat.image.get_array(), round((query - 50) / 2)
    np.testing.assert_allclose(cells[row], weights, atol=1e-12)
    np.testing.assert_allclose(cells[60], by_loops(170, sigma)[0], atol=1e-12)
    assert sum(scene.heat.row.get_bbox().intervaly) / 2 == pytest.approx(row)
    np.testing.assert_allclose([share.get_facecolor() for share in scene.shares],
                               palette.weight_colours()(np.sqrt(weights)))


def test_the_formula_has_a_term_for_each_house_and_the_numbers_are_in_columns(seen, figure):
    scene, weights, answer = seen
    term = r'<span data-mark="(\w)"><span class="wb-key">(.+?)</span> × <span class="wb-value">(.+?)</span>'
    terms = re.findall(term, figure.sentence_html)
    assert terms == [(name, f"{weight:.2f}", f"{price}")
                     for weight, (name, (_, price)) in zip(weights, HOUSES.items())]
    assert f"f({figure.state['query']:.0f}) = " in figure.sentence and f" ≈ {answer:.0f} " in figure.sentence
    table, = (table for table in figure.tables() if "weight α" in table["head"])
    assert table["head"] == ["floor area in m²", "price in thousand €", "weight α"] and len(table["rows"]) == 6
    np.testing.assert_allclose([float(row[2].replace("−", "-")) for row in table["rows"]], weights, atol=5e-4)


def test_a_row_is_seen_in_its_frame_although_it_is_thin(figure):
    for width in (358, 900):
        figure.lay_out(width)
        heat = settled(figure).heat
        row = heat.panel.bbox.height / 61               # pixels
        assert heat.row.get_window_extent().height - heat.row.get_linewidth() * 100 / 72 > max(row, 4) - 1e-6


def test_the_page_knows_which_marks_belong_together_and_what_a_drag_moves(figure):
    scene = settled(figure)
    for name in HOUSES:
        lit = [artist for artist, tag in scene.tags.items() if tag == ["named", name]]
        assert len(lit) == 7                            # spoke, disc, house, letter, price, share and its letter
    panels = {panel["name"]: panel for panel in figure.interactions(figure.state)["panels"]}
    assert panels["heat"]["control"] == panels["houses"]["control"] == "query" and panels["houses"]["count"] == 61
