"""What the attention zoo trains: which poolings, on which points, and one run. torch comes in when a run begins."""
import math
import warnings
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from nwlab.bandwidth import EdgeOfSearchWarning, select_bandwidth
from nwlab.data import RegressionData
from workbook.figures.background import Jobs
from nwlab.pooling import attention_weights

HIDDEN = 8                                              # rows of W_q and W_k
POOLINGS = {                            # name: (learning rate of Adam, how it is made for n keys and d features)
    "one width w": (0.2, lambda learned, n, d: learned.LearnedWidth()),
    "one width, as log w": (0.05, lambda learned, n, d: learned.LearnedLogWidth()),
    "a width per feature": (0.2, lambda learned, n, d: learned.FeatureWidths(d)),
    "a width per key": (0.2, lambda learned, n, d: learned.KeyWidths(n)),
    "additive": (0.05, lambda learned, n, d: learned.AdditiveAttention(d, HIDDEN)),
    "dot product": (0.1, lambda learned, n, d: learned.DotProductAttention("learned")),
    "projected dot product": (0.05, lambda learned, n, d: learned.ProjectedAttention(d, HIDDEN)),
}
POINTS = {"on a line": "line", "on a circle": "circle", "line + useless feature": "useless"}
ON_A_CIRCLE = {"dot product": 2.0, "projected dot product": 0.1}   # scores reach scale, not scale * 6: larger steps


class Split(NamedTuple):
    """Points to train on, and points held out, of which there may be none."""

    train: RegressionData
    held: RegressionData


class ZooPoints:
    """How a position x becomes a point with d features: centred, in fifths of the extent, which is half a circle."""

    def __init__(self, kind: str, keys: np.ndarray):
        self.kind, self.middle, self.unit = kind, float(keys.mean()), (float(np.ptp(keys)) or 1.0) / 5
        self.features = 1 if kind == "line" else 2
        self.along = self.unit * (5 / math.pi if kind == "circle" else 1.0)     # one unit of the points, in x

    def place(self, x, seed: int | None = None) -> np.ndarray:
        """(m,) -> (m, d). The useless feature is noise drawn with `seed`, or 0, its middle, for None."""
        z = (np.asarray(x, dtype=float) - self.middle) / self.unit
        if self.kind == "line":
            return z[:, None]
        if self.kind == "circle":
            return np.column_stack([np.cos(z * math.pi / 5), np.sin(z * math.pi / 5)])
        other = np.zeros(len(z)) if seed is None else np.random.default_rng(seed).uniform(-2.5, 2.5, len(z))
        return np.column_stack([z, other])


class Yardstick:
    """Nadaraya-Watson on x alone, at the leave-one-out width: what a pooling is measured by."""

    def __init__(self, split: Split, extent: float):
        data = self.data = split.train
        spread = len(data.keys) > 1 and np.ptp(data.keys) > 0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", EdgeOfSearchWarning)      # a yardstick all the same
            self.sigma = select_bandwidth(data.keys, data.values) if spread else extent / 5     # no spread: any will do
        self.weights = self.at(data.queries)                                                # (m, n)
        self.held = mean_square(self.at(split.held.keys) @ data.values - split.held.values)
        self.truth = mean_square(self.weights @ data.values - data.targets)

    def at(self, x) -> np.ndarray:
        keys = self.data.keys
        return attention_weights(x, keys, bandwidth=self.sigma) if len(x) else np.empty((0, len(keys)))


class ZooRun(Jobs):
    """One training; its jobs are the steps. trouble: what went wrong, "" if nothing did.

    results: for every step so far the parameters by name, and the training, held-out and true error.
    """

    def __init__(self, split: Split, pooling: str, kind: str, leave_one_out: bool, seed: int, steps: int,
                 rate: float | None, usual: float, make: Callable):
        """usual: the learning rate for a rate of None; make: as in `POOLINGS`."""
        import torch

        from nwlab import attention

        super().__init__(self._step)
        data, n = split.train, len(split.train.keys)
        self.split, self.pooling, self.points, self.steps = split, pooling, ZooPoints(kind, data.keys), steps
        self.leave_one_out, self.trouble = leave_one_out and n > 1, ""
        self.module, self.shown = (make(attention, n, self.points.features) for _ in range(2))
        if not isinstance(self.module, attention.LearnedPooling):
            raise ValueError(f"own: got a function that returns a {type(self.module).__name__}, expected a "
                             "LearnedPooling")
        self.module.reset_parameters(seed)
        self.module.double()                            # this one learns
        self.shown.double()                             # and this one shows what was learned until some step
        self.count = sum(parameter.numel() for parameter in self.module.parameters())
        usual = ON_A_CIRCLE.get(pooling, usual) if kind == "circle" else usual
        self.rate = usual if rate is None else rate
        self.optimiser = torch.optim.Adam(self.module.parameters(), lr=self.rate)
        # Values are learned in standard deviations: the same learning rates serve francs and millions.
        self.middle, self.spread = float(data.values.mean()), float(data.values.std()) or 1.0
        self.keys = torch.as_tensor(self.points.place(data.keys, 0))
        self.values = torch.as_tensor((data.values - self.middle) / self.spread)
        self.others = ~torch.eye(n, dtype=torch.bool) if self.leave_one_out else None                # (n, n)
        place = self.points.place
        self.queries = torch.as_tensor(np.concatenate([place(split.held.keys, 1), place(data.queries)]))
        self.targets = np.concatenate([split.held.values, data.targets])

    def work_until(self, wanted: int, seconds: float = math.inf) -> None:
        from nwlab.training import one_thread

        if not self.trouble:
            try:
                with one_thread():
                    super().work_until(wanted, seconds)
            except Exception as error:                  # a divergence, or whatever a reader's own pooling raises
                self.trouble = f"{type(error).__name__}: {error}"
                if self.reached >= 0:
                    self.trouble += f" (at step {self.reached + 1}: a learning_rate below {self.rate:g} may help)"

    @property
    def done(self) -> int:
        """Steps that are done; all of them where the training has ended early."""
        return self.steps + 1 if self.trouble else len(self.results)

    @property
    def reached(self) -> int:
        """The last step that can be shown; -1 for none."""
        return len(self.results) - 1

    def parameters(self, step: int) -> dict[str, np.ndarray]:
        return self.results[step][0]

    def errors(self) -> np.ndarray:
        """Training, held-out and true error of every step so far, (steps, 3)."""
        return np.array([errors for _, errors in self.results])

    def weights(self, x: np.ndarray, step: int) -> np.ndarray:
        """The attention weights of queries at x, with the parameters of that step: (m, n)."""
        import torch

        with torch.no_grad():
            for name, parameter in self.shown.named_parameters():
                parameter.copy_(torch.as_tensor(self.parameters(step)[name]))
            self.shown.forward(torch.as_tensor(self.points.place(x)), self.keys, self.values)
        return self.shown.attention_weights.numpy()

    def _step(self, _) -> tuple[dict[str, np.ndarray], tuple[float, float, float]]:
        """The parameters and errors now; then one step of the optimiser, as in `nwlab.training.fit`."""
        import torch

        self.optimiser.zero_grad()
        answers = self.module(self.keys, self.keys, self.values, mask=self.others)
        loss = torch.sum((answers - self.values) ** 2)
        if not math.isfinite(loss.item()):
            raise ArithmeticError(f"the loss is {loss.item()}")
        with torch.no_grad():
            residuals = self.module(self.queries, self.keys, self.values).numpy() * self.spread + self.middle
        residuals -= self.targets
        held = len(self.split.held.keys)
        errors = (loss.item() / len(self.values) * self.spread**2, mean_square(residuals[:held]),
                  mean_square(residuals[held:]))
        parameters = {name: x.detach().numpy().copy() for name, x in self.module.named_parameters()}
        loss.backward()
        self.optimiser.step()
        return parameters, errors


def mean_square(residuals: np.ndarray) -> float:
    return float(np.mean(residuals**2)) if residuals.size else math.nan
