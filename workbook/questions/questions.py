"""The texts of the questions in the lessons, a Markdown file for each notebook: lesson/texts/NN.md.

    ## 01-between                                    its name, which begins with that of the file

    The query lies in the middle between two keys. What does the nearest key's value do there?

    - [ ] It is the mean of both.                    an option
      That is average pooling of two.                a remark for those who choose it, indented
    - [x] It jumps.                                  the right one

    The explanation: everything after the options.

A question for a number has a line `= 1.5 ± 0.1 houses` instead of options: the answer, its tolerance (0 by default)
and its unit, if any. A task in code (`lesson.task`) may have several numbers, `= 1, 2, 3 ± 0.1`, and below them a line
`? hint`, shown after wrong answers. A question for a sketch has a line `~ width σ, error`: the names of the axes.

Below its name may stand `shows: width sigma=5 kernel="boxcar"`: a live figure, and values of its controls with which it
shows the answer.
"""
import ast
import html
import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from workbook import language
from workbook.language import say, without_claims

LETTERS = "ABCDEFGH"
VERDICTS = ("Close", "Near, in parts", "Another shape")        # on a sketch, see sketch.js
_BODY = re.compile(r"""(?P<text>(?s:.*?))^
    (?: (?P<options> (?: -[ ]\[[ x]\][ ].+\n (?:[ ]{2}.*\n)* )+ )
      | =[ ]*(?P<numbers>[-−\d.]+(?:,[ ]*[-−\d.]+)*) (?:[ ]*±[ ]*(?P<tolerance>[\d.]+))? (?:[ ]+(?P<unit>.+))?\n
        (?: \n* \?[ ](?P<hint>.+)\n )?
      | ~[ ](?P<across>.+),[ ](?P<up>.+)\n )
    (?P<why>(?s:.*))""", flags=re.MULTILINE | re.VERBOSE)
_SHOWS = re.compile(r"""^shows:(?: (?P<figure>\w+)(?P<state>(?: \w+=(?:"[^"\n]*"|[\w.-]+))+)$)?.*\n""", re.MULTILINE)
_OPTION = re.compile(r"^- \[([ x])\] (.+)\n((?:  .*\n)*)", flags=re.MULTILINE)


@dataclass(frozen=True)
class Question:
    """A question with options, their remarks and the index of the right one; or with numbers; or with axes."""

    name: str
    text: str
    why: str
    options: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    right: int = 0
    numbers: tuple[float, ...] = ()                      # of a task as many as its answer has, else one
    tolerance: float = 0.0
    unit: str = ""
    hint: str = ""
    axes: tuple[str, ...] = ()                           # of a sketch: (across, up)
    figure: str = field(default="", repr=False)          # the live figure that shows the answer; not what a cell stores
    state: tuple[tuple[str, object], ...] = field(default=(), repr=False)               # of it: (control, value)
    english: tuple[str, ...] = field(default=(), repr=False)             # of a translation: the options, as kept

    def in_words_of(self, other: "Question") -> "Question":
        """This question in the words of its translation. ValueError if that has other options, numbers or axes."""
        for part in ("right", "numbers", "tolerance", "figure", "state"):
            if getattr(self, part) != getattr(other, part):
                raise ValueError(f"question {self.name!r}, {part}: got {getattr(other, part)!r} in the translation, "
                                 f"expected {getattr(self, part)!r}")
        for part in ("options", "remarks", "axes"):
            if [*map(bool, getattr(self, part))] != [*map(bool, getattr(other, part))]:
                raise ValueError(f"question {self.name!r}: expected the same {part} in the translation, got other ones")
        return replace(other, english=self.options)

    def as_text(self) -> str:
        """The question in plain words, without its answer."""
        options = [f"  {letter}  {plain(option)}" for letter, option in zip(LETTERS, self.options)]
        return "\n".join([plain(self.text), *options, say("(Run this cell to answer.)")])

    def as_html(self, title: str, with_answer: bool = True) -> str:
        """The question as a page without a kernel shows it: the answer folded away, or left out."""
        options = [f"{letter}&emsp;{html.escape(plain(option))}" for letter, option in zip(LETTERS, self.options)]
        options = f"<p>{'<br>'.join(options)}</p>" if options else ""
        answer = LETTERS[self.right] if options else ""
        if self.numbers:
            answer = f"{self.numbers[0]:g} {html.escape(self.unit)}".strip()
        answer = f"<b>{answer}.</b> " if answer else ""
        fold = f"<details><summary>{say('Answer')}</summary><p>{answer}{inline(self.why)}</p></details>" * with_answer
        return f"<p><b>{html.escape(title)}.</b> {inline(self.text)}</p>{options}{fold}"


def find(name: str, folder: Path) -> Question:
    """The question of that name, in a folder of texts. ValueError with the known names for an unknown one."""
    questions = read(name.partition("-")[0], folder)
    if name not in questions:
        raise ValueError(f"question: got {name!r}, expected one of {', '.join(questions)}")
    return questions[name]


def starting_with(beginning: str, folder: Path) -> list[Question]:
    """All questions whose names begin so, in the order of the file. ValueError if there is none."""
    questions = read(beginning.partition("-")[0], folder)
    found = [questions[name] for name in questions if f"{name}-".startswith(f"{beginning}-")]
    if not found:
        raise ValueError(f"question: got {beginning!r}, expected the beginning of one of {', '.join(questions)}")
    return found


def every(folder: Path) -> dict[str, Question]:
    """All questions of a folder of texts, by name, in the order of its files."""
    return {name: one for path in sorted(folder.glob("*.md")) for name, one in read(path.stem, folder).items()}


def read(notebook: str, folder: Path) -> dict[str, Question]:
    """The questions of a notebook ("01") by name, in the reader's language; what is judged is as in English.

    ValueError with file and name for an incomplete text.
    """
    found = _read(notebook, folder, "en")
    if (name := language.language()) != "en":
        found = {each: found[each].in_words_of(one) for each, one in _read(notebook, folder, name).items()}
    return found


@lru_cache(maxsize=64)
def _read(notebook: str, folder: Path, name: str) -> dict[str, Question]:
    path = folder / f"{notebook}.md"
    if not path.is_file():
        there = ", ".join(sorted(file.stem for file in folder.glob("*.md")))
        raise ValueError(f"question: got the notebook {notebook!r}, expected one of {there}, as in '01-average'")
    text = without_claims(language.read(path, name))
    questions = {}
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        name, _, body = part.partition("\n")
        if name in questions or not name.startswith(notebook + "-"):
            raise ValueError(f"{path.name}: got the question {name!r}, expected a new name that begins {notebook}-")
        try:
            questions[name] = _question(name, body)
        except ValueError as error:
            raise ValueError(f"{path.name}, question {name}: {error}") from None
    return questions


def _question(name: str, body: str) -> Question:
    if shows := _SHOWS.search(body):
        if not shows["figure"]:
            raise ValueError(f"got {shows[0].strip()!r}, expected a figure and values, as in 'shows: width sigma=5'")
        state = re.findall(r"(\w+)=(\"[^\"]*\"|\S+)", shows["state"])
        return replace(_question(name, _SHOWS.sub("", body, count=1)), figure=shows["figure"],
                       state=tuple((control, ast.literal_eval(value)) for control, value in state))
    parts = _BODY.fullmatch(f"{body}\n")
    if not parts:
        raise ValueError("expected a text, then options '- [x] text', a line '= 1.5 ± 0.1 unit' or one "
                         "'~ across, up', then why")
    text, why = _paragraphs(parts["text"]), _paragraphs(parts["why"])
    if not text or not why:
        raise ValueError(f"got no {'explanation' if text else 'question'}")
    if parts["across"]:
        return Question(name, text, why, axes=(parts["across"], parts["up"]))
    if parts["numbers"]:
        return Question(name, text, why, numbers=tuple(map(float, parts["numbers"].replace("−", "-").split(","))),
                        tolerance=float(parts["tolerance"] or 0), unit=parts["unit"] or "", hint=parts["hint"] or "")
    marks, options, remarks = zip(*_OPTION.findall(parts["options"]))
    if marks.count("x") != 1 or not 2 <= len(options) <= len(LETTERS):
        raise ValueError(f"got {len(options)} options, {marks.count('x')} marked [x]; expected 2 to {len(LETTERS)} "
                         "options, one of them marked")
    return Question(name, text, why, options, tuple(map(_paragraphs, remarks)), marks.index("x"))


def _paragraphs(text: str) -> str:
    """The text with each paragraph on one line, separated by blank lines."""
    return "\n\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", text.strip()))


def inline(text: str) -> str:
    """A text as HTML: `code`, **strong**, *emphasis*, n^(power); a blank line begins a new paragraph."""
    pieces = re.split(r"(`[^`]+`)", html.escape(text, quote=False))
    for i, piece in enumerate(pieces):
        if i % 2:
            pieces[i] = f"<code>{piece[1:-1]}</code>"
        else:
            piece = re.sub(r"\*\*(\S(?:.*?\S)?)\*\*", r"<b>\1</b>", piece)
            pieces[i] = re.sub(r"(?<![\w*])\*(\S(?:[^*]*?\S)?)\*(?![\w*])", r"<i>\1</i>", piece, flags=re.ASCII)
            pieces[i] = re.sub(r"\^\(((?:[^()]|\([^()]*\))+)\)", r"<sup>\1</sup>", pieces[i])
    return "".join(pieces).replace("\n\n", "</p><p>")


def plain(text: str) -> str:
    """A text without its markup, in one paragraph."""
    return html.unescape(re.sub(r"<[^>]+>|\0", "", inline(text.replace("\n\n", " ").replace("^(", "^\0("))))
