"""The engine of the exercises: problems, answers, verdict, report. README.md beside this says how one is written."""
from workbook.checks.item import Complaint, Exercise, Item, Mistake, Problem, Verdict, first_wrong, named
from workbook.checks.messages import CheckFailed

__all__ = ["CheckFailed", "Complaint", "Exercise", "Item", "Mistake", "Problem", "Verdict", "first_wrong", "named"]
