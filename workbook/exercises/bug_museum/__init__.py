"""A museum of bugs: seven pieces of code that run, look right and are wrong. The visitor repairs them."""
from workbook.checks.notebook import publish

publish(globals())
