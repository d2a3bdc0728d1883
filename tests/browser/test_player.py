"""The page draws what Matplotlib would: each live figure in random states, pixel by pixel, without a kernel."""
import base64
import os

import numpy as np
import pytest
from jupyter_page import result_of
from live_figures import apart, make, pixels

from workbook import explore
from workbook.figures.scripts import HERE

STATES = int(os.environ.get("NWLAB_STATES", "2"))          # 40 of all figures where a change of the player is judged
SOME = ["borders", "heatmap", "kernels", "landscape", "morph", "two_classes", "width"]      # of each kind of artist
NAMES = explore.__all__ if STATES > 2 else SOME
PAGE = """
const canvas = document.querySelector("canvas"), player = new Player(canvas);
window.draw = (message, bytes) => {
  player.clear(message.clear);
  player.learn(message.news, Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0)));
  [canvas.width, canvas.height] = [message.width, message.height];
  const frame = Object.values(message.frames)[0];
  player.draw(frame);
  return [canvas.toDataURL(), player.sentence(frame)];
};
"""


@pytest.fixture(scope="module")
def page(jupyterlab):
    """An empty page with nothing but the player."""
    page = jupyterlab.another()
    page.set_content("<canvas></canvas>")
    page.add_script_tag(content=(HERE / "player.js").read_text(encoding="utf-8") + PAGE)
    return page


def random_states(figure):
    """As many changes of one to three controls each; none behind which a simulation or a training stands."""
    dice = np.random.default_rng(0)
    names = [name for name in figure.options if name not in ("seeds", "d", "pooling", "points", "leave_one_out", "n")]
    yield {}
    for _ in range(STATES - 1):
        chosen = dice.choice(names, size=min(3, len(names)), replace=False)
        yield {name: figure.options[name][dice.integers(len(figure.options[name]))] for name in chosen}


@pytest.mark.parametrize("name", NAMES)
def test_the_player_draws_what_matplotlib_draws(page, name):
    figure, sent = make(name), []
    figure.lay_out(900)
    figure.frames.send = lambda message, buffers=(): sent.append([message, base64.b64encode(*buffers).decode()])
    for change in random_states(figure):
        figure.set(**change)
        assert figure.sentence                          # and any work is done
        figure.frames.supply({"": figure.frame_of(figure.state)}, now=True)
        picture, sentence = result_of(page, "([message, bytes]) => window.draw(message, bytes)", sent.pop())
        assert sentence == figure.sentence_html
        mean, blocks = apart(picture, pixels(figure))
        assert mean < 2, f"{mean:.2f} of 255 apart in {figure.state}"
        assert blocks.max() < 60, f"something is missing near {np.argwhere(blocks >= 60)[0] * 12} in {figure.state}"
    figure.close()
