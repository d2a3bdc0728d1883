"""ipywidgets 7, as Colab has it, shows widgets by another method than version 8. Here version 8 is made to do so, in a
program of its own, which shows as well that figures without learning need no torch; tests/frontends.py drives the real
one in a browser."""
import json
import subprocess
import sys

CODE = """
import json, sys, ipywidgets
from IPython.core.interactiveshell import InteractiveShell
from IPython.display import display
from IPython.utils.capture import capture_output

del ipywidgets.Widget._repr_mimebundle_
ipywidgets.Widget._ipython_display_ = lambda self, **kwargs: display({"text/plain": "its own words"}, raw=True)

from nwlab import explore, lesson

InteractiveShell.instance()
shown = {}
for make in (explore.width, explore.landscape, lambda: lesson.predict("00-width"), lambda: lesson.quiz("01-check")):
    with capture_output() as seen:
        widget = make()
        display(widget)
    output, = seen.outputs
    view = output.data["application/vnd.jupyter.widget-view+json"]
    assert view == {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}
    shown[type(widget).__name__] = {kind: len(value) for kind, value in output.data.items()}
print(json.dumps(shown), "torch" in sys.modules)
"""


def test_figures_and_questions_are_shown_with_what_stands_beside_them():
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    printed, torch = done.stdout.rsplit(maxsplit=1)
    shown = json.loads(printed)
    assert torch == "False"
    assert shown["Explorer"].keys() >= {"text/html", "text/plain"} and shown["Explorer"]["text/html"] > 10_000
    assert shown["Choice"].keys() >= {"text/html", "text/plain"} <= shown["Quiz"].keys()
    assert all(one["text/plain"] > 50 for one in shown.values())
