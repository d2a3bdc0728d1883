"""The engine: layouts, frames and their order, what the page says, what a cell leaves in its output."""
import numpy as np
import pytest

from workbook.figures import controls as make
from workbook.figures.live import Explorer, Layout, Scene


class Dot(Scene):
    """One dot that moves: the smallest scene there is."""

    label = "a dot"
    keys = ("ArrowRight",)
    layouts = (Layout(("dot",), (1,), (1,), height=200), Layout(("dot note",), (2, 1), (1,), height=150, room=700))

    def __init__(self):
        super().__init__()
        self.panels["dot"].set(xlim=(0, 1), ylim=(0, 1))
        self.dot, = self.panels["dot"].plot([0.5], [0.5], "o")
        self.move(self.dot)
        self.updates = 0

    def update(self, state):
        self.updates += 1
        if state["x"] > 0.95:
            raise ValueError("x: got <too much>, expected less")
        self.dot.set_data([state["x"]], [0.5])
        return f"The dot is at <b>{state['x']:.2f}</b> &amp; {state['mark']}."

    def dragged(self, panel, x, y, state):
        return {"x": x} if panel == "dot" else None

    def typed(self, key, state):
        return {"x": state["x"] + 0.1}


@pytest.fixture
def figure():
    slider = make.slider("x", 0.5, 0.0, 1.0, 0.01)
    return Explorer(Dot(), {"x": slider}, presets={"left": {"x": 0.1}}, hidden={"mark": "a"})


@pytest.fixture
def sent(figure, monkeypatch):
    """What goes to the page, as (message, picture) pairs."""
    messages = []
    monkeypatch.setattr(figure.canvas, "send", lambda message, buffers=(): messages.append((message, buffers)))
    return messages


def ready(figure, width=600, ratio=1.0):
    figure.canvas._receive(None, {"type": "ready", "width": width, "ratio": ratio}, [])


def painted(figure):
    figure.canvas._receive(None, {"type": "painted", "id": 0}, [])


def news(message) -> list[str]:
    """The kinds of what a message brings that the page has not seen."""
    return [each["kind"] for each in message["news"]]


def test_the_first_message_brings_everything_and_the_next_only_what_changed(figure, sent):
    ready(figure)
    first, (held,) = sent[0]
    assert (first["width"], first["height"], first["clear"], first["now"]) == (600, 200, "all", True)
    assert {"background", "item", "text"} <= set(news(first))
    assert len(held) == sum(each["bytes"] for each in first["news"])
    (key, (background, items, words)), = first["frames"].items()
    figure.set(x=0.8)
    second, _ = sent[-1]
    (other, (same, moved, others)), = second["frames"].items()
    assert other != key and same == background and moved != items and others != words
    assert "background" not in news(second) and second["clear"] == ""
    figure.set(x=0.5)
    assert len(sent) == 2, "the page has that frame, and has painted it"


def test_no_frame_is_sent_or_computed_while_four_are_under_way(figure, sent):
    ready(figure)
    for i in range(20):
        figure.set(x=0.02 * i)
    assert [message["id"] for message, _ in sent] == [1, 2, 3, 4] and figure.scene.updates == 4
    painted(figure)
    assert len(sent) == 5 and figure.scene.updates == 5, "the states in between are skipped, the last is shown"
    assert figure.scene.dot.get_xdata()[0] == 0.38
    painted(figure)
    assert len(sent) == 5, "nothing changed, so nothing is sent"


def test_a_change_of_the_background_is_painted(figure, sent, monkeypatch):
    ready(figure)
    scene, update = figure.scene, figure.scene.update

    def update_with_title(state):
        scene.panels["dot"].set_title(f"{state['x']:.1f}")
        scene.changed_background()
        return update(state)

    monkeypatch.setattr(scene, "update", update_with_title)
    figure.set(x=0.8)
    after = figure.canvas.png()
    figure.canvas.redraw()
    assert after == figure.canvas.png(), "the new title stands in the frame that follows"


def test_several_controls_are_drawn_once_and_words_that_change_alone_are_sent_too(figure, sent):
    ready(figure)
    figure.set(x=0.2, mark="b")
    assert len(sent) == 2 and figure.sentence == "The dot is at 0.20 & b."
    figure.set(mark="c")
    message, (held,) = sent[-1]
    assert news(message) == ["text"] and held.endswith(b"&amp; c.") and not message["lasting"]
    with pytest.raises(ValueError, match="z: got no such control in this figure, expected one of x, mark"):
        figure.set(z=1)
    with pytest.raises(ValueError, match="z: got no such control"):
        Explorer(figure.scene, figure.controls, presets={"far": {"z": 1}})


def test_a_new_view_gets_a_whole_frame_at_its_own_size(figure, sent):
    ready(figure)
    ready(figure, width=900, ratio=2.0)
    message = sent[-1][0]
    assert (message["width"], message["height"], message["ratio"], message["clear"]) == (1800, 300, 2.0, "all")


def test_a_page_that_reloads_while_a_frame_is_under_way_goes_on(figure, sent):
    ready(figure)
    for i in range(20):
        figure.set(x=0.02 * i)
    ready(figure)                                       # the page that should have said "painted" is gone
    count = len(sent)
    figure.set(x=0.5)
    assert len(sent) == count + 1


def test_a_drag_stays_with_the_panel_it_began_in(figure, sent):
    ready(figure, width=900)

    def move(kind, x, pressed):
        """To x of the panel of the dot, beyond 1 outside of it."""
        at = figure.scene.panels["dot"].transData.transform((x, 0.5))
        figure.canvas._receive(None, {"type": "pointer", "kind": kind, "x": at[0], "y": at[1], "pressed": pressed}, [])

    move("down", 0.25, True)
    assert figure.state["x"] == pytest.approx(0.25) and sent[-1][0] == {"type": "handled"}
    move("move", -0.05, True)
    assert figure.state["x"] == pytest.approx(0.0, abs=1e-9), "beyond the edge it stands at the edge"
    seen, dragged = [], figure.scene.dragged
    figure.scene.dragged = lambda panel, x, y, state: seen.append((panel, x))
    move("move", 1.4, True)
    assert seen == [("dot", pytest.approx(1.0))]
    figure.scene.dragged = dragged
    move("up", -0.05, False)
    figure.reset()
    move("down", 1.2, True)
    move("move", 0.25, True)
    assert figure.state["x"] == 0.5, "a drag that began elsewhere leaves the panel alone"
    move("up", 0.25, False)
    move("down", 0.25, False)
    assert figure.state["x"] == 0.5, "only the main button drags"


def test_a_setting_that_cannot_be_shown_is_said(figure):
    figure.set(x=0.99)
    assert figure.sentence == "This cannot be shown: x: got <too much>, expected less"


def test_layouts_share_the_room():
    margins = {"left": 50, "right": 10, "top": 20, "bottom": 40, "gap_x": 40, "gap_y": 60}
    layout = Layout(("a b", "a c"), (2, 1), (1, 1), height=400, **margins)
    boxes = layout.boxes(700)
    assert boxes["a"] == pytest.approx((50 / 700, 40 / 400, 400 / 700, 340 / 400))
    assert boxes["b"] == pytest.approx((490 / 700, 240 / 400, 200 / 700, 140 / 400))
    assert boxes["c"] == pytest.approx((490 / 700, 40 / 400, 200 / 700, 140 / 400))


def test_on_a_phone_the_panels_stand_one_below_the_other_in_their_order():
    layout = Layout((". b b", "c a a"), (1, 1, 1), (1, 3), height=400).stacked()
    assert layout.mosaic == ("b", "c", "a")
    boxes = layout.boxes(358)
    assert len({(box[0], box[2]) for box in boxes.values()}) == 1
    assert all(130 <= round(box[3] * layout.height) <= 240 for box in boxes.values())
    edges = sorted((box[1], box[1] + box[3]) for box in boxes.values())
    assert all(stop < start for (_, stop), (start, _) in zip(edges, edges[1:])) and edges[-1][1] < 1


def test_round_numbers_are_short_and_close_together():
    numbers = np.array(make.round_numbers(0.02, 5.0))
    assert numbers[0] == 0.02 and numbers[-1] == 5.0
    ratios = numbers[1:] / numbers[:-1]
    assert np.all((ratios > 1.015) & (ratios < 1.06))
    assert all(len(f"{x:g}".replace(".", "").lstrip("0")) <= 3 for x in numbers)
