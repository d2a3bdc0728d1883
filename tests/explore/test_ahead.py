"""The frames that are prepared while a figure rests; and what keys do."""
import asyncio
import itertools

import numpy as np
import pytest
from live_figures import make, pixels, press_key, shared, until

from workbook import explore
from workbook.figures import live

NAMES = [name for name in explore.__all__ if name not in explore.MEASURED]


@pytest.mark.parametrize("name", NAMES)
def test_it_prepares_what_the_controls_would_bring_and_leaves_the_figure_as_it_was(name):
    figure = shared(name)
    before, sentence, start, states = pixels(figure), figure.sentence, figure.state, list(figure.neighbours())
    ends = itertools.accumulate(len(figure.options[control]) for control in figure.prepared)
    some = states[:1] + [states[end - 1] for end in ends]       # the nearest one, and the farthest along each control
    prepared = {key: figure.frame_of(state) for key, state in some}
    assert figure.state == start and figure.sentence == sentence
    size = figure.camera.catalogue.size
    for key, state in some[::-1]:
        figure.camera.pixels()                          # afterwards everything is recorded again
        figure.set(**state)
        assert ",".join(map(str, figure.positions.values())) == key
        assert figure.frame_of(figure.state) == prepared[key]
    assert figure.camera.catalogue.size == size, "what looks the same is stored once"
    figure.reset()
    np.testing.assert_array_equal(pixels(figure), before)


def test_the_nearest_states_come_first_and_none_comes_twice():
    figure = make("width")
    figure.set(query=figure.options["query"][30])
    assert figure.prepared[0] == "query", "the control that was moved last"
    count, place = len(figure.options["query"]), [*figure.options].index("query")
    keys = [key for key, _ in figure.neighbours()][:count]
    away = [int(key.split(",")[place]) - 30 for key in keys]
    first = [steps for steps in away if abs(steps) <= live.NEAR or steps % live.COARSE == 0]
    assert away == first + [steps for steps in away if steps not in first] and len(set(keys)) == count
    assert [steps for steps in first if steps >= 0] == sorted(steps for steps in first if steps >= 0)
    figure.close()


@pytest.mark.parametrize("name", NAMES)
def test_keys_go_back_and_forth(name):
    figure = shared(name)
    keys = figure.interactions(figure.state)["keys"]
    assert [*keys] == [*figure.scene.keys]
    (back, effect), (forth, other) = keys.items()
    here = figure.positions[effect["name"]]
    away, again = (press_key(figure, key) or figure.positions[effect["name"]]
                   for key in ((forth, back) if other["next"][here] != here else (back, forth)))
    assert away != here == again


@pytest.mark.anyio
async def test_while_the_page_rests_it_is_supplied_and_a_change_ends_that():
    before, figure, sent = asyncio.all_tasks(), make("width"), []
    figure.frames.send = lambda message, buffers=(): sent.append(message)
    figure.hear({"type": "ready", "width": 900, "ratio": 1.0})
    await until(lambda: len(figure.frames.known) >= 30, figure)
    keys = [key for message in sent if message["type"] == "frames" for key in message["frames"]]
    assert len(keys) == len(set(keys)) and sum(message["type"] == "interactions" for message in sent) == 1
    figure.set(sigma=1.0)
    assert figure.prepared[0] == "sigma" and sent[-1]["type"] == "frames"
    figure.close()
    await until(lambda: asyncio.all_tasks() == before)
