"""Pictures in a notebook with an alternative text.

JupyterLab and nbconvert drop an alternative text in an output's metadata. So pictures are shown as HTML, which keeps it
in JupyterLab, in exports and on the site.
"""
import base64
import html as escaping
import io
import math
import re
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from workbook.language import say


def html(png: bytes, words: str, width: int | None = None, beside: str = "", title: str = "", phone: bytes = b""):
    """A PNG as HTML. words: its alternative text. width: in pixels. beside: HTML that stands below it. title: above it.
    phone: the same, as wide as PHONE, for a narrow screen."""
    size = f' width="{width}"' if width else ""
    above = f'<p class="wb-headline"><b>{escaping.escape(title)}</b></p>' if title else ""
    below = f"<p>{beside}</p>" if beside else ""
    img = f'<img alt="{escaping.escape(words)}"{size} src="{_data(png)}">'
    if phone:
        source = f'<source media="(max-width: 600px)" width="{round(100 * PHONE)}" srcset="{_data(phone)}">'
        img = f"<picture>{source}{img}</picture>"
    return f'<div class="wb-picture">{above}{img}{below}</div>'


def _data(png: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(png).decode()}"


WIDEST = 8.3                            # inches, of 100 pixels: as wide as a picture is shown on a page of the site
PHONE = 5.2                             # on a phone, where it is shown at two thirds


def show_with_words() -> None:
    """Give every Matplotlib figure that this notebook shows from now on an alternative text, see `in_words`."""
    from IPython import get_ipython

    if shell := get_ipython():
        shell.display_formatter.ipython_display_formatter.for_type("matplotlib.figure.Figure", _show)


def _show(figure) -> None:
    from IPython.display import display
    from matplotlib import rcParams

    # Laid out as wide as it is shown, so that letters have one size on a page. A title of the whole,
    # without formulas, stands above it in letters of the page.
    figure.set_figwidth(min(figure.get_figwidth(), WIDEST))
    words, panels, ink = in_words(figure), _panels(figure), rcParams["text.color"]
    titles = [text for panel in panels for text in _titles(panel) if text.get_color() == ink]
    titles = [text for text in figure.texts if text.get_text() == figure.get_suptitle()] or titles
    above = [title for title in titles if len(titles) == 1 and "$" not in title.get_text()]
    for title in above:
        title.set_visible(False)
    (png, width), phone = _png(figure), b""
    if width > 100 * PHONE:
        with _narrow(figure, panels):
            phone, _ = _png(figure, dpi=150)            # still sharp at two thirds
    for title in above:
        title.set_visible(True)
    page = html(png, words, width, title=plain(" ".join(title.get_text() for title in above)), phone=phone)
    display({"text/html": page, "text/plain": words}, raw=True)


@contextmanager
def _narrow(figure, panels: list) -> Iterator[None]:
    """A figure as wide as a phone for a while: panels in a row stand in one column, four or more in two."""
    from matplotlib.gridspec import GridSpec

    size, places = figure.get_size_inches().copy(), [panel.get_subplotspec() for panel in panels]
    numbers = [panel.yaxis.get_tick_params().get("labelleft", True) for panel in panels]
    before = places[0].get_gridspec() if all(places) else None
    figure.set_figwidth(PHONE)
    if before and before.ncols > 1:
        columns = 1 if len(panels) < 4 else 2
        after = GridSpec(math.ceil(len(panels) / columns), columns, figure)
        for i, panel in enumerate(panels):
            panel.set_subplotspec(after[i])
            panel.tick_params(labelleft=numbers[i] or i % columns == 0)
        figure.set_figheight(size[1] * after.nrows / before.nrows)
    try:
        yield
    finally:
        figure.set_size_inches(size)
        for panel, place, has_numbers in zip(panels, places, numbers):
            if place:
                panel.set_subplotspec(place)
                panel.tick_params(labelleft=has_numbers)


def _png(figure, dpi: int = 200) -> tuple[bytes, int]:
    """A figure, and how wide it is: sharp, and small with 256 colours."""
    from IPython.core.pylabtools import print_figure
    from PIL import Image

    small = io.BytesIO()
    png = print_figure(figure, "png", bbox_inches="tight", pad_inches=0.02, dpi=dpi)
    picture = Image.open(io.BytesIO(png)).convert("RGB").quantize(256, dither=Image.Dither.NONE)
    picture.save(small, "PNG", optimize=True)
    return small.getvalue(), 100 * picture.width // dpi


def _panels(figure) -> list:
    return [panel for panel in figure.axes if panel.get_visible() and panel.get_label() != "<colorbar>"]


def _titles(panel) -> list:
    from matplotlib.text import Text

    said = {panel.get_title(loc=side) for side in ("left", "center", "right")} - {""}
    return [each for each in panel.get_children() if isinstance(each, Text) and each.get_text() in said]


def in_words(figure) -> str:
    """The alternative text of a figure: its label if `figure.set_label` gave it one, else what its panels show."""
    if figure.get_label():
        return figure.get_label()
    panels = [*map(_panel, _panels(figure))]
    if len(panels) > 1:
        panels = [say("{n} panels.", n=len(panels)), *(f"{i}: {words}" for i, words in enumerate(panels, start=1))]
    return plain("; ".join(filter(None, (figure.get_suptitle(), " ".join(panels)))))


def _panel(panel) -> str:
    title = " ".join(filter(None, map(panel.get_title, ("left", "center", "right"))))
    up, across = map(_axis, (panel.yaxis, panel.xaxis)) if panel.axison else ("", "")
    over = say("{up} against {across}", up=up, across=across) if up and across else up or across
    cells = [say("a heatmap of {size}", size=" × ".join(map(str, one.get_array().shape[:2])))
             for one in (*panel.images, *panel.collections)
             if getattr(one.get_array(), "ndim", 0) == 2 and not hasattr(one, "get_segments")]
    names = ", ".join(dict.fromkeys(_names(panel)))
    parts = [title, over, *cells[:1], say("shown: {names}", names=names) if names else ""]
    return "; ".join(filter(None, parts)) + "."


def _axis(axis) -> str:
    """The name of an axis, and its range."""
    to = axis.get_transform().transform
    low, high = sorted(to(axis.get_view_interval()))
    room = 1e-6 * (high - low)                          # for ticks at the ends, whose rounding differs
    ends = [text.get_text() for at, text in zip(to(axis.get_ticklocs()), axis.get_ticklabels())
            if low - room <= at <= high + room and text.get_text()]
    name = axis.get_label_text()
    if not ends:
        return name
    places = {"name": name or say("an axis"), "low": ends[0], "high": ends[-1]}
    if axis.get_scale() == "log":
        return say("{name} ({low} to {high}, logarithmic)", **places)
    return say("{name} ({low} to {high})", **places)


def _names(panel):
    """The words in a panel, in its legend and above it."""
    from matplotlib.text import Text

    boxes = [panel.get_legend(), *panel.artists]
    for text in (*panel.texts, *(text for box in boxes if box for text in box.findobj(Text))):
        if text.get_visible() and text.get_text().strip():
            yield " ".join(text.get_text().split())


def plain(words: str) -> str:
    """The words on one line, without Matplotlib's markup of formulas."""
    return " ".join(re.sub(r"\\(\$)|\\(?:mathdefault|mathrm|frac|cdot|,| )?|[${}]", r"\1", words).split())


def literal(words: str) -> str:
    """Words from a reader's data for Matplotlib, which takes text between two $ for a formula."""
    return words.replace("$", r"\$")


def name_above(ax, words):
    """A row of words above the axes, each in the colour of the line it names: [(text, colour), ...]."""
    from matplotlib.offsetbox import AnnotationBbox, HPacker, TextArea

    areas = [TextArea(text, textprops={"color": colour}) for text, colour in words]
    row = HPacker(children=areas, pad=0, sep=14)
    ax.add_artist(AnnotationBbox(row, (0, 1), (0, 3), "axes fraction", "offset points", box_alignment=(0, 0), pad=0,
                                 frameon=False))
    return ax


def name_ends(ax, names):
    """Names to the right of the last points of lines, one below the other: [(text, line), ...]. The axes are final."""
    places = [line.get_xydata()[np.isfinite(line.get_xydata()).all(axis=1)] for _, line in names]
    names, ends = [name for name, some in zip(names, places) if len(some)], [some[-1] for some in places if len(some)]
    if not names:
        return ax
    ends = np.clip(ends, *np.sort(np.transpose([ax.get_xlim(), ax.get_ylim()]), axis=0))
    heights = ax.transData.transform(ends)[:, 1] * 72 / ax.figure.dpi               # in points, as letters are
    order, steps = np.argsort(heights), 15 * np.arange(len(names))
    free = heights[order] - steps
    apart = (np.maximum.accumulate(free) + np.minimum.accumulate(free[::-1])[::-1]) / 2 + steps
    for i, height in zip(order, apart):
        ax.annotate(names[i][0], ends[i], (7, height - heights[i]), textcoords="offset points", va="center",
                    color=names[i][1].get_color(), annotation_clip=False)
    return ax
