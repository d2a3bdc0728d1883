"""Translations: the same code and the same facts as the English, and nothing that goes stale unseen."""
import json
import os
import re
import subprocess
import sys
from collections import Counter
from contextlib import nullcontext
from string import Formatter

import pytest
from babel.messages.pofile import read_po
from workshop import make_workshop, write_source

from nwlab.kernels import KERNELS
from workbook import course, language
from workbook.authoring import catalogue, letters
from workbook.authoring.build import build, check
from workbook.authoring.project import Project

PROJECT = Project.find()
CHINESE = "% of {stamp} numbers\n\n# 数字\n\n先写几句话。见[开头](00_start_here.ipynb)。\n"
NAMES = "Nadaraya Watson Adam softmax sparsemax entmax Epanechnikov".split()    # and terms that are not translated
MATHS = r"\$\$[\s\S]+?\$\$|\$[^$\n]+\$"
FACTS = {"formulas": MATHS, "links": r"\]\(([^)]+)\)", "code": r"`[^`\n]+`", "options": r"(?m)^- \[[ x]\]",
         "marks": r"<!--.*?-->|<span [^>]*>|</?details>", "numbers": r"(?<![\w.])\d+(?:[.,]\d+)*"}


def test_every_piece_is_translated_and_of_todays_english(sources):
    assert not (stale := sources.stale()), "\n".join(stale)


def facts(text: str, kind: str) -> Counter:
    if kind == "numbers":
        text = re.sub(f"{MATHS}|`[^`\n]+`|\\]\\([^)]+\\)|<[^>]+>|^#+ .*", "", text, flags=re.MULTILINE)
    found = re.findall(FACTS[kind], text)
    return Counter(re.sub(r"\\text\{[^}]*\}|\s+", "", one) for one in found)


@pytest.mark.parametrize("kind", FACTS)
def test_a_translation_has_the_facts_of_the_english(sources, kind):
    """A number may be spelled out in one of the two, and the translated name of a mistake repeats what its key has."""
    wrong = []
    for path, pieces in sources.pieces("zh").items():
        for key, (_, chinese) in language.translations(path).items():
            chinese = re.sub(r"(?m)^= (?![-−\d]).*[\u4e00-\u9fff].*\n", "", chinese)
            here, there = facts(language.without_claims(pieces[key]), kind), facts(chinese, kind)
            if here - there if kind != "numbers" else {one for one in here if len(one) > 2} - there.keys():
                wrong.append(f"{path}: {key}: {dict(here - there)} became {dict(there - here)}")
    assert not wrong, "\n".join(wrong)


def test_a_changed_sentence_names_the_stale_piece_and_stays_english_there(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogue, "build", None)       # another project's: this package's stays as it is
    project = make_workshop(tmp_path)
    english = "# Numbers\n\nFirst some text."
    body = f"{english}\n\n+++\n\n## By hand\n\nA sum, by hand.\n"
    write_source(tmp_path, "01_numbers", body)
    chinese = project.notebooks / "source" / "zh" / "01_numbers.md"
    chinese.parent.mkdir()
    chinese.write_text(CHINESE.format(stamp=language.stamp(english)), encoding="utf-8")
    made, said = project.notebooks / "zh" / "01_numbers.ipynb", []

    def built() -> list[str]:
        build(project, say=said.append)
        return ["".join(cell["source"]) for cell in json.loads(made.read_text(encoding="utf-8"))["cells"]]

    first, rest, *_ = built()
    assert first.startswith("# 数字\n\n[English](../01_numbers.ipynb)") and "(../00_start_here.ipynb)" in first
    assert rest.startswith('## By hand\n\n<div lang="en">') and "A sum, by hand." in rest
    assert any("zh/01_numbers.md: by-hand is not translated" in line for line in said)
    assert not any("01_numbers.md: numbers" in line for line in said)

    write_source(tmp_path, "01_numbers", body.replace("First", "Next"))
    assert len(check(project)) == 2                      # the two notebooks, English and Chinese
    assert '<div lang="en">\n\nNext some text.' in built()[0]
    assert any(re.search(r"zh/01_numbers.md: numbers has changed .* % of \w{8}$", line) for line in said)


def test_the_catalogue_and_the_letters_for_pictures_are_of_today_and_complete(tmp_path):
    stored = course.FOLDER / "zh"
    (tmp_path / "workbook.po").write_bytes((stored / "workbook.po").read_bytes())
    assert not catalogue.build(tmp_path, "zh")
    for name in ("workbook.po", "workbook.mo"):
        assert (tmp_path / name).read_bytes() == (stored / name).read_bytes(), f"run `make build`: {name} is stale"
    assert letters.needed("zh") <= letters.in_font(stored / "letters.otf"), "run `make build`"
    with (stored / "workbook.po").open("rb") as file:
        for message in read_po(file, locale="zh"):
            english, said = ((each,) if isinstance(each, str) else each for each in (message.id, message.string))
            assert set().union(*map(places, said)) <= {*places(english[-1]), "n"}, message.id


def places(text: str) -> set[str]:
    return {re.split(r"[.\[]", name)[0] for _, name, _, _ in Formatter().parse(text) if name} if "{" in text else set()


DRAW = """
import warnings
warnings.simplefilter("error")
from workbook import explore
for name in explore.__all__:
    if name not in explore.MEASURED:
        figure = getattr(explore, name)()
        for state in (figure.state, *figure.presets.values()):
            figure.set(**state)
            figure.camera.png()
        print(figure.sentence, *(control.about()["labels"] for control in figure.controls.values()))
"""
ANSWER = """
from workbook.checks import CheckFailed
from workbook.exercises import warm_up
for wrong in (lambda queries, keys: queries - keys, lambda queries, keys: 0 * (queries[:, None] - keys),
              lambda queries, keys: None):
    try:
        warm_up.check_differences(wrong)
    except CheckFailed as error:
        print(error)
warm_up.hint("differences")
warm_up.progress()
"""


@pytest.mark.parametrize(("program", "words"), [(DRAW, "高斯核"), (ANSWER, "没有加轴：(m,) 遇上了 (n,)")])
def test_figures_and_checks_speak_chinese_and_no_letter_is_a_box(tmp_path, program, words):
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=tmp_path,
                          env=os.environ | {language.VARIABLE: "zh"})
    assert done.returncode == 0 and not done.stderr and words in done.stdout, done.stderr[-2000:]
    known = {"queries", "keys", "warm_up", "hint", "level", "return", "None", "Python", *NAMES, *KERNELS}
    known |= {item.name for item in course.exercise("warm_up").items}
    assert {*re.findall(r"[A-Za-z_]{4,}", re.sub("<[^>]+>", "", done.stdout))} <= known


@pytest.mark.parametrize(("asked", "folder", "found"), [
    ("", "notebooks/zh", "zh"), ("", "zh/notebooks", "en"), ("en", "notebooks/zh", "en"), ("zh_CN.UTF-8", ".", "zh"),
    ("fr", ".", "NWLAB_LANGUAGE: got 'fr', expected en or zh")])
def test_a_process_speaks_the_language_that_it_is_told_or_of_its_folder(tmp_path, monkeypatch, asked, folder, found):
    (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(tmp_path / folder)
    monkeypatch.setenv(language.VARIABLE, asked)
    monkeypatch.setattr(language, "_chosen", [])
    with pytest.raises(ValueError, match=found) if asked == "fr" else nullcontext():
        assert language.language() == found


def test_a_term_has_one_translation():
    """The glossary says of some terms how they are never translated."""
    glossary = course.FOLDER / "zh" / "glossary.md"
    texts = {*PROJECT.root.glob("*/source/zh/*.md"), *course.FOLDER.rglob("zh/*.md"), glossary.with_name("workbook.po")}
    never = re.findall(r"never: ([\u4e00-\u9fff]+)", glossary.read_text(encoding="utf-8"))
    assert len(never) > 3
    found = [(path.name, *re.findall("|".join(never), path.read_text(encoding="utf-8"))) for path in texts - {glossary}]
    assert not [each for each in found if len(each) > 1]
