"""Loading one exercise costs little: nothing heavy is loaded, no problem is drawn, and NumPy is the larger part."""
import json
import os
import subprocess
import sys

import pytest

from workbook import exercises

HEAVY = {"torch", "matplotlib", "IPython", "ipywidgets", "scipy"}
CODE = """
import json, sys, time
start = time.process_time()
import numpy
between, rng, drawn = time.process_time(), numpy.random.default_rng, []
numpy.random.default_rng = lambda *seed: drawn.append(seed) or rng(*seed)
import workbook.exercises.{name}
print(json.dumps([between - start, time.process_time() - between, len(drawn), list(sys.modules)]))
"""


@pytest.mark.parametrize("name", exercises.NAMES)
def test_loading_an_exercise_costs_little_beyond_numpy(name):
    """Processor time, 2.5 times NumPy's own, on any machine: three tries, as a busy one counts too much."""
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", CODE.format(name=name)], capture_output=True, check=True,
                              env=os.environ | {"PYTHONDONTWRITEBYTECODE": ""})             # to compile is no loading
        numpy_alone, beyond, drawn, modules = json.loads(done.stdout)
        assert not HEAVY & set(modules) and not drawn
        if beyond <= 2.5 * numpy_alone:
            return
    pytest.fail(f"{name}: {beyond:.2f} s of processor time beyond NumPy, which took {numpy_alone:.2f}")
