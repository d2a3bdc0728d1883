"""What the concept test takes for right, in both of its forms: computed anew, and found among the options."""
import numpy as np
import pytest

from nwlab import EmptyWindowWarning, attention_weights, local_linear, masked_softmax, nadaraya_watson
from workbook import course
from workbook.questions.questions import every

TEXTS = every(course.TEXTS)


def right(item: str) -> list[str]:
    """What is marked as right in form A and in form B."""
    return [one.options[one.right] for one in (TEXTS[f"{form}-{item}"] for form in course.CONCEPTS)]


def off(mean, truth):
    return np.sqrt(np.mean((mean - truth) ** 2))


def means(readings, n):
    """The mean of the n readings around each, in a circle."""
    return np.mean([np.roll(readings, shift) for shift in range(-(n // 2), n - n // 2)], axis=0)


@pytest.mark.claim("concepts-beyond")
def test_no_weights_lead_out_of_what_is_averaged(seeds):
    """Lines with the same weights do."""
    for seed in seeds(20):
        sizes, prices = np.sort(np.random.default_rng(seed).uniform(0, 1, (2, 20)))
        for width in (0.1, 1):
            answers, lines = (of([-1, 2], sizes, prices, bandwidth=width) for of in (nadaraya_watson, local_linear))
            assert prices[0] - 1e-9 < answers.min() and answers.max() < prices[-1] + 1e-9 and np.ptp(lines) > 1
    assert [text.split(",")[0] for text in right("beyond")] == ["At most 400", "−6 or more"]


@pytest.mark.claim("concepts-weights")
def test_a_corrected_value_changes_the_average_by_its_share(seeds):
    for n, before, after in ((5, 60, 80), (8, 900, 700)):
        places, values = np.random.default_rng(seeds(1)[0]).uniform(0, 1, (2, n))
        old, new = (nadaraya_watson(0.0, places, np.append(values[1:], mark)) for mark in (before, after))
        assert new - old == pytest.approx(attention_weights(0.0, places)[:, -1] * (after - before))
    assert all(text.startswith("The average, but not how much") for text in right("weights"))


@pytest.mark.claim("concepts-wide")
def test_a_mean_over_half_a_period_is_farther_off_than_one_over_few_readings(seeds):
    for n, height, noise, few, many, lost in ((365, 10, 2, 5, 181, 3.6), (720, 2, 0.2, 10, 360, 0.7)):
        truth = height * np.sin(2 * np.pi * np.arange(n) / n)
        assert height - means(truth, many).max() == pytest.approx(lost, abs=0.05)
        for seed in seeds(20):
            readings = truth + np.random.default_rng(seed).normal(0, noise, n)
            assert off(means(readings, few), truth) < 0.6 * noise < lost / 2 < off(means(readings, many), truth)
    assert [text.split(",")[0] for text in right("wide")] == ["Those over 181 days", "Those over 6 hours"]


@pytest.mark.claim("concepts-seen")
def test_of_two_programs_the_one_without_an_error_on_known_cases_may_be_better_or_worse(seeds):
    """The nearest known case makes no error on those; five make one. Which is better depends on the noise."""
    for noise, better in ((0.0, 1), (1.0, 5)):
        for seed in seeds(10):
            rng = np.random.default_rng(seed)
            x, new = np.sort(rng.uniform(0, 6, 100)), rng.uniform(0, 6, 500)
            y = np.sign(np.sin(8 * x)) + rng.normal(0, noise, 100)
            order = {k: [np.argsort(np.abs(at[:, None] - x), axis=1)[:, :k] for at in (x, new)] for k in (1, 5)}
            known, unknown = ([off(y[order[k][i]].mean(axis=1), truth) for k in (1, 5)]
                              for i, truth in enumerate((y, np.sign(np.sin(8 * new)))))
            assert known[0] == 0 < known[1] and (1, 5)[np.argmin(unknown)] == better
    assert right("seen") == 2 * ["That cannot be said: with others it may be either."]


@pytest.mark.claim("concepts-nearest")
def test_the_nearest_measurement_brings_its_whole_error(seeds):
    for n, error in ((10_000, 2), (40_000, 30)):
        rng = np.random.default_rng(next(iter(seeds(1))))
        x, places = np.sort(rng.uniform(0, 1, n)), rng.uniform(0, 1, 2000)
        measured = np.sin(6 * x) + rng.normal(0, error, n)
        nearest = measured[np.abs(x - places[:, None]).argmin(axis=1)]
        assert off(nearest, np.sin(6 * places)) == pytest.approx(error, rel=0.1)
    assert [text.split(",")[0] for text in right("nearest")] == ["By about 2", "By about 30 cm"]


@pytest.mark.claim("concepts-shares")
def test_one_who_receives_may_get_all_or_nothing(seeds):
    """They give as attention weights do, to what is near."""
    for givers, receivers, each in ((4, 3, 10), (3, 5, 100)):
        got = np.array([each * attention_weights(rng.random(givers), rng.random(receivers), bandwidth=0.1).sum(axis=0)
                        for rng in map(np.random.default_rng, seeds(50))])
        assert got.sum(axis=1) == pytest.approx(givers * each) and got.max() > 2 * each and got.min() < each / 10
    assert [text.split(",")[0] for text in right("shares")] == ["Between 0 and 40 euros", "Between 0 and 300"]


@pytest.mark.claim("concepts-factor")
def test_a_common_factor_changes_no_share_and_an_added_point_does():
    """The softmax of logarithms divides by the sum. The remark for one point more has the numbers."""
    for form, points, factor in zip(course.CONCEPTS, ([1, 2, 5], [2, 3, 5]), (2, 3)):
        old, scaled, added = 100 * masked_softmax(np.log([points, np.multiply(points, factor), np.add(points, 1)]))
        assert scaled == pytest.approx(old)
        for shares in (old, added.round()):
            assert "{:g} %, {:g} % and {:g} %".format(*shares.round(1)) in " ".join(TEXTS[f"{form}-factor"].remarks)
    assert right("factor") == ["Doubling all points.", "Three times the stocks for each."]


@pytest.mark.claim("concepts-itself")
def test_who_may_answer_for_himself_does_it_alone(seeds):
    for n in (100, 60):
        for seed in seeds(20):
            rng = np.random.default_rng(seed)
            x = rng.uniform(0, 1, n)
            y = np.sin(6 * x) + rng.normal(0, 0.5, n)
            apart = np.abs(x - x[:, None])
            near = [apart <= distance for distance in (0, 0.01, 0.1, 0.3, 1)]
            errors = [off(each @ y / each.sum(axis=1), y) for each in near]
            assert errors[0] == 0 == np.argmin(errors) and errors == sorted(errors)
            others = [(each & ~np.eye(n, dtype=bool)) for each in near[2:]]        # left out, the largest is not best
            alone = others[0].any(axis=1)
            assert np.argmin([off((each @ y)[alone] / each[alone].sum(axis=1), y[alone]) for each in others]) < 2
    assert [text.split(",")[0] for text in right("itself")] == 2 * ["The smallest one"]


@pytest.mark.claim("concepts-more")
def test_more_reports_leave_the_bias_of_a_fixed_window(seeds):
    """Of a road that falls on both sides of its summit, and of a day that is coolest three hours from its height."""
    for truth in (lambda x: 1000 - 50 * np.abs(x), lambda x: 20 + 4 * np.cos(np.pi * x / 2)):
        errors = []
        for n in (4, 10_000):
            draws = [np.random.default_rng(seed) for seed in seeds(40)]
            answers = [np.mean(truth(rng.uniform(-1, 1, n)) + rng.normal(0, 10, n)) for rng in draws]
            errors.append(off(np.array(answers), truth(0)))
        assert errors[1] < errors[0] and errors[1] > 1
    assert right("more") == 2 * ["It falls at first, and then stays well above 0."]


@pytest.mark.claim("concepts-empty")
def test_the_mean_of_nothing_is_no_number():
    """The mean of all within 1 km is the boxcar's answer; of another flat, within 1 km of one, it is a number."""
    with pytest.warns(EmptyWindowWarning):
        found = nadaraya_watson([0.0, 5.0], [4.5, 7.0], [300.0, 500.0], kernel="boxcar", bandwidth=1.0)
    assert np.isnan(found[0]) and found[1] == 300
    assert right("empty") == 2 * ["None at all: there is no such number."]


@pytest.mark.claim("concepts-product")
def test_the_largest_product_is_that_of_the_longest_and_not_of_the_nearest():
    for form, one, said in zip(course.CONCEPTS, ((1, 1), (2, 1)), ([2, 8, 5, 1], [6, 5, 9, 15])):
        question = TEXTS[f"{form}-product"]
        points = [tuple(map(int, text[1:text.index(")")].split(","))) for text in question.options]
        products = [int(np.dot(one, point)) for point in points]
        assert products == said and np.argmax(products) == question.right
        assert ", ".join(map(str, said[:3])) in question.why
        assert max(points, key=lambda point: np.hypot(*np.subtract(point, one))) != one
