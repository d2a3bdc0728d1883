"""The pieces of a lesson."""
from averages.course import COURSE
from workbook.lesson import Lessons

predict = Lessons(COURSE).predict
