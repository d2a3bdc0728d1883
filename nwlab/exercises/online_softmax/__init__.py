"""The softmax in one pass: a running maximum, blocks of keys, and states that can be merged."""
from workbook.checks.item import Exercise, Item
from workbook.checks.notebook import publish
from nwlab.exercises.online_softmax import figures, mistakes, problems
from nwlab.exercises.online_softmax.given import Keys

STATE = "largest, total, pooled"

EXERCISE = Exercise(__name__, "The softmax in one pass", (
    Item("absorb", "One more key", f"the new state ({STATE}), three numbers",
         ("largest", "total", "pooled", "score", "value"), problems.key_problems, problems.true_absorb, points=2,
         mistakes=mistakes.ABSORB, library="any"),
    Item("absorb_block", "One more block", f"the new state ({STATE}), of shapes (m,), (m,) and (m, c)",
         ("largest", "total", "pooled", "scores", "values"), problems.block_problems, problems.true_absorb_block,
         points=3, mistakes=mistakes.BLOCK, library="any", loops="refused",
         sized=lambda rng, n: problems.block(rng, n, n, 2)),
    Item("attend_in_blocks", "All blocks", "the answer of Nadaraya–Watson for each query, (m, c)",
         ("queries", "keys", "values", "sigma", "block"), problems.attend_problems, problems.true_attend, points=2,
         mistakes=mistakes.ATTEND, library="any", given={"keys": Keys}, memory=True, own_judge=mistakes.judge_blocks),
    Item("merge", "Two readers", f"the state ({STATE}) of all keys of both, of shapes (m,), (m,) and (m, c)",
         problems.BOTH, problems.merge_problems, problems.true_merge, points=2,
         mistakes=mistakes.MERGE, library="any")))
publish(globals(), EXERCISE, figures)
