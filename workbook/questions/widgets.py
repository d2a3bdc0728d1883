"""How our widgets are shown, and how they are removed from page and memory when their cell runs again."""
from weakref import ref

import ipywidgets
from IPython import get_ipython
from IPython.display import display

_made: list[ref] = []                                               # all widgets, the latest last
_shown: dict[str, tuple[str, list[ipywidgets.Widget]]] = {}         # cell id -> (its latest run, the widgets made then)


class Shown:
    """A widget with an output for readers without a kernel in `_repr_mimebundle_`."""

    if not hasattr(ipywidgets.Widget, "_repr_mimebundle_"):
        def _ipython_display_(self, **kwargs):
            """For ipywidgets 7, as on Colab, whose own method leaves out the other outputs."""
            display(self._repr_mimebundle_(), raw=True)


def view(widget: ipywidgets.Widget) -> dict:
    """The output of a cell that shows this widget."""
    return {"application/vnd.jupyter.widget-view+json":
            {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}}


def replace_earlier_run(widget: ipywidgets.Widget) -> ipywidgets.Widget:
    """Close the widgets of earlier runs of this cell, if it has an id; remember this one, and return it."""
    _made[:] = [*map(ref, reversed(still_open())), ref(widget)]
    kernel = getattr(get_ipython(), "kernel", None)
    parent = kernel.get_parent() if kernel else {}              # the kernel in a browser tab takes no argument
    run, cell = parent.get("header", {}).get("msg_id"), parent.get("metadata", {}).get("cellId")
    if cell:
        last_run, widgets = _shown.get(cell, (run, []))
        if last_run != run:
            for old in widgets:
                close_all(old)
            widgets = []
        _shown[cell] = (run, [*widgets, widget])
    return widget


def still_open() -> list[ipywidgets.Widget]:
    """The widgets of this kernel that were not closed, the latest first."""
    return [widget for made in reversed(_made) if (widget := made()) is not None and widget.comm is not None]


def close_all(widget: ipywidgets.Widget) -> None:
    """Close a widget with its children, layout, style and channel, which are widgets too."""
    for child in getattr(widget, "children", ()):
        close_all(child)
    for part in filter(None, (getattr(widget, name, None) for name in ("layout", "style", "channel"))):
        part.close()
    ipywidgets.Widget.close(widget)


def tick(words: str, ticked: bool, change) -> None:
    """Show a box that is ticked or not; below it stands the HTML that change(ticked) returns, whenever it changes."""
    box = ipywidgets.Checkbox(ticked, description=words, indent=False, layout={"width": "auto"})
    below = ipywidgets.HTML()
    box.observe(lambda event: setattr(below, "value", change(event["new"])), "value")
    display(replace_earlier_run(ipywidgets.VBox([box, below])))
