"""Translations: the same code and the same facts as the English, and nothing that goes stale unseen."""
import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.pofile import read_po
from workshop import make_workshop, write_source

from workbook import course, language
from workbook.authoring import catalogue, letters
from workbook.authoring.build import build, check
from workbook.authoring.project import Project

PROJECT = Project.find()
CHINESE = "% of {stamp} numbers\n\n# 数字\n\n先写几句话。见[开头](00_start_here.ipynb)。\n"
MATHS = r"\$\$[\s\S]+?\$\$|\$[^$\n]+\$"
FACTS = {"formulas": MATHS, "links": r"\]\(([^)]+)\)", "code": r"`[^`\n]+`", "options": r"(?m)^- \[[ x]\]",
         "marks": r"<!--.*?-->|<span [^>]*>|</?details>", "numbers": r"(?<![\w.])\d+(?:[.,]\d+)*"}


@pytest.fixture(scope="module")
def pieces(sources) -> list[tuple[str, str, str]]:
    """(where, English, Chinese) for each piece of a translation that is of today's English."""
    found = [(f"{PROJECT.relative(path)}: {key}", language.without_claims(english[key]), chinese)
             for path, english in sources.pieces("zh").items()
             for key, chinese in language.of_today(english, path).items()]
    assert len(found) > 1200
    return found


def facts(text: str, kind: str) -> Counter:
    if kind == "numbers":
        text = re.sub(f"{MATHS}|`[^`\n]+`|\\]\\([^)]+\\)|<[^>]+>|^#+ .*", "", text, flags=re.MULTILINE)
    found = re.findall(FACTS[kind], text)
    return Counter(re.sub(r"\\text\{[^}]*\}|\s+", "", one) for one in found)


@pytest.mark.parametrize("kind", FACTS)
def test_a_translation_has_the_facts_of_the_english(pieces, kind):
    """A number may be spelled out in one of the two, and the translated name of a mistake repeats what its key has."""
    wrong = []
    for where, english, chinese in pieces:
        chinese = re.sub(r"(?m)^= (?![-−\d]).*[\u4e00-\u9fff].*\n", "", chinese)
        here, there = facts(english, kind), facts(chinese, kind)
        if here - there if kind != "numbers" else {one for one in here if len(one) > 2} - there.keys():
            wrong.append(f"{where}: {dict(here - there)} became {dict(there - here)}")
    assert not wrong, "\n".join(wrong)


def test_each_translated_notebook_has_the_code_the_ids_and_the_tags_of_its_twin(sources):
    def without_prose(path):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        return [(cell["id"], cell["cell_type"], {**cell["metadata"], "asks": ""},
                 cell["source"] if cell["cell_type"] == "code" else None) for cell in cells]

    twins = {path: twin for path, twin in sources.twins["zh"].items() if path.suffix == ".ipynb"}
    assert len(twins) == 18 + 2 * 11
    for path, twin in twins.items():
        assert without_prose(path) == without_prose(twin), twin


def test_a_changed_sentence_names_the_stale_piece_and_stays_english_there(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogue, "build", None)       # another project's: this package's stays as it is
    project = make_workshop(tmp_path)
    english = "# Numbers\n\nFirst some text."
    body = f"{english}\n\n+++\n\n## By hand\n\nA sum, by hand.\n"
    write_source(tmp_path, "01_numbers", body)
    chinese = project.notebooks / "source" / "zh" / "01_numbers.md"
    chinese.parent.mkdir()
    chinese.write_text(CHINESE.format(stamp=language.stamp(english)), encoding="utf-8")
    said = []
    build(project, say=said.append)
    made = json.loads((project.notebooks / "zh" / "01_numbers.ipynb").read_text(encoding="utf-8"))
    first, rest = ("".join(cell["source"]) for cell in made["cells"][:2])
    assert first.startswith("# 数字\n\n[English](../01_numbers.ipynb)") and "(../00_start_here.ipynb)" in first
    assert rest.startswith('## By hand\n\n<div lang="en">') and "A sum, by hand." in rest
    assert any("zh/01_numbers.md: by-hand is not translated" in line for line in said)
    assert not any("01_numbers.md: numbers" in line for line in said)

    write_source(tmp_path, "01_numbers", body.replace("First", "Next"))
    assert len(check(project)) == 2                      # the two notebooks, English and Chinese
    build(project, say=said.append)
    assert any(re.search(r"zh/01_numbers.md: numbers has changed .* % of \w{8}$", line) for line in said)
    made = json.loads((project.notebooks / "zh" / "01_numbers.ipynb").read_text(encoding="utf-8"))
    assert '<div lang="en">\n\nNext some text.' in "".join(made["cells"][0]["source"])


def test_the_catalogue_has_the_strings_of_the_code_their_places_and_is_compiled(tmp_path):
    stored = course.FOLDER / "zh"
    text = (stored / "workbook.po").read_text(encoding="utf-8")
    (tmp_path / "workbook.po").write_text(text, encoding="utf-8")
    catalogue.build(tmp_path, "zh")
    for name in ("workbook.po", "workbook.mo"):
        assert (tmp_path / name).read_bytes() == (stored / name).read_bytes(), f"run `make build`: {name} is stale"
    with (stored / "workbook.po").open("rb") as file:
        for message in read_po(file, locale="zh"):
            english = message.id if isinstance(message.id, tuple) else (message.id,)
            for said in filter(None, message.string if isinstance(message.string, tuple) else (message.string,)):
                assert places(said) <= {*places(english[-1]), "n"}, message.id


def places(text: str) -> set[str]:
    return {re.split(r"[.\[]", name)[0] for _, name, _, _ in Formatter().parse(text) if name} if "{" in text else set()


def test_pictures_have_every_letter_of_the_texts():
    assert letters.needed("zh") <= letters.in_font(course.FOLDER / "zh" / "letters.otf"), "run `make build`"


DRAW = """
import logging, warnings
warnings.simplefilter("error")
logging.basicConfig(level="WARNING")
from workbook import explore, language
assert language.language() == "zh"
for name in explore.__all__:
    if name not in explore.MEASURED:
        figure = getattr(explore, name)()
        for state in (figure.state, *figure.presets.values()):
            figure.set(**state)
            figure.camera.png()
        print(name, figure.sentence)
"""


def test_live_figures_speak_chinese_and_show_no_box_for_a_letter():
    done = subprocess.run([sys.executable, "-c", DRAW], capture_output=True, text=True, check=False,
                          env=os.environ | {language.VARIABLE: "zh"})
    assert done.returncode == 0 and not done.stderr, done.stderr[-2000:]
    for line in done.stdout.splitlines():
        words = re.sub(r"[^A-Za-z\u4e00-\u9fff]", "", line.partition(" ")[2])
        assert sum("\u4e00" <= letter for letter in words) > 0.5 * len(words), line


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


def test_a_check_names_a_mistake_and_says_where_to_look_in_chinese(tmp_path):
    done = subprocess.run([sys.executable, "-c", ANSWER], capture_output=True, text=True, check=False, cwd=tmp_path,
                          env=os.environ | {language.VARIABLE: "zh"})
    assert done.returncode == 0 and "没有加轴：(m,) 遇上了 (n,)" in done.stdout, done.stderr
    code = {"queries", "keys", "warm_up", "hint", "level", "return", "None", "Python"}
    code |= {item.name for item in course.exercise("warm_up").items}
    assert {*re.findall(r"[A-Za-z_]{4,}", done.stdout)} <= code


@pytest.mark.parametrize(("asked", "folder", "found"), [
    ("", "notebooks/zh", "zh"), ("", "zh/notebooks", "en"), ("en", "notebooks/zh", "en"), ("zh_CN.UTF-8", ".", "zh"),
    ("fr", ".", "NWLAB_LANGUAGE: got 'fr', expected en or zh")])
def test_a_process_speaks_the_language_that_it_is_told_or_of_its_folder(tmp_path, asked, folder, found):
    (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    done = subprocess.run([sys.executable, "-c", "from workbook import language; print(language.language())"],
                          cwd=tmp_path / folder, env=os.environ | {language.VARIABLE: asked}, capture_output=True,
                          text=True, check=False)
    assert found in (done.stdout.strip() or done.stderr)


def test_a_term_has_one_translation():
    """The glossary says of some terms how they are never translated."""
    glossary = (course.FOLDER / "zh" / "glossary.md").read_text(encoding="utf-8")
    texts = [*PROJECT.root.glob("*/source/zh/*.md"), *course.FOLDER.rglob("zh/*.md"), *course.FOLDER.rglob("zh/*.po")]
    written = {path: path.read_text(encoding="utf-8") for path in texts if path.name != "glossary.md"}
    never = re.findall(r"never: ([\u4e00-\u9fff]+)", glossary)
    assert len(never) > 3
    for word in never:
        assert not (there := [path.name for path, text in written.items() if word in text]), f"{word}: {there}"


def test_the_readme_in_chinese_is_made_from_todays(sources):
    readme = sources.twins["zh"][PROJECT.readme]
    assert readme == PROJECT.root / "README.zh.md" and "中文" in PROJECT.readme.read_text(encoding="utf-8")[:600]
    assert "(notebooks/zh/01_averages_and_neighbours.ipynb)" in readme.read_text(encoding="utf-8")
    assert Path(PROJECT.root, "notebooks", "zh", "symbols.md").is_file()
