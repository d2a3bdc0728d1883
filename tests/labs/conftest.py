"""Trainings that are interrupted."""
import pytest


@pytest.fixture
def interrupted(monkeypatch):
    """interrupted(lab, loss, steps, **options): `lab.train`, whose loss of that name is interrupted after the steps."""
    def train(lab, loss: str, steps: int, **options):
        measure, calls = getattr(lab, loss), iter(range(steps + 1))

        def until_interrupted(*arguments):
            if next(calls, None) is None:
                raise KeyboardInterrupt
            return measure(*arguments)

        monkeypatch.setattr(lab, loss, until_interrupted)
        run = lab.train(**options)
        assert run.history.interrupted and run.history.steps == steps and "interrupted" in repr(run)
        return run

    return train
