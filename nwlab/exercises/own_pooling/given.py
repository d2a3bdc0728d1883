"""The poolings that are handed to a student's function. Where a class is graded, the sandbox sees this file."""
import numpy as np

GAUSSIAN, RATIONAL = "a Gaussian, w = exp(parameters[0])", "1 / (1 + (u w)²), w = exp(parameters[1])"


def scores_of(kind, squares, parameters, library=np):
    """(m, n)"""
    if kind == GAUSSIAN:
        return -0.5 * squares * library.exp(2 * parameters[0])
    return -library.log1p(squares * library.exp(2 * parameters[1]))


class HandedOver:
    """A pooling of ours, called as the text asks: (queries, keys, values, parameters, mask=None) -> (answers, weights).

    noted: how often it was asked, the dtype of a mask that was not torch.bool, and whether a point attended to itself.
    """

    def __init__(self, kind: str):
        self.kind, self.noted = kind, {"asked": 0, "mask": "", "itself": False}

    def __call__(self, queries, keys, values, parameters, mask=None):
        import torch

        self.noted["asked"] += 1
        squares = (queries[:, None] - keys[None, :]) ** 2                       # (m, n)
        scores = scores_of(self.kind, squares, parameters, torch)
        if mask is not None:
            dtype = getattr(mask, "dtype", type(mask).__name__)
            self.noted["mask"] = self.noted["mask"] if dtype == torch.bool else str(dtype)
            scores = scores.masked_fill(~torch.as_tensor(mask).bool(), -torch.inf)
        self.noted["itself"] |= bool(torch.any((squares == 0) & (scores == 0)))
        shares = torch.softmax(scores, dim=1)
        return shares @ values, shares
