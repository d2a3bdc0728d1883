"""Warm-up: attention pooling from differences to batches, with the shape predicted before each line."""
from functools import partial

from workbook.checks.item import Exercise, Item
from workbook.checks.notebook import publish
from workbook.exercises.common import softmax
from workbook.exercises.warm_up import figures
from workbook.exercises.warm_up import problems as p

NOT_SQUARED = ("the differences are not squared",
               lambda queries, keys, sigma: -0.5 * (queries.reshape(-1, 1) - keys) / sigma**2)

EXERCISE = Exercise(__name__, "Warm-up: shapes first", (
    Item("differences", by_hand=p.ASKED, oracle=lambda queries, keys: queries[:, None] - keys, inputs=(p.PAIRS,),
         loops=False, library="any", mistakes=(
        ("no axis was added: (m,) meets (n,)", lambda queries, keys: queries - keys),
        ("the queries became a row, (1, m), not a column", lambda queries, keys: queries[None, :] - keys))),
    Item("scores_of", by_hand=p.ASKED, oracle=p.scores_of, inputs=(p.PAIRS,), library="any", mistakes=(NOT_SQUARED,)),
    Item("weights_of", points=2, by_hand=p.tables_of_scores, oracle=softmax, inputs=(p.SCORES,), library="any"),
    Item("pool", by_hand=p.HOUSES, oracle=p.pool, inputs=p.POOLED, library="any", mistakes=(
        ("the sum runs over the queries, not over the keys", lambda weights, values: weights.T @ values),
        ("the sum runs over the queries, not over the keys", lambda weights, values: values @ weights),
        ("it works for one shape of values only", lambda weights, values: (weights * values).sum(axis=1)),
        ("weight × value is not summed", lambda weights, values: weights * values))),
    Item("attend", by_hand=(*p.ASKED, p.CASTLE), oracle=p.attend, inputs=(p.PAIRS,), library="any", mistakes=(
        ("the softmax runs over the queries", {"weights": partial(softmax, axis=0)}),)),
    Item("pool_batches", by_hand=p.STREETS, oracle=p.pool, inputs=(p.BATCHES,), library="torch", slope="weights",
         mistakes=(("weight × value is not summed", lambda weights, values: weights * values),)),
    Item("scores_of_rows", points=2, by_hand=p.MET, oracle=p.scores_of, inputs=p.ROWS, library="torch", slope="queries",
         mistakes=(
             ("queries of shape (m,) meet the keys without an axis more",
              lambda queries, keys, sigma: -0.5 * ((queries - keys) / sigma) ** 2),
             ("`squeeze` drops the axis of a single query too",
              lambda queries, keys, sigma: p.scores_of(queries.squeeze()[:, None], keys, sigma)), NOT_SQUARED))))
publish(globals(), EXERCISE, figures)
