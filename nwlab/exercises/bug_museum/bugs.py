"""The wrong answers of `bug_museum`: every bug of its rooms, made on purpose, to be recognised again."""
from __future__ import annotations

import math

import numpy as np

from nwlab.exercises.bug_museum import rooms
from nwlab.checks.item import Mistake
from nwlab.exercises.bug_museum.rooms import softmax, table

# --- what the other rooms' bugs do to a pooling: each makes weights (m, n), or an exception, of queries, keys and w

AXIS = ("the bug of room 1: the softmax runs over the queries", "rows are queries, columns are keys. Each row has to sum to "
        "one: along which axis is that?")
CANCELS = ("the bug of room 2: w has no effect, every weight is 1/m", "the softmax runs over an axis along which nothing "
           "changes. Which shape do the scores have?")
OUTSIDE = ("the bug of room 3: w stands outside the square", "in ((q − k) w)² the square is taken last. At w = 1 nobody sees "
           "the difference")
WRONG_QUERIES = ("the bug of room 5: the queries are the keys", "who asks here? The keys are what is asked. For each query "
                 "there is one row")
LOST = ("the bug of room 6: w is lost, and these are the weights of w = 1", "w multiplies the distance. What is only added to a "
        "whole row of scores cancels in the softmax")
TWICE = ("a softmax of a softmax", "left_out_loss takes scores, and makes the weights itself: hand it the scores as they are")
SELF = ("the point itself is not left out", "left_out_loss masks the diagonal: hand it the scores of all n × n pairs")
NO_HALF = ("the ½ is missing", "the scores are minus one half of the square")
NO_MINUS = ("the minus is missing: far keys weigh most", "a near key has to have the highest score, and that is 0")
DIVIDED = ("a division by w where a product belongs", "w is 1/σ: it multiplies the distance. A large w makes narrow weights")


def pooling_mistakes(answer, *, queries="queries", but=()):
    """The bugs that any room may show. answer: of weights (m, n) and all inputs, what the room's function returns."""
    def made(weights):
        return lambda **inputs: answer(weights(inputs[queries].ravel(), inputs["keys"], inputs["w"]), **inputs)

    every = (
        (AXIS, lambda q, k, w: softmax(table(q, k, w), axis=0)),
        (CANCELS, lambda q, k, w: np.full((len(q), len(k)), 1 / len(q))),
        (OUTSIDE, lambda q, k, w: softmax(table(q, k, w, outside=True))),
        (("w stands outside the square, as |w|", "outside the square |w| still is another model: 0.4² is not 0.4"),
         lambda q, k, w: softmax(table(q, k, abs(w), outside=True))),
        (WRONG_QUERIES, lambda q, k, w: softmax(table(k, k, w))),
        (LOST, lambda q, k, w: softmax(table(q, k, 1.0))),
        (NO_HALF, lambda q, k, w: softmax(table(q, k, w, half=1.0))),
        (NO_MINUS, lambda q, k, w: softmax(table(q, k, w, sign=1.0))),
        (DIVIDED, lambda q, k, w: softmax(table(q, k, np.float64(1) / w))),
    )
    return tuple(Mistake(*words, made(weights)) for words, weights in every if words not in but)


def itself(words):
    """The bug of this room, found again in the answer."""
    return "the exhibit as it came: " + words.partition(": ")[2]


# --- the bugs of one room


def divided(scores, of_largest, of_sum, **keep):
    """exp over its sum (m, n), the axes to be chosen: of the largest score (False: no shift) and of the sum."""
    e = np.exp(scores - (scores.max(axis=of_largest, keepdims=True) if of_largest is not False else 0))
    return e / e.sum(axis=of_sum, **({"keepdims": True} | keep))


def copied(queries, keys, values, w):
    """Room 2 as it came: every weight is e / (m e), so 1/m, or 0/0 where e is 0 in the computer."""
    e = np.exp(table(queries.ravel(), keys, w))
    return (e / (len(queries) * e)) @ values


def unshifted(queries, keys, values, w):
    """Room 2 without the shift."""
    return divided(table(queries.ravel(), keys, w), False, 1) @ values


def unshifted_per_key(ws, keys, values):
    """Room 4 without the shift."""
    return divided(np.where(np.eye(len(keys), dtype=bool), -math.inf, table(keys, keys, ws)), False, 1) @ values


def cut(ws, keys, values, ws_of_columns):
    """Room 4 with the diagonal deleted: the n - 1 columns meet ws_of_columns(ws)."""
    n, others = len(keys), ~np.eye(len(keys), dtype=bool)
    cut_keys, cut_values = (np.tile(x, (n, 1))[others].reshape(n, n - 1) for x in (keys, values))
    return (softmax(-0.5 * ((keys[:, None] - cut_keys) * ws_of_columns(ws)) ** 2) * cut_values).sum(axis=1)


def masked_late(ws, keys, values):
    """Room 4 with the diagonal set to 0 after the softmax."""
    return (softmax(table(keys, keys, ws)) * ~np.eye(len(keys), dtype=bool)) @ values


# --- losses and steps, for the rooms with gradients


def slope(scale=1.0, value=1.0, **how):
    """The answer of room 6 with a wrong loss."""
    return lambda w, keys, values: (value * float(rooms.loss(float(w), keys, values, **how)),
                                    scale * value * rooms.slope(float(w), keys, values, **how))


def step(direction=-1.0, chain=True, **how):
    """The answer of room 7 with a wrong slope."""
    def made(rho, keys, values, rate):
        w = math.exp(rho)
        new = float(rho) + direction * rate * (w if chain else 1.0) * rooms.slope(w, keys, values, **how)
        return new, float(np.exp(new))

    return made


def step_on_w(rho, keys, values, rate):
    """Room 7 with w in the place of rho."""
    w = math.exp(rho)
    new = w - rate * rooms.slope(w, keys, values)
    return float(np.log(new)), new


def rho_is_w(rho, keys, values, rate):
    """Room 7 without the exponential."""
    new = float(rho) - rate * rooms.slope(float(rho), keys, values)
    return new, new
