"""The pages of a report: what they say, that nothing a student writes can act in them, and what is written where."""
import base64
import hashlib
import re

import pytest
from bs4 import BeautifulSoup
from grading.graded import MASTERS, cells, failed, passed, result

from workbook import course
from workbook.checks.item import Verdict
from workbook.grading.report import histogram, item_results, report
from workbook.grading.roster import roster
from workbook.grading.same import shape
from workbook.questions.questions import every

NASTY = ("<script>alert(1)</script><img src=x onerror=alert(1)>\"'><b>&amp; \x00 \u202eevil\u202c \ud800 שלום "
         "{{ 7*7 }} javascript:alert(1)")
HARMLESS = set("html head meta title style body a header main section article nav h1 h2 h3 p ul ol li dl dt dd pre "
               "code strong span bdi i b details summary blockquote table caption thead tbody tr th td div br".split())
FIELDS = set("form label input textarea button script".split())          # on pages where points are written


class Page:
    """The elements of a page, and its text, with single spaces."""

    def __init__(self, path):
        self.source = path.read_bytes().decode()
        page = BeautifulSoup(self.source, "html.parser")
        self.elements = [(one.name, one.attrs) for one in page(True)]
        for one in page(["dt", "pre"]):
            one.append(" ")
        self.text = " ".join(page.get_text().split())


def written(folder, *results) -> Page:
    """The page of the class."""
    assert report(folder, list(results), MASTERS)[0] == []
    return Page(folder / "index.html")


def test_nothing_that_a_student_writes_acts_in_a_page(tmp_path):
    broken = failed(NASTY, NASTY, tried=NASTY, got=NASTY, expected=NASTY, why=NASTY, next=NASTY)
    written(tmp_path, *(result(f"{NASTY}{i}", "warm_up", broken, words=NASTY, remarks=(NASTY,), code={NASTY: NASTY})
                        for i in range(3)))
    found = [Page(path) for path in tmp_path.rglob("*.html")]
    assert len(found) == 5
    for page in found:
        writes = "Save the points" in page.text
        assert {tag for tag, _ in page.elements} <= (HARMLESS | FIELDS if writes else HARMLESS)
        assert page.source.count("<script") == writes
        assert not any(attribute.startswith("on") for _, attributes in page.elements for attribute in attributes)
        links = [attributes["href"] for tag, attributes in page.elements if tag == "a"]
        assert all(link.startswith("#") or (tmp_path / link).is_file() for link in links)
        assert "<script>alert(1)</script>" in page.text and "\\u202eevil" in page.text and "{{ 7*7 }}" in page.text
        assert not re.search("[\x00\u202a-\u202e\ud800-\udfff]", page.source)
        policy = next(attributes["content"] for tag, attributes in page.elements if attributes.get("http-equiv"))
        script = re.search("<script>(.*?)</script>", page.source, re.S)
        digest = base64.b64encode(hashlib.sha256(script[1].encode()).digest()).decode() if script else ""
        allowed = f" script-src 'sha256-{digest}';" if script else ""
        assert policy.startswith(f"default-src 'none'; style-src 'unsafe-inline';{allowed} base-uri 'none'")
        assert not re.search(r"url\(|https?:", page.source)


def test_the_class_page_says_who_needs_help_with_what_and_what_to_teach(tmp_path):
    axis = failed("pool", "the wrong axis", next="rows are queries")
    text = written(
        tmp_path, result("Ada", "warm_up", axis, passed("attend")),
        result("Li", "warm_up", axis, Verdict("attend", "timed out", 0, 1)),
        result("Zoë", "warm_up", passed("pool"), passed("attend"), words="Because.", remarks=("handed in late",))).text
    assert "pool in Warm-up: shapes first 2 of the 3 who tried it did not get it right (67 %)." in text
    assert "Most often (2 students): the wrong axis. Their advice was: rows are queries" in text
    assert "1 student of 3: those with less than half" in text
    assert "Li 0 of 4 points Warm-up: shapes first: pool (the wrong axis), attend (timed out)" in text
    assert "Ada 1 of 4" not in text and "Zoë 2 of 4" not in text
    assert "Warm-up: shapes first: 1 waiting" in text and "handed in late" in text
    assert "The median is 1 points and the mean 1." in text


def test_a_students_page_says_what_was_tried_what_it_gave_and_what_to_do(tmp_path):
    wrong = failed("pool", tried="pool(1)", got="2", expected="3", next="look")
    written(tmp_path, result("Ada", "warm_up", wrong, Verdict("attend", "timed out", 0, 1),
                             code={"pool": "def pool(): 2"}, remarks=("its id is lost",)))
    text = Page(next((tmp_path / "students").iterdir())).text
    for part in ("Tried pool(1) Got 2 Expected 3 What to do: look", "def pool(): 2", "its id is lost",
                 "What to do: It did not end in time"):
        assert part in text


def test_what_is_right_but_for_another_item_is_no_mistake_and_nothing_to_teach(tmp_path):
    follows = Verdict("attend", "follow-through", 0.5, 1, "right, but for `pool`")
    found = [result(name, "warm_up", failed("pool"), follows) for name in ("Ada", "Li", "Kim")]
    unread = result("Zoë", "warm_up", *(Verdict(item, "unreadable", 0, 1) for item in ("pool", "attend")))
    others = [failed("attend"), failed("attend"), Verdict("attend", "not attempted", 0, 1)]
    found += [result(f"Mo {number}", "warm_up", one) for number, one in enumerate(others)]
    text = written(tmp_path, *found, unread).text
    assert "attend in Warm-up: shapes first 2 of the 5 who tried it" in text
    assert "1 did not try. 3 were right but for another item." in text
    assert "Zoë no points yet Warm-up: shapes first: the notebook cannot be read" in text
    assert "Zoë,,,,4,0," in (tmp_path / "summary.csv").read_text("utf-8-sig").splitlines()
    assert "The median is 0.25 points and the mean 0.2." in text                      # of six, without Zoë
    items = item_results(roster([*found, unread], MASTERS))
    assert [(one.counts["other"], one.reached) for one in items] == [(0, 0), (0, 1.5 / 6)]           # without her, too
    assert {mistake for one in items for mistake, made_by, _ in one.mistakes if len(made_by) > 1} == {"the wrong axis"}
    (page,) = (tmp_path / "students").glob("Ada-*.html")
    assert "attend follow-through 0.5 of 1 right, but for `pool`" in Page(page).text


def test_of_a_class_of_120_those_are_listed_who_need_help(tmp_path):
    """Most have one thing wrong; five have little right, and two cannot do what all others can."""
    names = [f"item {n}" for n in range(10)]
    found = []
    for number in range(120):
        wrong = set(names[4:]) if number < 5 else {"item 0", "item 1"} if number < 7 else {names[2 + number % 8]}
        found.append(result(f"Student {number:03}", "warm_up",
                            *(failed(name) if name in wrong else passed(name) for name in names)))
    text = written(tmp_path, *found).text
    listed = re.findall(r"(Student \d+) \d of 12 points", text)
    assert "7 students of 120: those with" in text and sorted(listed) == [f"Student {n:03}" for n in range(7)]


def test_what_the_class_answered_and_what_it_gained(tmp_path):
    def at(minute, question, choice):
        return f"2026-11-02T10:{minute:02}", question, choice

    texts = every(course.TEXTS)
    before, after = texts["concepts-a-shares"], texts["concepts-b-shares"]
    right, wrong = before.options[before.right], before.options[before.right - 1]
    late, never = after.options[after.right], after.options[after.right - 1]
    twice = at(1, "01-castle", "Much more than 270.")
    given = {
        ("Ada", "warm_up"): (at(3, "01-castle", "270 again."), twice, at(4, before.name, wrong),
                             at(5, before.name, right)),
        ("Ada", "unit_sphere"): (twice, at(9, after.name, late), at(2, "01-average", "270,3")),
        ("Li", "warm_up"): (at(1, "01-castle", "270 again."), at(2, before.name, wrong), at(9, after.name, never),
                            at(1, "01-average", "810/3"), at(1, "01-jump", "Close")),
        ("Kim", "warm_up"): (at(1, "01-castle", NASTY), at(1, NASTY, "270 again."), at(1, "01-average", "−1e999"),
                             at(2, before.name, right), at(1, "01-pen", "1/0"), at(1, "01-jump", "Far"))}
    found = [result(*key, answers=answers) for key, answers in given.items()] + [result("Zoë")]
    text = written(tmp_path, *found).text
    assert "First, of 2 Last (1 answered again) ✓ 270 again. 1 (50 %) 2 (100 %)" in text
    assert "Much more than 270. 1 (50 %) 0 (0 %)" in text
    assert "First, of 3 ✓ right 2 (67 %) too low 1 (33 %) too high 0 (0 %)" in text
    assert "✓ Close 1 (100 %)" in text and "01-pen" not in text and "evil" not in text
    assert f"{before.text} 1 (33 %) 1 (50 %) 0.50 2" in text
    assert "What the class answered" not in written(tmp_path / "none", found[-1]).text


def test_of_each_item_the_class_page_says_how_difficult_it_is_how_it_discriminates_and_two_mistakes(tmp_path):
    """`pool` is right for those who have the others right; `attend` the other way round; `odd` is right for all."""
    found = [result(f"Student {n}", "warm_up", passed("pool") if n > 3 else failed("pool", f"mistake {max(n, 2)}"),
                    failed("attend") if n > 3 else passed("attend"), passed("odd"),
                    *(passed(f"item {k}") if n > 3 else failed(f"item {k}") for k in range(3))) for n in range(12)]
    pool, attend, odd, *_ = item_results(roster(found, MASTERS))
    assert [one.reached for one in (pool, attend, odd)] == pytest.approx([2 / 3, 1 / 3, 1])
    assert pool.discrimination == pytest.approx(1) and attend.discrimination == pytest.approx(-1)
    assert odd.discrimination is None and [mistake for mistake, *_ in pool.mistakes] == ["mistake 2", "mistake 3"]
    assert item_results(roster(found[:9], MASTERS))[0].discrimination is None, "of nine it says nothing"
    text = written(tmp_path, *found).text
    assert "1.00 mistake 2 (3)Student 0, Student 1, Student 2mistake 3 (1)Student 3" in text


def test_totals_are_in_the_bar_that_begins_at_or_below_them(tmp_path):
    assert "0 students" in written(tmp_path).text, "a class of nobody has a page"
    assert histogram([0, 1.5, 2, 11], 11) == [(0, 2, 2), (2, 4, 1), (4, 6, 0), (6, 8, 0), (8, 10, 0), (10, 11, 1)]
    assert histogram([99, 100], 100)[-1] == (99, 100, 2)


def test_answers_that_are_the_same_are_named_unless_they_are_short_or_those_of_the_solution(tmp_path):
    solution = next(cell["source"] for cell in cells("solutions", "one_head") if cell["id"] == "write-attend")
    shapes = {"pool": ("shared", 80), "attend": ("short", 20), "bridge": shape(solution)}
    found = [result(name, "one_head", shapes=shapes | {"more": (own, 90)}) for name, own in
             (("Ada", "a"), ("Li", "b"), ("Zoë", "b"))]
    text = written(tmp_path, *found).text
    assert "you judge. more (One head of your own): Li, Zoë pool (One head of your own): Ada, Li, Zoë" in text
    assert "The same answers" not in written(tmp_path, *found[:1]).text


ANSWER = """def pool(queries, keys):
    '''Average.'''
    weights = np.exp(-(queries[:, None] - keys) ** 2)    # (m, n)
    return helper(weights, axis=1)

def helper(weights, axis):
    return [weights.sum(axis=axis) for _ in range(3)]
"""


@pytest.mark.parametrize("other, same", [
    ("def pool(q, k: int) -> int:\n  W=np.exp(-(q[:,None]-k)**2)\n  return h(W,\n    dim=1)\n"
     "def h(w, dim): return [w.sum(axis=dim) for j in range(3)]", True),
    (ANSWER.replace("exp", "sin"), False), (ANSWER.replace("range(3)", "range(4)"), False),
    (ANSWER.replace("[weights.sum", "[max.sum"), False), (ANSWER.replace("axis=axis", "dim=axis"), False),
    (ANSWER.replace("np.exp(-(queries[:, None] - keys)", "np.exp(-(keys[:, None] - queries)"), False)])
def test_names_comments_docstrings_annotations_and_layout_make_no_difference_and_all_else_does(other, same):
    assert (shape(other) == shape(ANSWER)) is same


@pytest.mark.parametrize("source", ["def f(:\n  pass", "x = " + "(" * 9000, "-" * 20_000 + "1", "1+" * 9000 + "1", "\0",
                                    "\ud800"])
def test_what_is_no_python_or_too_deep_is_compared_by_its_words(source):
    assert shape(source) == shape(f"  {source}\n\n") != shape(source + "x")
