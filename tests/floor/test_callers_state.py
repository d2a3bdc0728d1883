"""What belongs to the caller changes no answer: NumPy's errors, torch's defaults, a matplotlibrc, a terminal in ASCII,
the working directory. All of it is set at once."""
import copy
import io
import itertools
import os
import sys

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from floor.test_libraries import estimates

import nwlab
from nwlab.attention import LearnedWidth, augmented
from nwlab.training import fit
from workbook import explore, pictures, plots
from workbook.exercises import warm_up
from workbook.labs import in_context
from workbook.labs.in_context_yardstick import bayes_answers, kernel_errors

DATA, PLANE = nwlab.make_regression(n=60), np.random.default_rng(0).uniform(0, 5, (60, 2))
MANY = np.linspace(-90, 90, 700)
TENSOR, MODULE, LAYER = torch.tensor(DATA.keys).float(), LearnedWidth(0.5), in_context.InContextAttention(seed=0)


def answers(progress):
    """Everything that a caller's state could reach, by name."""
    found, samples = {}, (MANY, PLANE, TENSOR, [0, 1, 9, 200])
    for name, points in itertools.product(("gaussian", "exponential", "tricube"), samples):
        for what, estimate in estimates(name).items():
            found[name, what, type(points), len(points)] = estimate(points, points, points, 0.05)
    found["constant"] = nwlab.nadaraya_watson(PLANE, PLANE, PLANE, kernel="constant")
    found["loo"] = nwlab.select_bandwidth(DATA.keys, DATA.values)
    found["scott"] = nwlab.select_bandwidth(DATA.keys, rule="scott")
    found["whole"] = nwlab.nadaraya_watson(*[torch.tensor([1, 2, 3], device="cpu")] * 3)
    found["augmented"] = augmented(PLANE, PLANE, bandwidth=1e-3)
    module, tasks = copy.deepcopy(MODULE), in_context.draw_tasks(2, 9)
    found["fit"] = fit(module, DATA, epochs=5, seed=3).parameters["w"]
    found["tasks"] = [tasks.values, in_context.answers(LAYER, tasks).detach(), kernel_errors(tasks),
                      tasks.one(0).values, bayes_answers(tasks), in_context.leave_one_out_loss(LAYER, tasks).detach()]
    found["progress"] = progress()
    data = nwlab.from_arrays(DATA.keys, DATA.values, key_name="from $ to $ in 价格", value_name="$_{😀")
    with matplotlib.rc_context():
        plots.use_style()
        fig, ax = plt.subplots()
        plots.fit(ax, data, data.queries)
        fig.savefig(io.BytesIO(), format="png")
        found["words"] = [pictures.in_words(fig), *(figure(data=data)._repr_mimebundle_()["text/plain"]
                                                    for figure in (explore.width, explore.two_classes))]
        plt.close(fig)
    return found


@pytest.mark.filterwarnings("ignore:Glyph", "ignore::nwlab.EmptyWindowWarning", "ignore::UserWarning:nwlab.bandwidth")
def test_no_state_of_the_caller_changes_an_answer(monkeypatch, tmp_path):
    def progress():
        out = io.TextIOWrapper(io.BytesIO(), encoding="ascii" if np.geterr()["under"] == "raise" else "utf-8")
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", out)
            warm_up.progress()
        out.flush()
        return out.buffer.getvalue().decode()

    expected, (dtype, errors, folder) = answers(progress), (torch.get_default_dtype(), np.geterr(), os.getcwd())
    try:
        np.seterr(all="raise")
        torch.set_default_dtype(torch.float64)
        monkeypatch.chdir(tmp_path)
        with matplotlib.rc_context({"text.usetex": True}), torch.device("meta"):
            found = answers(progress)
    finally:
        np.seterr(**errors)
        torch.set_default_dtype(dtype)
    assert found.keys() == expected.keys() and "from $ to $ in 价格" in found["words"][0]
    assert found.pop("words") == expected.pop("words")
    for sign, few in zip("✓✗·", "+x."):
        expected["progress"] = expected["progress"].replace(sign, few)
    assert found.pop("progress") == expected.pop("progress")
    for name, answer in expected.items():
        both = [x if isinstance(x, (list, tuple)) else [x] for x in (found[name], answer)]
        for one, other in zip(*both, strict=True):
            assert getattr(one, "dtype", None) == getattr(other, "dtype", None), name
            np.testing.assert_array_equal(np.asarray(one), np.asarray(other), err_msg=str(name))
