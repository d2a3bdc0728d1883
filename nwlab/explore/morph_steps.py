"""From the Gaussian kernel to scaled dot-product attention: one change of the formula a step, each with its scores.

Queries q (m, d) and keys k (n, d); scores (m, n), of which a softmax makes the weights. Terms are Matplotlib's mathtext.
"""
from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nwlab import palette

KERNEL = r"$-\,\frac{\Vert q-k\Vert^2}{2\sigma^2}$"
QUERY_TERM = r"$-\,\frac{\Vert q\Vert^2}{2\sigma^2}$"
DOT_TERM = r"$\frac{q\cdot k}{\sigma^2}$"
PLUS_DOT_TERM = r"$+\,\frac{q\cdot k}{\sigma^2}$"
KEY_TERM = r"$-\,\frac{\Vert k\Vert^2}{2\sigma^2}$"
SCALED = r"$\frac{q\cdot k}{\sqrt{d}}$"
PROJECTED = r"$\frac{(W_q\,q)\cdot(W_k\,k)}{\sqrt{d}}$"
WITH_WIDTH = r"$W=\frac{\sqrt[4]{d}}{\sigma}\,I$"
WITH_CHANCE = r"$W$ random"


@dataclass(frozen=True)
class Step:
    """One formula: its name, its terms, how many of them stand inside the softmax, and its scores(q, k, sigma)."""

    name: str
    terms: tuple[str, ...]
    scores: Callable[[np.ndarray, np.ndarray, float], np.ndarray]
    inside: int


def kernel_scores(q, k, sigma):
    differences = q[:, None, :] - k[None, :, :]                                      # (m, n, d)
    return -np.sum(differences**2, axis=2) / (2 * sigma**2)                          # (m, n)


def expanded_scores(q, k, sigma):
    return _half_squares(q, sigma)[:, None] + dot_scores(q, k, sigma) + _half_squares(k, sigma)[None, :]


def key_term_scores(q, k, sigma):
    return dot_scores(q, k, sigma) + _half_squares(k, sigma)[None, :]


def dot_scores(q, k, sigma):
    return q @ k.T / sigma**2


def scaled_scores(q, k, sigma):
    """Scaled dot products (Vaswani et al. 2017): sigma is no longer asked."""
    return q @ k.T / np.sqrt(q.shape[1])


def width_projected_scores(q, k, sigma):
    w = np.eye(q.shape[1]) * q.shape[1] ** 0.25 / sigma                              # (d, d)
    return scaled_scores(q @ w.T, k @ w.T, sigma)


def random_projected_scores(q, k, sigma):
    """As a new layer starts: W_q and W_k (d, d) uniform on +-1/sqrt(d), drawn once and for all."""
    d = q.shape[1]
    w_q, w_k = np.random.default_rng(0).uniform(-1, 1, (2, d, d)) / np.sqrt(d)
    return scaled_scores(q @ w_q.T, k @ w_k.T, sigma)


STEPS = (
    Step("the Gaussian kernel", (KERNEL,), kernel_scores, 1),
    Step("multiply out the square", (QUERY_TERM, PLUS_DOT_TERM, KEY_TERM), expanded_scores, 3),
    Step("drop the query's own term", (DOT_TERM, KEY_TERM), key_term_scores, 2),
    Step("drop the keys' own term", (DOT_TERM,), dot_scores, 1),
    Step("set σ² = √d", (SCALED,), scaled_scores, 1),
    Step("project, and give the width back", (PROJECTED, WITH_WIDTH), width_projected_scores, 1),
    Step("project at random", (PROJECTED, WITH_CHANCE), random_projected_scores, 1),
)


def place_of(position: float) -> tuple[int, float]:
    """Which step a position from 0 to 6 belongs to, and how much of it is done: 2.25 is a quarter of step 3."""
    step = math.ceil(position)
    return step, position - step + 1 if step else 1.0


def scores_at(position: float, q, k, sigma):
    """The scores (m, n) on the way from one formula to the next: a term that is dropped counts less and less."""
    step, done = place_of(position)
    scores = STEPS[step].scores(q, k, sigma)
    return scores if done == 1 else done * scores + (1 - done) * STEPS[step - 1].scores(q, k, sigma)


class FormulaLine:
    """One formula as a row of terms, those that change on a tint: Matplotlib's mathtext has no colours of its own."""

    def __init__(self, panel):
        self.panel, self.corner = panel, (0.0, 0.5)
        self.texts = [panel.text(0, 0.5, "", transform=panel.transAxes, va="center", fontsize=14) for _ in range(7)]

    def say(self, name: str, step, others) -> None:
        """Show the formula of a step; terms that are not among `others` stand out. None shows nothing."""
        pieces = []
        if step is not None:
            inside, outside = step.terms[:step.inside], step.terms[step.inside:]
            pieces = [(name, False), ("softmax (", False), *((term, term not in others) for term in inside), (")", False),
                      *((term, term not in others) for term in outside)]
        for text in self.texts:
            piece, marked = pieces.pop(0) if pieces else ("", False)
            text.set_text(piece)
            text.set(visible=bool(piece), color=palette.INK, fontsize=14,
                     bbox={"facecolor": palette.FAINT, "edgecolor": "none", "pad": 3} if marked else None)
        self.texts[0].set(fontsize=10, color=palette.MUTED)
        self.spread()

    def spread(self, x: float | None = None, y: float | None = None) -> None:
        """Set the pieces side by side from (x, y), fractions of the panel; call when the panel has its size."""
        if x is not None:
            self.corner = x, y
        ratio = self.panel.figure.dpi / 100                  # pixels of the screen in one of the layout
        across = self.panel.bbox.width / ratio
        at = self.corner[0] * across
        for i, text in enumerate(self.texts):
            if text.get_visible():
                text.set_position((at / across, self.corner[1]))
                at += 62 if i == 0 else text.get_window_extent().width / ratio + 9


def _half_squares(x, sigma):
    return -np.sum(x**2, axis=1) / (2 * sigma**2)
