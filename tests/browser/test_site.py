"""The site in a browser, without a kernel: figures come when they are near, questions answer, nothing is asked for."""
import functools
import json
import re

import pytest
from axe import violations
from jupyter_page import web_server

from nwlab import lesson
from workbook.lesson.pieces import Number
from workbook.lesson.questions import Question
from workbook.site.cells import answers

MUCH = Question("00-much", "How much?", "Because.", numbers=(2.5,), tolerance=0.1, unit="kg")


@pytest.fixture(scope="module")
def address(small_site):
    with web_server(small_site) as address:
        yield f"{address}/"


@pytest.fixture
def open_page(jupyterlab):
    """open_page(address, width=1400, scheme="light"), in the place of the page before."""
    return functools.partial(jupyterlab.another, width=1400)


def show_figure(page):
    page.locator(".wb-recorded").scroll_into_view_if_needed()
    page.wait_for_selector(".wb-recorded canvas[data-frame]")


def as_shown(page, words):
    """A piece of HTML as the browser writes it."""
    return page.evaluate("words => Object.assign(document.createElement('div'), { innerHTML: words }).innerHTML", words)


def test_no_page_asks_another_host_complains_is_wider_than_the_window_or_closed_to_anybody(
        open_page, address, small_site):
    """axe looks at one lesson, in the light and in the dark."""
    for path in sorted(small_site.rglob("*.html")):
        for scheme in ("light", "dark") if path.stem == "00_start_here" else ("light",):
            page = open_page(address + path.relative_to(small_site).as_posix(), scheme=scheme)
            for _ in page.query_selector_all(".wb-recorded[data-recording]"):
                show_figure(page)
            if path.stem == "00_start_here":
                assert violations(page) == []
        for width in (1400, 390):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.problems == []
        assert {url for url in page.requests if not url.startswith((address, "data:", "blob:"))} == set()


def test_a_figure_is_loaded_when_it_is_near_and_moves_also_from_a_file(open_page, address, small_site):
    far = small_site / "notebooks" / "far.html"
    text = (small_site / "notebooks" / "00_start_here.html").read_text(encoding="utf-8")
    far.write_text(text.replace('<div class="wb-recorded"', '<p style="height: 2000px"></p><div class="wb-recorded"'),
                   encoding="utf-8")
    for begin in (address, f"{small_site.as_uri()}/"):
        page = open_page(f"{begin}notebooks/far.html", height=300)
        assert not [url for url in page.requests if "_figures/" in url and url.endswith(".js")]
        show_figure(page)
        before = page.inner_text(".wb-recorded .wb-sentence")
        page.get_by_role("button", name="all alike").click()
        page.wait_for_function("before => document.querySelector('.wb-sentence').innerText !== before", arg=before)
        assert [url.endswith("-wide.js") for url in page.requests if "/houses-" in url] == [True]
        assert page.problems == []
    far.unlink()


def test_a_figure_follows_the_light_and_dark_of_the_page_and_is_narrow_on_a_phone(open_page, address):
    page = open_page(f"{address}notebooks/00_start_here.html", width=390)
    begins = page.evaluate("""() => {
        const box = Object.assign(document.createElement('div'), { className: 'math' });
        box.innerHTML = `<math display="block"><mi>${'formula'.repeat(20)}</mi></math>`;
        document.querySelector('article section').append(box);
        const left = (one) => one.getBoundingClientRect().left;
        return [box.scrollWidth > box.clientWidth, left(box.firstChild) - left(box)];
    }""")
    assert begins == [True, 0], "a formula that is wider than the page does not begin at its beginning"
    show_figure(page)
    assert [url.endswith("-narrow.js") for url in page.requests if "/houses-" in url] == [True]
    for theme, dark in (("dark", True), ("light", False)):
        page.evaluate("theme => (document.documentElement.dataset.theme = theme)", theme)
        drawn = "getComputedStyle(document.querySelector('canvas')).filter"
        page.wait_for_function(f"dark => dark === ({drawn} !== 'none')", arg=dark)


def test_a_choice_says_what_it_says_in_the_notebook_by_mouse_and_by_keys(open_page, address):
    page, piece = open_page(f"{address}notebooks/00_start_here.html"), lesson.predict("00-width")
    asked = page.get_by_role("group").filter(has_text="You make the width")
    for i, press in ((0, "Space"), (2, None)):
        option = asked.get_by_role("button").nth(i)
        option.press(press) if press else option.click()
        piece.choose(i)
        assert option.get_attribute("aria-pressed") == "true" and option.inner_text() == piece.buttons[i].description
        assert asked.locator("> div").last.inner_html() == as_shown(page, piece.feedback.value)


def test_a_number_is_judged_as_in_the_notebook(open_page, address):
    page, piece = open_page(f"{address}index.html"), Number(MUCH, "Predict")
    page.evaluate("about => { document.querySelector('article').innerHTML = '<div class=wb-asks></div>';"
                  "document.querySelector('.wb-asks').dataset.ask = about; }", json.dumps(answers(piece)))
    page.add_script_tag(url=f"{address}_static/workbook.js")
    for typed in ("2.5", "2,45", "5/2", "−1", "3", "", "many", "1/0", "1 2", "<b>", "1/2/3", "1e1"):
        page.get_by_label("a number").fill(typed)
        page.get_by_role("button", name="commit").click()
        piece.judge(typed)
        shown = page.locator(".wb-ask > div").last.inner_html()
        assert shown == as_shown(page, piece.feedback.value), typed


def test_the_page_of_symbols_prints_on_one_sheet(open_page, address):
    page = open_page(f"{address}notebooks/symbols.html")
    assert page.locator("table").count() >= 2
    sheets = page.pdf(format="A4")
    assert len(re.findall(rb"/Type\s*/Page\b", sheets)) == 1
