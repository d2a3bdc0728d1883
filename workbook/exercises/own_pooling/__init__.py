"""Design an attention pooling: scores, weights, the leave-one-out loss, training, and a fair comparison."""
from workbook.checks.notebook import publish

publish(globals())
