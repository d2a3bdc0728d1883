"""The estimator that a page has: in a browser, the same numbers as the package, and as the artists of the figures."""
import math

import numpy as np
import pytest
from jupyter_page import result_of
from live_figures import settled, shared
from matplotlib.patches import Polygon

import nwlab
from workbook import course
from workbook.explore.on_page import on_page
from workbook.explore.parts import dot_areas

MODULES = [course.FOLDER / name for name in ("figures/motion.js", "explore/estimator.js", "explore/redraw.js")]
OWN = [nwlab.Kernel("cauchy", "1 / (1 + u**2)"), nwlab.Kernel("narrow tails", "exp(-u**4/4)"),
       nwlab.Kernel("half", "sqrt(1 - abs(u) / 2)", support=2)]


@pytest.fixture(scope="module")
def evaluated(jupyterlab):
    """evaluated(expression, **names): what a JavaScript expression of these names is in a page that has the modules."""
    page = jupyterlab.another()
    for module in MODULES:
        page.add_script_tag(content=module.read_text(encoding="utf-8"))
    return lambda expression, **names: result_of(page, f"({{ {', '.join(names)} }}) => {expression}", names)


@pytest.mark.parametrize("kernel", [*nwlab.KERNELS.values(), *OWN], ids=lambda kernel: kernel.name)
def test_weights_and_similarities_are_those_of_the_package(evaluated, kernel):
    data = nwlab.make_regression(seed=5)
    queries = np.append(data.queries, [-3.0, 9.0, data.keys[3]])
    for width in (0.004, 0.05, 0.3, 4.0):
        found = evaluated("queries.map((q) => attentionWeights(q, keys, kernelOf(kernel), width))", width=width,
                          queries=queries.tolist(), keys=data.keys.tolist(), kernel=on_page(kernel))
        with pytest.warns(nwlab.EmptyWindowWarning) if np.isnan(found).any() else pytest.MonkeyPatch.context():
            expected = nwlab.attention_weights(queries, data.keys, kernel=kernel, bandwidth=width)
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
    u = np.array([0.0, 0.3, math.nextafter(1.0, 0.0), 1.0, math.nextafter(1.0, 2.0), 1.7, 2.0, 2.1])
    found = evaluated("us.map(kernelOf(kernel).similarity)", us=u.tolist(), kernel=on_page(kernel))
    np.testing.assert_allclose(found, kernel(u), rtol=1e-9, atol=1e-15)


@pytest.mark.filterwarnings("ignore::nwlab.EmptyWindowWarning")
@pytest.mark.parametrize(("name", "state"), [
    *((name, {"sigma": 0.31}) for name in ("width", "heatmap", "borders", "sure")), ("kernels", {"h": 0.31}),
    ("width", {"band": True, "kernel": "boxcar", "sigma": 0.05})])
def test_what_it_recomputes_is_what_the_figure_draws(evaluated, name, state):
    """After a value was lifted, a key moved and a point added; where windows are empty as well."""
    figure = shared(name)
    figure.set(query=3.1, **state)
    figure.change_points("move", 20, figure.sample_points.places[20] + (0, 1))
    figure.change_points("move", 4, (3.3, 2.0))
    figure.change_points("add", place=(0.7, 3.0))
    scene = settled(figure)
    artists = {tag[1]: artist for artist, tag in scene.tags.items() if tag[1]}
    found = evaluated("((all) => names.map((name) => all[name]()))(recompute(places, state, given))", names=[*artists],
                      places=figure.sample_points.places.tolist(), state=figure.state, given=scene.given())
    assert {*artists} - {"points", "estimate", "answer"} == {
        "width": {"matrix", "sure", "bar", "left out", "error", "errors now"}, "sure": {"sure", "bar"},
        "heatmap": {"matrix", "effective lines", "effective keys", "effective now"}, "kernels": {"first", "similarity"},
        "borders": {"matrix", "line", "line matrix", "line answer"}}[name]
    for (role, artist), new in zip(artists.items(), found):
        if role == "points":
            np.testing.assert_allclose(dot_areas(np.array(new["weights"])), artist.get_sizes(), rtol=1e-9)
            np.testing.assert_allclose(np.transpose([new["x"], new["y"]]), artist.get_offsets(), rtol=1e-9)
        elif role.endswith("matrix"):
            np.testing.assert_allclose(new["cells"], np.ma.filled(artist.get_array(), np.nan), atol=1e-9)
        else:
            drawn = artist.get_xy() if isinstance(artist, Polygon) else np.transpose(artist.get_data())
            own, seen = np.transpose([new[axis] for axis in "xy"]), np.isfinite(drawn).all(axis=1)
            np.testing.assert_array_equal(np.isfinite(own).all(axis=1), seen)
            np.testing.assert_allclose(own[seen], np.array(drawn)[seen], rtol=1e-9, atol=1e-9)
    figure.reset()


def test_a_moved_key_of_morph_gets_the_disc_that_the_figure_draws(evaluated):
    figure = shared("morph")
    figure.set(query=5)
    figure.change_points("move", 4, (1.3, 0.4))
    for step, sigma in ((0, 0.31), (1.5, 0.31), (2.3, 1.2), (3, 0.2), (4.6, 0.5), (5, 2)):
        figure.set(step=step, sigma=sigma)
        discs = settled(figure).discs
        found = evaluated("recompute(places, state, given).discs()", places=figure.sample_points.places.tolist(),
                          state=figure.state, given=figure.scene.given())
        np.testing.assert_allclose(16 + 3200 * np.array(found["weights"]), discs.get_sizes(), rtol=1e-9)
        np.testing.assert_array_equal(np.transpose([found["x"], found["y"]]), discs.get_offsets())
    figure.reset()
