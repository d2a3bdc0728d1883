"""How fast the width has to shrink as samples grow, in any dimension: derived, measured, and what it costs."""
from workbook.checks.notebook import publish
from workbook.exercises.consistency_rate.items import sample as sample

publish(globals())
