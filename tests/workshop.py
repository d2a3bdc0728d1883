"""A checkout of two lessons in a temporary folder, for the tests of the build."""
from pathlib import Path

from workbook.authoring.project import Project

PYPROJECT = """
[project]
name = "nwlab"
[project.urls]
Repository = "https://github.com/someone/workbook"
"""

README = """# A workbook

<!-- workbook: {{binder_badge}} -->
<!-- /workbook -->

<!-- workbook: {{notebook_table}} -->
old
<!-- /workbook -->
The end.
"""

START = """# Start here

{{notebook_table}}

Go to [the next one](01_numbers.ipynb).
"""

NUMBERS = """# Numbers

First some text.

## By hand

A sum, by hand.

```{code-cell} python
:name: the-sum

total = 1 + 2
print(total)
```

Now its picture.

```{code-cell} python
:tags: [nbval-ignore-output]

import matplotlib.pyplot as plt
plt.figure(figsize=(1, 1))
plt.plot([0, total]);
```

And an error, shown.

```{code-cell} python
:tags: [raises-exception]

total / 0
```
"""


def lesson(body: str, title: str = "A lesson") -> str:
    """The text of a source with this body."""
    return f"---\nworkbook:\n  title: {title}\n  summary: What it is about\n  minutes: 5\n---\n\n{body}"


def make_workshop(folder: Path, **bodies: str) -> Project:
    """Write a checkout into a folder; by default with a lesson of prose, 00, and one of code, 01."""
    bodies = bodies or {"00_start_here": START, "01_numbers": NUMBERS}
    files = {"notebooks/images/binder.svg": "<svg/>", "pyproject.toml": PYPROJECT, "nwlab/__init__.py": "",
             "README.md": README if "00_start_here" in bodies else "# A workbook\n"}
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    for name, body in bodies.items():
        write_source(folder, name, body)
    return Project(folder)


def write_source(folder: Path, name: str, body: str) -> Path:
    path = folder / "notebooks" / "source" / f"{name}.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(lesson(body), encoding="utf-8")
    return path
