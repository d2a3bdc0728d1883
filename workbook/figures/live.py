"""The stage of every live figure: controls give a state, a scene draws it, and the page shows it.

A figure is a *scene* and some *controls*. The scene makes its artists once; `update(state)` moves them and returns the
sentence under the figure. The `Explorer` does the rest: it lays the panels out, hands each state and its frame to the
page, and answers presets, reset, dragging and keys.
"""
import html
import re
import warnings
from dataclasses import dataclass, replace
from threading import RLock

import ipywidgets
import matplotlib
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec

from workbook import pictures
from workbook.figures import controls as make
from workbook.figures.ahead import Ahead
from workbook.figures.canvas import Canvas
from workbook.figures.hands import Drag, contains, hands, nearest
from workbook.figures.numbers import tables
from workbook.figures.recorder import Camera
from workbook.lesson.rerun import Shown, close_all, replace_earlier_run, view
from workbook.palette import STYLE

WIDE = 700                              # pixels from which on panels stand side by side
NARROWEST, WIDEST, PHONE = 340, 1120, 480
LEFT, RIGHT, TOP, BOTTOM = 64, 30, 30, 46               # margins of every figure, in pixels
GRIP = 8                                # pixels around a panel that belong to it: handles stand at its edge
MOST = 24 << 20                         # bytes that the page keeps of one figure; then it starts afresh


@dataclass(frozen=True)
class Layout:
    """Where the panels of a scene stand when at least `room` pixels are there.

    mosaic: a string a row, a word a column; a panel that spans rows or columns is named in all of them.
    columns, rows: how the room between the gaps is shared. height, gap_x and gap_y (between panels) are pixels, so that
    letters and gaps keep their size. bare: panels without numbers below, close above another with the same axis.
    """

    mosaic: tuple[str, ...]
    columns: tuple[float, ...]
    rows: tuple[float, ...]
    height: int
    room: int = 0
    gap_x: int = 76
    gap_y: int = 56
    bare: tuple[str, ...] = ()

    @property
    def panels(self) -> list[str]:
        return list(dict.fromkeys(name for row in self.mosaic for name in row.split()))

    def stacked(self) -> "Layout":
        """The same panels one below the other, about as high as they were: for a phone."""
        boxes = self.boxes(420)
        rows = tuple(min(max(round(self.height * boxes[name][3]), 130), 240) for name in self.panels)
        return replace(self, mosaic=tuple(self.panels), columns=(1,), rows=rows, bare=(), gap_y=72,
                       height=TOP + sum(rows) + 72 * (len(rows) - 1) + BOTTOM)

    def boxes(self, width: int) -> dict[str, tuple[float, float, float, float]]:
        """Each panel's (left, bottom, width, height) as fractions of a figure `width` pixels wide."""
        rows, columns = len(self.rows), len(self.columns)
        wide = (width - LEFT - RIGHT - self.gap_x * (columns - 1)) / columns
        high = (self.height - TOP - BOTTOM - self.gap_y * (rows - 1)) / rows
        grid = GridSpec(rows, columns, left=LEFT / width, right=1 - RIGHT / width, bottom=BOTTOM / self.height,
                        top=1 - TOP / self.height, wspace=self.gap_x / wide, hspace=self.gap_y / high,
                        width_ratios=self.columns, height_ratios=self.rows)
        names, boxes = np.array([row.split() for row in self.mosaic]), {}
        for name in self.panels:
            i, j = np.nonzero(names == name)
            boxes[name] = grid[i.min():i.max() + 1, j.min():j.max() + 1].get_position(None).bounds
        return boxes


class Scene:
    """What a live figure draws. Subclass it: make artists in `__init__`, move them in `update`.

    `figure` and `panels` (name -> Axes, from the layouts) are made here. Declare every artist that moves with `move`;
    call `changed_background()` from `update` when something else changed (limits, ticks, titles). Pieces whose places
    depend on the size of their panel append a function to `when_placed`.

    label: what the figure shows, for readers who do not see it. longest: characters of its longest sentence, for which
    the page keeps room. sample: something with `draw(state)`, which says whether it has drawn anew; then `new_sample`
    is called before `update`. work: a `Background` that goes on after `update`. unspoken: warnings that the sentence
    replaces. slow: controls that cost more than a frame's work, besides those that draw the sample; no state is
    prepared along them. lesson_asks: states to which a lesson sends its readers; a recording has them too.

    `drags()` says what a drag in each panel moves. `keys` are two arrow keys, back and forth, that move `keyed`.
    """

    layouts: tuple[Layout, ...] = ()
    label = "live figure"
    longest = 450
    work = None
    unspoken: tuple[type[Warning], ...] = ()
    slow: tuple[str, ...] = ()
    lesson_asks: tuple[dict, ...] = ()
    keys: tuple[str, ...] = ()
    keyed = ""

    def __init__(self, sample=None):
        self.sample, self.when_placed = sample, []
        self.drawn_by = getattr(sample, "drawn_by", ())                 # the controls that draw the sample
        with matplotlib.rc_context(STYLE):
            self.figure = Figure(layout="none")
            FigureCanvasAgg(self.figure)
            self.panels = {name: self.figure.add_axes((0, 0, 1, 1), label=name) for name in self.layouts[0].panels}
        self.moving, self._seen = [], {}
        self.background_changed = False

    def move(self, *artists):
        """Declare artists that move; returns the last one, or the only one."""
        for artist in artists:
            artist.set_animated(True)                   # Matplotlib leaves it out of the background
        self.moving.extend(artists)
        return artists[-1]

    def changed(self, what: str, now) -> bool:
        """Whether `what` differs from the last call, or the sample does: for what is too slow to compute each time."""
        before, self._seen[what] = self._seen.get(what), now
        return before != now

    def changed_background(self) -> None:
        self.background_changed = True

    @property
    def ratio(self) -> float:
        """Pixels of the screen in one of the page."""
        return self.figure.dpi / STYLE["figure.dpi"]

    def place(self, width: int, ratio: float = 1.0) -> int:
        """Lay the panels out for `width` pixels; returns the height in pixels. ratio: see there."""
        width = max(NARROWEST, min(WIDEST, width))
        layout = max((layout for layout in self.layouts if layout.room <= width), key=lambda layout: layout.room)
        if width < PHONE:
            layout = layout.stacked()
        self.figure.set_dpi(ratio * STYLE["figure.dpi"])
        self.figure.set_size_inches(width / 100, layout.height / 100)
        boxes = layout.boxes(width)
        for name, panel in self.panels.items():
            panel.set_visible(name in boxes)
            if name in boxes:
                panel.set_position(boxes[name])
                panel.apply_aspect()
                across = panel.get_position().width * width
                panel.yaxis.set_label_coords(-49 / across, 0.5)         # the same place, however wide the ticks are
        for name in {name for each in self.layouts for name in each.bare}:
            self.panels[name].tick_params(labelbottom=name not in layout.bare)
        for place in self.when_placed:
            place()
        self.placed(layout)
        self.changed_background()
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
            return self.update(state)

    def new_sample(self) -> None:
        """Show what depends on nothing but the sample."""

    def update(self, state: dict) -> str:
        """Move the artists to show `state`; returns the sentence (HTML) that says what is seen."""
        raise NotImplementedError

    def numbers(self) -> list[dict]:
        """What is shown, as tables (see `numbers`)."""
        return tables(self.panels.values())

    def drags(self) -> dict[str, Drag]:
        """What a drag in each panel moves, as the panels are now."""
        return {}

    def step(self, positions: np.ndarray, by: int) -> np.ndarray:
        """Where a key leads from all positions (k,) of the control `keyed`: by is -1 or 1."""
        return np.clip(positions + by, 0, len(positions) - 1)


class Explorer(Shown):
    """A live figure in a notebook: controls and buttons above, the figure, one sentence below.

    `explorer.state` is the value of every control by name; `explorer.set(sigma=0.2)` sets some of them as a slider
    would, `explorer.reset()` sets all to where they began, `explorer.sentence` is what the figure says now.
    """

    def __init__(self, scene: Scene, controls: dict[str, ipywidgets.Widget], more: dict | None = None,
                 presets: dict[str, dict] | None = None):
        """controls: the few that matter, by name; more: those that a button unfolds, first of all those of the data.

        A name with a leading underscore is not part of the state: `_sigma` is a second slider for sigma.
        """
        self.comm = None                                # so that close() is safe should anything below fail
        more, presets = more or {}, presets or {}
        self.scene, self.more, self.controls = scene, list(more), {**controls, **more}
        self.options = {name: make.values(control) for name, control in self.controls.items() if name[0] != "_"}
        self._start, self._drawn, self._sentence = self.state, None, ""         # _drawn: the state of the artists
        self._held = self._waits = False                # whether changes are collected; whether one is to be shown yet
        self._grabbed: dict | None = None               # the panel in which the pointer went down, as `hands` has it
        self.lock = RLock()                             # the page may call on another thread than a cell
        self.camera, self.canvas, self.ahead = Camera(scene.figure, scene.moving), self._make_canvas(), Ahead(self)
        self.lay_out(900)
        for name in self.options:
            self.controls[name].observe(lambda _, name=name: self._changed(name), names="value")
        self.buttons = [_button(name, lambda _, values=values: self.set(**{**self._start, **values}))
                        for name, values in presets.items()]
        self.buttons.append(_button("reset", lambda _: self.reset(), icon="undo"))
        super().__init__([*self._make_boxes(controls, more), self.canvas], layout={"width": "100%"})
        self.add_class("wb-figure")
        if scene.work is not None:
            scene.work.serve(self)
        replace_earlier_run(self)

    def _make_canvas(self) -> Canvas:
        scene, label = self.scene, self.scene.label
        if scene.keyed in self.controls:
            arrows = " and ".join(key.removeprefix("Arrow").lower() for key in scene.keys)
            label += f". The {arrows} arrow keys move {self.controls[scene.keyed].description}."
        return Canvas(
            self.hear, label=label, handled_keys=list(scene.keys), longest=scene.longest, height=scene.place(900),
            controls=[[name, self.controls[name].model_id] for name in self.options],
            players=[one.model_id for one in self.controls.values() if isinstance(one, ipywidgets.Play)],
            twins=[[name, twin.model_id, len(twin.options) - 1] for name, twin in make.twins(self.controls)])

    def _make_boxes(self, controls: dict, more: dict) -> list[ipywidgets.Box]:
        if not more:
            return [_box(controls.values(), "wb-controls"), _box(self.buttons, "wb-buttons")]
        name = "data and more" if {*more} & {*self.scene.drawn_by} else "more"
        fold = ipywidgets.ToggleButton(description=name, layout={"width": "auto"})
        fold.add_class("wb-fold")                       # what it unfolds is shown while it is pressed: see canvas.css
        return [_box(controls.values(), "wb-controls"), _box([*self.buttons, fold], "wb-buttons"),
                _box(more.values(), "wb-more")]

    @property
    def state(self) -> dict:
        """The value of every control, by name."""
        return {name: self.controls[name].value for name in self.options}

    @property
    def positions(self) -> dict[str, int]:
        """The number of the option at which each control stands."""
        return {name: make.position(self.controls[name]) for name in self.options}

    @property
    def sentence(self) -> str:
        """The sentence under the figure, as plain text."""
        return plain(self.sentence_html)

    @property
    def sentence_html(self) -> str:
        """The sentence under the figure, with its markup."""
        with self.lock:
            self._draw(self.state)
            if self.scene.work is not None and self.scene.work.finish():
                self.show_again()
                self._draw(self.state)
            return self._sentence

    def numbers(self) -> list[dict]:
        """What the figure shows now, as tables: {caption, head, rows} each, in words."""
        with self.lock:
            self._draw(self.state)
            return self.scene.numbers()

    def set(self, **values) -> None:
        """Set several controls at once and draw once. An unknown name raises ValueError with the names there are."""
        for name in values:
            if name not in self.options:
                raise ValueError(f"{name}: got no such control in this figure, expected one of "
                                 f"{', '.join(self.options)}")
        before, held, self._held = self.state, self._held, True
        try:
            for name, value in values.items():
                make.assign(self.controls[name], value, name)
        finally:
            self._held = held
        if self.state != before:
            self._changed()

    def reset(self) -> None:
        """Everything back to where it began."""
        self.set(**self._start)

    def close(self) -> None:
        """Take the figure and its controls out of the page and out of memory."""
        if self.comm is not None:
            close_all(self)

    # --- from a state to its frame

    def _changed(self, name: str | None = None) -> None:
        """The control of that name, or several of them, have changed."""
        self.ahead.stop(name)
        if not self._held:
            self._refresh()

    def _refresh(self) -> None:
        """Show the present state in the page: now, or when it has dealt with what was sent."""
        with self.lock:
            self._waits = not self.canvas.free
            if self._waits:
                return
            state, key = self.state, ",".join(map(str, self.positions.values()))
            if key not in self.canvas.known:
                self.supply({key: self.frame_of(state)}, now=True)
            self.ahead.begin()

    def supply(self, frames: dict[str, list], now: bool = False) -> None:
        """Send frames by their keys to the page. now: it is to paint the one there is."""
        self.canvas.supply(frames, *self.camera.catalogue.take(), now=now)
        if self.camera.catalogue.size > MOST:
            self.forget()

    def frame_of(self, state: dict) -> list:
        """The frame of any state, by the numbers of the camera's catalogue; the controls stay where they are."""
        with self.lock:
            self._draw(state)
            return self.camera.frame(self._sentence)

    def _draw(self, state: dict) -> None:
        """Bring the artists and the sentence to a state, unless they are there."""
        if state == self._drawn:
            return
        self._drawn = state
        try:
            self._sentence = self.scene.show(state)
        except ValueError as error:                     # what cannot be shown is said in place of the sentence
            self._sentence = f"This cannot be shown: {html.escape(str(error))}"
        if self.scene.background_changed:
            self.scene.background_changed = False
            self.camera.changed_background()

    def show_again(self) -> None:
        """The same states look different now: work in the background has gone on."""
        with self.lock:
            self._drawn = None
            self.canvas.forget_frames()
            self._changed()

    def lay_out(self, width: int, ratio: float = 1.0) -> None:
        """Lay the figure out for `width` pixels of the page, which are `ratio` times as many of the screen."""
        self.scene.place(width, ratio)
        self.forget()

    def forget(self) -> None:
        """Number all frames anew."""
        self.camera.forget()
        self.canvas.forget(*self.camera.size, self.scene.ratio)
        self.ahead.forget()

    # --- what the page says

    def hear(self, message: dict) -> None:
        """Deal with a message of the page, a dict with a `type`."""
        with self.lock:
            match message["type"]:
                case "ready":                           # a view appeared, or its room changed
                    self.lay_out(int(message["width"]), float(message["ratio"]))
                    self.canvas.painted()
                    self._refresh()
                case "painted":
                    self.canvas.painted()
                    if self._waits:
                        self._refresh()
                case "seen":
                    self.canvas.seen = bool(message["seen"])
                    if self.canvas.seen and self.canvas.free:
                        self.ahead.begin()              # go on with what was left
                case "numbers":
                    self.canvas.send({"type": "numbers", "tables": self.numbers()})
                case "pointer" | "key" as kind:
                    try:
                        self.point(**message) if kind == "pointer" else self.press(message["key"])
                    finally:
                        self.canvas.send({"type": "handled"})

    def hands(self, state: dict) -> dict:
        """What drags and keys do in any state, see `hands`."""
        with self.lock:
            self._draw(state)
            return hands(self.scene, self.options)

    def point(self, kind: str, x: float, y: float, **_) -> None:
        """The pointer goes "down", or "move" while it is pressed, at (x, y) in pixels from the upper left."""
        if kind == "down":
            grip, panels = GRIP * self.scene.ratio, self.hands(self.state)["panels"]
            self._grabbed = next((panel for panel in panels if contains(panel, x, y, grip)), None)
        if self._grabbed is not None:                   # a drag stays with the panel in which it began
            self._go(nearest(self._grabbed, x, y))

    def press(self, key: str) -> None:
        """Press a key while the figure has the focus."""
        way = self.hands(self.state)["keys"][key]
        self._go({way["name"]: way["next"][self.positions[way["name"]]]})

    def _go(self, positions: dict[str, int]) -> None:
        self.set(**{name: self.options[name][position] for name, position in positions.items()})

    def _repr_mimebundle_(self, **kwargs):
        """The live view, and beside it a picture and the sentence for readers without a kernel."""
        beside = f"{self.sentence_html} <em>Run this cell to move it.</em>"
        self.canvas.preview = self.camera.png()
        picture = pictures.html(self.canvas.preview, self.scene.label, beside=beside)
        self._refresh()
        return {**view(self), "text/plain": self.sentence, "text/html": picture}


def plain(sentence: str) -> str:
    """A sentence without its markup."""
    return html.unescape(re.sub(r"<[^>]+>", "", sentence))


def _button(text: str, act, icon: str = "") -> ipywidgets.Button:
    button = ipywidgets.Button(description=text, icon=icon, layout={"width": "auto"})
    button.on_click(act)
    return button


def _box(children, css_class: str) -> ipywidgets.Box:
    box = ipywidgets.Box(list(children))
    box.add_class(css_class)
    return box
