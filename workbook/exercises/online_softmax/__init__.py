"""The softmax in one pass: a running maximum, blocks of keys, and states that can be merged."""
from collections import Counter
from statistics import median

import numpy as np

from workbook.checks.item import Exercise, Item
from workbook.checks.notebook import publish
from workbook.exercises.online_softmax import figures
from workbook.exercises.online_softmax import problems as p
from workbook.exercises.online_softmax.given import Keys


def one(largest, new):
    return np.ones_like(np.asarray(largest, float) - 0.0 * np.where(np.isinf(new), 0, new))


RESCALED = ("the old sums are not rescaled", {"first": one})


def divided(right):
    """What can go wrong with any state that comes back."""
    def state(**at):
        largest, total, pooled = right(**at)
        return largest, total, pooled / (p.column(total) if np.ndim(pooled) else total)

    return "the answer, not the state: pooled is divided by the total", state


def block_means(queries, keys, values, sigma, block):
    """The mean of what each block answers by itself."""
    return np.mean([p.attend_in_blocks(queries, keys[i:i + block], values[i:i + block], sigma, block)
                    for i in range(0, len(keys), block)], axis=0)


def whole_blocks(queries, keys, values, sigma, block):
    """NaN (0/0) where no block is whole."""
    end = len(keys) // block * block
    none = np.full((len(queries), values.shape[1]), np.nan)
    return p.attend_in_blocks(queries, keys[:end], values[:end], sigma, block) if end else none


def judge_blocks(cases):
    """Of right numbers: by the steps in Python, the memory that was needed, and what was read twice."""
    at = {case.problem.name: case for case in cases}
    many, two, short, one = (at[name] for name in (p.MANY_BLOCKS, p.TWO_BLOCKS, p.TWO_SHORT, p.ONE_QUERY))
    queries, keys = (len(many.problem.inputs[name]) for name in ("queries", "keys"))
    memory, table, blocks = many.answer.memory, 8 * queries * keys, keys // many.problem.inputs["block"]
    yield two.answer.steps - short.answer.steps > keys / 2, "it goes through the keys one by one", two
    yield many.answer.steps - two.answer.steps < blocks / 2, "the keys do not come block by block", many
    yield (memory > 0.6 * table, "the whole table is in memory", many,
           {"held": f"{memory / 1e6:.2f}", "table": f"{table / 1e6:.2f}"})
    visits = Counter(one.answer.noted["keys"]["begins"]).values()   # of one query: others may come one after the other
    yield median([1, *visits]) > 1, "it reads the keys twice", one


EXERCISE = Exercise(__name__, "The softmax in one pass", (
    Item("absorb", points=2, by_hand=p.KEYS_ONE_BY_ONE, oracle=p.absorb, inputs=(p.KEY,), library="any", mistakes=(
        RESCALED, divided(p.absorb))),
    Item("absorb_block", points=3, by_hand=p.blocks, oracle=p.absorb_block, inputs=(p.BLOCK,), library="any",
         loops=False, mistakes=(
        RESCALED, divided(p.absorb_block),
        ("one largest score for all queries", {"new": lambda largest, scores: np.maximum(largest, scores.max())}))),
    Item("attend_in_blocks", points=2, by_hand=p.all_keys, oracle=p.attend_in_blocks, inputs=(p.ATTEND,), library="any",
         given={"keys": Keys}, memory=True, own_judge=judge_blocks, mistakes=(
        ("the block's answers are averaged", block_means),
        ("the keys behind the last whole block are lost", whole_blocks))),
    Item("merge", points=2, by_hand=p.two_readers, oracle=p.merge, inputs=(p.BOTH_STATES,), library="any", mistakes=(
        ("the sums are added without rescaling", {"first": one, "second": one}),
        ("the sums of the first are not rescaled", {"first": one}),
        divided(p.merge)))))
publish(globals(), EXERCISE, figures)
