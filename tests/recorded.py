"""Reads a page with a recorded figure as its own program does: which state shows which shapes, words and background."""
import base64
import json
import re
import zlib

import numpy as np

NAMED = {"path": slice(2, 5), "stamp": slice(2, 9), "image": slice(2, 4), "words": slice(4, None)}
ARRAYS = {"i16": "<i2", "u8": "u1", "rgba": "<u4"}


class Recorded:
    """head: what the page knows of the figure. `look(slab, place)` is what it shows there."""

    def __init__(self, page: str):
        data = zlib.decompress(base64.b64decode(re.search(r'class="wb-recording">([^<]+)<', page)[1]))
        told, words = np.frombuffer(data[:8], "<u4")
        self.head = json.loads(data[8:8 + told])
        self.pieces = data[8 + told:8 + told + words].decode().split("\n")
        start, self.parts = 8 + int(told) + int(words), {}
        for name, kind, count in self.head["parts"]:
            held = data[start:start + count]
            start += count
            planes = np.frombuffer(held, np.uint8).reshape(int(kind[1]), -1)
            self.parts[name] = np.frombuffer(planes.T.tobytes(), "<" + kind)
        assert start == len(data)
        self.columns = self.parts["columns"].tobytes().decode().split("\n")
        self._read_arrays()
        self._read_items()
        self._read_frames()

    def _read_arrays(self):
        parts, used = self.parts, [0, 0, 0]
        self.arrays = []
        for kind, count in zip(parts["kinds"], parts["lengths"]):
            values = parts[("coordinates", "octets", "colours")[kind]][used[kind]:used[kind] + count]
            used[kind] += int(count)
            self.arrays.append(np.cumsum(values, dtype=values.dtype) if kind == 0 else values)

    def _read_items(self):
        parts, head, start = self.parts, self.head, 0
        counts = np.bincount(parts["templates"].astype(int), minlength=len(head["templates"]))
        columns = []
        for wide, count in zip(parts["named"].astype(int), counts):
            steps = parts["steps"][start:start + wide * count].reshape(wide, count)
            start += wide * count
            columns.append(iter(np.cumsum(steps, axis=1).T))
        self.items = []
        for template in parts["templates"]:
            arrays = iter([None if one < 0 else self.arrays[one] for one in next(columns[template])])
            shapes = json.loads(head["templates"][template])        # null where the number of an array is left out
            self.items.append([[next(arrays) if each is None else each for each in shape] for shape in shapes])

    def _read_frames(self):
        start = 0
        for slab in self.head["slabs"]:
            count = int(np.prod([len(places) for _, places in slab["axes"]]))
            wide = 1 + sum(slab["wide"])
            steps = self.parts["frames"][start:start + wide * count].reshape(wide, count)
            start += wide * count
            slab["table"] = np.cumsum(steps, axis=1).T
        assert start == len(self.parts["frames"])

    def look(self, slab: dict, place: int) -> tuple[list, list, str]:
        """The items of the background and those that move, with their arrays, and the sentence."""
        background, *row = slab["table"][place]
        items, pieces, _ = np.split(row, np.cumsum(slab["wide"])[:2])
        return ([self.items[one] for one in self.head["backgrounds"][background]],
                [self.items[one] for one in items if one >= 0],
                " ".join(self.pieces[one] for one in pieces if one >= 0))

    def tables(self, slab: dict, place: int) -> list[dict]:
        """The tables behind the fold, as `Explorer.numbers` gives them."""
        made, *columns = (self.columns[one] for one in slab["table"][place][-slab["wide"][2]:] if one >= 0)
        columns = iter(column.split("\t") for column in columns)
        return [{"caption": caption, "head": head, "rows": [list(row) for row in zip(*(next(columns) for _ in head))]}
                for caption, head in json.loads(made)]


def look_of(figure, state: dict) -> tuple[list, list, str]:
    """The same of the figure itself."""
    background, items, sentence = figure.frame_of(state)
    news, held = figure.canvas.tracks.take()
    start, known = 0, figure.__dict__.setdefault("known_here", {})
    for about in news:
        known[about["id"]] = about["kind"], held[start:start + about["bytes"]]
        start += about["bytes"]
    def shapes_of(item: int) -> list:
        shapes = json.loads(known[item][1])
        for shape in shapes:
            at = NAMED[shape[0]]
            shape[at] = [None if one < 0 else np.frombuffer(known[one][1], ARRAYS[known[one][0]]) for one in shape[at]]
        return shapes

    still = json.loads(known[background][1])
    return [shapes_of(one) for one in still], [shapes_of(one) for one in items], known[sentence][1].decode()
