"""Points that a reader moves: what stays the same, what changes, and that all of it can be undone."""
import sys

import numpy as np
import pytest
from live_figures import assert_drawn, cells, settled, shared

import nwlab
from workbook import explore

SCENES = {name: vars(sys.modules[f"workbook.explore.{name}"]).values() for name in explore.__all__}
MOVABLE = [name for name, things in SCENES.items() if any(getattr(one, "movable", "") == "fit" for one in things)]


@pytest.fixture(params=MOVABLE)
def figure(request):
    figure = shared(request.param)
    figure.set(**({"h": 0.25} if "h" in figure.state else {}))         # at its first width all keys are near
    yield figure
    figure.change_points("reset")


def looks(figure) -> tuple:
    """What is drawn, by number, and the sentence."""
    return tuple(map(str, figure.frame_of(figure.state)))


def near_and_far(figure) -> tuple[int, int]:
    """The keys that get most and least weight from the chosen query."""
    apart = np.abs(figure.sample_points.places[:, 0] - figure.state["query"])
    return int(apart.argmin()), int(apart.argmax())


def test_a_lifted_value_moves_near_answers_and_no_weight_at_all(figure):
    scene, (near, _) = settled(figure), near_and_far(figure)
    sizes, heat = scene.fit.dots.get_sizes().copy(), scene.heat and cells(scene.heat).copy()
    x, before = (each.copy() for each in scene.fit.curve.get_data())
    answer = scene.fit.answer.get_ydata()[0]
    figure.change_points("move", near, figure.sample_points.places[near] + (0, 1))
    assert settled(figure) is scene and scene.fit.answer.get_ydata()[0] > answer + 0.05
    np.testing.assert_array_equal(scene.fit.dots.get_sizes(), sizes)
    if heat is not None:
        np.testing.assert_array_equal(cells(scene.heat), heat)
    rise = scene.fit.curve.get_ydata() - before
    assert rise[np.abs(x - figure.state["query"]).argmin()] > 0.05
    assert np.abs(rise[np.abs(x - figure.sample_points.places[near, 0]) > 2.0]).max() < 1e-3


def test_a_moved_key_moves_weights_and_all_is_drawn_as_the_package_computes_it(figure):
    """Past its neighbours too: a point keeps its number, and the sample stays sorted."""
    scene, (near, far) = settled(figure), near_and_far(figure)
    heat = scene.heat and cells(scene.heat).copy()
    place = np.array([figure.state["query"] + 0.05, 3.0])
    figure.change_points("move", far, place)
    figure.change_points("add", place=(2.5, 1.0))
    figure.change_points("remove", near if near < far else near - 1)
    data = settled(figure).data
    assert len(data.keys) == 50 and np.all(np.diff(data.keys) >= 0)
    np.testing.assert_array_equal(np.column_stack([data.keys, data.values])[np.argsort(data.values)],
                                  figure.sample_points.places[np.argsort(figure.sample_points.places[:, 1])])
    width = figure.state[next(name for name in ("h", "sigma") if name in figure.state)]
    assert_drawn(scene.fit.curve, lambda x: nwlab.nadaraya_watson(x, data.keys, data.values, bandwidth=width))
    np.testing.assert_array_equal(np.sort(scene.fit.dots.get_offsets().data, axis=0),
                                  np.sort(figure.sample_points.places, axis=0))
    if heat is not None:
        expected = nwlab.attention_weights(data.queries, data.keys, bandwidth=width)
        np.testing.assert_allclose(cells(scene.heat), expected, atol=1e-12)
        assert not np.array_equal(cells(scene.heat), heat)


def test_undo_and_reset_give_back_what_was_there_to_the_bit(figure):
    first, seen, dice = figure.sample_points.places, [], np.random.default_rng(3)
    for kind in ("move", "add", "remove", "move"):
        seen.append((figure.sample_points.places, looks(figure)))
        for step in range(3):                           # one gesture, of which the last change counts
            point, place = int(dice.integers(40)), dice.uniform(0.5, 4.5, 2)
            figure.change_points(kind, point, place, begins=step == 0)
    assert len(figure.sample_points.past) == 4 and len(figure.sample_points.places) == 50
    for places, look in seen[::-1]:
        assert looks(figure) != look
        figure.change_points("undo")
        assert figure.sample_points.places is places and looks(figure) == look
    figure.change_points("undo")                        # nothing is left to undo
    assert figure.sample_points.places is first
    figure.change_points("remove", 0)
    figure.reset()
    assert figure.sample_points.places is first and not figure.sample_points.past


def test_limits_stay_while_a_point_is_moved_and_another_sample_has_its_own_points(figure):
    limits = [(panel.get_xlim(), panel.get_ylim()) for name, panel in settled(figure).panels.items()
              if name in ("fit", "curve")]
    figure.change_points("move", 3, (4.9, 4.0))
    assert limits == [(panel.get_xlim(), panel.get_ylim()) for name, panel in settled(figure).panels.items()
                      if name in ("fit", "curve")]
    figure.set(seed=1)
    assert not figure.sample_points.past
    data = nwlab.make_regression(seed=1)
    np.testing.assert_array_equal(figure.sample_points.places, np.column_stack([data.keys, data.values]))


def test_one_point_stays_and_what_cannot_be_is_named():
    figure = explore.width(nwlab.from_arrays([1.0, 2.0], [0.0, 1.0]))
    for _ in range(2):
        figure.change_points("remove", 0)
    assert figure.sample_points.places.tolist() == [[2.0, 1.0]] and "not defined" in figure.sentence
    for change, message in ((("move", 1, (0, 0)), "point: got 1, expected a number from 0 to 0"),
                            (("move", 0, (np.nan, 0)), "place: got"), (("turn",), "kind: got 'turn', expected")):
        with pytest.raises(ValueError, match=message):
            figure.change_points(*change)
    figure.close()


def test_the_page_gets_an_answer_to_each_change_and_prepared_frames_are_forgotten():
    figure, sent = explore.width(), []
    figure.frames.send = lambda message, buffers=(): sent.append(message)
    figure.hear({"type": "ready", "width": 900, "ratio": 1.0})
    figure.frames.known["a state that was prepared"] = []
    place = figure.sample_points.places[7] + (0, 1)
    figure.hear({"type": "points", "id": 1, "change": ["move", 7, place.tolist(), True],
                 "state": figure.get_state([*figure.state]) | {"sigma": 0.3}})
    frames, effects = sent[-2:]
    assert (frames["type"], frames["answered"], frames["clear"], frames["now"]) == ("frames", 1, "frames", True)
    assert [*effects] == ["type", "movable"] and effects["movable"]["places"][7] == place.tolist()
    assert len(figure.frames.known) == 1 and effects["movable"]["moved"] and figure.sigma == 0.3
    with pytest.raises(ValueError, match="point: got 99"):
        figure.hear({"type": "points", "id": 2, "change": ["remove", 99, None, True], "state": {}})
    assert [message["answered"] for message in sent if message["type"] == "frames"][-1] == 2
    figure.hear({"type": "points", "id": 1, "change": ["undo", -1, None, True], "state": {}})       # of another view
    assert figure.frames.answered == 2
    figure.close()
