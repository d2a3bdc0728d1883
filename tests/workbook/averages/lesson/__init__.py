from averages.course import COURSE
from workbook.lesson import Lessons

predict = Lessons(COURSE).predict
