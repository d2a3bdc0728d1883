"""Items and exercises as they are declared: what is refused, and the documented example."""
import importlib
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from small_items import row_means

from workbook import checks, exercises
from workbook.checks import CheckFailed


def test_a_declaration_that_would_let_all_answers_pass_is_refused():
    with pytest.raises(ValueError, match="expected an oracle, or own_judge"):
        row_means(oracle=None)


def test_the_documented_example_works(tmp_path, monkeypatch, capsys):
    text = Path(checks.__file__).with_name("README.md").read_text(encoding="utf-8")
    package = tmp_path / "average_pooling"
    package.mkdir()
    files = "__init__.py", "items.py", "figures.py", "hints.md", "advice.md"
    for name, code in zip(files, re.findall(r"```(?:python|markdown)\n(.*?)```", text, re.DOTALL), strict=True):
        (package / name).write_text(code, encoding="utf-8")
    monkeypatch.setattr(exercises, "__path__", [*exercises.__path__, str(tmp_path)])
    monkeypatch.setenv("NWLAB_PROGRESS", str(tmp_path / "progress"))
    average_pooling = importlib.import_module("workbook.exercises.average_pooling")
    with pytest.raises(ValueError, match="hints.md has no section '## mean: title'"):
        checks.Exercise(average_pooling.__name__, "", (replace(average_pooling.items.MEAN, name="mean"),))
    assert "`average(values)`, 1 point. It returns: the mean" in average_pooling.check_average.__doc__
    average_pooling.check_average(lambda values: values.mean())
    with pytest.raises(CheckFailed, match=r"(?s)the median, not the mean.*Which of the two uses every value\?"):
        average_pooling.check_average(np.median)
    average_pooling.hint("average")
    said = capsys.readouterr().out
    assert "average holds: 11 problems, 1 point" in said and "What does each value count?" in said
    assert len(average_pooling.show_average.draw(np.mean).axes) == 2
