"""Live figures, one function each. Every one takes your own data: `explore.width(nwlab.read_csv(...))`."""
from nwlab.explore.borders import borders
from nwlab.explore.heatmap import heatmap
from nwlab.explore.kernels import kernels
from nwlab.explore.pooling import pooling
from nwlab.explore.width import width

__all__ = ["borders", "heatmap", "kernels", "pooling", "width"]
