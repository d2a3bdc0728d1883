"""``site``: built notebooks in, a folder of pages out, for any web server. Nothing is executed."""
import io
import json
import os
import re
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path

from workbook import course, language
from workbook.authoring import notebook as notebooks
from workbook.authoring.build import Sources
from workbook.authoring.project import BuildError, Project, made_anew
from workbook.authoring.translation import relinked
from workbook.checks.rerun import ANSWER_HERE
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
TO_RUN = re.compile("|".join(['<span class="wb-to-run">.*?</span>', *map(re.escape, ANSWER_HERE.values())]))
HOW = re.compile(r"(?s)(?<=\n\n)\*\*([^*]+?)\.?\*\*：? ?((?:(?!\n\n).)*\.hint\(.*)")      # how an exercise works
# Aims, if they are a list, and then in one paragraph what a notebook needs and how long it takes.
ABOUT = r"(?m)^(?:\*\*[^*\n]+\*\*\n\n(?:[* ] .+\n)+\n)?\*\*(?:.+\n)*?.*\*\*[^*.\n]*\bMINUTES\b.*(?:\n.+)*"
_TWIN = re.compile(rf"^\[({'|'.join(language.NAMES.values())})\]\(.*\n", re.MULTILINE)    # the link to another language


def build(project: Project, out: Path, names: tuple[str, ...] = (), hub: str = "", shelf: Shelf | None = None,
          say: Callable[[str], None] = print, lite: bool = False, pyodide: Path | None = None) -> None:
    """Write the site into the folder `out`, which is made anew: the lessons and exercises called `names`, by default
    all. Pages in another language lie in a folder with its name.

    hub: the address of a JupyterHub that gets a launch button. lite: whether JupyterLab for a browser tab is put beside
    the pages; pyodide: see `lite.build`. BuildError where a link leads nowhere, a text is not understood, or `out`
    holds something else.
    """
    shelf, sources = shelf or Shelf(project.root / "build" / "figures"), Sources(project)
    with made_anew(out) as made:
        source = made.parent / "source"
        _write_pages(sources, source, names, lite, shelf)
        write_own(source / "_own", "site.css", "site.js")
        fonts = Path(find_spec("sphinx_revealjs").origin).parent / "_static/revealjs/dist/theme/fonts/source-sans-pro"
        for face in ("regular", "italic", "semibold"):          # Source Sans (SIL Open Font License), as on slides
            write(source / "_own" / f"{face}.woff", (fonts / f"source-sans-pro-{face}.woff").read_bytes())
        shelf.fill(say)
        run_sphinx(project, source, made, "html", hub, sources.twins)
        shelf.empty_into(made / "_figures")
        if language.language() == "en":
            for name in filter(sources.twins.get, sources.twins):
                own = Shelf(shelf.cache / name, shelf.states, shelf.kept)
                _in_language(name, project, made / name, names, hub, own, say, lite)
            if lite:
                jupyterlite.build(project, made / "lite", pyodide, say=str)
        (made / ".nojekyll").touch()            # GitHub Pages: folders that begin with _ are served too
    say(f"{out}: written")


def _in_language(name: str, *job) -> None:
    """`build` with these arguments, in a process that speaks another language."""
    before, os.environ[language.VARIABLE] = os.environ.get(language.VARIABLE, ""), name
    try:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            pool.submit(build, *job).result()
    finally:
        os.environ[language.VARIABLE] = before


def _write_pages(sources: Sources, folder: Path, names: tuple[str, ...], lite: bool, shelf: Shelf) -> None:
    """The sources of all pages: notebooks with other outputs, Markdown with other links, and the first page. In each
    language they lie in the same folders, so links lead from page to page as among the English notebooks."""
    project, spoken = sources.project, language.language()
    english = {twin: path for path, twin in sources.twins[spoken].items()}
    editions = [edition for edition in sources.editions(names, spoken) if edition.home != project.solutions]
    texts = [path for path in project.pages if path.parent == project.notebooks and (
        spoken == "en" or path in sources.twins[spoken])]
    there, up = {edition.english for edition in editions} | set(texts), "../" * (spoken != "en")
    for edition in editions:
        name = project.relative(edition.path).removesuffix(".ipynb")
        stored, cells = notebooks.read(edition.path), Cells(shelf, "../", project.launches(name).get("Binder", ""))
        stored.cells[0].source = _TWIN.sub("", stored.cells[0].source, count=1)
        about = re.compile(ABOUT.replace("MINUTES", str(edition.lesson.minutes)))
        for cell in stored.cells:
            if cell.cell_type == "markdown":
                text = relinked(cell.source, edition.path.parent, edition.home, english)
                text = TO_RUN.sub("", _relinked(text, edition.home, there, project))
                cell.source = about.sub(r'<div class="wb-about">\n\n\g<0>\n\n</div>', text, count=1)
            else:
                cells.show(cell)
        match [cell for cell in stored.cells if cell.cell_type == "code"]:
            case [imports, figure, *_] if "hide-input" in imports.metadata.get("tags", ()) and not imports.outputs:
                figure.source, figure.metadata.tags = f"{imports.source}\n\n{figure.source}", ["hide-input"]
                stored.cells.remove(imports)        # the words before it lead on to the figure
        title, _, rest = stored.cells[0].source.partition("\n")
        tab, run, note = project.tab(name) if lite else "", "", ""
        if edition.home == project.exercises:
            rest = HOW.sub(r"<details><summary>\1</summary>\n\n\2\n\n</details>", rest)
            note = language.say("Nothing runs on this page: after `make lab`, open `{name}.ipynb`.", name=name)
            note += language.say(" Or [open it on Binder]({link}).", link=cells.live) if cells.live else ""
        if tab:
            run = (f'<a class="wb-run" href="{up}../lite/{tab}">{language.say("Run it here, nothing to install")}</a> '
                   f'<a href="{up}../lite/keep.html">{language.say("Your work in this browser")}</a>')
        stored.cells[0].source = "\n\n".join(filter(None, (title, run, rest, note and f"<small>{note}</small>")))
        write(folder / project.relative(edition.english), notebooks.serialise(stored))
    for path in texts:
        shown = sources.twins[spoken].get(path, path)
        text = relinked(shown.read_text(encoding="utf-8"), shown.parent, path.parent, english)
        write(folder / project.relative(path), _relinked(text, path.parent, there, project))
    for image in (project.notebooks / "images").glob("*"):
        write(folder / "notebooks" / "images" / image.name, image.read_bytes())
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
             "live": "" if project.is_placeholder else language.say(
                 "To change the code, take the [whole workbook]({address}); the rocket at the top of a page opens it "
                 "with a kernel, without installing anything.", address=project.address),
             "text_tree": "\n".join(f"notebooks/{path.stem}" for path in texts)}
    parts |= dict.fromkeys(("lessons", "lesson_tree", "exercises", "exercise_tree"), "")
    shown, seen = set(), json.loads(files(HERE, "gallery.json"))
    for edition in editions:
        lesson, path = edition.lesson, f"{edition.home.name}/{edition.lesson.name}"
        kind = "lesson" if edition.home == project.notebooks else "exercise"
        title = f"{lesson.name.split('_')[0]} · {lesson.title}" if kind == "lesson" else lesson.title
        code = [cell for cell in notebooks.read(edition.path).cells if cell.cell_type == "code"]
        figures = [(cell, found["img"]) for cell in code if called(cell.source)[1] not in shown
                   for output in cell.outputs
                   if (found := PICTURE.search(output.get("data", {}).get("text/html", "")))]
        shown |= {called(cell.source)[1] for cell, _ in figures[:1]} - {""}     # a live figure stands once on the shelf
        picture = "".join(f'<div aria-hidden="true"><img style="{seen.get(lesson.name[:2], "")}" {image}></div>'
                          for _, image in figures[:1])
        parts[f"{kind}s"] += (f'<a href="{path}.html">{picture}<b>{title}</b><p>{lesson.summary}</p>'
                              f"<small>{language.say('{n} minutes', n=lesson.minutes)}</small></a>\n")
        parts[f"{kind}_tree"] += f"{title} <{path}>\n"
        for cell, _ in figures[:edition is editions[0]]:
            Cells(shelf, "", live).show(cell)
            parts["figure"] = cell.outputs[0].data["text/html"]
    return page.filled("index.md", parts)


def write_own(own: Path, sheet: str, *programs: str) -> None:
    """What is ours beside a theme: a style sheet and a program that end with these, an icon, letters of formulas."""
    write(own / "workbook.css", page.style() + files(pieces.HERE, "pieces.css") + files(HERE, sheet))
    program = language.program(page.script() + pieces.SCRIPT + sketch.SCRIPT + files(HERE, *programs))
    write(own / "workbook.js", f"(() => {{\n{program}}})();\n")
    write(own / "icon.svg", (HERE / "icon.svg").read_bytes())
    write_font(own / "formulas.woff")


def of_the_theme() -> dict[str, str]:
    """Words that the theme has in English only -> those of this language."""
    say = language.say
    return {"Search...": say("Search..."), "Main": say("Main"), "Page": say("Page"), "Color mode": say("Color mode"),
            "System Settings": say("System Settings"), "Toggle primary sidebar": say("Toggle primary sidebar"),
            "Toggle secondary sidebar": say("Toggle secondary sidebar"),
            "Toggle hidden content": say("Toggle hidden content")}


def run_sphinx(project: Project, source: Path, made: Path, builder: str, hub: str = "",
               twins: dict[str, dict[Path, Path]] | None = None) -> None:
    """Make the pages, with the settings that BUILDER.json holds; whatever Sphinx warns of is an error. twins: of which
    pages there are others in each language, to which a button leads."""
    from sphinx.application import Sphinx
    from sphinx.util.console import strip_escape_sequences
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    spoken, twins = language.language(), twins or {}

    def add_buttons(app, pagename, templatename, context, doctree):
        path = project.root / f"{pagename}.ipynb"
        if (source / f"{pagename}.ipynb").is_file() and not project.is_placeholder:
            notebook = project.relative(twins[spoken].get(path, path)).removesuffix(".ipynb")
            buttons = [{"type": "link", "text": name, "url": url, "tooltip": language.say("Open on {name}", name=name)}
                       for name, url in project.launches(notebook, hub).items() if name != "JupyterLite"]
            context["header_buttons"].append({"type": "group", "buttons": buttons, "icon": "fas fa-rocket",
                                              "tooltip": language.say("Open live"), "label": "launch-buttons"})
        for name, words in language.NAMES.items():
            always = name == "en" or twins[name] and pagename in ("index", "search")
            if name != spoken and (always or {path, path.with_suffix(".md")} & {*twins[name]}):
                up = "../" * (pagename.count("/") + (spoken != "en")) + f"{name}/" * (name != "en")
                context["header_buttons"].append({"type": "link", "text": words, "label": f"in-{name}",
                                                  "tooltip": words, "url": f"{up}{pagename}.html"})

    warnings = io.StringIO()
    settings = json.loads(files(HERE, f"{builder}.json")) | {"project": course.TITLE, "html_title": course.TITLE}
    if builder == "html":
        settings |= dict.fromkeys(("nb_code_prompt_show", "nb_code_prompt_hide"), language.say("code"))
    if spoken == "zh":
        settings |= {"language": "zh_CN", "html_search_language": "zh"}
    with patch_docutils(), docutils_namespace():
        app = Sphinx(source, None, made, source.parent / "trees", builder, settings, status=None, warning=warnings)
        if builder == "html":
            app.connect("html-page-context", add_buttons, priority=502)        # after the theme has made its list
        app.build(force_all=True)
    for path in made.rglob("*.html") if spoken != "en" else ():
        write(path, re.sub(r'(?<=[">])[A-Z][A-Za-z. ]+(?=["<])', lambda found: of_the_theme().get(found[0], found[0]),
                           path.read_text(encoding="utf-8")))
    if warnings.getvalue():
        raise BuildError(project.notebooks, None, "the pages have problems:\n"
                         + strip_escape_sequences(warnings.getvalue()).replace(f"{source}/", ""))
    for unused in (made / ".buildinfo", made / "objects.inv", *(made / "_static").glob("*.html")):
        unused.unlink(missing_ok=True)
