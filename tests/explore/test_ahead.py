"""What is prepared while a figure rests: the same frames that the controls would bring, and what the hand would do."""
import asyncio

import numpy as np
import pytest
from live_figures import make, pixels, settled

from nwlab import explore
from workbook.figures import ahead, controls as settings


@pytest.fixture(scope="module", params=[name for name in explore.__all__ if name not in explore.MEASURED])
def opened(request):
    """A figure of its own, which a page has opened."""
    figure = make(request.param)
    figure.canvas.send = lambda message, buffers=(): None
    figure.hear({"type": "ready", "width": 900, "ratio": 1.0})
    return figure


@pytest.fixture
def figure(opened):
    opened.reset()
    opened.hear({"type": "painted"})
    return opened


def walk(figure):
    """Some of the states that are prepared, (key, state) each: the nearest and the furthest of each control."""
    states = list(figure.ahead.states())
    return states[:3] + states[-2:]


def test_it_prepares_what_the_controls_would_bring_and_leaves_the_figure_as_it_was(figure):
    assert figure.ahead.walked, "no control of this figure is prepared"
    before, sentence, start = pixels(figure), figure.sentence, figure.state
    prepared = {key: figure.frame_of(state) for key, state in walk(figure)}
    assert figure.state == start and figure.sentence == sentence
    for key, state in walk(figure):
        figure.set(**state)
        assert ",".join(map(str, figure.positions.values())) == key
        assert figure.frame_of(figure.state) == prepared[key]
    figure.reset()
    np.testing.assert_array_equal(pixels(figure), before)


def test_states_go_outward_from_here_and_none_comes_twice(figure):
    figure.ahead.last = other = figure.ahead.walked[-1]
    assert figure.ahead.walked[0] == other
    states = list(figure.ahead.states())
    count, here = len(figure.options[other]), figure.positions[other]
    place = [*figure.options].index(other)
    away = [int(key.split(",")[place]) - here for key, _ in states[:count]]
    first = [each for each in away if abs(each) <= ahead.NEAR or each % ahead.COARSE == 0]
    assert away == first + [each for each in away if each not in first]
    assert [abs(each) for each in first if each >= 0] == sorted(abs(each) for each in first if each >= 0)
    assert len({key for key, _ in states[:count]}) == count
    figure.ahead.last = None


def test_what_was_kept_of_a_state_is_what_would_be_drawn(figure):
    states = [state for _, state in figure.ahead.states()][::40]
    kept, catalogue = [figure.frame_of(state) for state in states], figure.camera.catalogue
    assert [figure.frame_of(state) for state in states[::-1]] == kept[::-1]
    size = catalogue.size
    for state, frame in zip(states, kept):
        figure.camera.pixels()                          # after which everything is written down anew
        assert figure.frame_of(state) == frame
    assert catalogue.size == size, "what looks the same is stored once"


def test_every_control_that_a_hand_moves_follows_it(figure):
    """Each place leads to its own option, and each key goes back where the other came from."""
    hands = figure.hands(figure.state)
    assert hands["panels"] and set(hands["keys"]) == set(figure.scene.keys)
    for panel in hands["panels"]:
        name, *others = panel["names"]
        count = len(figure.options[name])
        for i in (0, count // 3, count - 1):
            left, top, right, bottom = panel["box"]
            figure.point("down", (left + right) / 2, (top + bottom) / 2)
            x, y = ((panel[axis] or [0.0] * count)[i] for axis in "xy")
            figure.point("move", x, y)
            at = figure.positions[name]
            apart = [abs(panel[axis][at] - panel[axis][i]) for axis in "xy" if panel[axis]]
            assert max(apart) < 0.2, "it leads elsewhere"
            assert [figure.positions[other] for other in others] == panel["also"]
        figure.reset()
    (back, one), (forth, other) = hands["keys"].items()
    here = settings.position(figure.controls[one["name"]])
    for key in (forth, back) if other["next"][here] != here else (back, forth):
        figure.press(key)
    assert settings.position(figure.controls[one["name"]]) == here


def test_while_the_page_rests_it_is_supplied_and_a_change_ends_that():
    async def rest():
        here, figure, sent = len(asyncio.all_tasks()), make("width"), []
        figure.canvas.send = lambda message, buffers=(): sent.append(message)
        figure.hear({"type": "ready", "width": 900, "ratio": 1.0})
        turn = figure.ahead.turn
        while len(figure.canvas.known) < 30:
            figure.hear({"type": "painted"})
            await asyncio.sleep(0.001)
        keys = [key for message in sent if message["type"] == "frames" for key in message["frames"]]
        assert len(keys) == len(set(keys)) and sum(message["type"] == "hands" for message in sent) == 1
        figure.set(sigma=1.0)
        assert figure.ahead.turn != turn and figure.ahead.last == "sigma"
        figure.close()
        while len(asyncio.all_tasks()) > here:
            await asyncio.sleep(0.001)

    asyncio.run(asyncio.wait_for(rest(), 300))


def test_a_background_that_returns_is_drawn_once():
    figure, looks = make("width"), []
    for sigma in (0.25, 0.02, 0.25):                    # the stems have another scale in between
        before = len(figure.camera.catalogue.numbers)
        looks.append(figure.frame_of({**figure.state, "sigma": sigma})[0])
    assert looks[0] == looks[2] != looks[1] and len(figure.camera.catalogue.numbers) == before
    assert settled(figure)
