"""The induction task, its training, the models without torch, and the instruments that say what a head is."""
import sys

import numpy as np
import pytest
import shipped_runs
import torch

from workbook.labs import induction, induction_training, instruments, sequences
from workbook.labs.transformer import Transformer


@pytest.fixture(scope="module")
def run():
    return induction.train(steps=200, batch=24, seed=1)


@pytest.fixture(scope="module")
def fresh():
    return sequences.draw(count=150, seed=2)


def test_sequences_repeat_a_block_of_different_symbols_as_long_as_they_say():
    drawn, again, other = (sequences.draw(count=300, seed=seed) for seed in (3, 3, 4))
    assert np.array_equal(drawn.tokens, again.tokens) and not np.array_equal(drawn.tokens, other.tokens)
    assert set(drawn.lengths.tolist()) == set(range(5, 13)) and drawn.tokens.shape == (300, 32)
    for tokens, n, known in zip(drawn.tokens.tolist(), drawn.lengths.tolist(), drawn.known.tolist()):
        assert len(set(tokens[:n])) == n and tokens[n:] == tokens[:-n]
        assert known == [tokens[i] in tokens[:i] for i in range(31)]
    assert set(sequences.draw(count=20, lengths=(6, 6), seed=0).lengths.tolist()) == {6}


def test_the_model_learns_to_continue_what_it_has_never_seen_and_knew_nothing_before(run, fresh):
    assert sequences.accuracy(run.model, fresh) > 0.95
    assert sequences.accuracy(run.at(0), fresh) < 0.25
    assert induction_training.loss(run.network, fresh) < 0.3 and run.history.loss[0] > 2


def test_each_step_can_be_restored_and_the_same_seed_gives_the_same_run(run):
    before = torch.random.get_rng_state()
    one, again, other = (induction.train(steps=3, batch=4, seed=seed) for seed in (1, 1, 2))
    assert torch.equal(torch.random.get_rng_state(), before)
    np.testing.assert_array_equal(one.history.loss, again.history.loss)
    assert one.history.loss[0] != other.history.loss[0] and run.history.steps == 200 == run.steps[-1]
    assert all(np.array_equal(run.model.parameters[name], x.detach()) for name, x in run.network.named_parameters())
    assert not np.array_equal(one.at(0).parameters["read.weight"], one.model.parameters["read.weight"])


@pytest.mark.parametrize("ahead, changes", [(0, False), (1, True)])
def test_a_query_sees_as_many_tokens_ahead_as_it_may(ahead, changes):
    model = induction_training.SmallTransformer(layers=1, ahead=ahead)
    tokens = torch.tensor([[0, 1, 2, 3], [0, 1, 5, 3]])
    one, other = model(tokens)[:, 1].detach()
    assert torch.allclose(one, other) != changes


@torch.no_grad()
@pytest.mark.parametrize("options", [{}, {"layers": 3, "heads": 4}, {"reach": 0}], ids=str)
def test_numpy_and_torch_say_the_same(options, fresh):
    torch.manual_seed(3)
    network = induction_training.SmallTransformer(**options)
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.3)       # the bias by distance begins with zeros
    for dtype, far in (torch.float32, 1e-4), (torch.float64, 1e-6):
        model = Transformer({name: x.numpy() for name, x in network.to(dtype).named_parameters()})
        for tokens in fresh.tokens, fresh.tokens[0, :9]:
            np.testing.assert_allclose(model(tokens), network(tokens), rtol=0, atol=far)
            expected = torch.stack([block.heads.attention_weights for block in network.blocks]).movedim(-3, 1)
            np.testing.assert_allclose(model.attention(tokens), expected, rtol=0, atol=far)
        assert model(tokens).dtype == np.dtype(str(dtype).removeprefix("torch."))


def test_heads_that_are_off_write_nothing(run, fresh):
    model, tokens = run.model, fresh.tokens[:20]
    x = model.embed(tokens)
    whole, one, other, none = (model.without([(0, head) for head in heads]).attend(0, x)[0]
                               for heads in ((), (0,), (1,), (0, 1)))
    np.testing.assert_allclose(one + other - none, whole, atol=1e-5)
    np.testing.assert_allclose(none, np.broadcast_to(model.parameters["blocks.0.heads.w_o.bias"], whole.shape))
    np.testing.assert_array_equal(run.model(tokens), model(tokens))                  # which has not changed


def test_keys_of_the_second_layer_can_be_read_without_the_first(run, fresh):
    model, tokens = run.model, fresh.tokens[:20]
    np.testing.assert_allclose(instruments.read_without(model, tokens, [], "keys"), model(tokens), atol=1e-5)
    whole, lacking = (torch.tensor(each.block(0, model.embed(tokens))[0]) for each in (model, model.without([(0, 0)])))
    network, mask = run.network, torch.ones(32, 32, dtype=torch.bool).tril()
    second = network.blocks[1]
    for what, weight in (("queries", "w_q"), ("keys", "w_k"), ("values", "w_v")):
        def without_head(_, arguments):
            return (second.norms[0](lacking),)

        hook = getattr(second.heads, weight).register_forward_pre_hook(without_head)
        with torch.no_grad():
            expected = network.read(network.norm(second(whole, mask)))
        hook.remove()
        np.testing.assert_allclose(instruments.read_without(model, tokens, [(0, 0)], what), expected, atol=1e-4)
        assert not np.allclose(expected, model(tokens), atol=1e-3)


def test_circuits_of_a_head_are_what_it_does_where_a_token_holds_nothing_else(run):
    """Attention to one token copies it; scores of two tokens for one query differ as the circuit says."""
    model, alone = run.model, np.arange(12)[:, None]                                 # (12, 1): sequences of one token
    for name in [name for name in model.parameters if name.endswith("w_o.bias")]:
        model.parameters[name] = np.zeros(32)
    found, x = instruments.circuits(model, 1), model.embed(alone)                    # (12, 1, w)

    def attend(layer, x, model=model):
        return model.attend(layer, model.norm(f"blocks.{layer}.norms.0", x))

    copied = model.read_out(attend(1, x, model.without([(1, 0)]))[0])[:, 0]
    np.testing.assert_allclose(found["copied"], copied, atol=1e-4)
    for name, keys in ("written", attend(0, x)[0]), ("own", x):
        three = np.zeros((12, 12, 3, 32))                                            # two tokens, and one that asks
        three[:, :, 0], three[:, :, 1], three[:, :, 2] = keys[:, 0], keys[0, 0], x
        scores = np.log(attend(1, three)[1][:, :, 1, 2, :2])                         # (12, 12, 2)
        bias = model.parameters["blocks.1.heads.bias"][1, [2, 1]]
        expected = (found[name] - found[name][:, :1]) / 4 + bias[0] - bias[1]
        np.testing.assert_allclose(scores[..., 0] - scores[..., 1], expected, atol=0.01)


def test_what_is_shipped_was_trained_by_this_code(interrupted, monkeypatch, tmp_path):
    run = interrupted(induction_training, "loss", 20, seed=0)
    monkeypatch.setattr(induction_training, "train", lambda seed, **_: run)
    monkeypatch.setattr(induction, "STEPS", (0, 20))
    shipped_runs.make_induction(tmp_path / "again.npz", {"whole": {}, "sees one ahead": {"ahead": 1}}, seeds=1)
    with np.load(tmp_path / "again.npz") as again, np.load(induction.FILE) as stored:
        assert set(again.files) <= set(stored.files)
        assert {name for name in stored.files if not name.startswith("accuracy")} <= set(again.files)
        for name in again.files:                        # another processor parts ways slowly
            if name.startswith("path"):
                np.testing.assert_allclose(again[name], stored[name][:2], atol=5e-3, err_msg=name)


def test_the_first_shipped_model_has_a_path(fresh):
    shipped = induction.shipped()
    assert set(shipped_runs.CONTROLS) < set(shipped.accuracies)
    assert sequences.accuracy(shipped.run.at(0), fresh) < 0.25
    first = shipped.models[0].parameters
    assert all(np.array_equal(x, first[name]) for name, x in shipped.run.model.parameters.items())


def test_without_torch_training_says_that_it_shows_the_model_as_it_was_trained(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "workbook.labs.induction_training")
    run = induction.train(seed=0, progress=True)
    assert run is induction.shipped().run and repr(run) == "Run(2 layers, 300 steps, trained beforehand)"
    assert "You see the model as it was trained" in capsys.readouterr().out


def test_distance_explains_all_of_a_kernel_of_position_and_little_of_a_head_of_content():
    place = np.arange(20)
    back = place[:, None] - place
    kernel = np.tril(np.exp(-back / 2.0))
    mean, share = instruments.by_distance(kernel / kernel.sum(axis=1, keepdims=True))
    assert share > 0.95 and np.all(np.diff(mean) < 0)
    content = np.tril(np.ones((20, 20)) * (place % 5 == 0))
    content[0, 0] = 1.0
    assert instruments.by_distance(content / content.sum(axis=1, keepdims=True))[1] < 0.4
