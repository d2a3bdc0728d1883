"""Live figures, one function each. Every one takes your own data: `explore.width(nwlab.read_csv(...))`."""
from workbook.explore.borders import borders
from workbook.explore.consistency import consistency
from workbook.explore.head import head
from workbook.explore.heatmap import heatmap
from workbook.explore.houses import houses
from workbook.explore.in_context import in_context
from workbook.explore.kernels import kernels
from workbook.explore.landscape import landscape
from workbook.explore.morph import morph
from workbook.explore.pooling import pooling
from workbook.explore.scale import scale
from workbook.explore.sparse import sparse
from workbook.explore.sure import sure
from workbook.explore.two_classes import two_classes
from workbook.explore.width import width
from workbook.explore.zoo import zoo

__all__ = [
    "borders", "consistency", "head", "heatmap", "houses", "in_context", "kernels", "landscape", "morph", "pooling",
    "scale", "sparse", "sure", "two_classes", "width", "zoo",
]
MEASURED = ("scale",)                   # shows measured times, which differ from run to run: it is not recorded
