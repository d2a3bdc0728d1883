"""Sentences that several figures share: the answer to a query, how wide its weights are, and empty windows."""
import numpy as np

from workbook.figures.words import bold, in_colour, number
from workbook.language import joined, say, say_count

__all__ = ["answer", "at", "band", "bold", "gaps", "joined", "key", "keys", "negative", "number", "query", "value"]

query, key, value, negative = map(in_colour, ("query", "key", "value", "negative"))     # words in the colour of each


def at(data, x: float) -> str:
    """The place of a query, such as x = 2.1, with the name that the keys have in the data."""
    return query(f"{data.key_name} = {number(x)}")


def keys(n: int) -> str:
    """1 key, or 2 keys."""
    return say_count("{n} key", "{n} keys", n)


def answer(data, x: float, found: float) -> str:
    """The answer that was found for the query x."""
    if not np.isfinite(found):
        return say("At {place} there is nothing to average.", place=at(data, x))
    return say("At {place} the answer is <b>{answer}</b>.", place=at(data, x), answer=query(number(found)))


def band(sigma: float, effective: np.ndarray, n: int) -> str:
    """What width does to weights in a heatmap, from effective numbers of keys of its rows (m,); "" if all are NaN."""
    if np.isnan(effective).all():
        return ""
    usual = np.nanmedian(effective)
    kind = say("a needle") if usual < min(2.5, 0.8 * n) else say("a river") if usual > 0.4 * n else say("a soft band")
    return say("At σ = {sigma} the weights are {band}: a typical query averages about {effective} of {keys}.",
               sigma=number(sigma), band=kind, effective=bold(usual, 2), keys=keys(n))


def gaps(count: int, m: int) -> str:
    """The sentence about queries with no key within reach; "" if there are none."""
    if count == 0:
        return ""
    if count == m:
        return say("<b>No query has a key within reach</b>, so there is nothing to average anywhere.")
    return say_count(
        "<b>{n} of {m} queries has no key within reach</b>. There is nothing to average, so the curve has a gap.",
        "<b>{n} of {m} queries have no key within reach</b>. There is nothing to average, so the curve has a gap.",
        count, m=m)
