"""The questions for Moodle, Canvas and polls: every question is there, and what a format reserves arrives as it is."""
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
from workbook.questions.questions import every

HARD = r"""About.

## 99-hard

Is \(\nu = \frac{1}{2}\) or `{~a: #b}` < **c** & 5 %?

- [ ] \(\{x : x \ne 0\}\)
  // not = this #1
- [x] %50%right -> there
- [ ] [html] = ~ \\

% claim: 99-hard
Why \(\nabla f = 0\)?

It ends in C:\new.

## 99-number

How _many_?

= -2.5 ± 0.1 m

So many.
"""
GIFT = r"""$CATEGORY: $course$/top/Attention is a weighted average/a//b

::99-hard::[html]<p>Is \\(\\nu \= \\frac\{1\}\{2\}\\) or <code>\{\~a\: \#b\}</code> &lt; <b>c</b> &amp; 5 %?</p>{
~<p>\\(\\\{x \: x \\ne 0\\\}\\)</p>#<p>// not \= this \#1</p>
=<p>%50%right -&gt; there</p>#
~<p>[html] \= \~ \\\\</p>#
####<p>Why \\(\\nabla f \= 0\\)?</p><p>It ends in C\:\\new.</p>
}

::99-number::[html]<p>How _many_?</p><p>(In m.)</p>{
#-2.5:0.1
####<p>So many.</p>
}
"""
CANVAS = [r"Is \(\nu = \frac{1}{2}\) or {~a: #b} < c & 5 %?", r"\(\{x : x \ne 0\}\)", "%50%right -> there",
          r"[html] = ~ \\", r"Why \(\nabla f = 0\)? It ends in C:\new.", "// not = this #1",
          "How _many_? (In m.)", "So many."]


@pytest.fixture
def hard(tmp_path, monkeypatch):
    (tmp_path / "99.md").write_text(HARD, encoding="utf-8")
    monkeypatch.setattr(course, "TEXTS", tmp_path)
    return [*every(tmp_path).values()]


def quiz_in(archive: bytes) -> tuple[ElementTree.Element, str]:
    """The quiz of an archive for Canvas, and when it hides its results."""
    with zipfile.ZipFile(io.BytesIO(archive)) as file:
        _, about, quiz = (ElementTree.fromstring(re.sub(rb' xmlns="[^"]*"', b"", file.read(name)))
                          for name in file.namelist() if name.endswith(".xml"))
    return quiz, about.findtext("hide_results")


def in_words(markup: str) -> str:
    """HTML as a reader sees it, an equation's image as its formula."""
    shown = re.sub(r'<img [^>]*data-equation-content="([^"]*)"[^>]*>', r"\\(\1\\)", markup)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", shown)).split())


def test_formulas_and_all_that_a_format_reserves_arrive(hard):
    assert export.gift("a/b", hard) == GIFT
    quiz, _ = quiz_in(export.qti("T", hard, False))
    assert [in_words(one.text) for one in quiz.iter("mattext")] == CANVAS
    first, second = quiz.iter("item")
    (right,) = (one.text for each in first.iter("respcondition") if each.find("setvar") is not None
                for one in each.iter("varequal"))
    assert [label.get("ident") for label in first.iter("response_label")].index(right) == 1
    assert (second.findtext(".//vargte"), second.findtext(".//varlte")) == ("-2.6000", "-2.4000")


def test_every_question_but_those_for_code_is_in_each_form(sources, tmp_path):
    asked = [name for name, one in every(course.TEXTS).items() if not one.hint and len(one.numbers) < 2]
    (gift,) = export.export(sources, "gift", tmp_path / "out")
    assert re.findall(r"(?m)^::([\w-]+)::", text := gift.read_text(encoding="utf-8")) == asked and len(asked) > 150
    assert "left to right u, upwards" in text
    quizzes = {path.stem: quiz_in(path.read_bytes()) for path in export.export(sources, "qti", tmp_path / "folder")}
    assert [item.get("title") for quiz, _ in quizzes.values() for item in quiz.iter("item")] == asked
    assert {name for name, (_, hidden) in quizzes.items() if hidden == "always"} == {*course.CONCEPTS}
    assert "01 Averages and neighbours" in {quiz[0].get("title") for quiz, _ in quizzes.values()}


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
