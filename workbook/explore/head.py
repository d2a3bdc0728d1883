"""One head of a trained transformer: tokens on a line, and arcs from a query to the tokens that it attends to."""
import numpy as np
from matplotlib.collections import PathCollection
from matplotlib.path import Path

from nwlab.pooling import masked_softmax
from workbook import palette
from workbook.explore import make, words
from workbook.explore.parts import QueryScene
from workbook.explore.sample import Sample
from workbook.figures.interactions import Drag
from workbook.figures.live import Explorer, Layout
from workbook.figures.panel import grip
from workbook.labs import induction, instruments, letters, sequences
from workbook.language import say

THICK = 9.0                                             # points, an arc of weight 1
STANDS_OUT = 0.15                                       # a weight, from here on
RING = Path(Path.unit_circle().vertices * (0.75, 1.0), Path.unit_circle().codes)        # on phones letters are close
FEET, HOLD = 0.42, -0.3                                  # heights where arcs begin and end, and of the handle


def head(run=None, text=None, **start) -> Explorer:
    """A live figure: what one head of a small transformer attends to, and what the model foresees with and without it.

    run: what `workbook.labs.induction.train` returns; None shows a run that comes with the workbook. text: a sentence
    of yours, which a model of letters reads instead (`workbook.labs.letters`). start: values of the controls query (the
    number of a token), head (such as "1.2"; by default the one that looks at what came after an earlier copy of the
    query's token), off (the head without which the model reads), step and seed.
    """
    return Explorer(HeadScene(TextTokens(text) if text is not None else RepeatedTokens(run)), start)


class Tokens(Sample):
    """Tokens (t,) with their letters, and the model that reads them; `queries` are the places of tokens, from 1.

    heads: the names of all. first: the one with which the figure starts. back: the one that looks one back, or "".
    """

    symbols = "abcdefghijkl"                            # by number
    steps, back = (0,), ""                              # of training at which the model can be shown

    def __init__(self, at, tokens, start: int):
        """at: the model as it was after so many steps of training; start: the first query."""
        self.at, self.model, self.queries, self.start = at, at(self.steps[-1]), np.arange(1.0, len(tokens) + 1), start
        self.heads = [f"{i + 1}.{j + 1}" for i, j in np.ndindex(self.model.layers, self.model.heads)]
        self.read(tokens)

    def read(self, tokens) -> None:
        """Show these tokens from now on."""
        self.tokens, self.letters = tokens, "".join(self.symbols[token] for token in tokens)


class RepeatedTokens(Tokens):
    """Sequences for a reader's own run of notebook 11, or for the one that comes with the workbook."""

    drawn_by = ("seed",)

    def __init__(self, run=None):
        run = induction.shipped().run if run is None else run
        self.lengths, some = run.lengths, np.geomspace(1, len(run.steps) - 1, 8).astype(int)
        self.steps = tuple(sorted({0, *(run.steps[i] for i in some)}))          # more early ones, as most changes there
        tokens = sequences.draw(200, self.lengths, seed=1000).tokens
        super().__init__(run.at, tokens[0], start=tokens.shape[1] - 7)
        weights = self.model.attention(tokens)
        self.first = self.heads[instruments.prefix_matching(weights, tokens).argmax()]
        self.back = self.heads[instruments.previous_token(weights).argmax()]
        self.presets = {say("without head {head}", head=self.back): {"off": self.back},
                        say("before training"): {"step": 0.0}}

    def new(self, seed: int) -> None:
        self.read(sequences.draw(1, self.lengths, seed=seed).tokens[0])


class TextTokens(Tokens):
    """A sentence, read letter by letter."""

    fixed = True

    def __init__(self, text: str):
        self.symbols, tokens, model = letters.ALPHABET.replace(" ", "␣"), letters.encode(text), letters.model()
        super().__init__(lambda step: model, tokens, start=len(tokens))
        shares = [instruments.by_distance(each)[1] for layer in model.attention(tokens) for each in layer]
        self.first = self.heads[np.argmin(shares)]
        self.presets = {say("least by distance"): {"head": self.first},
                        say("most by distance"): {"head": self.heads[np.argmax(shares)]}}


class HeadScene(QueryScene):
    label = say("One head of a trained transformer: arcs from a token to those that it attends to")
    invitation = say("Drag the ring: how does it know the next letter?")
    demo, longest, down = ("query", 14), 225, ()
    across = {"line": Drag("query", x=np.asarray, y=lambda queries: np.full(len(queries), HOLD))}   # at the ring
    controls = {"query": lambda figure: make.pick(say("query"), (of := figure.scene.sample).queries, of.start,
                                                  colour="query"),
                "head": lambda figure: make.dropdown(say("head"), (of := figure.scene.sample).heads, of.first),
                "off": lambda figure: make.dropdown(say("without head"),
                                                    [(say("none"), ""), *figure.scene.sample.heads], "")}
    more = {"step": make.of_sample(lambda figure: make.pick(say("training step"), (of := figure.scene.sample).steps,
                                                            of.steps[-1])),
            "seed": make.of_sample(lambda _: make.slider(say("sequence"), 0, 0, 30, 1))}
    layouts = (Layout(("line",), (1,), (1,), height=290),)

    def __init__(self, sample: Tokens):
        super().__init__(sample)
        self.presets, count, panel = sample.presets, len(sample.letters), self.panels["line"]
        panel.set(xticks=[], yticks=[], xlim=(0.5, count + 0.5), ylim=(-1.1, 2.1))
        panel.spines[:].set_visible(False)
        self.feet = np.column_stack([self.queries, np.full(count, FEET)])
        self.below = self.feet[1:] - [0.0, FEET + 0.75]
        self.when_placed.append(self._fit_letters)

    def _fit_letters(self) -> None:
        count, width, panel = len(self.sample.letters), self.figure.get_figwidth() * 100, self.panels["line"]
        step, box = int((width - 52) / count), panel.get_position()                 # pixels from letter to letter
        panel.set_position((26 / width, box.y0, step * count / width, box.height))
        panel.xaxis.label.set_visible(False)                # only the table says it
        room = 0.72 * step                                                                          # points for each
        self.letter_size, self.ring_size = min(17.0, 1.5 * room), min(26.0, 1.6 * room)
        self.square = min(150.0, (0.75 * room) ** 2)        # of a token that the model was sure of

    def update(self, state: dict) -> str:
        self.named, self.without = state["head"], state["off"]
        if self.changed("model", tuple(state.get(name) for name in ("step", "head", "off"))):
            self._read(state)
        row = self.row_of(state["query"])
        self._show_line(row)
        return self._sentence(state, row)

    def _read(self, state) -> None:
        """Let the model read, whole (`before`) and without a head. told: the weights of `back`, whole."""
        tokens, model = self.sample.tokens, self.sample.at(state.get("step", 0))
        (layer, number), *off = ((int(name[0]) - 1, int(name[2:]) - 1) for name in (self.named, self.without) if name)

        def read(model):
            x, weights = model.run(tokens)
            found = masked_softmax(model.read_out(x))
            return weights[layer][number], found, found[np.arange(len(tokens) - 1), tokens[1:]]

        (self.before, _, sure), (self.weights, self.found, self.sure) = map(read, (model, model.without(off)))
        self.knew, self.knows = sure > 0.5, self.sure > 0.5
        self.share = instruments.by_distance(self.weights)[1]
        self.weights = self.weights * (self.named != self.without)
        back, tells = self.sample.back, self.sample.back and self.named[0] > self.sample.back
        self.told = model.attention(tokens)[int(back[0]) - 1, int(back[2:]) - 1] if tells else 0 * self.weights

    def _show_line(self, row: int) -> None:
        """Draw the arcs of a query, as thick as its weights, with a note at the highest."""
        t, letters, panel, weights = len(self.weights), self.sample.letters, self.panels["line"], self.weights[row]
        panel.label(say("Head {head}: a part that looks back", head=self.named), say("place"))
        for i, letter in enumerate(letters):
            panel.words(("letter", i), i + 1, 0.0, letter, moves=False, ha="center", va="center", zorder=5,
                        fontsize=self.letter_size)
        old, now = (each * (self.queries <= row) * (each > each.max() / 10) for each in (self.before[row], weights))
        self._arcs("before", row, THICK * old * bool(self.without), palette.FAINT)
        self.arcs = self._arcs("arcs", row, THICK * now, palette.KEY, alpha=0.8)
        key, was = (int(each[:row or 1].argmax()) for each in (weights, self.before[row]))
        copied, stands_out = key and letters[key - 1] == letters[row], weights[key] >= STANDS_OUT
        self.missed = (self.named[0] > self.without == self.sample.back and was and letters[was - 1] == letters[row]
                       and weights[was] < self.before[row, was] / 2 and key and stands_out and not copied)
        cut, told = bool(self.missed and self.told[was, was - 1] > 0.5), self.told[was if self.missed else key]
        follows = self.without != self.sample.back and copied and stands_out and told[key - 1] > 0.5
        self._arcs("told", self.queries, 3 * told * (told > 0.5) * (follows or cut), (palette.INK, palette.MUTED)[cut])
        panel.marks("cut", [was + 0.5], [FEET + 0.12], palette.NEGATIVE, 11, "X", zorder=6, visible=cut)
        self.dots = panel.dots("dots", self.feet, 140 * weights, palette.KEY, zorder=3)
        panel.line("handle", [row + 1], [HOLD], zorder=6, **grip(palette.QUERY))
        self.ring = panel.marks("ring", [row + 1], [0.0], "none", self.ring_size, RING, markeredgecolor=palette.QUERY,
                                markeredgewidth=0.09 * self.ring_size, zorder=4)
        lost = self.knew & ~self.knows
        panel.dots("frames", self.below, np.full(t - 1, self.square), "none", "s", zorder=3.1, linewidths=0.6,
                   edgecolors=palette.MUTED)
        panel.dots("no more", self.below, self.square * lost, palette.NEGATIVE, "s", zorder=2.9)
        panel.dots("foreseen", self.below, self.square * self.sure, palette.VALUE, "s", zorder=3, clip_box=panel.bbox)
        sure = say("green: how sure of each letter ({count} foreseen)", count=self.knows.sum())
        panel.words("sure", 0.5, -1.2, sure, va="center", color=palette.VALUE_INK)
        moved = self.without and np.any((old - now)[:row] > 0.05)
        panel.words("grey", 0.5, -1.5, say("grey arc: with head {head}", head=self.without) if moved else "",
                    va="center", color=palette.MUTED)
        panel.words("lost", t + 0.5, -1.5, say("purple: {count} no longer", count=lost.sum()) if lost.any() else "",
                    va="center", ha="right", color=palette.NEGATIVE_INK)
        for artist in (*panel.collections, *panel.lines) * ("weights" not in panel.shown):
            artist.set_label("_nolegend_")
        panel.line("weights", self.queries, weights, linewidth=0, label=say("weight α"))            # for the table
        if not now.any():
            off = say("this head is off:\nno letter gets anything from it") if self.named == self.without else ""
            return panel.note(off, at=(0.5, 1.0), ha="center")
        if not stands_out:
            why = say("it looks at many letters:\nnone stands out")
        elif copied:
            why = say("here {key} came after {query}", key=letters[key], query=letters[row])
            why += say("\n(short arc: head {head} notes what came before)", head=self.sample.back) if follows else ""
        elif self.missed:
            why = say("the note of what came before is gone{cross}:\nhead {head} cannot find {query}, and tries {key}",
                      cross=" (×)" * cut, head=self.named, query=letters[row], key=letters[key])
        else:
            why = say("{key}, {n} back", key=letters[key], n=row - key)
        x, height = (row + key) / 2 + 1, self._height(row - key)
        self.note = panel.note(why, x, (FEET + height) / 2, at=(np.clip((x - 0.5) / t, 0.25, 0.75), 1.0), ha="center")

    def _height(self, back: int) -> float:
        """Of the control point of an arc that leads so many tokens back."""
        return 0.5 + 1.7 * (back / len(self.weights)) ** 0.7

    def _arcs(self, name: str, rows, widths: np.ndarray, colour, **style):
        """Arcs from a token, or from (t,), to all, of these widths (t,); those of none are there too, to grow there."""
        panel = self.panels["line"]
        paths = [Path([(row + 1, FEET), ((row + key) / 2 + 1, self._height(abs(row - key))), (key + 1, FEET)],
                      [Path.MOVETO, Path.CURVE3, Path.CURVE3])
                 for key, row in enumerate(np.broadcast_to(rows, widths.shape))]
        return panel.show(name, lambda: panel.add_collection(PathCollection([], facecolors="none")), capstyle="round",
                          zorder=2, paths=paths, linewidths=np.maximum(widths, 0.002), edgecolors=colour, **style)

    def _sentence(self, state, row: int) -> str:
        letters, key, last = self.sample.letters, int(self.weights[row].argmax()), row + 1 == len(self.sample.letters)
        expected = words.value(self.sample.symbols[self.found[row].argmax()])
        gives = (say("As the next letter the model expects {token}.", token=expected) if last else
                 say("The model gives the next letter, {token}, a probability of <b>{chance}</b>.",
                     token=words.value(letters[row + 1]), chance=f"{self.sure[row]:.2f}"))
        if self.without:
            return words.joined(
                say("Without head {head} the model foresees <b>{now}</b> of {t} letters, with it {before}.",
                    head=self.without, now=self.knows.sum(), t=len(self.sure), before=self.knew.sum()),
                say("That head notes at each letter which one came before: now head {head} cannot find {token} again.",
                    head=self.named, token=words.query(letters[row])) if self.missed else "", gives)
        if state.get("step") == 0:
            return words.joined(say("Before training head {head} looks everywhere: the model can only guess.",
                                    head=self.named), gives)
        if self.weights[row, key] < STANDS_OUT:
            return words.joined(say("Head {head} looks from {token} at many letters, at none much.", head=self.named,
                                    token=words.query(letters[row])), gives)
        where = say("{key}, {n} back", key=words.key(letters[key]), n=row - key) if row > key else say("itself")
        return words.joined(
            say("Head {head} looks from {token} mostly to {where} (weight <b>{weight}</b> of 1).", head=self.named,
                token=words.query(letters[row]), where=where, weight=f"{self.weights[row, key]:.2f}"),
            gives, say("How far back a token stands explains <b>{share}</b> of these weights.",
                share=f"{100 * self.share:.0f} %") if self.sample.fixed and self.share > 0.05 else "")
