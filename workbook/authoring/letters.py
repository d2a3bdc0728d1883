"""The letters that pictures need and Matplotlib's own font lacks, cut out of Debian's Noto Sans CJK."""
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTCollection, TTFont

from workbook import course, palette
from workbook.authoring.project import BuildError

WHOLE = Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc")           # Debian's package fonts-noto-cjk
STYLE = "Noto Sans CJK SC"


def needed(name: str) -> set[str]:
    """The letters of all texts in a language, but for those that Matplotlib's own font has."""
    texts = course.FOLDER.rglob(f"{name}/*")
    written = {letter for path in texts if path.suffix in (".md", ".po") for letter in path.read_text(encoding="utf-8")}
    return {letter for letter in written if letter.isprintable() and ord(letter) not in _own()}


@cache
def _own() -> set[int]:
    package = Path(find_spec("matplotlib").origin).parent
    return {*TTFont(package / "mpl-data" / "fonts" / "ttf" / "DejaVuSans.ttf").getBestCmap()}


def in_font(path: Path) -> set[str]:
    """The letters that a font has; none where there is no such file."""
    return {*map(chr, TTFont(path).getBestCmap())} if path.is_file() else set()


def cut(path: Path, letters: set[str]) -> None:
    """Write the font with these letters, if it has others. BuildError where the whole font is not installed."""
    if in_font(path) == letters:
        return
    if not WHOLE.is_file():
        raise BuildError(path, None, f"lacks {''.join(sorted(letters - in_font(path)))}: install fonts-noto-cjk")
    font = next(one for one in TTCollection(WHOLE) if one["name"].getDebugName(1) == STYLE)
    options = subset.Options(layout_features=[], name_IDs=[0, 13, 14], hinting=False, notdef_outline=True)
    cutter = subset.Subsetter(options)
    cutter.populate(text="".join(letters))
    cutter.subset(font)
    name = palette.CHINESE
    for number, words in ((1, name), (2, "Regular"), (4, name), (6, name.replace(" ", ""))):
        font["name"].setName(words, number, 3, 1, 0x409)
    font["head"].modified = font["head"].created         # the same bytes whenever it is cut
    font.recalcTimestamp = False
    font.save(path)
