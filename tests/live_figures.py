"""What tests of live figures share: each figure made once, its buttons, and whether anything is cut off or overlaps."""
from itertools import combinations

import ipywidgets
import numpy as np
from matplotlib.collections import PathCollection
from matplotlib.text import Text

from nwlab import explore

_made = {}


def make(name: str, **arguments):
    """The live figure of that name; a training in it is short."""
    return getattr(explore, name)(**({"steps": 20} if name == "zoo" else {}), **arguments)


def shared(name: str):
    """The live figure of that name, made once for all tests, as it was when it was new, 900 pixels wide."""
    if name not in _made:
        _made[name] = make(name)
    _made[name].reset()
    place(_made[name], 900)
    return _made[name]


def place(explorer, width: int) -> None:
    if explorer.scene.figure.bbox.width != width:
        explorer.scene.place(width)
        explorer.canvas.redraw()


def settled(figure):
    """The figure's scene, with its artists up to the state, but not drawn, which costs most."""
    _ = figure.sentence
    return figure.scene


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


def buttons(explorer) -> dict[str, ipywidgets.Button]:
    return {child.description: child for box in explorer.children for child in getattr(box, "children", ())
            if isinstance(child, ipywidgets.Button)}


def press(explorer, name: str) -> None:
    """Click the button of that name, as a reader would."""
    buttons(explorer)[name].click()


def count_artists(explorer) -> int:
    """Artists in the figure, without the ticks, of which Matplotlib keeps as many as an axis ever needed."""
    return sum(len(panel.get_children()) for panel in (explorer.scene.figure, *explorer.scene.figure.axes))


def assert_nothing_outside_or_overlapping(explorer, width: int) -> None:
    """Laid out `width` pixels wide, no two panels overlap, and every word is whole and inside the figure."""
    place(explorer, width)
    assert explorer.sentence
    scene = explorer.scene
    scene.figure.get_tightbbox()                        # sets ticks, labels and titles where drawing would
    panels = [panel for panel in scene.panels.values() if panel.get_visible()]
    _assert_apart({panel.get_label(): panel.get_window_extent() for panel in panels}, width)
    edges, free = scene.figure.bbox.padded(0.5), {}
    for panel in panels:
        ticks = _tick_labels(panel)
        for text in panel.findobj(Text):
            if text.get_visible() and text.get_text().strip() and ticks.get(text, True):
                box = text.get_window_extent()
                assert edges.x0 <= box.x0 and box.x1 <= edges.x1 and edges.y0 <= box.y0 and box.y1 <= edges.y1, (
                    f"{text.get_text()!r} is cut off at {width} pixels: {box}")
                if text in ticks:
                    assert not box.overlaps(panel.yaxis.label.get_window_extent()), (
                        f"{text.get_text()!r} meets {panel.get_ylabel()!r} at {width} pixels")
                else:                                   # without the air above and below its letters
                    free[text.get_text(), id(text)] = box.padded(-1, -min(3, box.height / 3))
    _assert_apart(free, width)


def marks_cut_in_half(explorer) -> list[str]:
    """Marks, dots and handles whose middle is in their panel, and of which more than a pixel is cut off."""
    figure, cut = explorer.scene.figure, []
    for panel in explorer.scene.panels.values() if explorer.sentence else ():
        lines = [(line, line.get_transform(), line.get_xydata()[line.get_markevery() or slice(None)],
                  line.get_markersize()) for line in panel.lines if line.get_marker() not in ("None", "", None)]
        dots = [(each, each.get_offset_transform(), np.ma.filled(each.get_offsets(), np.nan), each.get_sizes() ** 0.5)
                for each in panel.collections if isinstance(each, PathCollection)]
        for artist, transform, places, sizes in lines + dots:
            middles, inside = transform.transform(places), panel.bbox.padded(0.01)
            reach = np.broadcast_to(sizes, len(middles)) * figure.dpi / 144 - 1
            room = artist.get_clip_box() if artist.get_clip_on() else figure.bbox
            if panel.get_visible() and artist.get_visible() and any(
                    inside.contains(x, y) and not (room.x0 <= x - r and x + r <= room.x1 and room.y0 <= y - r
                                                   and y + r <= room.y1) for (x, y), r in zip(middles, reach)):
                cut.append(f"{artist} of {panel.get_label()}")
    return cut


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
