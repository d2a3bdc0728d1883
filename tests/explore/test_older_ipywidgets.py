"""ipywidgets 7, as Colab has it, shows widgets by another method than version 8. Here version 8 is made to do so, in a
program of its own, which shows as well that figures without learning need no torch; tests/frontends.py drives the real
one in a browser."""
import subprocess
import sys

CODE = """
import sys, ipywidgets
from IPython.core.interactiveshell import InteractiveShell
from IPython.display import display
from IPython.utils.capture import capture_output

del ipywidgets.Widget._repr_mimebundle_
ipywidgets.Widget._ipython_display_ = lambda self, **kwargs: display({"text/plain": "its own words"}, raw=True)

from workbook import explore, lesson

InteractiveShell.instance()
for make, beside in ((explore.width, 10_000), (explore.landscape, 10_000), (lambda: lesson.predict("00-width"), 100),
                     (lambda: lesson.quiz("01-check"), 100)):
    with capture_output() as seen:
        widget = make()
        display(widget)
    [data] = [output.data for output in seen.outputs]
    assert data["application/vnd.jupyter.widget-view+json"]["model_id"] == widget.model_id
    assert len(data["text/plain"]) > 50 and len(data["text/html"]) > beside
assert "torch" not in sys.modules
"""


def test_figures_and_questions_are_shown_with_what_stands_beside_them():
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
