"""Inputs described by kind: an item says what its arguments are, and from that its problems are drawn.

    PAIRS = Inputs({"x": numbers("m"), "points": numbers("n"), "width": positive()}, units=("x points width",))

The `why` of each special problem says what is special about it.
"""
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from workbook.checks.item import LARGE, Problem
from workbook.language import say

UNIT = 1e9
SAME_LENGTH = say("every axis has the same length, so a wrong axis runs without a message")
TWICE = say("two axes have the same length, so code that tells axes by their lengths takes one for the other")
ONE = say("an axis of length 1 is still an axis")
UNITS = say("in other units: numbers may be very large or very small")
WHOLE = say("an array of whole numbers keeps no fractions: what is put into it, or into an array made in its likeness, "
            "is cut off")
SIGNS = (("0", lambda x: 0 * x, say("{name} may be 0")), (say("below 0"), lambda x: -x, say("{name} may be below 0")))


@dataclass(frozen=True)
class Kind:
    """What one argument is.

    draw: makes one, of a Generator and a shape. axes: for each axis a letter that names its length, or a fixed length.
    specials: other values it may have, (words, function of the drawn one, why); {name} in `why`: the argument's name.
    whole: whether its numbers may all be whole.
    """

    draw: Callable
    axes: tuple = ()
    specials: tuple = ()
    whole: bool = False


def numbers(*axes, low=-2.0, high=4.0) -> Kind:
    """An array of floats in random order, no two of them close. Without axes: an array of shape ()."""
    def draw(rng, shape):
        count = int(np.prod(shape))
        spread = low + (high - low) * (np.arange(count) + rng.uniform(0.2, 0.8, count)) / max(count, 1)
        drawn = rng.permutation(spread).reshape(shape)
        if len(drawn.shape) and drawn.shape[-1] >= LARGE:
            drawn[..., -5:] *= 3                                # the largest stand at the end
        return drawn

    def alike(x):
        x = x.copy()
        x[-1], x[..., -1] = x[0], x[..., 0]                     # two rows, and two columns
        return x

    return Kind(draw, axes, (
        (say("two alike"), alike, say("two of the {name} are equal")),
        (say("all 0"), np.zeros_like, say("the {name} may all be 0"))) if axes else SIGNS, whole=bool(axes))


def positive(*axes, low=0.4, high=2.0) -> Kind:
    """Floats above 0: an array, or without axes one float."""
    def draw(rng, shape):
        drawn = rng.uniform(low, high, shape)
        return drawn if axes else float(drawn)

    return Kind(draw, axes, ((say("very small"), lambda x: 1e-6 * x, say("{name} may be very small")),
                             (say("very large"), lambda x: 1e7 * x, say("{name} may be very large"))), whole=True)


def number(low=0.4, high=2.0) -> Kind:
    """One float, above 0 in usual problems; it may also be 0, or below."""
    return Kind(lambda rng, shape: float(rng.uniform(low, high)), (), SIGNS, whole=True)


def count(low=1, high=12) -> Kind:
    """A whole number of things, an int."""
    return Kind(lambda rng, shape: int(rng.integers(low, high + 1)), (), (
        (say("as small as can be"), lambda x: low, say("{name} may be {value}", name="{name}", value=low)),
        (say("large"), lambda x: 10 * high, say("{name} may be {value}", name="{name}", value=10 * high))))


def flags(*axes) -> Kind:
    """True and false; at least one true along the last axis."""
    def draw(rng, shape):
        drawn = rng.uniform(size=shape) < 0.6
        np.put_along_axis(drawn, rng.integers(0, shape[-1], (*shape[:-1], 1)), True, axis=-1)
        return drawn

    return Kind(draw, axes)


def one_of(*choices) -> Kind:
    """One of these: words, true and false, or None. Each of them appears in some problem."""
    return Kind(lambda rng, shape: choices[rng.integers(len(choices))], (), tuple(
        (repr(choice), lambda x, choice=choice: choice, say("{name} may be {value}", name="{name}", value=repr(choice)))
        for choice in choices))


@dataclass(frozen=True, eq=False)
class Inputs:
    """What the arguments of an item are; `problems` draws from it.

    of: argument -> Kind. Or, where one argument depends on another, a function of a Generator and of sizes, named by
    their letters: `def drawn(rng, m, n): return {...}`; then only lengths and units vary.
    units: arguments that may be measured in another unit together: "x points width 1/rate". Two of them that hold
    numbers, or points with as many features, are also drawn so that some numbers of the first are among the second's.
    sizes: letter -> (least, most), where not every length makes sense.
    """

    of: dict | Callable
    units: tuple[str, ...] = ()
    sizes: dict = field(default_factory=dict)

    @property
    def kinds(self) -> dict[str, Kind]:
        return {} if callable(self.of) else self.of

    @property
    def letters(self) -> list[str]:
        if callable(self.of):
            _, *sizes = inspect.signature(self.of).parameters.values()
            return [size.name for size in sizes if size.default is size.empty]
        return list(dict.fromkeys(axis for kind in self.of.values() for axis in kind.axes if isinstance(axis, str)))

    def draw(self, rng, **sizes) -> dict:
        """Inputs of these sizes, one for each letter: `PAIRS.draw(rng, m=3, n=5)`."""
        return {name: kind.draw(rng, tuple(sizes.get(axis, axis) for axis in kind.axes))
                for name, kind in self.kinds.items()} or self.of(rng, **sizes)

    def problems(self, rng, arguments, whole=False) -> Iterator[Problem]:
        """Problems with at least these arguments. How many there are does not depend on the Generator.

        whole: whether one of them has whole numbers throughout.
        """
        usual = self._usual(rng)
        for sizes, *why_and_large in self._lengths(rng):
            yield Problem(", ".join(f"{letter} = {size}" for letter, size in sizes.items()),
                          self.draw(rng, **usual | sizes), *why_and_large)
        for i in range(0 if self.letters else 4):
            yield Problem(say("drawn, number {i}", i=i + 1), self.draw(rng))
        known = [name for name in arguments if name in self.kinds]
        for name in known:
            for words, change, why in self.kinds[name].specials:
                inputs = self.draw(rng, **usual)
                inputs[name] = like(inputs[name], change(inputs[name]))
                yield Problem(f"{name}: {words}", inputs, why.format(name=name))
        for one, other in self._meeting(known):
            inputs = self.draw(rng, **usual)
            inputs[one] = _among(inputs[one], inputs[other])
            yield Problem(say("{one} among the {other}", one=one, other=other), inputs,
                          say("{one} and {other} may be equal: their difference is 0", one=one, other=other))
        for words, factor in ((say("large units"), UNIT), (say("small units"), 1 / UNIT)) if self.units else ():
            yield Problem(words, self._in_units(self.draw(rng, **usual), factor), UNITS)
        integers = [name for name in known if whole and self.kinds[name].whole]
        if any(self.kinds[name].axes for name in integers):
            inputs = self.draw(rng, **usual)
            whole_ones = {name: np.ceil(x).astype(int) if np.ndim(x := inputs[name]) else 2 * int(x) + 1
                          for name in integers}                 # odd: half of its square is not whole
            yield Problem(say("whole numbers"), inputs | whole_ones, WHOLE)

    def _meeting(self, arguments) -> Iterator[tuple[str, str]]:
        """Pairs of arguments in one unit whose numbers, or points, may be equal."""
        for group in self.units:
            for one, other in combinations([name for name in group.split() if name in arguments], 2):
                first, second = self.kinds[one].axes, self.kinds[other].axes
                if second and tuple(x for x in first[1:] if x != 1) == second[1:]:
                    yield one, other

    def _usual(self, rng) -> dict:
        """All lengths different, none of them large, and not the same for every seed."""
        return self._within({letter: 5 * i + int(rng.integers(0, 3)) for i, letter in enumerate(self.letters, 1)})

    def _within(self, sizes) -> dict:
        return {letter: int(np.clip(size, *self.sizes.get(letter, (1, np.inf)))) for letter, size in sizes.items()}

    def _lengths(self, rng) -> Iterator[tuple]:
        """Tuples of lengths to draw, and if they are special their `why`, and whether the problem is `large`."""
        letters = self.letters
        few = self._within({letter: 2 + i for i, letter in enumerate(letters)})
        falling = self._within(dict(zip(letters, reversed(self._usual(rng).values()))))
        if letters:
            yield from [(few,), (self._usual(rng),), (falling,)][:len(letters) + 1]
        equal = self._within(dict.fromkeys(letters, 4))
        if len(letters) > 1 and len(set(equal.values())) == 1:
            yield equal, SAME_LENGTH
        for one, other in combinations(letters, 2) if len(letters) > 2 else ():
            twice = self._within(few | {one: 7, other: 7})
            if twice[one] == twice[other]:
                yield twice, TWICE
        ones = [letter for letter in letters if self.sizes.get(letter, (1,))[0] <= 1]
        for letter in ones:
            yield {letter: 1}, ONE
        if len(ones) > 1:
            yield dict.fromkeys(ones, 1), ONE
        if letters:                                             # of more than two letters the others stay small
            yield self._within({letter: LARGE + 3 * i if i < 2 else 3 for i, letter in enumerate(letters)}), "", True
        for letter in letters[2:]:
            yield (self._within(few | {letter: LARGE}),)

    def _in_units(self, inputs, factor) -> dict:
        """The first group of `units` times the factor, the next divided by it, and so on."""
        changed = dict(inputs)
        for group in self.units:
            for word in group.split():
                name = word.removeprefix("1/")
                times = factor if name == word else 1 / factor
                changed[name] = like(inputs[name], times * inputs[name])
            factor = 1 / factor
        return changed


def until(good: Callable, make: Callable) -> dict:
    """Inputs of make() that are good, drawn again until they are: for answers that rounding might decide."""
    inputs = make()
    while not good(**inputs):
        inputs = make()
    return inputs


def _among(x, points):
    """x, with every other of its numbers, or points, taken from `points`."""
    changed = np.array(x, float)
    rows = changed.reshape(-1, *points.shape[1:])
    count = min(len(rows[::2]), len(points))
    rows[::2][:count] = points[:count]
    return like(x, changed if changed.shape else float(changed))


def like(x, changed):
    """`changed` as an array if x is one, else as a number: NumPy's functions turn one into the other."""
    return np.asarray(changed) if isinstance(x, np.ndarray) else changed.item() if hasattr(changed, "item") else changed
