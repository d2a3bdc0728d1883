"""What Matplotlib draws, written down instead of painted: the shapes of an artist in pixels, for the page to draw.

An artist draws itself onto a `Recorder` as it would onto any renderer, and what it drew is its *item*: a short list of
shapes (paths, stamps, pictures, words). `Tracks` numbers items by what they hold, so that an artist which looks the
same in two states is stored, and sent, once: along which controls it changes is found by drawing it.
"""
import json
from functools import cache

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backend_bases import RendererBase
from matplotlib.path import Path
from matplotlib.transforms import Affine2D

from nwlab.explore.stage.ink import Writer
from nwlab.explore.stage.looks import inputs, looks

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

    def points(self, values: np.ndarray) -> int:
        """Coordinates in pixels; NaN becomes the lowest number there is."""
        values = np.minimum(np.maximum(np.rint(np.asarray(values) * SUBPIXELS), -32767), 32767)
        return self.number("i16", np.where(values == values, values, -32768).astype("<i2").tobytes())

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
        self.still, self.moved, self.latest = {}, {}, {}
        self.flip = Affine2D().scale(1, -1).translate(0, height)

    def _update_methods(self):
        """Nothing is left to Agg."""

    def item(self, artist) -> int:
        """The number of what the artist looks like now."""
        self.shapes = []
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
        """The number of an artist that moves in this room: it is drawn once for all that it is drawn from."""
        was = self.latest.get(artist)
        if was is None or artist.stale or was[0] != room:
            look = artist, room, inputs(artist)
            if look not in self.moved:
                self.moved[look] = self.item(artist)
            artist.stale = False
            self.latest[artist] = was = room, self.moved[look]
        return was[1]

    def draw_path(self, gc, path, transform, rgbFace=None):
        style, snap, width = self._style(gc, rgbFace), gc.get_snap(), self.points_to_pixels(gc.get_linewidth())
        path = path.cleaned(transform + self.flip, remove_nans=True, snap=snap, stroke_width=width, curves=True,
                            simplify=path.should_simplify and not style[0])
        drawn = path.codes != Path.STOP
        if drawn.any():
            codes, (x, y) = path.codes[drawn], path.vertices[drawn].T
            plain = codes[0] == Path.MOVETO and np.all(codes[1:] == Path.LINETO)
            self.shapes.append(["path", style, self.tracks.points(x), self.tracks.points(y),
                                -1 if plain else self.tracks.octets(codes)])

    def draw_markers(self, gc, marker_path, marker_trans, path, trans, rgbFace=None):
        x, y = np.floor(path.transformed(trans + self.flip).vertices.T + 0.5)           # on whole pixels, as Agg does
        if len(x):
            marker = marker_path.cleaned(marker_trans + Affine2D().scale(1, -1), snap=gc.get_snap(), curves=True,
                                         stroke_width=self.points_to_pixels(gc.get_linewidth()))
            middle = 0.0 if gc.get_snap() else 0.5      # of a pixel, as Agg does where it snaps no edges to pixels
            self._stamps(self._style(gc, rgbFace), gc, Path(marker.vertices[:-1] + middle, marker.codes[:-1]), x, y)

    def _stamps(self, style, gc, marker, x, y, sizes=None, colours=None) -> None:
        """One shape at many places, of several sizes and (n, 4) colours of its face if wanted; y is downwards."""
        codes = np.full(len(marker.vertices), Path.LINETO) if marker.codes is None else marker.codes
        codes = np.concatenate([[Path.MOVETO], codes[1:]])
        # In units of 1/256 of a pixel or of the shape's size, so that small shapes stay round.
        outline = [self.tracks.points(side * 16) for side in marker.vertices.T]
        self.shapes.append(["stamp", style, *outline, self.tracks.octets(codes), self.tracks.points(x),
                            self.tracks.points(y), -1 if sizes is None else self.tracks.points(sizes),
                            -1 if colours is None else self.tracks.octets(np.rint(colours * 255))])

    def draw_path_collection(self, gc, master_transform, paths, all_transforms, offsets, offset_trans, faces, edges,
                             linewidths, linestyles, *others, **options):
        if len(paths) == 1 and len(all_transforms) and len(offsets) and not np.any(linewidths):    # dots of a scatter
            scale = np.asarray(all_transforms)[:, 0, 0] * master_transform.get_matrix()[0, 0]
            gc.set_linewidth(0.0)
            x, y = (offset_trans + self.flip).transform(offsets).T
            self._stamps(self._style(gc, faces[0]), gc, paths[0].transformed(Affine2D().scale(1, -1)), x, y,
                         np.broadcast_to(scale, len(offsets)), np.broadcast_to(faces, (len(offsets), 4)))
        elif len(linewidths) == 1 and not len(faces) and not len(all_transforms):       # segments, colour by colour
            gc.set_linewidth(linewidths[0])
            gc.set_dashes(*linestyles[0])
            groups = {}
            for path, colour in zip(paths, np.resize(edges, (len(paths), 4)).tolist()):
                groups.setdefault(tuple(colour), []).append(path)
            for colour, chosen in groups.items():
                gc.set_foreground(colour, isRGBA=True)
                if max(len(path.vertices) for path in chosen) < 10:     # long ones are quicker one by one
                    codes = [[Path.MOVETO] + [Path.LINETO] * (len(path.vertices) - 1) for path in chosen]
                    chosen = [Path(np.concatenate([path.vertices for path in chosen]), np.concatenate(codes))]
                for path in chosen:
                    self.draw_path(gc, path, master_transform)
        else:                                           # one after the other, as any renderer can
            RendererBase.draw_path_collection(
                self, gc, master_transform, paths, all_transforms, offsets, offset_trans, faces, edges, linewidths,
                linestyles, *others, **options)

    def draw_image(self, gc, x, y, im, transform=None):
        """A picture by its colours: each cell is a number in a table that grows as colours are met."""
        rows, columns = im.shape[:2]
        if transform is None:                           # already as large as it is drawn
            transform = Affine2D().scale(columns, rows)
        unit = transform + Affine2D().translate(x, y) + self.flip
        (x0, y0), (x1, y1) = unit.transform([(0, 1), (1, 0)])
        across = x0, y0, x1 - x0, y1 - y0
        cells = np.ascontiguousarray(im[::-1]).view(np.uint32)[..., 0]      # the first row is the lowest
        table, numbers = np.unique(cells, return_inverse=True)
        numbers = numbers.reshape(cells.shape)
        wide = len(table) > 256
        held = self.tracks.number("rgba", cells.astype("<u4").tobytes()) if wide else self.tracks.octets(numbers)
        self.shapes.append(["image", self._clip(gc), held, -1 if wide else self.tracks.number("rgba", table.tobytes()),
                            columns, rows, *(round(float(each), 3) for each in across)])

    def draw_text(self, gc, x, y, s, prop, angle, ismath=False, mtext=None):
        masks, places = [], []
        for writer, ratio in ((self, 1), (self.fine, 2)):
            if writer:                                  # at a quarter of a pixel
                (left, dx), (top, dy) = divmod(round(4 * ratio * x), 4), divmod(round(4 * ratio * y), 4)
                ink = writer.ink(dx / 4, dy / 4, gc, s, prop, angle, ismath, mtext)
                if ink.mask:
                    mask, right, down = ink.mask
                    masks.append(self.tracks.octets(mask))
                    places += [[*mask.shape[::-1], right + left, down + top]]
            if writer is self:
                for bar, plain in ink.bars:             # of fractions and roots
                    self.draw_path(plain, bar, Affine2D().translate(left, -top), gc.get_rgb())
        if masks:
            masks += [-1] * (2 - len(masks))
            self.shapes.append(["words", self._clip(gc), css(gc.get_rgb(), gc), *masks, *places])

    def option_scale_image(self):
        return True                                     # pictures come as they are, and the page scales them

    option_image_nocomposite = option_scale_image

    def _clip(self, gc):
        box = gc.get_clip_rectangle()
        if box is None:
            return 0
        left, bottom, right, top = (int(np.floor(each + 0.5)) for each in box.extents)  # as Agg does, and quicker
        return [left, self.height - top, right - left, top - bottom]

    def _style(self, gc, face) -> list:
        """[face, line, width, dashes, offset of the dashes, cap, join, clip]: 0 where there is none."""
        width, (offset, dashes) = self.points_to_pixels(gc.get_linewidth()), gc.get_dashes()
        line = css(gc.get_rgb(), gc) if width > 0 else 0
        cap = gc.get_capstyle().replace("projecting", "square")         # the page's word for it
        return [0 if face is None or len(face) == 4 and face[3] == 0 else css(face, gc), line, round(width, 3),
                0 if dashes is None else [round(self.points_to_pixels(each), 3) for each in dashes],
                round(self.points_to_pixels(offset or 0.0), 3), cap, gc.get_joinstyle(), self._clip(gc)]


def css(colour, gc) -> str:
    """A colour as the page names it."""
    alpha = gc.get_alpha() if len(colour) == 3 or gc.get_forced_alpha() else colour[3]
    return named(*map(float, colour[:3]), 1.0 if alpha is None else float(alpha))


@cache
def named(*channels: float) -> str:
    return "#" + "".join(f"{round(255 * each):02x}" for each in channels)
