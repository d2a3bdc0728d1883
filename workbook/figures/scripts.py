"""The programs and style sheets of live figures, as texts."""
from pathlib import Path

from workbook import course, palette

HERE = Path(__file__).parent
SHARED = ("player.js", "motion.js", "access.js", "demo.js", "points.js", "moved.js", "controls.js", "figure.js")


def files(folder: Path, *names: str) -> str:
    """The texts of these files, joined."""
    return "".join((folder / name).read_text(encoding="utf-8") for name in names)


def program(folder: Path, source: str) -> str:
    """The program of figures, with a kernel and without: its frames come from this `source`, a file of the folder."""
    own = sorted((course.FOLDER / "explore").glob("*.js"))                  # what computes moved points
    return files(HERE, *SHARED, *own) + files(folder, source)


def style() -> str:
    """The style sheet of figures."""
    return palette.style_sheet() + files(HERE, "figure.css")
