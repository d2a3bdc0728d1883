"""Points of a figure that a reader moves, adds and removes by hand, and takes back."""
import numpy as np


class Points:
    """Places (k, 2) in data coordinates. A point keeps its number when points move. Arrays are replaced, never changed.

    `past` has the places before each gesture. Each change of a gesture applies to the places at its beginning, so that
    changes in between may be left out, and `undo` takes the whole gesture back.
    """

    def __init__(self, places: np.ndarray):
        self.places, self.past = np.array(places, float), []

    def change(self, kind: str, point: int = -1, place=None, begins: bool = True) -> None:
        """kind: "move" a point to a place, "add" one there, "remove" a point, "undo" a gesture; the last point stays.

        begins: this is the first change of a gesture. ValueError for an unknown kind, point or place.
        """
        if kind == "undo":
            if self.past:
                self.places = self.past.pop()
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
            raise ValueError(f"kind: got {kind!r}, expected 'move', 'add', 'remove' or 'undo'")
        if begins or not self.past:
            self.past.append(before)
        self.places = after

    def reset(self) -> None:
        """Back to the places before the first gesture."""
        if self.past:
            self.places, self.past = self.past[0], []
