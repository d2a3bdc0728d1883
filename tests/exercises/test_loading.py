"""Loading the exercises costs little: nothing heavy is loaded, and no problem is drawn."""
import json
import subprocess
import sys

HEAVY = {"torch", "matplotlib", "IPython", "ipywidgets", "scipy"}
CODE = """
import json, numpy, sys
rng, drawn = numpy.random.default_rng, []
numpy.random.default_rng = lambda *seed: drawn.append(seed) or rng(*seed)
from workbook.exercises import *
print(json.dumps([len(drawn), list(sys.modules)]))
"""


def test_loading_the_exercises_loads_nothing_heavy_and_draws_nothing():
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, check=True)
    drawn, modules = json.loads(done.stdout)
    assert {"workbook.exercises.warm_up.items", "workbook.exercises.how_sure.figures"} <= set(modules)
    assert not HEAVY & set(modules) and not drawn
