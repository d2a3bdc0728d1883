"""The median, once by hand."""
import statistics

from workbook.checks import Exercise, Item, Problem, named
from workbook.checks.notebook import publish

MEDIAN = Item(name="median", title="Median", returns="the median, one number", arguments=("values",),
              oracle=lambda values: statistics.median(map(float, values)),
              by_hand=lambda rng: [Problem(f"{n} numbers", {"values": rng.normal(size=n)}) for n in (5, 8, 120)],
              mistakes=named(("the mean, not the median", lambda values: values.mean())))
EXERCISE = Exercise(__name__, "Centre", (MEDIAN,))
publish(globals(), EXERCISE)
