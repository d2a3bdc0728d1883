"""What drags and keys do in a live figure, described so that the page can do it without asking Python."""
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Drag:
    """A drag or click in a panel moves a control to the option whose place is nearest to the pointer.

    x, y: functions that map the options (k,) to their places in the panel's data coordinates, k of them or, if each
    option has several, a multiple of k. None: distance in this direction does not count.
    """

    control: str
    x: Callable[[np.ndarray], np.ndarray] | None = None
    y: Callable[[np.ndarray], np.ndarray] | None = None


def interactions(scene, options: dict[str, list]) -> dict:
    """What each drag and each key does: {panels: [...], keys: {...}, movable: ...}, in pixels from the upper left.

    A panel has a `name`, a `box`, the `control` that drags in it move, the `count` of that control's options, and `x`
    or `y` or both, the places of these options. A key has the `name` of its control, and for each position of the
    control the `next` one. `movable` has the `box` of the panel with points to move, their `places` in data
    coordinates, the map from data to pixels, `origin` and `unit`, across and down, and whether they have been `moved`;
    it is None where no points can be moved.
    """
    count = len(options.get(scene.keyed, ()))
    steps = zip(scene.keys, (-1, 1)) if count else ()
    keys = {key: {"name": scene.keyed, "next": scene.step(np.arange(count), by).tolist()} for key, by in steps}
    panels = [_panel(scene, name, drag, options) for name, drag in scene.drags().items() if name in scene.panels]
    return {"panels": panels, "keys": keys,
            "movable": _movable(scene.panels[scene.movable], scene.sample.points) if scene.movable else None}


def _movable(panel, points) -> dict:
    origin, corner = _from_top(panel, [(0.0, 0.0), (1.0, 1.0)])
    return {"box": _box(panel), "origin": origin.tolist(), "unit": (corner - origin).tolist(),
            "places": points.places.tolist(), "moved": bool(points.past)}


def _from_top(panel, places) -> np.ndarray:
    """Places (n, 2) of a panel in pixels from the upper left."""
    return panel.transData.transform(places) * (1, -1) + (0, panel.figure.bbox.height)


def _box(panel) -> list[float]:
    box, height = panel.bbox, panel.figure.bbox.height
    return [float(each) for each in (box.x0, height - box.y1, box.x1, height - box.y0)]


def _panel(scene, name: str, drag: Drag, options: dict[str, list]) -> dict:
    panel, values = scene.panels[name], np.asarray(options[drag.control])
    x = drag.x(values) if drag.x else panel.get_xlim()[0]
    y = drag.y(values) if drag.y else panel.get_ylim()[0]
    across, down = _from_top(panel, np.column_stack(np.broadcast_arrays(x, y))).round(1).T
    return {"name": name, "box": _box(panel), "control": drag.control, "count": len(values),
            "x": across.tolist() if drag.x else None, "y": down.tolist() if drag.y else None}
