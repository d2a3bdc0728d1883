"""The pages of a report in a browser, opened as files: what axe sees, how wide they are, and the keyboard."""
import axe
from grading.graded import MASTERS, WORDS, a_class, result

from nwlab.exercises import NAMES
from workbook.grading.report import report


def test_axe_finds_nothing_no_page_is_wider_than_the_window_and_a_keyboard_is_enough(jupyterlab, tmp_path):
    long = result("Wolfeschlegelsteinhausenbergerdorff" * 3, words="x" * 300 + WORDS, remarks=("handed in late",))
    ungraded = [(f"student {number}", f"{'x' * 200}.pdf", "it is no notebook") for number in range(22)]
    report(tmp_path, [*a_class(20), long], MASTERS, NAMES, ungraded=ungraded)
    problems = []
    page = jupyterlab.page.context.browser.new_page(bypass_csp=True)
    page.on("request", lambda request: request.url.startswith(tmp_path.as_uri()) or problems.append(request.url))
    page.on("console", lambda message: problems.append(message.text))
    for name in ("students/Wolf*.html", "words/warm_up.html", "index.html"):
        page.goto(next(tmp_path.glob(name)).as_uri())
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        for width in (390, 900, 1400):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert axe.violations(page) == [], (name, scheme)
    page.reload()

    def until(selector):
        for _ in range(400):
            page.keyboard.press("Tab")
            if page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
        raise AssertionError(f"Tab never comes to {selector}")

    assert until(".skip") and page.locator(".skip").bounding_box()["x"] >= 0
    assert until("summary")
    closed = page.locator("details:not([open])").count()
    page.keyboard.press("Enter")
    assert page.locator("details:not([open])").count() == closed - 1
    assert until(".order") and until(".order a")
    page.keyboard.press("Enter")
    page.wait_for_url("**/students/*.html")
    page.close()
    assert problems == []
