"""Right and wrong answers to `workbook.exercises.one_head`; test_answers.py says how they are written."""
import torch
from exercises.model_answers import one_head as model


def mask_by_places(t):
    place = torch.arange(t)
    return place[:, None] >= place


def bias_by_one_hot(bias, t):
    """A table of switches, (t, t, r), times the numbers."""
    distance = torch.arange(t)[:, None] - torch.arange(t)
    switch = torch.nn.functional.one_hot(torch.clip(distance, 0, bias.shape[0] - 1), bias.shape[0])
    return switch.to(bias.dtype) @ bias


def attend_by_torch(q, k, v, bias):
    """torch's own, with the causal mask as a bias of −∞."""
    hidden = torch.full(bias.shape[-2:], -torch.inf, dtype=q.dtype).triu(1)
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, bias + hidden)


def heads_by_unflatten(q, k, v, bias):
    split = [x.unflatten(-1, (bias.shape[0], -1)).permute(1, 0, 2) for x in (q, k, v)]
    return model.attend(*split, bias).permute(1, 0, 2).flatten(1)


def induction_by_weights(x, bias, match):
    """Without attend: both tables of weights."""
    hidden = torch.zeros(x.shape[-2], x.shape[-2], dtype=x.dtype).masked_fill(~mask_by_places(x.shape[-2]), -torch.inf)
    first = torch.softmax(bias_by_one_hot(bias, x.shape[-2]) + hidden, -1)
    scores = (x @ match) @ (first @ x).mT / x.shape[-1] ** 0.5
    return torch.softmax(scores + hidden, -1) @ x


def loss_by_gather(shares, x, known):
    following = x.argmax(-1)[:, 1:, None]
    return -shares[:, :-1].gather(-1, following)[..., 0][known].log().mean()


RIGHT = {
    "causal_mask": {"places": mask_by_places},
    "distance_bias": {"switches": bias_by_one_hot},
    "attend": {"torch's own": attend_by_torch},
    "many_heads": {"unflatten": heads_by_unflatten},
    "induction_head": {"tables of weights": induction_by_weights,
                       "a bias of zeros": (model.induction_head, "torch.zeros(t, t)", "0 * distance_bias(bias, t)")},
    "next_token_loss": {"gather": loss_by_gather},
    "train": {"emptied afterwards": (model.train, "optimiser.zero_grad()\n", "pass\n",
                                     "optimiser.step()", "optimiser.step()\n        optimiser.zero_grad()")},
}

WRONG = {"causal_mask": {"ones and zeros": (lambda t: torch.ones(t, t, dtype=torch.float64).tril(),
                                            "numbers where truth values were expected")}}

LATER, SMALL = "“later keys with scores of 10¹²” does not", "“small shares” does not"
ALTERED = {
    "attend": [(model.attend, "scores.masked_fill(~causal_mask(t), -torch.inf)", "scores - ~causal_mask(t) * 1e9",
                LATER),
               (model.attend, "-torch.inf)", "-1e9)", "does not"),
               (model.attend, "return torch.softmax(scores, dim=-1)", "powers = torch.exp(scores - scores.max())\n"
                "    return powers / powers.sum(dim=-1, keepdim=True)", "NaN where a number was expected"),
               (model.attend, "+ bias", "+ (bias[:, None] if q.ndim == 4 and len(bias) == len(q) else bias)",
                "“two sequences, two heads” does not")],
    "distance_bias": [(model.distance_bias, "len(bias) - 1", "min(len(bias) - 1, 8)", "“thirteen tokens")],
    "induction_head": [(model.induction_head, "x.shape[-2]", "x.shape[1] if x.ndim > 2 else len(x)", "on 1 of"),
                       (model.induction_head, "distance_bias(bias, t)", "distance_bias(bias, t).clamp(min=-1e3)",
                        "“low numbers in bias” does not")],
    "next_token_loss": [(model.next_token_loss, "right[known]", "right[known].clamp(min=1e-3)", SMALL),
                        (model.next_token_loss, "right[known]", "right[known] + 1e-9", "nearly right")],
}
