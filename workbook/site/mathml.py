"""Formulas as MathML, made when the site is built: they need no program on the page, and screen readers read them."""
import re
from pathlib import Path
from xml.etree import ElementTree

from workbook import palette
from workbook.language import say

_FUNCTIONS = "log|exp|sin|cos|tanh|min|max"
_CLASSES = {palette.MARKS[ink]: f' class="wb-{word}"' for word, ink in palette.WORDS.items() if ink in palette.MARKS}
_MEND = [  # what latex2mathml leaves open: (pattern, what it becomes)
    (r"<mo>&#x02016;</mo>", '<mo stretchy="false">&#x02016;</mo>'),                     # ‖ as high as the letters
    (r"<mo>(?:/|&#x0002F;)</mo>", '<mo lspace="0" rspace="0">/</mo>'),
    ("<mo>&#x0005E;</mo></mover>", "<mo>&#x002C6;</mo></mover>"),                       # a hat, and not a caret
    (r"<mi>&#x0007E;</mi>", "<mo>&#x0223C;</mo>"),                                      # ∼ is a relation
    # log n, but log(n), and no space inside of log_2
    (rf"(?<!<ms..>)(?<!<munder>)(<m[io]>(?:{_FUNCTIONS})</m[io]>)(?!</|<mo)", r'\1<mspace width="0.167em"/>'),
    (r"<msup>(<mi>\w</mi>)<mi>(&#x0203[2-7];)</mi></msup>", r"\1<mo lspace='0' rspace='0.05em'>\2</mo>"),   # f′
    (r"(<mo[^>]*>&#x0(?:002C|003D|0028|2223);</mo>(?:<mspace[^>]*/>)?)<mo>(&#x0(?:002B|2212);)</mo>",
     r'\1<mo form="prefix">\2</mo>'),                                                   # a sign: no space behind it
    # a brace below a term is drawn by the style sheet, as browsers draw half of a wide one only
    (r"<munder><mrow>(.*?)</mrow><mo>&#x23DF;</mo></munder>", r'<mrow class="wb-brace">\1</mrow>'),
    (r'><mrow><mstyle displaystyle="true" scriptlevel="0">((?:(?!</mstyle>).)*)</mstyle></mrow></math>$',
     r' displaystyle="true"><mrow>\1</mrow></math>'),
    (r' mathcolor="(#\w+)"', lambda found: _CLASSES.get(found[1], found[0])),  # the colours of words
]
_RELATIONS, _ROW = set("=≈∼≤≥←⟹"), "{http://www.w3.org/1998/Math/MathML}mrow"
ElementTree.register_namespace("", _ROW[1:-5])
_TEXT = r"(?s)(<(pre|code|math|script|style|textarea|kbd|samp)\b.*?</\2>|<[^>]*>)|[^<]+"
_TIED = r"(?<=\d) (?=m²|%|€|km\b)|(?<![^\w)]) (?=[=≈] )|(?<= [=≈]) (?=\S)"
SYMBOL = re.compile(r"<(em|i)>((?:(?<![A-Za-z])[A-Za-zα-ω](?![A-Za-z])|SS|mn|xy|[\d ()])+)</\1>")  # a formula
_LONE = r"(?<![\w.’'&;/-])[b-ln-z](?=²|[ \u00a0][=≈≤≥][ \u00a0]|/\d|\|)|(?<=[√|])[b-z]\b"      # one too, but no m²
# Of the font: letters, accents, signs, arrows, operators and what large ones are made of, and italic letters.
_LETTERS = ("20-7E,A0-FF,2C6-2DD,302-304,370-3FF,1D40,1D62,2010-209F,2190-22EF,239B-23DF,27E8-27FA,210E,1D434-1D467,"
            "1D6E2-1D71B")


def mathml(formula: str, display: str = "inline") -> str:
    """A formula, as it stands between dollars, as MathML; words have the colours of what they name."""
    from latex2mathml.converter import convert

    made = convert(formula.strip(), display=display)
    for pattern, becomes in _MEND:
        made = re.sub(pattern, becomes, made)
    return _in_clauses(made)


def _in_clauses(made: str) -> str:
    """A formula whose clauses, which wide spaces part, are rows of parts that begin with a relation: where there is
    little room the page breaks between clauses, and then before a relation."""
    formula, clause = ElementTree.fromstring(made), None
    rows, pieces = formula[0], list(formula[0])
    rows[:] = []
    for piece in pieces:
        if clause is None:
            part = ElementTree.SubElement(clause := ElementTree.SubElement(rows, _ROW), _ROW)
        elif piece.text in _RELATIONS:
            part = ElementTree.SubElement(clause, _ROW)
            piece.set("form", "infix")              # it keeps its distance where it comes first
        part.append(piece)
        if piece.get("width") in ("1em", "2em") and len(part) > 2:          # more than an arrow
            clause = None
    rows.set("class", "wb-clauses")
    return made if len(rows) + len(rows[0]) == 2 else ElementTree.tostring(formula, encoding="unicode")


def symbols(body: str) -> str:
    """HTML in which letters that stand for numbers look as in formulas."""
    body = SYMBOL.sub(lambda found: mathml(found[2]), body)
    return re.sub(_TEXT, lambda part: part[0] if part[1] else re.sub(_LONE, lambda one: mathml(one[0]), part[0]), body)


def tied(body: str) -> str:
    """HTML in which no line begins with a full stop behind a formula, a unit, or = 2, and apostrophes are curly."""
    body = re.sub(_TEXT, lambda found: found[0] if found[1] else re.sub(
        _TIED, "\u00a0", re.sub(r"(?<=\w)(?:'|&#(?:x27|39);)(?=\w)", "’", found[0])), body)
    return re.sub(r"<math (?:(?!</math>).)*</math>[.,;:!?)]+", r'<span style="white-space: nowrap">\g<0></span>', body)


def write_font(path: Path) -> None:
    """The letters of formulas, cut out of STIX Two Math (SIL Open Font License), which the package ziamath brings;
    a σ in the text looks as it does in them."""
    import ziamath
    from fontTools import subset, ttLib

    font = Path(ziamath.__file__).with_name("fonts") / "STIXTwoMath-Regular.ttf"
    subset.main([str(font), f"--unicodes={_LETTERS}", "--layout-features=*", "--no-hinting", "--flavor=woff",
                 f"--output-file={path}"])
    with ttLib.TTFont(path) as font:        # browsers keep room for the widest root, so all are as wide as the lowest
        made, letters = font["MATH"].table.MathVariants, font.getBestCmap()
        root = made.VertGlyphConstruction[made.VertGlyphCoverage.glyphs.index(letters[ord("√")])]
        root.GlyphAssembly, (lowest, *higher) = None, [each.VariantGlyph for each in root.MathGlyphVariantRecord]
        for name in {*higher} - {lowest}:
            font["glyf"][name].coordinates.scale((font["hmtx"][lowest][0] / font["hmtx"][name][0], 1))
            font["glyf"][name].recalcBounds(font["glyf"])
            font["hmtx"][name] = font["hmtx"][lowest][0], font["glyf"][name].xMin
        for table in font["cmap"].tables:
            table.cmap |= {0x3B1 + i: letters[0x1D6FC + i] for i in range(25) if 0x3B1 in table.cmap}
        font.save(path)


def setup(app) -> dict:
    """What Sphinx asks of an extension."""
    from docutils.nodes import SkipNode

    def inline(page, node):
        page.body.append(mathml(node.astext()))
        raise SkipNode

    def block(page, node):
        page.body.append(f'<div class="math" tabindex="0" role="group" aria-label="{say("formula")}">'
                         f'{mathml(node.astext(), "block")}</div>')
        raise SkipNode

    def keep(app, name, template, context, doctree):
        context["body"] = tied(symbols(context.get("body", "")))

    app.connect("html-page-context", keep)
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True}
