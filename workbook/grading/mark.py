"""From one submission of an exercise to a verdict for each item: a child runs it in the sandbox, this judges outside.

A verdict's status is "passed", "failed", "not attempted", "timed out", "out of memory", "process died", "unreadable",
or "follow-through": right, but for items that it calls. Its texts may contain what untrusted code has written.
"""
import contextlib
import functools
import json
import signal
import threading
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

from workbook.checks.item import Item, Verdict
from workbook.checks.judge import judge
from workbook.checks.rerun import CellRun, Plan, Studied, plan
from workbook.grading import wire
from workbook.grading.rebuild import Rebuilt
from workbook.grading.sandbox import Ended, Sandbox

KEPT = 20_000                          # characters of an answer that a report shows
JUDGING = 60                           # seconds of processor time for the answers of one item; most take 0.01
OF_MEMORY = "MemoryError", "_ArrayMemoryError"                  # torch has no type of its own for that

problems_of = functools.lru_cache(200)(Item.problems)           # the same for the whole class


def mark(box: Sandbox, exercise, rebuilt: Rebuilt, seed: int, right: tuple[Studied, ...] = (),
         share: float = 1.0) -> list[Verdict]:
    """A Verdict for each item, in order, and more `rebuilt.remarks`. If a cell ends its child, only it is lost: a new
    child runs the others.

    right: the cells of the solution. With these in place of the items that it calls and that do not hold, a wrong item
    is tried again: it gets this share of its points where it is right then.
    """
    job = _Job(functools.partial(box.child, until=time.monotonic() + box.limits.notebook), exercise, seed,
               rebuilt.remarks)
    said = _said(job, "study", rebuilt.sources)
    cells = [Studied(source, *(one or ({}, []))) for source, one in zip(rebuilt.sources, said)]
    whole = plan(cells, [item.name for item in exercise.items], rebuilt.answers)
    rebuilt.code = {item: "\n\n".join(cells[n].source for n in sorted(numbers - rebuilt.given))[:KEPT]
                    for item, numbers in whole.own.items()}
    shapes = zip(rebuilt.code, _said(job, "shape", rebuilt.code.values()))
    rebuilt.shapes = {item: (str(one[0])[:64], int(one[1])) for item, one in shapes if one}
    done, steps = _verdicts(job, cells, whole)
    for item in exercise.items:
        done.setdefault(item.name, Verdict(item.name, "not attempted", 0, item.points))
    wrong = [item.name for item in exercise.items if right and share and not done[item.name].holds]
    for name, causes in _follow_through(job, wrong, right, whole, steps).items():
        points, names = exercise.item(name).points, " and ".join(f"`{cause}`" for cause in causes)
        done[name] = Verdict(name, "follow-through", share * points, points, f"right, but for {names}",
                             next=f"mend {names}: this function calls it")
    return [done[item.name] for item in exercise.items]


class _Job(NamedTuple):
    """What all children of a submission share. child: see `Sandbox`."""

    child: Callable
    exercise: object
    seed: int
    remarks: list[str]

    def check(self, ask: Callable, name: str, cell_error: tuple[str, str] | None = None) -> Verdict:
        """The verdict on an item as a child has it. cell_error: type and message of what ended its cell."""
        item = self.exercise.item(name)
        problems = problems_of(item, self.seed)
        got = ask(wire.request(item, problems))
        try:
            answers = wire.answers(got, len(problems))
            if not all(answer.watched for answer in answers):
                self.remarks.append(f"{name}: its code switched off what counts steps and memory")
            errors = [(answer.error["type"], answer.error["message"]) for answer in answers if answer.error]
            missing = errors[:1] == [("not callable", "NoneType")]
            if missing and cell_error:
                errors = [cell_error]
            if any(kind in OF_MEMORY or "can't allocate memory" in message for kind, message in errors):
                return Verdict(name, "out of memory", 0, item.points)
            if missing:
                return Verdict(
                    name, "failed", 0, item.points, "the cell stops before the function is there" if cell_error else
                    f"nothing defines {name}", got=": ".join(cell_error or ()), expected=f"a cell that defines {name}",
                    next="what does the last line of the message say?" if cell_error else
                    f"is a function called {name}, letter by letter?")
            with limited(JUDGING):
                return judge(item, problems, answers)
        except Exception as error:                          # an answer of a form that no honest run gives
            return Verdict(name, "unreadable", 0, item.points, got=f"{type(error).__name__}: {error}"[:400])


def _said(job: _Job, what: str, sources: Iterable[str]) -> list:
    """What a child that runs nothing says of each source, "study" or "shape"; None of one that ends the child."""
    left, found = [*sources], []
    while left:
        with contextlib.suppress(Ended), job.child() as ask:
            while left:
                found.append(None)
                found[-1] = json.loads(ask({what: left.pop(0)}))
    return found


def _verdicts(job: _Job, cells: list[Studied], whole: Plan) -> tuple[dict, list[CellRun]]:
    """(item -> its verdict, where it has an answer; the steps that end no child). A new child takes what is left."""
    steps, done, again = whole.steps, {}, []
    while any(not step.source for step in steps):
        before, errors = len(done), {}
        try:
            with job.child(step.source for step in steps) as ask:
                for step in steps:
                    name = step.items[0]
                    if step.source:
                        error = wire.error(ask({"source": step.source}))
                        errors.update(dict.fromkeys(cells[step.number].defines or step.items, error))
                    elif name not in done or not done[name].holds:
                        verdict = job.check(ask, name, errors.get(name))
                        if errors.get(name) and not verdict.holds:
                            job.remarks.append(f"{name}: in its cell, a line stops: {': '.join(errors[name])}")
                        if name in done and verdict.holds:
                            job.remarks.append(f"{name}: it does not hold at its check, but below, where it is defined "
                                               "again")
                        done[name] = verdict if verdict.holds else done.get(name, verdict)
            return done, steps
        except Ended as ended:
            if str(ended) == "process died" and len(done) > before and step not in again:
                again.append(step)                          # perhaps what was checked before ended the child
            else:
                for name in step.items:
                    done.setdefault(name, Verdict(name, str(ended), 0, job.exercise.item(name).points))
                steps = [other for other in steps if other is not step]
        steps = [step for step in steps if step.source or step.items[0] not in done]
    return done, steps


def _follow_through(job: _Job, wrong: list[str], right, whole: Plan, steps: list[CellRun]) -> dict[str, list[str]]:
    """item -> the wrong items that it calls, for each item that holds with right versions of these.

    An item comes after those that it calls: of these, what has held so is not replaced. None gets a right version of
    its own.
    """
    found = {}
    for name in sorted(wrong, key=lambda name: len(whole.calls.get(name, ()))):
        causes = [other for other in whole.calls.get(name, ()) if other in wrong and other not in found
                  and name not in whole.calls.get(other, ())]
        if not causes:
            continue
        own = [step.source for step in steps if step.number in whole.own[name]]
        versions = [step.source for step in plan([*right], causes, {}).steps if step.source]
        with contextlib.suppress(Ended), job.child([*own, *versions]) as ask:
            for source in own:
                ask({"source": source})
            ask({"right": versions, "names": causes})
            if job.check(ask, name).holds:
                found[name] = causes
    return found


@contextlib.contextmanager
def limited(seconds: float):
    """TimeoutError in what takes more processor time, again and again until it ends; without a limit in a thread."""
    def stop(*_):
        raise TimeoutError(f"to judge it took more than {seconds:g} seconds")

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, 0.1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
