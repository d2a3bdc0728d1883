"""A live figure recorded: what it shows in many states, small enough to lie in a page.

Which controls are recorded is found by running the figure. A *slab* is one setting of the controls that stay, and a
grid over those that move: the first slider, the query, and a third one where it has few positions. The first slab is
where the figure begins. There is one more for each other setting that a button or a lesson asks for, and, while there
is room, for each option of a choice. What looks the same in several states is stored once, so a control that changes
little adds little.
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
NAMED = {"path": slice(2, 5), "stamp": slice(2, 9), "image": slice(2, 4), "words": slice(3, None)}


@dataclass
class Slab:
    """One setting, in positions: `settings` of the controls that stay, and `axes`, {control: those that are recorded}.

    idle: controls that change nothing here. must: positions that no grid may leave out. frames: by positions along the
    axes, a frame and its tables. hands: what drags and keys do here.
    """

    settings: dict[str, int]
    axes: dict[str, list[int]]
    idle: list[str]
    must: dict[str, set[int]] = field(default_factory=dict)
    frames: dict[tuple[int, ...], list] = field(default_factory=dict)
    hands: dict = field(default_factory=dict)

    def matches(self, at: dict[str, int]) -> bool:
        return all(at[name] == place for name, place in self.settings.items())


class Recording:
    """The slabs of a figure, and `data`, the bytes that a page plays."""

    def __init__(self, figure: Explorer, states: int = STATES, limit: int = LIMIT, **about):
        """Record about so many states, in at most `limit` bytes; about: what else the page has to know.

        ValueError if not even the coarsest grid is that small.
        """
        self.figure, self.about, self.start = figure, about, figure.positions
        figure.forget()
        *presets, _ = figure.buttons                    # the last one leads back
        self.presets = {button.description: self._after(button.click) for button in presets}
        asks = () if getattr(figure.scene.sample, "fixed", False) else figure.scene.lesson_asks
        self.asked = [self._after(lambda state=state: figure.set(**state)) for state in asks]
        still = {*figure.scene.drawn_by, *figure.scene.slow}
        sliders = [name for name in figure.options if isinstance(figure.controls[name], ipywidgets.SelectionSlider)]
        if figure.scene.work is not None:
            still.discard(sliders[0])                   # its work is done once, and recorded
        self.sliders = [name for name in sliders if name not in still]
        choices = {*figure.options} - {*sliders} - {*figure.scene.slow}
        self.choices = sorted(choices, key=lambda name: (len(figure.options[name]), [*figure.options].index(name)))
        self.texts: dict[str, int] = {}                 # columns of tables, and how tables are made of them
        self._looks: dict[tuple[int, ...], list] = {}
        count = np.inf
        while True:
            self.slabs = self._record(states)
            self.data = Encoder(figure.camera.catalogue.news).encode(self)
            if len(self.data) <= limit:
                return
            before, count = count, sum(len(slab.frames) for slab in self.slabs)
            if count >= before:
                raise ValueError(f"{about.get('name', 'figure')}: got a recording of {len(self.data)} bytes, expected "
                                 f"at most {limit}; a smaller width may do")
            states = int(0.95 * states * limit / len(self.data))

    def _after(self, act) -> dict[str, int]:
        """Where the figure stands after a button was pressed, say; then it goes back."""
        act()
        positions = self.figure.positions
        self.figure.reset()
        return positions

    def state(self, at: dict[str, int]) -> dict:
        """The state of the figure at these positions."""
        return {name: options[at[name]] for name, options in self.figure.options.items()}

    def look(self, at: dict[str, int]) -> list:
        """What the figure shows at these positions, with its work done: [background, items, sentence, tables]."""
        key = tuple(at[name] for name in self.start)
        if key not in self._looks:
            figure, work = self.figure, self.figure.scene.work
            frame = figure.frame_of(self.state(at))
            if work is not None and work.finish():
                figure.show_again()
                frame = figure.frame_of(self.state(at))
            self._looks[key] = [*frame, self._tables()]
        return self._looks[key]

    def _tables(self) -> list[int]:
        """What the figure shows now, as tables, by numbers of texts: how they are made of columns, and the columns."""
        tables = self.figure.scene.numbers()
        texts = [json.dumps([[table["caption"], table["head"]] for table in tables], ensure_ascii=False)]
        texts += ["\t".join(column) for table in tables for column in zip(*table["rows"])]
        return [self.texts.setdefault(text, len(self.texts)) for text in texts]

    def _wanted(self) -> Iterator[dict[str, int]]:
        """The positions from which slabs are made, the most important first."""
        yield self.start
        yield from self.presets.values()
        yield from self.asked
        for name in self.choices:
            for place in range(len(self.figure.options[name])):
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
            most, slow = (FIRST * states, ()) if slab is slabs[0] else (each, self.figure.scene.slow)
            slab.axes = grid({name: len(self.figure.options[name]) for name in slab.axes}, slab.must, most, slow)
            at = {**self.start, **slab.settings}
            slab.hands = self.figure.hands(self.state(at))
            for place in itertools.product(*slab.axes.values()):
                slab.frames[place] = self.look({**at, **dict(zip(slab.axes, place))})
        return slabs

    def _slab(self, at: dict[str, int]) -> Slab:
        """The slab of these positions, without its frames: along which controls something changes is tried."""
        moves, idle, here = [], [], self.look(at)
        slow = () if at == self.start else self.figure.scene.slow
        for name in self.sliders:
            last = len(self.figure.options[name]) - 1
            tried = {0, last // 3, 2 * last // 3, last}
            same = name not in slow and all(self.look({**at, name: place}) == here for place in tried)
            (idle if same else moves).append(name)
        keyed = self.figure.scene.keyed
        first = [name for name in moves if name != keyed][:1]
        few = [name for name in moves if name not in (*first, keyed) and len(self.figure.options[name]) <= FEW]
        axes = [*first, *(name for name in moves if name == keyed), *few]
        settings = {name: place for name, place in at.items() if name not in axes and name not in idle}
        return Slab(settings, {name: [] for name in axes}, idle)

    def head(self) -> dict:
        """What the page has to know besides the frames."""
        figure, (width, height) = self.figure, self.figure.camera.size
        play = [[figure.scene.keyed, one.interval] for one in figure.controls.values()
                if isinstance(one, ipywidgets.Play)]
        return {"start": self.start, "presets": self.presets, "controls": [*map(self._control, figure.options)],
                "label": figure.canvas.label, "longest": figure.canvas.longest, "play": play[0] if play else [],
                "width": width, "height": height, "ratio": figure.scene.ratio, **self.about}

    def _control(self, name: str) -> dict:
        """A control: its name, its kind, the words before it, and those for each position."""
        control, kind = self.figure.controls[name], "select"
        if isinstance(control, ipywidgets.SelectionSlider):
            kind = "range"
        elif isinstance(control, ipywidgets.Checkbox):
            kind = "switch"
        return {"name": name, "kind": kind, "text": control.description or name, "labels": make.labels(control),
                "more": name in self.figure.more}


def grid(lengths: dict[str, int], must: dict[str, set[int]], most: float, only=()) -> dict[str, list[int]]:
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
    """Packs frames, and all that they are made of, numbered by its first use."""

    def __init__(self, news: list[tuple[dict, bytes]]):
        self.held = {about["id"]: (about["kind"], held) for about, held in news}
        self.arrays, self.items, self.pieces, self.columns = {}, {}, {}, {}     # as recorded, or text -> number stored
        self.templates, self.backgrounds, self.parts = {}, {}, []       # background -> its items

    def encode(self, recording: Recording) -> bytes:
        slabs, steps = [], []
        for slab in recording.slabs:
            rows = [self._frame(*frame) for frame in slab.frames.values()]
            wide = [max(map(len, column)) for column in zip(*rows)]
            padded = ([each + [-1] * (most - len(each)) for each, most in zip(row, wide)] for row in rows)
            table = np.array([sum(row, []) for row in padded])
            steps.append(np.diff(table, axis=0, prepend=0).T.ravel())
            slabs.append({"settings": slab.settings, "idle": slab.idle, "axes": list(slab.axes.items()),
                          "wide": wide[1:], **slab.hands})
        self._pack("frames", np.concatenate(steps), "i4")
        self._pack_arrays()
        self._pack_items()
        texts = list(recording.texts)
        self.parts.append(("columns", "u1", "\n".join(texts[column] for column in self.columns).encode()))
        pieces = "\n".join(self.pieces).encode()
        head = recording.head() | {
            "slabs": slabs, "templates": list(self.templates), "backgrounds": list(self.backgrounds.values()),
            "parts": [[name, kind, len(held)] for name, kind, held in self.parts]}
        head = json.dumps(head, separators=(",", ":"), ensure_ascii=False).encode()
        sizes = np.array([len(head), len(pieces)], "<u4").tobytes()
        return zlib.compress(sizes + head + pieces + b"".join(held for _, _, held in self.parts), 9)

    def _frame(self, background: int, items: list[int], sentence: int, tables: list[int]) -> tuple[list[int], ...]:
        pieces = re.split(r"(?<=[.:;,]) ", self.held[sentence][1].decode())
        if background not in self.backgrounds:
            self.backgrounds[background] = [self._item(one) for one in json.loads(self.held[background][1])]
        return ([list(self.backgrounds).index(background)], [self._item(one) for one in items],
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
