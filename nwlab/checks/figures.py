"""Figure cells: the student's own result beside what it should look like. A figure cell never raises."""
import functools
import io
import re
import struct
from collections.abc import Callable

import numpy as np

from nwlab import palette
from nwlab.checks import messages
from nwlab.checks.quiet import undisturbed
from nwlab.checks.run import home_of, told

SIZE = (9.0, 3.6)


def figure_cell(exercise, draw: Callable) -> Callable:
    """Wrap `draw(figure, student_function, ...)`: shows the picture, or says in one line why there is none yet.

    Its `draw(...)` returns the matplotlib Figure, or raises: for tests.
    """
    @functools.wraps(draw)
    def cell(*functions, **options) -> None:
        picture, words = None, (draw.__doc__ or draw.__name__).strip().partition("\n")[0]
        with undisturbed():
            try:
                picture = _png(_drawn(draw, functions, options))
            except NotImplementedError as error:
                words = _not_yet(exercise, error, functions)
            except (Exception, SystemExit) as error:
                words = _what_failed(error, functions)
        if picture:
            _show(picture, words)
        else:
            print(words)

    cell.draw = lambda *functions, **options: _drawn(draw, functions, options)
    return cell


def pair(figure, pad=8, titles=("yours", "what it should look like")):
    """Two axes side by side on one scale: yours, and what it should look like. pad: points below the titles."""
    axes = figure.subplots(1, 2, sharex=True, sharey=True)
    for ax, title in zip(axes, titles):
        ax.set_title(title, pad=pad)
    return axes


def numbers(values, shape, finite=False, meaning=""):
    """What the student's function gave, as numbers. ValueError with both shapes, and what the right one means."""
    values = np.asarray(values, dtype=float)
    if values.shape != shape:
        raise ValueError(f"got shape {values.shape}, expected {shape or 'one number'}{meaning}")
    if finite and not np.all(np.isfinite(values)):
        raise ValueError("got NaN or infinity, expected numbers")
    return values


def tensors(*arrays) -> list:
    """Arrays or numbers as float64 tensors."""
    import torch

    return [torch.tensor(array, dtype=torch.float64) for array in arrays]


def name_lines(figure, height, *words):
    """What is measured upwards, and above each of the axes the names of its lines: (text, colour)."""
    from nwlab.plots import name_above

    figure.axes[0].set_ylabel(height)
    for ax in figure.axes:
        name_above(ax, words)


def _drawn(draw, functions, options):
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with matplotlib.rc_context(palette.STYLE):
        figure = Figure(figsize=SIZE, layout="constrained")      # not of pyplot: nothing is left open
        FigureCanvasAgg(figure)
        draw(figure, *functions, **options)
    return figure


def _png(figure) -> bytes:
    import matplotlib

    buffer = io.BytesIO()
    with matplotlib.rc_context(palette.STYLE):
        figure.savefig(buffer, format="png", dpi=150, metadata={"Software": None})
    return buffer.getvalue()


def _show(picture: bytes, words: str) -> None:
    if messages.shell() is None:
        print(f"Figure: {words}")
        return
    from IPython.display import Image, display

    width, = struct.unpack(">I", picture[16:20])
    display(Image(picture, width=round(width * 100 / 150), alt=words))


def _not_yet(exercise, error, functions) -> str:
    known, named = [item.name for item in exercise.items], re.findall(r"write (\w+)", str(error))
    named += [getattr(function, "__name__", "") for function in functions]
    name = next((name for name in named if name in known), "the function above")
    return f"Not yet solved: write {name}, then run this cell again."


def _what_failed(error, functions) -> str:
    homes = [home_of(function) for function in functions if callable(function)]
    failed = told(error, next((home for home in homes if home is not None), None))
    where = f" in {failed['where']}, in the line `{failed['line']}`" if failed["line"] else ""
    message = f": {failed['message'].splitlines()[0]}" if failed["message"] else ""
    return f"No figure yet: {failed['type']}{where}{message}. Run the check above, which says more."
