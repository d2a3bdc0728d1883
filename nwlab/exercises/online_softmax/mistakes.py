"""The mistakes that `online_softmax` knows by name, beside what any item knows."""
import numpy as np

from workbook.checks.item import first_wrong, named
from nwlab.exercises.common import softmax
from nwlab.exercises.online_softmax.problems import (
    MANY_BLOCKS, ONE_QUERY, TWO_BLOCKS, TWO_SHORT, column, true_absorb, true_absorb_block, true_attend, true_merge,
)


def one(largest, new):
    """No factor at all."""
    return np.ones_like(np.asarray(largest, float) - 0.0 * np.where(np.isinf(new), 0, new))


def unguarded(largest, new):
    return np.exp(largest - new)


RESCALED = ("the old sums are not rescaled", {"first": one})


def of_the_state(right):
    """What can go wrong with any state that comes back."""
    def divided(**at):
        largest, total, pooled = right(**at)
        return largest, total, pooled / (column(total) if np.ndim(pooled) else total)

    return (("−∞ − (−∞) is NaN", {"first": unguarded, "second": unguarded}),
            ("the answer, not the state: pooled is divided by the total", divided))


ABSORB = named(RESCALED, *of_the_state(true_absorb), right=true_absorb)

BLOCK = named(
    RESCALED, ("one largest score for all queries", {"new": lambda largest, scores: np.maximum(largest, scores.max())}),
    *of_the_state(true_absorb_block), right=true_absorb_block)


def seen(times):
    """Each key counts so many times, NaN (0/0) where none does. times(i, n, block): of the i-th of n keys."""
    return lambda **at: true_attend(**at, of=lambda scores: softmax(
        scores + np.log(times(np.arange(len(at["keys"])), len(at["keys"]), at["block"]))))


def block_means(keys, block, **at):
    """The mean of what each block answers by itself."""
    blocks = range(-(-len(keys) // block))
    return np.mean([seen(lambda i, n, block, number=number: i // block == number)(keys=keys, block=block, **at)
                    for number in blocks], axis=0)


ATTEND = named(
    ("the block's answers are averaged", block_means),
    ("the keys behind the last whole block are lost", seen(lambda i, n, block: i < n // block * block)),
    ("the division by the total is missing",
     {"of": lambda scores: np.exp(scores - scores.max(axis=1, keepdims=True))}), right=true_attend)


@first_wrong
def judge_blocks(problems, answers, records):
    """Of right numbers: by the steps in Python, by the memory that was needed, and by how often a key was looked at."""
    at = {problem.name: i for i, problem in enumerate(problems)}
    many, two, short, one = (records[at[name]] for name in (MANY_BLOCKS, TWO_BLOCKS, TWO_SHORT, ONE_QUERY))
    keys, queries = (len(problems[at[MANY_BLOCKS]].inputs[name]) for name in ("keys", "queries"))
    table, blocks = 8 * queries * keys, keys // problems[at[MANY_BLOCKS]].inputs["block"]
    yield two.steps - short.steps > keys / 2, "it goes through the keys one by one", at[TWO_BLOCKS]
    yield many.steps - two.steps < blocks / 2, "the keys do not come block by block", at[MANY_BLOCKS]
    yield (many.memory > 0.6 * table, "the whole table is in memory", at[MANY_BLOCKS],
           {"held": f"{many.memory / 1e6:.2f}", "table": f"{table / 1e6:.2f}"})
    yield one.noted["keys"]["visits"] > 1, "it reads the keys twice", at[TWO_SHORT]


MERGE = named(
    ("the sums are added without rescaling", {"first": one, "second": one}),
    ("the sums of the first are not rescaled", {"first": one}),
    *of_the_state(true_merge), right=true_merge)
