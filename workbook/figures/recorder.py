"""What Matplotlib draws, written down instead of painted: the shapes of an artist in pixels, for the page to draw.

An artist draws itself onto a `Recorder` as it would onto any renderer, and what it drew is its *item*: a short list of
shapes (paths, stamps, pictures, words). `Tracks` numbers items by what they hold, so that an artist which looks the
same in two states is stored, and sent, once: along which controls it changes is found by drawing it.
"""
import json
import math
from functools import cache

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backend_bases import RendererBase
from matplotlib.image import AxesImage
from matplotlib.path import Path
from matplotlib.transforms import Affine2D

from workbook.figures.ink import Writer

told = json.JSONEncoder(separators=(",", ":")).encode
SUBPIXELS = 16                          # positions are kept to a sixteenth of a pixel


class Tracks:
    """Numbered once, by what they hold: arrays, items, backgrounds. `news` is what the page has not been sent."""

    def __init__(self):
        self.numbers, self.news, self.size = {}, [], 0

    def number(self, kind: str, held: bytes) -> int:
        """The number of something of a kind; unknown until now, it is news."""
        name = kind, held
        if name not in self.numbers:
            self.news.append(({"kind": kind, "id": len(self.numbers), "bytes": len(held)}, held))
            self.numbers[name] = len(self.numbers)
            self.size += len(held) + 100
        return self.numbers[name]

    def points(self, places: np.ndarray) -> list[int]:
        """Places (n, 2) in pixels: the numbers of x and of y; NaN becomes the lowest number there is."""
        whole = np.minimum(np.maximum(np.rint(places * SUBPIXELS), -32767), 32767)
        return [self.number("i16", side.tobytes()) for side in np.fmax(whole, -32768).astype("<i2").T]

    def octets(self, values: np.ndarray) -> int:
        return self.number("u8", np.ascontiguousarray(values, dtype=np.uint8).tobytes())

    def listed(self, kind: str, what: list) -> int:
        """Shapes of an item, or the items of a background."""
        return self.number(kind, told(what).encode())

    def take(self) -> tuple[list[dict], bytes]:
        """The news, as a list and the bytes that belong to it in a row; they are no news afterwards."""
        news, self.news = self.news, []
        return [about for about, _ in news], b"".join(held for _, held in news)


class Recorder(Writer):
    """A renderer of (width, height) pixels that writes shapes down. y counts from the top, as on the page."""

    def __init__(self, width: int, height: int, dpi: float, tracks: Tracks, fine: bool = False):
        """fine: words are written down twice, the second time for a screen with twice as many pixels."""
        super().__init__(width, height, dpi)
        self.fine = Writer(2 * width, 2 * height, 2 * dpi) if fine else None
        self.tracks, self.shapes = tracks, []
        self.still, self.latest, self.outlines = {}, {}, {}
        self.flip = np.array([[1.0, 0.0, 0.0], [0.0, -1.0, height], [0.0, 0.0, 1.0]])

    def _update_methods(self):
        """Nothing is left to Agg."""

    def item(self, artist) -> int:
        """The number of what the artist looks like now."""
        self.shapes = []
        if isinstance(artist, AxesImage) and is_table(artist):
            self._cells(artist)
        else:
            artist.draw(self)
        artist.stale = False                            # also of words that are empty, which Matplotlib leaves stale
        return self.tracks.listed("item", self.shapes)

    def background(self, figure) -> int:
        """The number of the list of items that do not move; what looks as it did before is not drawn again."""
        items = [self._still(figure.patch)]
        for panel in filter(Axes.get_visible, figure.axes):
            panel.apply_aspect()
            room, view = panel.bbox.bounds, panel.viewLim.extents.tobytes()
            frame = {panel.patch, panel.xaxis, panel.yaxis, *panel.spines.values()}
            still = [each for each in panel.get_children() if each.get_visible() and not each.get_animated()
                     and (panel.axison or each not in frame)]
            for artist in sorted(still, key=lambda each: -np.inf if each is panel.patch else each.zorder):
                look = looks(artist) if isinstance(artist, Axis) else artist in frame or view
                items.append(self._still(artist, room, look))
        return self.tracks.listed("background", items)

    def _still(self, artist, *look) -> int:
        known = self.still.setdefault(artist, {})
        if artist.stale and not isinstance(artist, Axis):
            known.clear()
        if look not in known:
            known[look] = self.item(artist)
        return known[look]

    def moving(self, artist, room) -> int:
        """The number of an artist that moves in this room: it is drawn again when something of it was set."""
        if artist.stale or artist not in self.latest or self.latest[artist][0] != room:
            self.latest[artist] = room, self.item(artist)
        return self.latest[artist][1]

    def draw_path(self, gc, path, transform, rgbFace=None):
        style, width = self._style(gc, rgbFace), self.points_to_pixels(gc.get_linewidth())
        path = path.cleaned(self.flip @ transform.get_matrix(), remove_nans=True, snap=gc.get_snap(), curves=True,
                            stroke_width=width, simplify=path.should_simplify and not style[0])
        codes, places = path.codes[:-1], path.vertices[:-1]                 # without the stop at its end
        if len(codes):
            plain = codes[0] == Path.MOVETO and (codes[1:] == Path.LINETO).all()
            self.shapes.append(["path", style, *self.tracks.points(places), -1 if plain else self.tracks.octets(codes)])

    def draw_markers(self, gc, marker_path, marker_trans, path, trans, rgbFace=None):
        if len(path.vertices):
            places = np.floor(self._placed(path.vertices, trans) + 0.5)     # on whole pixels, as Agg does
            width = self.points_to_pixels(gc.get_linewidth())
            middle = 0.0 if gc.get_snap() else 0.5      # of a pixel, as Agg does where it snaps no edges to pixels
            outline = self._outline(marker_path, marker_trans.get_matrix(), middle, gc.get_snap(), width)
            self.shapes.append(["stamp", self._style(gc, rgbFace), *outline, *self.tracks.points(places), -1, -1])

    def _placed(self, places: np.ndarray, transform) -> np.ndarray:
        """Places (n, 2) in pixels from the top."""
        matrix = self.flip @ transform.get_matrix()
        return places @ matrix[:2, :2].T + matrix[:2, 2]

    def _outline(self, path, matrix, middle=0.0, snap=False, width=0.0) -> list[int]:
        """A shape to be stamped: coordinates in units of 1/256 of a pixel or of its size, and codes; made once."""
        name = path.vertices.tobytes(), matrix.tobytes(), middle, snap, width
        if name not in self.outlines:
            path = path.cleaned(np.diag([1, -1, 1]) @ matrix, snap=snap, curves=True, stroke_width=width)
            outline = self.tracks.points((path.vertices[:-1] + middle) * 16)
            self.outlines[name] = [*outline, self.tracks.octets(path.codes[:-1])]
        return self.outlines[name]

    def draw_path_collection(self, gc, master_transform, paths, all_transforms, offsets, offset_trans, faces, edges,
                             linewidths, *others, **options):
        if len(paths) == 1 and len(all_transforms) and not np.any(linewidths):          # dots of a scatter
            scale = np.asarray(all_transforms)[:, 0, 0] * master_transform.get_matrix()[0, 0]
            sizes, _ = self.tracks.points(np.column_stack([np.broadcast_to(scale, len(offsets))] * 2))
            gc.set_linewidth(0.0)
            self.shapes.append([
                "stamp", self._style(gc, faces[0]), *self._outline(paths[0], np.eye(3)),
                *self.tracks.points(self._placed(offsets, offset_trans)), sizes,
                self.tracks.octets(np.rint(np.broadcast_to(faces, (len(offsets), 4)) * 255))])
        elif len(paths):                                                    # one after the other, as any renderer can
            RendererBase.draw_path_collection(self, gc, master_transform, paths, all_transforms, offsets, offset_trans,
                                              faces, edges, linewidths, *others, **options)

    def _cells(self, image) -> None:
        """A picture for which `is_table`: each cell by the place of its number in the table of colours."""
        numbers, colours = image.get_array().data, image.get_cmap()
        places = np.clip(image.norm(numbers).data * colours.N, 0, colours.N - 1)
        left, right, bottom, top = image.get_extent()
        if image.origin == "lower":
            bottom, top = top, bottom
        corners = self._placed(np.array([(left, top), (right, bottom)]), image.get_transform())
        gc = self.new_gc()
        image._set_gc_clip(gc)
        table = self.tracks.number("rgba", colours(np.arange(colours.N), bytes=True).tobytes())
        self._image(gc, places.shape, self.tracks.octets(places), table, corners)

    def _image(self, gc, shape, cells, table, corners) -> None:
        (left, top), (right, bottom) = corners
        across = (round(float(each), 3) for each in (left, top, right - left, bottom - top))
        self.shapes.append(["image", self._clip(gc), cells, table, *shape[::-1], *across])

    def draw_image(self, gc, x, y, im, transform=None):
        """A picture by its colours: each cell is a number in a table that grows as colours are met."""
        rows, columns = im.shape[:2]
        if transform is None:                           # already as large as it is drawn
            transform = Affine2D().scale(columns, rows)
        corners = self._placed(np.array([(0, 1), (1, 0)]), transform + Affine2D().translate(x, y))
        cells = np.ascontiguousarray(im[::-1]).view(np.uint32)[..., 0]      # the first row is the lowest
        table, numbers = np.unique(cells, return_inverse=True)
        numbers = numbers.reshape(cells.shape)
        wide = len(table) > 256
        held = self.tracks.number("rgba", cells.astype("<u4").tobytes()) if wide else self.tracks.octets(numbers)
        table = -1 if wide else self.tracks.number("rgba", table.tobytes())
        self._image(gc, (rows, columns), held, table, corners)

    def draw_text(self, gc, x, y, s, prop, angle, ismath=False, mtext=None):
        for writer, ratio in ((self, 1), (self.fine, 2)):
            if writer:                                  # at a quarter of a pixel
                (left, dx), (top, dy) = divmod(round(4 * ratio * x), 4), divmod(round(4 * ratio * y), 4)
                ink = writer.ink(dx / 4, dy / 4, gc, s, prop, angle, ismath, mtext)
                if ink.letters:
                    letters, *sides = zip(*ink.letters)
                    places = [self.tracks.number("i16", np.add(side, at).astype("<i2").tobytes())
                              for side, at in zip(sides, (left, top))]
                    self.shapes.append(["words", self._clip(gc), css(gc.get_rgb(), gc), ratio, *places,
                                        *(self.tracks.number("u8", letter) for letter in letters)])
            if writer is self:
                for bar, plain in ink.bars:             # of fractions and roots
                    self.draw_path(plain, bar, Affine2D().translate(left, -top), gc.get_rgb())

    def option_scale_image(self):
        return True                                     # pictures come as they are, and the page scales them

    option_image_nocomposite = option_scale_image

    def _clip(self, gc):
        box = gc.get_clip_rectangle()
        if box is None:
            return 0
        left, bottom, right, top = (math.floor(each + 0.5) for each in box.extents.tolist())        # as Agg does
        return [left, self.height - top, right - left, top - bottom]

    def _style(self, gc, face) -> list:
        """[face, line, width, dashes, offset of the dashes, cap, join, clip]: 0 where there is none."""
        width, (offset, dashes) = self.points_to_pixels(gc.get_linewidth()), gc.get_dashes()
        line = css(gc.get_rgb(), gc) if width > 0 else 0
        cap = gc.get_capstyle().replace("projecting", "square")         # the page's word for it
        return [0 if face is None or len(face) == 4 and face[3] == 0 else css(face, gc), line, round(width, 3),
                0 if dashes is None else [round(self.points_to_pixels(each), 3) for each in dashes],
                round(self.points_to_pixels(offset or 0.0), 3), cap, gc.get_joinstyle(), self._clip(gc)]


def is_table(image: AxesImage) -> bool:
    """Whether a picture shows numbers without gaps by a table of colours, which is quicker said than drawn."""
    numbers = image.get_array()
    return (numbers.ndim == 2 and not np.ma.is_masked(numbers) and image.get_cmap().N <= 256
            and image.get_alpha() is None)


def looks(axis: Axis) -> tuple:
    """What an axis looks like besides its place, as something to compare: limits, ticks and their labels, its name."""
    ticks = axis.get_major_locator(), axis.get_minor_locator(), axis.get_major_formatter()
    told = (getattr(one, "locs" if one is not ticks[2] else "seq", None) for one in ticks)
    return (axis.get_view_interval().tobytes(), axis.get_scale(), axis.get_label_text(),
            *(one if said is None else tuple(said) for one, said in zip(ticks, told)))


def css(colour, gc) -> str:
    """A colour as the page names it."""
    alpha = gc.get_alpha() if len(colour) == 3 or gc.get_forced_alpha() else colour[3]
    return named(*map(float, colour[:3]), 1.0 if alpha is None else float(alpha))


@cache
def named(*channels: float) -> str:
    return "#" + "".join(f"{round(255 * each):02x}" for each in channels)
