"""What crosses the wall: problems go in; answers come out as JSON, and are read as what cannot be trusted."""
import json
from types import SimpleNamespace

from workbook.checks.answer import Answer
from workbook.checks.values import LONG

OF_ITEM = ("name", "package", "arguments", "library", "slope", "memory", "given", "optional")     # for `run`


def request(item, problems) -> dict:
    """A check, as `inside.work` takes it: what `run` needs of an item, and the inputs of its problems."""
    return {"function": item.name, "item": SimpleNamespace(**{name: getattr(item, name) for name in OF_ITEM}),
            "problems": [SimpleNamespace(inputs=problem.inputs) for problem in problems]}


def answers(data: bytes, count: int) -> list[Answer]:
    """The answers to `count` problems. Raises some exception where it is anything else.

    Read and written again, they must be what was sent: so no number, shape or dtype is other than it says.
    """
    stored = json.loads(data)["answers"]
    read = [Answer.from_dict(one) for one in stored]
    if len(read) != count or json.dumps([one.to_dict() for one in read]) != json.dumps(stored):
        raise ValueError(f"expected {count} answers and nothing else")
    return read


def error(data: bytes) -> tuple[str, str] | None:
    """The type and the message of what a cell ended with; None where it ended well, or where that cannot be read."""
    try:
        name, message = json.loads(data)["error"]
        return (name[:LONG], message[:LONG]) if type(name) is type(message) is str else None
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
