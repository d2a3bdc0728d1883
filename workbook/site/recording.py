"""A live figure recorded: what it shows in many states, small enough to lie in a page.

Which controls are recorded is found by running the figure. A *slab* is one setting of the controls that stay, and a
grid over those that move: the first slider, the query, and a third one where it has few positions. The first slab is
where the figure begins; there is one more for each other setting that a button asks for, and, while there is room, for
each option of a choice. A frame's items are stored once, so what does not change along a control costs next to nothing
along it.
"""
import itertools
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field

import ipywidgets
import numpy as np

from workbook.figures import controls as make
from workbook.figures.live import Explorer

STATES = 1600                           # frames in all: half a minute's work
FIRST, OTHER = 0.5, 100                 # share of them for the first slab; at least so many for each of the others
LIMIT = 710_000                         # bytes, compressed: one megabyte as text in a page
FEW = 12                                # positions up to which a third slider is recorded
# Where the shapes of an item name arrays by their numbers.
NAMED = {"path": slice(2, 5), "stamp": slice(2, 9), "image": slice(2, 4), "words": slice(4, None)}
SLIDERS = (ipywidgets.SelectionSlider, ipywidgets.IntSlider, ipywidgets.FloatSlider)


@dataclass
class Slab:
    """One setting, in positions: `settings` of the controls that stay, and `axes`, {control: those that are recorded}.

    idle: controls that change nothing here. frames: by positions along the axes, what `Explorer.frame_of` returned and
    the tables. must: positions that no grid may leave out. hands: what drags and keys do here.
    """

    settings: dict[str, int]
    axes: dict[str, list[int]] = field(default_factory=dict)
    idle: list[str] = field(default_factory=list)
    frames: dict[tuple[int, ...], list] = field(default_factory=dict)
    must: dict[str, set[int]] = field(default_factory=dict)
    hands: dict = field(default_factory=dict)

    @property
    def places(self) -> list[tuple[int, ...]]:
        return list(itertools.product(*self.axes.values()))

    def matches(self, at: dict[str, int]) -> bool:
        return all(at[name] == place for name, place in self.settings.items())


class Recording:
    """The slabs of a figure, and what their frames are made of."""

    def __init__(self, figure: Explorer, states: int = STATES, limit: int = LIMIT, **about):
        """Record about so many states, in at most `limit` bytes; about: what else the page has to know.

        ValueError if not even the coarsest grid is that small.
        """
        self.figure, self.about = figure, about
        figure.canvas.fine = True
        figure.canvas.forget()
        self.start = figure.positions
        self.presets = self._presses()
        self.asked = []
        if not getattr(figure.scene.sample, "fixed", False):
            for state in figure.scene.lesson_asks:
                figure.set(**state)
                self.asked.append(figure.positions)
                figure.reset()
        self.options = {name: make.values(figure.controls[name]) for name in figure._named}
        drawn = set(getattr(figure.scene.sample, "drawn_by", ()))
        slow = set(figure.scene.slow)
        sliders = [name for name in figure._named if isinstance(figure.controls[name], SLIDERS) and name not in drawn]
        if figure.scene.work is not None:
            slow -= {next(iter(sliders), None)}         # the work is recorded as it is when it is done
        self.sliders = [name for name in sliders if name not in slow]
        choices = [name for name in figure._named if not isinstance(figure.controls[name], SLIDERS)]
        self.choices = sorted((name for name in choices if name not in slow), key=lambda name: len(self.options[name]))
        self.texts: dict[str, int] = {}                 # columns of tables, and how tables are made of them
        self.slabs = self._record(states)
        self.held = {about["id"]: (about["kind"], held) for about, held in figure.canvas.tracks.news}
        self.data = Encoder(self.held).encode(self)
        while len(self.data) > limit and self._coarsen(limit / len(self.data)):
            self.data = Encoder(self.held).encode(self)
        if len(self.data) > limit:
            raise ValueError(f"{about.get('name', 'figure')}: got a recording of {len(self.data)} bytes, expected at "
                             f"most {limit}; a smaller width may do")

    @property
    def play(self) -> list:
        """The control that a button of the figure moves on, and after how many milliseconds; or nothing."""
        return next(([self.figure.scene.keyed, one.interval] for one in self.figure.controls.values()
                     if isinstance(one, ipywidgets.Play)), [])

    def _presses(self) -> dict[str, dict[str, int]]:
        """Where each button of the figure leads, but the last one, which leads back."""
        found, figure = {}, self.figure
        *presets, reset = figure.buttons
        for button in presets:
            button.click()
            found[button.description] = figure.positions
            reset.click()
        return found

    def state(self, at: dict[str, int]) -> dict:
        """The state of the figure at these positions."""
        return {**self.figure.state, **{name: self.options[name][place] for name, place in at.items()}}

    def frame(self, at: dict[str, int]) -> list:
        """The frame of these positions, after the work that stands behind them."""
        frame, work = self.figure.frame_of(self.state(at)), self.figure.scene.work
        if work is not None and not work.complete:
            work.stop()
            work.jobs.work_until(work.count)
            frame = self.figure.frame_of(self.state(at))
        return frame

    def tables(self) -> list[int]:
        """What the figure shows now, as tables, by numbers of texts: how they are made of columns, and the columns."""
        tables = self.figure.scene.numbers()
        texts = [json.dumps([[table["caption"], table["head"]] for table in tables], ensure_ascii=False)]
        texts += ["\t".join(column) for table in tables for column in zip(*table["rows"])]
        return [self.texts.setdefault(text, len(self.texts)) for text in texts]

    @property
    def controls(self) -> list[dict]:
        """The figure's controls in their order: name, kind, the words before it, and those for each position."""
        found = []
        for name, options in self.options.items():
            control = self.figure.controls[name]
            kind = "range" if isinstance(control, SLIDERS) else "switch" if options == [False, True] else "select"
            if hasattr(control, "options"):
                labels = [str(each[0] if isinstance(each, tuple) else each) for each in control.options]
            elif kind == "switch":
                labels = ["off", "on"]
            else:
                labels = [format(each, control.readout_format) for each in options]
            found.append({"name": name, "kind": kind, "text": control.description or name, "labels": labels,
                          "more": name in self.figure.more})
        return found

    def _wanted(self) -> Iterator[dict[str, int]]:
        """The positions from which slabs are made, the most important first."""
        yield self.start
        yield from self.presets.values()
        yield from self.asked
        for name in self.choices:
            for place in range(len(self.options[name])):
                yield {**self.start, name: place}

    def _record(self, states: int) -> list[Slab]:
        slabs: list[Slab] = []
        for at in self._wanted():
            slab = next((slab for slab in slabs if slab.matches(at)), None)
            if slab is None:
                if at not in self.asked and len(slabs) - len(self.asked) > (1 - FIRST) * states / OTHER:
                    continue
                slabs.append(slab := self._slab(at))
            for name in slab.axes:
                slab.must.setdefault(name, set()).add(at[name])
        each = (1 - FIRST) * states / max(len(slabs) - 1, 1)
        for slab in slabs:
            first = slab is slabs[0]
            axes = {name: len(self.options[name]) for name in slab.axes}
            only = set() if first else set(self.figure.scene.slow)
            slab.axes = grid(axes, slab.must, FIRST * states if first else each, only)
            at = {**self.start, **slab.settings}
            for place in slab.places:
                slab.frames[place] = [*self.frame({**at, **dict(zip(slab.axes, place))}), self.tables()]
            self._look_at_hands(slab)
        return slabs

    def _slab(self, at: dict[str, int]) -> Slab:
        """The slab of these positions, without its frames: along which controls something changes is tried."""
        moves, idle = [], []
        here = self.frame(at)
        slow = set(self.figure.scene.slow) if at != self.start else set()
        for name in self.sliders:
            count = len(self.options[name])
            tried = {0, count // 3, 2 * count // 3, count - 1} - {at[name]} if name not in slow else set()
            same = all(self.frame({**at, name: place}) == here for place in tried)
            (idle if same and name not in slow else moves).append(name)
        keyed = self.figure.scene.keyed
        first = [name for name in moves if name != keyed][:1]
        axes = [*first, *([keyed] if keyed in moves else [])]
        axes += [name for name in moves if name not in axes and len(self.options[name]) <= FEW]
        settings = {name: place for name, place in at.items() if name not in axes and name not in idle}
        return Slab(settings, {name: [] for name in axes}, idle)

    def _look_at_hands(self, slab: Slab) -> None:
        """What drags and keys do where this slab is: the figure goes there for a moment."""
        figure = self.figure
        before = figure.state
        place = min(slab.places, key=lambda place: sum(abs(self.start[n] - p) for n, p in zip(slab.axes, place)))
        at = {**self.start, **slab.settings, **dict(zip(slab.axes, place))}
        self.frame(at)                                  # the work behind it is done
        figure.set(**{name: value for name, value in self.state(at).items() if name in figure.controls})
        figure._settle()
        slab.hands = figure._ahead.hands()
        figure.set(**before)

    def _coarsen(self, share: float) -> bool:
        """Leave out states until about this share is left, which is known when it is packed; whether there were any."""
        count = before = sum(len(slab.frames) for slab in self.slabs)
        while count > share * before and self._leave_out():
            count = sum(len(slab.frames) for slab in self.slabs)
        return count < before

    def _leave_out(self) -> bool:
        """Every second position of the longest grid that can spare some; the first slab gets coarse last."""
        asked = [self.start, *self.presets.values(), *self.asked]
        spare = [(len(places), i, name) for i, slab in enumerate(self.slabs) for name, places in slab.axes.items()
                 if len(places) > max(4, 2 * len(slab.must[name]))]
        others = [slab for slab in self.slabs if not any(slab.matches(at) for at in asked)]
        if others and all(i == 0 for _, i, _ in spare):
            self.slabs.remove(others[-1])
        elif spare:
            _, i, name = max((each for each in spare if each[1]), default=max(spare))
            places = (slab := self.slabs[i]).axes[name]
            slab.axes[name] = [p for j, p in enumerate(places)
                               if j % 2 == 0 or p in slab.must[name] or p == places[-1]]
            slab.frames = {place: slab.frames[place] for place in slab.places}
        return bool(others or spare)


def grid(lengths: dict[str, int], must: dict[str, set[int]], most: float, only: set[str]) -> dict[str, list[int]]:
    """Positions for each axis, `most` in all: those that must be, both ends, and others at equal steps.

    The first axis, along which the figure is moved most, gets twice as many as another. only: axes along which nothing
    but what must be is recorded.
    """
    steps, first = dict.fromkeys(lengths, 1), next(iter(lengths), None)

    def places(name):
        if name in only:
            return sorted(must[name])
        begin = min(must[name]) % steps[name]
        return sorted({0, lengths[name] - 1, *must[name], *range(begin, lengths[name], steps[name])})

    while np.prod([len(places(name)) for name in lengths]) > most:
        able = [name for name in lengths if len(places(name)) > len(must[name]) + 2]
        if not able:
            break
        longest = max(able, key=lambda name: len(places(name)) / (2 if name == first else 1))
        steps[longest] += 1
    return {name: places(name) for name in lengths}


class Encoder:
    """What frames are made of, numbered by their first use and packed."""

    def __init__(self, held: dict[int, tuple[str, bytes]]):
        self.held = held
        self.arrays, self.items, self.pieces, self.columns = {}, {}, {}, {}     # as recorded, or text -> number stored
        self.templates, self.backgrounds, self.parts = {}, {}, []       # background -> its items

    def encode(self, recording: Recording) -> bytes:
        slabs, steps = [], []
        for slab in recording.slabs:
            rows = [self._frame(*slab.frames[place]) for place in slab.places]
            wide = [max(len(row[i]) for row in rows) for i in (1, 2, 3)]
            table = np.array([[first, *(one for each, most in zip(lists, wide)
                                        for one in (*each, *[-1] * (most - len(each))))] for first, *lists in rows])
            steps.append(np.diff(table, axis=0, prepend=0).T.ravel())
            slabs.append({"settings": slab.settings, "idle": slab.idle, "axes": list(slab.axes.items()),
                          "wide": wide, **slab.hands})
        self._pack("frames", np.concatenate(steps), "i4")
        self._pack_arrays()
        self._pack_items()
        texts = list(recording.texts)
        self.parts.append(("columns", "u1", "\n".join(texts[column] for column in self.columns).encode()))
        pieces = "\n".join(self.pieces).encode()
        width, height = map(int, recording.figure.canvas.agg.get_width_height(physical=True))
        head = {"start": recording.start, "presets": recording.presets, "controls": recording.controls, "slabs": slabs,
                "label": recording.figure.canvas.label, "longest": recording.figure.canvas.longest,
                "play": recording.play, "templates": list(self.templates), **recording.about,
                "backgrounds": list(self.backgrounds.values()), "width": width, "height": height,
                "parts": [[name, kind, len(held)] for name, kind, held in self.parts]}
        body = b"".join(held for _, _, held in self.parts)
        told = json.dumps(head, separators=(",", ":"), ensure_ascii=False).encode()
        return zlib.compress(np.array([len(told), len(pieces)], "<u4").tobytes() + told + pieces + body, 9)

    def _frame(self, background: int, items: list[int], sentence: int, tables: list[int]) -> tuple:
        pieces = re.split(r"(?<=[.:;,]) ", self.held[sentence][1].decode())
        if background not in self.backgrounds:
            self.backgrounds[background] = [self._item(one) for one in json.loads(self.held[background][1])]
        return (list(self.backgrounds).index(background), [self._item(one) for one in items],
                [self.pieces.setdefault(piece, len(self.pieces)) for piece in pieces],
                [self.columns.setdefault(column, len(self.columns)) for column in tables])

    def _item(self, number: int) -> int:
        if number not in self.items:
            shapes, arrays = json.loads(self.held[number][1]), []
            for shape in shapes:
                named = shape[NAMED[shape[0]]]
                arrays += named
                shape[NAMED[shape[0]]] = [None] * len(named)
            template = self.templates.setdefault(json.dumps(shapes, separators=(",", ":")), len(self.templates))
            stored = [-1 if one < 0 else self.arrays.setdefault(one, len(self.arrays)) for one in arrays]
            self.items[number] = len(self.items), template, stored
        return self.items[number][0]

    def _pack(self, name: str, values: np.ndarray, kind: str) -> None:
        """Numbers, the bytes of all first, then the next of all: so they compress better."""
        planes = np.asarray(values).astype("<" + kind).view(np.uint8).reshape(-1, int(kind[1])).T
        self.parts.append((name, kind, planes.tobytes()))

    def _pack_arrays(self) -> None:
        kinds, lengths, values = [], [], {"coordinates": [], "octets": [], "colours": []}
        for number in self.arrays:
            kind, held = self.held[number]
            array = np.frombuffer(held, {"i16": "<i2", "u8": "u1", "rgba": "<u4"}[kind])
            kinds.append(["i16", "u8", "rgba"].index(kind))
            lengths.append(len(array))
            if kind == "i16":                           # as steps
                array = np.diff(array, prepend=array.dtype.type(0))
            values[list(values)[kinds[-1]]].append(array)
        self._pack("kinds", np.array(kinds), "u1")
        self._pack("lengths", np.array(lengths), "u4")
        for (name, each), kind in zip(values.items(), ("i2", "u1", "u4")):
            self._pack(name, np.concatenate(each) if each else np.zeros(0), kind)

    def _pack_items(self) -> None:
        """The template of each item; and template by template what the arrays are, as steps from item to item."""
        self._pack("templates", [template for _, template, _ in self.items.values()], "u4")
        named = [np.array([arrays for _, template, arrays in self.items.values() if template == one])
                 for one in range(len(self.templates))]
        self._pack("named", np.array([each.shape[1] for each in named]), "u4")
        steps = [np.diff(each, axis=0, prepend=0).T.ravel() for each in named]
        self._pack("steps", np.concatenate(steps) if steps else np.zeros(0), "i4")
