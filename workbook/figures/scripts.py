"""The programs and style sheets of live figures, as texts."""
from pathlib import Path

from workbook import palette

HERE = Path(__file__).parent
SHARED = ("player.js", "motion.js", "access.js", "demo.js", "points.js", "controls.js",
          "figure.js")                  # with a kernel and without


def files(folder: Path, *names: str) -> str:
    """The texts of these files, joined."""
    return "".join((folder / name).read_text(encoding="utf-8") for name in names)


def style() -> str:
    """The style sheet of figures."""
    return palette.style_sheet() + files(HERE, "figure.css")
