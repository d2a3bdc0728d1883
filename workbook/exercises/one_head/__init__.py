"""One head of attention: its mask, its bias, several of them, two in a row that continue a sequence, and training."""
from workbook.checks.notebook import publish

publish(globals())
