"""Trainings that are interrupted."""
import pytest


@pytest.fixture
def interrupted(monkeypatch):
    """interrupted(lab, loss, steps, **options): the first steps of `lab.train`, interrupted in the middle of the next.

    loss: the name of the function in the lab that each step calls once.
    """
    def train(lab, loss: str, steps: int, **options):
        measure, calls = getattr(lab, loss), []

        def until_interrupted(*arguments):
            calls.append(1)
            if len(calls) == steps + 2:
                raise KeyboardInterrupt
            return measure(*arguments)

        monkeypatch.setattr(lab, loss, until_interrupted)
        run = lab.train(**options)
        assert run.history.interrupted and run.history.steps == steps and "interrupted" in repr(run)
        return run

    return train
