"""`import nwlab`, or the exercises, brings nothing heavy; what a name needs comes when it is used."""
import inspect
import subprocess
import sys

import nwlab

HEAVY = ["torch", "matplotlib", "ipywidgets", "ipympl", "IPython", "array_api_compat.numpy", "pandas", "scipy",
         "statsmodels"]


def modules_after(code: str) -> set[str]:
    command = [sys.executable, "-c", f"import sys\n{code}\nprint(*sys.modules)"]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


def test_importing_loads_nothing_heavy_and_adds_few_modules_to_numpy():
    """A clock would fail on a busy machine; the number of modules is what the time is spent on."""
    loaded = modules_after("import nwlab")
    assert "numpy" in loaded and not loaded & set(HEAVY)
    extra = {name for name in loaded - modules_after("import numpy") if not name.startswith("nwlab")}
    assert len(extra) <= 12, extra
    loaded = modules_after("import nwlab\nd = nwlab.make_regression(n=600)\nk, v = d.keys, d.values\n"
                           "nwlab.nadaraya_watson(k, k, v)\nnwlab.select_bandwidth(k[:9], v[:9])")
    assert not loaded & {"torch", "matplotlib", "ipywidgets"}, "an estimate of NumPy arrays needs none of them"


def test_loading_the_exercises_loads_nothing_heavy_and_draws_no_problem():
    loaded = modules_after("import numpy\nnumpy.random.default_rng = None\nfrom workbook.exercises import *")
    assert {"workbook.exercises.warm_up.items", "workbook.exercises.how_sure.figures"} <= loaded
    assert not loaded & {"torch", "matplotlib", "IPython", "ipywidgets", "scipy"}


def test_every_public_name_is_there_and_explained():
    for name in nwlab.__all__:
        thing = getattr(nwlab, name)
        assert name == "KERNELS" or (thing.__doc__ and thing.__module__.startswith("nwlab.")), name


def test_only_points_and_values_are_given_by_position():
    for name in set(nwlab.__all__) - {"EmptyWindowWarning", "KERNELS", "Kernel", "RegressionData"}:
        parameters = inspect.signature(getattr(nwlab, name)).parameters.values()
        by_position = {p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD}
        assert name.startswith("make") or by_position <= {
            "queries", "keys", "values", "weights", "noise", "scores", "mask", "path", "key", "value"}, name
