"""The softmax in one pass: a running maximum, blocks of keys, and states that can be merged."""
from workbook.checks.item import Exercise, Item
from workbook.checks.notebook import publish
from nwlab.exercises.online_softmax import figures, mistakes, problems
from nwlab.exercises.online_softmax.given import Keys

STATE = "largest, total, pooled"

EXERCISE = Exercise(__name__, "The softmax in one pass", (
    Item("absorb", "One more key", f"the new state ({STATE}), three numbers",
         ("largest", "total", "pooled", "score", "value"), problems.keys_one_by_one, problems.true_absorb,
         (problems.KEY,), points=2, mistakes=mistakes.ABSORB, library="any"),
    Item("absorb_block", "One more block", f"the new state ({STATE}), of shapes (m,), (m,) and (m, c)",
         ("largest", "total", "pooled", "scores", "values"), problems.blocks, problems.true_absorb_block,
         (problems.BLOCK,), points=3, mistakes=mistakes.BLOCK, library="any", loops=False),
    Item("attend_in_blocks", "All blocks", "the answer of Nadaraya–Watson for each query, (m, c)",
         ("queries", "keys", "values", "sigma", "block"), problems.all_keys, problems.true_attend, (problems.ATTEND,),
         points=2, mistakes=mistakes.ATTEND, library="any", given={"keys": Keys}, memory=True,
         own_judge=mistakes.judge_blocks),
    Item("merge", "Two readers", f"the state ({STATE}) of all keys of both, of shapes (m,), (m,) and (m, c)",
         problems.BOTH, problems.two_readers, problems.true_merge, (problems.BOTH_STATES,), points=2,
         mistakes=mistakes.MERGE, library="any")))
publish(globals(), EXERCISE, figures)
