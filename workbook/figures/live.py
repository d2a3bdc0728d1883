"""The engine of every live figure: controls give a state, a scene draws it, and the page shows it.

A figure is a *scene* and some *controls*. The scene makes its artists once; `update(state)` moves them and returns the
sentence under the figure. The `Explorer` does the rest: it lays the panels out, hands each state and its frame to the
page, and while the reader pauses prepares the frames of neighbouring states.
"""
import asyncio
import html
import re
import time
import warnings
from collections.abc import Callable, Iterator
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
from workbook.figures.background import Background, running_loop
from workbook.figures.canvas import Canvas
from workbook.figures.hands import Drag, hands
from workbook.figures.numbers import tables
from workbook.figures.points import Points
from workbook.figures.recorder import Camera
from workbook.palette import STYLE
from workbook.questions.rerun import Shown, close_all, replace_earlier_run, view

WIDE = 700                              # pixels from which on panels are side by side
NARROWEST, WIDEST, PHONE = 340, 1120, 440
LEFT, RIGHT, TOP, BOTTOM = 64, 30, 30, 46               # margins of every figure, in pixels
MOST = 24 << 20                         # bytes that the page keeps of one figure; then it starts afresh

# Long work, and preparing neighbouring states, goes in portions: between two, messages of the page are handled.
REST, PORTION, PAUSE = 0.12, 0.02, 0.004        # seconds: after a change, of work, between two portions
REPORT = 0.12                           # seconds until the progress of long work is shown
AFTER_A_POINT = 1.0                     # seconds of rest: the next move must not wait for a portion
MANY = 9                                # a control with fewer positions is not prepared
NEAR, COARSE = 6, 4                     # up to NEAR steps away every position comes first, beyond it every fourth


@dataclass(frozen=True)
class Layout:
    """Where the panels of a scene are when at least `room` pixels are there.

    mosaic: a string a row, a word a column, a dot for no panel; one that spans rows or columns is named in all of them.
    columns, rows: how the room between the gaps is shared. height, gap_x and gap_y (between panels) are pixels, so that
    letters and gaps keep their size. bare: panels without tick labels below, as the panel below has the same axis.
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
        high = [round(self.height * boxes[name][3]) for name in self.panels]
        rows = tuple(each if each < 60 else min(max(each, 130), 240) for each in high)          # a strip stays a strip
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
        names = np.array([row.split() for row in self.mosaic])
        places = {name: np.nonzero(names == name) for name in self.panels}
        return {name: grid[i.min():i.max() + 1, j.min():j.max() + 1].get_position(None).bounds
                for name, (i, j) in places.items()}


class Scene:
    """What a live figure draws. Subclass it: make artists in `__init__`, move them in `update`.

    `figure` and `panels` (name -> Axes, from the layouts) are made here. Declare every artist that moves with `move`;
    call `changed_background()` from `update` when something else changed (limits, ticks, titles). Pieces whose places
    depend on the size of their panel append a function to `when_placed`.

    label: what the figure shows, for readers who do not see it. invitation: what to drag and why, in at most 60
    characters, which stand above the picture. longest: characters of its longest sentence,
    for which the page keeps room. sample: has a method `draw(state)`; if that returns True, the data are new, and
    `new_sample` is called before `update`. work: a `Background` that goes on after `update`. unspoken: warnings to
    suppress, since the sentence says it. slow: controls that cost more than a frame's work, besides those of the fold
    that draw the sample; no state is prepared along them. lesson_asks: states to which a lesson sends its readers; a
    recording has them too. movable: the panel in which readers move the `points` of the sample, a
    `workbook.figures.points.Points`; after a move, `new_points` is called before `update`.

    `drags()` says what a drag in each panel moves. `keys` are two arrow keys, back and forth, that move `keyed`.
    hand: a control, then positions of it (numbers of options). A hand lies at its handle until a reader touches it;
    once it takes the control through these positions and back, if their frames are prepared within 8 seconds. The
    handle is in the first panel of `drags()` that moves the control: on the axis below, or to the left for `y` only.
    """

    layouts: tuple[Layout, ...] = ()
    label = "live figure"
    invitation = ""
    longest = 450
    unspoken: tuple[type[Warning], ...] = ()
    slow: tuple[str, ...] = ()
    lesson_asks: tuple[dict, ...] = ()
    keys: tuple[str, ...] = ()
    keyed = ""
    movable = ""
    hand: tuple = ()

    def __init__(self, sample=None):
        self.sample, self.when_placed, self.tags = sample, [], {}
        self.drawn_by = getattr(sample, "drawn_by", ())                 # the controls that draw the sample
        with matplotlib.rc_context(STYLE):
            self.figure = Figure(layout="none")
            FigureCanvasAgg(self.figure)
            self.panels = {name: self.figure.add_axes((0, 0, 1, 1), label=name) for name in self.layouts[0].panels}
        self.work, self.background_changed = Background(), False
        self.moving, self._seen = [], {}                # _seen: see `changed`
        self._places = None                             # of the points, as they are drawn

    def move(self, *artists):
        """Declare artists that move; returns the last one, or the only one."""
        for artist in artists:
            artist.set_animated(True)                   # Matplotlib leaves it out of the background
        self.moving.extend(artists)
        return artists[-1]

    def move_together(self, name: str, *artists):
        """Declare artists that move as the marks of one thing; returns the last one. While the reader points at words
        `<span data-mark="NAME">` of the sentence, the marks of everything else are faint."""
        self.tags |= dict.fromkeys(artists, ["named", name])
        return self.move(*artists)

    def shows(self, **artists) -> None:
        """Name what artists show, for the course's redraw.js: so pages without a kernel let readers move points too."""
        self.tags |= {artist: ["numbers", name.replace("_", " ")] for name, artist in artists.items()}

    def hides(self, *artists) -> None:
        """Artists that such a page cannot draw anew: it leaves them out once points have been moved."""
        self.tags |= dict.fromkeys(artists, ["numbers", ""])

    def given(self) -> dict | None:
        """What redraw.js needs besides the points; None for a state that it cannot draw anew."""
        return None

    def look_of_weights(self, weights: np.ndarray, record: Callable[[object], int]) -> dict[str, int]:
        """Draw these weights (k,) with each artist that shows weights; returns its name -> `record(artist)`."""
        return {}

    def uncover(self, *artists):
        """Declare artists that move, and that the page uncovers: of them it shows the part where the control dragged in
        their panel has already been; returns the last one."""
        self.tags |= {artist: ["visited", artist.axes.get_label()] for artist in artists}
        return self.move(*artists)

    def changed(self, name: str, value) -> bool:
        """Whether the value, or the sample, is another than at the last call with this name: to skip slow work."""
        before = self._seen.get(name)
        self._seen[name] = value
        return before != value

    def changed_background(self) -> None:
        self.background_changed = True

    def place(self, width: int, ratio: float = 1.0) -> int:
        """Lay the panels out for `width` pixels of the page, each `ratio` of the screen; returns the height."""
        self.ratio, width = ratio, max(NARROWEST, min(WIDEST, width))
        layout = max((layout for layout in self.layouts if layout.room <= width), key=lambda layout: layout.room)
        if width < PHONE and len(layout.rows) < 4:      # small panels stay in two columns
            layout = layout.stacked()
        self.figure.set_dpi(ratio * STYLE["figure.dpi"])
        self.figure.set_size_inches(width / 100, layout.height / 100)
        boxes = layout.boxes(width)
        for name, panel in self.panels.items():
            panel.set_visible(name in boxes)
            if name in boxes:
                panel.set_position(boxes[name])
                panel.apply_aspect()
        for name in {name for each in self.layouts for name in each.bare}:
            self.panels[name].tick_params(labelbottom=name not in layout.bare)
            self.panels[name].xaxis.label.set_visible(name not in layout.bare)
        for place in self.when_placed:
            place()
        self.placed(layout)
        self.changed_background()
        return layout.height

    def placed(self, layout: Layout) -> None:
        """Called when the panels have been laid out: place here what depends on their size in pixels."""

    def show(self, state: dict) -> str:
        """Draw a new sample if `state` wants one, then `update`."""
        with warnings.catch_warnings():
            for each in self.unspoken:
                warnings.simplefilter("ignore", each)
            if self.sample is not None and self.sample.draw(state):
                self._seen.clear()
                self.new_sample()
                self.changed_background()
            elif self.movable and self.sample.points.places is not self._places:
                self._seen.clear()
                self.new_points()
            if self.movable:
                self._places = self.sample.points.places
            return self.update(state)

    def new_sample(self) -> None:
        """Show what depends on the sample alone."""

    def new_points(self) -> None:
        """Show points that the reader has moved; keep the panels' limits, so that a point stays under the pointer."""

    def update(self, state: dict) -> str:
        """Move the artists to show `state`; returns the sentence (HTML) under the figure."""
        raise NotImplementedError

    def drags(self) -> dict[str, Drag]:
        """What a drag in each panel moves, as the panels are now."""
        return {}

    def step(self, positions: np.ndarray, by: int) -> np.ndarray:
        """The positions (k,) to which a key leads from all positions (k,) of the control `keyed`; by is -1 or 1."""
        return np.clip(positions + by, 0, len(positions) - 1)


class Explorer(Shown):
    """A live figure in a notebook: controls and buttons above, the figure, one sentence below.

    `explorer.state` is the value of every control by name; `explorer.set(sigma=0.2)` sets some of them as a slider
    would, `explorer.reset()` sets all to where they began, `explorer.sentence` is what the figure says now.
    """

    def __init__(self, scene: Scene, controls: dict[str, ipywidgets.Widget], more: dict | None = None,
                 presets: dict[str, dict] | None = None):
        """controls: the few that matter, by name; more: those that a button unfolds, those of the data first.

        A name with a leading underscore is not part of the state: `_sigma` is a second slider for sigma.
        """
        self.comm = None                                # so that close() is safe should anything below fail
        more, presets = more or {}, presets or {}
        self.scene, self.more, self.controls = scene, list(more), {**controls, **more}
        self.options = {name: make.values(control) for name, control in self.controls.items() if name[0] != "_"}
        self._start, self._drawn, self._sentence = self.state, None, ""         # _drawn: the state of the artists
        self._changes = 0                               # how many there have been: work for an earlier one stops
        self._moved, *_ = scene.hand or ("",)           # the control that was moved last, or "points"
        self._setting = self._outdated = False          # whether `set` is at work; whether a change is not shown yet
        self.lock = RLock()                             # the page may call on another thread than a cell
        self.camera, self.canvas = Camera(scene.figure, scene.moving, scene.tags), self._make_canvas()
        self.lay_out(900)
        for name in self.options:
            self.controls[name].observe(lambda _, name=name: self._changed(name), names="value")
        self.buttons = [self._button(name, lambda values=values: self.set(**{**self._start, **values}))
                        for name, values in presets.items()]
        self.buttons.append(self._button("reset", self.reset, icon="refresh"))
        self.undo = self._button("undo", lambda: self.change_points("undo"), icon="undo")
        self.undo.disabled = True
        super().__init__([self.canvas, *self._make_boxes(controls, more)], layout={"width": "100%"})
        self.add_class("wb-figure")
        replace_earlier_run(self)

    def _button(self, text: str, act, icon: str = "") -> ipywidgets.Button:
        def press(_) -> None:
            try:
                act()
            finally:
                self.canvas.send({"type": "pressed"})                   # the page waits for it with what comes next

        button = ipywidgets.Button(description=text, icon=icon, layout={"width": "auto"})
        button.on_click(press)
        return button

    def _make_canvas(self) -> Canvas:
        scene, label, (name, *turns) = self.scene, self.scene.label, self.scene.hand or ("",)
        last = len(self.options.get(name, ())) - 1                          # -1: these data have no such control
        if scene.keyed in self.controls:
            arrows = " and ".join(key.removeprefix("Arrow").lower() for key in scene.keys)
            label += f". The {arrows} arrow keys move {self.controls[scene.keyed].description}."
        return Canvas(
            self.hear, label=label, invitation=scene.invitation,
            handled_keys=list(scene.keys), longest=scene.longest, height=scene.place(900),
            hand=[name, *(min(turn, last) for turn in turns)] if last >= 0 else [],
            controls=[[name, self.controls[name].model_id] for name in self.options],
            players=[one.model_id for one in self.controls.values() if isinstance(one, ipywidgets.Play)],
            twins=[[name[1:], one.model_id, len(one.options) - 1] for name, one in self.controls.items()
                   if name[0] == "_" and name[1:] in self.controls])

    def _make_boxes(self, controls: dict, more: dict) -> list[ipywidgets.Box]:
        shown = ipywidgets.Box([*controls.values()]).add_class("wb-controls")
        buttons = [*self.buttons, self.undo] if self.scene.movable else self.buttons
        if not more:
            return [shown, ipywidgets.Box(buttons).add_class("wb-buttons")]
        name = "data and more" if {*more} & {*self.scene.drawn_by} else "more"
        fold = ipywidgets.ToggleButton(description=name, layout={"width": "auto"}).add_class("wb-fold")
        return [shown, ipywidgets.Box([*buttons, fold]).add_class("wb-buttons"),
                ipywidgets.Box([*more.values()]).add_class("wb-more")]              # shown while the fold is pressed

    @property
    def state(self) -> dict:
        """The value of every control, by name."""
        return {name: self.controls[name].value for name in self.options}

    @property
    def positions(self) -> dict[str, int]:
        """The number of the option at which each control is."""
        return {name: make.position(self.controls[name]) for name in self.options}

    @property
    def sentence(self) -> str:
        """The sentence under the figure, as plain text."""
        return html.unescape(re.sub(r"<[^>]+>", "", self.sentence_html))

    @property
    def sentence_html(self) -> str:
        """The sentence under the figure, with its markup, when the work in the background that it needs is done."""
        with self.lock:
            self._draw(self.state, finished=True)
            return self._sentence

    def numbers(self) -> list[dict]:
        """What the figure shows now, as tables: {caption, head, rows} each, in words."""
        with self.lock:
            self._draw(self.state)
            return tables(self.scene.panels.values())

    def set(self, **values) -> None:
        """Set several controls at once and draw once. An unknown name raises ValueError with the names there are."""
        for name in values.keys() - self.options.keys():
            raise ValueError(f"{name}: got no such control in this figure, expected one of {', '.join(self.options)}")
        before, self._setting = self.state, True
        try:
            for name, value in values.items():
                make.assign(self.controls[name], value, name)
        finally:
            self._setting = False
        if self.state != before:
            self._changed()

    def reset(self) -> None:
        """Everything back to where it began."""
        if self.scene.movable and self.points.past:
            self.points.reset()
            self.redraw()
        self.set(**self._start)
        self.canvas.send({"type": "cover"})

    @property
    def points(self) -> Points:
        """The points that readers move, where there are any, as they were moved in this state."""
        with self.lock:
            self._draw(self.state)
            return self.scene.sample.points

    def change_points(self, kind: str, *details, **options) -> None:
        """Move, add or remove a point, or undo that, as the reader does in the page: see `Points.change`."""
        try:
            self.points.change(kind, *details, **options)
        finally:
            self.redraw("points")

    def redraw(self, moved: str = "") -> None:
        """Forget all frames, since the same states look different now, and show the present state."""
        self._drawn = None
        self.canvas.forget_frames(meanwhile=self.scene.work.working)
        self._changed(moved)

    def close(self) -> None:
        """Take the figure and its controls out of the page and out of memory."""
        if self.comm is not None:
            close_all(self)

    def _repr_mimebundle_(self, **kwargs):
        """The live view, and beside it a picture and the sentence for readers without a kernel."""
        beside = f"{self.sentence_html} <em>Run this cell to move it.</em>"
        self.canvas.preview = self.camera.png()
        picture = pictures.html(self.canvas.preview, self.scene.label, beside=beside)
        self._refresh()
        return {**view(self), "text/plain": self.sentence, "text/html": picture}

    # --- from a state to its frame

    def _changed(self, name: str = "") -> None:
        """Called after a change of the control of that name, of the "points", or of several controls ("")."""
        self._changes += 1                              # ends the task that prepares
        self._moved = name or self._moved
        if not self._setting:
            self._refresh()

    def _refresh(self) -> None:
        """Show the present state in the page: now, or when the page has dealt with earlier messages."""
        with self.lock:
            self._outdated = self.canvas.busy
            if not self._outdated:
                key = _key(self.positions)
                if key not in self.canvas.known:
                    self._supply({key: self.frame_of(self.state)}, now=True)
                self.canvas.set_hands(self.hands(self.state))
                self.undo.disabled = not (self.scene.movable and self.scene.sample.points.past)
            self._go_on()

    def _supply(self, frames: dict[str, list], now: bool = False) -> None:
        self.canvas.supply(frames, now)
        if self.camera.catalogue.size > MOST:
            self.forget()

    def frame_of(self, state: dict, finished: bool = False) -> list:
        """The frame of any state, in numbers of the catalogue. finished: do the long work that it needs first."""
        with self.lock:
            self._draw(state, finished)
            return self.camera.frame(self._sentence)

    def hands(self, state: dict) -> dict:
        """What drags and keys do in any state, see `workbook.figures.hands`."""
        with self.lock:
            self._draw(state)
            return hands(self.scene, self.options)

    def _draw(self, state: dict, finished: bool = False) -> None:
        """Draw a state and its sentence, unless they are drawn already."""
        if state != self._drawn:
            self._drawn = state
            try:
                self._sentence = self.scene.show(state)
            except ValueError as error:                 # the sentence says why this state cannot be shown
                self._sentence = f"This cannot be shown: {html.escape(str(error))}"
            if self.scene.background_changed:
                self.scene.background_changed = False
                self.camera.changed_background()
        if finished and self.scene.work.working and self.scene.work.jobs.done < self.scene.work.needed:
            self.scene.work.work(count=self.scene.work.needed)
            self.redraw()
            self._draw(state)

    def lay_out(self, width: int, ratio: float = 1.0) -> None:
        """Lay the figure out for `width` pixels of the page, which are `ratio` times as many of the screen."""
        self.scene.place(width, ratio)
        self.forget()

    def forget(self) -> None:
        """Begin a new catalogue; the page starts afresh too."""
        self.camera.forget()
        self.canvas.begin(self.camera.catalogue, *self.camera.size, self.scene.ratio)

    def hear(self, message: dict) -> None:
        """Handle a message of the page, a dict with a `type`."""
        with self.lock:
            match message["type"]:
                case "ready":                           # a view appeared, or its room changed
                    self.lay_out(int(message["width"]), float(message["ratio"]))
                    self.canvas.busy = False
                    self._refresh()
                case "painted":
                    self.canvas.busy = False
                    if self._outdated:
                        self._refresh()
                case "visible":
                    self.canvas.visible = bool(message["visible"])
                    self._refresh()                     # what was prepared may have wanted other work
                case "points":
                    self.canvas.answered = message["id"]            # by the next frame, which `redraw` sends
                    self.change_points(*message["change"])
                case "numbers":
                    self.canvas.send({"type": "numbers", "tables": self.numbers()})

    # --- the states that a reader may want next

    @property
    def prepared(self) -> list[str]:
        """The controls along which states are prepared, the one that was moved last first."""
        slow = {*self.scene.slow, *({*self.more} & {*self.scene.drawn_by})}
        names = [name for name, options in self.options.items() if len(options) >= MANY and name not in slow]
        return sorted(names, key=lambda name: name != self._moved)

    def neighbours(self) -> Iterator[tuple[str, dict]]:
        """The states to prepare, (key, state) each: the nearest first, then some of the whole range, then the rest."""
        here, state = self.positions, self.state
        for name in self.prepared:
            options = self.options[name]
            away = [abs(i - here[name]) for i in range(len(options))]
            later = [steps > NEAR and steps % COARSE > 0 for steps in away]
            for i in sorted(range(len(options)), key=lambda i: (later[i], i < here[name], away[i])):
                yield _key({**here, name: i}), {**state, name: options[i]}

    def _go_on(self) -> None:
        """Start a task that does the scene's long work and then prepares states, until the next change."""
        self._changes += 1                              # ends the earlier task
        loop = running_loop()
        if loop:
            loop.create_task(self._work_and_prepare(self._changes))

    async def _work_and_prepare(self, change: int) -> None:
        def goes_on() -> bool:
            return change == self._changes and self.comm is not None and not self._outdated

        work, end = self.scene.work, time.perf_counter() + REPORT
        while work.working and goes_on():
            with self.lock:
                work.work(PORTION)
                if not work.working or time.perf_counter() > end:
                    return self.redraw()                # this starts another task, which goes on
            await asyncio.sleep(PAUSE)
        await asyncio.sleep(AFTER_A_POINT if self._moved == "points" else REST)
        states = ((key, state) for key, state in self.neighbours() if key not in self.canvas.known)
        while goes_on() and self.canvas.visible:
            if not self.canvas.busy:                    # the page has dealt with what was sent
                with self.lock:
                    frames, end = {}, time.perf_counter() + PORTION
                    for key, state in states:
                        frames[key] = self.frame_of(state)
                        if not goes_on() or time.perf_counter() > end:
                            break
                    if not frames:
                        return
                    self._supply(frames)
            await asyncio.sleep(PAUSE)


def _key(positions: dict[str, int]) -> str:
    """The name of a state in the page."""
    return ",".join(map(str, positions.values()))
