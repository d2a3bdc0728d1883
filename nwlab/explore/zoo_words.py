"""What the attention zoo says: the pooling and what it has learned, its errors beside the yardstick's, one query worked out."""
from __future__ import annotations

import html
import math

import numpy as np

from nwlab.explore.stage import words
from nwlab.pooling import effective_keys


def sentence(run, busy, split, yardstick, state, errors, step, weights, row) -> str:
    """The whole sentence for a step that was reached: weights (m, n) of the queries, row is the one asked about."""
    data = split.train
    n, at = len(data.keys), f"{data.key_name} = {words.number(data.queries[row])}"
    effective = effective_keys(weights)
    parts = [
        f"{_name(run, state)}, <b>{run.count}</b> parameter{'s' * (run.count != 1)}, at step <b>{step}</b> of {run.steps}:"
        f" {_learned(run, step, data.key_name)}",
        _progress(run, busy),
        _errors(run, yardstick, errors[step]),
        _lesson(run, step),
        _overfits(errors, step),
        f"A typical query attends to <b>{words.number(float(np.median(effective)))}</b> of {n} keys in effect, "
        f"{words.band(effective, n)}.",
        f"At {words.query(at)}: {words.arithmetic(weights[row], data.values)}.",
    ]
    return " ".join(part for part in parts if part)


def nothing(run) -> str:
    """When no step can be shown."""
    return _trouble(run) if run.trouble else "<b>Training begins</b> …"


def _name(run, state) -> str:
    where = {"line": "", "circle": " on a circle", "useless": " with a useless feature"}[run.points.kind]
    return f"<b>{run.pooling[0].upper() + run.pooling[1:]}</b>{where}"


def _learned(run, step: int, key_name: str) -> str:
    """The parameters in words, where there are few enough to say; widths in the units of x."""
    parameters, along, kind = run.parameters(step), run.points.along, run.points.kind
    if run.pooling == "a width per feature" and kind != "line":
        first, second = np.abs(parameters["w"])
        if kind == "circle":
            return f"w = {words.number(first)} and {words.number(second)} for the two coordinates."
        return f"w = {words.number(first / along)} for {key_name}, {words.number(second)} for the useless feature."
    if run.pooling == "a width per key":
        widths = along / np.maximum(np.abs(parameters["w"]), 1e-12)
        low, high = np.quantile(widths, [0.1, 0.9])
        return f"most keys have widths 1/w from {words.number(low, 2)} to {words.number(high, 2)}."
    if run.pooling in ("one width w", "one width, as log w", "a width per feature"):
        w = math.exp(min(700.0, float(parameters["log_w"]))) if "log_w" in parameters else float(np.abs(parameters["w"]).max())
        return f"w = <b>{words.number(w / along)}</b>, a width of {words.number(along / max(w, 1e-12))}."
    if run.pooling == "dot product":
        scale = float(parameters["scale"])
        said = f"scale = <b>{words.number(scale)}</b>"
        if kind == "circle" and scale > 0:
            return f"{said}, as a Gaussian whose width along {key_name} is 1/√scale = {words.number(along / math.sqrt(scale))}."
        return said + "."
    if run.pooling == "projected dot product" and kind == "line":
        slope = float((parameters["w_q"] * parameters["w_k"]).sum()) / math.sqrt(len(parameters["w_q"]))
        return f"W<sub>q</sub> and W<sub>k</sub> together are one number here, <b>{words.number(slope)}</b>."
    if run.pooling == "additive":
        return f"{len(parameters['v'])} hidden units."
    return "all of them are learned."


def _progress(run, busy: bool) -> str:
    if busy:
        return f"<b>Training: {max(0, run.reached)} of {run.steps} steps so far.</b>"
    return _trouble(run) if run.trouble else ""


def _trouble(run) -> str:
    return f"<b>Training ended early</b>: {html.escape(run.trouble)}"


def _errors(run, yardstick, errors) -> str:
    """Held-out error and error against the truth, beside the yardstick's, as far as they are known."""
    training, held, truth = errors
    said = [f"{'Leave-one-out' if run.leave_one_out else 'Training'} error {words.number(training)}"]
    if np.isfinite(held):
        said.append(f"held-out error <b>{words.number(held)}</b> (Nadaraya–Watson at the leave-one-out width "
                    f"{words.number(yardstick.sigma)}: <b>{words.number(yardstick.held)}</b>)")
    if np.isfinite(truth):
        said.append(f"error against the truth {words.number(truth)} ({words.number(yardstick.truth)})")
    return ", ".join(said) + "."


def _lesson(run, step: int) -> str:
    """The one thing that this pooling, on these points, is here to show."""
    name, kind = run.pooling, run.points.kind
    if len(run.keys) == 1:
        return "A single key has all the weight whatever is learned."
    if not run.leave_one_out:
        return ("Each point may attend to itself: the training error falls by attending to nothing else, "
                "which says nothing about new points.")
    if name in ("dot product", "projected dot product") and kind != "circle":
        return ("A dot product knows no place, only a direction: each query leans to the keys farthest out on one side, "
                "as far as the scale drives it.")
    if name == "dot product":
        return "All points have the same length, so the dot product is a Gaussian of the distance."
    if name == "projected dot product":
        return "It may turn and stretch the circle: it has to learn that near means similar."
    if name == "additive":
        return "It is no function of q − k: that near means similar is not built in, and has to be learned."
    if name == "a width per key":
        return "Each width belongs to a stored key, so other queries can be asked, but no key exchanged."
    if name == "a width per feature":
        if kind == "useless":
            first, second = np.abs(run.parameters(step)["w"])
            if second < first / 4:
                return "The feature that does not help has the far smaller w: it is hardly looked at."
            return "The feature that does not help has not been told from the other."
        return "With one feature it is one width." if kind == "line" else ""
    return "One width cannot see less of one feature than of the other." if kind == "useless" else ""


def _overfits(errors, step: int) -> str:
    """Said when the held-out error was clearly smaller before, while the training error has gone on falling."""
    training, held = errors[: step + 1, :2].T
    if not np.isfinite(held).all():
        return ""
    best = int(np.argmin(held))
    if held[step] < 1.05 * held[best] or training[step] >= training[best]:
        return ""
    return (f"The held-out error was smallest at step {best}, {words.number(held[best])}: since then it fits these "
            "values better and new ones worse.")
