"""What goes into the sandbox and comes out: problems in, answers out as JSON, which cannot be trusted."""
import json
from dataclasses import replace
from types import SimpleNamespace

from workbook.checks.run import KEEP
from workbook.checks.values import LONG, Answer

OF_ITEM = ("name", "package", "arguments", "library", "slope", "memory", "given")     # for `run`


def request(item, problems) -> dict:
    """A check, as `inside.work` takes it: what `run` needs of an item, and the inputs of its problems."""
    return {"function": item.name, "item": SimpleNamespace(**{name: getattr(item, name) for name in OF_ITEM}),
            "problems": [SimpleNamespace(inputs=problem.inputs) for problem in problems]}


def answers(data: bytes, count: int) -> list[Answer]:
    """The answers to `count` problems. An exception, of any type, if the data are anything else.

    Read and written again, they must equal what was sent: then each number has the shape and dtype that it claims.
    Texts that patterns are matched against are cut here, whatever became of KEEP in the sandbox.
    """
    stored = json.loads(data)["answers"]
    read = [Answer.from_dict(one) for one in stored]
    if len(read) != count or json.dumps([one.to_dict() for one in read]) != json.dumps(stored):
        raise ValueError(f"expected {count} answers and nothing else")
    return [replace(one, error=one.error and {name: text[:KEEP] for name, text in one.error.items()},
                    printed=one.printed[:KEEP], line=one.line[:KEEP]) for one in read]


def error(data: bytes) -> tuple[str, str] | None:
    """Type and message of the exception that ended a cell; None if there was none, or if it cannot be read."""
    try:
        name, message = json.loads(data)["error"]
        return (name[:LONG], message[:LONG]) if type(name) is type(message) is str else None
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
