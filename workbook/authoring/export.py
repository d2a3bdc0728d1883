"""The questions of the lessons, but for tasks in code: GIFT for Moodle, QTI 1.2 for Canvas, a table for polls.

A formula in a text, \\(...\\), stays one: Moodle typesets it as it is, Canvas as an image.
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
    Returns the files."""
    titles = {lesson.name[:2]: f"{lesson.name[:2]} {lesson.title}" for lesson in sources.lessons}
    titles |= {exercise.name: exercise.title for exercise in sources.exercises}
    titles |= dict(zip(course.CONCEPTS, ("Concept test, form A", "Concept test, form B")))
    quizzes: dict[str, list[Question]] = {}
    for name, question in every(course.TEXTS).items():
        quiz = next((each for each in course.CONCEPTS if name.startswith(each)), name.partition("-")[0])
        if not question.hint and len(question.numbers) < 2:         # else it is a task in code
            quizzes.setdefault(quiz, []).append(question)
    if form == "qti":
        files = {out / f"{quiz}.zip": qti(titles[quiz], asked, quiz in course.CONCEPTS)
                 for quiz, asked in quizzes.items()}
    elif form == "gift":
        files = {out: "\n".join(gift(titles[quiz], asked) for quiz, asked in quizzes.items())}
    else:
        rows = [(titles[quiz], *_row(one)) for quiz, asked in quizzes.items() for one in asked]
        files = {out: table(("notebook", "name", "question", *LETTERS[:4], "right", "explanation"), rows)}
    for path, content in files.items():
        write(path, content)
    return [*files]


def _text(question: Question) -> str:
    """The question, with what the notebook says beside its field or its axes."""
    more = IN_WORDS.format(*question.axes) if question.axes else f"(In {question.unit}.)" if question.unit else ""
    return f"{question.text}\n\n{more}".rstrip()


def _row(question: Question) -> tuple[str, ...]:
    right = LETTERS[question.right] if question.options else "".join(
        f"{number:g} ± {question.tolerance:g} {question.unit}".strip() for number in question.numbers)
    options = [*map(plain, question.options)] + [""] * (4 - len(question.options))
    return question.name, plain(_text(question)), *options, right, plain(question.why)


def gift(title: str, asked: list[Question]) -> str:
    """A category of Moodle's question bank. Its texts are HTML."""
    pieces = [f"$CATEGORY: $course$/top/{course.TITLE}/{title.replace('/', '//')}\n"]
    for one in asked:
        answers = [f"{'=' if i == one.right else '~'}{_html(option)}#{_html(remark)}"
                   for i, (option, remark) in enumerate(zip(one.options, one.remarks))]
        answers += [f"#{number}:{one.tolerance}" for number in one.numbers]
        answers = "\n".join([*answers, f"####{_html(one.why)}"])
        pieces.append(f"::{one.name}::[html]{_html(_text(one))}{{\n{answers}\n}}\n")
    return "\n".join(pieces)


def _html(text: str) -> str:
    """HTML with a backslash before what means something in GIFT, a backslash included."""
    return re.sub(r"[\\~=#{}:]", r"\\\g<0>", f"<p>{inline(text)}</p>" if text else "")


def qti(title: str, asked: list[Question], hidden: bool) -> bytes:
    """An archive with a quiz. hidden: no answers are shown, as it is asked again."""
    from text2qti.config import Config
    from text2qti.qti import QTI
    from text2qti.quiz import Quiz

    lines = [f"Quiz title: {title}", f"Show correct answers: {'false' if hidden else 'true'}"]
    for one in asked:
        lines += [f"Title: {one.name}", _item("1.", _text(one)), _item("...", one.why)]
        for i, (option, remark) in enumerate(zip(one.options, one.remarks)):
            lines += [_item(f"{'*' * (i == one.right)}{LETTERS[i].lower()})", option)]
            lines += [_item("...", remark)] if remark else []
        lines += [f"= {number} +- {one.tolerance}" for number in one.numbers] + ["____"] * bool(one.axes)
    return QTI(Quiz("\n".join(lines) + "\n", config=Config(), source_name=title)).zip_bytes()


def _item(mark: str, text: str) -> str:
    """A part of a quiz in the notation of text2qti: Markdown, with formulas in dollar signs, indented below a mark."""
    pieces = re.split(r"(`[^`]+`|\\\(.+?\\\))", text)      # at even places what is neither code nor formula
    pieces[::2] = [re.sub(r"[\\_\[$]", r"\\\g<0>", html.escape(piece, quote=False)) for piece in pieces[::2]]
    pieces[1::2] = [piece if piece[0] == "`" else f"${piece[2:-2]}$" for piece in pieces[1::2]]
    return f"{mark} " + "".join(pieces).replace("\n\n", f"\n\n{' ' * (len(mark) + 1)}")
