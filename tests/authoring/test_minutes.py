"""How long a notebook takes is counted, never written."""
import pytest
from workshop import make_workshop

from workbook.authoring.build import build

# What slow readers took, code and predictions included: from, to.
MEASURED = {"warm_up": (50, 60), "parzen_equivalence": (70, 70), "online_softmax": (75, 75), "sgd_bandwidth": (75, 75),
            "unit_sphere": (80, 80)}


@pytest.mark.parametrize("name", MEASURED)
def test_the_formula_gives_the_minutes_that_readers_took(name, sources):
    low, high = MEASURED[name]
    assert low - 5 <= int(sources.placeholders.minutes[name]) <= high + 5


def test_the_build_writes_and_says_them(tmp_path):
    project = make_workshop(tmp_path, **{"00_long": "# Long\n\nAbout {{minutes}} minutes.\n\n" + "word " * 5200})
    project.readme.write_text("(../exercises/none.ipynb), 7 minutes\n", encoding="utf-8")
    lines: list[str] = []
    build(project, say=lines.append)
    assert "About 40 minutes." in (project.notebooks / "00_long.ipynb").read_text(encoding="utf-8")
    assert "40 minutes" in lines[0]
