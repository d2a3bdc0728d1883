"""What asks and what answers in lessons and exercises, and each kind of control, for everybody: axe finds nothing."""
from axe import breaks_no_rule
from jupyter_page import expect, wait_for_frame

from workbook.exercises import NAMES

LESSON = ["from workbook import lesson", 'lesson.predict("01-castle")', 'lesson.predict_number("13-two")',
          'lesson.court("02-half-and-minus")', 'lesson.task("01-average", 270)', 'lesson.quiz("01-check")',
          'lesson.sketch("02-bell", [-1, 0, 1], [0, 1, 0])', 'lesson.concept_test("concepts-b")']
EXERCISE = [f"from workbook.exercises import {NAMES[0]} as exercise",
            "from workbook.checks import messages\n"
            "messages.panel('✓', 'holds', 'average', ['average: `2 + 2` holds'], plain='holds')\n"
            "messages.panel('✗', 'not yet', 'average', ['Next: look at `weights`'], 'not yet',\n"
            "               messages.FOLD.format(summary='What was tried', tried='3'))",
            "exercise.progress()"]
# Sliders, menus, switches, and buttons that play.
FIGURES = ["from workbook import explore", "explore.width()", "explore.landscape()", "explore.pooling()"]


def test_what_asks_what_answers_and_what_is_moved_breaks_no_rule(jupyterlab):
    lab = jupyterlab.write("pieces", *LESSON, *EXERCISE, *FIGURES, height=7000)
    lab.run_all()
    expect(lab.page.locator(".wb-figure")).to_have_count(len(FIGURES) - 1)
    expect(lab.page.locator(".wb-ask")).not_to_have_count(0)
    for figure in lab.page.locator(".wb-figure").all():
        figure.scroll_into_view_if_needed()         # Run All ends at the last cell, and out of sight no frame comes
        wait_for_frame(figure.locator(".wb-canvas"))
        figure.get_by_text("numbers", exact=True).click()
        figure.locator("table").first.wait_for()
    lab.page.locator(".wb-asked > summary").click()
    for piece in lab.page.locator(".wb-ask").all():
        if (option := piece.locator(".wb-option:enabled")).count():
            option.last.click()
            piece.get_by_role("alert").first.wait_for()
    for fold in lab.page.locator(".wb-ask details").all():
        fold.evaluate("fold => fold.open = true")
    lab.assert_nothing_failed()
    try:
        for dark in (False, True):
            lab.theme(dark)
            breaks_no_rule(lab.page, ".jp-OutputArea-output")
            drawn = "invert(0.93) hue-rotate(180deg)" if dark else "none"
            expect(lab.page.locator(".wb-canvas").first).to_have_css("filter", drawn)
    finally:
        lab.theme(False)
