"""The page draws what Matplotlib would: each live figure in random states, pixel by pixel, without a kernel."""
import base64
import io
import os

import numpy as np
import pytest
from live_figures import make
from PIL import Image

from nwlab import explore
from workbook.figures import controls as settings
from workbook.figures.canvas import HERE

STATES = int(os.environ.get("NWLAB_STATES", "4"))          # 40 where a change of the player is judged
PAGE = """
const canvas = document.querySelector("canvas"), player = new Player(canvas);
window.draw = async (message, bytes) => {
  player.clear(message.clear);
  await player.learn(message.news, Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0)));
  [canvas.width, canvas.height] = [message.width, message.height];
  for (const frame of Object.values(message.frames)) {
    player.draw(frame);
    window.said = player.sentence(frame);
  }
  return [canvas.toDataURL(), window.said];
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
    names = [name for name in figure._named if name not in ("seeds", "d", "pooling", "points", "leave_one_out", "n")]
    yield {}
    for _ in range(STATES - 1):
        chosen = dice.choice(names, size=min(3, len(names)), replace=False)
        options = {name: settings.values(figure.controls[name]) for name in chosen}
        yield {name: values[dice.integers(len(values))] for name, values in options.items()}


@pytest.mark.parametrize("name", explore.__all__)
def test_the_player_draws_what_matplotlib_draws(page, name):
    figure, sent = make(name), []
    figure.canvas.at_rest = None
    figure.canvas.send = lambda message, buffers=(): sent.append((message, *buffers))
    figure.canvas._receive(None, {"type": "ready", "width": 900, "ratio": 1.0}, [])
    for change in random_states(figure):
        figure.canvas._waiting = False                  # as if the page had painted: the change is taken up at once
        figure.set(**change)
        if (work := figure.scene.work) is not None:
            work.stop()
            work.jobs.work_until(work.count)
        figure.canvas._waiting = False
        figure.show_again()
        for message, held in sent:
            picture, said = page.evaluate("([message, bytes]) => window.draw(message, bytes)",
                                          [message, base64.b64encode(held).decode()])
        sent.clear()
        assert said == figure.canvas.sentence
        drawn, meant = _pixels(base64.b64decode(picture.split(",")[1])), figure.canvas.pixels()[..., :3].astype(float)
        apart = np.abs(drawn - meant).mean(axis=2)
        assert apart.mean() < 2, f"{apart.mean():.2f} of 255 apart in {figure.state}"
        rows, columns = (side // 12 * 12 for side in apart.shape)
        blocks = apart[:rows, :columns].reshape(rows // 12, 12, columns // 12, 12).mean(axis=(1, 3))
        assert blocks.max() < 60, f"something is missing near {np.argwhere(blocks >= 60)[0] * 12} in {figure.state}"
    figure.close()


def _pixels(png: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB")).astype(float)
