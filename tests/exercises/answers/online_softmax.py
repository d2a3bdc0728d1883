"""Right and wrong answers to `workbook.exercises.online_softmax`; test_answers.py says how they are written."""
from exercises.model_answers import online_softmax as model

RIGHT = {"attend_in_blocks": {"split": (
    model.attend_in_blocks, "for start in range(0, len(keys), block)",
    "parts = np.split(keys, range(block, len(keys), block))\n"
    "    for start, few in zip(range(0, len(keys), block), parts)", "keys[part]", "few")}}

GUARD, START = "np.where(np.isneginf(new), 0.0, new)", "    state = np.full"
ALTERED = {
    "absorb": [(model.absorb, "    shift =", "    if new == largest == score:\n        return largest, total, pooled\n"
                "    shift =", "“an equal score” does not"),
               (model.absorb, "    shift =", "    if pooled == 0 and score > -np.inf:\n"
                "        return score, 1.0, value\n    shift =", "“values that cancel so far” does not")],
    "absorb_block": [
        (model.absorb_block, "np.exp(scores - shift[:, None])",
         "np.isfinite(scores).all(axis=1)[:, None] * np.exp(scores - shift[:, None])", "“some keys masked” does not"),
        (model.absorb_block, "fresh = np.exp(scores", "fresh = np.exp(np.where(np.isneginf(scores), -1e3, scores)",
         "infinity where a number was expected"),
        (model.absorb_block, GUARD, "new if np.isneginf(largest).all() else " + GUARD, "NaN where a number")],
    "attend_in_blocks": [
        (model.attend_in_blocks, START, "    block = len(keys)\n" + START,
         "the keys do not come block by block"),
        (model.attend_in_blocks, START, "    kept = []\n" + START, "    state = absorb",
         "    kept.append(scores)\n        state = absorb", "the whole table is in memory"),
        (model.attend_in_blocks, START, "    block = 1\n" + START, "the keys one by one"),
        (model.attend_in_blocks, START, "    for start in range(0, len(keys), block):\n"
         "        queries[:, None] - keys[start:start + block]\n" + START, "it reads the keys twice"),
        (model.attend_in_blocks, "np.full(m, -np.inf)", "np.full(m, -1e9)", "NaN where a number was expected"),
        (model.attend_in_blocks, "-0.5 * ((queries[:, None] - keys[part]) / sigma) ** 2",
         "np.where(queries[:, None] == keys[part], -np.inf, -0.5 * ((queries[:, None] - keys[part]) / sigma) ** 2)",
         "“queries among the keys” does not")],
    "merge": [(model.merge, GUARD, "new if (largest_1 >= largest_2).all() else " + GUARD, "NaN where a number")],
}
