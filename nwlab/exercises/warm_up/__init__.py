"""Warm-up: attention pooling from differences to batches, with the shape said before each line."""
from nwlab.checks.item import Exercise, Item
from nwlab.checks.notebook import publish
from nwlab.exercises.warm_up import figures, mistakes, problems

EXERCISE = Exercise("warm_up", "Warm-up: shapes first", items=(
    Item(name="differences", title="All differences", points=1, library="any",
         returns="query − key for every pair, (m, n): rows are queries, columns are keys",
         **problems.of_pairs("queries", "keys"),
         oracle=problems.true_differences, vectorised=True, mistakes=mistakes.DIFFERENCES),
    Item(name="scores_of", title="Scores", points=1, library="any",
         returns="the score −½((query − key)/σ)² for every pair, (m, n)",
         **problems.of_pairs("queries", "keys", "sigma"), oracle=problems.true_scores, mistakes=mistakes.SCORES),
    Item(name="weights_of", title="Weights", points=2, library="any",
         returns="the softmax of each row of scores, (m, n): every row sums to one, without NaN, however large or "
                 "small its scores are",
         arguments=("scores",), make_problems=problems.score_problems, oracle=problems.true_weights,
         sized=lambda rng, n: problems.near_scores(rng, n, n), mistakes=mistakes.WEIGHTS),
    Item(name="pool", title="Pooling", points=1, library="any",
         returns="the weighted sum of the values for each query: (m,) for values (n,), and (m, c) for values (n, c)",
         arguments=("weights", "values"), make_problems=problems.pool_problems, oracle=problems.true_pool,
         sized=lambda rng, n: problems.pooling(rng, (n, n), n), mistakes=mistakes.POOL),
    Item(name="attend", title="All together", points=1, library="any",
         returns="the answer of Nadaraya–Watson for each query, (m,)",
         arguments=("queries", "keys", "values", "sigma"), make_problems=problems.attend_problems,
         oracle=problems.true_attend, sized=lambda rng, n: problems.draw(rng, n, n, 1.4), mistakes=mistakes.ATTEND),
    Item(name="pool_batches", title="A batch of tables", points=1, library="torch",
         returns="the pooled values of each batch, (b, m, c), for weights (b, m, n) and values (b, n, c)",
         arguments=("weights", "values"), make_problems=problems.batch_problems, oracle=problems.true_pool,
         sized=lambda rng, n: problems.pooling(rng, (n, 2, 3), (n, 3, 2)), mistakes=mistakes.BATCHES),
    Item(name="scores_of_rows", title="The unsqueeze puzzle", points=2, library="torch",
         returns="the score −½((query − key)/σ)² of each query and each key in its own row, (m, n), for queries (m,) "
                 "or (m, 1)",
         arguments=("queries", "keys", "sigma"), make_problems=problems.row_problems, oracle=problems.true_scores,
         sized=lambda rng, n: problems.rows(rng, n, 3, 1.4), mistakes=mistakes.ROWS),
))
publish(globals(), EXERCISE, figures)
