"""``links``: does every link in the README and the notebooks lead somewhere? And launch links to copy.

Links to files are followed, with their ``#anchors``. Links to the outside are only read: nothing here opens a
connection, so nothing fails because a host sleeps.
"""
import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from workbook.authoring.build import Sources
from workbook.authoring.notebook import read
from workbook.authoring.project import Project
from workbook.authoring.source import headings

_FENCED = re.compile(r"^(`{3,}|~{3,})[^\n]*\n.*?^\1", flags=re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
_INLINE = re.compile(r"\]\(\s*<?([^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)>?(?:\s+[\"'][^)]*)?\s*\)")
_REFERENCE = re.compile(r"^\[[^\]\n]+\]:\s*<?(\S+?)>?(?:\s|$)", flags=re.MULTILINE)
_HTML = re.compile(r"<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)=[\"']([^\"']*)[\"']", flags=re.IGNORECASE)
_ANCHOR = re.compile(r"<[^>]+\b(?:id|name)=[\"']([^\"']+)[\"']")


BADGES = {
    "Binder": "https://mybinder.org/badge_logo.svg",
    "Colab": "https://colab.research.google.com/assets/colab-badge.svg",
    "JupyterHub": "https://img.shields.io/badge/open_on-JupyterHub-F37626",
}


class Link(NamedTuple):
    """A link as it stands: in which source and line, shown in which page or notebook, to what."""

    path: Path
    line: int
    page: Path
    target: str


def broken_links(project: Project) -> list[str]:
    """``file:line: what is wrong`` for every link that leads nowhere."""
    return [f"{project.relative(link.path)}:{link.line}: {problem}"
            for link in all_links(project) if (problem := _problem(link, project))]


def all_links(project: Project) -> Iterator[Link]:
    """The links of all Markdown pages, at the top and beside the notebooks, and of all notebooks as derived."""
    for page in sorted([*project.root.glob("*.md"), *project.notebooks.glob("*.md")]):
        for line, target in links_in(page.read_text(encoding="utf-8")):
            yield Link(page, line, page, target)
    sources = Sources(project)
    for edition in sources.editions():
        tokens, source = sources.tokens(edition.folder), edition.lesson.path
        for cell in edition.lesson.cells:
            if cell.kind == "markdown":
                # A token may grow into several lines; its links are told at the line where the cell begins or later.
                for line, target in links_in(tokens.fill(cell.text, source, cell.line)):
                    last = cell.line + cell.text.count("\n")
                    yield Link(source, min(cell.line + line - 1, last), edition.path, target)


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


def links_in(text: str) -> Iterator[tuple[int, str]]:
    """The line, from 1, and the target of each link and picture in a piece of Markdown; code is no link."""
    def blank(match: re.Match) -> str:
        return re.sub(r"[^\n]", " ", match[0])

    prose = _CODE.sub(blank, _FENCED.sub(blank, text))
    found = [match for pattern in (_INLINE, _REFERENCE, _HTML) for match in pattern.finditer(prose)]
    for match in sorted(found, key=lambda match: match.start(1)):
        yield prose[: match.start(1)].count("\n") + 1, match[1]


def _problem(link: Link, project: Project) -> str | None:
    parts = urlsplit(link.target)
    if parts.scheme in ("http", "https"):
        return None if "." in parts.netloc else f"{link.target!r} names no host"
    if parts.scheme == "mailto":
        return None
    if parts.scheme or parts.netloc:
        return f"{link.target!r} should be a relative path or start with https://"
    if not link.target:
        return "a link without a target"
    path = (link.page.parent / unquote(parts.path) if parts.path else link.page).resolve()
    if parts.path.startswith("/") or not path.is_relative_to(project.root.resolve()):
        return f"{link.target!r} leads out of the repository"
    # Some disks forgive capitals, a code host does not: the file has to be there under this very spelling.
    if not (path.is_dir() or path.exists() and path.name in {entry.name for entry in path.parent.iterdir()}):
        return f"{link.target!r} leads to no file"
    if parts.fragment and unquote(parts.fragment) not in anchors(path):
        return f"{link.target!r} leads to no heading; there are {', '.join(sorted(anchors(path))) or 'none'}"
    return None


def anchors(path: Path) -> set[str]:
    """The anchors of a page: JupyterLab's for a notebook ("The-width"), a code host's for Markdown ("the-width")."""
    if is_notebook := path.suffix == ".ipynb":
        stored = read(path)
        texts = [cell.source for cell in stored.cells if cell.cell_type == "markdown"] if stored else []
    else:
        texts = [path.read_text(encoding="utf-8")] if path.suffix == ".md" else []
    found = {anchor for text in texts for anchor in _ANCHOR.findall(text)}
    for _, heading in (each for text in texts for each in headings(text)):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)|[*`]", r"\1", heading)
        found.add((words if is_notebook else re.sub(r"[^\w\- ]", "", words.lower())).replace(" ", "-"))
    return found
