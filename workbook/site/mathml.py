"""Formulas as MathML, made when the site is built: they need no program on the page, and screen readers read them."""
import re
from pathlib import Path

from workbook import palette

_FUNCTIONS = "log|exp|sin|cos|tanh|min|max"
_MEND = [  # what latex2mathml leaves open: (pattern, what it becomes)
    (r"<mo>&#x02016;</mo>", '<mo stretchy="false">&#x02016;</mo>'),                     # ‖ as high as the letters
    (r"<mi>&#x0007E;</mi>", "<mo>&#x0223C;</mo>"),                                      # ∼ is a relation
    # log n, but log(n), and no space inside of log_2
    (rf"(?<!<ms..>)(?<!<munder>)(<m[io]>(?:{_FUNCTIONS})</m[io]>)(?!</|<mo)", r'\1<mspace width="0.167em"/>'),
    (r"<msup>(<mi>\w</mi>)<mi>(&#x0203[2-7];)</mi></msup>", r"\1<mo lspace='0' rspace='0.05em'>\2</mo>"),   # f′
    (r' mathcolor="(#\w+)"', lambda found: _named(found[1]) or found[0]),
]
# Of the font: letters, accents, signs, arrows, operators and what large ones are made of, and italic letters.
_LETTERS = [(0x20, 0x7F), (0xA0, 0x100), (0x2C6, 0x2DE), (0x302, 0x305), (0x370, 0x400), (0x2010, 0x2064),
            (0x2190, 0x22F0), (0x239B, 0x23E0), (0x27E8, 0x27FB), (0x210E, 0x210F), (0x1D434, 0x1D468),
            (0x1D6E2, 0x1D71C)]


def _named(colour: str) -> str:
    """The class of the word with this colour of marks; "" for another colour."""
    return next((f' class="wb-{word}"' for word, ink in palette.WORDS.items() if palette.MARKS.get(ink) == colour), "")


def mathml(formula: str, display: str = "inline") -> str:
    """A formula, as it stands between dollars, as MathML; words have the colours of what they name."""
    from latex2mathml.converter import convert

    made = convert(formula.strip(), display=display)
    for pattern, becomes in _MEND:
        made = re.sub(pattern, becomes, made)
    return made


def write_font(path: Path) -> None:
    """The letters of formulas, cut out of STIX Two Math (SIL Open Font License), which the package ziamath brings."""
    import ziamath
    from fontTools import subset

    options = subset.Options(flavor="woff", layout_features=["*"], recalc_timestamp=False)
    font = subset.load_font(str(Path(ziamath.__file__).parent / "fonts" / "STIXTwoMath-Regular.ttf"), options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=[letter for span in _LETTERS for letter in range(*span)])
    cutter.subset(font)
    subset.save_font(font, str(path), options)


def setup(app) -> dict:
    """What Sphinx asks of an extension."""
    from docutils.nodes import SkipNode

    def inline(page, node):
        page.body.append(mathml(node.astext()))
        raise SkipNode

    def block(page, node):
        page.body.append(f'<div class="math" tabindex="0" role="group" aria-label="formula">'
                         f'{mathml(node.astext(), "block")}</div>')
        raise SkipNode

    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True}
