"""The texts of the questions in the lessons, one Markdown file a notebook: lesson/texts/NN.md of the course.

    ## 01-between                                    the name; its first part is the file

    The query lies in the middle between two keys. What does the nearest key's value do there?

    - [ ] It is the mean of both.                    an option
      That is average pooling of two.                its remark, indented: shown to whoever chooses it
    - [x] It jumps.                                  the right one

    The explanation: everything after the options.

A question for a number has a line `= 1.5 ± 0.1 houses` instead of options: the answer, how far off is still right
(0 if left out) and the unit (if any). A small task in code (`lesson.task`) may have several numbers, `= 1, 2, 3 ± 0.1`,
and a line `? hint` for whoever has not got them yet.
"""
import html
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

LETTERS = "ABCDEFGH"
_NUMBER = re.compile(r"=\s*(?P<answer>[-−]?[\d.]+(?:,\s*[-−]?[\d.]+)*)"
                     r"(?:\s*±\s*(?P<tolerance>[\d.]+))?(?:\s+(?P<unit>.+))?$")


@dataclass(frozen=True)
class Question:
    """A question with options and the index of the right one, or with a number, how far off is right, and its unit."""

    name: str
    text: str
    options: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    right: int = 0
    number: float | None = None
    tolerance: float = 0.0
    unit: str = ""
    why: str = ""
    numbers: tuple[float, ...] = ()  # of a task: all that are asked for
    hint: str = ""

    def as_text(self) -> str:
        """The question in plain words, without its answer."""
        options = [f"  {letter}  {plain(option)}" for letter, option in zip(LETTERS, self.options)]
        return "\n".join([plain(self.text), *options, "(Run this cell to answer.)"])

    def as_html(self, title: str = "") -> str:
        """The question as a page without a kernel shows it: the answer folded away."""
        options = [f"{letter}&emsp;{html.escape(plain(option))}" for letter, option in zip(LETTERS, self.options)]
        options = f"<p>{'<br>'.join(options)}</p>" if options else ""
        answer = LETTERS[self.right] if self.options else f"{self.number:g} {html.escape(self.unit)}".strip()
        title = f"<b>{html.escape(title)}.</b> " if title else ""
        return (f"<p>{title}{inline(self.text)}</p>{options}"
                f"<details><summary>Answer</summary><p><b>{answer}.</b> {inline(self.why)}</p></details>")


def make(text: str, options, answer, why: str = "", name: str = "") -> Question:
    """A question with options, a list of texts or {text: remark}; answer: the right one's letter, or its text."""
    remarks = dict(options) if isinstance(options, dict) else dict.fromkeys(options, "")
    texts = tuple(remarks)
    if not 2 <= len(texts) <= len(LETTERS):
        raise ValueError(f"options: got {len(texts)}, expected 2 to {len(LETTERS)} different ones")
    if answer in texts:
        right = texts.index(answer)
    elif isinstance(answer, str) and len(answer) == 1 and answer.upper() in LETTERS[:len(texts)]:
        right = LETTERS.index(answer.upper())
    else:
        letters = ", ".join(LETTERS[:len(texts)])
        raise ValueError(f"answer: got {answer!r}, expected one of {letters}, or an option's text")
    return Question(name, text, texts, tuple(remarks.values()), right, why=why)


def find(name: str, folder: Path) -> Question:
    """The question of that name, in a folder of texts. Raises ValueError with the names there are."""
    questions = read(name.partition("-")[0], folder)
    if name not in questions:
        raise ValueError(f"question: got {name!r}, expected one of {', '.join(questions)}")
    return questions[name]


def starting_with(beginning: str, folder: Path) -> list[Question]:
    """All questions whose name begins so, in the order of their file. Raises ValueError if there is none."""
    questions = read(beginning.partition("-")[0], folder)
    found = [q for name, q in questions.items() if name == beginning or name.startswith(beginning + "-")]
    if not found:
        raise ValueError(f"question: got {beginning!r}, expected the beginning of one of {', '.join(questions)}")
    return found


@lru_cache(maxsize=32)
def read(notebook: str, folder: Path) -> dict[str, Question]:
    """The questions of a notebook, "01", by name. Raises ValueError with file and name where a text is not complete."""
    path = folder / f"{notebook}.md"
    if not path.is_file():
        there = ", ".join(sorted(file.stem for file in folder.glob("*.md")))
        raise ValueError(f"question: got the notebook {notebook!r}, expected one of {there}, as in '01-average'")
    questions = {}
    for part in re.split(r"^## ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        name, body = (text.strip() for text in part.partition("\n")[::2])
        if name in questions or not name.startswith(notebook + "-"):
            raise ValueError(f"{path.name}: got the question {name!r}, expected a new name that begins {notebook}-")
        try:
            questions[name] = _question(name, body)
        except ValueError as error:
            raise ValueError(f"{path.name}, question {name}: {error}") from None
    return questions


def _question(name: str, body: str) -> Question:
    text, options, answers, why, number, hint = [], [], [], [], None, ""
    for line in re.sub(r"^% claim: .*\n", "", body, flags=re.MULTILINE).splitlines():  # a mark for the build
        option = re.match(r"- \[([ x])\] (.+)", line)
        if option:
            options.append([option[2].strip(), []])
            answers += [len(options) - 1] if option[1] == "x" else []
        elif line.startswith("= "):
            number = _NUMBER.match(line.strip())
            if not number:
                raise ValueError(f"got {line.strip()!r}, expected '= 1.5 ± 0.1 unit'")
        elif number and line.startswith("? "):
            hint = line[2:].strip()
        elif options and line.startswith("  ") and not why:
            options[-1][1].append(line.strip())
        else:
            (why if options or number else text).append(line)
    text, why = _joined(text), _joined(why)
    if not text or not why:
        raise ValueError(f"got no {'explanation' if text else 'question'}")
    if number:
        numbers = tuple(read_number(part) for part in number["answer"].split(","))
        return Question(name, text, number=numbers[0], tolerance=float(number["tolerance"] or 0),
                        unit=number["unit"] or "", why=why, numbers=numbers, hint=hint)
    if len(answers) != 1:
        raise ValueError(f"got {len(answers)} options marked [x], expected one")
    return make(text, {option: " ".join(remark) for option, remark in options}, LETTERS[answers[0]], why, name)


def _joined(lines: list[str]) -> str:
    """Lines as one text; a blank line between paragraphs stays."""
    return "\n\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", "\n".join(lines).strip()))


def inline(text: str) -> str:
    """A text as HTML: `code`, **strong**, *emphasis*; a blank line begins a new paragraph."""
    pieces = re.split(r"(`[^`]+`)", html.escape(text, quote=False))
    for i, piece in enumerate(pieces):
        if i % 2:
            pieces[i] = f"<code>{piece[1:-1]}</code>"
        else:
            piece = re.sub(r"\*\*(\S(?:.*?\S)?)\*\*", r"<b>\1</b>", piece)
            pieces[i] = re.sub(r"(?<![\w*])\*(\S(?:[^*]*?\S)?)\*(?![\w*])", r"<i>\1</i>", piece)
    return "".join(pieces).replace("\n\n", "</p><p>")


def plain(text: str) -> str:
    """A text without its marks."""
    return html.unescape(re.sub(r"<[^>]+>", "", inline(text)))


def read_number(text: str) -> float:
    """A number as people type it: a comma for a point, a minus sign, a fraction 1/3. Raises a kind ValueError."""
    typed = text.strip().replace(",", ".").replace("−", "-")
    try:
        top, slash, bottom = typed.partition("/")
        number = float(top) / float(bottom) if slash else float(top)
    except (ValueError, ZeroDivisionError):
        number = float("nan")
    if not abs(number) < float("inf"):
        raise ValueError(f"Type a number, like 2.5 or 1/3. This is not one: {text.strip()!r}." if text.strip()
                         else "Type a number first, like 2.5 or 1/3.")
    return number
