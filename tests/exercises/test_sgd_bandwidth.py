"""`workbook.exercises.sgd_bandwidth` beyond its answers: numbers of the text."""
import numpy as np

from workbook.exercises.sgd_bandwidth import figures, items


def test_what_the_text_says_of_the_runs():
    """The numbers that notebook and model answer name: 30 to 0.15, w = 4.93, errors 0.025, 0.028 and 0.31."""
    naive, left, far = (items.descend(np.log(w), *figures.drawn()[:2], leave_one_out, figures.RATE, figures.STEPS)
                        for w, leave_one_out in ((1.0, False), (1.0, True), (20.0, True)))
    losses = [items.loss(w, *figures.drawn()[:2]) for w in naive]
    assert round(losses[0]) == 30 and f"{losses[-1]:.2f}" == "0.15"
    assert np.all(np.diff(losses) < 0) and np.all(np.diff(naive) > 0)
    assert f"{left[-1]:.2f}" == f"{far[-1]:.2f}" == "4.93"
    errors, curve, (at_left,) = ([items.error(w, *figures.drawn()) for w in ws]
                                 for ws in (naive, figures.GRID, left[-1:]))
    assert f"{min(errors):.3f}" == "0.025" and f"{errors[-1]:.2f}" == "0.31" and round(errors[-1] / min(errors)) == 12
    assert f"{at_left:.3f}" == "0.028" and f"{min(curve):.3f}" == "0.025"
