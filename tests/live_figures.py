"""What tests of live figures share: press a preset, count artists, see whether anything is cut off or overlaps."""

from __future__ import annotations

from itertools import combinations

import ipywidgets
from matplotlib.text import Text


def press(explorer, name: str) -> None:
    """Click the button of that name, as a reader would."""
    buttons = [child for box in explorer.children for child in getattr(box, "children", ())
               if isinstance(child, ipywidgets.Button) and child.description == name]
    assert len(buttons) == 1, f"expected one button called {name!r}"
    buttons[0].click()


def count_artists(explorer) -> int:
    """Artists in the figure, without the ticks, of which Matplotlib keeps as many as an axis ever needed."""
    return sum(len(panel.get_children()) for panel in (explorer.scene.figure, *explorer.scene.figure.axes))


def assert_nothing_outside_or_overlapping(explorer, width: int) -> None:
    """Laid out `width` pixels wide, no two panels overlap, and every word is whole and inside the figure."""
    scene = explorer.scene
    scene.place(width)
    explorer.canvas.redraw()
    explorer.canvas.png()
    panels = [panel for panel in scene.panels.values() if panel.get_visible()]
    for one, other in combinations(panels, 2):
        a, b = one.get_window_extent(), other.get_window_extent()
        assert not a.overlaps(b), f"{one.get_label()} overlaps {other.get_label()} at {width} pixels"
    ticks = {text for panel in panels for text in _tick_labels(panel)}
    words = [text for panel in panels for text in panel.findobj(Text) if _is_seen(panel, text)]
    edges = scene.figure.bbox
    for text in words:
        box = text.get_window_extent()
        assert box.x0 >= -0.5 and box.x1 <= edges.x1 + 0.5 and box.y0 >= -0.5 and box.y1 <= edges.y1 + 0.5, (
            f"{text.get_text()!r} is cut off at {width} pixels: {box}")
    free = [text for text in words if text not in ticks]
    for one, other in combinations(free, 2):
        assert not _inner(one).overlaps(_inner(other)), f"{one.get_text()!r} meets {other.get_text()!r} at {width} pixels"


def _inner(text):
    """The box of a text without the air above and below its letters."""
    box = text.get_window_extent()
    return box.padded(-1, -min(3, box.height / 3))


def _tick_labels(panel) -> list[Text]:
    return [*panel.get_xticklabels(which="both"), *panel.get_yticklabels(which="both")]


def _is_seen(panel, text) -> bool:
    """Whether a text is drawn: Matplotlib keeps labels of ticks beyond the limits and of panels without axes."""
    if not text.get_visible() or not text.get_text().strip():
        return False
    if text not in _tick_labels(panel):
        return True
    if not panel.axison:
        return False
    x, y = text.get_position()
    (low_x, high_x), (low_y, high_y) = sorted(panel.get_xlim()), sorted(panel.get_ylim())
    across = text in panel.get_xticklabels(which="both")
    return low_x <= x <= high_x if across else low_y <= y <= high_y
