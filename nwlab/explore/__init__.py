"""Live figures, one function each. Every one takes your own data: `explore.width(nwlab.read_csv(...))`."""
from nwlab.explore.borders import borders
from nwlab.explore.consistency import consistency
from nwlab.explore.head import head
from nwlab.explore.heatmap import heatmap
from nwlab.explore.houses import houses
from nwlab.explore.in_context import in_context
from nwlab.explore.kernels import kernels
from nwlab.explore.landscape import landscape
from nwlab.explore.morph import morph
from nwlab.explore.pooling import pooling
from nwlab.explore.scale import scale
from nwlab.explore.sparse import sparse
from nwlab.explore.two_classes import two_classes
from nwlab.explore.width import width
from nwlab.explore.zoo import zoo

__all__ = [
    "borders", "consistency", "head", "heatmap", "houses", "in_context", "kernels", "landscape", "morph", "pooling",
    "scale", "sparse", "two_classes", "width", "zoo",
]
MEASURED = ("scale",)                   # shows times, which are never the same twice: no recording is made of it
