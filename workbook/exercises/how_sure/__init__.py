"""How sure is an answer: its variance, the noise, how often its band holds the truth, and a next value."""
from workbook.checks.notebook import publish

publish(globals())
