"""What notebook 11 claims of positions, heads and the trained blocks: on fresh tasks, and the ten models that come with
the workbook asked with fresh sequences.
"""
import numpy as np
import pytest
import shipped_runs

torch = pytest.importorskip("torch")
from claims import differences  # noqa: E402

import nwlab  # noqa: E402
from workbook.labs import in_context, induction, instruments, letters  # noqa: E402
from workbook.labs import in_context_yardstick as yardstick  # noqa: E402

FIRST, SECOND = [(0, 0), (0, 1)], [(1, 0), (1, 1)]


@pytest.fixture(scope="module")
def shipped():
    return induction.shipped()


@pytest.fixture
def fresh(seeds):
    return induction.draw(count=200, seed=seeds(1)[0])


@pytest.fixture
def untrained(seeds):
    models = []
    with torch.random.fork_rng():
        for seed in seeds(10):
            torch.manual_seed(seed)
            models.append(induction.SmallTransformer())
    return models


def right(model, sequences, off=()):
    with instruments.without(model, off):
        return induction.accuracy(model, sequences)


@pytest.mark.claim("11-moved")
def test_scores_of_a_difference_do_not_mind_a_move_and_lose_nothing(seeds, record_property):
    """The layer of notebook 09 moved by 10 answers as the plain mean does."""
    tasks = in_context.draw_tasks(100, 50, 0.5, seed=seeds(1)[0])
    old = yardstick.shipped()[0.5, 50].layer
    home = yardstick.errors(yardstick.answers(old, tasks), tasks).mean()
    away = in_context.Tasks(tasks.keys + 10, tasks.values, tasks.heights, tasks.noise, tasks.length)
    broken = yardstick.answers(old, away, yardstick.EVERYWHERE + 10)
    broken = ((broken - tasks.truth(yardstick.EVERYWHERE)) ** 2).mean().item()
    plain = ((tasks.values.mean(dim=1, keepdim=True) - tasks.truth(yardstick.EVERYWHERE)) ** 2).mean().item()
    assert broken == pytest.approx(plain, rel=0.1) and differences.error(old, tasks, move=5) > 1.2 * plain
    found = {}
    for kind, count in ((differences.Rotary, 4), (differences.DistanceTable, 2), (differences.Slope, 2)):
        for seed in seeds(count):
            layer = kind(seed=seed)
            differences.train(layer, steps=200, seed=seed)
            here, there = (differences.error(layer, tasks, move=move) for move in (0, 10))
            assert abs(here - there) < 1e-9
            found.setdefault(kind.__name__, []).append(here / home)
    record_property("error over that of notebook 09", {name: np.round(x, 2) for name, x in found.items()})
    record_property("that layer moved by 10", f"{broken / home:.1f} times")
    assert max(found["Rotary"]) < 1.1 and broken > 3 * home


@pytest.mark.claim("11-two-heads")
def test_two_heads_answer_what_one_head_cannot(seeds, record_property):
    tasks = in_context.draw_tasks(100, 50, 0.5, seed=seeds(1)[0])
    found = {}
    for name, heads, mixed in (("one", 1, True), ("averaged", 2, False), ("two", 2, True)):
        for seed in seeds(4):
            layer = differences.MixedHeads(heads, mixed, seed=seed)
            differences.train(layer, steps=80, target=differences.above_average, learning_rate=0.15, seed=seed)
            found.setdefault(name, []).append(differences.error(layer, tasks, differences.above_average))
            if name == "two":
                narrow, wide = sorted(layer.log_width.exp().tolist())
                assert layer.w_o.prod() < 0 and narrow < 0.5 and wide > 3
    record_property("errors", {name: (min(x), max(x)) for name, x in found.items()})
    assert max(found["two"]) < 0.25 * min(found["one"]) and max(found["two"]) < 0.25 * min(found["averaged"])


@pytest.mark.claim("11-ten-of-ten")
def test_the_whole_model_is_right_with_each_of_ten_seeds(shipped, fresh, record_property):
    """As trained, and as shipped in half precision."""
    now = [right(model, fresh) for model in shipped.models]
    record_property("right", f"{min(now):.3f}, as trained {shipped.accuracies['whole'].min():.3f}")
    assert min(now) > 0.95 and shipped.accuracies["whole"].min() > 0.95 and len(now) == 10


@pytest.mark.claim("11-one-layer")
def test_one_layer_is_not_enough_unless_all_blocks_have_one_length(shipped, seeds, record_property):
    """The ten seeds, and a layer that is trained here. A control differs from the whole model in one thing."""
    for name, options in shipped_runs.CONTROLS.items():
        rival = shipped_runs.CONTROLS["one layer" if name.startswith("one layer,") else "whole"]
        assert name == "whole" or len(options.items() - rival.items()) == 1 and rival.items() <= options.items()
    vary, fixed = shipped.accuracies["one layer"], shipped.accuracies["one layer, fixed length"]
    apart = shipped.accuracies["one layer, all distances"]
    record_property("right", f"{vary.min():.2f} to {vary.max():.2f}, with all distances {apart.min():.2f} to "
                             f"{apart.max():.2f}, fixed {fixed.min():.3f}")
    assert 0.2 < vary.min() and vary.max() < 0.3 and fixed.min() > 0.99
    assert 0.45 < apart.min() and apart.max() < 0.57
    [seed] = seeds(1)
    six = induction.draw(count=100, lengths=(6, 6), seed=seed)
    run = induction.train(lengths=(6, 6), steps=150, seed=seed, layers=1)
    assert induction.accuracy(run.model, six) > 0.99
    weights = instruments.attention(run.model, six.tokens)
    assert weights[0].diagonal(offset=-5, dim1=-2, dim2=-1).mean(dim=(-2, -1)).max() > 0.4
    vary = induction.draw(count=100, seed=seed)
    near, far = (induction.accuracy(induction.train(seed=seed, **shipped_runs.CONTROLS[name]).model, vary)
                 for name in ("one layer", "one layer, all distances"))
    record_property("right where lengths vary", f"{near:.2f}, with all distances {far:.2f}")
    assert 0.18 < near < 0.32 and 0.42 < far < 0.6


@pytest.mark.claim("11-residual")
def test_without_the_residual_two_layers_are_right_half_of_the_time(shipped, seeds, monkeypatch, record_property):
    """Nearly always where one head of the first layer starts at the token itself, so that it is passed on."""
    means = {name: float(x.mean()) for name, x in shipped.accuracies.items()}
    record_property("means", {name: round(x, 3) for name, x in means.items()})
    assert 0.4 < means["no residual"] < 0.6 and shipped.accuracies["no residual"].max() < 0.65
    assert min(shipped.accuracies[name].min() for name in ("one head", "no norm", "no mlp")) > 0.95
    assert 0.75 < means["no positions"] < 0.95
    init, [seed] = induction.SmallTransformer.__init__, seeds(1)

    def start(model, *args, **options):
        init(model, *args, **options)
        model.blocks[0].heads.bias.data = 12 * torch.eye(2, induction.REACH)

    monkeypatch.setattr(induction.SmallTransformer, "__init__", start)
    run = induction.train(seed=seed, change=shipped_runs.without_residual)
    found = induction.accuracy(run.model, induction.draw(count=100, seed=seed))
    record_property("without the residual, but passed on", round(found, 3))
    assert found > 0.95


@pytest.mark.claim("11-mask")
def test_a_model_that_saw_one_token_ahead_is_of_no_use(shipped, record_property):
    peeking = shipped.accuracies["sees one ahead"]
    fairly = shipped.accuracies["sees one ahead, asked fairly"]
    record_property("right, asked fairly", f"{peeking.min():.3f}, {fairly.min():.2f} to {fairly.max():.2f}")
    assert peeking.min() > 0.95 and round(fairly.mean(), 2) == 0.06 and fairly.max() < 0.12


@pytest.mark.claim("11-found")
def test_the_two_kinds_of_head_are_found_in_every_seed_and_in_no_untrained_model(
        shipped, untrained, fresh, record_property):
    def scores(model):
        weights = instruments.attention(model, fresh.tokens)
        return instruments.previous_token(weights), instruments.prefix_matching(weights, fresh.tokens)

    back, matching = np.array([scores(model) for model in shipped.models]).transpose(1, 0, 2, 3)
    record_property("matching in layer 2, smallest", f"{matching[:, 1].min():.2f}; layer 1 {matching[:, 0].max():.2f}")
    record_property("one back in layer 1, best head", back[:, 0].max(axis=1).round(2))
    before = np.array([scores(model) for model in untrained])
    record_property("untrained, largest", f"{before.max():.2f}")
    assert matching[:, 1].min() > 0.9 and matching[:, 0].max() < 0.3
    assert back[:, 0].max(axis=1).min() > 0.5 and back[:, 1].max() < 0.2 and before.max() < 0.3


@pytest.mark.claim("11-keys-not-values")
def test_the_second_layer_needs_the_first_for_its_keys_only(shipped, fresh, record_property):
    found = {what: [] for what in ("queries", "keys", "values")}
    for model in shipped.models:
        for what, all_found in found.items():
            first = instruments.read_without(model, fresh.tokens[:, :-1], FIRST, what).argmax(dim=-1)
            all_found.append(float((first == fresh.tokens[:, 1:])[fresh.known].double().mean()))
    record_property("right", {what: f"{min(x):.2f} to {max(x):.2f}" for what, x in found.items()})
    assert max(found["keys"]) < 0.4 and min(found["values"] + found["queries"]) > 0.9


@pytest.mark.claim("11-halves")
def test_without_either_half_it_is_right_one_time_in_five(shipped, fresh, record_property):
    first, second = ([right(model, fresh, off) for model in shipped.models] for off in (FIRST, SECOND))
    record_property("without layer 1, layer 2", f"at most {max(first):.2f}, {max(second):.2f}")
    assert max(first) < 0.2 and max(second) < 0.15


@pytest.mark.claim("11-twins")
def test_one_of_two_induction_heads_can_go(shipped, fresh, record_property):
    alone = np.array([[right(model, fresh, [pair]) for pair in SECOND] for model in shipped.models])
    both = np.array([right(model, fresh, SECOND) for model in shipped.models])
    record_property("right without one of them", np.sort(alone.ravel()).round(2))
    assert np.median(alone) > 0.9 and np.all(alone.max(axis=1) > 0.9) and both.max() < 0.35


def explained(weights, kernel):
    """The share of each head's weights (h, b, t, t) that a kernel (t, t) or (h, 1, t, t) explains; even weights: 0."""
    even = np.tril(np.ones(weights.shape[-2:])) / np.arange(1, weights.shape[-1] + 1)[:, None]
    return 1 - ((weights - kernel) ** 2).sum(axis=(1, 2, 3)) / ((weights - even) ** 2).sum(axis=(1, 2, 3))


@pytest.fixture(scope="module")
def heads(shipped):
    """For each model the weights of its heads on 60 sequences, (layers, h, b, t, t)."""
    tokens = induction.draw(count=60, seed=1000).tokens
    return [instruments.attention(model, tokens).double() for model in shipped.models]


@pytest.mark.claim("11-kernel-of-position")
def test_heads_of_the_first_layer_are_kernels_of_position(heads, record_property):
    place, mask, best, before = np.arange(32.0), np.tril(np.ones((32, 32), dtype=bool)), [], []
    any_place = min(explained(w.numpy(), w.numpy().mean(axis=1, keepdims=True)).min() for w, _ in heads)
    for first, _ in heads:
        head = first[instruments.previous_token(first).argmax()].numpy()[None]
        before.append(np.diagonal(head, -1, axis1=-2, axis2=-1).mean())
        around_one_back = (nwlab.attention_weights(place - 1, place, kernel="exponential", bandwidth=width, mask=mask)
                           for width in np.geomspace(0.3, 3, 13))
        best.append(max(explained(head, kernel)[0] for kernel in around_one_back))
    record_property("any place, smallest; exponential; token before",
                    f"{any_place:.2f}; {np.round(best, 2)}; {np.round(before, 2)}")
    assert any_place > 0.85 and min(best) > 0.75 and min(before) > 0.5


@pytest.mark.claim("11-kernel-of-content")
def test_heads_of_the_second_layer_are_explained_by_no_places(heads, record_property):
    shares = [explained(w.numpy(), w.numpy().mean(axis=1, keepdims=True)).max() for _, w in heads]
    record_property("any place, largest", f"{max(shares):.2f}")
    assert max(shares) < 0.25


@pytest.mark.claim("11-letters")
def test_the_model_of_letters_loses_less_than_counting(record_property):
    with np.load(letters.FILE) as stored:
        losses = [round(float(stored[f"loss {name}"]), 2) for name in ("model", "2 letters", "6 letters")]
    record_property("bits", losses)
    assert losses == [1.95, 3.43, 2.10]


SENTENCES = (
    "In the morning the men went ashore to look for fresh water.",
    "Nobody on board knew how long the voyage would last.",
    "She wrote a letter to her brother every week that summer.",
    "It rained all night, and by noon the road was a river.",
    "The old man sold his boat and bought a house on the hill.",
    "What is the price of a house with two rooms and no roof?",
    "They sang the same song again and again until the sun rose.",
    "A small dog ran after the cart and barked at the wheels.",
)


@pytest.mark.claim("11-letters-heads")
def test_heads_of_the_first_layer_are_kernels_of_position_and_those_above_half(record_property):
    shares, means, model = [], [], letters.model()
    for sentence in SENTENCES:
        weights = instruments.attention(model, letters.encode(sentence)[None])[:, :, 0].double().numpy()
        found = [[instruments.by_distance(head) for head in layer] for layer in weights]
        shares.append([[share for _, share in layer] for layer in found])
        means.append([mean[:8] for mean, _ in found[0]])
    shares, means = np.array(shares), np.mean(means, axis=0)                         # (s, layers, h), (h, 8)
    record_property("shares", np.median(shares, axis=0).round(2))
    assert shares[:, 0].min() > 0.85
    assert np.mean((shares[:, 1:] > 0.4) & (shares[:, 1:] < 0.7)) > 0.8 and shares[:, 1:].max() < shares[:, 0].min()
    assert means.argmax(axis=1).tolist() == [1, 2, 1, 3] and means[3, 1] > 0.2
    worth = np.load(letters.FILE)["worth"]
    assert worth[0].min().round(2) == 0.05 and worth[0].max().round(2) == 0.48
