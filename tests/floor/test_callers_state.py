"""What belongs to the caller changes no answer: NumPy's errors, torch's defaults, a matplotlibrc, the working
directory. All of it is set at once."""
import copy
import io
import itertools
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

DATA, PLANE = nwlab.make_regression(n=60), np.random.default_rng(0).uniform(0, 5, (60, 2))
TENSOR, MODULE = torch.tensor(DATA.keys).float(), LearnedWidth(0.5)


def answers() -> dict:
    """Everything that a caller's state could reach, by name."""
    found, samples = {}, (np.linspace(-90, 90, 700), PLANE, TENSOR, [0, 1, 9, 200])
    for name, points in itertools.product(("gaussian", "exponential", "tricube"), samples):
        for what, estimate in estimates(name).items():
            found[name, what, type(points), len(points)] = estimate(points, points, points, 0.05)
    found["constant"] = nwlab.nadaraya_watson(PLANE, PLANE, PLANE, kernel="constant")
    found["loo"] = nwlab.select_bandwidth(DATA.keys, DATA.values)
    found["scott"] = nwlab.select_bandwidth(DATA.keys, rule="scott")
    found["whole"] = nwlab.nadaraya_watson(*[torch.tensor([1, 2, 3], device="cpu")] * 3)
    found["augmented"] = np.concatenate(augmented(PLANE, PLANE, bandwidth=1e-3))
    found["fit"] = fit(copy.deepcopy(MODULE), DATA, epochs=5, seed=3).parameters["w"]
    data = nwlab.from_arrays(DATA.keys, DATA.values, key_name="from $ to $ in 价格", value_name="$_{😀")
    with matplotlib.rc_context():
        plots.use_style()
        fig, ax = plt.subplots()
        plots.fit(ax, data, data.queries)
        fig.savefig(io.BytesIO(), format="png")
        found["plot"] = pictures.in_words(fig)
        plt.close(fig)
        for figure in (explore.width, explore.two_classes):
            found[figure] = figure(data=data)._repr_mimebundle_()["text/plain"]
    return found


@pytest.mark.filterwarnings("ignore:Glyph", "ignore::nwlab.EmptyWindowWarning", "ignore::UserWarning:nwlab.bandwidth")
def test_no_state_of_the_caller_changes_an_answer(monkeypatch, tmp_path):
    expected, dtype = answers(), torch.get_default_dtype()
    monkeypatch.chdir(tmp_path)
    try:
        torch.set_default_dtype(torch.float64)
        with np.errstate(all="raise"), matplotlib.rc_context({"text.usetex": True}), torch.device("meta"):
            found = answers()
    finally:
        torch.set_default_dtype(dtype)
    assert found.keys() == expected.keys() and "from $ to $ in 价格" in found["plot"]
    for name, answer in expected.items():
        assert getattr(found[name], "dtype", None) == getattr(answer, "dtype", None), name
        np.testing.assert_array_equal(np.asarray(found[name]), np.asarray(answer), err_msg=str(name))


def test_a_terminal_that_has_only_ascii_gets_other_signs(monkeypatch):
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    warm_up.progress()
    sys.stdout.seek(0)
    assert "  . differences " in sys.stdout.read()
