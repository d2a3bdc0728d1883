"""Whose array is this? NumPy's, torch's or another library's, looked up when a function is called.

An array stays in its library: NumPy, torch, or another that follows the Array API standard. Lists, numbers and columns
of tables are turned into arrays of the library that the other arguments use. Integers become the widest floats that the
library has, and all is computed in the widest dtype among the arguments, at most float64, so that nothing is rounded
before differences are taken. What is not a finite real number raises a ValueError that names the argument, what was
passed and what is expected.
"""
import math
from functools import cache
from typing import Any

import numpy as np


class NotFiniteError(ValueError):
    """Numbers that are NaN, infinite or nearly: in training a sign that the parameters have run off."""


_NAMESPACES: dict[type, Any] = {}
_FLOAT64 = np.dtype(np.float64)


def library_of(x) -> str | None:
    """"numpy", "torch", ... for an array; None for a list, a number or a column of a table."""
    return _library_of_type(type(x))


@cache
def _library_of_type(kind: type) -> str | None:
    if issubclass(kind, np.ndarray):
        return "numpy"
    root = kind.__module__.partition(".")[0].replace("jaxlib", "jax")       # arrays come from one, tracers from both
    if any(base.__module__.partition(".")[0] == "torch" and base.__name__ == "Tensor" for base in kind.__mro__):
        return "torch"
    return root if hasattr(kind, "__array_namespace__") and not issubclass(kind, np.generic) else None


def namespace_of(x):
    """The Array API namespace of an array. It is imported at the first call and not with the package."""
    kind = type(x)
    if kind not in _NAMESPACES:
        if library_of(x) == "numpy" and hasattr(np, "cumulative_sum"):      # from 2.1 on NumPy is one itself
            _NAMESPACES[kind] = np
        else:
            import array_api_compat

            _NAMESPACES[kind] = array_api_compat.array_namespace(x)
    return _NAMESPACES[kind]


def device_of(x):
    """The device of x; None for a tracer of JAX, which has none."""
    return getattr(x, "device", None)


def is_traced(x) -> bool:
    """Whether the numbers in x are not known, as within jax.jit, jax.grad and the functions of torch.func."""
    library = library_of(x)
    if library in ("numpy", None):
        return False
    if library != "torch":
        return any(base.__name__ == "Tracer" for base in type(x).__mro__)
    from torch._C._functorch import is_functorch_wrapped_tensor

    return is_functorch_wrapped_tensor(x)


def holds(condition, *, otherwise: bool) -> bool:
    """bool(condition), and `otherwise` while a library traces, when no number is known."""
    return otherwise if is_traced(condition) else bool(condition)


def real_array(name: str, x, like=None):
    """x as a real floating array: in its own library, or in that of `like` if x has none."""
    if library_of(x) is None:
        x = _real_numpy(name, _plain(name, x))
        if like is not None and library_of(like) != "numpy":
            x = namespace_of(like).asarray(np.array(x), device=device_of(like))     # a copy: tables are read-only
    if isinstance(x, np.ndarray):
        return _real_numpy(name, x)
    xp = namespace_of(x)
    if xp.isdtype(x.dtype, "complex floating"):
        raise ValueError(f"{name}: got complex numbers ({x.dtype}), expected real ones")
    if xp.isdtype(x.dtype, "real floating"):
        return x
    floats = xp.__array_namespace_info__().dtypes(device=device_of(x), kind="real floating")
    return xp.astype(x, floats.get("float64", xp.float32))                  # JAX has none unless it is asked for


def _plain(name: str, x) -> np.ndarray:
    try:
        if x is None:
            raise TypeError
        array = np.asarray(x)
        return array if array.dtype != object else array.astype(float)     # fractions, very large integers, ...
    except (ValueError, TypeError, OverflowError, RuntimeError):
        raise ValueError(f"{name}: got {shortened(x)}, expected real numbers, in rows of equal length") from None


def _real_numpy(name: str, x: np.ndarray) -> np.ndarray:
    if np.ma.is_masked(x):
        raise ValueError(f"{name}: got a masked array with gaps, expected one without; drop the masked entries first")
    if x.dtype.kind == "f":
        return x if type(x) is np.ndarray else np.asarray(x)
    if x.dtype.kind not in "biu":
        raise ValueError(f"{name}: got {shortened(x)} of dtype {x.dtype}, expected real numbers")
    return np.asarray(x, dtype=float)


def magnitude(name: str, x, xp) -> float:
    """A bound of |x|; 0 if x is empty, unknown or too small to square. ValueError if a number is NaN or infinite."""
    if isinstance(x, np.ndarray) and (squares := float(np.vdot(x, x))) < 1e30:      # quicker than the largest
        return math.sqrt(squares)
    if 0 in x.shape or is_traced(x):
        return 0.0
    x = detached(x)
    largest = xp.max(xp.abs(x))
    if library_of(x) != "torch" and is_traced(largest):     # JAX within a trace: a constant's maximum is traced as well
        return magnitude(name, np.asarray(x), np)
    largest = float(largest)
    if not largest < math.inf:
        bad = int(xp.sum(xp.astype(~xp.isfinite(x), xp.int64)))
        raise NotFiniteError(f"{name}: got {bad} of {math.prod(x.shape)} numbers NaN or infinite, expected finite ones")
    return largest


def same_library(named: dict[str, Any]) -> tuple[Any, dict[str, Any], dict[str, float], Any]:
    """All arrays in one library, on one device, in one floating dtype, and finite.

    Returns the namespace, the arrays, their magnitudes, and the dtype of an answer: that of the arrays of floats among
    the arguments; lists and integers beside them do not count. The arrays are in the widest dtype of all arguments,
    but of at least 32 bits and at most 64.
    ValueError for a mix of libraries or devices, and for what is not a finite real number.
    """
    for x in named.values():
        if type(x) is not np.ndarray or x.dtype is not _FLOAT64:
            break
    else:                                                                                # the usual case, quickly
        xp = namespace_of(next(iter(named.values())))
        return xp, named, _magnitudes(named, xp), _FLOAT64
    owners = {name: library for name, x in named.items() if (library := library_of(x))}
    if len(set(owners.values())) > 1:
        listed = ", ".join(f"{name} from {library}" for name, library in owners.items())
        raise ValueError(f"{', '.join(owners)}: got {listed}, expected arrays of one library; convert one of them")
    like = next((named[name] for name in owners), None)
    arrays = {name: real_array(name, x, like) for name, x in named.items()}
    first = next(iter(arrays.values()))
    xp = namespace_of(first)
    if len({device_of(x) for x in arrays.values()} - {None}) > 1:
        listed = ", ".join(f"{name} on {x.device}" for name, x in arrays.items())
        raise ValueError(f"{', '.join(arrays)}: got {listed}, expected arrays on one device")
    floats = [arrays[name] for name in owners if arrays[name].dtype == named[name].dtype]
    dtype, inside = xp.result_type(*(floats or arrays.values())), xp.result_type(*arrays.values())
    bits = xp.finfo(inside).bits
    inside = xp.float32 if bits < 32 else xp.float64 if bits > 64 else inside
    arrays = {name: x if x.dtype == inside else xp.astype(x, inside) for name, x in arrays.items()}
    return xp, arrays, _magnitudes(arrays, xp), dtype


def _magnitudes(arrays: dict[str, Any], xp) -> dict[str, float]:
    """A bound of |x| for each array; ValueError for numbers so large that sums of them may be infinite."""
    found = {}
    for name, x in arrays.items():
        found[name] = largest = magnitude(name, x, xp)
        if largest > 1e30 and largest > (limit := float(xp.finfo(x.dtype).max) / 1e8):
            raise NotFiniteError(f"{name}: got numbers up to {largest:.1e}, expected less than {limit:.1e}; "
                                 "measure them in a larger unit")
    return found


def from_first_key(queries, keys) -> list[np.ndarray] | None:
    """Queries and keys, less the first number of the keys, as float64; None unless all are integers.

    Exact however large they are, where the differences are below 2^53: no integer becomes a float, or wraps, before.
    """
    points = [x if library_of(x) else np.asarray(x) for x in (queries, keys)]
    if not all({type(i) for i in x.flat} == {int} if x.dtype == object else namespace_of(x).isdtype(x.dtype, "integral")
               and not is_traced(x) for x in points):
        return None
    points = [np.asarray(x.cpu() if library_of(x) == "torch" else x).astype(object) for x in points]
    return [np.asarray(x - points[1].flat[0], dtype=float) for x in points]


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
    """Whether any derivative is wanted: then nothing may be computed in place or outside the library of the arrays.

    A history for going backward, a tangent that goes along forward, or a function of torch.func or JAX around.
    """
    tensors = [x for x in arrays if x is not None and library_of(x) != "numpy"]
    if any(is_traced(x) for x in tensors):
        return True
    tensors = [x for x in tensors if library_of(x) == "torch"]
    if not tensors:
        return False
    import torch
    from torch.autograd.forward_ad import unpack_dual

    return (torch.is_grad_enabled() and any(x.requires_grad for x in tensors)
            or any(unpack_dual(x).tangent is not None for x in tensors))


def shortened(x) -> str:
    """repr(x), cut after 60 characters."""
    text = repr(x)
    return text if len(text) <= 60 else text[:57] + "..."
