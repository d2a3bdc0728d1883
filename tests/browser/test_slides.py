"""The slides in a browser, opened as files: every one fits, figures move, keys reach what is meant."""
import re
from collections import Counter

import pytest
from jupyter_page import LIMIT, expect, nothing_reported, result_of, wait_for

from workbook.authoring import plans
from workbook.authoring.project import Project
from workbook.site import slides
from workbook.site.shelf import Shelf

PLANS = plans.read((Project.find().notebooks / "for_teachers.md").read_text(encoding="utf-8"))
LONG = [f"{plan.name}-{plan.minutes}" for plan in PLANS if plan.minutes != 50]      # which hold what the short ones do
# Goes through a deck, and waits on each slide until all is there and fits; says what does not, within so many seconds.
WALK = """async (limit) => {
  const problems = [];
  for (let slide = 1; slide <= Reveal.getTotalSlides(); slide++, Reveal.next()) {
    const end = performance.now() + 1000 * limit;
    while (misfits().length && performance.now() < end) await new Promise((done) => setTimeout(done, 20));
    problems.push(...misfits().map((one) => `${slide}: ${one}`));
  }
  return problems;
  function misfits() {
    const slide = Reveal.getCurrentSlide();
    const shown = [...slide.querySelectorAll("*")]
      .filter((one) => one.checkVisibility() && !one.closest("svg *, .wb-spoken"));
    const named = (one) => `${one.localName} ${one.className} ${one.textContent.slice(0, 30)}`;
    const outside = shown.filter((one) => {
      const { left, top, right, bottom, width, height } = one.getBoundingClientRect();
      return width && height && (left < 10 || top < 0 || right > 1280 || bottom > 720);
    });
    const cut = [slide, ...shown.filter((one) => getComputedStyle(one).display !== "inline" && !one.closest("math"))]
      .filter((one) => one.scrollHeight > one.clientHeight + 1 && getComputedStyle(one).overflowY !== "visible");
    const small = shown.filter((one) => one.matches("p, li, small, h2, h3") && !one.closest(".wb-place")
      && parseFloat(getComputedStyle(one).fontSize) < 17);
    const waiting = shown.filter((one) => one.matches("img") && !one.naturalWidth
      || one.matches(".wb-recorded[data-recording]") && !one.querySelector("[data-frame]"));
    return [outside, cut, small, waiting].flatMap((those) => those.map(named));
  }
}"""


@pytest.fixture(scope="module")
def decks(tmp_path_factory):
    folder = tmp_path_factory.mktemp("slides")
    slides.build(Project.find(), folder / "decks", shelf=Shelf(folder / "figures", 4, ("wide",)), say=str)
    return folder / "decks"


@pytest.fixture
def open_deck(jupyterlab, decks):
    def open_deck(name: str):
        page = jupyterlab.another((decks / f"{name}.html").as_uri(), width=1280, height=720)
        page.wait_for_function("Reveal.isReady()")
        return page
    return open_deck


@pytest.mark.parametrize("name", ["index", *LONG])
def test_every_slide_fits_and_asks_no_other_host(open_deck, decks, name):
    page = open_deck(name)
    assert result_of(page, WALK, LIMIT) == []
    nothing_reported(page, page.problems)
    nothing_reported(page, [url for url in page.requests if not url.startswith((decks.as_uri(), "data:", "blob:"))])


def test_a_figure_moves_and_a_clicker_goes_on_from_it(open_deck):
    page = open_deck("00_start_here-50")
    page.evaluate("while (Reveal.getCurrentSlide().dataset.kind !== 'figure') Reveal.next()")
    page.wait_for_selector(".present .wb-recorded canvas[data-frame]")
    sentence, number = page.locator(".present .wb-sentence"), page.evaluate("Reveal.getSlidePastCount()")
    for act in (lambda: page.get_by_role("button", name="all alike").press(" "),
                lambda: page.locator(".present input[type=range]").first.press("ArrowRight")):
        before = sentence.inner_text()
        act()
        expect(sentence).not_to_have_text(before)
    wait_for(page, lambda: page.evaluate("Reveal.getSlidePastCount()"), number)
    page.keyboard.press("PageDown")
    wait_for(page, lambda: page.evaluate("Reveal.getSlidePastCount()"), number + 1)


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: f"{plan.name}-{plan.minutes}")
def test_notes_say_the_minutes_and_every_vote_has_its_question_before_its_ruling(decks, plan):
    text = (decks / f"{plan.name}-{plan.minutes}.html").read_text(encoding="utf-8")
    found = re.findall(r'<section data-kind="(\w+)" data-timing="(\d+)">', text)
    kinds = [kind for kind, _ in found]
    assert 0 <= 60 * plan.minutes - sum(int(seconds) for _, seconds in found) < len(found)
    assert f"Minutes {plan.minutes - plan.rows[-1][0]} to {plan.minutes}: " in text
    many = Counter(kinds)
    assert many["vote"] == sum(len(plans.votes(words)) for _, words in plan.rows)
    assert many["vote"] + many["question"] == many["ruling"]
    assert all("ruling" in kinds[i:] for i, kind in enumerate(kinds) if kind == "vote")
    figures = {name for _, words in plan.rows for name in re.findall(r"`explore\.(\w+)`", words)}
    assert figures - {"scale", "in_context"} <= set(re.findall(r'data-recording="_figures/(\w+)-', text))
