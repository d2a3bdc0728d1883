"""A line drawn by hand in answer to a question: in JupyterLab by mouse, on a page by keys."""
import re

import numpy as np
from jupyter_page import expect, nothing_reported, wait_for

from workbook import lesson
from workbook.explore.houses import WIDTHS
from workbook.language import program
from workbook.questions import kept, pieces, sketch

CELL = """import numpy as np
from workbook import lesson
x = np.linspace(-3, 3, 121)
lesson.sketch("02-bell", x, np.exp(-x**2 / 2))"""
WHOLE = re.compile("^M[^L]+(L[^L]+){60}$")              # a line through 61 places


def draw(paper, heights) -> None:
    """Draw these heights, from 0 to 1, at equal steps from left to right."""
    box, mouse = paper.bounding_box(), paper.page.mouse
    scale = box["width"] / 620
    for i, height in enumerate(heights):
        x, y = 56 + i / (len(heights) - 1) * 552, 12 + (1 - height) * 244
        mouse.move(box["x"] + x * scale, box["y"] + y * scale)
        if i == 0:
            mouse.down()
    mouse.up()


def test_a_line_like_the_truth_is_close_and_one_that_is_not_can_be_drawn_again(jupyterlab):
    lab = jupyterlab.write("sketch", CELL)
    lab.run_cell(1)
    paper, page = lab.page.locator(".wb-paper"), lab.page
    paper.scroll_into_view_if_needed()
    show, again = (page.get_by_role("button", name=name) for name in ("show the truth", "draw again"))
    said = page.locator(".wb-sketch-said")
    expect(show).to_be_disabled()
    expect(again).to_be_disabled()
    draw(paper, [0.1, 0.2])
    page.emulate_media(reduced_motion="no-preference")
    show.click()
    expect(said.locator(".wb-wrong")).to_have_text("Another shape.")
    expect(page.locator(".wb-names text")).to_have_text(["the truth", "your line"])
    expect(page.locator(".wb-gap")).to_have_attribute("d", re.compile("^M.*Z$"))
    expect(page.locator(".wb-revealed")).to_have_css("animation-name", "wb-draw")
    page.emulate_media(reduced_motion="reduce")
    expect(page.locator(".wb-revealed")).to_have_css("animation-name", "none")
    again.click()
    expect(said).to_have_text("")
    expect(page.locator(".wb-names text")).to_have_count(0)
    expect(show).to_be_disabled()
    x = np.linspace(-3, 3, 121)
    draw(paper, lesson.sketch("02-bell", x, np.exp(-x**2 / 2)).about["truth"])
    show.click()
    expect(said.locator(".wb-right")).to_have_text("Close.")
    expect(page.locator(".wb-truth")).to_have_attribute("d", WHOLE)
    lab.assert_nothing_failed()


def test_on_a_page_keys_draw_and_what_was_drawn_is_judged(jupyterlab, tmp_path):
    x = np.linspace(0, 1, 10)
    stored = lesson.sketch("02-bell", x, x)._repr_mimebundle_()["text/html"]
    start = 'for (const root of document.querySelectorAll(".wb-sketch")) sketch(root, JSON.parse(root.dataset.sketch));'
    (tmp_path / "page.html").write_text(f"<!doctype html><meta charset='utf-8'>{pieces.STYLE}{stored}"
                                        f"<script>{program(sketch.SCRIPT + start)}</script>", encoding="utf-8")
    page = jupyterlab.another((tmp_path / "page.html").as_uri())
    paper, said = page.locator(".wb-paper"), page.locator(".wb-sketch-said")
    expect(paper).to_have_attribute("aria-label", re.compile("K"))
    paper.focus()
    for _ in range(20):                                 # as a straight line, in stairs
        for key in (*3 * ["ArrowRight"], "ArrowUp"):
            page.keyboard.press(key)
    expect(page.locator(".wb-drawn")).to_have_attribute("d", WHOLE)
    expect(said).to_have_text(re.compile(r"^u 1, K 0\."))
    page.get_by_role("button", name="show the truth").click()
    expect(said).to_contain_text(re.compile(r"On average your line is 0[\s\S]*flat at the top"))
    drawn = page.locator(".wb-drawn").get_attribute("d")
    page.keyboard.press("ArrowUp")                      # nothing more is drawn
    nothing_reported(page, page.problems)
    expect(page.locator(".wb-drawn")).to_have_attribute("d", drawn)
    page.set_viewport_size({"width": 390, "height": 700})           # as on a phone: letters stay as large
    expect(paper).to_have_attribute("viewBox", re.compile("^0 0 3[0-9.]+ 300$"))
    expect(paper).to_have_css("height", "300px")


def test_an_answer_stays_where_its_question_is_shown_again(jupyterlab, scratch):
    lab = jupyterlab.write("quiz", 'from workbook import lesson\nquiz = lesson.quiz("01-check")\nquiz', "quiz")
    lab.run_cell(1)
    option = lab.page.locator(".wb-option", has_text="(20, 50)")
    option.press("Space")
    expect(option).to_have_attribute("aria-pressed", "true")
    lab.page.get_by_label("a number").first.click()
    lab.page.keyboard.type("225\n")
    said = lab.page.locator(".wb-ask-count")
    expect(said).to_have_text(re.compile(r"^[12] right at the first try, 1 to go\.$"))
    wait_for(lab.page, lambda: [(one["question"], one["choice"]) for one in
                                kept.entries(scratch / ".nwlab-progress.txt")][-2:],
             [("01-check-3", "(20, 50)"), ("01-check-1", "225")])
    lab.run_cell(2)
    expect(lab.page.locator(".wb-option[aria-pressed=true]")).to_have_count(2)
    expect(said).to_have_text([re.compile(r"^[12] right at the first try, 1 to go\.$")] * 2)
    lab.assert_nothing_failed()


def test_the_figure_above_answers_by_itself_and_names_the_guess(jupyterlab):
    lab = jupyterlab.write("answers", "from workbook import explore, lesson\nfigure = explore.houses()\nfigure",
                           'lesson.predict("00-width")', "figure.close()")
    page = lab.page
    lab.run_cell(1)
    lab.run_cell(2)
    option = page.get_by_role("button", name="It becomes more exact")
    option.press("Space")
    expect(page.locator(".wb-guess")).to_have_text("Your guess: It becomes more exact: more houses, more information.")
    expect(page.locator(".wb-shown-by")).to_contain_text("The figure above shows it now.")
    expect(page.locator(".wb-figure canvas")).to_have_attribute("data-key", re.compile(f",{len(WIDTHS) - 1}$"))
    page.get_by_role("button", name="look at it").click()
    expect(page.locator(".wb-guess")).to_be_in_viewport()
    lab.run_cell(3)
    page.get_by_role("button", name="It becomes flatter").press("Space")
    expect(page.locator(".wb-shown-by img")).to_have_attribute("alt", re.compile("Six houses"))
    expect(page.locator(".wb-shown-by .wb-guess")).to_have_text("Your guess: It becomes flatter.")
    lab.assert_nothing_failed()
