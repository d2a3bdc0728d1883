"""Small pieces for a lesson: predict first, then look; questions that answer at once; the check of the set-up.

    lesson.predict("01-between")                     # commit to an option; the explanation waits until you have looked
    lesson.predict_number("01-average")              # the same with a number, judged at once
    lesson.sketch("01-jump", x, y)                   # a line drawn over empty axes, then the truth (x, y) over it
    lesson.court("02-half-and-minus")                # a claim, your verdict; the ruling waits until you have looked
    lesson.case(figure, "14-sparse")                 # the claim above the figure of its experiment, the ruling below
    lesson.task("01-nearest", mine)                  # a line of code that you wrote: is its result right?
    lesson.quiz("01-check")                          # every question whose name begins so, answered at once

The texts stand in lesson/texts/NN.md (see `workbook.lesson.questions`), not in the code cell: a reader would see the
answer above its question, and an edition in another language can keep every code cell. Your own questions go there too.

Each works by mouse and by keyboard (Tab, then Space). Without a kernel it is a question with its answer folded away.
"""
import textwrap

from nwlab.course import COURSE
from workbook import pictures
from workbook.lesson import Lessons

_pieces = Lessons(COURSE)
check_environment, court, predict, predict_number, quiz, sketch, task = (
    _pieces.check_environment, _pieces.court, _pieces.predict, _pieces.predict_number, _pieces.quiz, _pieces.sketch,
    _pieces.task)


def case(figure, name: str) -> None:
    """Write the claim of `court(name)` above the figure of its experiment, and the ruling's first sentence below."""
    claim, ruling = _pieces.claim_and_ruling(name)
    claim = textwrap.fill(claim, int(13 * figure.get_figwidth()))
    figure.suptitle(claim, x=0.01, ha="left", fontsize=11, style="italic")
    figure.supxlabel(ruling, x=0.99, ha="right", fontsize=11, weight="bold")
    figure.set_label(pictures.plain(f"{claim} {pictures.in_words(figure)} {ruling}"))


__all__ = ["case", "check_environment", "court", "predict", "predict_number", "quiz", "sketch", "task"]
