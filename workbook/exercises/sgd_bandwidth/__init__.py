"""Learn the width by gradient descent: the naive loss lets w run away, leave-one-out gives it a place to stop."""
from workbook.checks.notebook import publish

publish(globals())
