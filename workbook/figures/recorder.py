"""Records what Matplotlib draws, as shapes in pixels that the page can draw itself.

A `Recorder` is a Matplotlib renderer. What an artist draws with it is the artist's *item*: a short list of shapes
(paths, stamps, images, words). A `Catalogue` gives equal items the same number, so an artist that looks the same in two
states is stored and sent once. A *frame* is a background, the items on top of it, and a sentence, all by number.
"""
import io
import json
import math
from functools import cache

import numpy as np
from matplotlib.axis import Axis
from matplotlib.backend_bases import RendererBase
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.path import Path
from matplotlib.transforms import Affine2D
from PIL import Image

encode = json.JSONEncoder(separators=(",", ":")).encode
hexadecimal = cache(to_hex)
SUBPIXELS = 8                           # positions are kept to an eighth of a pixel, up to 4095 of them


class Catalogue:
    """Arrays, items, backgrounds and texts, each with a number. `news` has those that `take` has not returned yet."""

    def __init__(self):
        self.numbers, self.news, self.size = {}, [], 0

    def number(self, kind: str, content: bytes) -> int:
        """The number of this content, which is added if it is new."""
        name = kind, content
        if name not in self.numbers:
            self.news.append(({"kind": kind, "id": len(self.numbers), "bytes": len(content)}, content))
            self.numbers[name] = len(self.numbers)
            self.size += len(content) + 100
        return self.numbers[name]

    def points(self, places: np.ndarray) -> list[int]:
        """Add places (n, 2) in pixels; returns the numbers of x and of y. NaN becomes the lowest 16-bit integer."""
        whole = np.minimum(np.maximum(np.rint(places * SUBPIXELS), -32767), 32767)
        return [self.number("i16", side.tobytes()) for side in np.fmax(whole, -32768).astype("<i2").T]

    def octets(self, values: np.ndarray) -> int:
        return self.number("u8", np.ascontiguousarray(values, dtype=np.uint8).tobytes())

    def take(self) -> tuple[list[dict], bytes]:
        """The news as a list of {kind, id, bytes}, and their contents joined; afterwards there are none."""
        news, self.news = self.news, []
        return [about for about, _ in news], b"".join(content for _, content in news)


class Camera:
    """Frames and pictures of a figure, the artists `moving` on top. tags: those of player.js, such as `named`."""

    def __init__(self, figure: Figure, moving: list, tags: dict):
        self.figure, self.moving, self.tags = figure, moving, tags
        self.forget()

    def forget(self) -> None:
        """Begin a new catalogue, for a figure of another size."""
        self.catalogue, self._background = Catalogue(), None
        self.recorder = Recorder(*self.figure.canvas.get_width_height(), self.figure.dpi, self.catalogue, self.tags)

    @property
    def size(self) -> dict:
        """Width and height in screen pixels, and how many of these there are in a pixel of the page."""
        width, height = self.figure.canvas.get_width_height()
        return {"width": width, "height": height, "ratio": self.figure.dpi / 100}

    def frame(self, sentence: str) -> list:
        """[background, items, sentence], by number. A panel is stale when its limits, ticks or words have changed."""
        if self._background is None or any(panel.stale for panel in self.figure.axes):
            self._background = self.recorder.background(self.figure)
            for panel in self.figure.axes:
                panel.stale = False
        items = [self.recorder.known(artist) for artist in self._shown()]
        return [self._background, items, self.catalogue.number("text", sentence.encode())]

    def pixels(self) -> np.ndarray:
        """The figure as Matplotlib paints it, (height, width, 4) bytes."""
        self._background = None
        self.recorder.items.clear()                     # painting marks moved artists as not stale
        self.figure.canvas.draw()
        for artist in self._shown():
            self.figure.draw_artist(artist)
        return np.asarray(self.figure.canvas.buffer_rgba())

    def png(self) -> bytes:
        """The same as a PNG, without handles, as nothing in a stored picture can be dragged."""
        handles = self.figure.findobj(lambda artist: artist.get_gid() == "handle")
        sizes = [handle.get_markersize() for handle in handles]
        for handle in handles:
            handle.set_markersize(0)
        packed = io.BytesIO()
        Image.fromarray(np.ascontiguousarray(self.pixels()[..., :3])).save(packed, format="png", compress_level=6)
        for handle, size in zip(handles, sizes):
            handle.set_markersize(size)
        return packed.getvalue()

    def _shown(self) -> list:
        return sorted(self.moving, key=lambda artist: artist.zorder)


class Ink:
    """Receives the letters that Agg makes of words, (size and ink, left edge, top edge) each, and bars of formulas."""

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


class Recorder(RendererAgg):
    """A renderer of (width, height) pixels that records shapes. y counts from the top, as on the page."""

    def __init__(self, width: int, height: int, dpi: float, catalogue: Catalogue, tags: dict):
        super().__init__(width, height, dpi)
        self.catalogue, self.tags, self.shapes = catalogue, tags, []
        self.items, self.outlines, self.inks = {}, {}, {}
        self.flip = np.array([[1.0, 0.0, 0.0], [0.0, -1.0, height], [0.0, 0.0, 1.0]])

    def _update_methods(self):
        """Keep the methods below: Agg's would replace them by its own."""

    def item(self, artist) -> int:
        """The number of the artist's item now."""
        self.shapes = [self._tag(artist, *self.tags[artist])] if artist in self.tags else []
        if isinstance(artist, AxesImage):
            self._picture(artist)
        else:
            artist.draw(self)
        artist.stale = False                            # also of words that are empty, which Matplotlib leaves stale
        return self.catalogue.number("item", encode(self.shapes).encode())

    def _tag(self, artist, kind: str, name: str) -> list:
        """[kind, name]. For the kind "data" also the map from data to pixels, along x and then along y: the pixel of 0,
        the pixels of one unit, and 1 if the scale is logarithmic (of base 10), else 0."""
        if kind != "data":
            return [kind, name]
        panel = artist.axes
        ends = (panel.transLimits + panel.transAxes).transform([(0.0, 0.0), (1.0, 1.0)]) * (1, -1) + (0, self.height)
        scales = panel.get_xscale(), panel.get_yscale()
        axes = [[round(zero, 3), round(one - zero, 3), int(scale == "log")]
                for zero, one, scale in zip(*ends.tolist(), scales)]
        return [kind, name, *axes[0], *axes[1]]

    def background(self, figure) -> int:
        """The number of the list of items that do not move. Artists that look as before are not drawn again."""
        items = [self.known(figure.patch)]
        for panel in figure.axes:
            frame = {panel.patch, panel.xaxis, panel.yaxis, *panel.spines.values()}
            still = [each for each in panel.get_children() if each.get_visible() and not each.get_animated()
                     and (panel.axison or each not in frame)]
            still.sort(key=lambda each: -np.inf if each is panel.patch else each.zorder)
            items += map(self.known, still)
        return self.catalogue.number("background", encode(items).encode())

    def known(self, artist) -> int:
        """The number of an artist's item, drawn again only if it is stale, or its panel has another size or limits."""
        known, panel, is_axis = self.items.setdefault(artist, {}), artist.axes, isinstance(artist, Axis)
        look = panel and (panel.bbox.bounds, looks(artist) if is_axis else tuple(panel.viewLim.extents))
        if artist.stale and not is_axis:
            known.clear()
        if look not in known:
            known[look] = self.item(artist)
        return known[look]

    def draw_path(self, gc, path, transform, rgbFace=None):
        style, width = self._style(gc, rgbFace), self.points_to_pixels(gc.get_linewidth())
        has_gaps = not np.isfinite(path.vertices).all()                     # then its pieces keep their number
        path = path.cleaned(self.flip @ transform.get_matrix(), remove_nans=True, snap=gc.get_snap(), curves=True,
                            stroke_width=width, simplify=path.should_simplify and not style[0] and not has_gaps)
        codes, places = path.codes[:-1], path.vertices[:-1]                 # without the final STOP
        if len(codes):
            plain = (codes[1:] == Path.LINETO).all()
            numbers = *self.catalogue.points(places), -1 if plain else self.catalogue.octets(codes)
            self.shapes.append(["path", style, *numbers])

    def draw_markers(self, gc, marker_path, marker_trans, path, trans, rgbFace=None):
        places = np.floor(self._placed(path.vertices, trans) + 0.5)         # on whole pixels, as Agg does
        width = self.points_to_pixels(gc.get_linewidth())
        middle = 0.0 if gc.get_snap() else 0.5          # of a pixel, as Agg does where it does not snap
        outline = self._outline(marker_path, marker_trans.get_matrix(), middle, gc.get_snap(), width)
        self._stamp(gc, rgbFace, outline, places)

    def draw_path_collection(self, gc, master_transform, paths, all_transforms, offsets, offset_trans, faces, edges,
                             linewidths, *others, **options):
        if len(paths) == 1 and len(all_transforms) and not np.any(linewidths):          # dots of a scatter
            scale = np.asarray(all_transforms)[:, 0, 0] * master_transform.get_matrix()[0, 0]
            sizes, _ = self.catalogue.points(np.column_stack([np.resize(scale, len(offsets))] * 2))
            colours = self.catalogue.octets(np.rint(np.resize(faces, (len(offsets), 4)) * 255))
            gc.set_linewidth(0.0)
            self._stamp(gc, faces[0], self._outline(paths[0], np.eye(3)), self._placed(offsets, offset_trans), sizes,
                        colours)
        elif len(paths):                                                    # one after the other
            RendererBase.draw_path_collection(self, gc, master_transform, paths, all_transforms, offsets, offset_trans,
                                              faces, edges, linewidths, *others, **options)

    def _stamp(self, gc, face, outline, places, sizes=-1, colours=-1) -> None:
        """Record one shape at many places (n, 2)."""
        numbers = *outline, *self.catalogue.points(places), sizes, colours
        self.shapes.append(["stamp", self._style(gc, face), *numbers])

    def _placed(self, places: np.ndarray, transform) -> np.ndarray:
        """Places (n, 2) in pixels from the top."""
        matrix = self.flip @ transform.get_matrix()
        return places @ matrix[:2, :2].T + matrix[:2, 2]

    def _outline(self, path, matrix, middle=0.0, snap=False, width=0.0) -> list[int]:
        """The numbers of a shape to stamp: x and y in 1/256 of a pixel or of its size, and codes; made once."""
        name = path.vertices.tobytes(), matrix.tobytes(), middle, snap, width
        if name not in self.outlines:
            path = path.cleaned(np.diag([1, -1, 1]) @ matrix, snap=snap, curves=True, stroke_width=width)
            outline = self.catalogue.points((path.vertices[:-1] + middle) * 256 / SUBPIXELS)
            self.outlines[name] = [*outline, self.catalogue.octets(path.codes[:-1])]
        return self.outlines[name]

    def _picture(self, image) -> None:
        """Record an image: for each value (rows, columns) the index of its colour in a table; the last is for NaN."""
        numbers, colours, gc = image.get_array(), image.get_cmap(), self.new_gc()
        rows, columns = numbers.shape
        count = min(colours.N, 255)
        places = np.ma.filled(np.ma.clip(np.floor(image.norm(numbers) * count), 0, count - 1), count)
        table = np.rint(255 * np.vstack([colours((np.arange(count) + 0.5) / count), colours.get_bad()]))
        order = getattr(image, "order", ())             # the places of its rows and of its columns, if they travel
        moves = [-1, -1]
        if order and places.shape == (*map(len, order),):
            places = places[np.ix_(*order)]
            moves = [self.catalogue.number("i16", (SUBPIXELS * each).astype("<i2").tobytes()) for each in order]
        cells, table = self.catalogue.octets(places), self.catalogue.number("rgba", table.astype("u1").tobytes())
        left, right, *ends = image.get_extent()
        bottom, top = ends[::-1] if image.origin == "lower" else ends
        begin, end = self._placed(np.array([(left, top), (right, bottom)]), image.get_transform())
        image._set_gc_clip(gc)
        box = np.concatenate([begin, end - begin]).round(3).tolist()
        self.shapes.append(["image", self._clip(gc), cells, table, *moves, columns, rows, *box])

    def draw_text(self, gc, x, y, s, prop, angle, ismath=False, mtext=None):
        number = self.catalogue.number
        (left, dx), (top, dy) = divmod(round(4 * x), 4), divmod(round(4 * y), 4)            # to a quarter of a pixel
        words = dx, dy, s, hash(prop), angle, ismath
        if words not in self.inks:
            self.inks[words] = self._renderer = Ink()
            super().draw_text(gc, dx / 4, dy / 4, s, prop, angle, ismath, mtext)
        ink = self.inks[words]
        if ink.letters:
            letters, *sides = zip(*ink.letters)
            places = [number("i16", np.add(side, at).astype("<i2").tobytes()) for side, at in zip(sides, (left, top))]
            letters = [number("u8", letter) for letter in letters]
            text = number("text", s.encode())
            self.shapes.append(["words", self._clip(gc), css(gc.get_rgb(), gc), *places, text, *letters])
        for bar, plain in ink.bars:                     # in fractions and roots
            self.draw_path(plain, bar, Affine2D().translate(left, -top), gc.get_rgb())

    def _clip(self, gc):
        box = gc.get_clip_rectangle()
        if box is None:
            return 0
        left, bottom, right, top = (math.floor(each + 0.5) for each in box.extents.tolist())        # as Agg does
        return [left, self.height - top, right - left, top - bottom]

    def _style(self, gc, face) -> list:
        """[face, line, width, dashes, offset of the dashes, cap, join, clip], 0 for none."""
        width = self.points_to_pixels(gc.get_linewidth())
        offset, dashes = gc.get_dashes()
        line = css(gc.get_rgb(), gc) if width > 0 else 0
        invisible = face is None or face[3] == 0
        dashes = 0 if dashes is None else [round(self.points_to_pixels(each), 3) for each in dashes]
        cap = gc.get_capstyle().replace("projecting", "square")         # the page's word for it
        return [0 if invisible else css(face, gc), line, round(width, 3), dashes,
                round(self.points_to_pixels(offset or 0.0), 3), cap, gc.get_joinstyle(), self._clip(gc)]


def looks(axis: Axis) -> tuple:
    """All that an axis shows, to compare: limits, scale, name, ticks and their labels."""
    locators, formatter = (axis.get_major_locator(), axis.get_minor_locator()), axis.get_major_formatter()
    fixed = *(getattr(one, "locs", one) for one in locators), getattr(formatter, "seq", formatter)
    return (axis.get_view_interval().tobytes(), axis.get_scale(), axis.get_label_text(),
            *(tuple(one) if np.iterable(one) else one for one in fixed))


def css(colour, gc) -> str:
    """A colour in hexadecimal digits, with its opacity."""
    alpha = gc.get_alpha() if gc.get_forced_alpha() else colour[3]
    return hexadecimal((*map(float, colour[:3]), float(alpha)), keep_alpha=True)
