"""Figure cells: the student's own result beside what it should look like. A figure cell never raises."""
import copy
import functools
import inspect
import io
from collections.abc import Callable

import numpy as np

from workbook import palette, pictures
from workbook.checks import messages
from workbook.checks.item import count
from workbook.checks.quiet import isolated
from workbook.checks.values import describe, show


def figure_cell(draw: Callable, exercise) -> Callable:
    """Wrap `draw(figure, student_function, ...)`: shows the picture, or says in one line why there is none yet.

    The functions have the names of items, and come as `Asked`. For tests, the `draw(...)` of the cell returns the
    matplotlib Figure, or raises.
    """
    _, *asked = inspect.signature(draw).parameters.values()
    items = [exercise.item(one.name) for one in asked if one.default is one.empty]

    def drawn(*functions, **options):
        from matplotlib import rc_context
        from matplotlib.figure import Figure

        with rc_context(palette.STYLE):
            figure = Figure(figsize=(9.0, 3.6), layout="constrained")      # not of pyplot: nothing is left open
            draw(figure, *map(Asked, items, functions), **options)
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


class Asked:
    """A student's function, called by position with arrays and numbers: it gets copies, or tensors if its item is of
    torch, and its answer comes as an array or a tuple of arrays. `right` is the oracle, called in the same way.

    ValueError where anything but numbers is returned, or another shape or number of results than the oracle's.
    """

    def __init__(self, item, function):
        self.item, self.function, self._shapes = item, function, {}

    def right(self, *inputs):
        return describe(self.item.oracle(**dict(zip(self.item.arguments, inputs)))).plain()

    def __call__(self, *inputs):
        value, name = describe(self.function(*map(self._handed, inputs))), self.item.name
        parts = value.data if isinstance(value.data, tuple) else (value,)
        if bad := [part for part in parts if not part.numeric]:
            raise ValueError(f"got {show(bad[0])}, expected numbers from {name}")
        answer = value.plain()
        if not self.item.oracle:
            return answer
        known = tuple(x if isinstance(x, int) else np.shape(x) for x in inputs)
        if known not in self._shapes:
            right = self.right(*inputs)
            self._shapes[known] = [*map(np.shape, right)] if isinstance(right, tuple) else np.shape(right)
        shapes = self._shapes[known]
        if isinstance(shapes, tuple):
            return checked(answer, shapes, name)
        if not isinstance(answer, tuple) or len(answer) != len(shapes):
            raise ValueError(f"got {count(len(parts), 'result')}, expected {len(shapes)} from {name}")
        return tuple(map(checked, answer, shapes, [name] * len(shapes)))

    def _handed(self, x):
        if self.item.library != "torch" or not isinstance(x, (np.ndarray, np.generic)):
            return copy.copy(x)
        import torch

        return torch.tensor(x)


def both(height="", *names, **how):
    """Turns `draw(ax, function, ...)` into a figure of two sides: yours, and what it should look like. See `pair`."""
    def two_sided(draw):
        @functools.wraps(draw)
        def drawn(figure, *functions, **options):
            sides = functions, [function.right for function in functions]
            for ax, side in zip(pair(figure, height, *names, **how), sides):
                draw(ax, *side, **options)

        return drawn

    return two_sided


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


def checked(answer, shape, name, finite=False):
    """The answer of the student's function of that name. ValueError for another shape; one number may be in an array.

    finite: ValueError for NaN and infinity, too.
    """
    answer = np.squeeze(answer)[()] if shape == () else answer
    if np.shape(answer) != shape:
        raise ValueError(f"got shape {np.shape(answer)}, expected {shape or 'one number'} from {name}")
    if finite and not np.all(np.isfinite(answer)):
        raise ValueError(f"got NaN or infinity from {name}, expected numbers")
    return answer


def log_axis(axis, ticks=None):
    """A logarithmic axis with plain numbers at these ticks, or at 1, 2 and 5 times powers of ten; nothing between."""
    from matplotlib.ticker import FixedLocator, LogLocator, NullLocator

    axis.axes.set(**{f"{axis.axis_name}scale": "log"})
    places = FixedLocator(ticks) if ticks is not None else LogLocator(subs=(1.0, 2.0, 5.0))
    axis.set(major_locator=places, minor_locator=NullLocator(), major_formatter=lambda x, _: f"{x:g}")
