"""Words as ink, for the page to draw in a colour: what Agg makes of them, kept for the next time they are wanted."""
import re

import matplotlib
import numpy as np
from matplotlib.backends.backend_agg import RendererAgg

# Digits have no kerning: a number is measured and put together digit by digit, and its text is never laid out anew.
# Before 3.11 Matplotlib sets letters on whole pixels only, and nothing would fit together.
PARTS = re.compile(r"\d|\D+" if matplotlib.__version_info__ >= (3, 11) else r"(?s).+")


class Writer(RendererAgg):
    """A renderer that makes the ink of words once for each place between pixels at which they stand."""

    def __init__(self, width: int, height: int, dpi: float):
        super().__init__(width, height, dpi)
        self.sizes, self.inks = {}, {}

    def get_text_width_height_descent(self, s, prop, ismath):
        parts = PARTS.findall(s)
        if ismath or len(parts) < 3:
            return super().get_text_width_height_descent(s, prop, ismath)
        first, *middle, last = parts
        sizes = [self._size(part, prop) for part in parts]
        down, up = max(d for _, _, d in sizes), max(h - d for _, h, d in sizes)
        return self._size(first + last, prop)[0] + sum(self._step(part, prop) for part in middle), up + down, down

    def _size(self, s: str, prop) -> tuple[float, float, float]:
        words = s, hash(prop)
        if words not in self.sizes:
            self.sizes[words] = super().get_text_width_height_descent(s, prop, False)
        return self.sizes[words]

    def _step(self, part: str, prop) -> float:
        """How far it is from one part of a number to the next: by so much it moves two digits apart."""
        return self._size(f"0{part}0", prop)[0] - self._size("00", prop)[0]

    def ink(self, x: float, y: float, gc, s: str, prop, angle, ismath, mtext) -> "Ink":
        """The ink of words at x and y, both from 0 to 1 pixel."""
        words = x, y, s, hash(prop), angle, ismath
        if words not in self.inks:
            self.inks[words] = self._renderer = ink = Ink()
            parts = PARTS.findall(s)
            if angle or ismath or len(parts) < 2:
                super().draw_text(gc, x, y, s, prop, angle, ismath, mtext)
            else:
                for part in parts:
                    ink.letters += [(letter, left + int(x), top) for letter, left, top in
                                    self.ink(x % 1, y, gc, part, prop, 0.0, False, mtext).letters]
                    x += self._step(part, prop)
        return self.inks[words]


class Ink:
    """Takes what Agg makes of words: letters, each (columns, rows and ink, left edge, top edge), and bars."""

    def __init__(self):
        self.letters, self.bars = [], []

    def draw_text_image(self, image, x, y, angle, gc):
        image = np.asarray(image, dtype=np.uint8)
        if angle == 90:                                 # older Matplotlib leaves the turning to the renderer
            x, image = x - image.shape[0], np.rot90(image)
        if image.size:
            size = np.array(image.shape[::-1], dtype="<u2").tobytes()
            self.letters.append((size + image.tobytes(), int(x), int(y) - image.shape[0]))

    def draw_path(self, gc, path, transform, face):
        self.bars.append((transform.transform_path(path), gc))
