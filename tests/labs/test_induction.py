"""The induction task, its training, and the instruments that say what a head is."""
import numpy as np
import pytest
import shipped_runs
import torch

from workbook.labs import induction, instruments


@pytest.fixture(scope="module")
def run():
    return induction.train(steps=200, batch=24, seed=1)


@pytest.fixture(scope="module")
def sequences():
    return induction.draw(count=150, seed=2)


def test_sequences_repeat_a_block_of_different_symbols_as_long_as_they_say():
    drawn, again, other = (induction.draw(count=300, seed=seed) for seed in (3, 3, 4))
    assert torch.equal(drawn.tokens, again.tokens) and not torch.equal(drawn.tokens, other.tokens)
    assert set(drawn.lengths.tolist()) == set(range(5, 13)) and drawn.tokens.shape == (300, 32)
    for tokens, n, known in zip(drawn.tokens.tolist(), drawn.lengths.tolist(), drawn.known.tolist()):
        assert len(set(tokens[:n])) == n and tokens[n:] == tokens[:-n]
        assert known == [tokens[i] in tokens[:i] for i in range(31)]
    assert set(induction.draw(count=20, lengths=(6, 6), seed=0).lengths.tolist()) == {6}


def test_the_model_learns_to_continue_what_it_has_never_seen_and_knew_nothing_before(run, sequences):
    assert induction.accuracy(run.model, sequences) > 0.95
    assert induction.accuracy(run.at(0), sequences) < 0.25
    assert induction.loss(run.model, sequences) < 0.3 < induction.loss(run.at(0), sequences)


def test_each_step_can_be_restored_and_the_same_seed_gives_the_same_run(run):
    before = torch.random.get_rng_state()
    one, again, other = (induction.train(steps=3, batch=4, seed=seed) for seed in (1, 1, 2))
    assert torch.equal(torch.random.get_rng_state(), before)
    np.testing.assert_array_equal(one.history.loss, again.history.loss)
    assert one.history.loss[0] != other.history.loss[0] and run.history.steps == 200
    assert all(torch.equal(a, b) for a, b in zip(one.at(-1).parameters(), one.model.parameters()))
    assert not torch.equal(one.at(0).read.weight, one.model.read.weight)


def test_what_a_model_is_built_without_is_not_there():
    tokens = induction.draw(count=2, seed=0).tokens
    with torch.random.fork_rng():
        for name in ("residual", "norm", "mlp", "positions"):
            torch.manual_seed(0)
            model = induction.SmallTransformer(layers=1, **({"reach": 0} if name == "positions" else {}))
            if name != "positions":
                shipped_runs.CONTROLS[f"no {name}"]["change"](model)
            x, mask = model.embed(tokens), torch.ones(32, 32, dtype=torch.bool).tril()
            block = model.blocks[0]
            norm = torch.nn.functional.layer_norm if name != "norm" else lambda x, _: x
            after = block.heads(norm(x, (32,)), mask) + (0 if name == "residual" else x)
            hidden = 0 if name == "mlp" else block.mlp(norm(after, (32,)))
            expected = model.read(norm(hidden + (0 if name == "residual" else after), (32,)))
            torch.testing.assert_close(model(tokens), expected)
            assert (block.heads.bias.numel() == 0) == (name == "positions")


@pytest.mark.parametrize("ahead, changes", [(0, False), (1, True)])
def test_a_query_sees_as_many_tokens_ahead_as_it_may(ahead, changes):
    model = induction.SmallTransformer(layers=1, ahead=ahead)
    tokens = torch.tensor([[0, 1, 2, 3], [0, 1, 5, 3]])
    one, other = model(tokens)[:, 1].detach()
    assert torch.allclose(one, other) != changes


def test_scores_of_made_up_heads_are_what_they_must_be(sequences):
    t, tokens = 32, sequences.tokens
    one_back = torch.eye(t).roll(1, dims=0)
    one_back[0] = torch.eye(t)[0]
    uniform = torch.ones(t, t).tril() / torch.arange(1, t + 1)[:, None]
    induct = torch.zeros(len(tokens), t, t)
    for b, (row, n) in enumerate(zip(tokens.tolist(), sequences.lengths.tolist())):
        for i in range(t):
            induct[b, i, i - n + 1 if i >= n else 0] = 1.0
    made = torch.stack([one_back.expand_as(induct), uniform.expand_as(induct), induct])
    previous, matching = instruments.previous_token(made), instruments.prefix_matching(made, tokens)
    np.testing.assert_allclose(previous[:2], [1, np.mean(1 / np.arange(2, 33))], rtol=1e-5)
    assert matching[2] == pytest.approx(1) and matching[0] == 0 and 0.05 < matching[1] < 0.2
    assert previous[2] < 0.1


def test_a_head_that_was_heated_or_switched_off_comes_back_even_after_an_error(run, sequences):
    whole, weights = induction.accuracy(run.model, sequences), instruments.attention(run.model, sequences.tokens)
    with instruments.changed(run.model, 1, 0, "temperature", 4.0):
        hot = instruments.attention(run.model, sequences.tokens)
    before, after = ((1 / (each**2).sum(dim=-1)).mean(dim=(-2, -1)) for each in (weights, hot))      # effective keys
    assert after[1, 0] > 2 * before[1, 0] and after[0, 0] == before[0, 0]
    with pytest.raises(KeyError), instruments.without(run.model, [(1, 0), (1, 1)]):
        assert induction.accuracy(run.model, sequences) < 0.5
        raise KeyError("an error in the reader's cell")
    assert induction.accuracy(run.model, sequences) == whole


@torch.no_grad()
def test_keys_of_the_second_layer_can_be_read_without_the_first(run, sequences):
    model, tokens = run.model, sequences.tokens[:20]
    torch.testing.assert_close(instruments.read_without(model, tokens, [], "keys"), model(tokens))
    first, second = model.blocks
    mask = torch.ones(32, 32, dtype=torch.bool).tril()
    whole = first(model.embed(tokens), mask)
    with instruments.without(model, [(0, 0)]):
        lacking = first(model.embed(tokens), mask)
    changed = second.heads
    for what, weight in (("queries", changed.w_q), ("keys", changed.w_k), ("values", changed.w_v)):
        def without_head(_, arguments):
            return (second.norms[0](lacking),)

        hook = weight.register_forward_pre_hook(without_head)
        expected = model.read(model.norm(second(whole, mask)))
        hook.remove()
        torch.testing.assert_close(instruments.read_without(model, tokens, [(0, 0)], what), expected)
        assert not torch.allclose(expected, model(tokens), atol=1e-3)


def test_what_is_shipped_was_trained_by_this_code(interrupted, monkeypatch, tmp_path):
    run = interrupted(induction, "loss", 20, seed=0)
    monkeypatch.setattr(induction, "train", lambda seed, **_: run)
    monkeypatch.setattr(induction, "STEPS", (0, 20))
    shipped_runs.make_induction(tmp_path / "again.npz", {"whole": {}, "sees one ahead": {"ahead": 1}}, seeds=1)
    with np.load(tmp_path / "again.npz") as again, np.load(induction.FILE) as stored:
        assert set(again.files) <= set(stored.files)
        assert {name for name in stored.files if not name.startswith("accuracy")} <= set(again.files)
        for name in again.files:                        # another processor parts ways slowly
            if name.startswith("path"):
                np.testing.assert_allclose(again[name], stored[name][:2], atol=5e-3, err_msg=name)


def test_the_first_shipped_model_has_a_path(sequences):
    shipped = induction.shipped()
    first, last = shipped.at(0), shipped.at(300)
    assert set(shipped_runs.CONTROLS) < set(shipped.accuracies) and induction.accuracy(first, sequences) < 0.25
    assert all(torch.equal(a, b) for a, b in zip(last.parameters(), shipped.models[0].parameters()))


def test_distance_explains_all_of_a_kernel_of_position_and_little_of_a_head_of_content():
    place = np.arange(20)
    back = place[:, None] - place
    kernel = np.tril(np.exp(-back / 2.0))
    mean, share = instruments.by_distance(kernel / kernel.sum(axis=1, keepdims=True))
    assert share > 0.95 and np.all(np.diff(mean) < 0)
    content = np.tril(np.ones((20, 20)) * (place % 5 == 0))
    content[0, 0] = 1.0
    assert instruments.by_distance(content / content.sum(axis=1, keepdims=True))[1] < 0.4
