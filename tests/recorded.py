"""Reads a page with a recorded figure as its own program does: which state shows which shapes, words and background."""
import base64
import json
import re
import zlib

import numpy as np

from workbook.figures.numbers import tables
from workbook.site.recording import ARRAYS

TYPES = {"i16": "<i2", "u8": "u1", "rgba": "<u4"}


class Recorded:
    """head: what the page knows of the figure. `look(grid, i)` is what it shows in the i-th frame of a grid."""

    def __init__(self, page: str):
        data = zlib.decompress(base64.b64decode(re.search(r'class="wb-recording">([^<]+)<', page)[1]))
        length, = np.frombuffer(data[:4], "<u4")
        self.head, start, self.held = json.loads(data[4:4 + length]), 4 + length, {}
        for about in self.head["news"]:
            self.held[about["id"]] = about["kind"], data[start:(start := start + about["bytes"])]
        assert start == len(data)

    def look(self, grid: dict, i: int):
        background, items, sentence, (heads, *columns) = grid["frames"][i]
        columns = iter(self.held[column][1].decode().split("\t") for column in columns)
        tables = [{"caption": caption, "head": head, "rows": [list(row) for row in zip(*(next(columns) for _ in head))]}
                  for caption, head in json.loads(self.held[heads][1])]
        return *look(self.held, background, items, sentence), tables


def look(held: dict, background: int, items: list, sentence: int) -> tuple[list, list, str]:
    """The items of a background and those that move, with their arrays, and the sentence."""
    def shapes_of(item: int) -> list:
        shapes = json.loads(held[item][1])
        for shape in shapes:
            at = ARRAYS[shape[0]]
            shape[at] = [None if one < 0 else np.frombuffer(held[one][1], TYPES[held[one][0]]) for one in shape[at]]
        return shapes

    still = json.loads(held[background][1])
    return [*map(shapes_of, still)], [*map(shapes_of, items)], held[sentence][1].decode()


def look_of(figure, state: dict):
    """The same of the figure itself."""
    frame = figure.frame_of(state)
    held = [(about["kind"], data) for about, data in figure.camera.catalogue.news]
    return *look(held, *frame), tables(figure.scene.panels.values())
