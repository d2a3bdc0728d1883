"""Loading one exercise costs little: nothing heavy is loaded, and no problem is drawn."""
import json
import subprocess
import sys

import pytest

from workbook import exercises

HEAVY = {"torch", "matplotlib", "IPython", "ipywidgets", "scipy"}
CODE = """
import json, numpy, sys
rng, drawn = numpy.random.default_rng, []
numpy.random.default_rng = lambda *seed: drawn.append(seed) or rng(*seed)
import workbook.exercises.{name}
print(json.dumps([len(drawn), list(sys.modules)]))
"""


@pytest.mark.parametrize("name", exercises.NAMES)
def test_loading_an_exercise_loads_nothing_heavy_and_draws_nothing(name):
    done = subprocess.run([sys.executable, "-c", CODE.format(name=name)], capture_output=True, check=True)
    drawn, modules = json.loads(done.stdout)
    assert not HEAVY & set(modules) and not drawn
