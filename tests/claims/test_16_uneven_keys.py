"""Notebook 16: Engel's families in fresh splits, and crowds and copies on fresh samples."""
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from claims.families import FOOD, INCOME, RICH, line, one_width, split_errors
from claims.formulas import gaussian

import nwlab
from workbook.authoring.source import read_lesson


def pooled(queries, keys, values, sigma, own=False):
    return nwlab.nadaraya_watson(queries, keys, values, bandwidth=sigma, leave_one_out=own)


def smallest_loo(keys, values, width, settings):
    errors = [np.mean((pooled(keys, keys, values, width(keys, keys, s, 1), own=True) - values) ** 2) for s in settings]
    return settings[int(np.argmin(errors))]


def common(queries, keys, h, own=0):
    return h


def per_query(queries, keys, k, own=0):
    """The distance to the k-th key; own = 1: to the k-th other key."""
    return nwlab.neighbour_bandwidth(queries, keys, k=k + own)


def per_key(queries, keys, h, own=0):
    return nwlab.adaptive_bandwidth(keys, bandwidth=float(h))


def log_log(keys, values, queries):
    return np.exp(line(np.log(keys), np.log(values), np.log(queries)))


def kernel(width, settings):
    return lambda keys, values, queries: pooled(
        queries, keys, values, width(queries, keys, smallest_loo(keys, values, width, settings)))


@pytest.mark.claim("16-log-log-wins")
def test_the_log_log_line_beats_one_width(seeds, record_property):
    one, straight, through_logs = (split_errors(method, seeds(1)[0])[0] for method in (one_width, line, log_log))
    wins = np.mean(through_logs < np.minimum(one, straight))
    record_property("francs", f"{through_logs.mean():.1f} against {one.mean():.1f}")
    record_property("better in", f"{wins:.0%}")
    assert wins > 0.6
    plain = np.std(FOOD[~RICH])
    assert one.mean() < 0.5 * plain                                   # the control: all know something


@pytest.mark.claim("16-lines-average-more")
def test_the_lines_keep_less_of_the_noise_than_one_width(seeds, record_property):
    """The log-log line as the truth, and its residuals with random signs as noise."""
    rng, keys = np.random.default_rng(seeds(1)[0]), INCOME[~RICH]
    truth = log_log(keys, FOOD[~RICH], keys)
    noise, found = FOOD[~RICH] - truth, {one_width: [], line: [], log_log: []}
    for _ in range(60):
        values = truth + noise * rng.choice([-1, 1], len(keys))
        for method, off in found.items():
            off.append(method(keys, values, keys) - truth)
    bias, variance = np.array([(np.mean(np.mean(off, axis=0) ** 2), np.var(off, axis=0).mean())
                               for off in found.values()]).T
    record_property("one width, line, log-log line: bias² and variance", (bias.round(), variance.round()))
    assert variance[0] > 3 * max(variance[1:]) and variance[0] > 2 * bias[0]
    assert np.corrcoef(keys, FOOD[~RICH])[0, 1] > 0.9


@pytest.mark.claim("16-verdict")
def test_widths_that_follow_the_keys_on_engel_s_families(seeds, record_property):
    methods = one_width, kernel(per_key, np.geomspace(20, 400, 12)), kernel(per_query, range(5, 80, 5)), log_log
    one, key, query, through_logs = (split_errors(method, seeds(1)[0])[0].mean() for method in methods)
    record_property("francs", np.round([one, key, query, through_logs], 1))
    assert through_logs < key < one < 1.02 * query


@pytest.mark.claim("16-ten-families")
def test_ten_families_make_half_of_the_error(record_property):
    sigma = nwlab.select_bandwidth(INCOME, FOOD)
    square = (pooled(INCOME, INCOME, FOOD, sigma, own=True) - FOOD) ** 2
    effective = nwlab.effective_keys(nwlab.attention_weights(INCOME, INCOME, bandwidth=sigma))
    record_property("shares", f"{square[RICH].sum() / square.sum():.0%}, {square.max() / square.sum():.0%}")
    times = np.sqrt(square[RICH].mean() / square[~RICH].mean())
    on_line = np.where(RICH, log_log(INCOME, FOOD, INCOME), FOOD)                         # their scatter taken away
    still = (pooled(INCOME, INCOME, on_line, sigma, own=True) - on_line) ** 2
    record_property("times", f"{times:.2f}; on the log-log line {still[RICH].sum() / still.sum():.0%} are left")
    assert round(times, 1) == 4.6 and 0.2 < still[RICH].sum() / still.sum() < 0.42        # few neighbours, and scatter
    assert RICH.sum() == 10 and 0.4 < square[RICH].sum() / square.sum() < 0.6
    assert 0.25 < square.max() / square.sum() < 1 / 3
    assert 85 < np.median(effective[INCOME < 1200]) < 115 and 4.5 < np.median(effective[RICH]) < 7.5


@pytest.mark.claim("16-votes")
def test_the_ten_choose_the_width(seeds, record_property):
    others = []
    for seed in seeds(4):
        kept = np.full(235, True)
        kept[np.random.default_rng(seed).choice(np.flatnonzero(~RICH), 10, replace=False)] = False
        others.append(nwlab.select_bandwidth(INCOME[kept], FOOD[kept]))
    chosen, without = nwlab.select_bandwidth(INCOME, FOOD), nwlab.select_bandwidth(INCOME[~RICH], FOOD[~RICH])
    record_property("francs", f"{chosen:.0f}, without the ten {without:.0f}, without ten others {min(others):.0f} to "
                              f"{max(others):.0f}")
    assert round(chosen) == 134 and round(without) == 74 and 115 < min(others) < max(others) < 160
    far = FOOD - log_log(INCOME, FOOD, INCOME)
    assert np.std(far[RICH]) > 3 * np.std(far[~RICH])                           # and their values scatter most


@pytest.mark.claim("16-design-bias")
def test_the_design_bias_of_a_straight_slope(record_property):
    crowd, even = 5 * np.linspace(0, 1, 20001)[1:] ** 3, np.linspace(0, 5, 20001)
    for place in (1.0, 2.5, 4.0):
        formula = 0.2**2 * -2 / (3 * place)
        constant = nwlab.nadaraya_watson(place, crowd, crowd, bandwidth=0.2)[0] - place
        record_property(f"at {place}", f"{constant:.4f}, formula {formula:.4f}")
        assert constant == pytest.approx(formula, rel=0.1)
        assert abs(nwlab.local_linear(place, crowd, crowd, bandwidth=0.2)[0] - place) < 1e-9
    assert abs(nwlab.nadaraya_watson(2.5, even, even, bandwidth=0.2)[0] - 2.5) < 1e-6


REMEDIES = {"one": (common, np.geomspace(0.04, 0.8, 8)), "per key": (per_key, np.geomspace(0.04, 0.8, 8)),
            "per query": (per_query, range(3, 20, 2))}
GRID = 0.1 * np.arange(50)


@lru_cache(maxsize=1)
def crowded(first: int, truth=nwlab.data.power_truth, mirror=False, names=tuple(REMEDIES)) -> dict[str, np.ndarray]:
    """How far the answers of each method are off, on 80 samples of keys that crowd at 0 or at 5: (samples, queries)."""
    found = {name: [] for name in names}
    for seed in range(first, first + 80):
        rng = np.random.default_rng(seed)
        keys = 5 * rng.uniform(0, 1, 60) ** 3
        keys = np.sort(5 - keys if mirror else keys)
        values = truth(keys) + 0.5 * rng.standard_normal(60)
        for name in names:
            found[name].append(kernel(*REMEDIES[name])(keys, values, GRID) - truth(GRID))
    return {name: np.array(off) for name, off in found.items()}


def halves(off):
    """Bias² and variance of the left and the right half."""
    bias, variance = off.mean(axis=0) ** 2, off.var(axis=0)
    return np.array([[bias[:25].mean(), variance[:25].mean()], [bias[25:].mean(), variance[25:].mean()]])


def better(found, name, few=slice(25, None)):
    """The share of samples in which a remedy has a smaller error than one width where keys are few."""
    return np.mean((found[name][:, few] ** 2).mean(axis=1) < (found["one"][:, few] ** 2).mean(axis=1))


@pytest.mark.claim("16-per-key-wins")
def test_a_width_per_key_beats_one_width(seeds, record_property):
    found = crowded(seeds(1)[0])
    one, key = halves(found["one"]), halves(found["per key"])
    record_property("better in", f"{better(found, 'per key'):.0%}")
    assert better(found, "per key") > 0.8 and np.all(key[:, 1] < 0.85 * one[:, 1])


@pytest.mark.claim("16-per-query-pays-bias")
def test_a_width_per_query_pays_with_bias_where_keys_are_sparse(seeds, record_property):
    found = crowded(seeds(1)[0])
    one, query = halves(found["one"]), halves(found["per query"])
    record_property("better in", f"{better(found, 'per query'):.0%}")
    record_property("crowded and sparse, bias² and variance", f"{query.round(3).tolist()} for {one.round(3).tolist()}")
    assert query[1, 1] < 0.85 * one[1, 1] and query[1, 0] > 2 * one[1, 0]
    assert 0.8 < query[0].sum() / one[0].sum() < 1.25 and query[1].sum() < one[1].sum()
    assert 0.5 < better(found, "per query") < 0.75
    lesson, keys = {"nwlab": nwlab}, np.random.default_rng(seeds(1)[0]).uniform(size=20)
    source = Path(nwlab.__file__).parents[1] / "notebooks/source/16_uneven_keys.md"
    exec(next(cell.text for cell in read_lesson(source).cells if cell.id == "remedies"), lesson)
    alone = [nwlab.neighbour_bandwidth(keys[i], np.delete(keys, i), k=4)[0] for i in range(20)]
    assert np.array_equal(lesson["per_query"](keys, keys, 4, own=True), alone)  # the k-th other key


@pytest.mark.claim("16-mirror")
def test_the_remedies_lose_where_the_sparse_keys_lie_on_the_steepest_stretch(seeds, record_property):
    mirror = crowded(seeds(1)[0], mirror=True, names=("one", "per key", "per query"))
    few = slice(25)
    wins = {name: better(mirror, name, few) for name in ("per key", "per query")}
    record_property("mirror", ", ".join(f"{name} {share:.0%}" for name, share in wins.items()))
    assert wins["per key"] < 0.55 and wins["per query"] < 0.25
    one, query = (halves(mirror[name])[0] for name in ("one", "per query"))
    record_property("bias² and variance, one width and per query", np.round([one, query], 3).tolist())
    assert query[0] > 1.5 * one[0] and query[1] > 1.05 * one[1]
    drawn = []
    for seed in range(seeds(1)[0], seeds(1)[0] + 80):
        rng = np.random.default_rng(seed)
        keys = np.sort(5 - 5 * rng.uniform(0, 1, 60) ** 3)
        drawn.append((keys, nwlab.data.power_truth(keys) + 0.5 * rng.standard_normal(60)))
    own = [per_query(GRID, keys, 3) for keys, _ in drawn]
    common_widths = [np.mean(own, axis=0)] * 80                    # as wide on average, and the same in each sample
    scatter = [np.var([pooled(GRID, *sample, width) for sample, width in zip(drawn, widths)], axis=0)[few].mean()
               for widths in (own, common_widths)]
    record_property("variance, widths of each sample and the mean of these", np.round(scatter, 3).tolist())
    assert scatter[0] > 1.2 * scatter[1]
    for side in ("left", "right"):
        share = better(crowded(seeds(1)[0], lambda x: 3 * x, side == "right", ("one", "per key")), "per key",
                       few if side == "right" else slice(25, None))
        record_property(f"slope 3, crowd on the {side}", f"{share:.0%}")
        assert share > max(0.5, wins["per key"] + 0.1)


@pytest.mark.claim("16-copies-break-leave-one-out")
def test_copies_break_leave_one_out(seeds, record_property):
    grid, samples = np.geomspace(0.02, 1, 20), [nwlab.make_regression(seed=seed) for seed in seeds(40)]
    plain, copied = (np.array([grid[nwlab.loo_error(s.keys[rows], s.values[rows], bandwidths=grid).argmin()]
                               for s in samples])
                     for rows in (np.arange(50), np.repeat(np.arange(50), [1, 2] * 25)))
    record_property("narrowest", f"{np.mean(copied < 0.021):.0%}, without copies {np.mean(plain < 0.021):.0%}")
    assert np.mean(copied < 0.021) > 0.5 and np.mean(plain < 0.021) < 0.1
    assert np.median(copied) < 0.4 * np.median(plain)


@pytest.mark.claim("16-ties-do-not")
def test_families_of_the_same_income_hidden_together_choose_the_same_width():
    francs = np.geomspace(20, 800, 40)
    chosen = [francs[np.argmin([np.sum((gaussian(INCOME, INCOME, h, hidden) @ FOOD - FOOD) ** 2) for h in francs])]
              for hidden in (np.eye(235, dtype=bool), INCOME[:, None] == INCOME)]
    incomes, counts = np.unique(INCOME, return_counts=True)
    assert chosen[0] == chosen[1] and len(incomes) == 231 and counts[counts > 1].sum() == 7
    assert 235 - len(np.unique(np.column_stack([INCOME, FOOD]), axis=0)) == 3                       # plain copies
