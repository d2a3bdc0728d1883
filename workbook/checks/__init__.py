"""The engine of the exercises: problems, answers, verdict, report. README.md beside this says how one is written."""
from workbook.checks.item import Exercise, Item, Mistake, Problem, Verdict
from workbook.checks.messages import CheckFailed

__all__ = ["CheckFailed", "Exercise", "Item", "Mistake", "Problem", "Verdict"]
