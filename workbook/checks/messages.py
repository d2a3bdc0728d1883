"""What a student reads: the line, the panel, the text of CheckFailed. The same verdict always gives the same words."""
import html
import re
import sys
from dataclasses import replace
from pathlib import Path

from workbook import palette
from workbook.checks.item import Verdict
from workbook.language import language, say
from workbook.questions.questions import inline

WIDTH = 78                             # letters, of which a Chinese one counts for two
HAN = r"\u4e00-\u9fff"                 # Chinese letters: a line may end between two of them, as after a space
PIECE = re.compile(rf"\s*[（“《]*(?:[{HAN}]|(?:(?!“[{HAN}])[^\s{HAN}（《])+|\S)[，。：；、？！）》”…]*\s*")
RUN_ALL = say("“Run All” stops at a check that does not hold. Run the cells below one by one.")
HINTS = (say("a hint"), say("another hint"), say("the last hint"))
TITLES = (say("Tried"), say("Came back"), say("Expected"))
FOLD = "<details><summary>{summary}</summary><pre>{tried}</pre></details>"


class CheckFailed(AssertionError):
    """A check that does not hold yet. It fails the cell, as nbgrader and nbval want it.

    Where the panel has said everything, IPython shows one line instead of a traceback; elsewhere it shows the text.
    """

    def __init__(self, verdict: Verdict):
        self.verdict = verdict
        super().__init__(failure_text(verdict))

    def _render_traceback_(self) -> list[str]:
        return [self.verdict.line]


def failure_text(verdict: Verdict) -> str:
    """Tried, got, expected and why, where to look next: in this order."""
    return "\n\n".join([verdict.line, *parts(verdict), _section(say("Next"), wrapped(capital(verdict.next)))])


def parts(verdict: Verdict) -> list[str]:
    """The texts that can be folded away, each below its title. For a stub there are none."""
    expected = f"{verdict.expected}\n{wrapped(capital(verdict.why))}".strip("\n")
    texts = verdict.tried, verdict.got if verdict.tried else "", expected
    return [_section(title, text) for title, text in zip(TITLES, texts) if text]


def _section(title: str, text: str) -> str:
    return f"{title}\n{text}".replace("\n", "\n  ")


def wrapped(prose: str) -> str:
    """Prose in lines that fit a notebook 900 pixels wide; the page itself would break them within a word."""
    lines = []
    for line in prose.splitlines():
        lines.append("")
        for piece in PIECE.findall(line):
            text = lines[-1] + piece.rstrip()
            if lines[-1] and len(text) + len(re.findall(rf"[\u3000-\u303f{HAN}\uff00-\uff60]", text)) > WIDTH:
                lines.append("")
            lines[-1] += piece
    return "\n".join(filter(None, map(str.rstrip, lines)))


def report(verdict: Verdict, title: str, hint: str, hints: tuple[str, ...] = ()) -> None:
    """Show the panel, or outside a notebook print the line, and raise CheckFailed where it does not hold.

    hint: how to ask for one in Python; hints: what buttons under the panel's message show, one after the other.
    """
    if verdict.holds:
        lines = [verdict.line, *filter(None, [verdict.next])]
        panel("✓", say("holds"), title, lines, plain="\n".join(map(wrapped, lines)))
        return
    look = verdict.next.rstrip(".。 ")
    look += "" if look.endswith(("?", "？", "。）")) else say(".")
    verdict = replace(verdict, next=f"{look}\n" + say("For a hint:  {hint}", hint=hint))
    if shell():
        tried = html.escape("\n\n".join(parts(verdict)), quote=False)
        fold = FOLD.format(summary=say("What was tried, what came back, and what was expected"), tried=tried)
        panel("✗", say("not yet"), title, [capital(verdict.mistake), say("Next: {look}", look=look), RUN_ALL],
              failure_text(verdict), (fold if tried else "") + folded(hints))
    raise CheckFailed(verdict)


def capital(text: str) -> str:
    """With a capital letter if it begins with a word. A symbol stays as it is, since D is not d."""
    word = language() == "en" and re.match(r"a |(?!rho)[a-z]{2,}\b(?![=(*/²])", text)
    return text[:1].upper() + text[1:] if word else text


def folded(hints: tuple[str, ...]) -> str:
    """Hints behind buttons of the page, each inside the one before. They need neither a call nor a widget."""
    page = ""
    for name, text in reversed(list(zip(HINTS[-len(hints):], hints))):
        page = f"<details class='wb-hint'><summary>{name}</summary><div>{inline(text)}</div>{page}</details>"
    return page


def panel(symbol: str, word: str, title: str, lines: list[str], plain: str, below: str = "") -> None:
    """A small box; outside a notebook the plain text. below: what else stands in it, as HTML."""
    body = "".join(f"<div>{inline(line)}</div>" for line in lines) + below
    holds = " wb-holds" if symbol == "✓" else ""
    display(f"{style()}<div role='status' class='wb-panel{holds}'><b><span aria-hidden='true'>{symbol}</span> "
            f"{html.escape(say('{item}: {verdict}', item=title, verdict=word))}</b>{body}</div>", plain)


def style() -> str:
    """The style sheet of panels and hints. It also makes the notebook's pictures dark in the dark theme."""
    own = Path(__file__).with_name("panel.css").read_text(encoding="utf-8")
    return f"<style>{palette.style_sheet()}{own}</style>"


def shell():
    """The IPython shell that runs this, or None."""
    module = sys.modules.get("IPython")
    return module.get_ipython() if module else None


def tell(text: str) -> None:
    """Print, also in a terminal of few letters: without ✓, for instance, a + stands in its place."""
    try:
        print(text)
    except UnicodeEncodeError:
        few = text.translate(str.maketrans("✓✗·“”…−–", "+x.\"\".--"))
        print(few.encode(sys.stdout.encoding, "replace").decode(sys.stdout.encoding))


def display(markup: str, plain: str) -> None:
    """Show the markup in a notebook; anywhere else print the plain text."""
    if shell() is None:
        tell(plain)
        return
    import IPython.display

    IPython.display.display({"text/html": markup, "text/plain": plain}, raw=True)
