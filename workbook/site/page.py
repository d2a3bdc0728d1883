"""``figure``: one live figure in one HTML file that needs no kernel and no other file."""
import base64
import html
import re
from pathlib import Path

from matplotlib import rc_context

from workbook import course, language, palette
from workbook.authoring.project import BuildError
from workbook.figures import scripts
from workbook.figures.live import Explorer
from workbook.figures.scripts import files
from workbook.site.recording import STATES, Recording

HERE = Path(__file__).parent
FINE = 2                                # pixels of the screen in one of the page, for which figures are recorded
WIDE, NARROW = 900, 358                 # pixels of a figure in a page of its own, and on a phone


def page(name: str, states: int = STATES, **arguments) -> str:
    """The live figure of that name as a whole page, WIDE, and with fewer states NARROW. BuildError if there is none."""
    figure, wide = record(name, WIDE, states, **arguments)
    _, narrow = record(name, NARROW, states // 4, **arguments)
    return filled("page.html", {
        "language": language.language(), "label": html.escape(figure.scene.label), "sentence": figure.sentence_html,
        "note": language.say("This figure moves only where JavaScript is switched on."),
        "style": style(), "script": language.program(script()), "wide": wide, "narrow": narrow})


def filled(template: str, parts: dict[str, str]) -> str:
    """A file of this folder with these parts in place of each `{{ name }}`."""
    return re.sub(r"\{\{ (\w+) \}\}", lambda found: parts[found[1]], language.read(HERE / template))


def record(name: str, width: int, states: int, *positional, **arguments) -> tuple[Explorer, str]:
    """The live figure of that name with these arguments, laid out `width` pixels wide, and its recording in base64."""
    explore = course.module("explore")
    if name not in explore.__all__:
        raise BuildError("figure", None, f"got {name!r}, expected one of {', '.join(explore.__all__)}")
    with rc_context(palette.style()):                   # as in a lesson
        figure = getattr(explore, name)(*positional, **arguments)
        figure.lay_out(width, FINE)
        return figure, base64.b64encode(Recording(figure, states, name=name).data).decode()


def style() -> str:
    """The style sheet of a page with recorded figures."""
    return scripts.style() + files(HERE, "page.css")


def script() -> str:
    """The program of such a page: figures as in JupyterLab, with recording.js as their source."""
    return scripts.program(HERE, "recording.js")
