"""Warm-up: attention pooling from differences to batches, with the shape said before each line."""
from __future__ import annotations

from nwlab.exercises.warm_up import figures
from nwlab.exercises.warm_up import mistakes
from nwlab.exercises.warm_up import problems
from nwlab.exercises.warm_up import tensors
from nwlab.checks.notebook import publish
from nwlab.checks.item import Exercise, Item

DIFFERENCES = Item(
    name="differences", title="All differences", points=1, library="any",
    returns="query − key for every pair, (m, n): rows are queries, columns are keys",
    **problems.with_inputs("queries", "keys"), oracle=problems.true_differences, vectorised=True,
    mistakes=mistakes.DIFFERENCES)

SCORES = Item(
    name="scores_of", title="Scores", points=1, library="any",
    returns="the score −½((query − key)/σ)² for every pair, (m, n)",
    **problems.with_inputs("queries", "keys", "sigma"), oracle=problems.true_scores, mistakes=mistakes.SCORES)

WEIGHTS = Item(
    name="weights_of", title="Weights", points=2, library="any",
    returns="the softmax of each row of scores, (m, n): every row sums to one, without NaN, however large or small its scores are",
    arguments=("scores",), make_problems=problems.score_problems, sized=problems.sized_scores,
    oracle=problems.true_weights, mistakes=mistakes.WEIGHTS)

POOL = Item(
    name="pool", title="Pooling", points=1, library="any",
    returns="the weighted sum of the values for each query: (m,) for values (n,), and (m, c) for values (n, c)",
    arguments=("weights", "values"), make_problems=problems.pool_problems, sized=problems.sized_pool,
    oracle=problems.true_pool, mistakes=mistakes.POOL)

ATTEND = Item(
    name="attend", title="All together", points=1, library="any",
    returns="the answer of Nadaraya–Watson for each query, (m,)",
    arguments=("queries", "keys", "values", "sigma"), make_problems=problems.attend_problems, sized=problems.sized_attend,
    oracle=problems.true_attend, mistakes=mistakes.ATTEND)

BATCHES = Item(
    name="pool_batches", title="A batch of tables", points=1, library="torch",
    returns="the pooled values of each batch, (b, m, c), for weights (b, m, n) and values (b, n, c)",
    arguments=("weights", "values"), make_problems=problems.batch_problems, sized=problems.sized_batches,
    oracle=problems.true_batches, mistakes=tensors.BATCHES)

ROWS = Item(
    name="scores_of_rows", title="The unsqueeze puzzle", points=2, library="torch",
    returns="the score −½((query − key)/σ)² of each query and each key in its own row, (m, n), for queries (m,) or (m, 1)",
    arguments=("queries", "keys", "sigma"), make_problems=problems.row_problems, sized=problems.sized_rows,
    oracle=problems.true_rows, mistakes=tensors.ROWS)

EXERCISE = Exercise("warm_up", "Warm-up: shapes first", items=(DIFFERENCES, SCORES, WEIGHTS, POOL, ATTEND, BATCHES, ROWS))
publish(globals(), EXERCISE, figures)
