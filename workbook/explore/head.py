"""One head of a trained transformer: tokens on a line, and arcs from a query to the tokens that it attends to."""
import numpy as np
from matplotlib.collections import PathCollection
from matplotlib.path import Path

from nwlab.pooling import masked_softmax
from workbook import palette
from workbook.explore import controls as make
from workbook.explore import words
from workbook.explore.parts import Heat, QueryScene
from workbook.explore.sample import Sample
from workbook.figures.interactions import Drag
from workbook.figures.live import LEFT, PHONE, RIGHT, WIDE, Explorer, Layout
from workbook.figures.panel import HALO, grip
from workbook.labs import induction, instruments, letters, sequences
from workbook.language import say

SMALLEST = 0.01                                         # the smallest weight with an arc, or a tenth of the largest
THICK = 9.0                                             # points, an arc of weight 1
RING = Path(Path.unit_circle().vertices * (0.75, 1.0), Path.unit_circle().codes)        # on phones letters are close
FEET, HOLD = 0.42, -0.3                                  # heights where arcs begin and end, and of the handle


def head(run=None, text=None, layer=None, head=None, **start) -> Explorer:
    """A live figure: what one head of a small transformer attends to, and what the model foresees with and without it.

    run: what `workbook.labs.induction.train` returns; None shows a run that comes with the workbook. text: a sentence
    of yours, which a model of letters reads instead (`workbook.labs.letters`). layer and head count from 1 and say
    where the figure starts; by default it starts with the head that looks at what came after an earlier copy of the
    query's token. start: values of the controls query (the number of a token), off (the head without which the
    model reads, such as "1.1"), step and seed.
    """
    sample = TextTokens(text) if text is not None else RepeatedTokens(run)
    if layer is not None or head is not None:
        if (place := (layer or 1, head or 1)) not in (heads := sample.heads):
            raise ValueError(f"layer, head: got {place[0]}, {place[1]}, expected {heads[0]} to {heads[-1]}")
        start["head"] = heads.index(place)
    return Explorer(HeadScene(sample), start)


class Tokens(Sample):
    """Tokens (t,) with their letters, and the model that reads them; `queries` are the places of tokens, from 1.

    first: the number of the head with which the figure starts. back: the name of the one that looks one back, or "".
    """

    key_name = say("place")
    symbols = "abcdefghijkl"                            # by number
    steps, back = (0,), ""                              # of training at which the model can be shown

    def __init__(self, at, tokens, start: int):
        """at: the model as it was after so many steps of training; start: the first query."""
        self.at, self.model, self.start = at, at(self.steps[-1]), float(start)
        self.heads = [(i + 1, j + 1) for i, j in np.ndindex(self.model.layers, self.model.heads)]
        self.names = [f"{layer}.{number}" for layer, number in self.heads]
        self.read(tokens)
        self.queries = self.keys = np.arange(1.0, len(tokens) + 1)

    def read(self, tokens) -> None:
        """Show these tokens from now on."""
        self.tokens, self.letters = tokens, "".join(self.symbols[token] for token in tokens).replace(" ", "␣")


class RepeatedTokens(Tokens):
    """Sequences for a reader's own run of notebook 11, or for the one that comes with the workbook."""

    drawn_by = ("seed",)

    def __init__(self, run=None):
        run = induction.shipped().run if run is None else run
        self.lengths, last = run.lengths, len(run.steps) - 1
        self.steps = tuple(sorted({run.steps[last * i // 12] for i in range(13)}))
        tokens = sequences.draw(200, self.lengths, seed=1000).tokens
        super().__init__(run.at, tokens[0], start=tokens.shape[1] - 7)
        weights = self.model.attention(tokens)
        self.first = instruments.prefix_matching(weights, tokens).argmax()
        self.back = self.names[instruments.previous_token(weights).argmax()]
        self.presets = {say("without head {head}", head=self.back): {"off": self.back},
                        say("before training"): {"step": 0.0}}

    def new(self, seed: int) -> None:
        self.read(sequences.draw(1, self.lengths, seed=seed).tokens[0])


class TextTokens(Tokens):
    """A sentence, read letter by letter."""

    fixed = True

    def __init__(self, text: str):
        self.symbols, tokens, model = letters.ALPHABET, letters.encode(text), letters.model()
        super().__init__(lambda step: model, tokens, start=len(tokens))
        weights = model.attention(tokens)                                                    # (layers, h, t, t)
        shares = [instruments.by_distance(weights[layer - 1, head - 1])[1] for layer, head in self.heads]
        self.first = np.argmin(shares)
        self.presets = {say("least by distance"): {"head": self.first},
                        say("most by distance"): {"head": np.argmax(shares)}}


class HeadScene(QueryScene):
    label = say(
        "One head of a trained transformer: arcs from a token to those that it attends to, and its heatmap below")
    invitation = say("Drag the ring: how does it know the next letter?")
    demo, longest = ("query", 14), 225
    across = {"line": Drag("query", x=np.asarray, y=lambda queries: np.full(len(queries), HOLD))}   # at the ring
    controls = {"query": lambda figure: make.pick(say("query"), figure.scene.queries, figure.scene.sample.start,
                                                  colour="query"),
                "head": lambda figure: make.pick(
                    say("head"), range(len(figure.scene.sample.heads)), figure.scene.sample.first,
                    lambda i: figure.scene.sample.names[int(i)]),
                "off": lambda figure: make.dropdown(say("without head"), [
                    (say("none"), ""), *zip(figure.scene.sample.names, figure.scene.sample.names)], "")}
    more = {"step": make.of_sample(lambda figure: make.pick(say("training step"), figure.scene.sample.steps,
                                                                 figure.scene.sample.steps[-1])),
            "seed": make.of_sample(lambda _: make.slider(say("sequence"), 0, 0, 30, 1))}
    layouts = (
        Layout(("line", "heat"), (1,), (1.25, 1), height=460, gap_y=44),
        Layout(("line", "heat"), (1,), (1.6, 1), height=410, room=WIDE, gap_y=40),
    )

    def __init__(self, sample: Tokens):
        super().__init__(sample)
        self.presets = sample.presets
        self.heat, self.letters = Heat(self.panels["heat"], say("All queries, keys under tokens")), []
        panel = self.panels["line"]
        panel.set_title(say("What it looks back at"), loc="left")
        panel.set_axis_off()
        panel.set_ylim(-1.35, 2.1)
        self.whole = panel.scatter([], [], facecolors="none", edgecolors=palette.MUTED, linewidths=0.6, marker="s",
                                   zorder=3)
        self.when_placed.append(self._fit_letters)

    def new_sample(self) -> None:
        sample, panel = self.sample, self.panels["line"]
        t = len(sample.letters)
        panel.set_xlim(0.5, t + 0.5)
        for letter in self.letters:
            letter.remove()
        self.letters = [panel.text(place, 0.0, letter, ha="center", va="center", zorder=5)
                        for place, letter in zip(sample.keys, sample.letters)]
        self._fit_letters()
        places = np.column_stack([sample.keys, np.zeros(t)])
        self.feet, self.below = places + [0.0, FEET], places[1:] - [0.0, 0.75]
        self.whole.set_offsets(self.below)
        self.heat.sample(sample)
        self.heat.panel.set_xlabel(say("key place"))
        self.heat.panel.set_yticks([0, t // 2, t - 1], [1, t // 2 + 1, t])

    def _fit_letters(self) -> None:
        count, width = len(self.sample.letters), self.figure.get_figwidth() * 100
        left, right = (26, 26) if width < PHONE else (LEFT, RIGHT)
        step = int((width - left - right) / count)          # pixels from letter to letter: all are alike
        self.heat.panel.yaxis.label.set_visible(left == LEFT)
        for panel in self.panels.values():
            box = panel.get_position()
            panel.set_position((left / width, box.y0, step * count / width, box.height))
        room = 0.72 * step                                                                          # points for each
        for letter in self.letters:
            letter.set_fontsize(min(16.0, 1.5 * room))
        self.ring_size = min(26.0, 1.6 * room)
        self.square = min(150.0, (0.75 * room) ** 2)        # of a token that the model was sure of
        self.whole.set_sizes([self.square])

    def update(self, state: dict) -> str:
        layer, number = self.sample.heads[int(state["head"])]
        self.named, self.without = f"{layer}.{number}", state["off"]
        self.misses = self.without and self.without[0] < self.named[0]          # something that a layer below wrote
        if self.changed("model", tuple(state.get(name) for name in ("step", "head", "off"))):
            self._read(state, layer - 1, number - 1)
        row = self.row_of(state["query"])
        shown = self.weights * (self.named != self.without)
        self._show_line(row, shown[row])
        self.heat.show(shown, row)
        return self._sentence(state, row)

    def _read(self, state, layer: int, number: int) -> None:
        """Let the model read the tokens: the head's weights (t, t), and the probability of each next symbol."""
        tokens, model = self.sample.tokens, self.sample.at(state.get("step", 0))
        off = [(i - 1, j - 1) for i, j in self.sample.heads if f"{i}.{j}" == self.without]
        x, weights = model.without(off).run(tokens)
        self.found, self.weights = masked_softmax(model.read_out(x)), weights[layer][number]         # (t, symbols)
        self.sure = self.found[np.arange(len(tokens) - 1), tokens[1:]]                               # (t - 1,)
        self.share = instruments.by_distance(self.weights)[1]
        self.passes_on = self.share > 0.9 and layer + 1 < model.layers

    def _show_line(self, row: int, weights: np.ndarray) -> None:
        """Draw the arcs of a query, as thick as its weights (t,), with a note at the highest."""
        t, letters, panel = len(weights), self.sample.letters, self.panels["line"]
        keys = np.flatnonzero(weights[:row] > max(SMALLEST, weights.max() / 10))
        heights = 0.5 + 1.7 * ((row - keys) / t) ** 0.7                                      # of the control points
        self.arcs = panel.show("arcs", lambda: panel.add_collection(PathCollection([], facecolors="none")), alpha=0.8,
                               edgecolors=palette.KEY, capstyle="round", zorder=2, linewidths=THICK * weights[keys])
        self.arcs.set_paths([
            Path([(row + 1, FEET), ((row + key) / 2 + 1, height), (key + 1, FEET)],
                 [Path.MOVETO, Path.CURVE3, Path.CURVE3]) for key, height in zip(keys, heights)])
        self.dots = panel.dots("dots", self.feet, 140 * weights, palette.KEY, zorder=3)
        panel.line("handle", [row + 1], [HOLD], zorder=6, **grip(palette.QUERY))
        self.ring = panel.marks("ring", [row + 1], [0.0], "none", self.ring_size, RING, markeredgecolor=palette.QUERY,
                                markeredgewidth=0.09 * self.ring_size, zorder=4)
        self.foreseen = panel.dots("foreseen", self.below, self.square * self.sure, palette.VALUE, "s", zorder=3,
                                   clip_box=panel.bbox)
        panel.words("sure", 0.5, -1.2, say("green: how sure of this letter ({count} of {t} known)",
                                           count=np.sum(self.sure > 0.5), t=t - 1), fontsize=9, va="center",
                    color=palette.VALUE_INK, bbox=HALO, zorder=3)
        if not len(keys):
            off = say("this head is off:\nno token gets anything from it")
            return panel.note("" if weights.any() else off, at=(0.5, 1.0), ha="center")
        most = int(weights[keys].argmax())
        key, x = keys[most], (row + keys[most]) / 2 + 1
        why = f"α = {weights[key]:.2f}:\n"
        if weights[key] < 0.15:
            why += say("no token stands out")
        elif self.passes_on and row - key == 1:
            why = say("head {head} looks at\nthe letter before", head=self.named)
        elif key and letters[key - 1] == letters[row]:
            why += say("here {key} came after {query}", key=letters[key], query=letters[row])
        elif key and self.misses:
            why = say("without head {head} it looks\nat {key}, which came after {other}", head=self.without,
                      key=letters[key], other=letters[key - 1])
        else:
            why += say("{key}, {n} back", key=letters[key], n=row - key)
        self.note = panel.note(why, x, (FEET + heights[most]) / 2,
                               at=(np.clip((x - 0.5) / t, 0.25, 0.75), 1.0), ha="center")

    def _sentence(self, state, row: int) -> str:
        letters, key = self.sample.letters, int(self.weights[row].argmax())
        where = say("{key}, {n} back", key=words.key(letters[key]), n=row - key) if row > key else say("itself")
        attends = (say("Before training head {head} looks everywhere, so the model can only guess.", head=self.named)
                   if state.get("step") == 0 else
                   say("Head {head}: {token} at place {place} attends most to {where} (<b>{weight}</b>).",
                       head=self.named, token=words.query(letters[row]), place=row + 1, where=where,
                       weight=f"{self.weights[row, key]:.2f}"))
        explains = say("How far back a token stands explains <b>{share}</b> of these weights.",
                       share=f"{100 * self.share:.0f} %") if self.share > 0.05 else ""
        expected = self.sample.symbols[self.found[row].argmax()].replace(" ", "␣")
        gives = (say("The model gives the next token, {token}, a probability of <b>{chance}</b>.",
                     token=words.value(letters[row + 1]), chance=f"{self.sure[row]:.2f}") if row + 1 < len(letters) else
                 say("As the next token the model expects {token}.", token=words.value(expected)))
        if self.without:
            told = say("No letter is told which came before it. Head {head} looks for that, so it is often wrong.",
                       head=self.named) if (
                self.misses and self.without == self.sample.back and state.get("step", 1)) else ""
            return words.joined(say("Now without head {head}.", head=self.without), told,
                                attends * (self.named != self.without), gives)
        if self.passes_on and row - key == 1:
            gives = say("So the next layer knows what came before each token.")
        return words.joined(attends, gives, explains)
