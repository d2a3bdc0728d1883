"""What asks and what answers in lessons and exercises, for everybody: axe finds nothing."""
from axe import violations
from jupyter_page import write_notebook

from nwlab.exercises import NAMES

LESSON = ["from nwlab import lesson", 'lesson.predict("01-castle")', 'lesson.predict_number("13-two")',
          'lesson.court("02-half-and-minus")', 'lesson.task("01-average", 270)', 'lesson.quiz("01-check")']
EXERCISE = [f"from nwlab.exercises import {NAMES[0]} as exercise",
            "from workbook.checks import messages\n"
            "messages.panel('✓', 'holds', 'average', ['average: `2 + 2` holds'], plain='holds')\n"
            "messages.panel('✗', 'not yet', 'average', ['Next: look at `weights`'], 'not yet',\n"
            "               messages.FOLD.format('3'))",
            "exercise.progress()"]


def test_what_asks_and_what_answers_breaks_no_rule(jupyterlab, scratch):
    write_notebook(scratch / "pieces.ipynb", *LESSON, *EXERCISE)
    lab = jupyterlab.open("pieces.ipynb", height=4000)
    lab.run_all()
    for piece in lab.page.locator(".wb-ask").all():
        if (option := piece.locator(".wb-option")).count():
            option.last.click()
            piece.get_by_role("alert").first.wait_for()
    for fold in lab.page.locator(".wb-ask details").all():
        fold.evaluate("fold => fold.open = true")
    assert lab.errors_in_cells() == []
    try:
        for dark in (False, True):
            lab.theme(dark)
            assert violations(lab.page, ".jp-OutputArea-output") == []
    finally:
        lab.theme(False)
