"""The letters that pictures need and Matplotlib's own font lacks, cut out of Debian's Noto Sans CJK."""
from importlib.util import find_spec
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTCollection, TTFont

from workbook import course, palette
from workbook.authoring.project import BuildError

WHOLE = Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc")           # Debian's package fonts-noto-cjk
STYLE = "Noto Sans CJK SC"


def needed(name: str) -> set[str]:
    """The letters of the package's texts in a language, but for those that Matplotlib's own font has."""
    texts = [path for path in course.FOLDER.rglob(f"{name}/*") if path.suffix in (".md", ".po")]
    written = set().union(*(path.read_text(encoding="utf-8") for path in texts))
    own = Path(find_spec("matplotlib").origin).with_name("mpl-data") / "fonts" / "ttf" / "DejaVuSans.ttf"
    return {letter for letter in written - in_font(own) if letter.isprintable()}


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
