"""The engine of every live figure: controls in, one state out, artists moved, one sentence said.

An explorer is a *scene* and some *controls*. The scene makes its artists once; `update(state)` moves them and returns
the sentence under the figure. The engine does the rest: layout for the room there is, frames, presets, reset, dragging,
keys, the static picture in the output, and closing the figure that a re-run cell replaces.
"""
import html
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace

import ipywidgets
import matplotlib
from matplotlib.figure import Figure

from workbook import pictures
from workbook.figures import controls as make
from workbook.figures.ahead import Ahead
from workbook.figures.canvas import Canvas
from workbook.figures.numbers import tables
from workbook.lesson.rerun import Shown, close_all, replace_earlier_run, view
from workbook.palette import STYLE


WIDE = 700                              # pixels from which on panels stand side by side
GRIP = 8                                # pixels around a panel that belong to it: grips stand at its edge


@dataclass(frozen=True)
class Layout:
    """Where the panels of a scene stand when at least `room` pixels are there.

    mosaic: a string a row, a word a column; a panel that spans rows or columns is named in all of them, "." is empty.
    columns, rows: how the room between the gaps is shared. All other numbers are pixels, so that letters and gaps keep
    their size in every room: left, bottom, right and top are the margins of the figure, gap_x and gap_y lie between
    panels and hold their labels. bare: panels so close above another with the same horizontal axis that they have no
    numbers below.
    """

    mosaic: tuple[str, ...]
    columns: tuple[float, ...]
    rows: tuple[float, ...]
    height: int
    room: int = 0
    left: int = 64
    right: int = 30
    top: int = 30
    bottom: int = 46
    gap_x: int = 76
    gap_y: int = 56
    bare: tuple[str, ...] = ()

    def stacked(self) -> "Layout":
        """The same panels one below the other, about as high as they were: for a phone."""
        names, boxes = dict.fromkeys(" ".join(self.mosaic).replace(".", "").split()), self.boxes(420)
        rows = tuple(min(max(round(self.height * boxes[name][3]), 130), 240) for name in names)
        return replace(self, mosaic=tuple(names), columns=(1,), rows=rows, bare=(), gap_y=72,
                       height=self.top + sum(rows) + 72 * (len(rows) - 1) + self.bottom)

    def boxes(self, width: int) -> dict[str, tuple[float, float, float, float]]:
        """Each panel's (left, bottom, width, height) as fractions of a figure `width` pixels wide."""
        xs = _edges(self.columns, self.left, width - self.right, self.gap_x)
        ys = _edges(self.rows, self.top, self.height - self.bottom, self.gap_y)          # from the top
        boxes = {}
        for name in self.panels:
            cells = [(i, j) for i, row in enumerate(self.mosaic) for j, each in enumerate(row.split()) if each == name]
            (i, j), (last_i, last_j) = min(cells), max(cells)
            x, y = xs[j][0], ys[last_i][1]
            boxes[name] = (x / width, 1 - y / self.height, (xs[last_j][1] - x) / width, (y - ys[i][0]) / self.height)
        return boxes

    @property
    def panels(self) -> list[str]:
        return sorted({name for row in self.mosaic for name in row.split()} - {"."})


def _edges(shares, start: float, stop: float, gap: float) -> list[tuple[float, float]]:
    unit = (stop - start - gap * (len(shares) - 1)) / sum(shares)
    starts = [start + unit * sum(shares[:i]) + gap * i for i in range(len(shares))]
    return [(start, start + share * unit) for start, share in zip(starts, shares)]


class Scene:
    """What a live figure draws. Subclass it: make artists in `__init__`, move them in `update`.

    sample: what can be drawn anew (see `Scene.show`). `new_sample` is called whenever it was, before `update`.
    work: a `Background` that goes on after `update`, if there is one. slow: controls behind which stands more than a
    frame's work, besides those that draw the sample; no state is prepared along them.
    figure and panels (name -> Axes, from the layouts) are made here. Declare every artist that moves with `move`; call
    `changed_background()` from `update` when something else changed (limits, ticks, titles). Pieces whose places depend
    on the size of their panel append a function to `when_placed`, those that show the sample themselves to `pieces`.

    `drags` says what a drag in a panel sets: {panel: function(scene, x, y)}. `keys` are the keys that `typed` answers,
    and `keyed` is the control that they move. unspoken: warnings that the sentence says, so that no frame warns.
    """

    layouts: tuple[Layout, ...] = ()
    label = "live figure"
    keys: tuple[str, ...] = ()
    keyed = ""
    longest = 450                                       # characters of the longest sentence, for which there is room
    slow: tuple[str, ...] = ()
    lesson_asks: tuple[dict, ...] = ()                  # states that a lesson sends to: a recording has them too
    unspoken: tuple[type[Warning], ...] = ()
    drags: dict[str, Callable] = {}
    work = None
    zooms = zoom = False                                # whether it has heatmaps, and whether their scale is zoomed now

    def __init__(self, sample=None):
        self.sample, self.when_placed, self.pieces = sample, [], []
        with matplotlib.rc_context(STYLE):
            self.figure = Figure(layout="none")
            self.panels = {name: self.figure.add_axes((0, 0, 1, 1), label=name) for name in self.layouts[0].panels}
        self.moving, self._seen = [], {}
        self._background_changed = False

    def move(self, *artists):
        """Declare artists that move; returns the last one, or the only one."""
        self.moving.extend(artists)
        return artists[-1]

    def changed(self, what: str, now) -> bool:
        """Whether `what` is another than at the last call, or the sample: what costs time is computed only then."""
        before, self._seen[what] = self._seen.get(what), now
        return before != now

    def changed_background(self) -> None:
        self._background_changed = True

    def place(self, width: int) -> int:
        """Lay the panels out for `width` pixels; returns the height in pixels."""
        width = max(340, min(1120, width))
        layout = max((layout for layout in self.layouts if layout.room <= width), key=lambda layout: layout.room)
        if width < 480:
            layout = layout.stacked()
        self.figure.set_size_inches(width / 100, layout.height / 100)
        boxes = layout.boxes(width)
        for name, panel in self.panels.items():
            panel.set_visible(name in boxes)
            if name in boxes:
                panel.set_position(boxes[name])
                panel.apply_aspect()
                across = panel.get_position().width * width
                panel.yaxis.set_label_coords(-49 / across, 0.5)         # in their place, whatever the ticks say
        for name in {name for each in self.layouts for name in each.bare}:
            self.panels[name].tick_params(labelbottom=name not in layout.bare)
        for place in self.when_placed:
            place()
        self.placed(layout)
        return layout.height

    def placed(self, layout: Layout) -> None:
        """Called when the panels have been laid out; for what depends on their size in pixels."""

    def show(self, state: dict) -> str:
        """Draw a new sample if `state` wants one, then `update`."""
        with warnings.catch_warnings():
            for each in self.unspoken:
                warnings.simplefilter("ignore", each)
            if self.sample is not None and self.sample.draw(state):
                self._seen.clear()
                self.new_sample()
                self.changed_background()
            self.zoom = state.get("zoom", False)
            return self.update(state)

    def new_sample(self) -> None:
        """Show what depends on nothing but the sample."""

    def update(self, state: dict) -> str:
        """Move the artists to show `state`; returns the sentence (HTML) that says what is seen."""
        raise NotImplementedError

    def numbers(self) -> list[dict]:
        """What is shown, as tables (see `numbers`); for a scene whose artists do not tell it, to write anew."""
        return tables(self.panels.values())

    def dragged(self, panel: str | None, x: float, y: float, state: dict) -> dict | None:
        """What a drag or click at data coordinates (x, y) of a panel changes: {control: value}, or None."""
        return self.drags[panel](self, x, y) if panel in self.drags else None

    def hovered(self, panel: str | None, x: float, y: float, state: dict) -> dict | None:
        """The same for the pointer passing over without being pressed."""

    def typed(self, key: str, state: dict) -> dict | None:
        """The same for a key listed in `keys`, pressed while the figure has the focus."""


class Explorer(Shown):
    """A live figure in a notebook: controls and buttons above, the figure, one sentence below.

    `explorer.state` is the value of every control by name; `explorer.set(sigma=0.2)` sets some of them as a slider
    would, `explorer.reset()` sets all to where they began, `explorer.sentence` is what the figure says now.
    """

    def __init__(self, scene: Scene, controls: dict[str, ipywidgets.Widget], more: dict | None = None,
                 presets: dict[str, dict] | None = None, hidden: dict | None = None):
        """controls: the few that matter, by name; more: those that a button unfolds, first of all those of the data.

        hidden: state without a control of its own, such as what can only be dragged.
        """
        self.comm = None                                # so that close() is safe should anything below fail
        if scene.zooms:
            more = {**(more or {}), "zoom": make.switch("zoom colour")}
        self.scene, self.more = scene, list(more or {})
        self.controls = {**controls, **(more or {})}
        self._hidden, self._extra, presets = dict(hidden or {}), dict(hidden or {}), presets or {}
        self._start, self._held, self._pending = self.state, False, True
        self._grabbed: str | None = None                # the panel in which the pointer went down
        label = scene.label
        if scene.keyed in self.controls:
            arrows = " and ".join(key.removeprefix("Arrow").lower() for key in scene.keys)
            label += f". The {arrows} arrow keys move {self.controls[scene.keyed].description}."
        self.canvas = Canvas(scene.figure, label=label, handled_keys=list(scene.keys), longest=scene.longest,
                             height=scene.place(900))
        self.canvas.moving, self.canvas.on_resize = scene.moving, self._place
        self.canvas.on_pointer, self.canvas.on_key = self._pointer, self._key
        self.canvas.before_frame, self.canvas.which = self._settle, self._which
        self.canvas.numbers = self.numbers
        self.canvas.hovers = type(scene).hovered is not Scene.hovered
        self.canvas.controls = [[name, self.controls[name].model_id] for name in self._named]
        self.canvas.players = [one.model_id for one in self.controls.values() if isinstance(one, ipywidgets.Play)]
        self.canvas.twins = [[name, twin.model_id, len(twin.options) - 1] for name, twin in make.twins(self.controls)]
        self._ahead = Ahead(self)
        self.canvas.at_rest = self._ahead.begin
        for name in self.state.keys() & self.controls.keys():
            self.controls[name].observe(lambda _, name=name: self._changed(name), names="value")
        for values in presets.values():
            self._check(values)
        self.buttons = [_button(name, lambda _, values=values: self.set(**{**self._start, **values}))
                        for name, values in presets.items()]
        self.buttons.append(_button("reset", lambda _: self.reset(), icon="undo"))
        fold = [ipywidgets.ToggleButton(description=self.more_name, layout={"width": "auto"})] if more else []
        boxes = [(controls.values(), "wb-controls"), ([*self.buttons, *fold], "wb-buttons")]
        if more:                                        # shown while the button is pressed: see canvas.css
            fold[0].add_class("wb-fold")
            boxes.append((more.values(), "wb-more"))
        super().__init__([*(_box(*box) for box in boxes), self.canvas], layout={"width": "100%"})
        self.add_class("wb-figure")
        if scene.work is not None:
            scene.work.serve(self)
        replace_earlier_run(self)

    @property
    def state(self) -> dict:
        """The value of every control; a name with a leading underscore is another face of one of them (w of sigma)."""
        return {name: control.value for name, control in self.controls.items() if name[0] != "_"} | self._extra

    @property
    def more_name(self) -> str:
        """What the folded controls are called: data where they draw the sample."""
        data = {name in getattr(self.scene.sample, "drawn_by", ()) for name in self.more}
        return " and ".join([*["data"] * (True in data), *["more"] * (False in data)])

    @property
    def sentence(self) -> str:
        """The sentence under the figure, as plain text."""
        self._finish()
        return plain(self.canvas.sentence)

    def numbers(self) -> list[dict]:
        """What the figure shows now, as tables: {caption, head, rows} each, in words."""
        with self.canvas.lock:
            self._settle()
            return self.scene.numbers()

    def set(self, **values) -> None:
        """Set several controls at once and draw once. An unknown name raises ValueError with the names there are."""
        self._check(values)
        before, held, self._held = self.state, self._held, True
        try:
            for name, value in values.items():
                if name in self.controls:
                    make.assign(self.controls[name], value, name)
                else:
                    self._extra[name] = value
        finally:
            self._held = held
        if self.state != before:
            self._changed()

    def _check(self, names) -> None:
        for name in names:
            if name not in self.controls and name not in self._extra:
                raise ValueError(f"{name}: got no such control in this figure, expected one of "
                                 f"{', '.join(self.state)}")

    def reset(self) -> None:
        """Everything back to where it began."""
        self.set(**self._start)

    def close(self) -> None:
        """Take the figure and its controls out of the page and out of memory."""
        if self.comm is not None:
            close_all(self)

    def _changed(self, name: str | None = None) -> None:
        """Something is not as it was: a control of that name, or several."""
        self._ahead.stop(name)
        if not self._held:
            self._pending = True
            self.canvas.refresh()

    def _place(self, width: int) -> int:
        self._ahead.sent_hands = None                   # another room, and perhaps another page
        return self.scene.place(width)

    def show_again(self) -> None:
        """The same state looks different now: work in the background has gone on."""
        self.canvas.forget_frames()
        self._changed()

    @property
    def _named(self) -> list[str]:
        """The controls whose positions are the key of a state."""
        return [name for name in self.controls if name[0] != "_"]

    @property
    def positions(self) -> dict[str, int]:
        """Where each of them stands: the number of its option or step."""
        return {name: make.position(self.controls[name]) for name in self._named}

    def _which(self) -> tuple[str, bool]:
        """The key of the state, and whether it says all: nothing without a control of its own is otherwise."""
        return ",".join(map(str, self.positions.values())), self._extra == self._hidden

    def frame_of(self, state: dict) -> list:
        """The frame of a state that the controls are not in; they, and the picture, stay as they are."""
        with self.canvas.lock:
            self._pending = True                        # the artists have to be brought back
            self._show(state)
            return self.canvas.record()

    def _settle(self) -> None:
        """Bring the artists and the sentence up to the state, once however many controls have changed."""
        with self.canvas.lock:
            if self._pending:
                self._pending = False
                self._show(self.state)

    def _show(self, state: dict) -> None:
        try:
            sentence = self.scene.show(state)
        except ValueError as error:                     # a setting that cannot be shown is said, not swallowed
            sentence = f"This cannot be shown: {html.escape(str(error))}"
        if self.scene._background_changed:
            self.scene._background_changed = False
            self.canvas.changed_background()
        self.canvas.sentence = sentence

    def _finish(self) -> None:
        """The same, and to the end of a work that code waits for."""
        self._settle()
        if self.scene.work is not None and self.scene.work.finish():
            self._changed()
            self._settle()

    def _pointer(self, kind: str, x: float, y: float, pressed: bool) -> None:
        name = next((name for name, panel in self.scene.panels.items()
                     if panel.get_visible() and panel.bbox.padded(GRIP).contains(x, y)), None)
        if kind == "down":
            self._grabbed = name
        dragging = pressed and kind in ("down", "move")
        if dragging:
            name = self._grabbed                        # a drag stays with the panel it began in, and ends at its edges
            if name is None:
                return
            box = self.scene.panels[name].bbox
            x, y = min(max(x, box.x0), box.x1), min(max(y, box.y0), box.y1)
        at = self.scene.panels[name].transData.inverted().transform((x, y)) if name else (0.0, 0.0)
        act = self.scene.dragged if dragging else self.scene.hovered
        self.set(**act(name if kind != "leave" else None, float(at[0]), float(at[1]), self.state) or {})

    def _key(self, key: str) -> None:
        self.set(**self.scene.typed(key, self.state) or {})

    def _repr_mimebundle_(self, **kwargs):
        """The live view, and beside it a picture and the sentence for readers without a kernel."""
        self._finish()
        handles = self.scene.figure.findobj(lambda artist: artist.get_gid() == "handle")
        sizes = [handle.get_markersize() for handle in handles]
        for handle in handles:                          # nothing in a picture can be taken hold of
            handle.set_markersize(0)
        self.canvas.changed_background()
        self.canvas.preview = self.canvas.png()
        for handle, size in zip(handles, sizes):
            handle.set_markersize(size)
        beside = f"{self.canvas.sentence} <em>Run this cell to move it.</em>"
        picture = pictures.html(self.canvas.preview, self.scene.label, beside=beside)
        self.canvas.redraw()
        return {**view(self), "text/plain": self.sentence, "text/html": picture}


def plain(sentence: str) -> str:
    """A sentence without its markup."""
    return html.unescape(re.sub(r"<[^>]+>", "", sentence))


def _button(text: str, act: Callable, icon: str = "") -> ipywidgets.Button:
    button = ipywidgets.Button(description=text, icon=icon, layout={"width": "auto"})
    button.on_click(act)
    return button


def _box(children, css_class: str) -> ipywidgets.Box:
    box = ipywidgets.Box(list(children))
    box.add_class(css_class)
    return box
