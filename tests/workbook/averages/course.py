"""What this course is."""
from workbook.course import Course

COURSE = Course(package="averages", title="The middle", about="Mean and median", first="00_middle",
                welcome="Two ways to say where the middle of some numbers is.", exercises=("centre",))
