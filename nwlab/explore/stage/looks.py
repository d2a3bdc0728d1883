"""What an artist looks like, as something to compare: what looks the same need not be drawn again."""
import numpy as np
from matplotlib.axis import Axis
from matplotlib.lines import Line2D
from matplotlib.path import Path

# What artists work out from their other attributes, of all kinds and of lines.
DERIVED = {"_stale", "_imcache", "_mapped_colors", "_transforms"}
DERIVED_LINE = {"_stale", "_path", "_xy", "_x", "_y", "_x_filled", "_transformed_path", "_subslice", "_invalidx",
                "_invalidy", "ind_offset"}
PLAIN = {bool, float, int, str, type(None)}


def inputs(artist) -> tuple:
    """What an artist is drawn from besides its panel, as something to compare: with the same it looks the same."""
    derived = DERIVED_LINE if isinstance(artist, Line2D) else DERIVED
    limits = artist.get_clim() if hasattr(artist, "get_clim") else None
    return limits, *[value if type(value) in PLAIN else compared(value)
                     for name, value in vars(artist).items() if name not in derived]


def compared(value):
    """Something to compare: arrays and shapes by what is in them, what cannot be told apart otherwise as itself."""
    if isinstance(value, np.ndarray):
        return value.shape, hash(value.tobytes())
    if isinstance(value, (list, tuple)):
        return tuple(map(compared, value))
    if isinstance(value, Path):
        return value.vertices.tobytes(), value.codes is not None and value.codes.tobytes()
    return value if value.__hash__ else id(value)


def looks(axis: Axis) -> tuple:
    """What an axis looks like besides its place, as something to compare: limits, ticks and their labels, its name."""
    ticks = axis.get_major_locator(), axis.get_minor_locator(), axis.get_major_formatter()
    told = (getattr(one, "locs" if one is not ticks[2] else "seq", None) for one in ticks)
    return (axis.get_view_interval().tobytes(), axis.get_scale(), axis.get_label_text(),
            *(one if said is None else tuple(said) for one, said in zip(ticks, told)))
