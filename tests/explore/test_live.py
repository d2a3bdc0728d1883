"""The engine: which frames are sent, and when."""
from concurrent.futures import ThreadPoolExecutor

import pytest

from workbook.figures import controls as make
from workbook.figures.live import Explorer, Layout, Scene


class Dot(Scene):
    """One dot that moves: the smallest scene there is."""

    label = "a dot"
    keys, keyed = ("ArrowLeft", "ArrowRight"), "x"
    controls = {"x": lambda _: make.slider("x", 0.5, 0.0, 1.0, 0.01),
                "mark": lambda _: make.dropdown("mark", ["a", "b"], "a")}
    presets = {"left": {"x": 0.1}}
    layouts = (Layout(("dot",), (1,), (1,), height=200), Layout(("dot note",), (2, 1), (1,), height=150, room=700))

    def __init__(self):
        super().__init__()
        self.panels["dot"].set(xlim=(0, 1), ylim=(0, 1))
        self.updates = 0

    def update(self, state):
        self.updates += 1
        if state["x"] > 0.95:
            raise ValueError("x: got <too much>, expected less")
        self.dot = self.panels["dot"].marks("dot", [state["x"]], [0.5], "black", 6)
        if self.changed("mark", state["mark"]):
            self.panels["dot"].set_title(state["mark"])
        return f"The dot is at <b>{state['x']:.2f}</b> &amp; {state['mark']}."


@pytest.fixture
def figure():
    return Explorer(Dot())


@pytest.fixture
def sent(figure, monkeypatch):
    """The frames sent to the page, as (message, bytes) pairs."""
    messages = []
    monkeypatch.setattr(figure.frames, "send", lambda message, buffers=(): message["type"] == "frames" and
                        messages.append((message, buffers)))
    return messages


def ready(figure, width=600, ratio=1.0):
    figure.hear({"type": "ready", "width": width, "ratio": ratio})


def test_the_first_message_brings_everything_and_the_next_only_what_changed(figure, sent):
    ready(figure)
    first, (held,) = sent[0]
    assert (first["width"], first["height"], first["clear"], first["now"]) == (600, 200, "all", True)
    assert {"background", "item", "text"} <= {each["kind"] for each in first["news"]}
    assert len(held) == sum(each["bytes"] for each in first["news"])
    (key, (background, items, words)), = first["frames"].items()
    figure.set(x=0.8)
    second, _ = sent[-1]
    (other, (same, moved, others)), = second["frames"].items()
    assert other != key and same == background and moved != items and others != words
    assert "background" not in {each["kind"] for each in second["news"]} and second["clear"] == ""
    figure.set(x=0.5)
    assert len(sent) == 2, "the page has that frame, and paints it without being asked"
    figure.set(mark="b")
    assert "background" in {each["kind"] for each in sent[-1][0]["news"]}, "the title is another"


def test_no_frame_is_sent_or_computed_while_four_are_under_way(figure, sent):
    ready(figure)
    for i in range(20):
        figure.set(x=0.02 * i)
    assert [message["id"] for message, _ in sent] == [1, 2, 3, 4] and figure.scene.updates == 4
    figure.hear({"type": "painted"})
    assert len(sent) == 5 and figure.scene.updates == 5, "the states in between are skipped, the last is shown"
    assert figure.scene.dot.get_xdata()[0] == 0.38
    figure.hear({"type": "painted"})
    assert len(sent) == 5, "nothing changed, so nothing is sent"


def test_a_page_that_reloads_gets_a_whole_frame_at_its_own_size(figure, sent):
    ready(figure)
    for i in range(20):
        figure.set(x=0.02 * i)
    ready(figure, width=900, ratio=2.0)                 # the page that should have said "painted" is gone
    message, count = sent[-1][0], len(sent)
    assert (message["width"], message["height"], message["ratio"], message["clear"]) == (1800, 300, 2.0, "all")
    figure.set(x=0.5)
    assert len(sent) == count + 1


def test_nothing_else_is_drawn_while_the_stored_picture_is_painted(figure, monkeypatch):
    """The page, which may call on another thread, waits."""
    paint, free = figure.camera.png, []
    with ThreadPoolExecutor(1) as page:
        def png():
            free.append(page.submit(lambda: figure.lock.acquire(blocking=False) and not figure.lock.release()).result())
            return paint()

        monkeypatch.setattr(figure.camera, "png", png)
        figure._repr_mimebundle_()
    assert free == [False]


def test_several_controls_are_drawn_once_and_what_cannot_be_shown_is_said(figure, sent):
    ready(figure)
    figure.set(x=0.2, mark="b")
    assert len(sent) == 2 and figure.sentence == "The dot is at 0.20 & b."
    figure.set(x=0.99)
    assert figure.sentence == "This cannot be shown: x: got <too much>, expected less"
