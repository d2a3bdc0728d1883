"""The pages of a report in a browser, opened as files: what axe sees, how wide they are, and the keyboard."""
import axe
import pytest
from grading.graded import MASTERS, WORDS, a_class, result

from nwlab.exercises import NAMES
from nwlab.course import COURSE
from workbook.grading import unknown
from workbook.grading.collect import handed_in
from workbook.grading.report import report

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    long = result("Wolfeschlegelsteinhausenbergerdorff" * 3, words="x" * 300 + WORDS, remarks=("handed in late",))
    (folder / "in").mkdir()
    for number in range(22):
        (folder / "in" / f"{number}_{'x' * 200}.pdf").write_bytes(b"")
    unknown.save(folder, handed_in(folder / "in", COURSE))
    report(folder, [*a_class(20), long], MASTERS, NAMES)
    return folder


@pytest.fixture
def open_page(browser_path, folder):
    """open_page(name, width): the page, of which nothing may ask for another file, or complain."""
    from playwright.sync_api import sync_playwright

    problems = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])

        def opened(name, width=1400, **settings):
            page = browser.new_page(viewport={"width": width, "height": 900}, **settings)
            page.on("request", lambda request: request.url.startswith(folder.as_uri()) or problems.append(request.url))
            page.on("console", lambda message: problems.append(message.text))
            page.goto(next(folder.glob(name)).as_uri())
            return page

        yield opened
        browser.close()
    assert problems == []


def test_axe_finds_nothing_and_no_page_is_wider_than_the_window(open_page):
    for name in ("index.html", "students/Wolf*.html", "students/Ada*.html", "words/warm_up.html"):
        page = open_page(name, bypass_csp=True)
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        for width in (1400, 900, 390):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert axe.violations(page) == [], (name, scheme)


def test_by_keyboard(open_page):
    page = open_page("index.html")

    def until(selector):
        for _ in range(400):
            page.keyboard.press("Tab")
            if page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
        raise AssertionError(f"Tab never comes to {selector}")

    assert until(".skip") and page.locator(".skip").bounding_box()["x"] >= 0
    assert until("#help ~ details summary, summary")
    closed = page.locator("details:not([open])").count()
    page.keyboard.press("Enter")
    assert page.locator("details:not([open])").count() == closed - 1
    assert until("#order-1")
    page.keyboard.press("ArrowDown")
    assert page.locator("#sorted-2").is_visible() and not page.locator("#sorted-1").is_visible()
    assert until("#sorted-2") and until("#sorted-2 a")
    page.keyboard.press("Enter")
    page.wait_for_url("**/students/*.html")
