"""``slides``: a deck for each plan of the teachers' page, made of what its notebooks hold, for reveal.js.

A row of a plan becomes slides in the order of its notebook: headings with what stands first below them, the questions
and live figures that it names, and the pictures between these. The ruling on a choice comes after the experiment.
"""
import html
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from nbformat import NotebookNode

from workbook import course
from workbook.authoring import notebook as notebooks
from workbook.authoring import plans
from workbook.authoring.project import BuildError, Project, made_anew
from workbook.files import write
from workbook.questions.questions import Question, inline, starting_with
from workbook.site import page
from workbook.site.cells import Cells
from workbook.site.shelf import Shelf
from workbook.site.site import run_sphinx, write_own

_CALL = re.compile(r'^(?:lesson\.\w+\("(\d\d-[\w-]+)"|(?:\w+ = )?(explore\.\w+)\()', flags=re.MULTILINE)
_NAMED = re.compile(r"\*\*(.+?)\*\*|`(\d\d-[\w-]+|explore\.\w+)`")
_LINK = re.compile(r"\[([^\]\[]+)\]\([^)]*\)")
_VOTE = "A vote, five minutes: alone, hands, with a neighbour, hands, the experiment. "

Piece = tuple[tuple[str, ...], str, str | NotebookNode]     # headings above; what is called; prose or a cell of code
Slide = tuple[str, str, str]                                # kind, title, body


def build(project: Project, out: Path, shelf: Shelf | None = None, say: Callable[[str], None] = print) -> None:
    """Write all decks into the folder `out`, which is made anew. BuildError where a plan names what is in none of its
    notebooks, or `out` holds something else."""
    shelf = shelf or Shelf(project.root / "build" / "figures", kept=("wide",))
    lessons = {path.stem[:2]: _pieces(path) for path in sorted(project.notebooks.glob("[0-9][0-9]_*.ipynb"))}
    found = plans.read((project.notebooks / "for_teachers.md").read_text(encoding="utf-8"))
    links: dict[str, str] = {}                          # title -> to its plans
    with made_anew(out) as made:
        source = made.parent / "source"
        for plan in found:
            name = f"{plan.name}-{plan.minutes}.md"
            write(source / name, _deck(plan, lessons, Cells(shelf, "", "")))
            links[plan.title] = f"{links.get(plan.title, '')} [{plan.minutes} minutes]({name})"
        listed = "\n".join(f"- {title}:{those}" for title, those in links.items())
        write(source / "index.md", _slide("#", ("index", course.TITLE, listed), 0, "Each link opens a deck.")
              + "```{toctree}\n:hidden:\n:glob:\n\n*\n```\n")
        write_own(source / "_own", "slides.css", "site.js", "slides.js")
        shelf.fill(say)
        run_sphinx(project, source, made, "revealjs")
        shelf.empty_into(made / "_figures")
    say(f"{out}: {len(found)} decks; open {out / 'index.html'}, and press s in a deck for its notes and minutes")


def _deck(plan: plans.ClassPlan, lessons: dict[str, list[Piece]], cells: Cells) -> str:
    """The source of a deck."""
    lesson, told = lessons.get(plan.name[:2], []), " ".join(words for _, words in plan.rows)
    title = "title", plan.title, f"{_opening(lesson)[0]}\n\n{plan.minutes} minutes"
    parts, clock = [_slide("#", title, 0, plan.needs)], 0
    for above, call, cell in lesson:
        if len(above) == 1 and not isinstance(cell, str) and not (call and call in told):
            parts += [_slide("##", slide, 0, plan.needs) for slide in _pictures(plan.title, call, cell, cells)]
    for minutes, words in plan.rows:
        numbers = dict.fromkeys(re.findall(r"\b\d\d\b", words))
        pieces = lesson or [piece for number in numbers for piece in lessons[number]]
        slides = list(_row(plan, words, pieces, cells)) or [("words", plan.title, words)]
        shares = [4 if kind == "vote" else 1 for kind, _, _ in slides]
        for i, slide in enumerate(slides):
            note = f"{_VOTE if slide[0] == 'vote' else ''}Minutes {clock} to {clock + minutes}: {words}"
            parts.append(_slide("###" if i else "##", slide, 60 * minutes * shares[i] // sum(shares), note))
        clock += minutes
    last = f"{plan.leave}\n\nAt home: {plan.homework}"
    return "".join([*parts, _slide("##", ("end", "What to take along", last), 0, plan.needs)])


def _row(plan: plans.ClassPlan, words: str, pieces: list[Piece], cells: Cells) -> Iterator[Slide]:
    named, shown = [heading or call for heading, call in _NAMED.findall(words)], set()
    for name in named:
        home = next((above for above, call, _ in pieces if name in (*above[-1:], call)), None)
        if home is None:
            raise BuildError(Path("for_teachers.md"), None, f"{plan.title}: {name!r} is in none of its notebooks")
        if name in shown:
            continue
        alone = name.startswith("explore.")
        inside = [piece for piece in pieces if piece[0] == home and (not alone or piece[1] == name)]
        if name in home:
            yield "heading", name, "\n\n".join(_opening(inside))
        shown |= {name, *(call for _, call, _ in inside)}
        ruling = []
        for (*_, title), call, cell in inside:
            if call[:2].isdigit():
                yield from ruling
                ruling = []
                quiz = call.endswith("-check")
                for question in starting_with(call, course.TEXTS) if call in named or quiz else ():
                    ruling = [("ruling", title, _asked(question, cell, judged=True))]
                    yield "vote" if call in plans.votes(words) else "question", title, _asked(question, cell)
                    if quiz or not question.options:                        # judged at once
                        yield ruling.pop()
            elif not isinstance(cell, str) and (not call or call in named):
                yield from _pictures(title, call, cell, cells)
        yield from ruling


def _pictures(title: str, call: str, cell: NotebookNode, cells: Cells) -> Iterator[Slide]:
    cells.show(cell)
    for output in cell.outputs:
        if "wb-picture" in (shows := output.get("data", {}).get("text/html", "")):
            yield "figure" if call else "picture", title, f'<div class="wb-place">{shows}</div>'


def _pieces(path: Path) -> list[Piece]:
    """A built notebook, cut at its headings."""
    found, above = [], ()
    for cell in notebooks.read(path).cells:
        if cell.cell_type == "code":
            call = _CALL.search(cell.source)
            found.append((above, call[call.lastindex] if call else "", cell))
            continue
        for part in re.split(r"(?m)^(?=#{1,4} )", cell.source):
            if heading := re.match(r"(#+) (.+)\n?", part):
                above = (*above[:len(heading[1]) - 1], heading[2])
            found.append((above, "", part[heading.end():] if heading else part))
    return found


def _opening(pieces: list[Piece]) -> list[str]:
    """The first paragraph and the first formula, as long as there is no code; "" where there is none."""
    code = next((i for i, (_, _, cell) in enumerate(pieces) if not isinstance(cell, str)), len(pieces))
    prose = re.split(r"\n\s*\n", "\n\n".join(cell.strip() for _, _, cell in pieces[:code]))
    return [_LINK.sub(r"\1", next((part for part in prose if re.match(begin, part)), ""))
            for begin in (r"[^<|`$%]", r"\$\$")]


def _asked(question: Question, cell: NotebookNode, judged: bool = False) -> str:
    """A question; or its answer, why, and what to say to other answers."""
    if question.axes and not judged:
        return f'<div class="wb-place">{cell.outputs[0].data["text/html"]}</div>'
    numbers = ", ".join(f"{number:g}".replace("-", "−") for number in question.numbers)
    options = [f"<li{' class=wb-right' * (judged and i == question.right)}>{inline(option)}"
               f"<small>{inline(remark) * judged}</small></li>"
               for i, (option, remark) in enumerate(zip(question.options, question.remarks))]
    answer = f'<p class="wb-answer">{numbers} {html.escape(question.unit)}</p>' if judged and numbers else ""
    return (f'<div class="wb-question {"wb-judged" if judged else ""}"><p>{inline(question.text)}</p>{answer}'
            f'<ol>{"".join(options)}</ol><p>{inline(question.why) * judged}</p></div>')


def _slide(marks: str, slide: Slide, seconds: int, note: str) -> str:
    kind, title, body = slide
    if body.startswith("<"):
        body = f"````{{raw}} html\n{body}\n````"
    return page.filled("slide.md", {"marks": marks, "title": title, "kind": kind, "seconds": str(seconds),
                                    "body": body, "note": note})
