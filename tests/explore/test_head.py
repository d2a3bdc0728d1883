"""explore.head: what it says of one head, against the model itself."""
import numpy as np
import pytest
from live_figures import settled
from matplotlib.colors import to_hex

from nwlab.pooling import masked_softmax
from workbook import explore, palette
from workbook.explore.head import STANDS_OUT
from workbook.labs import induction


def test_the_weights_and_the_probability_are_those_of_the_model_with_and_without_the_head(figure):
    tokens, row = settled(figure).sample.tokens, int(figure.state["query"]) - 1
    layer, number = map(int, figure.state["head"].split("."))
    for off, gone in (("", []), ("2.1", [(1, 0)]), ("1.1", [(0, 0)])):
        figure.set(off=off)
        this, model = off == f"{layer}.{number}", induction.shipped().models[0].without(gone)
        assert f"a probability of {masked_softmax(model(tokens))[row, tokens[row + 1]]:.2f}" in figure.sentence
        highest = model.attention(tokens)[layer - 1, number - 1, row].max()
        assert settled(figure).dots.get_sizes().max() / 140 == pytest.approx(0 if this else highest)
        assert (f" {highest:.2f} of 1)" in figure.sentence) == (not off) == ("Without head" not in figure.sentence)
        assert (max(figure.scene.arcs.get_linewidths()) < 0.1) == this, "a head that is off gives no token anything"
    assert figure.sentence.startswith("Without head 1.1 the model foresees 14 of 31 letters, with it 22. That head ")
    purple, said = (figure.scene.panels["line"][name] for name in ("no more", "sure"))
    assert sum(purple.get_sizes() > 0) == 22 - 14 and "14 foreseen" in said.get_text()
    assert highest < 0.6
    assert figure.scene.note.get_text().endswith("\nhead 2.1 cannot find h, and tries d")
    cut, told = (figure.scene.panels["line"][name] for name in ("cut", "told"))
    assert cut.get_visible() and max(told.get_linewidths()) > 2
    assert to_hex(told.get_edgecolor()[0]) == palette.MUTED.lower()
    figure.set(step=0)
    assert "foresees 0 of 31 letters, with it 0." in figure.sentence


def test_it_begins_with_the_head_that_looks_after_a_copy(figure):
    sample, row = figure.scene.sample, int(figure.state["query"]) - 1
    assert "mostly to" in figure.sentence
    key = int(figure.scene.weights[row].argmax())
    assert sample.letters[key - 1] == sample.letters[row]                       # what came after the same symbol
    told = sample.model.attention(sample.tokens)[0, 0, key]
    arcs = settled(figure).panels["line"]["told"].get_linewidths
    assert told.argmax() == key - 1 == np.argmax(arcs()) and "1.1 notes what" in figure.scene.note.get_text()
    assert not figure.scene.panels["line"]["cut"].get_visible()
    for state in ({"head": "1.2"}, {"off": sample.first}, {"query": 2}, {"query": 4}):
        figure.set(**{"off": "", "head": sample.first, "query": row + 1, **state})
        assert max(settled(figure).panels["line"]["told"].get_linewidths()) < 0.1, "nothing is told, or not to it"
    for query in figure.options["query"]:               # "again": only where it was found, and is not now
        figure.set(off="1.1", query=query)
        assert figure.sentence.startswith("Without")
        at = int(query) - 1
        now, before = figure.scene.weights[at], figure.scene.before[at]
        key, most = (int(each[:at or 1].argmax()) for each in (before, now))
        found, still = (one > 0 and sample.letters[one - 1] == sample.letters[at] for one in (key, most))
        missed = found and now[key] < before[key] / 2 and most and now[most] >= STANDS_OUT and not still
        assert ("again" in figure.sentence) == missed
        assert figure.scene.panels["line"]["cut"].get_visible() <= ("again" in figure.sentence)
    figure.set(head=sample.first, off="", query=row + 1, step=0.0)
    assert "can only guess" in figure.sentence and figure.scene.weights[row].max() < 0.5
    assert "cannot find" not in settled(explore.head(off="1.1", seed=3, query=4, step=0.0)).note.get_text()


def test_a_sentence_of_the_readers():
    figure = explore.head(text="The whale, the sea.", query=5)
    assert figure.scene.sample.letters == "the␣whale,␣the␣sea." and "from w mostly to e" in figure.sentence
    assert len(figure.scene.sample.heads) == 3 * 4 and "explains" not in explore.head(text="ab").sentence
    for options, message in (({"text": "x"}, "text: got 1 letters"), ({"head": "3.1"}, "head: got '3.1'")):
        with pytest.raises(ValueError, match=message):
            explore.head(**options)


def test_a_run_of_the_readers_own_is_replayed():
    figure = explore.head(induction.train(steps=13, batch=4))
    assert figure.scene.sample.steps[0] == 0 and figure.scene.sample.steps[-1] == 13
