"""Warm-up: attention pooling from differences to batches, with the shape said before each line."""
from __future__ import annotations

from nwlab.exercises.warm_up import figures
from nwlab.exercises.warm_up import mistakes
from nwlab.exercises.warm_up import problems
from nwlab.exercises.warm_up import tensors
from nwlab.checks.item import Exercise, Item

DIFFERENCES = Item(
    name="differences", title="All differences", points=1, library="any",
    says="query − key for every pair, (m, n): rows are queries, columns are keys",
    **problems.with_inputs("queries", "keys"), oracle=problems.true_differences, vectorised=True,
    mistakes=mistakes.DIFFERENCES,
    hints=("In the times table, which array got an axis more, and where? Which array has to run down the rows here?",
           "Queries run down the rows, so they have to be a column, (m, 1). The keys may stay (n,): NumPy reads that as (1, n).",
           "`[:, None]` behind an array of shape (m,) makes it (m, 1). Give it to the right one of the two, then subtract: query "
           "first."))

SCORES = Item(
    name="scores_of", title="Scores", points=1, library="any",
    says="the score −½((query − key)/σ)² for every pair, (m, n)",
    **problems.with_inputs("queries", "keys", "sigma"), oracle=problems.true_scores, mistakes=mistakes.SCORES,
    hints=("The given line has all the differences. What happens to each of them in the formula, and in which order?",
           "Divide by sigma first, then square, then multiply by −½. Each step keeps the shape (m, n).",
           "Mind the order in Python: `a / b**2` squares b alone, and `(a / b)**2` squares both. Compare with the loop: its scores "
           "for the query 100 are −2, −0.125 and −1.125."))

WEIGHTS = Item(
    name="weights_of", title="Weights", points=2, library="any",
    says="the softmax of each row of scores, (m, n): every row sums to one, without NaN, however large or small its scores are",
    arguments=("scores",), make_problems=problems.score_problems, sized=problems.sized_scores,
    oracle=problems.true_weights, mistakes=mistakes.WEIGHTS,
    hints=("Three steps: subtract something from each row, exponentiate, divide each row by something. Which axis are the keys?",
           "From each row subtract its largest score: that changes no weight, and exp(0) = 1 is never lost. Both the largest "
           "score and the sum run along a row.",
           "`max` and `sum` both take `axis=` and `keepdims=True`. With axis 1 and keepdims they give a column, (m, 1), which "
           "meets every row."))

POOL = Item(
    name="pool", title="Pooling", points=1, library="any",
    says="the weighted sum of the values for each query: (m,) for values (n,), and (m, c) for values (n, c)",
    arguments=("weights", "values"), make_problems=problems.pool_problems, sized=problems.sized_pool,
    oracle=problems.true_pool, mistakes=mistakes.POOL,
    hints=("Say the shapes: (m, n) and (n,) give (m,), (m, n) and (n, c) give (m, c). Which axis vanishes?",
           "The axis of the keys, n, vanishes: multiply along it and add up. One operation of linear algebra does just that.",
           "A matrix product lets the last axis of the left one meet the first axis of the right one. In Python it is written `@`."))

ATTEND = Item(
    name="attend", title="All together", points=1, library="any",
    says="the answer of Nadaraya–Watson for each query, (m,)",
    arguments=("queries", "keys", "values", "sigma"), make_problems=problems.attend_problems, sized=problems.sized_attend,
    oracle=problems.true_attend, mistakes=mistakes.ATTEND,
    hints=("You have written all parts. What does each of them take, and which of them knows the values?",
           "Scores from queries, keys and sigma; weights from scores; the answer from weights and values.",
           "Write three lines, with a shape behind each: (m, n), (m, n), (m,). Give each result a name and hand it to the next line; "
           "queries, keys and sigma go into the first, values into the last."))

BATCHES = Item(
    name="pool_batches", title="A batch of tables", points=1, library="torch",
    says="the pooled values of each batch, (b, m, c), for weights (b, m, n) and values (b, n, c)",
    arguments=("weights", "values"), make_problems=problems.batch_problems, sized=problems.sized_batches,
    oracle=problems.true_batches, mistakes=tensors.BATCHES,
    hints=("It is your function pool, b times. Which axis is only counted along, and which one is summed over?",
           "For one batch it is a matrix product, (m, n) with (n, c). What does PyTorch do with `@` if there is an axis more in "
           "front?",
           "`torch.bmm`, a batched matrix product, takes two tensors with three axes. Which of the two has to be the left one, so "
           "that n meets n?"))

ROWS = Item(
    name="scores_of_rows", title="The unsqueeze puzzle", points=2, library="torch",
    says="the score −½((query − key)/σ)² of each query and each key in its own row, (m, n), for queries (m,) or (m, 1)",
    arguments=("queries", "keys", "sigma"), make_problems=problems.row_problems, sized=problems.sized_rows,
    oracle=problems.true_rows, mistakes=tensors.ROWS,
    hints=("Which shape do the queries need to have before they meet (m, n)? Which of the two allowed shapes is that already?",
           "Bring both shapes into one, a column of shape (m, 1), then go on as if there had never been two. You may ask for "
           "`queries.ndim`, or find a call that gives a column in either case.",
           "`reshape` does not mind which shape it starts from, and −1 stands for 'as many as there are'. `squeeze()` without an "
           "axis is a trap if there is one query."))

exercise = Exercise("warm_up", "Warm-up: shapes first", items=(DIFFERENCES, SCORES, WEIGHTS, POOL, ATTEND, BATCHES, ROWS))
show_weights = exercise.figure(figures.show_weights)
show_answers = exercise.figure(figures.show_answers)
exercise.publish(globals())
