"""What a student's function returned, raised or did, as plain data; how two values compare, and how one is shown."""
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from workbook.language import say

NUMERIC = ("numpy", "torch", "float", "int", "bool")
LARGEST = 200_000                      # more numbers than this are not kept: no item asks for as many
DEEP, LONG, MANY = 6, 4000, 1000       # nor more levels of nesting, characters of a text, parts of a collection
WHOLE = 12                             # arrays of up to so many numbers are shown whole
RELATIVE, ROUNDED = 1e-9, {"float32": 1e-5}     # relative tolerances; float16 gets no larger one


@dataclass(frozen=True, eq=False)
class Value:
    """One thing that was returned.

    kind: "numpy", "torch", "float", "int", "bool", "str", "tuple", "list", "NoneType", or another type's name.
    data: an array of float64, int64 or bool for the first five; a str; a tuple of Values; None for the rest.
    """

    kind: str
    dtype: str = ""
    shape: tuple[int, ...] = ()
    data: Any = None

    @property
    def numeric(self) -> bool:
        """Whether it is an array or a number that can be compared."""
        return self.kind in NUMERIC and self.data is not None

    def entries(self) -> list:
        """All numbers in it, and in its parts."""
        if self.numeric:
            return self.data.ravel().tolist()
        return [x for part in self.data for x in part.entries()] if isinstance(self.data, tuple) else []

    def plain(self):
        """The data as arrays, numbers and tuples, for a judge of one's own. None where nothing was kept."""
        return self.data[()] if self.numeric else _each(self.data, Value.plain)

    def to_dict(self) -> dict:
        """As JSON can hold it, without NaN and infinity, which JSON does not know."""
        data = _each(self.data, Value.to_dict)
        if self.numeric:
            data = [str(x) if isinstance(x, float) and not math.isfinite(x) else x for x in self.entries()]
        return vars(self) | {"data": data}

    @classmethod
    def from_dict(cls, stored: dict) -> "Value":
        """The inverse of `to_dict`."""
        data, shape = stored["data"], tuple(stored["shape"])
        if data is not None and stored["kind"] in NUMERIC:
            numbers = [float(x) if isinstance(x, str) else x for x in data]
            array = np.array(numbers, _kept_as(stored["dtype"])).reshape(shape)
            return cls(**stored | {"shape": array.shape, "data": array})
        return cls(**stored | {"shape": shape, "data": _each(data, cls.from_dict)})


@dataclass(frozen=True, eq=False)
class Answer:
    """What one call of the student's function gave."""

    value: Value | None = None
    error: dict | None = None          # "type", "message", "line" and "where" of an exception; of what is no function:
                                       # the type "not callable", and as message what it is instead
    mutated: tuple[str, ...] = ()      # inputs that were changed, or marked with requires_grad
    used: tuple[str, ...] = ()         # functions of nwlab that were called
    steps: int = 0                     # Python-level calls and lines in the student's code
    printed: str = ""                  # what was printed meanwhile
    slope: Value | None = None         # d (Σ answer_k cos k) / d `Item.slope`; None where torch finds no way back to it
    noted: dict = field(default_factory=dict)      # what the objects of `Item.given` noted, by argument name
    again: bool = True                 # whether a second call gave the same, if there was one (`run.TWICE`)
    memory: int = 0                    # the peak of bytes held at once, measured if `Item.memory` says so
    line: str = ""                     # with which the student's code returned
    reads: dict = field(default_factory=dict)      # names of the notebook in the code that ran, and their types
    watched: bool = True               # whether what counts steps and memory was still on when the call ended

    def to_dict(self) -> dict:
        """As JSON can hold it."""
        values = {"value": self.value, "slope": self.slope}
        return vars(self) | {name: value and value.to_dict() for name, value in values.items()}

    @classmethod
    def from_dict(cls, stored: dict) -> "Answer":
        """The inverse of `to_dict`."""
        plain = {name: tuple(part) if isinstance(part, list) else part for name, part in stored.items()}
        values = {name: stored[name] and Value.from_dict(stored[name]) for name in ("value", "slope")}
        return cls(**plain | values)


def describe(thing, deep: int = DEEP) -> Value:
    """Anything as a Value; of what is no plain data only the type's name is kept. deep: levels of nesting to keep."""
    kind = type(thing).__name__[:100]
    if thing is None or isinstance(thing, str):
        return Value(kind, data=thing[:LONG] if thing else thing)
    if type(thing) in (bool, int, float):
        return Value(kind) if kind == "int" and abs(thing) >= 2**63 else _array(np.asarray(thing), kind, kind)
    if isinstance(thing, (np.ndarray, np.generic)):
        return _array(np.asarray(thing), "numpy", str(thing.dtype))
    if type(thing).__module__.partition(".")[0] == "torch" and hasattr(thing, "detach"):
        dtype, tensor = str(thing.dtype).removeprefix("torch."), thing.detach().cpu()
        return _array(tensor.double().numpy() if "float" in dtype else tensor.numpy(), "torch", dtype)
    if isinstance(thing, (tuple, list)):
        parts = tuple(describe(part, deep - 1) for part in thing) if deep and len(thing) <= MANY else None
        return Value("tuple" if isinstance(thing, tuple) else "list", shape=(len(thing),), data=parts)
    return Value(kind)


def same(got: Value, right: Value, tolerance: float | None = None) -> bool:
    """Whether `got` is `right` up to rounding, of any library and kind of number; (1,) will do for (). NaN equals NaN.

    tolerance: relative, in place of RELATIVE and ROUNDED.
    """
    if right.numeric:
        return got.numeric and fits(got, right) and bool(np.all(close(got, right, tolerance)))
    if right.kind in NUMERIC:                            # too many numbers to be kept
        return got.kind in NUMERIC and got.data is None and got.shape == right.shape
    if isinstance(right.data, tuple):
        return (isinstance(got.data, tuple) and len(got.data) == len(right.data)
                and all(same(a, b, tolerance) for a, b in zip(got.data, right.data)))
    return got.kind == right.kind and got.shape == right.shape and not got.numeric and got.data == right.data


def fits(got: Value, right: Value) -> bool:
    """Whether the shapes agree; (1,) will do where one number is asked for."""
    return got.shape == right.shape or (got.shape, right.shape) == ((1,), ())


def close(got: Value, right: Value, tolerance: float | None = None) -> np.ndarray:
    """Entry by entry, whether two numeric Values agree; tiny entries are held to the scale of the largest."""
    a, b = got.data.reshape(right.shape).astype(float), right.data.astype(float)
    if right.data.dtype.kind in "bi" and tolerance is None:
        return np.abs(a - b) < 1e-6
    relative, share = tolerance, 1.0
    if tolerance is None:
        relative = ROUNDED.get(got.dtype, RELATIVE)
        share = 0.1 if relative > RELATIVE else 0.01
    scale = np.abs(b[np.isfinite(b)]).max(initial=0.0) or 1.0
    slack = share * relative * scale
    with np.errstate(invalid="ignore"):                  # faster than np.isclose
        near = np.isfinite(b) & (np.abs(a - b) <= slack + relative * np.abs(b))
    return near | (a == b) | (np.isnan(a) & np.isnan(b))


def show(value: Value, digits: int = 5) -> str:
    """A text for a person to read: small arrays whole, large ones with their middle left out."""
    if value.numeric and value.shape == ():
        return number(value.data[()], digits)
    if value.numeric:
        return np.array2string(value.data, threshold=WHOLE, edgeitems=2 if value.data.ndim < 2 else 1,
                               max_line_width=88, separator=" ", formatter={"float_kind": lambda x: number(x, digits)})
    if isinstance(value.data, tuple):
        left, right = "()" if value.kind == "tuple" else "[]"
        parts = [show(part, digits) for part in value.data[:12]]
        return left + ", ".join([*parts, *["…"] * (len(value.data) > 12)]) + right
    if value.kind == "str":
        return repr(value.data if len(value.data) <= 200 else value.data[:200] + "…")
    return "None" if value.kind == "NoneType" else say("something of type {type}", type=value.kind)


def form(value: Value) -> str:
    """Its library, shape and dtype in a few words. NumPy, one number and float64 are usual and not mentioned."""
    if value.kind == "list":
        return say("a list of {n}", n=value.shape[0])
    if value.kind not in ("numpy", "torch"):
        return ""
    shape = say("shape {shape}", shape=value.shape) if value.shape else ""
    shape = f"torch {value.shape}" if value.kind == "torch" else shape
    return ", ".join(filter(None, (shape, value.dtype if value.dtype not in ("float64", "bool") else "")))


def number(x, digits: int = 5) -> str:
    return f"{x:.{digits}g}" if isinstance(x, (float, np.floating)) else str(x)


def digits(text, one, other) -> int:
    """How many digits it takes to make text(one, digits) and text(other, digits) differ, from 5 up to all 17."""
    return next((n for n in (5, 8, 12) if text(one, n) != text(other, n)), 17)


def _array(array: np.ndarray, kind: str, dtype: str) -> Value:
    keep = array.dtype.kind in "bfiu" and array.size <= LARGEST
    return Value(kind, dtype[:LONG], tuple(array.shape), array.astype(_kept_as(dtype)) if keep else None)


def _kept_as(dtype: str):
    return bool if dtype.startswith("bool") else np.int64 if "int" in dtype else np.float64


def _each(data, function):
    """The function of each part of a tuple or list; other data as it is."""
    return tuple(map(function, data)) if isinstance(data, (tuple, list)) else data
