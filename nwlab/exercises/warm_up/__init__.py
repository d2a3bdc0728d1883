"""Warm-up: attention pooling from differences to batches, with the shape predicted before each line."""
from workbook.checks.item import Exercise, Item
from workbook.checks.notebook import publish
from nwlab.exercises.common import softmax
from nwlab.exercises.warm_up import figures, mistakes, problems

EXERCISE = Exercise(__name__, "Warm-up: shapes first", (
    Item("differences", "All differences", "query − key for every pair, (m, n): rows are queries, columns are keys",
         ("queries", "keys"), problems.pairs, problems.true_differences, (problems.PAIRS,),
         mistakes=mistakes.DIFFERENCES, loops=False, library="any"),
    Item("scores_of", "Scores", "the score −½((query − key)/σ)² for every pair, (m, n)",
         ("queries", "keys", "sigma"), problems.pairs, problems.true_scores, (problems.PAIRS,),
         mistakes=mistakes.SCORES, library="any"),
    Item("weights_of", "Weights", "the softmax of each row of scores, (m, n): every row sums to one, without NaN, "
         "however large or small its scores are",
         ("scores",), problems.tables_of_scores, softmax, (problems.SCORES,), points=2,
         mistakes=mistakes.WEIGHTS, library="any"),
    Item("pool", "Pooling", "the weighted sum of the values for each query: (m,) for values (n,), and (m, c) for "
         "values (n, c)", ("weights", "values"), problems.pooling, problems.true_pool, problems.POOLED,
         mistakes=mistakes.POOL, library="any"),
    Item("attend", "All together", "the answer of Nadaraya–Watson for each query, (m,)",
         ("queries", "keys", "values", "sigma"), problems.houses_far_away, problems.true_attend, (problems.PAIRS,),
         mistakes=mistakes.ATTEND, library="any"),
    Item("pool_batches", "A batch of tables",
         "the pooled values of each batch, (b, m, c), for weights (b, m, n) and values (b, n, c)",
         ("weights", "values"), problems.streets, problems.true_pool, (problems.BATCHES,),
         mistakes=mistakes.BATCHES, library="torch"),
    Item("scores_of_rows", "The unsqueeze puzzle", "the score −½((query − key)/σ)² of each query and each key in its "
         "own row, (m, n), for queries (m,) or (m, 1)",
         ("queries", "keys", "sigma"), problems.own_keys, problems.true_scores, problems.ROWS, points=2,
         mistakes=mistakes.ROWS, library="torch")))
publish(globals(), EXERCISE, figures)
