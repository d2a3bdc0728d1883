"""Empty windows: the warning for queries that have no key within their kernel's reach."""
import math
import sys
import warnings

from nwlab._engine.arrays import detached, holds, namespace_of

EMPTY = ("nan", "nearest", "raise")
WIDEN = "Widen the bandwidth, or pass empty='nearest'."
NO_KEY_LEFT = "no key left, as each is masked or has score minus infinity", ""       # in a row of `masked_softmax`


class EmptyWindowWarning(UserWarning):
    """Some query has no key within its kernel's reach: there is nothing to average, and the answer is NaN."""


def report_empty(unreached, empty, why, *details) -> None:
    """One warning, or one error, for all queries without an answer.

    unreached: (m,), True for a query without an answer; None if all have one. why: the reason, and what helps, or a
    function of the details that returns them. The warning points at whoever called nwlab, also by way of a torch
    module.
    """
    if (unreached is None or empty == "nearest"
            or not holds((xp := namespace_of(unreached)).any(unreached), otherwise=False)):
        return
    reason, remedy = why(*details) if details else why
    count = int(xp.sum(xp.astype(unreached, xp.int64)))
    text = f"{count} of {math.prod(unreached.shape)} queries {'has' if count == 1 else 'have'} {reason}"
    if empty == "raise":
        raise ValueError(f"queries: {text}. {remedy}".rstrip())
    frame, level = sys._getframe(), 1
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] in ("nwlab", "torch"):
        frame, level = frame.f_back, level + 1
    warnings.warn(f"{text}: there the answer is NaN. {remedy}".rstrip(), EmptyWindowWarning, stacklevel=level)


def no_key_in_reach(kernel, inputs) -> tuple[str, str]:
    """Why `weights_of` found no key for a query."""
    if not kernel.ends:
        return "no key that the mask allows" if inputs.mask is not None else "no key with a weight above zero", ""
    reach = f"no key within reach of the {kernel.name} kernel"
    if inputs.kind == "number":
        h = float(detached(inputs.width))
        reach += f" (bandwidth {h:g}, reach {kernel.support * h:g})"
    return reach + _among(inputs), WIDEN


def too_few_keys(kernel, inputs) -> tuple[str, str]:
    """Why no line can be fitted in a window."""
    shape = {1: "a line", 2: "a plane"}.get(inputs.shape[2], "a hyperplane")
    return f"too few different keys within reach of the {kernel.name} kernel{_among(inputs)} to fit {shape}", WIDEN


def _among(inputs) -> str:
    return "" if inputs.mask is None and inputs.own is None else " among those it may attend to"
