"""The site: every page, link, formula, figure and answer is there."""
import json
import re
import sys
from functools import cache
from html import unescape
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup
from nbformat import v4
from workshop import make_workshop

from workbook import explore, language
from workbook.authoring import notebook as notebooks
from workbook.authoring.build import Sources
from workbook.authoring.build import build as build_notebooks
from workbook.authoring.project import BuildError, Project
from workbook.site import cells, shelf, site

PIECES = {"mfrac": 2, "mover": 2, "mroot": 2, "msub": 2, "msubsup": 3, "msup": 2, "munder": 2, "munderover": 3}


@cache
class Page:
    """links: (attribute, address) of all that leads or loads; ids: what a link may point at."""

    def __init__(self, path):
        elements, self.path = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")(True), path
        leads = "href", "src", "data-recording"
        self.links = [(name, one[name]) for one in elements for name in leads if one.get(name)]
        self.ids = {one.get(name) for one in elements for name in ("id", "name")}

    def leads_somewhere(self, attribute: str, address: str) -> bool:
        parts = urlsplit(address)
        path = (self.path.parent / unquote(parts.path)).resolve() if parts.path else self.path
        if parts.scheme:
            return True
        if attribute == "data-recording":
            return all(path.with_name(f"{path.name}-{size}.js").is_file() for size in ("wide", "narrow"))
        return path.is_file() and (not parts.fragment or path.suffix == ".html"
                                   and unquote(parts.fragment) in Page(path).ids)


def test_every_link_leads_somewhere(small_site):
    """That nothing is loaded from elsewhere, tests/browser/test_site.py asks."""
    pages = [Page(path) for path in sorted(small_site.rglob("*.html"))]
    names = {page.path.relative_to(small_site).as_posix() for page in pages}
    assert {"index.html", "search.html", "notebooks/00_start_here.html", "notebooks/for_teachers.html",
            "notebooks/bibliography.html", "exercises/warm_up.html"} <= names
    assert "genindex.html" not in names                 # there is nothing that it could list
    for page in pages:
        assert [link for link in page.links if not page.leads_somewhere(*link)] == [], page.path.name


@pytest.mark.parametrize("name", ["index", "search", "notebooks/00_start_here", "exercises/warm_up"])
def test_a_button_leads_to_the_page_in_the_other_language_and_back(small_site, name):
    here, there = small_site / f"{name}.html", small_site / "zh" / f"{name}.html"
    for page, other, code, words in ((here, there, "en", "中文"), (there, here, "zh-CN", "English")):
        found = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")
        assert found.html["lang"] == code
        links = {link["href"] for link in found.select(".article-header-buttons a") if words in link.text}
        assert [(page.parent / link).resolve() for link in links] == [other]
        for name in ("aria-label", "title", "placeholder") if code != "en" else ():
            assert not [each[name] for each in found.find_all(attrs={name: re.compile("^[A-Z][A-Za-z. ]+$")})
                        if each[name] != "English"]


def test_a_figure_shows_a_picture_and_a_question_its_text_where_no_program_runs(small_site):
    page = (small_site / "notebooks" / "00_start_here.html").read_text(encoding="utf-8")
    (figure,) = set(re.findall(r'data-recording="\.\./_figures/(houses-\w+)"', page))
    for size in ("wide", "narrow"):
        text = (small_site / "_figures" / f"{figure}-{size}.js").read_text(encoding="utf-8")
        assert text.startswith(f'figureRecorded("{figure}-{size}", "') and len(text) < 1.4e6
    assert re.search(r'<img class="dark-light" alt="[^"]{10,}"', page) and "counts most, with" in page
    _, (about, text), *_ = re.findall(r'<div class="wb-asks" data-ask="([^"]+)">(.*?)</div>', page, flags=re.DOTALL)
    assert "<details><summary>Answer</summary>" in text and "flatter" in text
    assert len(json.loads(unescape(about))["pieces"][0]["responses"]) == 3
    texts = {"text": "x = 2 and\n|b|", "names": ["x = 0"], "chosen": ["x = 0"], "state": {"sigma": 2.0}}
    text, *others = cells.with_formulas(texts).values()
    assert text.count("<math") == 2 and others == [*texts.values()][1:], "words on buttons stay plain"


def test_what_a_notebook_needs_and_how_long_it_takes_is_found_once_in_each_but_the_first(root, small_site):
    sources = Sources(Project(root))
    for edition in [one for spoken in sources.placeholders for one in sources.editions((), spoken)]:
        about = re.compile(site.ABOUT.replace("MINUTES", str(edition.lesson.minutes)))
        texts = [cell.source for cell in notebooks.read(edition.path).cells if cell.cell_type == "markdown"]
        found = [piece[0] for text in texts for piece in about.finditer(text)]
        assert len(found) == (edition.lesson.name != "00_start_here"), (edition.path.name, found)
    for name, strips in (("exercises/warm_up", 1), ("zh/exercises/warm_up", 1), ("notebooks/00_start_here", 0)):
        page = BeautifulSoup((small_site / f"{name}.html").read_text(encoding="utf-8"), "html.parser")
        assert len(page.select("section > .wb-about > p")) == strips


@pytest.mark.parametrize(("source", "found"), [
    ("explore.width()", ("explore", "width", ([], {}))),
    ("figure = explore.width(n=9)\nfigure", ("explore", "width", ([], {"n": 9}))),
    ("a = 1\nexplore.pooling(k=-3)", ("explore", "pooling", ([], {"k": -3}))),
    ("explore.width(engel)", ("explore", "width", None)),
    ('lesson.predict("a", ["b", "c"], "A")', ("lesson", "predict", (["a", ["b", "c"], "A"], {}))),
    *((other, ("", "", None)) for other in ("x = explore.width()", "x = explore.width()\ny", "print(1)",
                                            "%matplotlib inline", "")),
])
def test_the_call_that_a_cell_ends_with(source, found):
    assert cells.called(source) == found


def test_a_recording_has_another_key_when_what_it_stands_on_is_another(tmp_path, monkeypatch):
    stand = shelf.Shelf(tmp_path, 30)
    key = stand.wants("width", [], {})
    assert stand.wants("width", [], {}) == key != stand.wants("width", [], {"sigma": 0.5})
    monkeypatch.setattr(shelf.Path, "read_bytes", lambda path: b"another")
    assert stand.wants("width", [], {}) != key


@pytest.mark.parametrize("name", explore.__all__)
def test_a_recording_stands_on_what_its_figure_may_load_and_not_on_other_figures(root, name):
    known = {path.relative_to(root).as_posix() for path in shelf._sources(name)}
    assert {f"workbook/explore/{name}.py", "nwlab/fast/window.py", "workbook/labs/in_context.npz",
            "workbook/figures/player.js", "workbook/letters/regular.ttf", "workbook/site/recording.py"} <= known
    assert not known & {f"workbook/explore/{other}.py" for other in explore.__all__ if other != name}
    assert not [path for path in known if path.startswith("workbook/exercises/") or path.endswith(".md")]
    loaded = {getattr(one, "__module__", "") for one in vars(sys.modules[f"workbook.explore.{name}"]).values()}
    assert {f"{one.replace('.', '/')}.py" for one in loaded if one.startswith("workbook.explore.")} <= known
    with language.speaking("zh"):
        chinese = {path.relative_to(root).as_posix() for path in shelf._sources(name)}
    assert chinese - known == {"workbook/zh/workbook.mo", "workbook/zh/letters.otf"}


def test_every_formula_is_understood_and_its_letters_are_in_the_font(root, tmp_path):
    from fontTools.ttLib import TTFont

    from workbook.site.mathml import mathml, write_font

    write_font(tmp_path / "font.woff")
    letters = TTFont(tmp_path / "font.woff").getBestCmap()
    assert letters[ord("σ")] == letters[ord("𝜎")], "in the text it looks as in a formula"
    count = 0
    for path in [*(root / "notebooks").glob("*.ipynb"), *(root / "exercises").glob("*.ipynb")]:
        texts = [cell.source for cell in notebooks.read(path).cells if cell.cell_type == "markdown"]
        for block, inline in re.findall(r"(?s)\$\$(.+?)\$\$|\$([^$\n]+)\$", "\n\n".join(texts)):
            made = mathml(block or inline, "block" if block else "inline")
            shown = unescape(re.sub(r"<[^>]+>", "", made))
            assert shown and "\\" not in shown, block or inline
            assert {letter for letter in shown if ord(letter) not in letters} <= set("\n"), block or inline
            for part in ElementTree.fromstring(made).iter():        # browsers do not set one with a piece too many
                assert len(part) == PIECES.get(part.tag.split("}")[1], len(part)), (block or inline, part.tag)
            count += 1
    assert count > 100
    coloured = mathml(r"\textcolor{#D55E00}{q}")
    assert 'class="wb-query"' in coloured and "#D55E00" not in coloured


def test_a_formula_has_rows_for_its_clauses_and_in_them_for_what_a_relation_begins():
    from workbook.site.mathml import mathml

    def rows_of(formula):
        return [["".join(part.itertext()).strip() for part in clause]
                for clause in ElementTree.fromstring(mathml(formula, "block"))[0]]

    assert rows_of(r"a = \dfrac{b}{c} = \dfrac{d}{e}, \qquad f = g") == [["a", "=bc", "=de,"], ["f", "=g"]]
    assert "wb-clauses" not in mathml("a + b", "block")


def test_a_number_keeps_its_unit_a_symbol_its_equals_sign_and_a_word_its_apostrophe_but_code_stays():
    from workbook.site.mathml import SYMBOL, symbols, tied

    assert [found[1] for found in SYMBOL.findall("<em>w</em> <i>or</i> <em>K(u)</em>")] == ["w", "K(u)"]
    text = "<p>u², |w|, x = 2, but 80 m² and <code>u²</code></p>"
    assert re.sub("<math.*?</math>", "·", symbols(text)) == "<p>·², |·|, · = 2, but 80 m² and <code>u²</code></p>"
    assert tied("<p>80 m², σ = 0.2</p>") == "<p>80\u00a0m², σ\u00a0=\u00a00.2</p>"
    assert tied("<p>a key's, a key&#x27;s, 'a'</p>") == "<p>a key’s, a key’s, 'a'</p>"
    for kept in ("<pre>x = 2</pre>", "<code>a == b</code>", "<script>x = 80 %</script>", "<p>a == b</p>",
                 "<code>a'b</code>", '<img alt="σ = 2">'):
        assert tied(kept) == kept
    assert tied("<math >x</math>.") == '<span style="white-space: nowrap"><math >x</math>.</span>'


@pytest.fixture
def workshop(tmp_path):
    project = make_workshop(tmp_path, **{"00_start_here": "# Start\n\nSome text and [a file](../notes.txt).\n\n"
                                         '```{code-cell} python\nprint("explore.width()")\n```\n'})
    (tmp_path / "notes.txt").touch()
    build_notebooks(project, say=str)
    return project


def test_launch_buttons_and_links_to_the_repository_come_from_the_one_address(workshop, tmp_path):
    site.build(workshop, tmp_path / "site", hub="https://hub.example.edu", say=str)
    links = [link for _, link in Page(tmp_path / "site" / "notebooks" / "00_start_here.html").links]
    tab, *others = workshop.launches("notebooks/00_start_here", "https://hub.example.edu").values()
    assert "/lite/" in tab and tab not in links          # it is not put beside the pages here
    assert {*others, "https://github.com/someone/workbook/blob/HEAD/notes.txt"} <= {*links}
    assert len(workshop.launches("a")) == 3


def test_pictures_stand_open_long_code_is_folded_and_nothing_asks_to_be_run(small_site):
    page = (small_site / "notebooks" / "00_start_here.html").read_text(encoding="utf-8")
    assert "Drag the pin." in page and "Hide the output" not in page
    for path in small_site.glob("*/*.html"):
        page = path.read_text(encoding="utf-8")
        folds = re.findall(r'(?s)<details class="[^"]*hide[^"]*">(.*?)</details>', page)
        assert not [fold for fold in folds if "<img" in fold or "cell_output" in fold]
        assert path.stem == "where_it_opens" or not re.search(r"Shift(</kbd>)?\+|hide-output|three dots", page), path


@pytest.mark.parametrize(("source", "picture", "tag"), [
    ("explore.width()", True, "remove-input"), ('lesson.predict("00-width")', False, "remove-input"),
    ("draw()\nplt.show()", True, "hide-input"), ("a = 1\n" * 20, False, "hide-input"), ("a = 1\n" * 9, False, None),
    ("warm_up.check_pool(pool)", False, "wb-call"), ("def pool():\n    raise NotImplementedError", False, "wb-write"),
])
def test_a_page_shows_code_where_it_is_short_and_draws_nothing(source, picture, tag, small_shelf):
    data = {"text/html": '<img alt="A picture." src="data:image/png;base64,AA">' if picture else "", "text/plain": ""}
    cell = v4.new_code_cell(source, outputs=[v4.new_output("display_data", data=data)])
    cells.Cells(small_shelf, "", "").show(cell)
    assert cell.metadata.get("tags", []) == ([tag] if tag else [])


def test_an_exercise_asks_though_nobody_has_run_it_and_says_before_its_code_that_nothing_runs_here(small_site, root):
    page = (small_site / "exercises" / "warm_up.html").read_text(encoding="utf-8")
    top = page[page.index("Three houses were sold"):page.index('<div class="cell ')]
    assert "Nothing runs on this page" in top and "exercises/warm_up.ipynb" in top and "mybinder.org" not in page
    assert "<summary>How it works</summary>" in page
    found = re.findall(r'<div class="wb-asks" data-ask="([^"]+)">', page)
    questions = [cell for cell in notebooks.read(root / "exercises" / "warm_up.ipynb").cells
                 if re.search(r"^lesson\.(predict|court|quiz)", cell.source, flags=re.MULTILINE)]
    assert len(found) == len(questions) > 0 and not any(cell.outputs for cell in questions)
    assert "number" in json.loads(unescape(found[0]))["pieces"][0]


def test_what_leads_nowhere_stops_the_site_and_a_folder_with_something_else_stays(workshop, tmp_path):
    (workshop.notebooks / "more.md").write_text("# More\n\n[a](gone.md)\n", encoding="utf-8")
    with pytest.raises(BuildError, match="gone.md"):
        site.build(workshop, tmp_path / "site", say=str)
    assert not (tmp_path / "site").exists()
    with pytest.raises(BuildError, match="other files"):
        site.build(workshop, workshop.notebooks, say=str)
    assert (workshop.notebooks / "more.md").is_file()


def test_a_sign_stands_at_its_number_and_a_brace_is_drawn_below_its_term():
    from workbook.site.mathml import mathml

    assert all(mathml(formula).count('form="prefix"') == 1 for formula in (r"(x,\, +1)", "y = -1", r"(x \mid +1)"))
    assert "prefix" not in mathml("a + b - c")
    assert 'class="wb-brace"' in mathml(r"\underbrace{a}_{b}")
