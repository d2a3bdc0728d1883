"""The pooling that is handed to a student's function. Where a class is graded, the sandbox sees this file."""
import numpy as np

from workbook.language import say


def log_w(parameters):
    return parameters[2::7].sum(0) / 2          # of (24,) a number, of (24, s) an array (s,)


def scores_of(squares, parameters, library=np):
    """(m, n)"""
    return -0.5 * squares * library.exp(2 * log_w(parameters))


class HandedOver:
    """A pooling of ours, called as the text asks: (queries, keys, values, parameters, mask=None) -> (answers, weights).

    noted: its calls; at, with which parameters, each once; slopes, the sum of the gradient at each, 0 if there is none.
    """

    def __init__(self, _):
        self.noted, self.trained = {"calls": 0, "at": [], "slopes": []}, None

    def __call__(self, queries, keys, values, parameters, mask=None):
        import torch

        self.noted["calls"] += 1
        if (at := parameters.tolist()) not in self.noted["at"][-1:]:
            self.noted["at"].append(at)
            self.noted["slopes"].append(0.0)
        if parameters.requires_grad and parameters.is_leaf and parameters is not self.trained:
            self.trained = parameters
            parameters.register_hook(self._note_slope)
        squares = (queries[:, None] - keys[None, :]) ** 2                       # (m, n)
        scores = scores_of(squares, parameters, torch)
        if mask is not None:
            if mask.dtype != torch.bool:
                raise TypeError(say("the mask has dtype {dtype}, torch.bool was expected: True means may attend",
                                    dtype=mask.dtype))
            scores = scores.masked_fill(~mask, -torch.inf)
        shares = torch.softmax(scores, dim=1)
        return shares @ values, shares

    def _note_slope(self, gradient):
        self.noted["slopes"][-1] += gradient.sum().item()       # a loss may go backward in parts
