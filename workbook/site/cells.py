"""What a cell of a lesson shows on a page without a kernel: recorded figures, questions that answer, pictures. They are
found in the source of the cell, where the call and its arguments stand in plain view.
"""
import ast
import html
import json
import re

from nbformat import NotebookNode, v4

from workbook import course
from workbook.language import say
from workbook.questions.pieces import Questions
from workbook.site.mathml import symbols, tied
from workbook.site.shelf import Shelf

MODULES = "explore", "lesson"           # of the content, whose calls a page can show
LONG = 15                               # lines of code that a page folds; code that draws a picture it always folds
PICTURE = re.compile(r'(<p class="wb-headline">.+?</p>)?(?:<picture>(<source [^>]+>))?'          # of workbook.pictures
                     r'<img (?P<img>alt="[^"]*"(?: width="\d+")? src="data:image/png;base64,[^"]+")>')


class Cells:
    """Makes the outputs of one notebook into those of a page. shelf: where recordings are kept. up: from the page to
    the root of the site, "../". live: the address that opens the notebook with a kernel, "" where there is none."""

    def __init__(self, shelf: Shelf, up: str, live: str):
        self.shelf, self.up, self.live = shelf, up, live

    def show(self, cell: NotebookNode) -> None:
        """Change the outputs of a code cell, in place."""
        module, name, arguments = called(cell.source)
        widget, tags = None, cell.metadata.setdefault("tags", [])
        tags += (["wb-write"] if "NotImplementedError" in cell.source else
                 ["wb-call"] if re.fullmatch(r"\w+\.(check_|hint|show_).*", cell.source) else [])
        if module == "lesson" and arguments and name != "task":
            widget = getattr(course.module("lesson"), name)(*arguments[0], **arguments[1])
            if isinstance(widget, Questions) and not cell.outputs:         # the cell of an exercise has not run
                text = {"text/html": widget._repr_mimebundle_()["text/html"]}
                cell.outputs = [v4.new_output("display_data", data=text)]
        for i, output in enumerate(cell.outputs):
            data = output.get("data", {})
            if shown := PICTURE.search(data.get("text/html", "")):
                page = (f'{shown[1] or ""}<div class="wb-picture" tabindex="0" role="group" '
                        f'aria-label="{say("picture")}"><picture>{shown[2] or ""}'
                        f'<img class="dark-light" {shown["img"]}></picture></div>')
                if module == "explore":
                    recorded = arguments and name not in course.module("explore").MEASURED
                    key = self.shelf.wants(name, *arguments) if recorded else None
                    page = self.figure(key, page, data["text/plain"])
            elif isinstance(widget, Questions) and "text/html" in data:
                about = json.dumps(with_formulas(widget.about), ensure_ascii=False, sort_keys=True)
                page = f'<div class="wb-asks" data-ask="{html.escape(about)}">{data["text/html"]}</div>'
            elif name == "task" and "text/html" in data:
                page = re.sub(r"(?s)<style>.*?</style>", "", data["text/html"])
                page = page.replace(say("Write it in place of the three dots and run the cell again."), "")
                page += self.open_live(say("This needs Python:"))
            else:
                continue
            cell.outputs[i] = v4.new_output("display_data", data={"text/html": page})
        if fold := "remove-input" if module else "hide-input" * (cell.source.count("\n") >= LONG or any(
                "wb-picture" in output.get("data", {}).get("text/html", "") for output in cell.outputs)):
            cell.metadata["tags"] = sorted({*tags, fold})

    def figure(self, key: str | None, picture: str, sentence: str) -> str:
        """A live figure: its picture and sentence, which the recording replaces, if there is one."""
        recording = f' data-recording="{self.up}_figures/{key}" data-live="{html.escape(self.live)}"' if key else ""
        still = "" if key else self.open_live(
            say("A picture only, since it is drawn from what the cells above have made:"))
        return (f'<div class="wb-recorded"{recording}>{picture}'
                f'<p class="wb-sentence">{html.escape(sentence)}</p>{still}</div>')

    def open_live(self, words: str) -> str:
        link = say("open it in JupyterLab")
        if self.live:
            link = f'<a href="{html.escape(self.live)}">{say("open live, on Binder")}</a>'
        return f'<p class="wb-live">{say("{words} {link}.", words=words, link=link)}</p>'


def with_formulas(part, name: str = ""):
    """What is said of questions, with formulas in its texts; the words on buttons stay as they are."""
    if isinstance(part, dict):
        return {key: with_formulas(each, key) for key, each in part.items()}
    if isinstance(part, list):
        return [with_formulas(each, name) for each in part]
    return symbols(tied(part)) if isinstance(part, str) and name not in ("names", "chosen", "figure") else part


def called(source: str) -> tuple[str, str, tuple[list, dict] | None]:
    """Module, name and arguments of the call `explore.NAME(...)` or `lesson.NAME(...)` that a cell shows; else "", "".
    The arguments are None if there is no such call, or one of them is not a plain value."""
    try:
        match ast.parse(source).body:
            case [*_, ast.Assign([ast.Name(one)], made), ast.Expr(ast.Name(other))] if one == other:
                pass                                    # figure = explore.width(), and then figure
            case [*_, ast.Expr(made)]:
                pass
            case _:
                made = None
        match made:
            case ast.Call(ast.Attribute(ast.Name(module), name), args, keywords) if module in MODULES:
                return module, name, ([ast.literal_eval(each) for each in args],
                                      {each.arg: ast.literal_eval(each.value) for each in keywords})
    except SyntaxError:
        pass
    except ValueError:
        return module, name, None
    return "", "", None
