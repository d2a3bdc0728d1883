"""A transformer block against torch's own modules, and against loops over numbers for what those cannot do."""
import math

import pytest
import torch

import nwlab
from nwlab.block import Block

T, W, H = 7, 12, 3


def causal(t=T):
    return torch.ones(t, t, dtype=torch.bool).tril()


def padded(batch=2, t=T):
    """A mask for each sequence of its own: the last keys of the second are padding."""
    mask = causal(t).repeat(batch, 1, 1, 1)
    mask[1, ..., 4:] = False
    mask[1, ..., 0] = True
    return mask


MASKS = {"none": None, "causal": causal(), "padded": padded()}


@pytest.fixture(params=[0, 4], ids=["no bias", "bias"])
def block(request):
    torch.manual_seed(1)
    block = Block(W, H, reach=request.param).double()
    torch.nn.init.normal_(block.heads.bias)
    for norm in block.norms:
        torch.nn.init.normal_(norm.weight, mean=1.0)
    return block


@pytest.fixture
def x():
    return torch.randn(2, T, W, generator=torch.Generator().manual_seed(2), dtype=torch.float64)


def as_torch_wants_it(heads, mask):
    """Bias and mask as one float mask (2 * h, t, t), which is how torch's modules can be given both."""
    place = torch.arange(T)
    distance = (place[:, None] - place).clamp(0, max(heads.bias.shape[1] - 1, 0))
    added = heads.bias[:, distance] if heads.bias.shape[1] else torch.zeros(H, T, T, dtype=torch.float64)
    added = added.expand(2, H, T, T)
    return (added if mask is None else added.masked_fill(~mask, -math.inf)).reshape(2 * H, T, T)


def fill(theirs, heads):
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([heads.w_q.weight, heads.w_k.weight, heads.w_v.weight]))
        theirs.in_proj_bias.copy_(torch.cat([heads.w_q.bias, heads.w_k.bias, heads.w_v.bias]))
    theirs.out_proj.load_state_dict(heads.w_o.state_dict())


@pytest.mark.parametrize("mask", MASKS.values(), ids=MASKS)
def test_a_block_is_torchs_encoder_layer_its_heads_torchs_attention_and_so_are_gradients(block, x, mask):
    theirs = torch.nn.TransformerEncoderLayer(W, H, 4 * W, dropout=0.0, batch_first=True, norm_first=True).double()
    fill(theirs.self_attn, block.heads)
    for ours, other in ((block.mlp[0], theirs.linear1), (block.mlp[2], theirs.linear2), (block.norms[0], theirs.norm1),
                        (block.norms[1], theirs.norm2)):
        other.load_state_dict(ours.state_dict())
    added = as_torch_wants_it(block.heads, mask).detach()
    _, weights = theirs.self_attn(x, x, x, attn_mask=added, average_attn_weights=False)
    block.heads(x, mask)
    torch.testing.assert_close(block.heads.attention_weights, weights, rtol=0, atol=1e-6)
    ours, expected = block(x, mask), theirs(x, added)
    torch.testing.assert_close(ours, expected, rtol=0, atol=1e-6)
    ours.square().sum().backward()
    expected.square().sum().backward()
    torch.testing.assert_close(block.mlp[0].weight.grad, theirs.linear1.weight.grad, rtol=1e-6, atol=1e-6)
    torch.testing.assert_close(block.heads.w_k.weight.grad, theirs.self_attn.in_proj_weight.grad[W:2 * W], rtol=1e-6,
                               atol=1e-6)


def test_a_query_without_a_key_is_warned_of_at_the_line_that_calls_the_module(block, x):
    mask = causal()
    mask[2] = False
    with pytest.warns(nwlab.EmptyWindowWarning, match="6 of 42 queries have no key left") as caught:
        block(x, mask)
    assert caught[0].filename == __file__
