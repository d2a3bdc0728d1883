"""More data, and what w is worth: the three questions of the older edition, answered with numbers."""
from workbook.checks.notebook import publish

publish(globals())
