"""Sentences that several figures share: the answer to a query, how wide its weights are, and empty windows."""
import numpy as np

from workbook.figures.words import bold, in_colour, joined, minus, number

__all__ = ["answer", "at", "band", "bold", "gaps", "joined", "key", "keys", "minus",
           "negative", "no_width", "number", "query", "some_queries", "value"]

query, key, value, negative = map(in_colour, ("query", "key", "value", "negative"))     # words in the colour of each


def at(data, x: float) -> str:
    """The place of a query, such as x = 2.1, with the name that the keys have in the data."""
    return query(f"{data.key_name} = {number(x)}")


def keys(n: int) -> str:
    """1 key, or 2 keys."""
    return f"{n} key{'s' * (n != 1)}"


def band(effective: np.ndarray, n: int) -> str:
    """What a heatmap looks like whose rows have these effective numbers of n keys, NaN with no key within reach."""
    typical = float(np.nanmedian(effective))
    return "a needle" if typical < 2.5 else "a river" if typical > 0.4 * n else "a soft band"


def no_width(kernel, n: int) -> str:
    return f"The {kernel.name} kernel has no width: every query gives every key the same weight, 1/{n} (a river)."


def answer(data, x: float, found: float) -> str:
    """The answer that was found for the query x."""
    if not np.isfinite(found):
        return f"At {at(data, x)} there is nothing to average."
    return f"At {at(data, x)} the answer is <b>{query(number(found))}</b>."


def gaps(count: int, m: int) -> str:
    """The sentence about queries with no key within reach; "" if there are none."""
    if count == 0:
        return ""
    if count == m:
        return "<b>No query has a key within reach</b>, so there is nothing to average anywhere."
    return f"<b>{some_queries(count, m)} no key within reach</b>. There is nothing to average, so the curve has a gap."


def some_queries(count: int, m: int) -> str:
    """1 of 50 queries has, or 2 of 50 queries have."""
    return f"{count} of {m} queries {'has' if count == 1 else 'have'}"
