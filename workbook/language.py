"""The language of what readers see: English, or a translation for as long as it says what the English says today.

A translated text lies in a folder zh beside the English one and has the same name. It consists of pieces, each below a
line `% of 3f2a9c1d KEY`: the key of the English piece, and its `stamp` when it was translated. In place of a piece that
is missing, or whose English has changed since, readers see the English.

Strings in code stand in `say("House {most} counts most", most=name)`. Babel collects them in zh/workbook.po, where they
are translated, and `build` compiles that into zh/workbook.mo.
"""
import gettext
import hashlib
import io
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

NAMES = {"en": "English", "zh": "中文"}
FOLDER = Path(__file__).parent
_STAMP = re.compile(r"^% of ([0-9a-f]{8}) (.+)\n", re.MULTILINE)
_SAID = re.compile(r'(?<=\btranslate\()"(?:[^"\\]|\\.)*"')   # in JavaScript, also within `${...}`
VARIABLE = "NWLAB_LANGUAGE"              # of the environment
_chosen: list[str] = []


def language() -> str:
    """The language of this process: NWLAB_LANGUAGE of the environment, else that of the folder in which it began.

    ValueError if NWLAB_LANGUAGE names another language.
    """
    if not _chosen:
        asked = os.environ.get(VARIABLE, "")
        name = re.split("[-_.]", asked or Path.cwd().name)[0] if asked or Path.cwd().name in NAMES else "en"
        if name not in NAMES:
            raise ValueError(f"{VARIABLE}: got {asked!r}, expected {' or '.join(NAMES)}")
        _chosen.append(name)
    return _chosen[-1]


@contextmanager
def speaking(name: str) -> Iterator[None]:
    """Another language for a while; what was made at import stays as it is."""
    language()
    _chosen.append(name)
    try:
        yield
    finally:
        _chosen.pop()


def say(text: str, **places) -> str:
    """The text in this language, with its {places} filled."""
    words = _words(language()).gettext(text) if text else text
    return words.format(**places) if places else words


def say_count(one: str, more: str, n: int, **places) -> str:
    """One of two texts, for 1 and for any other n, in this language, with {n} and its other {places} filled."""
    return _words(language()).ngettext(one, more, n).format(n=n, **places)


def joined(*sentences: str) -> str:
    """The sentences that are not empty, one after the other: in Chinese no space follows a full stop."""
    return ("" if language() == "zh" else " ").join(filter(None, sentences))


@cache
def _words(name: str) -> gettext.NullTranslations:
    file = FOLDER / name / "workbook.mo"
    return gettext.GNUTranslations(io.BytesIO(file.read_bytes())) if file.is_file() else gettext.NullTranslations()


def program(text: str) -> str:
    """A program in JavaScript, with the words of its `translate("...")` in this language."""
    function = (FOLDER / "translate.js").read_text(encoding="utf-8")
    return function + _SAID.sub(lambda found: json.dumps(say(json.loads(found[0])), ensure_ascii=False), text)


def said_in(text: str) -> list[str]:
    """The words that `program` translates."""
    return [json.loads(words) for words in _SAID.findall(text)]


def stamp(text: str) -> str:
    """Eight letters that change with the words of a text, but not with its white space and its marks of claims."""
    return hashlib.sha256(" ".join(without_claims(text).split()).encode()).hexdigest()[:8]


def without_claims(text: str) -> str:
    """A text without its lines `% claim: ...`, which are for the tests of the claims."""
    return re.sub(r"^% claim: .*\n?", "", text, flags=re.MULTILINE)


def pieces(text: str) -> list[tuple[str, str]]:
    """(key, piece) for each heading ## and ### with the text below it; the key of a ### begins with that of its ##."""
    found, above = [("", "")], ""
    for piece in re.split(r"^(?=#{2,3} )", text, flags=re.MULTILINE):
        marks, _, heading = piece.partition("\n")[0].partition(" ")
        above = heading if marks == "##" else above
        key = {"##": heading, "###": f"{above} | {heading}"}.get(marks, "start")
        found.append((key, piece))
    return found[1:]


def translations(path: Path) -> dict[str, tuple[str, str]]:
    """Key -> (stamp, text) of a translated file; none where there is no such file."""
    _, *parts = _STAMP.split(path.read_text(encoding="utf-8") if path.is_file() else "")
    return {key: (of, text.strip("\n")) for of, key, text in zip(parts[::3], parts[1::3], parts[2::3])}


def twin(path: Path, name: str) -> Path:
    """Where the translation of a file lies."""
    return path.parent / name / path.name


def read(path: Path, name: str = "") -> str:
    """The text of a file, with the pieces that are translated into this language, by default that of the process."""
    return in_place(path.read_text(encoding="utf-8"), twin(path, name or language()))


def of_today(english: dict[str, str], path: Path) -> dict[str, str]:
    """Key -> translated text, for each piece of the English, key -> text, whose translation in `path` is of today."""
    there = translations(path)
    return {key: there[key][1] for key, text in english.items() if key in there and there[key][0] == stamp(text)}


def in_place(text: str, path: Path) -> str:
    """An English text with the pieces that a translated file has of today's English in place of the English ones."""
    found = pieces(text)
    now = of_today(dict(found), path)
    return "".join(f"{now[key]}\n\n" if key in now else piece for key, piece in found)


def stale(english: dict[str, str], path: Path) -> Iterator[tuple[str, str]]:
    """(key, what is wrong) for each piece of the English, key -> text, whose translation in `path` is not of today."""
    there = translations(path)
    for key, text in english.items():
        if key not in there:
            yield key, f"is not translated; its line says % of {stamp(text)}"
        elif there[key][0] != stamp(text):
            yield key, f"has changed in English; when it is translated anew, its line says % of {stamp(text)}"
    for key in there.keys() - english.keys():
        yield key, "is not in the English any more"
