"""What every function does first: check its arguments, and say plainly what is wrong with one.

Every error is a ValueError that names the argument, what was passed and what is expected.
"""
import math
from typing import Any

import numpy as np

from nwlab._engine.arrays import (
    NotFiniteError,
    detached,
    device_of,
    from_first_key,
    holds,
    library_of,
    magnitude,
    namespace_of,
    real_array,
    same_library,
    shortened,
)
from nwlab._engine.extremes import in_dtype, quiet

NOT_GIVEN = object()        # where None would be a mistake


class CheckedInputs:
    """Checked inputs in one library xp, one dtype and one device: queries (m, d), keys (n, d), and what follows."""

    values: Any = None      # (n, c)
    width: Any = None       # a float, (), (1, d), (m, 1) or (1, n)
    kind = "number"         # ... which is a "number", or one per "feature", "query" or "key"
    mask: Any = None        # (m, n), True where a query may attend
    own: Any = None         # leave one out: query i is key own[i], (m,), and may not attend to it
    one_column = True       # values are (n,), so that an answer is (m,)
    largest = math.inf      # a bound of |coordinate|, if it is known
    dtype: Any = None       # of an answer; inside it is one of 32 or 64 bits

    def __init__(self, xp, queries, keys, **others):
        self.xp, self.queries, self.keys = xp, queries, keys
        self.__dict__.update(others)

    def replace(self, **changes) -> "CheckedInputs":
        """The same inputs but for these."""
        return CheckedInputs(**(vars(self) | changes))

    @property
    def shape(self) -> tuple[int, int, int]:
        """(m, n, d)"""
        return self.queries.shape[0], *self.keys.shape

    def block(self, rows) -> "CheckedInputs":
        """The same inputs for some of the queries: `rows` is a slice or an index array."""
        return self.replace(queries=self.queries[rows, :], mask=None if self.mask is None else self.mask[rows, :],
                            width=self.width[rows, :] if self.kind == "query" else self.width,
                            own=None if self.own is None else self.own[rows])

    def allowed(self):
        """The mask (m, n) with the own keys left out, or None if every query may attend to every key."""
        if self.own is None:
            return self.mask
        xp, (m, n, _), device = self.xp, self.shape, device_of(self.keys)
        others = self.own[:, None] != xp.arange(n, device=device)[None, :]
        return others if self.mask is None else others & self.mask

    def answer(self, pooled):
        """Pooled values (m, c) in the shape and the dtype that the caller expects: (m,) for values (n,)."""
        pooled = self.cast(pooled)
        return pooled[:, 0] if self.one_column else pooled

    def cast(self, x):
        """x in the caller's dtype."""
        return in_dtype(x, self.dtype, self.xp)


def check_inputs(queries, keys, values=NOT_GIVEN, bandwidth=1.0, mask=None, leave_one_out=False) -> CheckedInputs:
    """Queries (m,) or (m, d), keys (n,) or (n, d), values (n,) or (n, c), and what goes with them, checked.

    Raises ValueError for mixed libraries or devices, NaN or infinity, no keys, shapes that do not fit.
    """
    named = {"queries": queries, "keys": keys} | ({} if values is NOT_GIVEN else {"values": values})
    xp, arrays, magnitudes, dtype = same_library(named)
    q, k = _as_points("queries", arrays["queries"], xp), _as_points("keys", arrays["keys"], xp)
    if k.shape[0] == 0:
        raise ValueError(f"keys: got none at all (shape {tuple(np.shape(keys))}), expected at least one")
    if q.shape[1] != k.shape[1]:
        raise ValueError(f"queries, keys: got {q.shape[1]} and {k.shape[1]} features (shapes "
                         f"{tuple(np.shape(queries))} and {tuple(np.shape(keys))}), expected the same number")
    largest = max(magnitudes["queries"], magnitudes["keys"])
    if largest > 1e6 and largest * xp.finfo(k.dtype).eps > 0.5 and (exact := from_first_key(queries, keys)):
        q, k = (xp.asarray(x.reshape(like.shape), dtype=k.dtype, device=device_of(k)) for x, like in zip(exact, (q, k)))
        largest = math.inf
    inputs = CheckedInputs(xp, q, k, largest=largest, dtype=dtype)
    if values is not NOT_GIVEN:
        _set_values(inputs, arrays["values"], k.shape[0])
    inputs.width, inputs.kind = _as_width(bandwidth, inputs)
    if mask is not None:
        inputs.mask = _boolean(mask, inputs.keys, inputs.shape[:2])
    if not isinstance(leave_one_out, (bool, np.bool_)):
        raise ValueError(f"leave_one_out: got {shortened(leave_one_out)}, expected True or False")
    if leave_one_out:
        if k.shape[0] < 2:
            raise ValueError("keys: got 1, expected at least 2, so that leaving one out leaves one")
        if q.shape != k.shape or not holds(xp.all(q == k), otherwise=True):
            raise ValueError("leave_one_out: got queries that differ from the keys, expected the keys themselves as "
                             "queries; to leave out other pairs, pass a mask")
        inputs.own = xp.arange(k.shape[0], device=device_of(k))
    return inputs


def check_values(queries, values) -> CheckedInputs:
    """Queries (m,) or (m, d) and values (n,) or (n, c) of an average that looks at no key; ValueError as above."""
    xp, arrays, _, dtype = same_library({"queries": queries, "values": values})
    v = arrays["values"] if arrays["values"].ndim else xp.reshape(arrays["values"], (1,))
    if v.shape[0] == 0:
        raise ValueError(f"values: got shape {tuple(v.shape)}, expected (n,) or (n, c) with at least one value")
    inputs = CheckedInputs(xp, _as_points("queries", arrays["queries"], xp), None, dtype=dtype)
    _set_values(inputs, v, v.shape[0])
    return inputs


def _as_points(name: str, x, xp):
    if x.ndim > 2:
        raise ValueError(f"{name}: got shape {tuple(x.shape)}, expected a number or a row of features for each point")
    if x.ndim < 2:
        x = x[:, None] if x.ndim else x[None, None]
    if x.shape[1] == 0:
        raise ValueError(f"{name}: got shape {tuple(x.shape)}, expected at least one feature")
    return x


def _set_values(inputs: CheckedInputs, v, n: int) -> None:
    """Values (n, c)."""
    if v.ndim > 2:
        raise ValueError(f"values: got shape {tuple(v.shape)}, expected ({n},) or ({n}, c)")
    inputs.one_column = v.ndim < 2
    inputs.values = v if v.ndim == 2 else v[:, None] if v.ndim else v[None, None]
    if inputs.values.shape[0] != n:
        raise ValueError(f"values: got {inputs.values.shape[0]} of them for {n} keys, expected one value for each key")


def _as_width(bandwidth, inputs: CheckedInputs):
    """The width, a float or an array that broadcasts in the inputs' dtype, and its kind."""
    if isinstance(bandwidth, (int, float)):                                          # the usual case, quickly
        if isinstance(bandwidth, bool) or not 0 < bandwidth < math.inf:
            raise ValueError(f"bandwidth: got {bandwidth}, expected a finite number above zero")
        if 1e-30 < bandwidth < 1e30:
            return float(bandwidth), "number"
    if isinstance(bandwidth, str):
        raise ValueError(f"bandwidth: got {bandwidth!r}, expected a number above zero; nwlab.select_bandwidth computes "
                         "one from a rule")
    h, (m, n, d) = check_widths("bandwidth", bandwidth, inputs), inputs.shape
    # Where m, n or d is 1, the last of equal shapes counts.
    kinds = {(1, n): "key", (m, 1): "query", (d,): "feature", (1, 1): "number", (1,): "number", (): "number"}
    kind = kinds.get(tuple(h.shape))
    if kind is None:
        raise ValueError(f"bandwidth: got shape {tuple(h.shape)}, expected a number, ({d},) per feature, "
                         f"({m}, 1) per query or (1, {n}) per key")
    return inputs.xp.reshape(h, {"number": (), "feature": (1, d)}.get(kind, tuple(h.shape))), kind


def check_widths(name: str, widths, inputs: CheckedInputs):
    """Widths above zero, in any shape, in the library and dtype of the inputs.

    One too small or too large for the dtype becomes the nearest one that fits. NumPy arrays go with any library.
    """
    xp, keys = inputs.xp, inputs.keys
    owner, ours = library_of(widths), library_of(keys)
    if owner == "numpy" and ours != "numpy":
        widths = xp.asarray(real_array(name, widths), device=device_of(keys))
    elif owner and owner != ours:
        raise ValueError(f"{name}: got an array from {owner}, expected numbers or an array from {ours}, like the keys; "
                         "convert one of them")
    if getattr(widths, "dtype", None) in (bool, getattr(xp, "bool", None)):
        raise ValueError(f"{name}: got dtype {widths.dtype}, expected finite numbers above zero")
    h = real_array(name, widths, keys)
    _check_device(name, h, keys)
    magnitude(name, h, xp)
    if not holds(xp.all(h > 0), otherwise=True):
        raise ValueError(f"{name}: got {float(xp.min(detached(h))):g}, expected finite numbers above zero")
    if xp.finfo(h.dtype).bits < xp.finfo(keys.dtype).bits:      # a narrower one first: it could not hold these limits
        h = xp.astype(h, keys.dtype)
    limits = xp.finfo(keys.dtype)
    return xp.astype(xp.clip(h, float(limits.smallest_normal), float(limits.max)), keys.dtype)


def check_scores(scores, mask=None):
    """Scores (..., n), real or minus infinity, their mask in the same shape or None, and the dtype to answer in."""
    scores = real_array("scores", scores)
    if scores.ndim == 0 or scores.shape[-1] == 0:
        raise ValueError(f"scores: got shape {tuple(scores.shape)}, expected (..., n) with at least one key")
    if not holds(namespace_of(scores).all(scores < math.inf), otherwise=True):
        raise NotFiniteError("scores: got NaN or plus infinity, expected real numbers or minus infinity")
    scores, dtype = _wide_enough(scores)
    return scores, None if mask is None else _boolean(mask, scores, tuple(scores.shape)), dtype


@quiet
def check_weights(weights):
    """Weights (m, n) with at least one key, whose rows sum to one or are NaN (an empty window); its dtype."""
    weights, dtype = _wide_enough(real_array("weights", weights))
    xp = namespace_of(weights)
    if weights.ndim != 2 or weights.shape[1] == 0:
        raise ValueError(f"weights: got shape {tuple(weights.shape)}, expected (m, n) with at least one key")
    if holds(xp.any(xp.isinf(weights)), otherwise=False):
        raise ValueError("weights: got infinity, expected rows that sum to one")
    sums = xp.sum(weights, axis=1)
    off = xp.abs(sums - 1) > 0.01 * xp.sum(xp.abs(weights), axis=1)                  # False where NaN
    if holds(xp.any(off), otherwise=False):
        row = int(xp.argmax(xp.astype(off, xp.int64)))
        raise ValueError(f"weights: got row {row} with sum {float(sums[row]):g}, expected rows that sum to one "
                         "(rows are queries, columns are keys)")
    return weights, dtype


def _wide_enough(x):
    """x in at least 32 bits, in which sums are right, and the dtype of x."""
    xp = namespace_of(x)
    return (xp.astype(x, xp.float32) if xp.finfo(x.dtype).bits < 32 else x), x.dtype


def _boolean(mask, like, shape: tuple[int, ...]):
    xp, owner, ours = namespace_of(like), library_of(mask), library_of(like)
    if owner and owner != ours:
        raise ValueError(f"mask: got one from {owner}, expected one from {ours} like the rest; convert one of them")
    if np.ma.is_masked(mask):
        raise ValueError("mask: got a masked array with gaps, expected one without")
    if not owner:
        try:
            mask = xp.asarray(np.array(mask), device=device_of(like))
        except (ValueError, TypeError):
            raise ValueError(f"mask: got rows that do not fit together, expected booleans in shape {shape}") from None
    if mask.dtype != xp.bool:
        raise ValueError(f"mask: got dtype {mask.dtype}, expected booleans, True where a query may attend")
    _check_device("mask", mask, like)
    if mask.ndim > len(shape) or any(have not in (1, want) for have, want in zip(mask.shape[::-1], shape[::-1])):
        raise ValueError(f"mask: got shape {tuple(mask.shape)}, expected {shape}")
    return xp.broadcast_to(mask, shape)


def _check_device(name: str, x, like) -> None:
    if None not in (device_of(x), device_of(like)) and x.device != like.device:
        raise ValueError(f"{name}: got one on {x.device}, expected {like.device} like the rest")


def check_count(name: str, value, low: int, high: float = math.inf) -> int:
    """A whole number within low..high, as an int; ValueError otherwise."""
    is_whole = hasattr(value, "__index__") and np.ndim(value) == 0 and not isinstance(value, (bool, np.bool_))
    if not is_whole or not low <= int(value) <= high:
        bound = f"from {low} to {high}" if math.isfinite(high) else f"of at least {low}"
        raise ValueError(f"{name}: got {value!r}, expected a whole number {bound}")
    return int(value)


def check_number(name: str, value, above: float = -math.inf, low: float = -math.inf, high: float = math.inf) -> float:
    """A finite number above a bound, or within low..high, as a float; ValueError otherwise."""
    try:
        number = math.nan if isinstance(value, (bool, np.bool_)) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not (above < number < math.inf and low <= number <= high):
        bound = (f" above {above:g}" if math.isfinite(above) else f" from {low:g} to {high:g}" if math.isfinite(high)
                 else f" of at least {low:g}" if math.isfinite(low) else "")
        raise ValueError(f"{name}: got {value!r}, expected a finite number{bound}")
    return number


def check_choice(name: str, value, choices: tuple[str, ...]) -> str:
    """One of the given words; ValueError otherwise."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name}: got {value!r}, expected one of {', '.join(map(repr, choices))}")
    return value
