"""What tests of live figures share: figures made once, their buttons, and whether anything is cut off or overlaps."""
import asyncio
import base64
import io
from itertools import combinations

import numpy as np
from matplotlib.text import Text
from PIL import Image

import nwlab
from workbook import explore

_made = {}


def make(name: str, **arguments):
    """The live figure of that name; its training, if any, is short."""
    if name == "zoo":
        arguments["steps"] = 20
    return getattr(explore, name)(**arguments)


def shared(name: str):
    """The live figure of that name, made once for all tests, as it was when it was new, 900 pixels wide."""
    if name not in _made:
        _made[name] = make(name)
    figure = _made[name]
    figure.reset()
    if figure.scene.figure.bbox.width != 900:
        figure.lay_out(900)
    return figure


def settled(figure):
    """The figure's scene, with its artists set to the state, but without drawing them, which is slow."""
    _ = figure.sentence                                 # asking for it updates the artists
    return figure.scene


def pixels(figure) -> np.ndarray:
    """The figure as it is now, (height, width, 4)."""
    settled(figure)
    return figure.camera.pixels().copy()


def decoded(canvas_url: str) -> np.ndarray:
    """The pixels (height, width, 3) of a canvas, of which this is the data URL."""
    picture = Image.open(io.BytesIO(base64.b64decode(canvas_url.split(",")[1])))
    return np.asarray(picture.convert("RGB"), dtype=float)


def apart(canvas_url: str, expected: np.ndarray) -> tuple[float, np.ndarray]:
    """How far a canvas, as a data URL, is from pixels (height, width, 4), of 255: on average, and by blocks of 12."""
    by_pixel = np.abs(decoded(canvas_url) - expected[..., :3]).mean(axis=2)
    rows, columns = (side // 12 * 12 for side in by_pixel.shape)
    blocks = by_pixel[:rows, :columns].reshape(rows // 12, 12, columns // 12, 12).mean(axis=(1, 3))
    return by_pixel.mean(), blocks


def cells(heat) -> np.ndarray:
    """What a heatmap shows, (m, n); NaN where a query has no weights."""
    return np.ma.filled(heat.image.get_array().astype(float), np.nan)


def shown_weights(figure) -> np.ndarray:
    """What the figure's heatmap shows when it is settled, (m, n)."""
    return cells(settled(figure).heat)


def assert_drawn(line, function) -> None:
    """The line is that of y = function(x), wherever it is drawn."""
    x, y = line.get_data()
    np.testing.assert_allclose(y, function(x), rtol=1e-7, atol=1e-9)


def bands_that_hold(n: int, noise: float, seeds, sigma: float, times: float, kernel="gaussian") -> np.ndarray:
    """Whether the band of each sample, so many standard errors to both sides, holds the truth at each query (s, m)."""
    right = []
    for seed in seeds:
        data = nwlab.make_regression(n=n, noise=noise, seed=seed)
        weights = nwlab.attention_weights(data.queries, data.keys, kernel=kernel, bandwidth=sigma)
        half = times * noise / np.sqrt(nwlab.effective_keys(weights))
        right.append(np.abs(weights @ data.values - data.targets) <= half)
    return np.array(right)


def press(figure, name: str) -> None:
    """Set what the button of that name sets."""
    figure.reset() if name == "reset" else set_positions(figure, *zip(*figure.about["presets"][name].items()))


async def until(condition, figure=None) -> None:
    """Let the loop run, and acknowledge the figure's frames as the page would, until the condition holds."""
    async with asyncio.timeout(300):
        while not condition():
            await asyncio.sleep(0.002)
            if figure is not None:
                figure.hear({"type": "painted"})


def drag(figure, x: float, y: float) -> None:
    """Click or drag to this place, in pixels from the upper left, with the same data as the page."""
    for panel in figure.interactions(figure.state)["panels"]:
        left, top, right, bottom = panel["box"]
        if left <= x <= right and top <= y <= bottom:
            drag_in(figure, panel, x, y)


def drag_in(figure, panel: dict, x: float, y: float) -> None:
    """The same in this panel of `figure.interactions`, in which the drag began."""
    apart = sum((np.array(panel[axis]) - at) ** 2 for axis, at in (("x", x), ("y", y)) if panel[axis])
    set_positions(figure, [panel["control"]], [int(np.argmin(apart)) % panel["count"]])


def press_key(figure, key: str) -> None:
    """Press a key while the figure has the focus, with the same data as the page."""
    effect = figure.interactions(figure.state)["keys"][key]
    set_positions(figure, [effect["name"]], [effect["next"][figure.positions[effect["name"]]]])


def set_positions(figure, names, positions) -> None:
    figure.set(**{name: figure.options[name][position] for name, position in zip(names, positions)})


def assert_fits(figure, width: int) -> None:
    """Laid out `width` pixels wide, no two panels overlap, and every word is whole and inside the figure."""
    figure.lay_out(width)
    scene = settled(figure)
    scene.figure.get_tightbbox()                        # sets ticks, labels and titles where drawing would
    panels = [panel for panel in scene.panels.values() if panel.get_visible()]
    _assert_apart({panel.get_label(): panel.get_window_extent() for panel in panels}, width)
    edges, words = scene.figure.bbox.padded(0.5), {}
    for panel in panels:
        ticks = _tick_labels(panel)
        for text in panel.findobj(Text):
            if text.get_visible() and text.get_text().strip() and ticks.get(text, True):
                box = text.get_window_extent()
                assert edges.x0 <= box.x0 and box.x1 <= edges.x1 and edges.y0 <= box.y0 and box.y1 <= edges.y1, (
                    f"{text.get_text()!r} is cut off at {width} pixels: {box}")
                if text not in ticks:                   # without the space above and below its letters
                    words[text.get_text(), id(text)] = box.padded(-1, -min(3, box.height / 3))
                else:
                    assert not box.overlaps(panel.yaxis.label.get_window_extent()), f"{text} meets the axis' name"
    _assert_apart(words, width)


def _assert_apart(boxes: dict, width: int) -> None:
    for (one, a), (other, b) in combinations(boxes.items(), 2):
        assert not a.overlaps(b), f"{one!r} meets {other!r} at {width} pixels"


def _tick_labels(panel) -> dict[Text, bool]:
    """The tick labels of a panel, and which are drawn: Matplotlib keeps those beyond the limits, and of hidden axes."""
    labels = {}
    for axis, i in ((panel.xaxis, 0), (panel.yaxis, 1)):
        low, high = sorted(axis.get_view_interval())
        labels |= {text: panel.axison and low <= text.get_position()[i] <= high
                   for text in axis.get_ticklabels(which="both")}
    return labels
