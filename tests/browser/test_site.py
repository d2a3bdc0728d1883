"""The site in a browser, without a kernel: figures come when they are near, questions answer, nothing is asked for."""
import functools
import html
import json
import re

import pytest
from axe import breaks_no_rule
from jupyter_page import expect, nothing_reported, wait_for, wait_for_width, web_server

from workbook import lesson
from workbook.authoring.project import Project
from workbook.questions.pieces import Questions
from workbook.questions.questions import Question
from workbook.site.shelf import Shelf
from workbook.site.site import build

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


def wait_for_html(place, words) -> None:
    """Wait until this piece of HTML stands there, as the browser writes it."""
    made = "words => Object.assign(document.createElement('div'), { innerHTML: words }).innerHTML"
    expect(place).to_have_js_property("innerHTML", place.page.evaluate(made, words))


def wait_for_recordings(page, *names) -> None:
    """Wait until the page has asked for these recordings, and for no others."""
    wait_for(page, lambda: [url.rsplit("-", 1)[1] for url in page.requests
                            if "_figures/" in url and url.endswith(".js")], [*names])


def test_no_page_asks_another_host_complains_is_wider_than_the_window_or_closed_to_anybody(
        open_page, address, small_site):
    """axe looks at one lesson, in the light and in the dark."""
    for path in sorted(small_site.rglob("*.html")):
        for scheme in ("light", "dark") if path.stem == "00_start_here" else ("light",):
            page = open_page(address + path.relative_to(small_site).as_posix(), scheme=scheme)
            for _ in page.query_selector_all(".wb-recorded[data-recording]"):
                show_figure(page)
            if path.stem == "00_start_here":
                breaks_no_rule(page)
        for width in (1400, 390):
            page.set_viewport_size({"width": width, "height": 800})
            wait_for_width(page, width)
        nothing_reported(page, page.problems)
        own = (address, "data:", "blob:")
        nothing_reported(page, [url for url in page.requests if not url.startswith(own)])


# What a designer would mend: more than one left edge (of text and pictures, where boxes have padding), more than one
# colour of links, and paragraphs whose lines are not 60 to 75 letters long (on a phone they are shorter).
AMISS = """() => {
  const shown = (all, not) => [...document.querySelectorAll(`:is(article, .bd-header-article) :is(${all})`)]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().width && !one.closest(not));
  const style = (one, name) => parseFloat(getComputedStyle(one)[name]);
  const parts = "h1, h2, h3, p, ul, ol, table, pre, details, .cell_input, .wb-picture, .wb-canvas, .wb-ask," +
    ".wb-controls, .wb-buttons, .wb-gallery, div.math, .header-article-items__start svg";
  const edges = Map.groupBy(shown(parts, "li *, table *, .wb-gallery *, blockquote *"), (one) =>
    Math.round(one.getBoundingClientRect().left + (one.matches("ul, ol, pre") ? 0 : style(one, "paddingLeft"))));
  const colours = Map.groupBy(shown("a", ".headerlink, .btn, .wb-gallery a"), (one) => getComputedStyle(one).color);
  const odd = shown("p", "li *, table *, .wb-gallery *, .wb-ask *, blockquote *").filter((one) => {
    const lines = Math.round(one.getBoundingClientRect().height / style(one, "lineHeight"));
    const letters = one.textContent.length;         // the last line may be short
    return lines > 3 && innerWidth > 600 && (letters > 75 * lines || letters < 60 * (lines - 1));
  });
  const named = (one) => `${one.localName}.${one.className}: ${one.textContent.slice(0, 20)}`;
  const many = (all) => (all.size > 1 ? [...all].map(([at, those]) => `${at} ${those.map(named)}`) : []);
  return [...many(edges), ...many(colours), ...odd.map(named)];
}"""


@pytest.mark.parametrize("width", [1400, 900, 390])
@pytest.mark.parametrize("path", ["index", "notebooks/00_start_here", "exercises/warm_up"])
def test_a_page_has_one_left_edge_one_colour_of_links_and_lines_that_are_easy_to_read(open_page, address, path, width):
    page = open_page(f"{address}{path}.html", width=width)
    if path != "exercises/warm_up":
        show_figure(page)
    wait_for(page, lambda: page.evaluate(AMISS), [])


def test_the_contents_mark_the_section_that_is_read_after_a_jump_and_while_scrolling_up(open_page, address):
    page = open_page(f"{address}notebooks/00_start_here.html", height=500)
    links, marked = page.locator(".page-toc a"), page.locator(".page-toc a.active[aria-current]")
    for i in (*range(links.count()), 1):
        links.nth(i).click()
        expect(marked).to_have_text([links.nth(i).inner_text()])
    page.evaluate("scrollBy({ top: -300, behavior: 'instant' })")           # into the end of the section before
    expect(marked).to_have_text([links.first.inner_text()])


def test_the_gallery_has_a_picture_of_each_lesson_and_is_one_column_on_a_phone(open_page, address, small_site):
    lessons = len([*(small_site / "notebooks").glob("[0-9]*.html")])
    for width, columns in ((1400, 3), (900, 2), (390, 1)):
        page = open_page(f"{address}index.html", width=width)
        expect(page.locator('.wb-gallery img[style*="--w"]')).to_have_count(lessons)          # in gallery.json
        page.wait_for_function("""columns => getComputedStyle(document.querySelector(".wb-gallery"))
            .gridTemplateColumns.split(" ").length === columns""", arg=columns)


class Stills(Shelf):
    """Nothing is recorded, so that each figure stays its picture."""

    def fill(self, say=print):
        self.wanted = {}


def test_the_first_screen_of_every_lesson_has_its_picture(open_page, tmp_path):
    build(Project.find(), tmp_path / "site", shelf=Stills(tmp_path, 1), say=str)
    for path in sorted((tmp_path / "site" / "notebooks").glob("[0-9]*.html")):
        picture = open_page(path.as_uri(), height=900).locator("article .wb-picture img").first
        expect(picture).to_be_in_viewport(ratio=1)
    page = open_page((tmp_path / "site" / "notebooks" / "03_reading_the_heatmap.html").as_uri(), width=390)
    page.wait_for_function("""() => [...document.querySelectorAll(".wb-picture:has(source)")].every((box, i, all) =>
        all.length > 3 && box.scrollWidth <= box.clientWidth && box.clientHeight > 0.6 * box.clientWidth)""")


def test_a_figure_is_loaded_when_it_is_near_and_moves_also_from_a_file(open_page, address, small_site):
    far = small_site / "notebooks" / "far.html"
    text = (small_site / "notebooks" / "00_start_here.html").read_text(encoding="utf-8")
    far.write_text(text.replace('<div class="wb-recorded"', '<p style="height: 2000px"></p><div class="wb-recorded"'),
                   encoding="utf-8")
    for begin in (address, f"{small_site.as_uri()}/"):
        page = open_page(f"{begin}notebooks/far.html", height=300)
        wait_for_recordings(page)
        show_figure(page)
        wait_for_recordings(page, "wide.js")
        before = page.inner_text(".wb-recorded .wb-sentence")
        page.get_by_role("button", name="all alike").click()
        expect(page.locator(".wb-recorded .wb-sentence")).not_to_have_text(before)
        nothing_reported(page, page.problems)
    far.unlink()


def test_a_figure_follows_the_light_and_dark_of_the_page_and_is_narrow_on_a_phone(open_page, address):
    page = open_page(f"{address}notebooks/00_start_here.html", width=390)
    page.evaluate("""() => {
        const box = Object.assign(document.createElement('div'), { className: 'math' });
        box.innerHTML = `<math display="block"><mi>${'formula'.repeat(20)}</mi></math>`;
        document.querySelector('article section').append(box);
        const left = (one) => one.getBoundingClientRect().left;
        window.begins = () => box.scrollWidth > box.clientWidth && left(box.firstChild) === left(box);
    }""")
    page.wait_for_function("window.begins()")           # a formula that is wider than the page, at its beginning
    show_figure(page)
    wait_for_recordings(page, "narrow.js")
    for theme, dark in (("dark", True), ("light", False)):
        page.evaluate("theme => (document.documentElement.dataset.theme = theme)", theme)
        drawn = "getComputedStyle(document.querySelector('canvas')).filter"
        page.wait_for_function(f"dark => dark === ({drawn} !== 'none')", arg=dark)


def test_a_choice_answers_by_mouse_and_by_keys_and_the_figure_above_shows_it_and_names_the_guess(open_page, address):
    page, [about] = open_page(f"{address}notebooks/00_start_here.html"), lesson.predict("00-width").about["pieces"]
    show_figure(page)
    figure, asked = page.locator(".wb-recorded"), page.get_by_role("group").filter(has_text="You make the width")
    for i, press in ((0, "Space"), (1, None)):
        option = asked.get_by_role("button").nth(i)
        option.press(press) if press else option.click()
        expect(option).to_have_attribute("aria-pressed", "true")
        expect(option).to_have_text(about["chosen"][i])
        wait_for_html(asked.locator("> div").last, about["responses"][i])
    expect(figure.get_by_role("slider", name="width σ")).to_have_attribute("aria-valuetext", "120 m²")
    expect(figure.locator(".wb-guess")).to_have_text(re.compile("^Your guess: It becomes more exact"))
    asked.get_by_role("button", name="look at it").click()
    expect(figure.locator("canvas")).to_be_in_viewport()
    other = "{ detail: { sigma: 3, noise: 1 }, cancelable: true }"      # a state that this figure does not have
    wait_for(page, lambda: figure.evaluate(f"root => root.dispatchEvent(new CustomEvent('wb-show', {other}))"), True)
    expect(figure.get_by_role("slider", name="width σ")).to_have_attribute("aria-valuetext", "120 m²")


def test_a_number_is_judged_as_people_type_it(open_page, address):
    page, about = open_page(f"{address}index.html"), Questions([MUCH], "Predict").about
    page.evaluate("about => { document.querySelector('article').innerHTML = '<div class=wb-asks></div>';"
                  "document.querySelector('.wb-asks').dataset.ask = about; }", json.dumps(about))
    page.add_script_tag(url=f"{address}_static/workbook.js")
    kinds = {"exact": ("2.5", "5/2", "2,5", "25e-1"), "near": ("2,45",), "high": ("3", "1e1"), "low": (" −1 ", "1/3"),
             "none": ("", " "), "other": ("many", "1/0", "1 2", "<b>", "1/2/3", "nan")}
    for kind, texts in kinds.items():
        for typed in texts:
            page.get_by_label("a number").fill(typed)
            page.get_by_role("button", name="commit").click()
            said = about["pieces"][0]["responses"][kind].replace("¤", html.escape(typed.strip()))
            wait_for_html(page.locator(".wb-ask > div").last, said)


def test_the_page_of_symbols_prints_on_one_sheet(open_page, address):
    page = open_page(f"{address}notebooks/symbols.html")
    page.locator("table").nth(1).wait_for()
    sheets = page.pdf(format="A4")
    assert len(re.findall(rb"/Type\s*/Page\b", sheets)) == 1


def test_the_search_finds_words_of_chinese_which_no_space_divides(open_page, address):
    page = open_page(address + "zh/search.html?q=注意力汇聚")
    page.wait_for_selector("#search-results li a")
    page = open_page(address + "zh/search.html?q=注意力袋鼠")
    expect(page.locator("#search-results .search-summary")).not_to_be_empty()
    expect(page.locator("#search-results li a")).to_have_count(0)
