"""Words: the stable line, the panel and the text of CheckFailed. The same verdict always gives the same words."""
import html
import re
import sys
import textwrap
from dataclasses import replace

from workbook import palette
from workbook.checks.item import Verdict

WIDTH = 78                             # letters
RUN_ALL = "“Run All” stops at a check that does not hold. Run the cells below one by one."
HINTS = ("a hint", "another hint", "the last hint")
FOLD = """<details><summary>What was tried, what came back, and what was expected</summary>
<pre style='white-space:pre-wrap;word-break:normal;overflow-wrap:anywhere;margin:4px 0;color:inherit;background:none'>
{}</pre></details>"""
PANEL = """<style>{style}</style>
<div role='status' class='wb-panel' style='border-left:4px solid var({colour});padding:4px 12px;margin:4px 0;
  font-family:var(--jp-ui-font-family, sans-serif);font-size:var(--jp-ui-font-size1, 13px);
  color:var(--jp-ui-font-color1, #222);background:var(--jp-layout-color2, #f5f5f5)'>
<b><span style='color:var({colour})' aria-hidden='true'>{symbol}</span> {title}: {word}</b>{body}</div>"""
CALM = """
.jp-OutputArea-child:has(.wb-panel) ~ .jp-OutputArea-child [data-mime-type="application/vnd.jupyter.stderr"] {
  background: none; opacity: 0.7;
}
.wb-hint > summary {
  display: inline-block; margin: 4px 0; padding: 2px 10px; border: 1px solid var(--jp-border-color1, #8a9199);
  border-radius: 3px; cursor: pointer;
}
.wb-hint > summary:focus-visible { outline: 2px solid var(--jp-brand-color1, #1976d2); }
"""                                    # what follows a panel in the same cell is the line of CheckFailed, said already


class CheckFailed(AssertionError):
    """A check that does not hold yet. It fails the cell, as nbgrader and nbval want it.

    Where the panel has said everything, IPython shows one line instead of a traceback; elsewhere it shows the text.
    """

    def __init__(self, verdict: Verdict):
        self.verdict = verdict
        super().__init__(failure_text(verdict))

    def _render_traceback_(self) -> list[str]:
        return [self.verdict.line]


class Stopped(KeyboardInterrupt):
    """A check that was stopped by hand: one line in a notebook, instead of a traceback through the package."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def failure_text(verdict: Verdict) -> str:
    """Tried, got, expected and why, where to look next: in this order."""
    return "\n\n".join([verdict.line, *parts(verdict), _section("Next", wrapped(capital(verdict.next)))])


def parts(verdict: Verdict) -> list[str]:
    """What can be folded away: texts below their titles. Of a stub there is nothing to be said."""
    expected = f"{verdict.expected}\n{wrapped(capital(verdict.why))}".strip("\n")
    texts = verdict.tried, verdict.got if verdict.tried else "", expected
    return [_section(title, text) for title, text in zip(("Tried", "Came back", "Expected"), texts) if text]


def _section(title: str, text: str) -> str:
    return f"{title}\n{text}".replace("\n", "\n  ")


def wrapped(prose: str) -> str:
    """Prose in lines that fit a notebook 900 pixels wide; the page itself would break them within a word."""
    lines = (textwrap.fill(line, WIDTH, break_long_words=False, break_on_hyphens=False,
                           initial_indent=" " * (len(line) - len(line.lstrip()))) for line in prose.splitlines())
    return "\n".join(filter(None, lines))


def report(verdict: Verdict, title: str, hint: str, hints: tuple[str, ...] = ()) -> None:
    """Show the panel, or outside a notebook print the line, and raise CheckFailed where the verdict says so.

    hint: how to ask for one in Python; hints: what buttons under the panel's message show, one after the other.
    """
    if verdict.holds:
        panel("✓", "holds", title, [verdict.line, verdict.remark], plain=verdict.line)
        return
    look = verdict.next.rstrip(". ")
    verdict = replace(verdict, next=f"{look}{'' if look.endswith('?') else '.'}\nFor a hint:  {hint}")
    following = f"Next: {verdict.next}".splitlines()
    lines = [capital(verdict.mistake), *(following[:-1] if hints else following), RUN_ALL]
    below = FOLD.format(html.escape("\n\n".join(parts(verdict)), quote=False)) * bool(parts(verdict)) + folded(hints)
    if shell():
        panel("✗", "not yet", title, lines, failure_text(verdict), below)
    raise CheckFailed(verdict)


def skipped(name: str, title: str) -> None:
    """Say that an item was not checked, as PyTorch is missing."""
    line = f"{name} is written in PyTorch, which is not here: it was not checked, and gives no points here."
    panel("·", "skipped", title, [line], plain=line)


def stopped(name: str, title: str) -> Stopped:
    """Say in a panel what to look for; returns what is to be raised."""
    line = f"{name} was stopped before it had answered."
    look = "Next: If it took long, look for a loop that never ends. Does what its condition asks change in each turn?"
    panel("✗", "stopped", title, [line, look, "Mend it before “Run All”, or it hangs again."], plain=line)
    return Stopped(line)


def capital(text: str) -> str:
    """With a capital where it begins with a word; a symbol stays as it is, since D is not d."""
    return text[:1].upper() + text[1:] if re.match(r"a |(?!rho)[a-z]{2,}\b(?![=(*/²])", text) else text


def folded(hints: tuple[str, ...]) -> str:
    """Hints behind buttons of the page, each inside the one before: nobody edits a call, and no widget is needed."""
    page = ""
    for name, text in reversed(list(zip(HINTS[-len(hints):], hints))):
        page = f"<details class='wb-hint'><summary>{name}</summary><div>{code(text)}</div>{page}</details>"
    return page


def hint(line: str, how: str, later: tuple[str, ...]) -> None:
    """Show a hint. how: the way to the next in Python; in a notebook that is a button, with the `later` ones behind."""
    display(f"<style>{CALM}</style><div>{code(line)}</div>{folded(later)}",
            wrapped(line) + (f"\n  More:  {how}" if later else ""))


def panel(symbol: str, word: str, title: str, lines: list[str], plain: str, below: str = "") -> None:
    """A small box; outside a notebook the plain text. below: what else stands in it, as HTML.

    The style sheet in it makes the notebook's pictures dark in the dark theme, and the line of an error below it calm.
    """
    colour = "--jp-success-color1, #2e7d32" if symbol == "✓" else "--jp-warn-color1, #e65100"
    body = "".join(f"<div>{code(line)}</div>" for line in lines if line) + below
    display(PANEL.format(style=palette.style_sheet() + CALM, colour=colour, symbol=symbol, title=html.escape(title),
                         word=word, body=body), plain)


def table(rows: list[tuple[str, str, str]], head: str) -> None:
    """Rows of (symbol, name, what): as text and, in a notebook, as a table."""
    width = max((len(name) for _, name, _ in rows), default=0)
    text = "\n".join([head, *(f"  {symbol} {name:<{width}}  {about}".rstrip() for symbol, name, about in rows)])
    cells = "".join("<tr>" + "".join(f"<td style='text-align:left'>{code(cell)}</td>" for cell in row) + "</tr>"
                    for row in rows)
    display(f"<div><b>{html.escape(head)}</b><table>{cells}</table></div>", text)


def code(text: str) -> str:
    """Escaped for HTML, with `code` set as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))


def shell():
    """The IPython shell that runs this, or None."""
    module = sys.modules.get("IPython")
    return module.get_ipython() if module else None


def display(markup: str, plain: str) -> None:
    """Show the markup in a notebook; anywhere else print the plain text."""
    if shell() is None:
        print(plain)
        return
    import IPython.display

    IPython.display.display({"text/html": markup, "text/plain": plain}, raw=True)
