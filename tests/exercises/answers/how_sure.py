"""Right answers to `workbook.exercises.how_sure`; test_answers.py says how they are written."""
import math

import numpy as np
from exercises.model_answers import how_sure as model  # noqa: F401


def variances_by_loop(weights, noise):
    return np.array([sum((a * s) ** 2 for a, s in zip(row, noise)) for row in weights.tolist()])


def noise_by_matrix(smoother, values):
    rest = np.eye(len(values)) - smoother
    return math.sqrt(values @ rest.T @ rest @ values / np.trace(rest @ rest.T))


def coverage_by_loop(weights, truth, targets, noise, draws):
    held = np.zeros(len(targets))
    for draw in draws:
        for j, row in enumerate(weights):
            answer, error = row @ (truth + noise * draw), noise * math.sqrt(sum(row**2))
            held[j] += answer - 2 * error <= targets[j] <= answer + 2 * error
    return held / len(draws)


def interval_by_counting(weights, smoother, values, level):
    sizes = [abs(v - row @ values) / (1 - row[i]) for i, (v, row) in enumerate(zip(values, smoother))]
    enough = [size for size in sizes if sum(other <= size for other in sizes) >= level * (len(sizes) + 1)]
    reach = min(enough, default=math.inf)
    return [(weights @ values + side * reach) for side in (-1, 1)]


RIGHT = {
    "effective_keys": {"einsum": lambda weights: np.einsum("mn,mn->m", weights, weights) ** -1.0},
    "answer_variances": {"loop": variances_by_loop},
    "noise_level": {"matrix": noise_by_matrix},
    "coverage": {"loop": coverage_by_loop},
    "bias_in_errors": {"rows": lambda weights, truth, targets, noise: np.array([
        (row @ truth - target) / np.linalg.norm(row * noise) for row, target in zip(weights, targets)])},
    "interval": {"counting": interval_by_counting},
}
