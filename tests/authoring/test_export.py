"""The questions for Moodle, Canvas and polls, read back as those read them: GIFT in the steps of Moodle's
question/format/gift/format.php, QTI with an XML parser.
"""
import csv
import html
import io
import re
import zipfile
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from workbook import course
from workbook.authoring import export
from workbook.command import main
from workbook.questions.questions import every, plain

HARD = r"""About.

## 99-hard

Is \(\nu = \frac{1}{2}\) or `{~a: #b}` < **c** & 5 %? See C:\new.

- [ ] \(\{x : x \ne 0\}\)
  // not = this #1
- [x] %50%right -> there
- [ ] [html] = ~ \\

% claim: 99-hard
Why \(\nabla f = 0\)?

It ends.
"""


@pytest.fixture
def hard(tmp_path, monkeypatch):
    (tmp_path / "99.md").write_text(HARD, encoding="utf-8")
    monkeypatch.setattr(course, "TEXTS", tmp_path)


def in_words(markup: str) -> str:
    """HTML as a reader sees it, an equation's image as its formula."""
    shown = re.sub(r'<img [^>]*data-equation-content="([^"]*)"[^>]*>', r"\\(\1\\)", markup)
    return as_typed("".join(html.unescape(re.sub(r"<[^>]+>", "", shown)).split()))


def as_typed(text: str) -> str:
    """Without what text2qti makes of it for the eye: quotation marks that curl, three dots as one sign."""
    return text.translate(str.maketrans("“”‘’", "\"\"''")).replace("...", "…")


def expected(text: str) -> str:
    return as_typed("".join(plain(text).split()))


def moodle(text: str) -> dict:
    """Name -> question, answers as (whether it is right, text, remark), explanation."""
    def kept_apart(match):
        return chr(0xE000 + ord("\n" if match[1] == "n" else match[1]))

    def put_back(piece):
        return re.sub("[\ue000-\ue0ff]", lambda match: chr(ord(match[0]) - 0xE000), piece.strip())

    found = {}
    for part in re.split(r"\n\s*\n", text.strip()):
        part = re.sub(r"\\([\\:#={}~n])", kept_apart, part)
        if part.startswith("$CATEGORY:"):
            continue
        assert part.count("{") == part.count("}") == 1 and part.endswith("}") and not re.search(r"(?m)^\s*//", part)
        name, stem, answers = re.fullmatch(r"(?s)::(.*?)::\[html\](.*)\{(.*)\}", part).groups()
        answers, _, why = answers.rpartition("####")
        if answers.strip().startswith("#"):
            answers = [*map(float, answers.strip()[1:].split(":"))]
        else:
            pieces = [each.strip() for each in answers.replace("=", "~=").split("~")[1:]]
            assert not [each for each in pieces if each[0] in "%["]
            answers = [(each[0] == "=", *map(put_back, each.removeprefix("=").partition("#")[::2])) for each in pieces]
        found[name] = put_back(stem), answers, put_back(why)
    return found


def canvas(archive: bytes) -> dict:
    """The same of an archive for Canvas."""
    with zipfile.ZipFile(io.BytesIO(archive)) as file:
        _, meta, quiz = (ElementTree.fromstring(re.sub(rb' xmlns="[^"]*"', b"", file.read(name)))
                         for name in file.namelist() if name.endswith(".xml"))
    found = {"title": quiz[0].get("title"), "hidden": meta.findtext("hide_results")}
    for item in quiz.iter("item"):
        told = {each.get("ident"): each.findtext(".//mattext") for each in item.iter("itemfeedback")}
        scored = [each for each in item.iter("respcondition") if each.find("setvar") is not None]
        right = [one.text for each in scored for one in each.iter("varequal")]
        answers = [(label.get("ident") in right, text.text, told.get(f"{label.get('ident')}_fb", ""))
                   for label in item.iter("response_label") for text in label.iter("mattext")]
        if limits := [float(one.text) for each in scored for one in each.iter() if one.tag in ("vargte", "varlte")]:
            answers = [sum(limits) / 2, max(limits) - sum(limits) / 2]
        found[item.get("title")] = item.findtext("presentation/material/mattext"), answers, told["general_fb"]
    return found


def assert_same(question, text, answers, why):
    assert in_words(text).startswith(expected(question.text)) and in_words(why) == expected(question.why)
    if question.options:
        assert [right for right, *_ in answers].index(True) == question.right and sum(one[0] for one in answers) == 1
        assert [in_words(one[1]) for one in answers] == [*map(expected, question.options)]
        assert [in_words(one[2]) for one in answers] == [*map(expected, question.remarks)]
    else:
        assert list(answers) == pytest.approx([*question.numbers, question.tolerance][:2 * len(question.numbers)])


@pytest.mark.parametrize("form, back", [("gift", moodle), ("qti", canvas)])
def test_what_comes_back_is_what_was_written(sources, tmp_path, form, back):
    files = export.export(sources, form, tmp_path / "out")
    found = [back(path.read_bytes() if form == "qti" else path.read_text(encoding="utf-8")) for path in files]
    read_back = {name: one for quiz in found for name, one in quiz.items() if "-" in name}
    asked = {name: one for name, one in every(course.TEXTS).items() if not one.hint and len(one.numbers) < 2}
    assert list(read_back) == sorted(asked, key=list(asked).index) and len(asked) > 150
    for name, question in asked.items():
        assert_same(question, *read_back[name])
    assert "(In thousand euros.)" in read_back["01-average"][0] and "left to right u, up" in read_back["02-bell"][0]
    if form == "qti":
        hidden = {path.stem for path, quiz in zip(files, found) if quiz["hidden"] == "always"}
        assert hidden == {*course.CONCEPTS} and "01 Averages and neighbours" in {quiz["title"] for quiz in found}


def test_formulas_and_all_that_a_format_reserves_arrive(hard):
    asked = [*every(course.TEXTS).values()]
    gift = moodle(export.gift("a/b", asked))
    qti = canvas(export.qti("T", asked, False))
    for question in asked:
        assert_same(question, *gift[question.name])
        assert_same(question, *qti[question.name])
    assert r"\(\nu = \frac{1}{2}\)" in gift["99-hard"][0] and r"C:\new" in gift["99-hard"][0]
    assert 'class="equation_image"' in qti["99-hard"][0]


def test_a_table_for_polls(tmp_path):
    path, command = tmp_path / "polls.csv", ["questions", "--as", "csv", "--out"]
    done = CliRunner().invoke(main, [*command, str(path)])
    refused = CliRunner().invoke(main, [*command, str(tmp_path)])
    assert (done.exit_code, refused.exit_code) == (0, 1) and "Is a directory" in refused.output
    rows = {row["name"]: row for row in csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"), newline=""))}
    assert rows["01-castle"]["right"] == "A" and rows["01-castle"]["A"] == "270 again."
    assert rows["01-average"]["question"].endswith(" (In thousand euros.)")
    assert rows["01-average"]["right"] == "270 ± 0.5 thousand euros" and not rows["01-average"]["A"]
    assert "Describe in words" in rows["01-jump"]["question"] and "01-pool" not in rows
    assert not [cell for row in rows.values() for cell in row.values() if cell.startswith(("=", "+", "-", "@"))]
