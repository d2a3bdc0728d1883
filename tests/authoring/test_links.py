"""Every link in the Markdown pages and the notebooks has a target, and the check would see one that had none.

Of links to other hosts only the form is checked: a host that is down fails nothing here.
"""
import os
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup
from markdown_it import MarkdownIt

from workbook.authoring import notebook
from workbook.authoring.source import headings


def broken(text: str, page: Path, root: Path) -> list[str]:
    """The targets of the links and pictures in a piece of Markdown that lead nowhere from this page."""
    shown = BeautifulSoup(MarkdownIt("commonmark").enable("table").render(text), "html.parser")
    targets = [one.get(name) for one in shown(["a", "img", "source"]) for name in ("href", "src", "srcset")]
    return [target for target in targets if target is not None and not leads_somewhere(target, page, root)]


def leads_somewhere(target: str, page: Path, root: Path) -> bool:
    parts = urlsplit(target)
    if parts.scheme or parts.netloc or not target:
        return parts.scheme == "mailto" or parts.scheme in ("http", "https") and "." in parts.netloc
    path = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    # A code host tells upper and lower case apart, some file systems do not.
    there = path.is_relative_to(root) and (path.is_dir() or path.exists() and path.name in os.listdir(path.parent))
    found = headings(path.read_text(encoding="utf-8")) if there and parts.fragment and path.suffix == ".md" else []
    anchors = {re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-") for _, words in found}    # as a code host does
    return there and (not parts.fragment or parts.fragment in anchors)


def test_every_link_of_this_workbook_has_a_target(root):
    folders = [root, *(root / kind / name for kind in ("notebooks", "exercises", "solutions") for name in (".", "zh"))]
    texts = [(page, page.read_text(encoding="utf-8")) for folder in folders for page in folder.glob("*.md")]
    for path in (path for folder in folders for path in folder.glob("*.ipynb")):
        texts += [(path, cell.source) for cell in notebook.read(path).cells if cell.cell_type == "markdown"]
    found = {f"{page.relative_to(root)}: {target}" for page, text in texts for target in broken(text, page, root)}
    assert found == set() and len(texts) > 600


@pytest.mark.parametrize("bad", [
    "![a](gone.png)", "[a](notebooks/01_A.md)", "[a](#b)", "[a](../outside.md)", "[a](https://nohost)",
    "[a](htps://example.org)", "[a]()", '<img src="gone.png" alt="a">', "[![a](https://a.b/c.svg)](gone)",
    "x\n\n| [a](gone) |\n|---|\n| a |\n"])
def test_a_link_that_leads_nowhere_is_found(tmp_path, bad):
    (tmp_path / "notebooks").mkdir()
    page = tmp_path / "README.md"
    for path in (page, tmp_path / "notebooks/01_a.md"):
        path.write_text("# A page\n", encoding="utf-8")
    assert len(broken(f"[a](notebooks/01_a.md)\n\n{bad}\n", page, tmp_path)) == 1


def test_the_front_page_is_read_in_some_minutes_and_its_pictures_come_at_once(root):
    assert len((root / "README.md").read_text(encoding="utf-8").split()) <= 900
    pictures = [root / "notebooks/images" / name for name in ("houses.webp", "houses.png")]
    assert all(picture.stat().st_size <= 1_500_000 for picture in pictures)
