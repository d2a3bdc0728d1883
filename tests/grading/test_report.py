"""The pages of a report: what they say, that nothing a student writes can act in them, and what is written where."""
import re
from html.parser import HTMLParser

from grading.graded import MASTERS, a_class, failed, passed, result

from nwlab.exercises import NAMES
from nwlab.course import COURSE
from workbook.checks.item import Verdict
from workbook.grading import alike, insight, unknown
from workbook.grading.collect import handed_in
from workbook.grading.roster import roster
from workbook.grading.mark import NEEDS
from workbook.grading.pages import marked
from workbook.grading.report import report

NASTY = ("<script>alert(1)</script><img src=x onerror=alert(1)>\"'><b>&amp; \x00 \u202eevil\u202c \ud800 שלום "
         "{{ 7*7 }} javascript:alert(1)")


class Page(HTMLParser):
    """The elements of a page, and its text."""

    VOID = {"meta", "input", "br", "rect", "line"}

    def __init__(self, text):
        super().__init__()
        self.elements, self.open, self.text = [], [], ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag, "elements are closed in order"

    def handle_data(self, data):
        self.text += data + " " * (self.open[-1:] in (["dt"], ["pre"]))


def pages(folder) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_bytes().decode() for path in folder.rglob("*.html")}


def nasty_class():
    broken = failed(NASTY, NASTY, tried=NASTY, got=NASTY, expected=NASTY, why=NASTY, next=NASTY)
    return [result(f"{NASTY}{i}", "warm_up", broken, words=NASTY, remarks=(NASTY,), code={NASTY: NASTY})
            for i in range(3)]


def test_nothing_that_a_student_writes_acts_in_a_page(tmp_path):
    report(tmp_path, nasty_class(), MASTERS, NAMES)
    harmless = set("html head meta title style body a header main section article nav h1 h2 h3 p ul ol li dl dt dd pre "
                   "code strong span bdi details summary blockquote table caption thead tbody tr th td div figure "
                   "figcaption em svg rect line text fieldset legend label input br".split())
    found = pages(tmp_path)
    assert len(found) == 5
    for name, text in found.items():
        page = Page(text)
        assert {tag for tag, _ in page.elements} <= harmless, name
        assert not any(attribute.startswith("on") for _, attributes in page.elements for attribute in attributes)
        links = [attributes["href"] for tag, attributes in page.elements if tag == "a"]
        assert all(link.startswith("#") or (tmp_path / link).is_file() for link in links), name
        assert "<script>alert(1)</script>" in page.text and "\\u202eevil" in page.text and "{{ 7*7 }}" in page.text
        assert not re.search("[\x00\u202a-\u202e\ud800-\udfff]", text) and not page.open
        policy = next(attributes["content"] for tag, attributes in page.elements if attributes.get("http-equiv"))
        assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'")
        assert "url(" not in text and "http:" not in text and "https:" not in text


def test_headings_tables_and_ids_are_in_order(tmp_path):
    report(tmp_path, a_class(12), MASTERS, NAMES)
    for name, text in pages(tmp_path).items():
        elements = Page(text).elements
        levels = [int(tag[1]) for tag, _ in elements if re.fullmatch("h[1-6]", tag)]
        assert levels[0] == 1 and levels.count(1) == 1 and all(b - a <= 1 for a, b in zip(levels, levels[1:])), name
        ids = [attributes["id"] for _, attributes in elements if "id" in attributes]
        assert len(ids) == len(set(ids)), name
        asked = [attributes["aria-labelledby"] for _, attributes in elements if "aria-labelledby" in attributes]
        assert set(asked) <= set(ids), name
        assert all("scope" in attributes for tag, attributes in elements if tag == "th")


def test_the_class_page_says_who_needs_help_with_what_and_what_to_teach(tmp_path):
    axis = failed("pool", "the wrong axis", next="rows are queries")
    report(tmp_path, [
        result("Ada", "warm_up", axis, passed("attend")),
        result("Li", "warm_up", axis, Verdict("attend", "timed out", 0, 1)),
        result("Zoë", "warm_up", passed("pool"), passed("attend"), words="Because.", remarks=("handed in late",)),
    ], MASTERS, NAMES)
    text = " ".join(Page((tmp_path / "index.html").read_text()).text.split())
    assert "pool in Warm-up: shapes first 2 of the 3 who tried it did not get it right (67 %)." in text
    assert "Most often (2 students): the wrong axis. What they were told: rows are queries" in text
    first, second = text.index("Li 0 of 4 points"), text.index("Ada 1 of 4 points")
    assert first < second and "pool (the wrong axis), attend (timed out)" in text[first:second]
    assert "Zoë 2 of 4" not in text
    assert "Warm-up: shapes first: 1 waiting" in text and "handed in late" in text
    assert "0 to 10 percent: 1. 10 to 20 percent: 0. 20 to 30 percent: 1." in (tmp_path / "index.html").read_text()


def test_a_students_page_says_what_was_tried_what_came_and_what_to_do(tmp_path):
    wrong = failed("pool", tried="pool(1)", got="2", expected="3", next="look")
    looping = Verdict("scores_of", "passed", 1, 1, remark="A loop is right.")
    ada = result("Ada", "warm_up", wrong, Verdict("attend", "timed out", 0, 1), looping,
                 code={"pool": "def pool(): 2"}, remarks=("its id is lost",))
    report(tmp_path, [ada], MASTERS, NAMES)
    (page,) = (tmp_path / "students").iterdir()
    text = " ".join(Page(page.read_text()).text.split())
    for said in ("Tried pool(1) Got 2 Expected 3 What to do: look", "def pool(): 2", "its id is lost",
                 "What to do: It did not end in time", "A loop is right."):
        assert said in text


def test_what_only_waits_for_another_item_is_no_mistake_of_its_own(tmp_path):
    waits = failed("attend", f"{NEEDS}pool")
    found = [result(name, "warm_up", failed("pool"), waits) for name in ("Ada", "Li")]
    also = [failed("attend"), failed("attend"), Verdict("attend", "not attempted", 0, 1)]
    hangs = Verdict("attend", "timed out", 0, 1, f"{NEEDS}pool (timed out)")
    unread = [Verdict(item, "unreadable", 0, 1) for item in ("pool", "attend")]
    found += [result(f"Mo {number}", "warm_up", one) for number, one in enumerate(also)]
    report(tmp_path, [*found, result("Zoë", "warm_up", *unread), result("Kim", "warm_up", hangs)], MASTERS, NAMES)
    text = " ".join(Page((tmp_path / "index.html").read_text()).text.split())
    assert "2 of the 2 who tried it" in text
    assert "1 did not try. 3 could not get it right without an earlier item." in text
    assert "attend (it needs another item: pool (timed out))" in text
    assert "Zoë 0 of 4 points Warm-up: shapes first: the notebook cannot be read" in text
    assert {one.name for one in insight.frequent(insight.tried(roster(found, MASTERS, NAMES)))} == {"the wrong axis"}


def test_what_nobody_can_tell_is_named_on_the_page_and_at_the_terminal(tmp_path, capsys):
    for number in range(12):
        (tmp_path / f"x\x1b[31m{number}_1_2_homework.pdf").write_bytes(b"")
    (tmp_path / "ann.ipynb").write_bytes(b"{}")
    unknown.save(tmp_path / "report", handed_in(tmp_path, COURSE))
    said = capsys.readouterr().err
    assert "\x1b[31m1_" not in said and "and 3 more" in said and len(unknown.load(tmp_path / "report")) == 13
    report(tmp_path / "report", [result("Ada")], MASTERS, NAMES)
    text = " ".join(Page((tmp_path / "report/index.html").read_text()).text.split())
    assert "ann: ann.ipynb is unknown, neither the notebook nor its name says which exercise it is" in text
    assert "_homework.pdf is unreadable, it is neither a notebook (.ipynb) nor a zip archive" in text


def test_items_are_counted_by_what_became_of_them():
    whole = roster(a_class(), MASTERS, NAMES)
    items = insight.tried(whole)
    assert len(items) == sum(len(exercise.items) for exercise in whole.exercises.values())
    for item in items:
        assert item.handed == sum(item.counts.values()) <= 30
        assert sum(len(mistake.students) for mistake in item.mistakes) == item.counts["failed"]
        assert sum(item.statuses.values()) == item.counts["other"]
    assert all(len(mistake.students) > 1 for mistake in insight.frequent(items))
    shares = [item.wrong / (item.wrong + item.counts["passed"]) for item in insight.lessons(items)]
    assert len(shares) == insight.LESSONS and shares == sorted(shares, reverse=True)


LONG = '''def pool(weights, values):
    """Their words."""
    total = np.zeros(len(weights))
    for i in range(len(weights)):                # each query
        total[i] = sum(weights[i, j] * values[j] for j in range(len(values)))
    return total
'''


def test_the_same_code_under_other_names_is_found_and_common_code_is_not():
    renamed = LONG.replace("# each", "# for each").replace("total", "answer").replace("weights", "w")
    renamed = renamed.replace("Their", "My")
    other = LONG.replace("sum", "max")
    assert alike.normalised(LONG) == alike.normalised(renamed) != alike.normalised(other)
    for short_or_broken in ("def pool(w, v):\n    return w @ v\n", "def pool(:", "(" * 5000, "\x00", "-" * 5000 + "1"):
        assert alike.normalised(short_or_broken) == ""

    def pairs(*codes):
        found = [result(f"student {i}", "warm_up", failed("pool"), code={"pool": code}) for i, code in enumerate(codes)]
        whole = roster(found, MASTERS, NAMES)
        return [(one.name[-1], other.name[-1], items) for one, other, items in alike.pairs(whole)]

    assert pairs(LONG, other, renamed) == [("0", "2", [("warm_up", "pool", "failed")])]
    assert pairs(LONG, LONG, LONG, renamed) == [], "more than MANY have it"
    untouched = Verdict("pool", "not attempted", 0, 1)
    stubs = [result(name, "warm_up", untouched, code={"pool": LONG}) for name in ("Ada", "Li")]
    assert alike.pairs(roster(stubs, MASTERS, NAMES)) == []


def test_the_same_bytes_twice_in_any_order(tmp_path):
    found = a_class(8)
    report(tmp_path / "one", found, MASTERS, NAMES)
    report(tmp_path / "two", found[::-1], MASTERS, NAMES)
    one, two = ({path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
                for folder in (tmp_path / "one", tmp_path / "two"))
    assert len(one) > 60 and one == two


def test_pages_of_students_who_vanished_go_and_nothing_else(tmp_path):
    report(tmp_path, [result("Ada"), result("Li")], MASTERS, NAMES)
    mine = tmp_path / "students" / "my notes.html"
    mine.write_text("mine")
    report(tmp_path, [result("Ada")], MASTERS, NAMES)
    assert {path.name[:3] for path in (tmp_path / "students").iterdir()} == {"Ada", "my "}
    assert len(list((tmp_path / "gradescope").rglob("*.json"))) == 1 and mine.read_text() == "mine"


def test_marks_in_our_texts_are_shown_and_nothing_else_is():
    assert marked("set `a * b * c`, *w* <b> and 2**d * n*m") == (
        "set <code>a * b * c</code>, <em>w</em> &lt;b&gt; and 2**d * n*m")


def test_a_report_of_nothing(tmp_path):
    assert report(tmp_path, [], MASTERS, NAMES) == []
    assert "0 students" in (tmp_path / "index.html").read_text()
