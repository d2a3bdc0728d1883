"""Small pieces for a lesson: predict first, then look; questions that answer at once; the check of the set-up.

    lesson.predict("01-between")                     # commit to an option; the explanation waits until you have looked
    lesson.predict_number("01-average")              # the same with a number, judged at once
    lesson.sketch("01-jump", x, y)                   # a line drawn over empty axes, then the truth (x, y) over it
    lesson.court("02-half-and-minus")                # a claim, your verdict; the ruling waits until you have looked
    lesson.case(figure, "14-sparse")                 # the claim above the figure of its experiment, the ruling below
    lesson.task("01-nearest", mine)                  # a line of code that you wrote: is its result right?
    lesson.quiz("01-check")                          # every question whose name begins so, answered at once

The texts stand in lesson/texts/NN.md (see `workbook.questions.texts`), not in the code cell: a reader would see the
answer above its question, and an edition in another language can keep every code cell. Your own questions go there too.

Each works by mouse and by keyboard (Tab, then Space). Without a kernel it is a question with its answer folded away.
ValueError with the known names for a name that no question has.

The widgets are imported only when a piece is made: the check of the set-up must run where they are missing.
"""
import textwrap

from workbook import course, pictures
from workbook.questions import environment, questions

__all__ = ["case", "check_environment", "court", "predict", "predict_number", "quiz", "sketch", "task"]


def predict(name: str):
    """A choice to commit to. Verdict and explanation wait in a fold: look at the experiment first."""
    return _piece("Choice", questions.find(name, course.TEXTS), "Predict",
                  "Have you looked? Open to see whether you were right, and why")


def court(name: str):
    """Forum court: a claim somebody made, your verdict, the experiment, then the ruling in a fold."""
    return _piece("Choice", questions.find(name, course.TEXTS), "Forum court: the claim",
                  "Have you seen the experiment? Open to read the ruling")


def predict_number(name: str):
    """A number to commit to, judged at once: right within its tolerance, or too high or too low."""
    return _piece("Number", questions.find(name, course.TEXTS), "Predict")


def sketch(name: str, x, y, points=None, log: bool = False):
    """Empty axes on which to draw a prediction; then the truth y (n,) at x (n,) over it, and how far off it was.

    points: (x, y) of dots shown from the start. log: whether the horizontal axis is logarithmic.
    """
    from workbook.questions import rerun, sketch

    return rerun.replace_earlier_run(sketch.Sketch(questions.find(name, course.TEXTS), x, y, points, log))


def quiz(beginning: str):
    """The questions whose names begin so ("01-check" for 01-check-1, 01-check-2 ...), each judged at once, and a
    line that counts the right ones.
    """
    return _piece("Quiz", questions.starting_with(beginning, course.TEXTS))


def _piece(kind: str, *parts):
    from workbook.questions import pieces, rerun

    return rerun.replace_earlier_run(getattr(pieces, kind)(*parts))


def task(name: str, answer=...):
    """Is `answer`, a number or an array, what the task of that name asks for? `...` means: not written yet.

    The expected numbers stand with the question in the text files, never in the cell. Shape counts: (3,) is not
    (3, 1).
    """
    from workbook.questions import pieces

    return pieces.judged(questions.find(name, course.TEXTS), answer)


def check_environment() -> None:
    """Print one line for each thing that the notebooks need, and a last line that sums up."""
    print("\n".join(environment.report()))


def claim_and_ruling(name: str) -> tuple[str, str]:
    """The claim of `court(name)` and the first sentence of its ruling, in plain words."""
    question = questions.find(name, course.TEXTS)
    return questions.plain(question.text), questions.plain(question.why).split(". ")[0].rstrip(".") + "."


def case(figure, name: str) -> None:
    """Write the claim of `court(name)` above the figure of its experiment, and the ruling's first sentence below."""
    claim, ruling = claim_and_ruling(name)
    claim = textwrap.fill(claim, int(13 * figure.get_figwidth()))
    figure.suptitle(claim, x=0.01, ha="left", fontsize=11, style="italic")
    figure.supxlabel(ruling, x=0.99, ha="right", fontsize=11, weight="bold")
    figure.set_label(pictures.plain(f"{claim} {pictures.in_words(figure)} {ruling}"))
