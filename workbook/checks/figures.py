"""Figure cells: the student's own result beside what it should look like. A figure cell never raises."""
import functools
import io
from collections.abc import Callable

import numpy as np

from workbook import palette, pictures
from workbook.checks import messages
from workbook.checks.quiet import isolated


def figure_cell(draw: Callable) -> Callable:
    """Wrap `draw(figure, student_function, ...)`: shows the picture, or says in one line why there is none yet.

    For tests, the `draw(...)` of the cell returns the matplotlib Figure, or raises.
    """
    def drawn(*functions, **options):
        from matplotlib import rc_context
        from matplotlib.figure import Figure

        with rc_context(palette.STYLE):
            figure = Figure(figsize=(9.0, 3.6), layout="constrained")      # not of pyplot: nothing is left open
            draw(figure, *map(_answering, functions), **options)
        return figure

    @functools.wraps(draw)
    def cell(*functions, **options) -> None:
        from matplotlib import rc_context

        picture, words = io.BytesIO(), (draw.__doc__ or draw.__name__).strip().partition("\n")[0]
        with isolated(), rc_context(palette.STYLE):
            try:
                figure = drawn(*functions, **options)
                figure.savefig(picture, format="png", dpi=150, metadata={"Software": None})
            except NotImplementedError as error:                     # a stub says what to write
                words = f"Not yet solved: {str(error) or 'write the function above, then run this cell again'}."
            except ModuleNotFoundError as error:
                words = f"No figure here: it needs the package {error.name}, which is not installed."
            except (Exception, SystemExit) as error:
                message = str(error).partition("\n")[0]
                words = f"No figure yet: {type(error).__name__}: {message}. Run the check above, which says more."
        if not picture.tell():
            messages.say(words)
        elif messages.shell() is None:
            messages.say(f"Figure: {words}")
        else:
            from IPython.display import HTML, display

            display(HTML(pictures.html(picture.getvalue(), words, width=round(100 * figure.get_figwidth()))))

    cell.draw = drawn
    return cell


def _answering(function):
    """The student's function. ValueError with its name where it returns None, also as one of several results."""
    def answered(*inputs, **options):
        answer = function(*inputs, **options)
        if answer is None or isinstance(answer, (tuple, list)) and any(part is None for part in answer):
            raise ValueError(f"nothing was returned by {getattr(function, '__name__', 'your function')}")
        return answer

    return functools.wraps(function)(answered) if callable(function) else function


def pair(figure, height="", *names, ink=palette.INK, titles=("yours", "what it should look like"), pad=None):
    """Two axes side by side on one scale: yours, and what it should look like.

    height, ink: the label of the vertical axis, and its colour. names: (text, colour) of lines, in a row below titles.
    """
    axes = figure.subplots(1, 2, sharex=True, sharey=True)
    axes[0].set_ylabel(height, color=ink)
    for ax, title in zip(axes, titles):
        pictures.name_above(ax, names)
        ax.set_title(title, pad=24 if names else pad)
    return axes


def checked(values, shape, finite=False, meaning=""):
    """The answer of the student's function as an array. ValueError with both shapes, and `meaning` of the right one."""
    values = np.asarray(values.detach() if hasattr(values, "detach") else values, dtype=float)
    if values.shape != shape:
        raise ValueError(f"got shape {values.shape}, expected {shape or 'one number'}{meaning}")
    if finite and not np.all(np.isfinite(values)):
        raise ValueError("got NaN or infinity, expected numbers")
    return values


def log_axis(axis, ticks=None):
    """A logarithmic axis with plain numbers at these ticks, or at 1, 2 and 5 times powers of ten; nothing between."""
    from matplotlib.ticker import FixedLocator, LogLocator, NullLocator

    axis.axes.set(**{f"{axis.axis_name}scale": "log"})
    places = FixedLocator(ticks) if ticks is not None else LogLocator(subs=(1.0, 2.0, 5.0))
    axis.set(major_locator=places, minor_locator=NullLocator(), major_formatter=lambda x, _: f"{x:g}")


def tensors(*arrays) -> list:
    """Arrays or numbers as float64 tensors."""
    import torch

    return [torch.tensor(array, dtype=torch.float64) for array in arrays]
