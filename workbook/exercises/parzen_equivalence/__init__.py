"""Parzen windows and Nadaraya-Watson classification: the same sign, wherever a key is in reach."""
from workbook.checks.notebook import publish

publish(globals())
