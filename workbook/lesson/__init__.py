"""Small pieces for a lesson: predict first, then look; questions that answer at once; the check of the set-up."""
from workbook.course import Course
from workbook.lesson import environment, questions


class Lessons:
    """The pieces of a course, each named by its question. The texts stand in the course's folder `lesson/texts` (see
    `workbook.lesson.questions`). ValueError with the known names for an unknown one.

    The widgets are imported only when a piece is made: the check of the set-up must run where they are missing.
    """

    def __init__(self, course: Course):
        self.course, self.texts = course, course.texts

    def predict(self, name: str):
        """A choice to commit to. Verdict and explanation wait in a fold: look at the experiment first."""
        return self._piece("Choice", questions.find(name, self.texts), "Predict",
                           "Have you looked? Open to see whether you were right, and why")

    def court(self, name: str):
        """Forum court: a claim somebody made, your verdict, the experiment, then the ruling in a fold."""
        return self._piece("Choice", questions.find(name, self.texts), "Forum court: the claim",
                           "Have you seen the experiment? Open to read the ruling")

    def predict_number(self, name: str):
        """A number to commit to, judged at once: right within its tolerance, or too high or too low."""
        return self._piece("Number", questions.find(name, self.texts), "Predict")

    def sketch(self, name: str, x, y, points=None, log: bool = False):
        """Empty axes on which to draw a prediction; then the truth y (n,) at x (n,) over it, and how far off it was.

        points: (x, y) of dots shown from the start. log: whether the horizontal axis is logarithmic.
        """
        from workbook.lesson import questions, rerun, sketch

        return rerun.replace_earlier_run(sketch.Sketch(questions.find(name, self.texts), x, y, points, log))

    def quiz(self, beginning: str):
        """The questions whose names begin so ("01-check" for 01-check-1, 01-check-2 ...), each judged at once, and a
        line that counts the right ones.
        """
        return self._piece("Quiz", questions.starting_with(beginning, self.texts))

    def claim_and_ruling(self, name: str) -> tuple[str, str]:
        """The claim of `court(name)` and the first sentence of its ruling, in plain words."""
        question = questions.find(name, self.texts)
        return questions.plain(question.text), questions.plain(question.why).split(". ")[0].rstrip(".") + "."

    def _piece(self, kind: str, *parts):
        from workbook.lesson import pieces, rerun

        return rerun.replace_earlier_run(getattr(pieces, kind)(*parts))

    def task(self, name: str, answer=...):
        """Is `answer`, a number or an array, what the task of that name asks for? `...` means: not written yet.

        The expected numbers stand with the question in the text files, never in the cell. Shape counts: (3,) is not
        (3, 1).
        """
        from workbook.lesson import pieces

        return pieces.judged(questions.find(name, self.texts), answer)

    def check_environment(self) -> None:
        """Print one line for each thing that the notebooks need, and a last line that sums up."""
        print("\n".join(environment.report(self.course)))
