"""How long a notebook takes is counted, never written."""
import pytest

# What slow readers took, code and predictions included: from, to.
MEASURED = {"warm_up": (50, 60), "parzen_equivalence": (70, 70), "online_softmax": (75, 75), "sgd_bandwidth": (75, 75),
            "unit_sphere": (80, 80), "one_head": (80, 80)}


@pytest.mark.parametrize("name", MEASURED)
def test_the_formula_gives_the_minutes_that_readers_took(name, sources):
    low, high = MEASURED[name]
    assert low - 5 <= int(sources.placeholders.minutes[name]) <= high + 5
