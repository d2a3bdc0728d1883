"""Points of a figure that readers move, add and remove, with undo."""
import numpy as np


class Points:
    """`places` (k, 2) in data coordinates: an array that is replaced, never changed. A moved point keeps its index.

    A gesture, such as a drag, is a series of changes. Each of them applies to the places before the gesture, so changes
    in between may be left out. `past` has the places before each gesture, to which `undo` goes back.
    """

    def __init__(self, places: np.ndarray):
        self.places, self.past = np.array(places, float), []

    def change(self, kind: str, point: int = -1, place=None, begins: bool = True) -> None:
        """kind: "move" a point to a place, "add" one there, "remove" a point (never the last one), "undo" a gesture, or
        "reset", back to the places before the first gesture.

        begins: whether this is the first change of a gesture. ValueError for an unknown kind, point or place.
        """
        if kind in ("undo", "reset"):
            if self.past:
                self.places = self.past.pop() if kind == "undo" else self.past[0]
            if kind == "reset":
                self.past = []
            return
        before = self.places if begins or not self.past else self.past[-1]
        if kind in ("move", "remove") and not 0 <= point < len(before):
            raise ValueError(f"point: got {point!r}, expected a number from 0 to {len(before) - 1}")
        if kind in ("move", "add") and not (np.shape(place) == (2,) and np.all(np.isfinite(place))):
            raise ValueError(f"place: got {place!r}, expected two finite numbers")
        if kind == "move":
            after = np.array(before)
            after[point] = place
        elif kind == "add":
            after = np.vstack([before, place])
        elif kind == "remove":
            after = np.delete(before, point, axis=0) if len(before) > 1 else before
        else:
            raise ValueError(f"kind: got {kind!r}, expected 'move', 'add', 'remove', 'undo' or 'reset'")
        if begins or not self.past:
            self.past.append(before)
        self.places = after
