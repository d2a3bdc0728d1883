"""What asks and what answers in lessons and exercises, and a recorded figure, for everybody: axe finds nothing."""
from axe import violations
from jupyter_page import write_notebook

from nwlab.exercises import NAMES
from nwlab.pages.page import page as written

LESSON = ["from nwlab import lesson", 'lesson.predict("01-castle")', 'lesson.predict_number("13-two")',
          'lesson.court("02-half-and-minus")', 'lesson.task("01-average", 270)', 'lesson.quiz("01-check")']
EXERCISE = [f"from nwlab.exercises import {NAMES[0]} as exercise",
            "from nwlab.checks import messages\n"
            "messages.panel('✓', 'holds', 'average', ['average: `2 + 2` holds'], plain='holds')\n"
            "messages.panel('✗', 'not yet', 'average', ['Next: look at `weights`'], [('What came back', '3')])",
            "exercise.progress()"]


def test_what_asks_and_what_answers_breaks_no_rule(jupyterlab, scratch):
    write_notebook(scratch / "pieces.ipynb", *LESSON, *EXERCISE)
    lab = jupyterlab.open("pieces.ipynb", height=4000)
    lab.run_all()
    for piece in lab.page.locator(".nwlab-ask").all():
        if (option := piece.locator(".nwlab-option")).count():
            option.last.click()
            piece.get_by_role("alert").first.wait_for()
    for fold in lab.page.locator(".nwlab-ask details").all():
        fold.evaluate("fold => fold.open = true")
    assert lab.errors_in_cells() == []
    try:
        for dark in (False, True):
            lab.theme(dark)
            assert violations(lab.page, ".jp-OutputArea-output") == []
    finally:
        lab.theme(False)


def test_a_recorded_figure_breaks_no_rule(jupyterlab, tmp_path):
    file = tmp_path / "landscape.html"
    file.write_text(written("landscape", states=60), encoding="utf-8")
    page = jupyterlab.page.context.browser.new_page(viewport={"width": 1000, "height": 800})
    try:
        page.goto(file.as_uri())
        page.wait_for_selector("canvas[data-frame]")
        page.get_by_text("Not recorded here").click()
        page.get_by_text("numbers", exact=True).click()
        page.locator("table").first.wait_for()
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.wait_for_selector(f'html[data-jp-theme-light="{str(scheme == "light").lower()}"]')
            assert violations(page) == []
        assert "arrow keys move" in page.locator("canvas").get_attribute("aria-label")
    finally:
        page.close()
