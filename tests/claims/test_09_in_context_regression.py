"""What notebook 09 claims of trained layers: on the 36 that come with the workbook, and fresh tasks."""
import numpy as np
import pytest

torch = pytest.importorskip("torch")
from workbook.labs import in_context  # noqa: E402
from workbook.labs import in_context_yardstick as yardstick  # noqa: E402


@pytest.fixture(scope="module")
def runs():
    return yardstick.shipped()


def distance_of_largest_weight(layer):
    """Mean distance of the largest of 501 evenly spread weights from 21 interior queries."""
    scores = layer.scores(yardstick.INTERIOR[:, None], yardstick.EVEN_KEYS[:, None])
    return float((yardstick.EVEN_KEYS[scores.argmax(dim=1)] - yardstick.INTERIOR).abs().mean().detach())


@pytest.mark.claim("09-bump-is-learned")
def test_the_bump_is_learned(runs, seeds, record_property):
    before = [in_context.InContextAttention(seed=seed) for seed in seeds(40)]
    trained = np.array([distance_of_largest_weight(run.layer) for run in runs.values()])
    untrained = np.array([distance_of_largest_weight(layer) for layer in before])
    record_property("largest in the trained", f"{trained.max():.2f}")
    record_property("median and smallest in the untrained", f"{np.median(untrained):.2f}, {untrained.min():.2f}")
    first = distance_of_largest_weight(in_context.InContextAttention(seed=0))             # the lesson's
    assert trained.max() < 0.15 and np.mean(untrained > 1) > 0.8 and round(first, 1) == 0.6
    alike, unlike = ([np.ptp(np.log(yardstick.spread(layer))) for layer in some]
                     for some in ([runs[0.5, n].layer for n in yardstick.CONTEXTS], before))
    record_property("widest / narrowest, trained and untrained", np.exp([max(alike), min(unlike)]).round(2))
    assert max(alike) < np.log(1.1) < min(unlike)


@pytest.mark.claim("09-noise-widens")
def test_the_width_follows_the_noise(runs, record_property):
    for n in yardstick.CONTEXTS:
        spreads = np.array([runs[noise, n].spreads[-1] for noise in yardstick.NOISES])
        record_property(f"n={n}: factor", f"{spreads[-1] / spreads[0]:.1f}")
        assert np.all(np.diff(spreads) > 0) and spreads[-1] > 2 * spreads[0]


@pytest.mark.claim("09-near-the-kernel")
def test_the_error_is_close_to_the_best_gaussians(runs, seeds, record_property):
    [seed] = seeds(1)
    ratios, before = [], []
    for run in runs.values():
        tasks = in_context.draw_tasks(120, run.n, run.noise, seed=seed)
        _, best = yardstick.best_width(tasks, yardstick.INTERIOR)
        for layer, found in ((run.layer, ratios), (run.layers[0], before)):
            answers = yardstick.answers(layer, tasks, yardstick.INTERIOR)
            found.append(yardstick.errors(answers, tasks, yardstick.INTERIOR).mean() / best)
    close = np.abs(np.array(ratios) - 1) < 0.05
    record_property("within 5 %; smallest ratio before training", (close.sum(), min(before)))
    stored = np.array([run.errors[-1] / run.kernel_errors.min() for run in runs.values()])      # what the lesson prints
    assert np.sum(stored < 1.05) == len(stored) - 1
    assert np.mean(close) > 0.9 and min(before) > 1.5


@pytest.mark.claim("09-tokens-narrow")
def test_more_tokens_make_the_bump_narrower(runs, record_property):
    spreads = np.array([[runs[noise, n].spreads[-1] for n in (20, 50, 100)] for noise in yardstick.NOISES])
    record_property("mean spreads", spreads.mean(axis=0).round(2))
    assert np.all(np.diff(spreads, axis=1) < 0)


@pytest.mark.claim("09-like-the-kernel")
def test_of_five_errors_the_kernels_is_closest(runs, seeds, record_property):
    [seed] = seeds(1)
    for noise in (0.1, 0.5, 1.0):
        j = yardstick.judge(runs[noise, 50], count=200, seed=seed)
        apart = {name: abs(np.log(j["layer"] / error)) for name, error in j.items() if name != "layer"}
        record_property(f"noise {noise}", {name: round(float(x), 2) for name, x in apart.items()})
        assert min(apart, key=apart.get) == "Nadaraya–Watson"


class Sines(in_context.InContextAttention):
    """The layer with sin in place of tanh, which is flat nowhere for long."""

    def embed(self, x):
        return torch.sin(self.slope * x + self.offset)


def trained(layer, steps, n=50, others=None):
    generator = torch.Generator().manual_seed(7)
    adam = torch.optim.Adam(layer.parameters(), lr=0.03, betas=(0.9, 0.99))
    for _ in range(steps):
        adam.zero_grad()
        in_context.leave_one_out_loss(layer, in_context.draw_tasks(8, n, 0.5, 1.0, generator), others).backward()
        adam.step()
    return layer


def weights_of(layer, tasks, at, move=0):
    with torch.no_grad():
        return torch.softmax(layer.scores(at[:, None] + move, tasks.keys[..., None] + move), dim=-1)     # (t, m, n)


def ranges(weights, tasks):
    return np.ptp((weights @ tasks.values[..., None]).numpy(), axis=1)


@pytest.mark.claim("09-without-the-mask")
def test_without_the_mask_a_token_attends_to_itself(seeds, record_property):
    [seed] = seeds(1)
    tasks, own, everything = in_context.draw_tasks(40, 20, 0.5, seed=seed), [], torch.ones(20, 20, dtype=torch.bool)
    for steps, others in ((200, None), (100, everything), (200, everything)):
        layer = trained(in_context.InContextAttention(seed=seed), steps, 20, others)
        weights = torch.softmax(layer.scores(tasks.keys[..., None], tasks.keys[..., None]).detach(), dim=-1)
        own.append(float(weights.diagonal(dim1=1, dim2=2).mean()))
    record_property("own weight, with the mask", f"{own[1]:.2f}, {own[2]:.2f}; {own[0]:.2f}")
    assert own[2] > 1.4 * own[0] and own[2] > own[1]


@pytest.mark.claim("09-where-it-breaks")
def test_moved_by_5_most_layers_are_worse_than_the_average_and_where_they_were_trained_none(
        runs, seeds, record_property):
    [seed] = seeds(1)
    rows = []
    for run in runs.values():
        tasks = in_context.draw_tasks(40, run.n, run.noise, seed=seed)
        average = yardstick.errors(tasks.values.mean(dim=1, keepdim=True), tasks).mean()
        rows.append([yardstick.errors(yardstick.answers(run.layer, tasks, move=move), tasks).mean() / average
                     for move in (0, 5)])
    home, moved = np.transpose(rows)
    record_property("of the average's error: largest at home", f"{home.max():.2f}")
    record_property("moved by 5", f"median {np.median(moved):.2f}, worse in {(moved > 1).mean():.0%}")
    assert home.max() < 0.8 and (moved > 1).mean() > 0.7


@pytest.mark.claim("09-moved")
def test_far_from_its_tasks_a_layer_gives_every_query_nearly_the_same_answer(runs, seeds, record_property):
    [seed] = seeds(1)
    kept, apart, largest, at = [], [], [], yardstick.EVERYWHERE
    for run in runs.values():
        tasks = in_context.draw_tasks(40, run.n, run.noise, seed=seed)
        here, weights = (weights_of(run.layer, tasks, at, far) for far in (0, 10))                   # (t, m, n) each
        before, after = (ranges(w, tasks) for w in (here, weights))
        kept += (after / before).ravel().tolist()
        apart.append(float((weights - weights.mean(1, keepdim=True)).abs().sum(2).max()) / 2)
        largest.append(float(weights.max()) * run.n)
    record_property("range kept, rows apart, weight * n, at most", (max(kept), max(apart), max(largest)))
    assert max(kept) < 0.05 and max(apart) < 0.05 and max(largest) < 2.5
    tasks, kept = in_context.draw_tasks(40, 50, 0.5, seed=seed), []
    for layer in (trained(kind(seed=seed), 150) for kind in (in_context.InContextAttention, Sines)):
        here, there = (ranges(weights_of(layer, tasks, at, move), tasks) for move in (0, 10))
        kept.append(np.median(there / here))
    record_property("range kept after 150 steps, with tanh and with sines", f"{kept[0]:.3f}, {kept[1]:.2f}")
    assert kept[0] < 0.05 and kept[1] > 0.1
