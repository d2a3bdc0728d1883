"""Whose array is this? NumPy's, torch's or another library's, looked up when a function is called.

Arrays stay in the library they came in (NumPy, torch, or another that follows the Array API standard). Lists, numbers
and table columns go along with the others. Integers are promoted. What is not a finite real number raises a ValueError
that names the argument, what came and what was expected.
"""
import math
from functools import cache
from typing import Any

import numpy as np

_NAMESPACES: dict[type, Any] = {}


def library_of(x) -> str | None:
    """"numpy", "torch", ... for an array; None for a list, a number, a table column: those follow the others."""
    return _library_of_type(type(x))


@cache
def _library_of_type(kind: type) -> str | None:
    if issubclass(kind, np.ndarray):
        return "numpy"
    root = kind.__module__.partition(".")[0]
    if any(base.__module__.partition(".")[0] == "torch" and base.__name__ == "Tensor" for base in kind.__mro__):
        return "torch"
    return root if hasattr(kind, "__array_namespace__") and not issubclass(kind, np.generic) else None


def namespace_of(x):
    """The Array API namespace of an array. It is imported at the first call and not with the package."""
    kind = type(x)
    if kind not in _NAMESPACES:
        import array_api_compat

        _NAMESPACES[kind] = array_api_compat.array_namespace(x)
    return _NAMESPACES[kind]


def real_array(name: str, x, like=None):
    """x as a real floating array: in its own library, or in that of `like` if x has none."""
    if library_of(x) is None:
        x = _plain(name, x)
        if like is not None and library_of(like) != "numpy":
            x = namespace_of(like).asarray(np.array(x), device=like.device)     # a copy: tables are read-only
    if isinstance(x, np.ndarray):
        return _real_numpy(name, x)
    xp = namespace_of(x)
    if xp.isdtype(x.dtype, "complex floating"):
        raise ValueError(f"{name}: got complex numbers ({x.dtype}), expected real ones")
    return x if xp.isdtype(x.dtype, "real floating") else xp.astype(x, xp.asarray(0.0).dtype)


def _plain(name: str, x) -> np.ndarray:
    try:
        if x is None:
            raise TypeError
        array = np.asarray(x)
        return array if array.dtype != object else array.astype(float)     # fractions, very large integers, ...
    except (ValueError, TypeError, OverflowError, RuntimeError):
        raise ValueError(f"{name}: got {_short(x)}, expected real numbers, in rows of equal length") from None


def _real_numpy(name: str, x: np.ndarray) -> np.ndarray:
    if np.ma.is_masked(x):
        raise ValueError(f"{name}: got a masked array with gaps, expected one without; drop the masked entries first")
    if x.dtype.kind == "f":
        return x if type(x) is np.ndarray else np.asarray(x)
    if x.dtype.kind not in "biu":
        raise ValueError(f"{name}: got {_short(x)} of dtype {x.dtype}, expected real numbers")
    return np.asarray(x, dtype=float)


def magnitude(name: str, x, xp) -> float:
    """The largest |x|, 0 if x is empty. ValueError if a number is NaN or infinite, which the largest shows."""
    if 0 in x.shape:
        return 0.0
    largest = float(xp.max(xp.abs(detached(x))))
    if not largest < math.inf:
        bad = int(xp.sum(xp.astype(~xp.isfinite(x), xp.int64)))
        raise ValueError(f"{name}: got {bad} of {math.prod(x.shape)} numbers NaN or infinite, expected finite ones")
    return largest


def same_library(named: dict[str, Any]) -> tuple[Any, dict[str, Any], dict[str, float]]:
    """All arrays in one library, on one device, in one floating dtype, and finite.

    Returns the namespace, the arrays and their magnitudes. What came as an array of floats decides the dtype; lists and
    integers go along. ValueError for a mix of libraries or devices, and for what is not a finite real number.
    """
    owners = {name: library for name, x in named.items() if (library := library_of(x))}
    if len(set(owners.values())) > 1:
        listed = ", ".join(f"{name} from {library}" for name, library in owners.items())
        raise ValueError(f"{', '.join(owners)}: got {listed}, expected arrays of one library; convert one of them")
    like = next((named[name] for name in owners), None)
    arrays = {name: real_array(name, x, like) for name, x in named.items()}
    first = next(iter(arrays.values()))
    xp = namespace_of(first)
    if any(x.device != first.device for x in arrays.values()):
        listed = ", ".join(f"{name} on {x.device}" for name, x in arrays.items())
        raise ValueError(f"{', '.join(arrays)}: got {listed}, expected arrays on one device")
    floats = [arrays[name] for name in owners if arrays[name].dtype == named[name].dtype]
    dtype = xp.result_type(*(floats or arrays.values()))
    arrays = {name: x if x.dtype == dtype else xp.astype(x, dtype) for name, x in arrays.items()}
    return xp, arrays, {name: magnitude(name, x, xp) for name, x in arrays.items()}


def detached(x):
    """x without its history of gradients, if it has one."""
    return x.detach() if hasattr(x, "detach") else x


def as_float64(x) -> np.ndarray:
    """The numbers of any array on the CPU as a NumPy float64 array."""
    if isinstance(x, np.ndarray):
        return np.asarray(x, dtype=np.float64)
    xp = namespace_of(x)
    return np.asarray(xp.astype(detached(x), xp.float64, copy=False))


def wants_gradient(*arrays) -> bool:
    """Whether torch keeps a history for any of these, so that nothing may be worked in place."""
    if not any(getattr(x, "requires_grad", False) for x in arrays):
        return False
    import torch            # only a torch tensor has requires_grad

    return torch.is_grad_enabled()


def _short(x) -> str:
    text = repr(x)
    return text if len(text) <= 60 else text[:57] + "..."
