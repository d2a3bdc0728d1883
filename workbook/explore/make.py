"""The controls that several figures have, each a function of the figure: width, kernel, query and sample."""
from nwlab.kernels import KERNELS, get_kernel
from workbook.figures.controls import Control, dropdown, log_slider, pick, slider, switch
from workbook.language import say
from workbook.plots import kernel_name

__all__ = ["SAMPLE", "dropdown", "kernel", "log_slider", "of_sample", "pick", "query", "slider", "switch", "width"]


def query(figure, start: float | None = None) -> Control:
    """A slider over the queries; None starts left of the middle, with 41 % of them on its left."""
    queries = figure.scene.queries
    start = queries[int(len(queries) * 0.41)] if start is None else start
    return pick(say("query x"), queries, start, lambda x: f"{x:.2f}" if abs(x) < 100 else f"{x:.0f}", colour="query")


def width(start: float = 0.25, low: float = 0.02, high: float = 5, **style):
    """The width of the kernel, in units of the sample."""
    return lambda figure: log_slider(say("width σ"), start, low, high, figure.scene.sample.unit, colour="key", **style)


def kernel(figure, among=lambda kernel: kernel.has_width) -> Control:
    """A menu of the kernels `among` those in the list; it takes a reader's own kernel as one more."""
    names = [name for name, each in KERNELS.items() if among(each)]
    menu = dropdown(say("kernel"), [(kernel_name(KERNELS[name]), name) for name in names], "gaussian")

    def accept(value):
        kernel = get_kernel(value)
        if not among(kernel):
            raise ValueError(f"kernel: got {kernel.name!r}, expected one of {', '.join(map(repr, names))}")
        if KERNELS.get(kernel.name) == kernel:
            return kernel.name
        if kernel not in menu.values:
            taken = [getattr(value, "name", value) for value in menu.values].count(kernel.name)
            menu.labels.append(f"{kernel.name} ({taken + 1})" if taken else kernel.name)
            menu.values.append(kernel)
        return kernel

    menu.accept = accept
    return menu


def of_sample(make):
    """A control that draws the sample; there is none for a reader's own data."""
    return lambda figure: None if figure.scene.sample.fixed else make(figure)


SAMPLE = {"n": of_sample(lambda _: slider("n", 50, 5, 200, 1)),
          "noise": of_sample(lambda _: slider(say("noise"), 0.5, 0.0, 2.0, 0.05)),
          "seed": of_sample(lambda _: slider(say("seed"), 0, 0, 30, 1))}
