"""A live figure recorded: what it shows in many states, small enough to lie in a page.

All states together are too many. So a recording consists of *grids*: in each of them two or three controls move (the
first slider, the one that keys move, a third slider with few positions) and the others are set. There is one for the
figure as it opens, one more for every other setting that a preset or a lesson needs and, while there is room, for each
option of a menu; and before each of them two in which only the first slider moves, or the one that keys move, through
nearly all its positions.
Frames are stored as JupyterLab's page receives them, and whatever they share is stored once.
"""
import itertools
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from workbook.figures.live import Explorer
from workbook.figures.tables import tables

STATES = 1600                           # frames in all: half a minute's work
LIMIT = 680_000                         # bytes, compressed: nine tenths of a megabyte as text in a page
SMALLEST, FURTHER = 140, 3 / 5          # frames of a further grid, at least; the share of all further grids together
FEW = 12                                # positions up to which a third slider moves in a grid
ARRAYS = {"path": slice(2, 5), "stamp": slice(2, 9), "image": slice(2, 6), "words": slice(3, None),
          "named": slice(0), "visited": slice(0), "data": slice(0), "note": slice(0)}
"""Where the shapes of an item name arrays by their numbers."""


@dataclass
class Grid:
    """settings: {control: position} of the fixed controls. axes: {control: recorded positions} of the moving ones,
    before recording only those that must be among them. Any other control changes nothing here. frames: [background,
    items, sentence, tables] each, the last axis first. interactions: what drags and keys do here."""

    settings: dict[str, int]
    axes: dict[str, list[int]]
    frames: list[list] = field(default_factory=list)
    interactions: dict = field(default_factory=dict)

    def matches(self, at: dict[str, int]) -> bool:
        return self.settings.items() <= at.items()

    def columns(self) -> tuple[int, list[tuple[int, ...]]]:
        """The frames part by part: backgrounds, sentences, items, tables; and how many columns are items. -1: none."""
        backgrounds, items, sentences, texts = zip(*self.frames)
        items, texts = (list(itertools.zip_longest(*lists, fillvalue=-1)) for lists in (items, texts))
        return len(items), [backgrounds, sentences, *items, *texts]


class Recording:
    """The grids of a figure, and `data`, the bytes that a page plays."""

    def __init__(self, figure: Explorer, states: int = STATES, limit: int = LIMIT, name: str = "figure"):
        """Record about `states` frames in at most `limit` bytes, or raise ValueError, which calls it by its name."""
        self.figure, self.start = figure, figure.positions
        figure.frames.begin()
        self.presets = figure.about["presets"]
        self.of_lesson = []
        for state in figure.scene.lesson_asks:
            if not state.keys() <= figure.controls.keys():                 # a figure of given data draws no samples
                continue
            figure.set(**state)
            self.of_lesson.append(figure.positions)
            figure.reset()
        sliders = [name for name, control in figure.controls.items() if control.kind == "range"]
        still = {*figure.scene.drawn_by, *figure.scene.slow}
        self.sliders = [name for name in sliders if name == sliders[0] or name not in still]
        menus = [name for name in figure.options if name not in sliders and name not in figure.scene.slow]
        self.menus = sorted(menus, key=lambda name: len(figure.options[name]))
        self._frames: dict[tuple[int, ...], list] = {}
        self.frame(self.start)
        self.looks = figure.looks()
        while states:                                   # with fewer and fewer frames, until they fit
            self.grids = self._record(states)
            self.data = self._packed()
            if len(self.data) <= limit:
                return
            states = int(0.95 * states * limit / len(self.data))
        raise ValueError(f"{name}: got a recording of {len(self.data)} bytes, expected at most {limit}; "
                         "a smaller width may do")

    def state(self, at: dict[str, int]) -> dict:
        """The state of the figure at these positions."""
        return {name: options[at[name]] for name, options in self.figure.options.items()}

    def frame(self, at: dict[str, int]) -> list:
        """[background, items, sentence, tables] at these positions, by number, with any work in the background done."""
        key = tuple(at[name] for name in self.start)
        if key not in self._frames:
            frame = self.figure.frame_of(self.state(at), finished=True)
            shown = tables(self.figure.scene.panels.values())
            texts = [json.dumps([[table["caption"], table["head"]] for table in shown], ensure_ascii=False)]
            texts += ["\t".join(column) for table in shown for column in zip(*table["rows"])]
            number = self.figure.camera.catalogue.number
            self._frames[key] = [*frame, [number("text", text.encode()) for text in texts]]
        return self._frames[key]

    def _settings(self) -> Iterator[dict[str, int]]:
        """The positions for which there should be a grid, the most important first."""
        yield self.start
        yield from self.presets.values()
        yield from self.of_lesson
        for name in self.menus:
            for position in range(len(self.figure.options[name])):
                yield {**self.start, name: position}

    def _record(self, states: int) -> list[Grid]:
        grids: list[Grid] = []
        for at in self._settings():
            grid = next((grid for grid in grids if grid.matches(at)), None)
            if grid is None:
                if at not in self.of_lesson and len(grids) - len(self.of_lesson) > states * FURTHER / SMALLEST:
                    continue
                grid = self._grid(at)
                grids.append(grid)
            for name, needed in grid.axes.items():
                needed.append(at[name])
        rest = states * FURTHER if len(grids) > 1 else 0     # of all grids but the first
        grids = [one for grid in grids for one in self._filled(
            grid, states - rest if grid is grids[0] else rest / (len(grids) - 1),
            () if grid is grids[0] else self.figure.scene.slow)]
        for grid in grids:
            at = {**self.start, **grid.settings}
            grid.interactions = self.figure.interactions(self.state(at))
            grid.frames = [self.frame({**at, **dict(zip(grid.axes, place))})
                           for place in itertools.product(*grid.axes.values())]
        return grids

    def _filled(self, grid: Grid, most: float, only_needed) -> list[Grid]:
        """The grid with about `most` frames, at most a third of them each in grids before it where one slider moves,
        through all its places in the grid and others: the first, and the one that keys move."""
        lengths = {name: len(self.figure.options[name]) for name in grid.axes}
        alone = [name for name in dict.fromkeys((self.sliders[0], self.figure.scene.keyed))
                 if len(lengths) > 1 and name in lengths and name not in only_needed]
        rest = most - sum(min(lengths[name], most / 3) for name in alone)
        grid.axes = positions(lengths, grid.axes, rest, only_needed)
        return [*(Grid(grid.settings | {other: self.start[other] for other in lengths if other != name},
                       positions({name: lengths[name]}, grid.axes, most / 3)) for name in alone), grid]

    def _grid(self, at: dict[str, int]) -> Grid:
        """The grid around these positions, still empty."""
        slow = () if at == self.start else self.figure.scene.slow
        moving = [name for name in self.sliders if name in slow or self._changes_something(at, name)]
        keyed = [name for name in moving if name == self.figure.scene.keyed]
        first = [name for name in moving if name not in keyed][:1]
        few = [name for name in moving if name not in first + keyed and len(self.figure.options[name]) <= FEW]
        axes = dict.fromkeys(first + keyed + few)
        idle = {*self.sliders} - {*moving}
        return Grid({name: at[name] for name in at if name not in idle | axes.keys()}, {name: [] for name in axes})

    def _changes_something(self, at: dict[str, int], slider: str) -> bool:
        last = len(self.figure.options[slider]) - 1
        tried = {0, last // 3, 2 * last // 3, last}
        return any(self.frame({**at, slider: position}) != self.frame(at) for position in tried)

    def _packed(self) -> bytes:
        """Compressed: the length of the head, the head as JSON, and the bytes of all that its `news` lists. What one
        artist looks like, state after state, lies together, and numbers are written as differences: a fifth less."""
        parts = {about["id"]: (about, data) for about, data in self.figure.camera.catalogue.news}
        order: dict[int, None] = {}

        def use(numbers) -> None:
            """List parts of one kind, and then those that they name."""
            new = [number for number in dict.fromkeys(numbers) if number >= 0 and number not in order]
            order.update(dict.fromkeys(new))
            kinds = {parts[number][0]["kind"] for number in new}
            named = [json.loads(parts[number][1]) for number in new if kinds & {"background", "item"}]
            if "item" in kinds:
                named = [[array for shape in shapes for array in shape[ARRAYS[shape[0]]]] for shapes in named]
            if named:
                use(itertools.chain.from_iterable(itertools.zip_longest(*named, fillvalue=-1)))

        columns = [grid.columns() for grid in self.grids]
        for column in ([*self.looks.values()], *(each for _, grid in columns for each in grid)):
            use(column)
        news = [parts[number] for number in sorted(order, key=lambda number: parts[number][0]["kind"])]
        grids = [{"settings": grid.settings, "axes": list(grid.axes.items()), **grid.interactions,
                  "frames": [count, *np.diff(those, prepend=0).tolist()]}
                 for grid, (count, those) in zip(self.grids, columns)]
        kinds, numbers, sizes = ([about[name] for about, _ in news] for name in ("kind", "id", "bytes"))
        head = self.figure.about | self.figure.camera.size | {
            "looks": self.looks, "grids": grids, "news": [kinds, np.diff(numbers, prepend=0).tolist(), sizes]}
        head = json.dumps(head, separators=(",", ":"), ensure_ascii=False).encode()
        return zlib.compress(b"".join([np.uint32(len(head)).tobytes(), head, *(data for _, data in news)]), 9)


def positions(lengths: dict[str, int], needed: dict[str, list[int]], most: float, only_needed=()) -> dict:
    """{axis: its recorded positions}, about `most` in all: those needed, both ends, and others between them, most of
    them on the first axis, along which a figure is moved most. only_needed: axes that get those needed and no more."""
    first, found = next(iter(lengths), None), {}
    order = sorted(lengths, key=lambda name: (name not in only_needed, name == first, lengths[name]))
    for left, name in zip(range(len(order), 0, -1), order):
        share = most if left == 1 else (most / 2) ** (1 / left)
        count = 0 if name in only_needed else max(2, int(share))
        between = np.linspace(0, lengths[name] - 1, min(count, lengths[name]), dtype=int).tolist()
        found[name] = sorted({*needed[name], *between})
        most /= len(found[name])
    return {name: found[name] for name in lengths}
