"""The right formula with one step done otherwise is recognised as that, and nothing else is."""
import math

import numpy as np
import pytest
from small_items import verdict

from nwlab import exercises
from workbook.checks import Item, nearby
from workbook.checks.declared import predict
from workbook.checks.item import posed
from nwlab.exercises.common import softmax
from workbook.checks.values import same

SAID = "the numbers are those of the right formula, but "


def measure(xs, ys, width):
    """A plain formula: the root of a mean of squares, over a square, and a part that is cut off below 0."""
    inside = (xs >= -0.5) & (ys < 4)
    part = np.exp(-((xs - ys) ** 2) / (2 * width**2)) * np.abs(xs)
    return np.mean(part[inside]) + np.sqrt(np.sum(xs**2) / width) + max(0.0, ys.min() - xs[0])


def by_loops(xs, ys, width):
    found = []
    for x in xs:
        total = 0.0
        for y in ys:
            total += (x - y) ** 2 / width
        found.append(total + x)
    return np.array(found)


def power(xs, ys, width):
    return np.abs(xs) ** (1 / (width + 4)) * ys.sum()


def pooled(xs, ys, width):
    return softmax(-np.subtract.outer(xs, ys) ** 2 / width) @ ys


def item(oracle):
    def problems(rng):
        rows = [(np.append([first, -0.4, -0.9], rng.uniform(0, 2, n)), np.append([4.5, 1.1], rng.uniform(2, 6, n + 1)),
                 width) for first, n, width in ((0.2, 9, 2.7), (0.4, 12, 1.8), (1.9, 10, 2.6), (0.7, 14, 1.6))]
        return posed(("xs", "ys", "width"), *((f"{len(xs)} numbers", xs, ys, width) for xs, ys, width in rows))

    return Item("measured", "A measure", "one number", ("xs", "ys", "width"), problems, oracle)


def otherwise(oracle, old, new):
    """The oracle, with other words in its source."""
    tree = nearby.ast.unparse(nearby.ast.parse(nearby.inspect.getsource(oracle)))
    assert old in tree
    home = dict(oracle.__globals__)
    exec(tree.replace(old, new, 1), home)
    return home[oracle.__name__]


@pytest.mark.parametrize("oracle, old, new, words", [
    (measure, "width ** 2", "width", "a square is missing: that of `width`"),
    (measure, "-(xs - ys)", "(xs - ys)", "a minus is missing"),
    (measure, "(xs - ys) ** 2", "np.abs(xs - ys)", "the absolute value stands in the place of the square"),
    (measure, "(2 * width ** 2)", "width ** 2", "a part is not halved, or not doubled"),
    (measure, "/ (2 * width ** 2)", "/ 2 * width ** 2", "a part multiplies where it should divide, "
     "perhaps for want of brackets: `width**2`"),
    (measure, "np.mean(part[inside])", "np.sum(part[inside])", "the sum stands in the place of the mean"),
    (measure, "np.mean(part[inside])", "np.median(part[inside])", "the median stands in the place of the mean"),
    (measure, "np.sqrt(np.sum(xs ** 2) / width)", "np.sum(xs ** 2) / width", "a root is missing: that of what is made "
     "of `xs` and `width`"),
    (measure, "np.exp(-(xs - ys) ** 2 / (2 * width ** 2))", "(-(xs - ys) ** 2 / (2 * width ** 2))",
     "an exponential is missing: that of what is made of `xs`, `ys` and `width`"),
    (measure, " * np.abs(xs)", "", "a product is missing: that with `np.abs(xs)`"),
    (measure, "np.abs(xs)", "xs", "the absolute value is missing"),
    (measure, " / width", "", "a division is missing: that by `width`"),
    (measure, "np.sum(xs ** 2) / width", "width / np.sum(xs ** 2)", "a division is upside down"),
    (measure, "np.sum(xs ** 2) / width", "np.sum(xs ** 2) * width", "a product stands where a division belongs"),
    (measure, "np.sum(xs ** 2)", "np.sum(xs) ** 2", "the sum comes before the square, not after it"),
    (measure, "np.sum(xs ** 2)", "np.sum(xs ** 3)", "a power is 3"),
    (measure, "np.sum(xs ** 2)", "np.sum(ys ** 2)", "`ys` stands in a place of `xs`"),
    (measure, "max(0.0, ys.min()", "min(0.0, ys.min()", "the smaller of two is taken, not the larger"),
    (measure, "ys.min() - xs[0]", "ys.min()", "a part is not subtracted: `xs[0]`"),
    (measure, "ys.min() - xs[0]", "ys.min() + xs[0]", "a plus stands where a minus belongs"),
    (measure, "ys.min()", "ys.max()", "the maximum stands in the place of the minimum"),
    (measure, " & (ys < 4)", "", "one of two conditions is missing"),
    (measure, "xs >= -0.5", "xs <= -0.5", "a comparison is the wrong way round: that with `-0.5`"),
    (measure, "np.abs(xs)", "np.abs(xs) ** 2", "there is a square too many: that of `np.abs(xs)`"),
    (measure, "(xs - ys) ** 2", "(xs - ys ** 2)", "the square is that of one part alone: `ys`"),
    (power, "(width + 4)", "width + 4", "brackets are missing, or stand elsewhere"),
    (power, "(width + 4)", "(width + 5)", "5 stands in the place of another number"),
    (power, "1 / (width + 4)", "(width + 4)", "a division is upside down"),
    (by_loops, "(x - y) ** 2", "(x - y)", "a square is missing"),
    (by_loops, " + x", "", "a part is not added"),
    (by_loops, "x - y", "x + y", "a plus stands where a minus belongs"),
    (pooled, "softmax(-np.subtract.outer(xs, ys) ** 2 / width)", "(-np.subtract.outer(xs, ys) ** 2 / width)",
     "the softmax is missing"),
    (pooled, "/ width)", "/ width, axis=0)", "a step runs along another axis"),
    (pooled, "np.subtract", "np.add", "a plus stands where a minus belongs"),
])
def test_one_step_done_otherwise_is_named(oracle, old, new, words, monkeypatch):
    monkeypatch.setattr("workbook.checks.run.PACKAGE", "elsewhere")    # `pooled` calls the softmax of the problems
    found = verdict(otherwise(oracle, old, new), item(oracle))
    assert found.mistake == SAID + words
    assert "which of your lines" in found.next and found.tried and found.came


@pytest.mark.parametrize("student", [
    lambda xs, ys, width: np.mean(xs * ys) + width,
    lambda xs, ys, width: measure(xs, ys, width) + np.sin(len(xs)) * np.sum(ys),
    lambda xs, ys, width: otherwise(measure, "width ** 2", "width")(xs, ys, width) + (len(xs) == 12),     # on one not
    lambda xs, ys, width: math.nan,
])
def test_another_wrong_answer_is_not_called_near(student):
    found = verdict(student, item(measure))
    assert not found.holds and SAID not in found.line


def test_a_right_answer_holds():
    assert verdict(lambda xs, ys, width: measure(xs, ys, width), item(measure)).holds


def test_of_two_steps_that_give_the_same_the_more_natural_one_is_told():
    """The size of a size is that size: a square that is missing, and a size in its place, are the same here."""
    def oracle(xs, ys, width):
        return np.sqrt(np.sum(np.abs(xs) ** 2) / width)

    assert verdict(lambda xs, ys, width: np.sqrt(np.sum(np.abs(xs)) / width), item(oracle)).mistake == (
        SAID + "a square is missing: that of `np.abs(xs)`")


def test_numbers_that_are_chosen_have_to_be_those_on_special_problems_too():
    def oracle(xs, ys, width):
        return xs[np.argmin(np.abs(xs - width))]

    def student(xs, ys, width):
        return xs[np.argmax(np.abs(xs - width))] if len(xs) < 9 else xs[0]

    def problems(rng):
        return posed(("xs", "ys", "width"), *((f"{n} numbers", rng.uniform(0, 3, n), rng.uniform(0, 3, n), 1.1,
                                               "nine numbers" if n == 9 else "") for n in (3, 5, 6, 9)))

    asked = Item("measured", "A measure", "one number", ("xs", "ys", "width"), problems, oracle)
    assert SAID not in verdict(student, asked).line
    assert verdict(lambda xs, ys, width: xs[np.argmax(np.abs(xs - width))], asked).mistake == (
        SAID + "the largest is sought, not the smallest")


@pytest.mark.parametrize("asked", [item for name in exercises.NAMES for item in getattr(exercises, name).ITEMS
                                   if item.oracle], ids=lambda item: f"{item.package}-{item.name}")
def test_an_oracle_made_anew_of_its_source_is_the_oracle(asked):
    """Else what is told of one step would be told of another formula."""
    trees = nearby.called(getattr(asked.oracle, "func", asked.oracle))
    assert trees, f"{asked.name}: its oracle has no source of its own, so no step of it can be named"
    again = nearby.linked(asked.oracle, {function: nearby.compiled(tree) for function, tree in trees.items()})
    for problem in asked.problems(5):
        assert same(predict(again, problem), predict(asked.oracle, problem))
