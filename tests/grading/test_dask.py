"""A class on a Dask cluster of separate processes, one of which is killed in the middle."""
import os
import signal
from pathlib import Path

import pytest

from nwlab.course import COURSE
from workbook.grading import command, grade
from workbook.grading.collect import Submission

ROOT = Path(__file__).resolve().parents[2]


def test_a_worker_is_killed_in_the_middle_and_nothing_is_lost_or_repeated(box):
    distributed = pytest.importorskip("distributed")                    # here, as it is slow to import
    solved = (ROOT / "solutions/warm_up.ipynb").read_bytes()
    submissions = [Submission(f"student {i}", "warm_up", solved) for i in range(5)]
    settings, kept = grade.Settings(COURSE, str(ROOT / "exercises"), seed=2), []
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, \
            distributed.Client(cluster) as client:
        victim = next(iter(client.run(os.getpid).values()))

        def keep(result):
            kept.append(result)
            if len(kept) == 1:
                os.kill(victim, signal.SIGKILL)

        grade.grade(submissions, settings, command.executor_of(cluster.scheduler_address), keep)
    assert sorted(one.student for one in kept) == [one.student for one in submissions]
    assert {outcome.status for one in kept for outcome in one.outcomes} == {"passed"}
