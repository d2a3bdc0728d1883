"""Warm-up: attention pooling from differences to batches, with the shape said before each line."""
from workbook.checks.item import Exercise, Item
from workbook.checks.notebook import publish
from nwlab.exercises.common import softmax
from nwlab.exercises.warm_up import figures, mistakes, problems

PAIRS = {"make_problems": problems.table_problems, "sized": lambda rng, n: problems.draw(rng, n, n, 1.4),
         "library": "any"}

EXERCISE = Exercise(__name__, "Warm-up: shapes first", (
    Item("differences", "All differences", "query − key for every pair, (m, n): rows are queries, columns are keys",
         ("queries", "keys"), oracle=problems.true_differences, mistakes=mistakes.DIFFERENCES, vectorised=True,
         **PAIRS),
    Item("scores_of", "Scores", "the score −½((query − key)/σ)² for every pair, (m, n)",
         ("queries", "keys", "sigma"), oracle=problems.true_scores, mistakes=mistakes.SCORES, **PAIRS),
    Item("weights_of", "Weights", "the softmax of each row of scores, (m, n): every row sums to one, without NaN, "
         "however large or small its scores are",
         ("scores",), problems.score_problems, softmax, points=2, library="any",
         sized=lambda rng, n: problems.near_scores(rng, n, n), mistakes=mistakes.WEIGHTS),
    Item("pool", "Pooling", "the weighted sum of the values for each query: (m,) for values (n,), and (m, c) for "
         "values (n, c)", ("weights", "values"), problems.pool_problems, problems.true_pool, library="any",
         sized=lambda rng, n: problems.pooling(rng, (n, n), n),
         mistakes=mistakes.POOL),
    Item("attend", "All together", "the answer of Nadaraya–Watson for each query, (m,)",
         ("queries", "keys", "values", "sigma"), oracle=problems.true_attend, mistakes=mistakes.ATTEND,
         **PAIRS | {"make_problems": problems.attend_problems}),
    Item("pool_batches", "A batch of tables",
         "the pooled values of each batch, (b, m, c), for weights (b, m, n) and values (b, n, c)",
         ("weights", "values"), problems.batch_problems, problems.true_pool, library="torch",
         sized=lambda rng, n: problems.pooling(rng, (n, 2, 3), (n, 3, 2)), mistakes=mistakes.BATCHES),
    Item("scores_of_rows", "The unsqueeze puzzle", "the score −½((query − key)/σ)² of each query and each key in its "
         "own row, (m, n), for queries (m,) or (m, 1)",
         ("queries", "keys", "sigma"), problems.row_problems, problems.true_scores, points=2, library="torch",
         sized=lambda rng, n: problems.rows(rng, n, 3, 1.4), mistakes=mistakes.ROWS)))
publish(globals(), EXERCISE, figures)
