"""The pages of a report in a browser, opened as files: what axe sees, how wide they are, and the keyboard."""
from axe import breaks_no_rule
from grading.graded import MASTERS, WORDS, failed, passed, result
from jupyter_page import expect, nothing_reported, slowed, wait_for_width

from workbook.checks.item import Verdict
from workbook.exercises import NAMES
from workbook.grading.report import report
from workbook.grading.roster import Row


def test_axe_finds_nothing_no_page_is_wider_than_the_window_and_a_keyboard_is_enough(jupyterlab, tmp_path):
    long = result("Wolfeschlegelsteinhausenbergerdorff" * 3, words="x" * 300 + WORDS, remarks=("handed in late",))
    ungraded = [(f"student {number}", f"{'x' * 200}.pdf", "it is no notebook") for number in range(22)]
    missing = [Row(99, f"{'x' * 100} {section}", frozenset(), frozenset(), section, "") for section in ("", "A", "B")]
    wrong = failed("attend", next="`axis=1`", tried="attend(queries)", got="[[0.1 0.9]]", expected="[[0.2 0.8]]")
    found = [result(f"Student {i}", exercise, (passed("pool"), Verdict("pool", "timed out", 0, 1))[i % 2], wrong,
                    words=WORDS * (i % 2), code={"pool": "pool = 0"}) for i in range(20) for exercise in NAMES[i % 3:]]
    report(tmp_path, [*found, long], MASTERS, ungraded, class_list=("names.csv", missing))
    problems = []
    page = slowed(jupyterlab.page.context.browser.new_page(bypass_csp=True))
    page.on("request", lambda request: request.url.startswith(tmp_path.as_uri()) or problems.append(request.url))
    page.on("console", lambda message: problems.append(message.text))
    for name in ("students/Wolf*.html", "words/warm_up.html", "index.html"):
        page.goto(next(tmp_path.glob(name)).as_uri())
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        for width in (390, 900, 1400):
            page.set_viewport_size({"width": width, "height": 900})
            wait_for_width(page, width)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            breaks_no_rule(page)
    page.reload()

    def until(selector):
        for _ in range(400):
            page.keyboard.press("Tab")
            if page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return expect(page.locator("*:focus")).not_to_have_css("outline-style", "none")
        raise AssertionError(f"Tab never comes to {selector}")

    until(".skip")
    expect(page.locator(".skip")).to_be_in_viewport(ratio=1)
    until("summary")
    page.keyboard.press("Enter")
    expect(page.locator("details:has(> summary:focus)")).to_have_attribute("open", "")
    until(".order")
    until(".order a")
    page.keyboard.press("Enter")
    page.wait_for_url("**/students/*.html")
    nothing_reported(page, problems)
    page.close()


def test_points_written_on_the_page_of_the_answers_are_saved_as_a_file_that_counts(jupyterlab, tmp_path):
    found = [result(name, words=WORDS) for name in ("Zoë", "=Li", "Ada")]
    report(tmp_path, found, MASTERS)
    page = jupyterlab.page.context.browser.new_page()
    page.goto((tmp_path / "words/warm_up.html").as_uri())
    page.get_by_label("Hide the names").check()
    expect(page.get_by_text("Zoë")).to_be_hidden()
    answer = page.locator("article", has=page.locator("bdi", has_text="Zoë"))
    answer.get_by_label("Points").fill("3")
    page.get_by_role("button", name="Save the points").click()
    expect(page.locator("input:invalid")).to_be_focused()
    answer.get_by_label("Points").fill("1.5")
    answer.get_by_label("Comment").fill('=clear, and "short"')
    page.locator("article", has=page.locator("bdi", has_text="=Li")).get_by_label("Points").fill("2")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the points").click()
    download.value.save_as(tmp_path / download.value.suggested_filename)
    page.close()
    assert report(tmp_path, found, MASTERS)[0] == []
    assert sorted((tmp_path / "summary.csv").read_text(encoding="utf-8").splitlines()[1:]) == [
        "'=Li,,3,3,4,0,", "Ada,,1,1,4,1,", "Zoë,,2.5,2.5,4,0,"]
    assert "=clear, and &#34;short&#34;" in (tmp_path / "words/warm_up.html").read_text(encoding="utf-8")
