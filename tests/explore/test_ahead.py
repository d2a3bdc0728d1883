"""What is prepared while a figure rests: the same frames that the controls would bring, and what the hand would do."""
import asyncio

import numpy as np
import pytest
from live_figures import make, settled

from nwlab import explore
from workbook.figures import ahead, controls as settings


@pytest.fixture(scope="module", params=[name for name in explore.__all__ if name not in explore.MEASURED])
def opened(request):
    """A figure of its own, which a page has opened; `sent` is what the page got."""
    figure = make(request.param)
    figure.sent = []
    figure.canvas.send = lambda message, buffers=(): figure.sent.append(message)
    figure.canvas._receive(None, {"type": "ready", "width": 900, "ratio": 1.0}, [])
    return figure


@pytest.fixture
def figure(opened):
    opened.reset()
    opened.canvas._receive(None, {"type": "painted"}, [])
    opened.sent.clear()
    return opened


def walk(figure):
    """Some of the states that are prepared, (key, state) each: the nearest and the furthest of each control."""
    states = list(figure._ahead.states())
    return states[:3] + states[-2:]


def test_it_prepares_what_the_controls_would_bring(figure):
    assert figure._ahead.walked, "no control of this figure is prepared"
    prepared = {key: figure.frame_of(state) for key, state in walk(figure)}
    for key, state in walk(figure):
        figure.set(**{name: value for name, value in state.items() if name in figure.controls})
        assert figure._which() == (key, True)
        figure._pending = True
        settled(figure)
        assert figure.canvas.record() == prepared[key]


def test_states_go_outward_from_here_and_none_comes_twice(figure):
    first, *_ = figure._ahead.walked
    figure._ahead.last = other = figure._ahead.walked[-1]
    assert figure._ahead.walked[0] == other and set(figure._ahead.walked) >= {first, other}
    states = list(figure._ahead.states())
    count = len(settings.values(figure.controls[other]))
    here = settings.position(figure.controls[other])
    place = figure._named.index(other)
    away = [int(key.split(",")[place]) - here for key, _ in states[:count]]
    first = [each for each in away if abs(each) <= ahead.NEAR or each % ahead.COARSE == 0]
    rest = [each for each in away if each not in first]
    assert away == first + rest
    for some in (first, rest):
        assert some == sorted(each for each in some if each >= 0) + sorted((each for each in some if each < 0), key=abs)
    assert len({key for key, _ in states[:count]}) == count
    figure._ahead.last = None


def test_a_state_that_is_prepared_leaves_the_figure_as_it_was(figure):
    before, said, state = figure.canvas.pixels().copy(), figure.sentence, figure.state
    for _, other in walk(figure):
        figure.frame_of(other)
    assert figure.state == state and figure.sentence == said
    np.testing.assert_array_equal(figure.canvas.pixels(), before)


def test_what_looks_the_same_is_stored_once(figure):
    settled(figure)
    one = figure.canvas.record()
    size = figure.canvas.tracks.size
    figure.canvas.changed_background()
    assert figure.canvas.record() == one and figure.canvas.tracks.size == size


def test_what_was_kept_of_a_state_is_what_would_be_drawn(figure):
    states = list(figure._ahead.states())[::40]
    kept = [figure.frame_of(state) for _, state in states + states[::-1]]
    assert kept == kept[::-1]
    for (_, state), frame in zip(states, kept):
        figure.canvas._recorder.latest.clear()
        assert figure.frame_of(state) == frame


def test_the_page_is_told_what_the_hand_does(figure):
    """As the scene itself answers, for places in the middle of each panel and for every key."""
    figure._ahead.sent_hands = None
    figure._ahead._say_hands()
    hands, = (message for message in figure.sent if message["type"] == "hands")
    state, height = figure.state, figure.scene.figure.bbox.height
    panels = {name: panel for name, panel in figure.scene.panels.items() if panel.get_visible()}
    for told in hands["panels"]:
        left, top, right, bottom = told["box"]
        name, panel = next((name, panel) for name, panel in panels.items()
                           if abs(panel.bbox.x0 - left) < 1e-6 and abs(height - panel.bbox.y1 - top) < 1e-6)
        for share in (0.0, 0.37, 1.0):
            x, y = left + share * (right - left), top + share * (bottom - top)
            at = panel.transData.inverted().transform((x, height - y))
            figure.set(**figure.scene.dragged(name, *map(float, at), state))
            positions = told["positions"][round(share * (len(told["positions"]) - 1))]
            moved = [settings.position(figure.controls[control]) for control in told["names"]]
            assert np.max(np.abs(np.subtract(moved, positions))) <= 1, "off by more than the pixel beside it"
    figure.reset()
    assert set(hands["keys"]) == set(figure.scene.keys), "each key can be followed without asking"
    for key, way in hands["keys"].items():
        figure.reset()
        here = settings.position(figure.controls[way["name"]])
        figure._key(key)
        assert settings.position(figure.controls[way["name"]]) == way["next"][here]
    figure.reset()
    assert all(settings.position(figure.controls[name]) == at for name, at in hands["others"].items())


def test_a_background_that_returns_is_drawn_once():
    figure = make("width")
    looks = []
    for sigma in (0.25, 0.02, 0.25):                    # the stems have another scale in between
        figure.set(sigma=sigma)
        settled(figure)
        before = len(figure.canvas.tracks.numbers)
        looks.append(figure.canvas.record()[0])
    assert looks[0] == looks[2] != looks[1] and len(figure.canvas.tracks.numbers) == before


def test_while_the_page_rests_it_is_supplied_and_a_change_ends_that():
    async def rest():
        here, figure, sent = len(asyncio.all_tasks()), make("width"), []
        figure.canvas.send = lambda message, buffers=(): sent.append(message)
        figure.canvas._receive(None, {"type": "ready", "width": 900, "ratio": 1.0}, [])
        turn = figure._ahead.turn
        while len(figure.canvas.known) < 30:
            figure.canvas._receive(None, {"type": "painted"}, [])
            await asyncio.sleep(0.001)
        keys = [key for message in sent if message["type"] == "frames" for key in message["frames"]]
        assert len(keys) == len(set(keys)) and sum(message["type"] == "hands" for message in sent) == 1
        figure.set(sigma=1.0)
        assert figure._ahead.turn != turn and figure._ahead.last == "sigma"
        figure.close()
        while len(asyncio.all_tasks()) > here:
            await asyncio.sleep(0.001)

    asyncio.run(asyncio.wait_for(rest(), 300))
