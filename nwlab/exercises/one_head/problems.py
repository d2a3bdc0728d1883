"""What the inputs of `one_head` are, and the traps of its subject."""
import numpy as np

from workbook.checks.inputs import Inputs, count, numbers
from workbook.checks.item import Problem, posed
from nwlab.exercises.one_head.model import REACH

TOKENS = Inputs({"t": count(2, 9)})
BIAS = Inputs({"bias": numbers("r"), "t": count(1, 12)})
HEAD = Inputs({"q": numbers("t", "d"), "k": numbers("t", "d"), "v": numbers("t", "c"), "bias": numbers("t", "t")})


def several(rng, t, d, h):
    """Tokens of width h d, and a table of biases for each head."""
    return {name: rng.normal(size=(t, h * d)) for name in "qkv"} | {"bias": rng.normal(size=(h, t, t))}


def one_hot(tokens, s):
    return np.eye(s)[tokens]


def repeated(rng, b, t, s):
    """b sequences of t tokens, (b, t, s), each of which repeats a random block of 3 to s symbols; and `known`."""
    lengths = rng.integers(3, s + 1, b)
    tokens = np.array([rng.permutation(s)[np.arange(t) % n] for n in lengths])
    return {"x": one_hot(tokens, s), "known": np.arange(t - 1) >= lengths[:, None]}


def tokens_and_heads(rng, t, s):
    """A sequence, and numbers of both heads."""
    return {"x": one_hot(rng.integers(0, s, t), s), "bias": rng.normal(size=5), "match": 3 * rng.normal(size=(s, s))}


def judged(rng, b, t, s):
    """Shares of each symbol at each place, and what the sequences are."""
    shares = rng.uniform(0.1, 1, (b, t, s))
    known = rng.uniform(size=(b, t - 1)) < 0.6
    known[:, -1] = True
    return {"shares": shares / shares.sum(axis=-1, keepdims=True), "known": known,
            "x": one_hot(rng.integers(0, s, (b, t)), s)}


HEADS = Inputs(several)
REPEATS = Inputs(tokens_and_heads)
SHARES = Inputs(judged, sizes={"t": (3, np.inf)})


def tokens(rng):
    return posed(("t",), ("four tokens", 4), ("one token", 1, "a single token attends to itself"))


def distances(rng):
    return posed(
        ("bias", "t"), ("four tokens, three numbers", [0.0, 5.0, -1.0], 4),
        ("six tokens, six numbers", rng.normal(size=6).tolist(), 6),
        ("more numbers than tokens", rng.normal(size=9).tolist(), 4, "distances that do not occur need no number"))


def heads(rng):
    five = HEAD.draw(rng, t=5, d=3, c=2)
    small = {"q": np.array([[1.0], [2.0]]), "k": np.array([[0.0], [1.0]]), "v": np.array([[4.0], [8.0]])}
    yield Problem("two tokens", small | {"bias": np.zeros((2, 2))})
    for name, *before in ("three sequences at once", 3), ("three sequences, two heads", 3, 2):
        yield Problem(name, {x: rng.normal(size=(*before, 6, 4)) for x in "qkv"} | {
            "bias": rng.normal(size=(*before[1:], 6, 6))}, "there may be axes before t and d: sequences, heads")
    yield Problem("scores below −10¹²", five | {"bias": five["bias"] - 3e12}, "a later key gets no weight, "
                  "however low the scores of the earlier ones are")
    yield Problem("scores around 1000", five | {"bias": five["bias"] + 1000}, "e^1000 is infinite")


def repeats(rng):
    sequence, far = one_hot([1, 0, 2, 1], 3), np.where(np.arange(4) == 1, 30.0, -30.0)
    yield Problem("B A C B, by hand", {"x": sequence, "bias": far, "match": 60 * np.eye(3)})
    yield Problem("four sequences at once", tokens_and_heads(rng, 8, 5) | {"x": one_hot(rng.integers(0, 5, (4, 8)), 5)},
                  "there may be an axis before t and s: sequences")


def shares(rng):
    drawn = judged(rng, 3, 6, 4)
    zero = drawn["shares"].copy()
    zero[:, :-1][~drawn["known"]] = 0
    yield Problem("one sequence of three tokens", judged(rng, 1, 3, 2))
    yield Problem("shares of 0 where nothing can be known", drawn | {"shares": zero},
                  "log 0 is −∞: what cannot be known has to be left out before the logarithm")


def runs(rng):
    for steps, *sizes in (2, 4, 12, 6), (12, 5, 16, 7), (40, 9, 18, 5):
        yield Problem(f"{steps} steps", repeated(rng, *sizes) | {"steps": steps})
    yield Problem("no step", repeated(rng, 3, 9, 4) | {"steps": 0}, f"before the first step bias is {REACH} zeros, and "
                  "so is all of match")
