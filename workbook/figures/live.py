"""The engine of the live figures: controls give a state, a scene draws it, and the page shows it.

A figure is a *scene* and some *controls*. The scene makes its artists once; `update(state)` moves them and returns the
sentence under the figure. The `Explorer` does the rest: it lays out the panels, sends the frame of each state to the
page, and prepares the frames of neighbouring states while the reader pauses.
"""
import asyncio
import base64
import html
import re
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import RLock

import anywidget
import ipywidgets
import matplotlib
import numpy as np
import traitlets
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec

from workbook import pictures
from workbook.figures import scripts
from workbook.figures.background import Jobs, running_loop
from workbook.figures.controls import Choice
from workbook.figures.frames import Frames
from workbook.figures.interactions import Drag, interactions
from workbook.figures.panel import Panel
from workbook.figures.points import Points
from workbook.figures.recorder import Camera
from workbook.figures.tables import tables
from workbook.language import program, say
from workbook.palette import LIVE, style
from workbook.questions.widgets import Shown, close_all, replace_earlier_run, view

WIDE = 700                              # pixels: from this width on, panels are side by side
NARROWEST, WIDEST, PHONE = 340, 1120, 440
LEFT, TOP, BOTTOM = 64, 26, 45           # margins of every figure, in pixels

# Long work and the preparation of neighbouring states are done in portions, so that messages of the page are handled.
REST, PORTION, PAUSE = 0.12, 0.02, 0.004        # seconds: from a change to preparing, of a portion, between portions
REPORT = 0.12                           # seconds until the progress of long work is shown
AFTER_A_POINT = 1.0                     # seconds from a moved point to preparing: often the next move comes soon
MANY = 9                                # states are prepared along controls with at least so many positions
LEVELS = np.linspace(-1, 1, 2001) * np.abs(np.linspace(-1, 1, 2001))    # weights whose looks the page knows
NEAR, COARSE = 6, 4                     # prepared first: the NEAR next positions, and beyond them every fourth


@dataclass(frozen=True)
class Layout:
    """The arrangement of a scene's panels where there are at least `room` pixels; with less they are stacked.

    mosaic: a string for each row with a name for each column; a dot for no panel; a panel may span rows and columns.
    columns, rows: their relative sizes. height, gap_x and gap_y (between panels) and right (the margin) are in pixels.
    bare: panels without tick labels, as the panel below has the same horizontal axis.
    """

    mosaic: tuple[str, ...]
    columns: tuple[float, ...]
    rows: tuple[float, ...]
    height: int
    room: int = 0
    gap_x: int = 76
    gap_y: int = 56
    right: int = 16
    bare: tuple[str, ...] = ()

    @property
    def panels(self) -> list[str]:
        return list(dict.fromkeys(name for row in self.mosaic for name in row.split()))

    def stacked(self) -> "Layout":
        """The same panels one below the other, about as high as here."""
        boxes = self.boxes(420)
        high = [round(self.height * boxes[name][3]) for name in self.panels]
        rows = tuple(each if each < 60 else min(max(each, 130), 240) for each in high)          # a strip stays a strip
        return replace(self, mosaic=tuple(self.panels), columns=(1,), rows=rows, bare=(), gap_y=72,
                       height=TOP + sum(rows) + 72 * (len(rows) - 1) + BOTTOM)

    def boxes(self, width: int) -> dict[str, tuple[float, float, float, float]]:
        """Each panel's (left, bottom, width, height) as fractions of a figure `width` pixels wide."""
        rows, columns = len(self.rows), len(self.columns)
        wide = (width - LEFT - self.right - self.gap_x * (columns - 1)) / columns
        high = (self.height - TOP - BOTTOM - self.gap_y * (rows - 1)) / rows
        grid = GridSpec(rows, columns, left=LEFT / width, right=1 - self.right / width, bottom=BOTTOM / self.height,
                        top=1 - TOP / self.height, wspace=self.gap_x / wide, hspace=self.gap_y / high,
                        width_ratios=self.columns, height_ratios=self.rows)
        names = np.array([row.split() for row in self.mosaic])
        places = {name: np.nonzero(names == name) for name in self.panels}
        return {name: grid[i.min():i.max() + 1, j.min():j.max() + 1].get_position(None).bounds
                for name, (i, j) in places.items()}


class Scene:
    """What a live figure draws. Subclass it: set up the panels in `__init__`, and show what is seen in `update`.

    `figure` and `panels` (name -> `Panel`, from the layouts) are made here. After they have got another size, the
    functions in `when_placed` are called, and then `update`.

    controls: those in sight, by name, each a function of the `Explorer` that makes it, or returns None for data that
    have no such control; more: those in the fold. play: the name of a slider with a button that moves it one option
    further every so many milliseconds, and positions at which it rests. presets: name -> the values that this button
    sets, the first before the others; those of a control with a `unit` are multiples of it. A preset of controls that
    the figure lacks is left out.

    label: the alternative text. invitation: the headline, at most 60 characters on what to drag and why. longest: the
    length of the longest sentence, for which the page keeps room. unspoken: warnings to suppress, because the sentence
    says the same. slow: controls after which `update` takes longer than a frame; no states are prepared along them, nor
    along those of the fold on which the sample depends. lesson_asks: states that a lesson asks readers to set, so that
    recordings have them. work: the `Jobs` that go on after `update`.

    sample: its `draw(state)` returns whether the data are new; then `new_sample` is called before `update`. movable:
    the panel in which readers move the sample's `points`, a `workbook.figures.points.Points`.

    `drags()` says what a drag in each panel moves. keys: the two arrow keys that move the control `keyed` back and on.
    demo: a control and positions of it (indices of options). A hand lies at the control's handle until the reader
    touches the figure; once it moves the control to these positions and back, see demo.js. The handle is in the first
    panel of `drags()` that moves the control: at the lower edge, or at the left edge for a `Drag` with `y` only.
    """

    layouts: tuple[Layout, ...] = ()
    controls: dict[str, Callable] = {}
    more: dict[str, Callable] = {}
    play: tuple = ("", 0)
    presets: dict[str, dict] = {}
    label = "live figure"
    invitation = ""
    longest = 450
    unspoken: tuple[type[Warning], ...] = ()
    slow: tuple[str, ...] = ()
    lesson_asks: tuple[dict, ...] = ()
    keys: tuple[str, ...] = ()
    keyed = ""
    movable = ""
    demo: tuple = ()

    def __init__(self, sample=None):
        self.sample, self.when_placed, self.tags, self.moving = sample, [], {}, []
        self.drawn_by = getattr(sample, "drawn_by", ())                 # the controls that draw the sample
        with matplotlib.rc_context(style() | LIVE):
            self.figure = Figure(layout="none")
            FigureCanvasAgg(self.figure)
            self.panels = {name: self.figure.add_axes(Panel(self, name)) for name in self.layouts[0].panels}
        self.work = Jobs(lambda _: None)
        self._seen = {}                                 # see `changed`

    def move(self, *artists):
        """Declare artists that move; returns the last one, or the only one."""
        for artist in artists:
            artist.set_animated(True)                   # Matplotlib leaves it out of the background
        self.moving.extend(artists)
        return artists[-1]

    def given(self) -> dict | None:
        """What redraw.js, which draws moved points until Python does, needs besides these; or None."""
        return None

    def look_of_weights(self, weights: np.ndarray, record: Callable[[object], int]) -> dict[str, int]:
        """Draw these weights (k,) with each artist that shows weights; returns its name -> `record(artist)`."""
        return {}

    def changed(self, name: str, value) -> bool:
        """Whether the value, or the sample, has changed since the last call with this name: to skip slow work."""
        before = self._seen.get(name)
        self._seen[name] = value
        return before != value

    def place(self, width: int, ratio: float = 1.0) -> None:
        """Lay out the panels for `width` pixels of the page, each `ratio` screen pixels."""
        width = max(NARROWEST, min(WIDEST, width))
        fitting = [layout for layout in self.layouts if layout.room <= width]
        layout = max(fitting or self.layouts, key=lambda layout: layout.room)
        if width < max(PHONE, layout.room) and len(layout.rows) < 4:        # small panels stay in two columns
            layout = layout.stacked()
        self.figure.set_dpi(100 * ratio)
        self.figure.set_size_inches(width / 100, layout.height / 100)
        boxes = layout.boxes(width)
        for name, panel in self.panels.items():
            panel.set_position(boxes[name])
        for name in {name for each in self.layouts for name in each.bare}:
            self.panels[name].tick_params(labelbottom=name not in layout.bare)
            self.panels[name].xaxis.label.set_visible(name not in layout.bare)
        for place in self.when_placed:
            place()
        self._seen.clear()                              # notes and arrows are placed by pixels

    def show(self, state: dict) -> str:
        """Draw the sample of this state if it is another one, or its points have moved; then `update`."""
        with warnings.catch_warnings():
            for each in self.unspoken:
                warnings.simplefilter("ignore", each)
            if self.sample is not None and self.sample.draw(state):
                self._seen.clear()
                self.new_sample()
            return self.update(state)

    def new_sample(self) -> None:
        """Show what depends only on the sample: with the same limits, while readers move its points."""

    def update(self, state: dict) -> str:
        """Move the artists to show `state`; returns the sentence (HTML) under the figure."""
        raise NotImplementedError

    def drags(self) -> dict[str, Drag]:
        """What a drag in each panel does now."""
        return {}

    def step(self, positions: np.ndarray, by: int) -> np.ndarray:
        """Where the key `by` (-1 or 1) leads from each of these positions (k,) of the control `keyed`, (k,)."""
        return np.clip(positions + by, 0, len(positions) - 1)


class Explorer(Shown, anywidget.AnyWidget):
    """A live figure in a notebook: picture, sentence, controls and buttons, in one widget.

    Each control is a trait: `figure.sigma = 0.2` sets it to the nearest option, `figure.observe(f, "sigma")` calls f
    when it has changed, and `ipywidgets.jslink((slider, "value"), (figure, "sigma"))` moves it with a slider of yours.
    `figure.set(sigma=0.2, n=80)` sets several and draws once, `figure.reset()` sets all as they were at first,
    `figure.state` has the value of each by name, and `figure.sentence` is what the figure says now.
    """

    _esm = program(scripts.program(scripts.HERE, "kernel.js"))
    _css = scripts.style()
    about = traitlets.Dict().tag(sync=True)             # see `_describe`
    found_by = traitlets.Unicode().tag(sync=True)       # a class by which a question finds the figure on the page
    preview = traitlets.Dict().tag(sync=True)           # picture (a PNG in base64) and sentence, until a frame arrives
    # Through it Python speaks: the page never hears an AnyWidget whose program took longer than two seconds to begin.
    channel = traitlets.Instance(ipywidgets.Widget).tag(sync=True, **ipywidgets.widget_serialization)

    def __init__(self, scene: Scene, start: dict | None = None):
        """start: values of controls with which the figure opens; ValueError for an unknown name or an unfit value."""
        self.scene = scene
        made = ((name, make_control(self)) for name, make_control in {**scene.controls, **scene.more}.items())
        self.controls = {name: control for name, control in made if control is not None}
        self.options = {name: control.values for name, control in self.controls.items()}        # a menu's can grow
        for name, value in (start or {}).items():
            self.controls[name].value = self._option(name, value)
        self.add_traits(**{name: Choice(control) for name, control in self.controls.items()})
        self._start, self._drawn, self._sentence = self.state, None, ""         # _drawn: the state of the artists
        self._changes = 0                               # changes so far: work for an earlier one stops
        self._moved, *_ = scene.demo or ("",)           # the control that was moved last, or "points"
        self._setting = self._outdated = False          # during `set`; while a change is not shown yet
        self.lock = RLock()                             # the page may call on another thread than a cell
        self.camera = Camera(scene.figure, scene.moving, scene.tags)
        channel = ipywidgets.Widget()
        self.frames = Frames(channel.send, self.camera)
        self.presets = {                                # name -> the state that this button sets
            name: self._preset(values) for name, values in scene.presets.items()
            if values.keys() <= self.controls.keys()}
        self.lay_out(900)
        super().__init__(about=self._describe(), channel=channel, found_by=f"wb-figure-{channel.model_id}")
        self.on_msg(lambda _, message, __: self.hear(message))
        self.observe(lambda change: self._changed(change.name), [*self.controls])
        replace_earlier_run(self)

    def _describe(self) -> dict:
        """What the page has to know of the figure. Positions are indices of options."""
        scene, label, (demo, *turns) = self.scene, self.scene.label, self.scene.demo or ("",)
        last = len(self.options.get(demo, ())) - 1                          # -1: these data have no such control
        if scene.keyed in self.controls:
            move = (say(". The left and right arrow keys move {control}.") if "ArrowLeft" in scene.keys
                    else say(". The up and down arrow keys move {control}."))
            label += move.format(control=self.controls[scene.keyed].text)
        played, interval, *pauses = scene.play
        controls = [{"name": name, "more": name in scene.more,
                     "data": name in scene.more and name in scene.drawn_by,
                     "interval": interval if name == played else 0, "pauses": pauses, **control.about()}
                    for name, control in self.controls.items()]
        return {"controls": controls, "start": self.positions_of(self._start),
                "presets": {name: self.positions_of(state) for name, state in self.presets.items()},
                "label": label, "invitation": scene.invitation, "keys": [*scene.keys], "longest": scene.longest,
                "height": 100 * scene.figure.get_figheight(), "movable": bool(scene.movable),
                "demo": [demo, *(min(turn, last) for turn in turns)] if last >= 0 else [],
                "fold": say("data and more") if {*scene.more} & {*scene.drawn_by} & {*self.controls} else say("more")}

    def _preset(self, values: dict) -> dict:
        """The state of a preset, with the controls that it names first: the first of these moves first."""
        named = {name: self._option(name, value, self.controls[name].unit or 1) for name, value in values.items()}
        return named | self._start | named

    def _option(self, name: str, value, unit: float = 1):
        """The option of a control for a value, in this unit. ValueError for an unknown name or an unfit value."""
        if name not in self.controls:
            raise ValueError(f"{name}: got no such control in this figure, expected one of {', '.join(self.controls)}")
        return self.controls[name].option(value if unit == 1 else value * unit, name)

    @property
    def state(self) -> dict:
        """The value of every control, by name."""
        return {name: getattr(self, name) for name in self.controls}

    @property
    def positions(self) -> dict[str, int]:
        """The index of the option at which each control is."""
        return self.positions_of(self.state)

    def positions_of(self, state: dict) -> dict[str, int]:
        """The same in any state."""
        return {name: self.options[name].index(value) for name, value in state.items()}

    @property
    def sentence(self) -> str:
        """The sentence under the figure, as plain text."""
        return html.unescape(re.sub(r"<[^>]+>", "", self.sentence_html))

    @property
    def sentence_html(self) -> str:
        """The sentence with its markup; first the background work is done that it needs."""
        with self.lock:
            self._draw(self.state, finished=True)
            return self._sentence

    def tables(self) -> list[dict]:
        """The numbers that the figure shows now, see `workbook.figures.tables`."""
        with self.lock:
            self._draw(self.state)
            return tables(self.scene.panels.values())

    def set(self, **values) -> None:
        """Set several controls and draw once. ValueError for an unknown name or a value that cannot be."""
        options = {name: self._option(name, value) for name, value in values.items()}
        with self._drawing_once():
            for name, option in options.items():
                setattr(self, name, option)

    @contextmanager
    def _drawing_once(self):
        """In this context controls and points change, and what has changed is drawn at its end."""
        changes, outer, self._setting = self._changes, self._setting, True
        try:
            with self.hold_sync():
                yield
        finally:
            self._setting = outer
            if self._changes != changes and not outer:
                self._refresh()

    def reset(self) -> None:
        """Set everything as it was at first."""
        with self._drawing_once():
            if self.scene.movable and self.sample_points.past:
                self.change_points("reset")
            self.set(**self._start)
        self.channel.send({"type": "cover"})

    @property
    def sample_points(self) -> Points:
        """The points of a figure with points to move, as they are in this state."""
        with self.lock:
            self._draw(self.state)
            return self.scene.sample.points

    def change_points(self, kind: str, *details, **options) -> None:
        """Move, add or remove a point, undo a gesture or all of them, as on the page: see `Points.change`."""
        try:
            self.sample_points.change(kind, *details, **options)
        finally:
            self.redraw("points")

    def redraw(self, moved: str = "") -> None:
        """Forget all frames, as states look different now, and show the present state."""
        self._drawn = None
        self.frames.forget(meanwhile=self.scene.work.working)
        self._changed(moved)

    def close(self) -> None:
        """Remove the figure from page and memory."""
        if self.comm is not None:
            close_all(self)

    def _repr_mimebundle_(self, **kwargs):
        """The live view, and picture and sentence for readers without a kernel."""
        with self.lock:                                 # the picture is of the state that the sentence is about
            sentence, png = self.sentence_html, self.camera.png()
        self.preview = {"picture": base64.b64encode(png).decode(), "sentence": sentence}
        beside = f"{sentence} <em>{say('Run this cell to move it.')}</em>"
        picture = pictures.html(png, self.scene.label, beside=beside)
        self._refresh()
        return {**view(self), "text/plain": self.sentence, "text/html": picture}

    # --- from a state to its frame

    def _changed(self, name: str = "") -> None:
        """To be called after a change of the control of that name, of the "points", or of several controls ("")."""
        self._changes += 1                              # ends the task that prepares states
        self._moved = name or self._moved
        if name in self.controls and self.controls[name].accept:
            self.about = self._describe()               # a reader's own kernel may be new in the menu
        if not self._setting:
            self._refresh()

    def _refresh(self) -> None:
        """Show the present state on the page: now, or once the page has confirmed earlier messages."""
        with self.lock:
            self._outdated = self.frames.busy
            if not self._outdated:
                key = _key(self.positions)
                if key not in self.frames.known:
                    self.frames.supply({key: self.frame_of(self.state)}, now=True)
                self.frames.set_interactions(self.interactions(self.state))
            self._changes += 1                          # ends the earlier task
            if loop := running_loop():
                loop.create_task(self._work_and_prepare(self._changes))

    def frame_of(self, state: dict, finished: bool = False) -> list:
        """The frame of any state, see `Camera.frame`. finished: first do the background work that it needs."""
        with self.lock:
            self._draw(state, finished)
            return self.camera.frame(self._sentence)

    def interactions(self, state: dict) -> dict:
        """What drags and keys do in any state, see `workbook.figures.interactions`, and what redraw.js is `given`."""
        with self.lock:
            self._draw(state)
            return interactions(self.scene, self.options) | {"given": self.scene.given()}

    def looks(self) -> dict[str, int]:
        """What each artist that shows weights looks like with each of LEVELS: name -> number of the item."""
        with self.lock:
            self._drawn = None
            return self.scene.look_of_weights(LEVELS, self.camera.recorder.item)

    def _draw(self, state: dict, finished: bool = False) -> None:
        if state != self._drawn:
            self._drawn = state
            try:
                self._sentence = self.scene.show(state)
            except ValueError as error:                 # the figure says it
                self._sentence = say("This cannot be shown: {why}", why=html.escape(str(error)))
        work = self.scene.work
        if finished and work.working and work.done < work.needed:
            work.work(work.needed)
            self.redraw()
            self._draw(state)

    def lay_out(self, width: int, ratio: float = 1.0) -> None:
        """Lay out the figure for `width` pixels of the page, each `ratio` screen pixels."""
        self.scene.place(width, ratio)
        self._drawn = None
        self.frames.begin()

    def hear(self, message: dict) -> None:
        """Handle a message from the page, a dict with a `type`."""
        with self.lock:
            match message["type"]:
                case "ready":                           # a view appeared, or its width changed
                    self.lay_out(int(message["width"]), float(message["ratio"]))
                    self.frames.busy = False
                    self._refresh()
                case "painted":
                    self.frames.busy = False
                    if self._outdated:
                        self._refresh()
                case "visible":
                    self.frames.visible = bool(message["visible"])
                    self._refresh()                     # and go on with preparing
                case "points":
                    self.frames.answered = max(self.frames.answered, message["id"])     # sent with the next frame
                    with self._drawing_once():
                        if message["state"] != self.get_state([*self.controls]):
                            self.set_state(message["state"])        # of which the page may not have told yet
                        self.change_points(*message["change"])
                case "tables":
                    self.channel.send({"type": "tables", "tables": self.tables()})

    # --- the states that a reader may want next

    @property
    def prepared(self) -> list[str]:
        """The controls along which states are prepared; the one that was moved last comes first."""
        slow = {*self.scene.slow, *({*self.scene.more} & {*self.scene.drawn_by})}
        names = [name for name, options in self.options.items() if len(options) >= MANY and name not in slow]
        return sorted(names, key=lambda name: name != self._moved)

    def neighbours(self) -> Iterator[tuple[str, dict]]:
        """The states to prepare, (key, state) each: the nearest, then some of the whole range, then the others."""
        here, state = self.positions, self.state
        for name in self.prepared:
            options = self.options[name]
            away = [abs(i - here[name]) for i in range(len(options))]
            later = [steps > NEAR and steps % COARSE > 0 for steps in away]
            for i in sorted(range(len(options)), key=lambda i: (later[i], i < here[name], away[i])):
                yield _key({**here, name: i}), {**state, name: options[i]}

    async def _work_and_prepare(self, change: int) -> None:
        """Do the background work, and then prepare states, until the next change."""
        def goes_on() -> bool:
            return change == self._changes and self.comm is not None and not self._outdated

        work, end = self.scene.work, time.perf_counter() + REPORT
        while work.working and goes_on():
            with self.lock:
                work.work(work.count, PORTION)
                if not work.working or time.perf_counter() > end:
                    return self.redraw()                # this starts another task, which continues
            await asyncio.sleep(PAUSE)
        await asyncio.sleep(AFTER_A_POINT if self._moved == "points" else REST)
        if self.scene.movable and goes_on():
            self.frames.looks = self.frames.looks or self.looks()
        states = ((key, state) for key, state in self.neighbours() if key not in self.frames.known)
        while goes_on() and self.frames.visible:
            if not self.frames.busy:                    # the page has confirmed what was sent
                with self.lock:
                    frames, end = {}, time.perf_counter() + PORTION
                    for key, state in states:
                        frames[key] = self.frame_of(state)
                        if not goes_on() or time.perf_counter() > end:
                            break
                    if not frames:
                        return
                    self.frames.supply(frames)
            await asyncio.sleep(PAUSE)


def _key(positions: dict[str, int]) -> str:
    return ",".join(map(str, positions.values()))
