"""One head of attention: its mask, its bias, several of them, two in a row that continue a sequence, and training."""
from functools import partial

from workbook.checks.item import Exercise, Item
from workbook.checks.notebook import publish
from nwlab.exercises.common import truth_values
from nwlab.exercises.one_head import figures, mistakes, model, problems

item = partial(Item, library="torch")

EXERCISE = Exercise(__name__, "One head of your own", (
    item("causal_mask", "The causal mask", "true where query i may attend to key j, (t, t): rows are queries",
         ("t",), problems.tokens, model.mask, (problems.TOKENS,), mistakes=mistakes.MASK, own_judge=truth_values),
    item("distance_bias", "A bias by distance",
         "for query i and key j the number in bias for the distance i − j, (t, t): rows are queries",
         ("bias", "t"), problems.distances, model.by_distance, (problems.BIAS,), mistakes=mistakes.BIAS, slope="bias"),
    item("attend", "One head", "what the head answers, (..., t, c): for each query the weighted average of the values",
         ("q", "k", "v", "bias"), problems.heads, model.attend, (problems.HEAD,), points=2, mistakes=mistakes.ATTEND),
    item("many_heads", "Several heads", "what the heads answer, side by side, (t, w)",
         ("q", "k", "v", "bias"), None, model.many_heads, (problems.HEADS,), mistakes=mistakes.HEADS),
    item("induction_head", "Two heads in a row",
         "for each token the share of each symbol that may come next, (..., t, s)", ("x", "bias", "match"),
         problems.repeats, model.induction_head, (problems.REPEATS,), mistakes=mistakes.INDUCTION, slope="bias"),
    item("next_token_loss", "The loss", "the mean of −log(the share of the token that does follow), one number",
         ("shares", "x", "known"), problems.shares, model.loss, (problems.SHARES,), mistakes=mistakes.LOSS,
         slope="shares"),
    item("train", "Training", f"two things: bias ({model.REACH},) and match (s, s), after so many steps",
         ("x", "known", "steps"), problems.runs, model.trained, mistakes=mistakes.TRAIN, tolerance=1e-4)))
publish(globals(), EXERCISE, figures)
