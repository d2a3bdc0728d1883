"""Figure cells: the student's own result beside what it should look like. A figure cell never raises."""
import functools
import inspect
import io
import re
from collections.abc import Callable

import numpy as np

from workbook import palette, pictures
from workbook.checks import messages
from workbook.checks.quiet import isolated
from workbook.checks.run import handed
from workbook.checks.values import describe, show
from workbook.language import say, say_count


def figure_cell(draw: Callable, exercise) -> Callable:
    """Wrap `draw(figure, student_function, ...)`: shows the picture, or says in one line why there is none yet.

    The functions have the names of items, and come as `Asked`. For tests, the `draw(...)` of the cell returns the
    matplotlib Figure, or raises.
    """
    words = say((draw.__doc__ or draw.__name__).strip().partition("\n")[0])
    _, *asked = inspect.signature(draw).parameters.values()
    items = [exercise.item(one.name) for one in asked if one.default is one.empty]

    def drawn(*functions, **options):
        from matplotlib import rc_context
        from matplotlib.figure import Figure

        with rc_context(palette.style() | palette.LETTERS):
            figure = Figure(figsize=(pictures.WIDEST, 3.6), layout="constrained")     # not of pyplot: none is left open
            draw(figure, *map(Asked, items, functions), **options)
        return figure

    @functools.wraps(draw)
    def cell(*functions, **options) -> None:
        from matplotlib import rc_context

        picture = io.BytesIO()
        try:
            with isolated(), rc_context(palette.style() | palette.LETTERS):
                figure = drawn(*functions, **options)
                figure.savefig(picture, format="png", dpi=150, metadata={"Software": None})
        except ModuleNotFoundError as error:
            messages.tell(say("No figure here: it needs the package {name}, which is not installed.", name=error.name))
        except (Exception, SystemExit) as error:
            stub = re.fullmatch(r"(?:write (\w+), .*)?", str(error)) if isinstance(error, NotImplementedError) else None
            messages.tell(say("Not yet solved: write {name}, then run this cell again.", name=stub[1] or items[0].name)
                          if stub else
                          say("No figure yet: {error}: {message}. Run the check above, which says more.",
                              error=type(error).__name__, message=str(error).partition("\n")[0]))
        else:
            if messages.shell() is None:
                messages.tell(say("Figure: {words}", words=words))
                return
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
        self.item, self.function, self._answers = item, function, {}   # shapes of inputs -> the right answer for such

    def right(self, *inputs):
        return describe(self.item.oracle(**dict(zip(self.item.arguments, inputs)))).plain()

    def __call__(self, *inputs):
        value, name = describe(self.function(*(handed(self.item, x) for x in inputs))), self.item.name
        parts = value.data if isinstance(value.data, tuple) else (value,)
        if bad := [part for part in parts if not part.numeric]:
            raise ValueError(say("got {answer}, expected numbers from {name}", answer=show(bad[0]), name=name))
        answer = value.plain()
        if not self.item.oracle:
            return answer
        known = tuple(x if isinstance(x, int) else np.shape(x) for x in inputs)
        if known not in self._answers:
            self._answers[known] = self.right(*inputs)
        right = self._answers[known]
        if not isinstance(right, tuple):
            return checked(answer, np.shape(right), name)
        if not isinstance(answer, tuple) or len(answer) != len(right):
            raise ValueError(say_count("got {n} result, expected {all} from {name}", "got {n} results, expected {all} "
                                       "from {name}", len(parts), all=len(right), name=name))
        return tuple(checked(got, np.shape(one), name) for got, one in zip(answer, right))


SIDES = say("yours"), say("what it should look like")


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


def pair(figure, height="", *names, ink=palette.INK, titles=SIDES):
    """Two axes side by side on one scale: yours, and what it should look like.

    height, ink: the label of the vertical axis, and its colour. names: (text, colour) of lines, in a row below titles.
    """
    axes = figure.subplots(1, 2, sharex=True, sharey=True)
    axes[0].set_ylabel(height, color=ink)
    for ax, title in zip(axes, titles):
        pictures.name_above(ax, names)
        ax.set_title(title, pad=24 if names else None)
    return axes


def checked(answer, shape, name, finite=False):
    """The answer of the student's function of that name. ValueError for another shape; one number may be in an array.

    finite: ValueError for NaN and infinity, too.
    """
    answer = np.squeeze(answer)[()] if shape == () else answer
    if np.shape(answer) != shape:
        raise ValueError(say("got shape {got}, expected {shape} from {name}", got=np.shape(answer),
                             shape=shape or say("one number"), name=name))
    if finite and not np.all(np.isfinite(answer)):
        raise ValueError(say("got NaN or infinity from {name}, expected numbers", name=name))
    return answer


def log_axis(axis, ticks=None):
    """A logarithmic axis with plain numbers at these ticks, or at 1, 2 and 5 times powers of ten; nothing between."""
    from matplotlib.ticker import FixedLocator, LogLocator, NullLocator

    axis.axes.set(**{f"{axis.axis_name}scale": "log"})
    places = FixedLocator(ticks) if ticks is not None else LogLocator(subs=(1.0, 2.0, 5.0))
    axis.set(major_locator=places, minor_locator=NullLocator(), major_formatter=lambda x, _: f"{x:g}")
