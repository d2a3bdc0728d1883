"""``python -m nwlab``: open the workbook, build its notebooks and its site, check its links, grade a class."""
from nwlab.course import COURSE
from workbook.command import commands

main = commands(COURSE)

if __name__ == "__main__":
    main(prog_name=f"python -m {COURSE.package}")
