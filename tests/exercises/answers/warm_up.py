"""Right and wrong answers to `nwlab.exercises.warm_up`. WRONG: the answer, and words its message contains."""
import math

import numpy as np
import torch

import nwlab

# --- right


def differences(queries, keys):
    return queries[:, None] - keys[None, :]


def differences_in_torch(queries, keys):
    return torch.tensor(queries).unsqueeze(1) - torch.tensor(keys)


def differences_in_float32(queries, keys):
    return np.expand_dims(queries.astype(np.float32), 1) - keys.astype(np.float32)


def differences_by_copies(queries, keys):
    m, n = len(queries), len(keys)
    return np.repeat(queries, n).reshape(m, n) - np.tile(keys, (m, 1))


def scores_of(queries, keys, sigma):
    return -0.5 * (differences(queries, keys) / sigma) ** 2


def scores_by_loop(queries, keys, sigma):
    table = np.zeros((len(queries), len(keys)))
    for i in range(len(queries)):
        for j in range(len(keys)):
            table[i, j] = -(queries[i] - keys[j]) ** 2 / (2 * sigma**2)
    return table


def scores_in_torch(queries, keys, sigma):
    return torch.tensor(differences(queries, keys)).div(sigma).square() / -2


def scores_in_float32(queries, keys, sigma):
    return scores_of(queries.astype(np.float32), keys.astype(np.float32), np.float32(sigma))


def weights_of(scores):
    exps = np.exp(scores - np.max(scores, axis=1, keepdims=True))
    return exps / np.sum(exps, axis=1, keepdims=True)


def weights_by_loop(scores):
    rows = []
    for row in scores:
        exps = [math.exp(s - max(row)) for s in row]
        rows.append([e / sum(exps) for e in exps])
    return np.array(rows)


def weights_by_transposing(scores):
    exps = np.exp(scores.T - scores.max(axis=1))
    return (exps / exps.sum(axis=0)).T


def weights_in_torch(scores):
    return torch.softmax(torch.tensor(scores), dim=-1)


def weights_by_logarithms(scores):
    return np.exp(scores - np.logaddexp.reduce(scores, axis=1)[:, None])


def pool(weights, values):
    return weights @ values


def pool_by_loop(weights, values):
    answers = []
    for row in weights:
        answer = 0 * values[0]
        for weight, value in zip(row, values):
            answer = answer + weight * value
        answers.append(answer)
    return np.array(answers)


def pool_by_einsum(weights, values):
    return np.einsum("mn,n...->m...", weights, values)


def pool_in_torch(weights, values):
    return torch.tensor(weights) @ torch.tensor(values)


def pool_in_float32(weights, values):
    return np.dot(weights.astype(np.float32), values.astype(np.float32))


def attend(queries, keys, values, sigma):
    return pool(weights_of(scores_of(queries, keys, sigma)), values)


def attend_by_loop(queries, keys, values, sigma):
    answers = np.zeros(len(queries))
    for i, query in enumerate(queries):
        scores = [-0.5 * ((query - key) / sigma) ** 2 for key in keys]
        exps = [math.exp(s - max(scores)) for s in scores]
        answers[i] = sum(e * value for e, value in zip(exps, values)) / sum(exps)
    return answers


def attend_in_torch(queries, keys, values, sigma):
    q, k, v = map(torch.tensor, (queries, keys, values))
    return torch.softmax(-((q[:, None] - k) / sigma) ** 2 / 2, dim=1) @ v


def attend_in_float32(queries, keys, values, sigma):
    q, k, v = (x.astype(np.float32) for x in (queries, keys, values))
    return attend(q, k, v, np.float32(sigma))


def pool_batches(weights, values):
    return torch.bmm(weights, values)


def batches_by_operator(weights, values):
    return weights @ values


def batches_by_einsum(weights, values):
    return torch.einsum("bmn,bnc->bmc", weights, values)


def batches_by_loop(weights, values):
    pooled = []
    for w, v in zip(weights, values):
        pooled.append(w @ v)
    return torch.stack(pooled)


def batches_by_sum(weights, values):
    return (weights[:, :, :, None] * values[:, None, :, :]).sum(dim=2)


def batches_in_float32(weights, values):
    return torch.bmm(weights.float(), values.float())


def scores_of_rows(queries, keys, sigma):
    return -0.5 * ((queries.reshape(-1, 1) - keys) / sigma) ** 2


def rows_by_asking(queries, keys, sigma):
    if queries.ndim == 1:
        queries = queries.unsqueeze(1)
    return -(((queries - keys) / sigma) ** 2) / 2


def rows_by_loop(queries, keys, sigma):
    scores = torch.zeros_like(keys)
    for i, query in enumerate(queries.flatten()):
        scores[i] = -0.5 * ((query - keys[i]) / sigma) ** 2
    return scores


def rows_by_repeating(queries, keys, sigma):
    copies = queries.flatten().repeat_interleave(keys.shape[1]).reshape(keys.shape)
    return -0.5 * ((copies - keys) / sigma) ** 2


def rows_in_float32(queries, keys, sigma):
    return scores_of_rows(queries.float(), keys.float(), sigma)


RIGHT = {
    "differences": {"broadcast": differences, "outer": lambda queries, keys: np.subtract.outer(queries, keys),
                    "torch": differences_in_torch, "float32": differences_in_float32, "copies": differences_by_copies},
    "scores_of": {"broadcast": scores_of, "loop": scores_by_loop, "torch": scores_in_torch, "float32": scores_in_float32},
    "weights_of": {"keepdims": weights_of, "loop": weights_by_loop, "transposed and back": weights_by_transposing,
                   "torch": weights_in_torch, "logarithms": weights_by_logarithms},
    "pool": {"product": pool, "loop": pool_by_loop, "einsum": pool_by_einsum, "torch": pool_in_torch, "float32": pool_in_float32},
    "attend": {"parts": attend, "loop": attend_by_loop, "torch": attend_in_torch, "float32": attend_in_float32},
    "pool_batches": {"bmm": pool_batches, "@": batches_by_operator, "einsum": batches_by_einsum, "loop": batches_by_loop,
                     "broadcast and sum": batches_by_sum, "float32": batches_in_float32},
    "scores_of_rows": {"reshape": scores_of_rows, "asking ndim": rows_by_asking, "loop": rows_by_loop,
                       "repeat_interleave": rows_by_repeating, "float32": rows_in_float32},
}

# --- wrong


def _stub(name):
    raise NotImplementedError(f"write {name}")


def differences_by_loop(queries, keys):
    return np.array([q - keys for q in queries])


def shifting_in_place(scores):
    scores -= scores.max(axis=1, keepdims=True)
    exps = np.exp(scores)
    return exps / exps.sum(axis=1, keepdims=True)


def forgot_return(scores):
    exps = np.exp(scores - scores.max(axis=1, keepdims=True))
    exps / exps.sum(axis=1, keepdims=True)


def softmax_of_a_column(scores):
    exps = np.exp(scores - scores.max(axis=1, keepdims=True))
    return exps / exps.sum(axis=1)


def without_keepdims(scores):
    exps = np.exp(scores - scores.max(axis=1))
    return exps / exps.sum(axis=1)


def unshifted(scores):
    return np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)


def _shifted_by_mean(queries, keys, sigma):
    scores = scores_of(queries, keys, sigma)
    return unshifted(scores - scores.mean(axis=1, keepdims=True))


def always_unsqueeze(queries, keys, sigma):
    return -0.5 * ((queries.unsqueeze(1) - keys) / sigma) ** 2


def with_squeeze(queries, keys, sigma):
    return -0.5 * ((queries.squeeze().unsqueeze(1) - keys) / sigma) ** 2


def squeezed_columns(queries, keys, sigma):
    if queries.ndim == 2:
        queries = queries.squeeze()
    return -0.5 * ((queries[:, None] - keys) / sigma) ** 2


def repeated(queries, keys, sigma):
    n = keys.shape[1]
    return -0.5 * ((queries.flatten().repeat(n).reshape(-1, n) - keys) / sigma) ** 2


WRONG = {
    "differences": {
        "stub": (lambda queries, keys: _stub("differences"), "not written yet"),
        "sign": (lambda queries, keys: keys - queries[:, None], "keys minus queries"),
        "no axis": (lambda queries, keys: queries - keys, "no axis was added"),
        "row": (lambda queries, keys: queries[None] - keys, "the queries became a row"),
        "both": (lambda queries, keys: queries[:, None] - keys[:, None], "both are columns"),
        "transposed": (lambda queries, keys: queries - keys[:, None], "the keys run down the rows"),
        "both swapped": (lambda queries, keys: keys[:, None] - queries[None, :], "keys minus queries, and the keys run"),
        "distances": (lambda queries, keys: np.abs(queries[:, None] - keys), "without their sign"),
        "squared": (lambda queries, keys: (queries[:, None] - keys) ** 2, "are squared"),
        "loop": (differences_by_loop, "a loop in Python"),
        "three axes": (lambda queries, keys: differences(queries, keys)[:, :, None], "an axis of length 1 too many"),
        "list": (lambda queries, keys: differences(queries, keys).tolist(), "a list where an array"),
        "by hand": (lambda queries, keys: np.array([[40.0, 10.0, -30.0], [20.0, -10.0, -50.0]]), "the same answer to every"),
    },
    "scores_of": {
        "other stub": (lambda queries, keys, sigma: _stub("differences"), "it calls differences, which is not written"),
        "minus": (lambda queries, keys, sigma: 0.5 * (differences(queries, keys) / sigma) ** 2, "the minus is missing"),
        "½": (lambda queries, keys, sigma: -((differences(queries, keys) / sigma) ** 2), "the ½ is missing"),
        "½ squared": (lambda queries, keys, sigma: -((0.5 * differences(queries, keys) / sigma) ** 2), "the ½ is squared too"),
        "minus squared": (lambda queries, keys, sigma: (-0.5 * differences(queries, keys) / sigma) ** 2, "the minus and the ½ are squared"),
        "neither": (lambda queries, keys, sigma: (differences(queries, keys) / sigma) ** 2, "the minus and the ½ are missing"),
        "σ": (lambda queries, keys, sigma: -0.5 * differences(queries, keys) ** 2 / sigma, "σ where σ² belongs"),
        "no σ": (lambda queries, keys, sigma: -0.5 * differences(queries, keys) ** 2, "σ is left out"),
        "times σ": (lambda queries, keys, sigma: -0.5 * (differences(queries, keys) * sigma) ** 2, "multiplied by σ"),
        "precedence": (lambda queries, keys, sigma: -0.5 * differences(queries, keys) / sigma**2, "differences are not squared"),
        "no square": (lambda queries, keys, sigma: -0.5 * differences(queries, keys) / sigma, "nothing is squared"),
        "distance": (lambda queries, keys, sigma: -0.5 * np.abs(differences(queries, keys) / sigma), "the distance, not its"),
        "exp": (lambda queries, keys, sigma: np.exp(scores_of(queries, keys, sigma)), "kernel values"),
        "weights": (lambda queries, keys, sigma: weights_of(scores_of(queries, keys, sigma)), "weights already"),
        "transposed": (lambda queries, keys, sigma: scores_of(queries, keys, sigma).T, "the wrong axis"),
        "no table": (lambda queries, keys, sigma: -0.5 * ((queries - keys) / sigma) ** 2, "raises ValueError"),
        "arguments": (lambda queries, keys: scores_of(queries, keys, 20.0), "it takes other arguments"),
        "fixed width": (lambda queries, keys, sigma: scores_of(queries, keys, 20.0), "a factor is wrong that changes"),
    },
    "weights_of": {
        "wrong axis": (lambda scores: weights_of(scores.T).T, "the columns sum to one"),
        "wrong axis unshifted": (lambda scores: np.exp(scores) / np.exp(scores).sum(axis=0), "the columns sum to one, and no"),
        "everything": (lambda scores: np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum(), "the whole table sums"),
        "everything unshifted": (lambda scores: np.exp(scores) / np.exp(scores).sum(), "the whole table sums to one, and no"),
        "unshifted": (unshifted, "no shift: 0/0 or ∞/∞"),
        "one shift": (lambda scores: unshifted(scores - scores.max()), "one shift for the whole table"),
        "shift over queries": (lambda scores: unshifted(scores - scores.max(axis=0)), "taken over the queries"),
        "sum over queries": (lambda scores: np.exp(scores - scores.max(1, keepdims=True))
                             / np.exp(scores - scores.max(1, keepdims=True)).sum(0), "the sum is taken over the queries"),
        "smallest": (lambda scores: unshifted(scores - scores.min(axis=1, keepdims=True)), "the smallest score"),
        "keepdims of the sum": (softmax_of_a_column, "the sums are (m,)"),
        "keepdims unshifted": (lambda scores: np.exp(scores) / np.exp(scores).sum(axis=1), "the sums are (m,), not (m, 1), and"),
        "keepdims of the shift": (lambda scores: unshifted(scores - scores.max(axis=1)), "the largest scores are (m,)"),
        "keepdims of both": (without_keepdims, "the largest scores and the sums are (m,)"),
        "not divided": (lambda scores: np.exp(scores - scores.max(axis=1, keepdims=True)), "the normalisation is missing"),
        "only exp": (np.exp, "the normalisation is missing, and no shift"),
        "no exp": (lambda scores: scores / scores.sum(axis=1, keepdims=True), "nothing is exponentiated"),
        "minus": (lambda scores: weights_of(-scores), "the softmax of minus"),
        "hard": (lambda scores: (scores == scores.max(axis=1, keepdims=True)).astype(float), "hard attention"),
        "clipped": (lambda scores: unshifted(np.clip(scores, -700, 700)), "cut off"),
        "mean": (lambda scores: unshifted(scores - scores.mean(axis=1, keepdims=True)), "the mean of the row is subtracted"),
        "mean of all": (lambda scores: unshifted(scores - scores.mean()), "the mean of the whole table"),
        "median": (lambda scores: unshifted(scores - np.median(scores, axis=1, keepdims=True)), "NaN where a number"),
        "middle": (lambda scores: unshifted(scores - (scores.max(1, keepdims=True) + scores.min(1, keepdims=True)) / 2),
                   "NaN where a number"),
        "first": (lambda scores: unshifted(scores - scores[:, :1]), "NaN where a number"),
        "added": (lambda scores: unshifted(scores + scores.max(axis=1, keepdims=True)), "the wrong sign of the shift"),
        "nan_to_num": (lambda scores: np.nan_to_num(unshifted(scores)), "the NaN is hidden, not avoided: 0"),
        "NaN is 1/n": (lambda scores: np.where(np.isnan(unshifted(scores)), 1 / scores.shape[1], unshifted(scores)),
                       "the NaN is hidden, not avoided: 1/n"),
        "NaN is 1": (lambda scores: np.nan_to_num(unshifted(scores), nan=1.0), "the NaN is hidden, not avoided: 1 stands"),
        "mean, nan_to_num": (lambda scores: np.nan_to_num(unshifted(scores - scores.mean(axis=1, keepdims=True))),
                             "the NaN is hidden, not avoided: 0 stands in its place, behind a shift by the mean"),
        "ε unshifted": (lambda scores: np.exp(scores) / (np.exp(scores).sum(1, keepdims=True) + 1e-12), "a small number in the denom"),
        "ε": (lambda scores: np.exp(np.minimum(scores, 0)) / (np.exp(np.minimum(scores, 0)).sum(1, keepdims=True) + 1e-12),
              "problems hold, this one does not"),
        "mutates": (shifting_in_place, "changes its inputs (scores)"),
        "nothing": (forgot_return, "returns nothing"),
        "uniform": (lambda scores: np.full(scores.shape, 1 / 3), "everywhere, whatever the inputs"),
        "transposed": (lambda scores: weights_of(scores).T, "the wrong axis: rows and columns"),
    },
    "pool": {
        "mean": (lambda weights, values: (weights[:, :, None] * values.reshape(len(values), -1)).mean(1).reshape(
            len(weights), *values.shape[1:]), "the mean of weight × value"),
        "average": (lambda weights, values: np.tile(values.mean(axis=0), (len(weights), *[1] * (values.ndim - 1))),
                    "average pooling"),
        "transposed": (lambda weights, values: weights.T @ values, "the sum runs over the queries"),
        "other order": (lambda weights, values: values @ weights, "the values meet the queries"),
        "one value": (lambda weights, values: (weights * values).sum(axis=1), "for values (n,) only"),
        "unsummed": (lambda weights, values: weights * values, "not summed"),
        "unsummed, an axis more": (lambda weights, values: weights[..., None] * values, "not summed: (m, n, c)"),
        "over the queries": (lambda weights, values: (weights * values).sum(axis=0), "summed over the queries"),
        "over everything": (lambda weights, values: (weights * values).sum(), "summed over everything"),
        "several values only": (lambda weights, values: (weights[..., None] * values).sum(axis=1), "for values (n, c) only"),
        "over the last axis": (lambda weights, values: (weights[..., None] * values).sum(axis=-1), "summed over the last axis"),
        "mean of one value": (lambda weights, values: (weights * values).mean(axis=1), "the mean of weight × value, for values (n,)"),
        "values transposed": (lambda weights, values: weights @ values.T, "n meets c"),
        "softmax": (lambda weights, values: weights_of(weights) @ values, "a softmax of the weights"),
        "hard": (lambda weights, values: values[np.argmax(weights, axis=1)], "hard attention"),
        "everything": (lambda weights, values: (weights @ values).sum(), "one number where an array"),
        "keepdims": (lambda weights, values: (weights @ values)[..., None], "an axis of length 1 too many"),
        "half": (lambda weights, values: weights @ values / 2, "0.5 times the right one"),
        "list": (lambda weights, values: (weights @ values).tolist(), "a list where an array"),
    },
    "attend": {
        "keys": (lambda queries, keys, values, sigma: weights_of(scores_of(queries, keys, sigma)) @ keys, "keys where values"),
        "values": (lambda queries, keys, values, sigma: attend(queries, values, values, sigma), "values where keys"),
        "swapped": (lambda queries, keys, values, sigma: attend(keys, queries, values, sigma), "queries and keys are swapped"),
        "average": (lambda queries, keys, values, sigma: values.mean() + 0 * queries, "average pooling"),
        "nearest": (lambda queries, keys, values, sigma: values[np.abs(differences(queries, keys)).argmin(1)], "only the nearest"),
        "minus": (lambda queries, keys, values, sigma: weights_of(-scores_of(queries, keys, sigma)) @ values, "have no minus"),
        "½": (lambda queries, keys, values, sigma: attend(queries, keys, values, sigma / 2**0.5), "have no ½"),
        "σ": (lambda queries, keys, values, sigma: attend(queries, keys, values, sigma**0.5), "σ where σ² belongs"),
        "no σ": (lambda queries, keys, values, sigma: attend(queries, keys, values, 1.0), "σ is left out"),
        "wrong axis": (lambda queries, keys, values, sigma: weights_of(scores_of(queries, keys, sigma).T).T @ values,
                       "runs over the queries"),
        "not divided": (lambda queries, keys, values, sigma: np.exp(scores_of(queries, keys, sigma)) @ values,
                        "the normalisation is missing"),
        "scores": (lambda queries, keys, values, sigma: scores_of(queries, keys, sigma) @ values, "the softmax is missing"),
        "unshifted": (lambda queries, keys, values, sigma: unshifted(scores_of(queries, keys, sigma)) @ values, "NaN far from"),
        "mean shift": (lambda queries, keys, values, sigma: _shifted_by_mean(queries, keys, sigma) @ values, "shifted by their mean"),
        "added": (lambda queries, keys, values, sigma: (lambda scores: unshifted(scores + scores.max(1, keepdims=True)) @ values)(
            scores_of(queries, keys, sigma)), "the wrong sign of the shift"),
        "nan_to_num of weights": (lambda queries, keys, values, sigma: np.nan_to_num(unshifted(scores_of(queries, keys, sigma)))
                                  @ values, "the NaN is hidden, not avoided: 0 stands"),
        "nan_to_num of answers": (lambda queries, keys, values, sigma: np.nan_to_num(unshifted(scores_of(queries, keys, sigma))
                                  @ values), "the NaN is hidden, not avoided: 0 stands"),
        "mean shift, nan_to_num": (lambda queries, keys, values, sigma: np.nan_to_num(_shifted_by_mean(queries, keys, sigma)) @ values,
                                   "the NaN is hidden, not avoided: 0 stands in its place, behind"),
        "mean": (lambda queries, keys, values, sigma: (weights_of(scores_of(queries, keys, sigma)) * values).mean(1),
                 "the mean of weight × value"),
        "weights": (lambda queries, keys, values, sigma: weights_of(scores_of(queries, keys, sigma)), "the weights are returned"),
        "nwlab": (lambda queries, keys, values, sigma: nwlab.nadaraya_watson(queries, keys, values, bandwidth=sigma),
                  "calls nwlab's own nadaraya_watson"),
        "other stub": (lambda queries, keys, values, sigma: _stub("weights_of"), "it calls weights_of, which is not written"),
    },
    "pool_batches": {
        "mean": (lambda weights, values: weights @ values / weights.shape[-1], "the mean of weight × value"),
        "average": (lambda weights, values: values.mean(1, keepdim=True).expand(-1, weights.shape[1], -1), "average pooling"),
        "normalised": (lambda weights, values: weights / weights.sum(-1, keepdim=True) @ values, "normalised once more"),
        "weights transposed": (lambda weights, values: torch.bmm(weights.transpose(1, 2), values), "m meets n"),
        "values transposed": (lambda weights, values: torch.bmm(weights, values.transpose(1, 2)), "n meets c"),
        "other order": (lambda weights, values: torch.bmm(values, weights), "values @ weights"),
        "transposed": (lambda weights, values: (weights @ values).mT, "swapped: (b, c, m)"),
        "entry by entry": (lambda weights, values: weights * values, "not summed"),
        "entry by entry, axis 0": (lambda weights, values: (weights * values).sum(dim=0), "then a sum over axis 0"),
        "entry by entry, axis 1": (lambda weights, values: (weights * values).sum(dim=1), "then a sum over axis 1"),
        "entry by entry, axis 2": (lambda weights, values: (weights * values).sum(dim=-1), "then a sum over axis 2"),
        "entry by entry, all": (lambda weights, values: (weights * values).sum(), "then a sum over everything"),
        "no axis for queries": (lambda weights, values: (weights[..., None] * values).sum(dim=2), "the values have no axis for"),
        "no axis for queries, axis 1": (lambda weights, values: (weights[..., None] * values).sum(dim=1), "and the sum runs over axis 1"),
        "over the queries": (lambda weights, values: (weights[..., None] * values[:, None]).sum(dim=1), "summed over the queries"),
        "over the parts": (lambda weights, values: (weights[..., None] * values[:, None]).sum(dim=3), "summed over the parts"),
        "all products": (lambda weights, values: weights[..., None] * values[:, None], "not summed: (b, m, n, c)"),
        "softmax": (lambda weights, values: torch.softmax(weights, dim=2) @ values, "a softmax of the weights"),
        "squeeze(-1)": (lambda weights, values: (weights @ values).squeeze(-1), "the last axis is squeezed away"),
        "one batch's weights": (lambda weights, values: weights[0] @ values, "the first batch's weights"),
        "one batch's values": (lambda weights, values: weights @ values[0], "the first batch's values"),
        "one batch": (lambda weights, values: weights[0] @ values[0], "only the first batch"),
        "added up": (lambda weights, values: torch.einsum("bmn,bnc->mc", weights, values), "added up too"),
        "tensordot": (lambda weights, values: torch.tensordot(weights, values, dims=([2], [1])), "meets every batch"),
        "squeeze": (lambda weights, values: torch.bmm(weights, values).squeeze(), "every axis of length 1"),
        "NumPy": (lambda weights, values: np.matmul(weights.numpy(), values.numpy()), "NumPy where torch was asked"),
        "mutates": (lambda weights, values: weights.mul_(1.0) @ values.add_(1.0) - 1.0, "changes its inputs (values)"),
    },
    "scores_of_rows": {
        "no axis": (lambda queries, keys, sigma: -0.5 * ((queries - keys) / sigma) ** 2, "without an axis more"),
        "unsqueeze": (always_unsqueeze, "an axis too many"),
        "a row": (lambda queries, keys, sigma: -0.5 * ((queries.flatten()[None] - keys) / sigma) ** 2, "made a row"),
        "repeat": (repeated, "repeated in the wrong order"),
        "squeeze": (with_squeeze, "one query: squeeze() leaves no axis"),
        "squeezed columns": (squeezed_columns, "one query of shape (1, 1): squeeze()"),
        "first": (lambda queries, keys, sigma: -0.5 * ((queries.flatten()[0] - keys) / sigma) ** 2, "the first query"),
        "all rows": (lambda queries, keys, sigma: -0.5 * ((queries.reshape(-1, 1, 1) - keys) / sigma) ** 2, "meets every row"),
        "minus": (lambda queries, keys, sigma: -scores_of_rows(queries, keys, sigma), "the minus is missing"),
        "½": (lambda queries, keys, sigma: 2 * scores_of_rows(queries, keys, sigma), "the ½ is missing"),
        "σ": (lambda queries, keys, sigma: sigma * scores_of_rows(queries, keys, sigma), "σ where σ² belongs"),
        "no σ": (lambda queries, keys, sigma: scores_of_rows(queries, keys, 1.0), "σ is left out"),
        "weights": (lambda queries, keys, sigma: torch.softmax(scores_of_rows(queries, keys, sigma), 1), "weights already"),
        "NumPy": (lambda queries, keys, sigma: scores_of_rows(queries, keys, sigma).numpy(), "NumPy where torch was asked"),
        "in place": (lambda queries, keys, sigma: -0.5 * (keys.sub_(queries.reshape(-1, 1)) / sigma) ** 2, "changes its inputs"),
        "shape[1]": (lambda queries, keys, sigma: scores_of_rows(queries, keys, sigma) if queries.shape[1] == 1 else None,
                     "raises IndexError on some"),
    },
}
