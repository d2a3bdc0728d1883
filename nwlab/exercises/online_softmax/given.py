"""The keys that are handed to a student's function. Where a class is graded, the sandbox sees this file."""
import numpy as np


class Keys(np.ndarray):
    """An array that notes how often a reader comes back to its entries: noted["visits"], of the one in the middle.

    A look is a slice, or an array that goes into a computation; the two are counted apart. Looks at the same entries
    in a row are one visit, and a look at more than half of all is none. What is computed is a plain array.
    """

    def __new__(cls, keys):
        self = np.array(keys).view(cls)
        self.entries = np.sort(keys)
        self.visits = {look: np.zeros(len(keys), int) for look in ("sliced", "computed")}
        self.last = dict.fromkeys(self.visits, np.array([], int))
        return self

    def __array_finalize__(self, whole):
        vars(self).update(getattr(whole, "__dict__", {}))

    def __getitem__(self, index):
        part = super().__getitem__(index)
        self._looked_at(part, "sliced")
        return part

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        for part in inputs:
            if isinstance(part, Keys):
                self._looked_at(part, "computed")
        if "out" in options:
            options["out"] = tuple(map(_plain, options["out"]))
        return getattr(ufunc, method)(*map(_plain, inputs), **options)

    def _looked_at(self, part, look):
        entries = np.ravel(_plain(part))
        if 2 * len(entries) <= len(self.entries):
            places = np.searchsorted(self.entries, entries)
            new = np.setdiff1d(places, self.last[look])
            self.visits[look][new] += 1
            self.last[look] = np.union1d(places, self.last[look]) if len(new) < len(places) else places

    @property
    def noted(self) -> dict:
        return {"visits": max(int(np.median(visits)) for visits in self.visits.values())}


def _plain(x):
    return x.view(np.ndarray) if isinstance(x, Keys) else x
