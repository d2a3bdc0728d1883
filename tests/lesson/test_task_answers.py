"""The numbers that a small task expects are those that the lesson's own code gives."""
import re
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest

from workbook import lesson
from workbook.authoring.source import read_lesson

SOURCES = Path(__file__).resolve().parents[2] / "notebooks" / "source"
ANSWERS = {
    "00-share": "__import__('nwlab').attention_weights(100, [60, 75, 90, 115, 130, 155], bandwidth=15)[0, 2:4].sum()",
    "01-pool": "weights @ prices",
    "02-epanechnikov": "(1 - u**2) / np.sum(1 - u**2)",
    "03-order": "np.argsort(written)",
    "04-loo": "np.mean((leave_one_out_mask(data.keys, data.values, 0.3) - data.values) ** 2)",
    "05-centre": "alpha @ data.keys",
    "06-step": "0.5 - 0.0001 * w.grad.item()",
    "07-bridge": "[90 / 20**2, -90**2 / (2 * 20**2)]",
    "08-score": "-0.5 * np.sum(w**2 * (q - k)**2)",
    "09-mask": "torch.softmax(torch.tensor([1, -float('inf'), 2]), 0).numpy()",
    "10-block": "1.135 * math.exp(3 - 5) + math.exp(2 - 5) + 1",
    "12-density": "points.sum() / 60 / 60 / 3",
    "13-variance": "0.5**2 * np.sum(alpha**2)",
    "15-level": "(scores[:2].sum() - 1) / 2",
    "16-hidden": "np.mean((nwlab.masked_softmax(scores, engel.keys[:, None] != engel.keys) @ engel.values"
                 " - engel.values) ** 2)",
    "12-prior": "nwlab.masked_softmax(np.log(points) - np.log(sizes)) @ labels",
}
TASK = re.compile(r'lesson\.task\("([^"]+)", mine\)')
LESSONS = {path: TASK.findall(path.read_text(encoding="utf-8")) for path in sorted(SOURCES.glob("*.md"))}


def test_every_task_has_an_answer_here():
    assert sorted(sum(LESSONS.values(), [])) == sorted(ANSWERS)


@pytest.mark.parametrize("path", [path for path, tasks in LESSONS.items() if tasks], ids=lambda path: path.stem)
def test_the_answer_from_the_lessons_own_code_is_right(path, monkeypatch):
    """The cells run up to the last task, but for live figures and questions."""
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(torch, "set_default_dtype", lambda dtype: None)     # other tests share this process
    matplotlib.use("Agg")
    monkeypatch.setattr(plt, "show", lambda: plt.close("all"))
    names, waiting = {}, list(LESSONS[path])
    for cell in read_lesson(path).cells:
        if cell.kind != "code" or not waiting:
            continue
        if task := TASK.search(cell.text):
            before = cell.text.partition("mine = ...")[0]
            exec(before, names)
            mine = eval(ANSWERS[task[1]], names)
            assert lesson.task(task[1], mine).solved, (task[1], mine)
            assert not lesson.task(task[1], np.asarray(mine, dtype=float) + 1).solved
            waiting.remove(task[1])
        else:
            exec(re.split(r"^(?:explore|lesson)\.", cell.text, maxsplit=1, flags=re.MULTILINE)[0], names)
    assert not waiting
