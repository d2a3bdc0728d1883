"""The controls that several figures have: width, kernel, query and sample."""
import ipywidgets
import traitlets

from nwlab.kernels import KERNELS, get_kernel
from workbook.figures.controls import dropdown, log_slider, pick, play, slider, switch, values

__all__ = ["START", "dropdown", "kernel_choice", "log_slider", "pick", "play", "query_slider",
           "sample_controls", "slider", "switch", "values", "width_and_kernel"]

START = 0.41                                        # the query chosen first has this share of all queries on its left


def query_slider(queries, query: float | None = None) -> ipywidgets.SelectionSlider:
    """A slider over the queries; None starts a little left of the middle."""
    query = queries[int(len(queries) * START)] if query is None else query
    return pick("query x", queries, query, label=lambda x: f"{x:.2f}" if abs(x) < 100 else f"{x:.0f}", name="query")


def width_and_kernel(sigma: float | None, kernel, unit: float, start: float = 0.25) -> tuple[dict, dict]:
    """The width sigma (None: `start` units) and the kernel; and w = 1/sigma, a second slider that moves with it."""
    sigma = start * unit if sigma is None else sigma
    sigma_slider = log_slider("sigma", "width σ", sigma, 0.02 * unit, 5 * unit)
    sigmas = values(sigma_slider)
    last = len(sigmas) - 1
    w_slider = pick("w = 1/σ", [1 / x for x in reversed(sigmas)], 1 / sigma_slider.value, label="{:.3g}".format)
    traitlets.link((sigma_slider, "index"), (w_slider, "index"), transform=(lambda i: last - i, lambda i: last - i))
    return {"sigma": sigma_slider, "kernel": kernel_choice(kernel)}, {"_sigma": w_slider}


def kernel_choice(kernel="gaussian", among=lambda kernel: True) -> ipywidgets.Dropdown:
    """A menu of the kernels in the list, or of some `among` them; a reader's own kernel is one more."""
    kernel, names = get_kernel(kernel), [name for name, each in KERNELS.items() if among(each)]
    if KERNELS.get(kernel.name) == kernel:
        return dropdown("kernel", names, kernel.name)
    return dropdown("kernel", [*zip(names, names), (kernel.name, kernel)], kernel)


def sample_controls(sample, names=("n", "noise", "seed")) -> dict:
    """The controls that draw the sample: some of n, noise, seed and truth; none for a reader's own data."""
    if sample.fixed:
        return {}
    truths = [("2 sin x + x^0.8", "power"), ("2 sin x + x", "linear")]
    kinds = {
        "n": lambda: slider("n", 50, 5, 200, 1),
        "noise": lambda: slider("noise", 0.5, 0.0, 2.0, 0.05),
        "seed": lambda: slider("seed", 0, 0, 30, 1),
        "truth": lambda: dropdown("truth", truths, "power"),
    }
    return {name: kinds[name]() for name in names}
