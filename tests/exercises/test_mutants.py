"""A fixed, quick part of what `mutant_machine.py` tries, and that its verdicts are verdicts on something.

Of each item every so many mutants are tried, for one seed.
"""
import pytest
from mutant_machine import VERDICTS, WORDS, fits, mutants, outcomes, verdicts

from nwlab import exercises

SLOW = ("train", "predict")            # a pooling is trained for each mutant: the script tries these
EVERY = 36
ITEMS = [pytest.param(name, item, id=f"{name}-{item.name}") for name in exercises.NAMES
         for item in getattr(exercises, name).ITEMS if item.name not in SLOW]


@pytest.mark.parametrize("name, item", ITEMS)
def test_no_mutant_survives_without_a_verdict(name, item):
    found = mutants(name, item)
    some = dict(list(found.items())[len(item.name) % 9::EVERY])
    unexplained = [f"{mutant}: {more}" for mutant, became, more in outcomes(name, item, some, range(1))
                   if became == "unexplained"]
    assert some and not unexplained


@pytest.mark.parametrize("path", sorted(VERDICTS.glob("*.toml")), ids=lambda path: path.stem)
def test_a_verdict_names_a_mutant_and_a_reason(path):
    for item, rows in verdicts(path.stem).items():
        made = [mutant for each in getattr(exercises, path.stem).ITEMS if item in ("*", each.name)
                for mutant in mutants(path.stem, each)]
        for words, said in rows.items():
            assert said.partition(": ")[0] in WORDS and said.partition(": ")[2]
            assert any(fits(words, mutant) for mutant in made), f"{path.name}, {item}: no mutant is called {words!r}"


def test_there_are_many_kinds_of_mutants():
    item = exercises.sgd_bandwidth.EXERCISE.item("leave_one_out_loss")
    kinds = {mutant.partition(":")[0] for mutant in mutants("sgd_bandwidth", item)}
    assert len(kinds) > 15
