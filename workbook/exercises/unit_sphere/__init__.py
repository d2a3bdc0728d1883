"""On the unit sphere: from the Gaussian kernel to dot-product attention, its price off the sphere, and the way back."""
from workbook.checks.notebook import publish

publish(globals())
