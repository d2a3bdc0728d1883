"""Reads a page with a recorded figure as its own program does: which state shows which shapes, words and background."""
import base64
import json
import re
import zlib

import numpy as np

from workbook.site.recording import NAMED

ARRAYS = {"i16": "<i2", "u8": "u1", "rgba": "<u4"}


class Recorded:
    """head: what the page knows of the figure. `look(slab, place)` is what it shows there."""

    def __init__(self, page: str):
        data = zlib.decompress(base64.b64decode(re.search(r'class="wb-recording">([^<]+)<', page)[1]))
        head, pieces, body = cut(data[8:], np.frombuffer(data[:8], "<u4"))
        self.head, self.pieces = json.loads(head), pieces.decode().split("\n")
        names, kinds, counts = zip(*self.head["parts"])
        *parts, rest = cut(body, counts)
        assert not rest
        planes = (np.frombuffer(part, np.uint8).reshape(int(kind[1]), -1).T for kind, part in zip(kinds, parts))
        self.parts = {name: np.frombuffer(np.ascontiguousarray(each).tobytes(), "<" + kind)
                      for name, kind, each in zip(names, kinds, planes)}
        self.columns = self.parts["columns"].tobytes().decode().split("\n")
        self._read_items(self._read_arrays())
        wide = [1 + sum(slab["wide"]) for slab in self.head["slabs"]]
        counts = [int(np.prod([len(places) for _, places in slab["axes"]])) for slab in self.head["slabs"]]
        *blocks, rest = cut(self.parts["frames"], np.multiply(wide, counts))
        assert not len(rest)
        for slab, block, each in zip(self.head["slabs"], blocks, wide):
            slab["table"] = np.cumsum(block.reshape(each, -1), axis=1).T

    def _read_arrays(self) -> dict[int, np.ndarray]:
        kinds, arrays = self.parts["kinds"], {}
        for kind, name in enumerate(("coordinates", "octets", "colours")):
            here = np.flatnonzero(kinds == kind)
            for i, values in zip(here, cut(self.parts[name], self.parts["lengths"][here])):
                arrays[i] = values if kind else np.cumsum(values, dtype=values.dtype)
        return arrays

    def _read_items(self, arrays) -> None:
        templates, wide = self.parts["templates"].astype(int), self.parts["named"].astype(int)
        counts = np.bincount(templates, minlength=len(wide))
        blocks = cut(self.parts["steps"], wide * counts)
        rows = [iter(np.cumsum(block.reshape(size), axis=1).T) for block, size in zip(blocks, zip(wide, counts))]
        self.items = []
        for template in templates:
            numbers = iter(next(rows[template]))
            shapes = json.loads(self.head["templates"][template])       # null where the number of an array is left out
            self.items.append([[arrays.get(next(numbers)) if each is None else each for each in shape]
                               for shape in shapes])

    def look(self, slab: dict, place: int) -> tuple[list, list, str, list[dict]]:
        """The items of the background and those that move, with their arrays, the sentence, and the tables."""
        background, *row = slab["table"][place]
        items, pieces, columns, _ = ([one for one in each if one >= 0] for each in cut(row, slab["wide"]))
        heads, *columns = (self.columns[one] for one in columns)
        columns = iter(column.split("\t") for column in columns)
        tables = [{"caption": caption, "head": head, "rows": [list(row) for row in zip(*(next(columns) for _ in head))]}
                  for caption, head in json.loads(heads)]
        return ([self.items[one] for one in self.head["backgrounds"][background]], [self.items[one] for one in items],
                " ".join(self.pieces[one] for one in pieces), tables)


def cut(values, lengths) -> list:
    """Pieces of so many values each, and what is left."""
    ends = np.cumsum([0, *lengths]).tolist()
    return [values[begin:end] for begin, end in zip(ends, [*ends[1:], None])]


def look_of(figure, state: dict) -> tuple[list, list, str, list[dict]]:
    """The same of the figure itself."""
    background, items, sentence = figure.frame_of(state)
    held = [(about["kind"], held) for about, held in figure.camera.catalogue.news]

    def shapes_of(item: int) -> list:
        shapes = json.loads(held[item][1])
        for shape in shapes:
            at = NAMED[shape[0]]
            shape[at] = [None if one < 0 else np.frombuffer(held[one][1], ARRAYS[held[one][0]]) for one in shape[at]]
        return shapes

    still = json.loads(held[background][1])
    return [*map(shapes_of, still)], [*map(shapes_of, items)], held[sentence][1].decode(), figure.scene.numbers()
