"""The estimator that a page has: the same numbers as the package, and as the artists of the figures."""
import json
import shutil
import subprocess

import numpy as np
import pytest
from live_figures import settled, shared
from matplotlib.patches import Polygon

import nwlab
from workbook import course
from workbook.explore.parts import dot_areas

MODULES = [course.FOLDER / "explore" / name for name in ("estimator.js", "redraw.js")]


def evaluated(expression: str, **names):
    """A JavaScript expression of these names, with the modules there; NaN and infinities come back as they are."""
    node = shutil.which("node") or shutil.which("nodejs")
    if node is None:
        pytest.skip("no Node.js found, which runs the module outside of a browser")
    modules = "".join(module.read_text(encoding="utf-8") for module in MODULES)
    script = f"{modules}\nconst input = JSON.parse(require('fs').readFileSync(0, 'utf8'));\n"
    script += f"const {{ {', '.join(names)} }} = input;\n" if names else ""
    script += ("process.stdout.write(JSON.stringify((" + expression + "), (_, each) => "
               "typeof each === 'number' && !Number.isFinite(each) ? String(each) : each));")
    done = subprocess.run([node, "-e", script], input=json.dumps(names), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def numbers(nested) -> np.ndarray:
    """The same as an array; JSON has no NaN, so it comes as a word."""
    return np.array(nested, dtype=object).astype(float)


@pytest.mark.parametrize("kernel", nwlab.KERNELS)
def test_weights_and_answers_are_those_of_the_package(kernel):
    data = nwlab.make_regression(seed=5)
    queries = np.append(data.queries, [-3.0, 9.0, data.keys[3]])
    for width in (0.004, 0.05, 0.3, 4.0):
        found = evaluated(f"queries.map((q) => attentionWeights(q, keys, '{kernel}', {width}))",
                          queries=queries.tolist(), keys=data.keys.tolist())
        with pytest.warns(nwlab.EmptyWindowWarning) if "NaN" in str(found) else pytest.MonkeyPatch.context():
            expected = nwlab.attention_weights(queries, data.keys, kernel=kernel, bandwidth=width)
        np.testing.assert_allclose(numbers(found), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", ["width", "heatmap", "borders", "kernels"])
def test_what_it_recomputes_is_what_the_figure_draws(name):
    """After a value was lifted, a key moved and a point added."""
    figure = shared(name)
    figure.set(query=3.1, **{"h" if name == "kernels" else "sigma": 0.31})
    figure.change_points("move", 20, figure.points.places[20] + (0, 1))
    figure.change_points("move", 4, (3.3, 2.0))
    figure.change_points("add", place=(0.7, 3.0))
    scene = settled(figure)
    artists = {tag[1]: artist for artist, tag in scene.tags.items() if tag[1]}
    found = evaluated("((all) => names.map((name) => all[name]()))(recompute(places, state, given))", names=[*artists],
                      places=figure.points.places.tolist(), state=figure.state, given=scene.given())
    stems = set() if name == "borders" else {"stems", "heads"}
    assert {"points", "estimate", "answer"} | stems < {*artists}
    for (role, artist), new in zip(artists.items(), found):
        if role == "points":
            np.testing.assert_allclose(dot_areas(numbers(new["weights"])), artist.get_sizes(), rtol=1e-9)
            np.testing.assert_allclose(np.transpose([new["x"], new["y"]]), artist.get_offsets(), rtol=1e-9)
        elif role.endswith("matrix"):
            np.testing.assert_allclose(numbers(new["cells"]), np.ma.filled(artist.get_array(), np.nan), atol=1e-9)
        else:
            drawn = artist.get_xy() if isinstance(artist, Polygon) else np.transpose(artist.get_data())
            own, seen = np.transpose([numbers(new[axis]) for axis in "xy"]), np.isfinite(drawn).all(axis=1)
            np.testing.assert_array_equal(np.isfinite(own).all(axis=1), seen)
            np.testing.assert_allclose(own[seen], np.array(drawn)[seen], rtol=1e-9, atol=1e-9)
    figure.reset()


def test_a_moved_key_of_morph_gets_the_disc_that_the_figure_draws():
    figure = shared("morph")
    figure.set(query=5)
    figure.change_points("move", 4, (1.3, 0.4))
    for step, sigma in ((0, 0.31), (1.5, 0.31), (2.3, 1.2), (3, 0.2), (4.6, 0.5), (5, 0.31), (6, 2)):
        figure.set(step=step, sigma=sigma)
        discs = settled(figure).discs
        found = evaluated("recompute(places, state, given).discs()", places=figure.points.places.tolist(),
                          state=figure.state, given=figure.scene.given())
        np.testing.assert_allclose(16 + 3200 * numbers(found["weights"]), discs.get_sizes(), rtol=1e-9)
        np.testing.assert_array_equal(np.transpose([found["x"], found["y"]]), discs.get_offsets())
    figure.reset()
