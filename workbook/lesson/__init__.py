"""What lessons call: questions to predict, tasks, quizzes, and the check of the set-up.

    lesson.predict("01-between")                     # choose an option; the explanation is folded away
    lesson.predict_number("01-average")              # type a number, which is judged at once
    lesson.sketch("01-jump", x, y)                   # draw a line, then see the truth (x, y)
    lesson.court("02-half-and-minus")                # judge a claim; the ruling is folded away
    lesson.case(figure, "14-sparse")                 # the ruling below the figure of the experiment
    lesson.task("01-nearest", mine)                  # check the result of a line of code
    lesson.quiz("01-check")                          # all questions whose names begin so, judged at once
    lesson.concept_test("concepts-a")                # the questions that are asked before and after all lessons

The texts are in lesson/texts/NN.md, in the format of `workbook.questions.questions`. In a code cell, readers would see
the answer above its question.

All of it works by mouse and by keyboard (Tab, then Space). Without a kernel it shows a question with its answer folded
away. ValueError with the known names for an unknown one. ipywidgets are imported only when a question is shown, as the
check of the set-up must run without them.
"""
import re

from workbook import course, pictures
from workbook.language import say
from workbook.questions import environment, kept, questions

__all__ = ["case", "check_environment", "concept_test", "court", "predict", "predict_number", "quiz", "sketch", "task"]

kept.home()                             # answers are kept there


def predict(name: str):
    """A choice between options. Verdict and explanation are in a fold, for after the experiment."""
    return _ask([questions.find(name, course.TEXTS)], say("Predict"),
                say("Have you looked? Open to see whether you were right, and why"))


def court(name: str):
    """Forum court: somebody's claim, and verdicts to choose from. The ruling is in a fold, for after the experiment."""
    return _ask([questions.find(name, course.TEXTS)], say("Forum court: the claim"),
                say("Have you seen the experiment? Open to read the ruling"))


def predict_number(name: str):
    """A number to type, judged at once: right within its tolerance, too high, or too low."""
    return _ask([questions.find(name, course.TEXTS)], say("Predict"))


def sketch(name: str, x, y, points=None, log: bool = False):
    """Empty axes on which to draw a prediction, which is then compared with the truth y (n,) at x (n,).

    points: (x, y) of dots shown from the start. log: whether the horizontal axis is logarithmic.
    """
    from workbook.questions import sketch, widgets

    return widgets.replace_earlier_run(sketch.Sketch(questions.find(name, course.TEXTS), x, y, points, log))


def quiz(beginning: str):
    """The questions whose names begin so ("01-check": 01-check-1, 01-check-2 ...), judged at once, with a count."""
    return _ask(questions.starting_with(beginning, course.TEXTS))


def concept_test(form: str):
    """The concept test in a fold: "concepts-a" without verdicts, before 00; "concepts-b" with folded ones, after 11."""
    asked = questions.starting_with(form, course.TEXTS)
    if form == course.CONCEPTS[0]:
        return _ask(asked, waits=None, fold=say("{n} questions in everyday words, if your teacher asks for them",
                                                n=len(asked)))
    return _ask(asked, waits=say("Have you answered all? Open to see whether you were right, and why"),
                fold=say("At the end of the road: {n} questions, like those before it", n=len(asked)))


def _ask(asked: list, title: str = "", waits: str | None = "", fold: str = ""):
    from workbook.questions import pieces, widgets

    return widgets.replace_earlier_run(pieces.Questions(asked, title, waits, fold))


def task(name: str, answer=...):
    """Is `answer`, a number or an array of the expected shape, right? `...` means that it is not written yet."""
    from workbook.questions import pieces

    return pieces.judged(questions.find(name, course.TEXTS), answer)


def check_environment() -> None:
    """Print one line for each thing that the notebooks need, and a last line that sums up."""
    print("\n".join(environment.report()))


def case(figure, name: str) -> None:
    """Write the first sentence of the ruling of `court(name)` below a figure."""
    ruling = questions.plain(questions.find(name, course.TEXTS).why)
    ruling = re.split(r"(?<=\. )|(?<=。)", ruling)[0].strip()
    figure.supxlabel(ruling, x=0.01, ha="left", weight="bold", wrap=True)
    figure.set_label(pictures.plain(f"{pictures.in_words(figure)} {ruling}"))
