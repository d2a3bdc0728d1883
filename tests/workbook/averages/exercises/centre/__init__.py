"""The median, once by hand."""
from workbook.checks import Exercise, Item, Problem, named
from workbook.checks.notebook import publish


def problems(rng):
    for n in (5, 8, 1, 120):
        yield Problem(f"{n} numbers", {"values": rng.normal(size=n)})


def oracle(values):
    ordered, half = sorted(map(float, values)), len(values) // 2
    return (ordered[half] + ordered[~half]) / 2


MEDIAN = Item(name="median", title="Median", returns="the median, one number", arguments=("values",), oracle=oracle,
              make_problems=problems, mistakes=named(("the mean, not the median", lambda values: values.mean())))
EXERCISE = Exercise(__name__, "Centre", (MEDIAN,))
publish(globals(), EXERCISE)
