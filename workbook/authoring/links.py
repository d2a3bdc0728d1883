"""`links`: does every link in the README and the notebooks lead somewhere? And launch links to copy.

Links to files are followed, with their `#anchors`. Of links to other hosts only the form is checked: nothing here opens
a connection, so nothing fails because a host is down.
"""
import html
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt  # jupytext reads MyST with it

from workbook.authoring.build import Sources
from workbook.authoring.project import Project
from workbook.authoring.source import headings

_HTML = re.compile(r"<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)=[\"']([^\"']*)[\"']", flags=re.IGNORECASE)
BADGES = {
    "JupyterLite": "https://jupyterlite.rtfd.io/en/latest/_static/badge.svg",
    "Binder": "https://mybinder.org/badge_logo.svg",
    "Colab": "https://colab.research.google.com/assets/colab-badge.svg",
    "JupyterHub": "https://img.shields.io/badge/open_on-JupyterHub-F37626",
}


def broken_links(project: Project, links: Iterable[tuple[Path, Path, str]]) -> list[str]:
    """`file: what is wrong` for each of these links that leads nowhere."""
    problems = ((source, _problem(target, page, project)) for source, page, target in links)
    return [f"{project.relative(source)}: {problem}" for source, problem in problems if problem]


def all_links(sources: Sources) -> Iterator[tuple[Path, Path, str]]:
    """(source, page or notebook that shows it, target) of each link of the Markdown pages and the derived notebooks."""
    project = sources.project
    for page in sorted([*project.root.glob("*.md"), *project.notebooks.glob("*.md")]):
        yield from ((page, page, target) for target in links_in(page.read_text(encoding="utf-8")))
    for edition in sources.editions():
        for cell in sources.derive(edition).cells:
            if cell.cell_type == "markdown":
                yield from ((edition.lesson.path, edition.path, target) for target in links_in(cell.source))


def links_in(text: str) -> Iterator[str]:
    """The target of each link and picture in a piece of Markdown."""
    for block in MarkdownIt("commonmark").enable("table").parse(text):
        for token in (block, *(block.children or ())):
            if token.type in ("html_block", "html_inline"):
                yield from _HTML.findall(token.content)
            elif token.type in ("link_open", "image"):
                yield token.attrs.get("href", token.attrs.get("src"))


def launch_links(project: Project, hub: str = "") -> Iterator[str]:
    """For each notebook the lines for a course page: its launch links, as badges in Markdown and in HTML."""
    for path in sorted([*project.notebooks.glob("*.ipynb"), *project.exercises.glob("*.ipynb")]):
        name = project.relative(path)
        found = project.launches(name.removesuffix(".ipynb"), hub)
        yield f"{name}\n"
        yield " ".join(f"[![Open on {where}]({BADGES[where]})]({link})" for where, link in found.items()) + "\n"
        for where, link in found.items():
            yield f'<a href="{html.escape(link)}"><img src="{BADGES[where]}" alt="Open on {where}"></a>'
        yield ""


def _problem(target: str, page: Path, project: Project) -> str | None:
    parts = urlsplit(target)
    if parts.scheme == "mailto" or parts.scheme in ("http", "https") and "." in parts.netloc:
        return None
    if parts.scheme or parts.netloc or not target:
        return f"{target!r} should be a relative path, or start with https:// and name a host"
    path = (page.parent / unquote(parts.path) if parts.path else page).resolve()
    if parts.path.startswith("/") or not path.is_relative_to(project.root.resolve()):
        return f"{target!r} leads out of the repository"
    # Some file systems ignore upper and lower case, a code host does not: the name must agree letter by letter.
    if not (path.is_dir() or path.exists() and path.name in {entry.name for entry in path.parent.iterdir()}):
        return f"{target!r} leads to no file"
    if parts.fragment and parts.fragment not in (anchors := _anchors(path)):
        return f"{target!r} leads to no heading; there are {', '.join(sorted(anchors)) or 'none'}"
    return None


def _anchors(path: Path) -> set[str]:
    """The anchors of a page, as a code host makes them from its headings."""
    found = headings(path.read_text(encoding="utf-8")) if path.suffix == ".md" else []
    return {re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-") for _, words in found}
