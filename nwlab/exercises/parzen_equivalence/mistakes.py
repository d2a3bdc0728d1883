"""The mistakes that `parzen_equivalence` knows by name. Each is written as a student would write it."""
from __future__ import annotations

import math

import numpy as np

from nwlab.exercises.parzen_equivalence import problems
from nwlab.checks.item import Mistake


def _length(gaps):
    """(m, n) from (m, n, d)"""
    return np.sqrt(np.sum(gaps**2, axis=2))


def _parabola(u):
    return np.maximum(0, 1 - u**2)


def _table(x, keys, bandwidth, length=_length, shape=_parabola, constant=None, power=None):
    """The kernel table. length, of the differences (m, n, d); shape, of u; constant and the power of h: what may be wrong."""
    d = x.shape[1] if x.ndim == 2 else 1
    gaps = x.reshape(len(x), 1, d) - keys.reshape(1, len(keys), d)
    constant = constant or (0.75 if d == 1 else 2 / math.pi)
    return constant * shape(length(gaps) / bandwidth) / bandwidth ** (d if power is None else power)


def _with(**wrong):
    """A kernel table with this part of it replaced."""
    return lambda x, keys, bandwidth: _table(x, keys, bandwidth, **wrong)


def _reach(x, keys, bandwidth):
    """(m,), true where a key is in reach."""
    return _table(x, keys, bandwidth).sum(axis=1) > 0


def _nearest(x, keys):
    d = x.shape[1] if x.ndim == 2 else 1
    return np.argmin(_length(x.reshape(len(x), 1, d) - keys.reshape(1, len(keys), d)), axis=1)


def _joint(x, keys, labels, bandwidth):
    return _table(x, keys, bandwidth) @ labels / len(keys)


def _average(x, keys, labels, bandwidth):
    table = _table(x, keys, bandwidth)
    return table @ labels / table.sum(axis=1)


def _by_class(x, keys, labels, bandwidth, absent=math.nan, sign=-1):
    def density(which):
        return _table(x, keys[which], bandwidth).mean(axis=1) if which.any() else np.full(len(x), absent)

    return density(labels > 0) + sign * density(labels < 0)


_LINE = "right on the line, wrong in the plane"
_DISTANCE = "|x − x_i| is the length of the difference: squares, their sum over the features, the root"

KERNEL_TABLE = (
    Mistake("the parabola is negative outside its window", "beyond one bandwidth the kernel is 0, and 1 − u² is negative "
            "there: what should become of u > 1?", _with(shape=lambda u: 1 - u**2)),
    Mistake("the division by the bandwidth is missing", "a density has to integrate to one: a window twice as wide is half "
            "as high, and in the plane a quarter", _with(power=0)),
    Mistake(f"{_LINE}: h where h² belongs", "in d dimensions the window's volume grows like h to the power d", _with(power=1)),
    Mistake(f"{_LINE}: the constant ¾ is that of the line", "the parabola over a disc has another volume than over an "
            "interval: the text gives both constants", _with(constant=0.75)),
    Mistake(f"{_LINE}: ¾ and 1/h are those of the line", "the text has two formulas, one for the line and one for the plane. "
            "How do you know in your code which of them to use?", _with(constant=0.75, power=1)),
    Mistake("right in the plane, wrong on the line: the constant 2/π is that of the plane", "the text gives two constants, "
            "one for each case", _with(constant=2 / math.pi)),
    Mistake("the triangular kernel, 1 − u, instead of 1 − u²", "Epanechnikov's kernel is a parabola: which part is "
            "squared?", _with(shape=lambda u: np.maximum(0, 1 - u))),
    Mistake("the features are not added up: the table is (m, n, d)", f"the last axis, of the features, has to vanish. {_DISTANCE}",
            _with(length=abs)),
    Mistake(f"{_LINE}: the sum of the features' distances, not the distance", _DISTANCE,
            _with(length=lambda gaps: abs(gaps).sum(axis=2))),
    Mistake(f"{_LINE}: the differences are added up without squares", "a difference of +1 and one of −1 cancel. "
            + _DISTANCE, _with(length=lambda gaps: gaps.sum(axis=2))),
    Mistake("the root is missing: u is the squared distance over h", f"{_DISTANCE}. Only then the bandwidth comes in",
            _with(length=lambda gaps: (gaps**2).sum(axis=2))),
    Mistake("the root is missing: what you square is u² already", f"{_DISTANCE}. Or leave out the root and the second square",
            _with(shape=lambda u: np.maximum(0, 1 - u**4))),
    Mistake("one length for the whole array: the norm has no axis", "np.linalg.norm without `axis=` runs over everything. One "
            "length for each pair is asked for: which axis are the features?", _with(length=np.linalg.norm)),
    Mistake("the length runs over the keys, not over the features", "the differences are (m, n, d) and the table is (m, n): "
            "which axis has to vanish?", _with(length=lambda gaps: np.linalg.norm(gaps, axis=1))),
    Mistake("the weights are normalised", "each row sums to one here: those are attention weights. A density is asked for, "
            "so nothing is divided by the row's sum", lambda x, keys, bandwidth:
            _table(x, keys, bandwidth) / _table(x, keys, bandwidth).sum(axis=1, keepdims=True)),
)

DENSITY = (
    Mistake("the sum, not the mean", "p̂ is an average over the keys: with n keys, what does each of them weigh?",
            lambda x, keys, bandwidth: _table(x, keys, bandwidth).sum(axis=1)),
    Mistake("it is divided by the number of queries", "the mean runs over the keys. How many are there of these?",
            lambda x, keys, bandwidth: _table(x, keys, bandwidth).sum(axis=1) / len(x)),
    Mistake("the wrong axis: a mean over the queries", "rows are queries, columns are keys. One number for each query "
            "means a mean along each row", lambda x, keys, bandwidth: _table(x, keys, bandwidth).mean(axis=0)),
    Mistake("NaN for an empty window", "no key in reach means that the density there is 0: that is an answer. Nothing has "
            "to be divided by it", lambda x, keys, bandwidth:
            (lambda p: np.where(p > 0, p, math.nan))(_table(x, keys, bandwidth).mean(axis=1))),
    Mistake("the weights are normalised, so that they sum to one", "then nothing of the density is left: every query gets "
            "the same. Leave the kernel values as they are", lambda x, keys, bandwidth:
            np.where(_reach(x, keys, bandwidth), 1 / len(keys), math.nan)),
    Mistake("only the largest kernel value counts", "a density adds up what all keys contribute",
            lambda x, keys, bandwidth: _table(x, keys, bandwidth).max(axis=1)),
    Mistake("each place counts once, however many keys lie there", "two keys at one place are two keys: no np.unique here",
            lambda x, keys, bandwidth: _table(x, np.unique(keys, axis=0), bandwidth).mean(axis=1)),
)

JOINT = (
    Mistake("the sum, not the mean", "the factor 1/n is missing: it makes a density of it",
            lambda x, keys, labels, bandwidth: _table(x, keys, bandwidth) @ labels),
    Mistake("the weights are normalised: this is f_NW", "that is Nadaraya-Watson's average, which comes next. Here the sum "
            "is divided by n, not by Σ k", _average),
    Mistake("the class priors are gone: each class is divided by its own number of keys", "p̂(x, +1) is a joint density: it "
            "is smaller for a rarer class. Divide both sums by the same n", lambda x, keys, labels, bandwidth:
            _by_class(x, keys, labels, bandwidth, absent=0.0)),
    Mistake("the labels are left out", "without y_i this is the density p̂ of all keys. Where do the labels come in?",
            lambda x, keys, labels, bandwidth: _table(x, keys, bandwidth).mean(axis=1)),
    Mistake("only the keys with label +1 count", "a label of −1 takes away: as a number, not as true or false",
            lambda x, keys, labels, bandwidth: _table(x, keys, bandwidth) @ (labels > 0) / len(keys)),
    Mistake("the mean of the labels times the density", "each label belongs to its own kernel value: multiply first, then "
            "take the mean", lambda x, keys, labels, bandwidth: _table(x, keys, bandwidth).mean(axis=1) * labels.mean()),
    Mistake("only the sign is returned", "the difference itself is asked for; the verdict comes later",
            lambda x, keys, labels, bandwidth: np.sign(_joint(x, keys, labels, bandwidth))),
)

CLASSIFY = (
    Mistake("0 for an empty window", "no key is in reach, so there is no verdict. 0 would say “exactly undecided”, which is "
            "a statement about data that are not there",
            lambda x, keys, labels, bandwidth: np.sign(_joint(x, keys, labels, bandwidth))),
    Mistake("−1 for an empty window", "“not positive” is not yet negative: what does the comparison say where p̂ is 0?",
            lambda x, keys, labels, bandwidth: np.where(_joint(x, keys, labels, bandwidth) > 0, 1.0, -1.0)),
    Mistake("+1 for an empty window", "“not negative” is not yet positive: what does the comparison say where p̂ is 0?",
            lambda x, keys, labels, bandwidth: np.where(_joint(x, keys, labels, bandwidth) < 0, -1.0, 1.0)),
    Mistake("−1 for a tie", "where f is exactly 0 the two sides weigh the same, and the sign of 0 is 0",
            lambda x, keys, labels, bandwidth: np.where(
                _reach(x, keys, bandwidth), np.where(_joint(x, keys, labels, bandwidth) > 0, 1.0, -1.0), math.nan)),
    Mistake("+1 for a tie", "where f is exactly 0 the two sides weigh the same, and the sign of 0 is 0",
            lambda x, keys, labels, bandwidth: np.where(
                _reach(x, keys, bandwidth), np.where(_joint(x, keys, labels, bandwidth) < 0, -1.0, 1.0), math.nan)),
    Mistake("NaN for a tie", "the joint difference is 0 in two cases: no key is in reach, or the keys in reach weigh the same. "
            "Which of your functions tells them apart?", lambda x, keys, labels, bandwidth: (
                lambda joint: np.where(joint == 0, math.nan, np.sign(joint)))(_joint(x, keys, labels, bandwidth))),
    Mistake("NaN where a key is only just in reach", "a small density is still a density: only where it is exactly 0 is "
            "there nothing to be said. With what do you compare it?", lambda x, keys, labels, bandwidth: np.where(
                _table(x, keys, bandwidth).mean(axis=1) > 1e-3, np.sign(_joint(x, keys, labels, bandwidth)), math.nan)),
    Mistake("0 where a key is only just in reach, and where none is", "a number added to the denominator, or a comparison with "
            "a small number, changes the answer where the density is small: only 0 is special", lambda x, keys, labels, bandwidth:
            np.where(_table(x, keys, bandwidth).mean(axis=1) > 1e-3, np.sign(_joint(x, keys, labels, bandwidth)), 0.0)),
    Mistake("the average itself, not its sign", "f_NW lies between −1 and +1. A class is its sign", _average),
    Mistake("the class-conditional verdict", "each class was divided by its own number of keys. Nadaraya-Watson knows one "
            "sum over all keys", lambda x, keys, labels, bandwidth: np.where(
                _reach(x, keys, bandwidth),
                np.sign(_by_class(x, keys, labels, bandwidth, absent=0.0)), math.nan)),
    Mistake("the majority of all keys, whatever the query", "the query has to matter: near keys count more",
            lambda x, keys, labels, bandwidth: np.where(_reach(x, keys, bandwidth),
                                                        np.sign(labels.sum()), math.nan)),
    Mistake("the nearest key decides where the window is empty", "a guess from far away is not what the kernel says: out of "
            "reach is out of reach", lambda x, keys, labels, bandwidth: np.where(
                _reach(x, keys, bandwidth), np.sign(_joint(x, keys, labels, bandwidth)),
                labels[_nearest(x, keys)])),
    Mistake("the nearest key alone decides", "that is the nearest-neighbour classifier. Here all keys in reach vote, by their "
            "kernel values", lambda x, keys, labels, bandwidth: np.where(
                _reach(x, keys, bandwidth),
                labels[_nearest(x, keys)], math.nan)),
)

CONDITIONAL = (
    Mistake("the class priors are still in it: this is the joint difference", "p̂(x | +1) is the density of the keys of one "
            "class, as if the others did not exist: divide by how many there are of that class", _joint),
    Mistake("a class without keys has density 0", "an average over no keys is 0/0. Nobody knows that density: say NaN",
            lambda x, keys, labels, bandwidth: _by_class(x, keys, labels, bandwidth, absent=0.0)),
    Mistake("NaN for an empty window", "both densities are 0 there, and 0 − 0 is 0. Nothing is divided by the density here, "
            "as it was in classify", lambda x, keys, labels, bandwidth: np.where(
                _reach(x, keys, bandwidth), _by_class(x, keys, labels, bandwidth), math.nan)),
    Mistake("the sum of the two densities, not their difference", "one of the two counts against the other",
            lambda x, keys, labels, bandwidth: _by_class(x, keys, labels, bandwidth, sign=+1)),
    Mistake("each class is divided by the other class's number of keys", "which count belongs to which sum?",
            lambda x, keys, labels, bandwidth: (_table(x, keys, bandwidth) @ (labels > 0) / np.sum(labels < 0)
                                                - _table(x, keys, bandwidth) @ (labels < 0) / np.sum(labels > 0))),
    Mistake("the sums are not divided", "two sums of kernel values are no densities: each needs its own 1/n_c",
            lambda x, keys, labels, bandwidth: _joint(x, keys, labels, bandwidth) * len(keys)),
    Mistake("the weights are normalised: this is f_NW", "dividing by Σ k gives an average of labels. Divide each class by its "
            "number of keys", _average),
    Mistake("only the sign is returned", "the difference itself is asked for",
            lambda x, keys, labels, bandwidth: np.sign(_by_class(x, keys, labels, bandwidth))),
)

DISAGREE = (
    Mistake("true where they agree", "the opposite is asked for: where do the verdicts differ?",
            lambda x, keys, labels, bandwidth: ~problems.true_disagree(x, keys, labels, bandwidth)),
    Mistake("NaN counts as a disagreement", "NaN differs from everything, even from NaN. Where a verdict is missing the two "
            "do not contradict each other", lambda x, keys, labels, bandwidth:
            problems.true_class(x, keys, labels, bandwidth) != np.sign(_by_class(x, keys, labels, bandwidth))),
    Mistake("a class without keys counts as a disagreement", "the class-conditional difference is NaN there: no verdict, so "
            "nothing to disagree with", lambda x, keys, labels, bandwidth:
            np.sign(_joint(x, keys, labels, bandwidth)) != np.sign(_by_class(x, keys, labels, bandwidth))),
    Mistake("the values are compared, not the signs", "the two differences are different numbers nearly everywhere. What "
            "matters is the side of 0 on which they lie", lambda x, keys, labels, bandwidth:
            ~np.isclose(_joint(x, keys, labels, bandwidth), _by_class(x, keys, labels, bandwidth))),
    Mistake("an empty window counts as a disagreement", "both differences are 0 there, and 0 has no side: ask for a product "
            "below 0, not for one that is not above", lambda x, keys, labels, bandwidth:
            _joint(x, keys, labels, bandwidth) * _by_class(x, keys, labels, bandwidth) <= 0),
    Mistake("only one direction: joint below 0, conditional above", "is the other direction possible too?",
            lambda x, keys, labels, bandwidth: (_joint(x, keys, labels, bandwidth) < 0)
            & (_by_class(x, keys, labels, bandwidth) > 0)),
    Mistake("the places, not one truth value for each query", "a mask is asked for: an array of true and false as long as x",
            lambda x, keys, labels, bandwidth: np.flatnonzero(problems.true_disagree(x, keys, labels, bandwidth))),
)
