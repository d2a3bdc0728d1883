"""``python -m workbook``: open the workbook, build its notebooks and its site, check its links, grade a class."""
from workbook.command import main

if __name__ == "__main__":
    main(prog_name="python -m workbook")
