"""What crosses the wall, as JSON: problems go in, answers come out. These are a stranger's word, and are read so."""
import json
import math

import numpy as np

from workbook.checks.answer import Answer
from workbook.checks.values import DEEP, LARGEST, LONG, MANY, NUMERIC, Value, describe

OF_ITEM = ("name", "package", "arguments", "library", "slope", "twice", "optional", "memory")     # what `run` needs
SPECIAL = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


class Unreadable(ValueError):
    """What a child sent is no answer."""


def request(item, problems) -> dict:
    """A check, as `inside.work` takes it: what `run` needs of an item, and the inputs of its problems."""
    makers = {name: (maker.__module__, maker.__qualname__) for name, maker in item.given.items()}
    return {"function": item.name,
            "item": {name: getattr(item, name) for name in OF_ITEM} | {"given": makers, "oracle": item.oracle and True},
            "problems": [{name: _input(x) for name, x in problem.inputs.items()} for problem in problems]}


def _input(x) -> dict:
    form = "array" if isinstance(x, np.ndarray) else "scalar" if isinstance(x, np.generic) else "plain"
    return {"value": describe(x).to_dict(), "as": form}


def answers(data: bytes, count: int) -> list[Answer]:
    """The answers to `count` problems. Unreadable, with the reason, where it is anything else."""
    try:
        stored = _sized(_sized(json.loads(data), dict)["answers"], list)
        if len(stored) != count:
            raise Unreadable(f"got {len(stored)} answers, expected {count}")
        return [Answer(**{name: FIELDS[name](part) for name, part in _sized(one, dict).items()}) for one in stored]
    except (ValueError, TypeError, KeyError, RecursionError, OverflowError) as error:      # Unreadable is a ValueError
        raise Unreadable(str(error)[:100] or type(error).__name__) from None


def error(data: bytes) -> str:
    """What a cell ended with, as "ValueError: its message"; "" where it ended well, or where that cannot be read."""
    try:
        name, message = map(_text, _sized(json.loads(data), dict)["error"])
        return f"{name}: {message}"
    except (ValueError, TypeError, KeyError, RecursionError):
        return ""


def _value(stored, depth: int = 0) -> Value | None:
    if stored is None:
        return None
    if depth > DEEP or set(_sized(stored, dict)) != {"kind", "dtype", "shape", "data"}:
        raise Unreadable("a value with other fields, or nested too deeply")
    kind, dtype, data = _text(stored["kind"]), _text(stored["dtype"]), stored["data"]
    shape = tuple(_whole(side) for side in _sized(stored["shape"], list))
    if data is None:
        return Value(kind, dtype, shape)
    if kind in NUMERIC:
        data = _numbers(data, dtype, shape)
    elif kind in ("tuple", "list"):
        data = tuple(_value(part, depth + 1) for part in _sized(data, list))
    elif kind == "dict":
        data = {_text(name): _value(part, depth + 1) for name, part in _sized(data, dict).items()}
    else:
        kind, data = "str", _text(data)
    return Value(kind, dtype, shape, data)


def _numbers(data, dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    """As `Value.from_dict` reads them, once it is sure that they are numbers, and as many as the shape says."""
    kept = bool if dtype.startswith("bool") else int if "int" in dtype else float
    numbers = [SPECIAL.get(x) if isinstance(x, str) else x for x in _sized(data, list, LARGEST)]
    if len(numbers) != math.prod(shape) or not all(type(x) in (kept, int) for x in numbers):
        raise Unreadable(f"{len(numbers)} entries for an array of {dtype[:20]} and shape {shape}")
    return np.array(numbers, {bool: bool, int: np.int64, float: np.float64}[kept]).reshape(shape)


def _noted(stored) -> dict:
    """What the objects of `Item.given` noted, by name, by argument."""
    return {_text(argument): {_text(name): _plain(x) for name, x in _sized(noted, dict).items()}
            for argument, noted in _sized(stored, dict).items()}


def _plain(x, depth: int = 0):
    """A number, a truth value, a text, or a list of these, two levels deep at most."""
    if isinstance(x, list) and depth < 2:
        return [_plain(part, depth + 1) for part in _sized(x, list, LARGEST)]
    return x if type(x) in (bool, int, float) else _text(x)


def _error(stored) -> dict | None:
    if stored is None:
        return None
    texts = {_text(name): _text(part) for name, part in _sized(stored, dict).items()}
    return dict.fromkeys(("type", "message", "line", "where"), "") | texts


def _texts(stored) -> tuple[str, ...]:
    return tuple(map(_text, _sized(stored, list)))


def _text(stored) -> str:
    if not isinstance(stored, str) or len(stored) > LONG:
        raise Unreadable("no text, or too long a one")
    return stored


def _whole(stored) -> int:
    if type(stored) is not int or not 0 <= stored < 2**53:
        raise Unreadable("no whole number")
    return stored


def _sized(stored, kind: type, most: int = MANY):
    if type(stored) is not kind or len(stored) > most:
        raise Unreadable(f"no {kind.__name__}, or more than {most} entries in it")
    return stored


FIELDS = {"value": _value, "error": _error, "mutated": _texts, "used": _texts, "steps": _whole, "warnings": _texts,
          "printed": _text, "marked": _texts, "slope": _value, "tried": _value,
          "noted": _noted, "again": lambda stored: stored is True, "called": _texts, "reads": _texts, "memory": _whole}
