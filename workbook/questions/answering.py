"""The live figure that answers a question: it takes the state that the question's text names."""
from workbook import course, pictures
from workbook.questions.questions import Question
from workbook.questions.widgets import still_open


def let_figure_answer(question: Question) -> dict[str, str]:
    """Set the latest open figure of the question's kind that has all controls of its state: {"above": its CSS class}.

    {"picture": HTML} of that state if there is none.
    """
    state = dict(question.state)
    for figure in still_open():
        scene = getattr(figure, "scene", None)
        if type(scene).__module__.endswith(f".{question.figure}") and state.keys() <= figure.state.keys():
            figure.set(**state)
            figure.found_by = f"wb-figure-{figure.model_id}"
            return {"above": figure.found_by}
    figure = getattr(course.module("explore"), question.figure)(**state)
    sentence = figure.sentence_html
    picture = pictures.html(figure.camera.png(), figure.scene.label, beside=sentence)
    figure.close()
    return {"picture": picture}
