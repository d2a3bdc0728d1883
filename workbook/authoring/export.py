"""The questions of the lessons, for a platform: GIFT for Moodle, QTI 1.2 for Canvas, a table for polls.

A formula in a text, \\(...\\), stays one: Moodle typesets it as it is, Canvas as an image. Tasks in code stay out.
"""
import html
import re
from pathlib import Path

from workbook import course
from workbook.authoring.build import Sources
from workbook.files import write
from workbook.grading.tables import table
from workbook.questions.questions import LETTERS, Question, every, inline, plain

IN_WORDS = "Describe in words the line that you expect: from left to right {}, upwards {}."       # in place of a sketch


def export(sources: Sources, form: str, out: Path) -> list[Path]:
    """Write all questions, "gift" or "csv" into the file `out`, "qti" into a folder, an archive for each notebook.

    Returns the files.
    """
    titles = {lesson.name[:2]: f"{lesson.name[:2]} {lesson.title}" for lesson in sources.lessons}
    titles |= {exercise.name: exercise.title for exercise in sources.exercises}
    titles |= dict(zip(course.CONCEPTS, ("Concept test, form A", "Concept test, form B")))
    quizzes: dict[str, list[Question]] = {}
    for name, question in every(course.TEXTS).items():
        quiz = next((each for each in course.CONCEPTS if name.startswith(each)), name.partition("-")[0])
        if not question.hint and len(question.numbers) < 2:         # else it is a task in code
            quizzes.setdefault(quiz, []).append(question)
    if form == "qti":
        files = {out / f"{quiz}.zip": _qti(titles[quiz], asked, quiz) for quiz, asked in quizzes.items()}
    elif form == "gift":
        files = {out: "\n".join(_gift(titles[quiz], asked) for quiz, asked in quizzes.items())}
    else:
        files = {out: _csv(titles, quizzes)}
    for path, content in files.items():
        write(path, content)
    return [*files]


def _text(question: Question) -> str:
    """The question, with what the notebook says beside its field or its axes."""
    more = IN_WORDS.format(*question.axes) if question.axes else f"(In {question.unit}.)" if question.unit else ""
    return f"{question.text}\n\n{more}".rstrip()


def _gift(title: str, asked: list[Question]) -> str:
    """A category of Moodle's question bank. Its texts are HTML."""
    category = f"$course$/top/{course.TITLE}/{title.replace('/', '//')}"
    return f"$CATEGORY: {category}\n\n" + "\n".join(map(_gift_of_one, asked))


def _gift_of_one(question: Question) -> str:
    if question.options:
        remarks = [f"#{_html(remark)}" if remark else "" for remark in question.remarks]
        answers = [f"{'=' if i == question.right else '~'}{_html(option)}{remarks[i]}"
                   for i, option in enumerate(question.options)]
    else:
        answers = [f"#{number}:{question.tolerance}" for number in question.numbers]
    lines = "\n".join([*answers, f"####{_html(question.why)}"])
    return f"::{_escaped(question.name)}::[html]{_html(_text(question))}{{\n{lines}\n}}\n"


def _html(text: str) -> str:
    return _escaped(f"<p>{inline(text)}</p>")


def _escaped(text: str) -> str:
    """The text with a backslash before what means something in GIFT, and for a backslash itself two."""
    return re.sub(r"[\\~=#{}:]", r"\\\g<0>", text)


def _qti(title: str, asked: list[Question], quiz: str) -> bytes:
    """An archive with a quiz. The answers of the concept test are not shown: it is asked again."""
    from text2qti.config import Config
    from text2qti.qti import QTI
    from text2qti.quiz import Quiz

    text = [f"Quiz title: {title}", f"Show correct answers: {str(quiz not in course.CONCEPTS).lower()}"]
    for question in asked:
        text += [f"Title: {question.name}", _item("1.", _text(question)), _item("...", question.why)]
        for i, (option, remark) in enumerate(zip(question.options, question.remarks)):
            text += [_item(f"{'*' * (i == question.right)}{LETTERS[i].lower()})", option)]
            text += [_item("...", remark)] if remark else []
        text += [f"= {number} +- {question.tolerance}" for number in question.numbers]
        text += ["____"] if question.axes else []
    return QTI(Quiz("\n".join(text) + "\n", config=Config(), source_name=title)).zip_bytes()


def _item(mark: str, text: str) -> str:
    """A part of a quiz in the notation of text2qti: Markdown, with formulas in dollar signs, indented below a mark."""
    pieces = re.split(r"(`[^`]+`|\\\(.+?\\\))", text)      # at even places what is neither code nor formula
    pieces[::2] = [re.sub(r"[\\_\[$]", r"\\\g<0>", html.escape(piece, quote=False)) for piece in pieces[::2]]
    pieces[1::2] = [piece if piece[0] == "`" else f"${piece[2:-2]}$" for piece in pieces[1::2]]
    return f"{mark} " + "".join(pieces).replace("\n\n", f"\n\n{' ' * (len(mark) + 1)}")


def _csv(titles: dict[str, str], quizzes: dict[str, list[Question]]) -> str:
    """A row for each question, in plain text."""
    most = max(len(one.options) for asked in quizzes.values() for one in asked)
    rows = []
    for quiz, asked in quizzes.items():
        for one in asked:
            right = LETTERS[one.right] if one.options else ""
            if one.numbers:
                right = f"{one.numbers[0]:g} ± {one.tolerance:g} {one.unit}".strip()
            options = [*map(plain, one.options)] + [""] * (most - len(one.options))
            rows.append((titles[quiz], one.name, plain(_text(one)), *options, right, plain(one.why)))
    return table(("notebook", "name", "question", *LETTERS[:most], "right", "explanation"), rows)
