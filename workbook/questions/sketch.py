"""A question that readers answer by drawing a line over empty axes; then it is compared with the truth."""
import html
import json
from pathlib import Path

import anywidget
import numpy as np
import traitlets
from matplotlib.ticker import LogLocator, MaxNLocator

from workbook.language import program, say
from workbook.questions import kept
from workbook.questions.pieces import SHEET
from workbook.questions.questions import Question, inline
from workbook.questions.widgets import Shown, view

COLUMNS = 61                            # places from left to right at which a line has a height
ROOM = 0.12                             # margin above and below, as a share of the range of heights
SCRIPT = Path(__file__).with_name("sketch.js").read_text(encoding="utf-8")


class Sketch(Shown, anywidget.AnyWidget):
    """Empty axes; the page draws the line and judges it. `given`: its verdicts so far."""

    _esm = program(f"""{SCRIPT}
export default {{ render: ({{ model, el }}) => sketch(el, model.get("about"), (verdict) => {{
  model.set("given", [...model.get("given"), verdict]);
  model.save_changes();
}}) }};""")
    _css = SHEET
    about = traitlets.Dict().tag(sync=True)
    given = traitlets.List().tag(sync=True)

    def __init__(self, question: Question, x, y, points=None, log: bool = False):
        """x, y: the truth (n,), x ascending. points: (x, y) of dots that are shown at once. log: logarithmic x."""
        self.question = question
        super().__init__(about=axes_of(question, x, y, points, log))

    @traitlets.observe("given")
    def _keep(self, change) -> None:
        kept.keep_answer(self.question.name, change.new[-1])

    def _repr_mimebundle_(self, **kwargs):
        """The live question, the data with which pages without a kernel show it, and the question in words."""
        data = html.escape(json.dumps(self.about, ensure_ascii=False, sort_keys=True))
        title = say("Sketch")
        return {**view(self), "text/plain": f"{title}. {self.question.as_text()}",
                "text/html": f'<div class="wb-sketch" data-sketch="{data}">{self.question.as_html(title)}</div>'}


def axes_of(question: Question, x, y, points=None, log: bool = False) -> dict:
    """What the page needs: heights from 0 to 1 at equal steps along x, and so on. ValueError for unfit input."""
    if not question.axes:
        raise ValueError(f"question: got {question.name!r}, which has no axes, expected one with a line '~ across, up'")
    x, y = np.asarray(x, float), np.asarray(y, float)
    if x.ndim != 1 or x.shape != y.shape or not np.all(np.isfinite([x, y])) or not np.all(np.diff(x) > 0):
        raise ValueError(f"x, y: got shapes {x.shape} and {y.shape}, expected finite numbers (n,) in both, x ascending")
    dots = np.array(points if points is not None else [[], []], float)
    along, back = (np.log, np.exp) if log else (np.asarray, np.asarray)
    low, high = np.min([*y, *dots[1]]), np.max([*y, *dots[1]])
    room = ROOM * (high - low)
    low, high = float(low - room), float(high + room)
    begin, end = along(x[0]), along(x[-1])
    places = np.linspace(begin, end, COLUMNS)
    heights = np.interp(places, along(x), (y - low) / (high - low))
    dots = np.column_stack([(along(dots[0]) - begin) / (end - begin), (dots[1] - low) / (high - low)])
    across = LogLocator(numticks=6) if log else MaxNLocator(5)
    ticks = [[((along(tick) - begin) / (end - begin), _short(tick)) for tick in across.tick_values(x[0], x[-1])],
             [((tick - low) / (high - low), _short(tick)) for tick in MaxNLocator(4).tick_values(low, high)]]
    ticks = [[[round(float(at), 4), words] for at, words in axis if -1e-6 < at < 1 + 1e-6] for axis in ticks]
    head = f"<div class='wb-ask-title'>{say('Sketch')}</div><div>{inline(question.text)}</div>"
    return {"head": head, "why": inline(question.why),
            "truth": heights.round(4).tolist(), "xs": [_short(each) for each in back(places)],
            "low": float(f"{low:.6g}"), "high": float(f"{high:.6g}"),     # more digits differ between processors
            "dots": dots.round(4).tolist(), "ticks": ticks, "names": [html.escape(name) for name in question.axes]}


def _short(x: float) -> str:
    return f"{float(f'{x:.3g}'):g}".replace("-", "−")
