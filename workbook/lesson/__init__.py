"""Small pieces for a lesson: predict first, then look; questions that answer at once; the check of the set-up."""
from workbook.course import Course


class Lessons:
    """The pieces of a course, whose texts stand in its folder `lesson/texts` (see `workbook.lesson.questions`).

    The widgets are imported when a piece is asked for: the check of the set-up must run where they are missing.
    """

    def __init__(self, course: Course):
        self.course, self.texts = course, course.texts

    def find(self, name: str):
        """The question of that name. Raises ValueError with the names there are."""
        from workbook.lesson import questions

        return questions.find(name, self.texts)

    def predict(self, question: str, options=None, answer=None, why: str = ""):
        """A multiple-choice commitment. After it a fold opens on verdict and `why`: look at the experiment first.

        question: a name from the question files; or the question itself, and then options: a list of texts, or {text:
        remark}, where a remark is shown to whoever chooses that option; answer: the letter of the right option ("A"
        for the first), or its text; why: the explanation. `code`, *emphasis*, **strong** are understood in all but the
        options.
        """
        return self._choice(question, options, answer, why, "Predict",
                            "Have you looked? Open to see whether you were right, and why")

    def court(self, claim: str, options=None, answer=None, why: str = ""):
        """Forum court: a claim somebody made, your verdict, the experiment, then the ruling. Arguments as `predict`."""
        return self._choice(claim, options, answer, why, "Forum court: the claim",
                            "Have you seen the experiment? Open to read the ruling")

    def _choice(self, question, options, answer, why, title: str, waits: str):
        from workbook.lesson import pieces, questions, rerun

        question = self.find(question) if options is None else questions.make(question, options, answer, why)
        return rerun.replace_earlier_run(pieces.Choice(question, title, waits=waits))

    def predict_number(self, question: str, answer: float | None = None, tolerance: float = 0.0, why: str = "",
                       unit: str = ""):
        """A number to commit to, judged at once: right within `tolerance`, or too high or too low; `why` follows.
        `question` is a name from the question files, or the question itself with all the others.
        """
        from workbook.lesson import pieces, questions, rerun

        question = self.find(question) if answer is None else questions.Question(
            "", question, number=float(answer), unit=unit, tolerance=float(tolerance), why=why)
        return rerun.replace_earlier_run(pieces.Number(question, "Predict"))

    def quiz(self, *several):
        """Several questions, each answered at once, and a line that counts. Each is a name, the beginning of names
        ("01-check" for 01-check-1, 01-check-2 ...), or a tuple of the arguments of `predict`.
        """
        from workbook.lesson import pieces, questions, rerun

        found = []
        for one in several:
            found += questions.starting_with(one, self.texts) if isinstance(one, str) else [questions.make(*one)]
        return rerun.replace_earlier_run(pieces.Quiz(found))

    def task(self, name: str, answer=...):
        """Is `answer`, a number or an array, what the task of that name asks for? `...` means: not written yet.

        The expected numbers stand with the question in the text files, never in the cell. Shape counts: (3,) is not
        (3, 1).
        """
        from workbook.lesson import tasks

        return tasks.judged(self.find(name), answer)

    def check_environment(self) -> None:
        """Print one line for each thing that the notebooks need, and a last line that sums up."""
        from workbook.lesson import environment

        print("\n".join(environment.report(self.course)))
