"""``site``: built notebooks in, a folder of pages out, for any web server. Nothing is executed."""
import io
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

from workbook import course
from workbook.authoring import notebook as notebooks
from workbook.authoring.build import Sources
from workbook.authoring.exercise import ANSWER_HERE
from workbook.authoring.project import BuildError, Project, made_anew
from workbook.figures.scripts import files
from workbook.files import write
from workbook.questions import pieces, sketch
from workbook.site import lite as jupyterlite
from workbook.site import page
from workbook.site.cells import PICTURE, Cells, called
from workbook.site.mathml import write_font
from workbook.site.shelf import Shelf

HERE = Path(__file__).parent
_LINK = re.compile(r"\[([^\]\[]+)\]\(([\w./-]+)(#[\w-]+)?\)")
TO_RUN = re.compile(rf'<span class="wb-to-run">.*?</span>|{re.escape(ANSWER_HERE)}')          # words for who can run it
LIVE = ("To change the code, take the [whole workbook]({address}); the rocket at the top of a page opens it with a "
        "kernel, without installing anything.")


def build(project: Project, out: Path, names: tuple[str, ...] = (), hub: str = "", shelf: Shelf | None = None,
          say: Callable[[str], None] = print, lite: bool = False, pyodide: Path | None = None) -> None:
    """Write the site into the folder `out`, which is made anew: the lessons and exercises called `names`, by default
    all. hub: the address of a JupyterHub that gets a launch button. lite: whether JupyterLab for a browser tab
    is put beside the pages, with Python from the folder `pyodide` if one is named (see `lite.build`).

    BuildError where a link leads nowhere, a text is not understood, or `out` holds something else.
    """
    shelf = shelf or Shelf(project.root / "build" / "figures")
    with made_anew(out) as made:
        source = made.parent / "source"
        _write_pages(project, source, names, lite, shelf)
        write_own(source / "_own", "site.css", "site.js")
        shelf.fill(say)
        run_sphinx(project, source, made, "html", hub)
        shelf.empty_into(made / "_figures")
        if lite:
            jupyterlite.build(project, made / "lite", pyodide, say=str)
        (made / ".nojekyll").touch()            # GitHub Pages: folders that begin with _ are served too
    files = [path for path in out.rglob("*") if path.is_file()]
    say(f"{out}: {sum(path.suffix == '.html' for path in files)} pages, "
        f"{sum(path.stat().st_size for path in files) / 1e6:.1f} MB")


def _write_pages(project: Project, folder: Path, names: tuple[str, ...], lite: bool, shelf: Shelf) -> None:
    """The sources of all pages: notebooks with other outputs, Markdown with other links, and the first page."""
    editions = [edition for edition in Sources(project).editions(names) if edition.folder != project.solutions]
    texts = sorted(project.notebooks.glob("*.md"))
    there = {edition.path for edition in editions} | set(texts)
    for edition in editions:
        name = project.relative(edition.path).removesuffix(".ipynb")
        stored, cells = edition.stored(), Cells(shelf, "../", project.launches(name).get("Binder", ""))
        for cell in stored.cells:
            if cell.cell_type == "markdown":
                cell.source = TO_RUN.sub("", _relinked(cell.source, edition.folder, there, project))
            else:
                cells.show(cell)
        title, _, rest = stored.cells[0].source.partition("\n")
        binder = f", or [open it on Binder]({cells.live})" if cells.live else ""
        note = ("**Nothing runs on this page.** To write code and have it checked, start the workbook with `make lab` "
                f"and open `{name}.ipynb`{binder}.") if edition.folder == project.exercises else ""
        tab = project.tab(name) if lite else ""
        run = (f'<a class="wb-run" href="../lite/{tab}">Run it here, nothing to install</a> '
               '<a href="../lite/keep.html">Your work in this browser</a>' if tab else "")
        stored.cells[0].source = "\n\n".join(filter(None, (title, run, note, rest)))
        write(folder / f"{name}.ipynb", notebooks.serialise(stored))
    for path in texts:
        text = _relinked(path.read_text(encoding="utf-8"), path.parent, there, project)
        write(folder / project.relative(path), text)
    if (images := project.notebooks / "images").is_dir():
        shutil.copytree(images, folder / "notebooks" / "images")
    write(folder / "index.md", _first_page(project, editions, texts, shelf))


def _relinked(text: str, folder: Path, there: set[Path], project: Project) -> str:
    """A text whose links to files outside of the site become links to the repository, once it has an address."""
    def target(match: re.Match) -> str:
        path = (folder / match[2]).resolve()
        if path in there or path.suffix in (".svg", ".png") or not path.exists():
            return match[0]
        if project.is_placeholder:
            return match[1]
        return f"[{match[1]}]({project.address}/blob/HEAD/{project.relative(path)}{match[3] or ''})"

    return _LINK.sub(target, text)


def _first_page(project: Project, editions: list, texts: list[Path], shelf: Shelf) -> str:
    """The first page: what this is, the first figure, a gallery of the lessons' pictures, and the exercises."""
    live = project.launches(f"notebooks/{editions[0].lesson.name}").get("Binder", "")
    parts = {"title": course.TITLE, "welcome": course.WELCOME, "figure": "",
             "live": "" if project.is_placeholder else LIVE.format(address=project.address),
             "text_tree": "\n".join(f"notebooks/{path.stem}" for path in texts)}
    parts |= dict.fromkeys(("lessons", "lesson_tree", "exercises", "exercise_tree"), "")
    for edition in editions:
        lesson, path = edition.lesson, f"{edition.folder.name}/{edition.lesson.name}"
        kind = "lesson" if edition.folder == project.notebooks else "exercise"
        title = f"{lesson.name.split('_')[0]} · {lesson.title}" if kind == "lesson" else lesson.title
        code = [cell for cell in edition.stored().cells if cell.cell_type == "code"]
        figures = [(cell, found[1]) for cell in code if called(cell.source)[0] == "explore" for output in cell.outputs
                   if (found := PICTURE.search(output.get("data", {}).get("text/html", "")))]
        picture = "".join(f'<div aria-hidden="true"><img {image}></div>' for _, image in figures[-1:])
        parts[f"{kind}s"] += (f'<a href="{path}.html">{picture}<b>{title}</b><p>{lesson.summary}</p>'
                              f"<small>{lesson.minutes} minutes</small></a>\n")
        parts[f"{kind}_tree"] += f"{title} <{path}>\n"
        for cell, _ in figures[:edition is editions[0]]:
            Cells(shelf, "", live).show(cell)
            parts["figure"] = cell.outputs[0].data["text/html"]
    return page.filled("index.md", parts)


def write_own(own: Path, sheet: str, *programs: str) -> None:
    """What is ours beside a theme: a style sheet and a program that end with these, an icon, letters of formulas."""
    write(own / "workbook.css", page.style() + files(pieces.HERE, "pieces.css") + files(HERE, sheet))
    program = page.script() + pieces.SCRIPT + sketch.SCRIPT + files(HERE, *programs)
    write(own / "workbook.js", f"(() => {{\n{program}}})();\n")
    shutil.copyfile(HERE / "icon.svg", own / "icon.svg")
    write_font(own / "formulas.woff")


def run_sphinx(project: Project, source: Path, made: Path, builder: str, hub: str = "") -> None:
    """Make the pages, with the settings that BUILDER.json holds; whatever Sphinx warns of is an error."""
    from sphinx.application import Sphinx
    from sphinx.util.console import strip_escape_sequences
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    def add_launches(app, pagename, templatename, context, doctree):
        if (source / f"{pagename}.ipynb").is_file():
            buttons = [{"type": "link", "text": name, "url": url, "tooltip": f"Open on {name}"}
                       for name, url in project.launches(pagename, hub).items() if name != "JupyterLite"]
            context["header_buttons"].append({"type": "group", "buttons": buttons, "icon": "fas fa-rocket",
                                              "tooltip": "Open live", "label": "launch-buttons"})

    warnings = io.StringIO()
    settings = json.loads(files(HERE, f"{builder}.json")) | {"project": course.TITLE, "html_title": course.TITLE}
    with patch_docutils(), docutils_namespace():
        app = Sphinx(source, None, made, source.parent / "trees", builder, settings, status=None, warning=warnings)
        if builder == "html" and not project.is_placeholder:
            app.connect("html-page-context", add_launches, priority=502)        # after the theme has made its list
        app.build(force_all=True)
    if warnings.getvalue():
        raise BuildError(project.notebooks, None, "the pages have problems:\n"
                         + strip_escape_sequences(warnings.getvalue()).replace(f"{source}/", ""))
    for unused in (made / ".buildinfo", made / "objects.inv", *(made / "_static").glob("*.html")):
        unused.unlink(missing_ok=True)
