"""The keys that are handed to a student's function. Where a class is graded, the sandbox sees this file."""
import numpy as np


class Keys(np.ndarray):
    """An array that notes the first entry of each part of it that goes into a computation. The result is a plain array.

    noted: {"begins": entries}, where one that comes several times in a row counts once.
    """

    def __new__(cls, keys):
        return keys.view(cls)

    def __array_finalize__(self, whole):
        self.noted = getattr(whole, "noted", {"begins": []})        # the one list of all parts

    def __array_wrap__(self, result, context=None, return_scalar=False):
        begins = self.noted["begins"]
        begins += [entry for entry in self.ravel()[:1].tolist() if [entry] != begins[-1:]]
        return result[()] if return_scalar else result
