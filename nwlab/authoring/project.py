"""The checkout: where its parts are, what its public address is, and the links that follow from it."""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import quote, urlsplit

from .errors import BuildError

BADGE = "images/binder.svg"
BINDER = "https://mybinder.org/v2"


@dataclass(frozen=True)
class Project:
    """A checkout of the workbook, found by its pyproject.toml."""

    root: Path

    @classmethod
    def find(cls, start: Path | None = None) -> Project:
        """Return the checkout that ``start`` (by default the working directory) lies in, or else the one that this
        package is imported from. Raises ``BuildError`` where there is neither, as after a plain ``pip install``.
        """
        start = Path.cwd() if start is None else Path(start)
        for folder in (*(start.resolve() / "x").parents, *Path(__file__).resolve().parents):
            if _names_nwlab(folder / "pyproject.toml"):
                return cls(folder)
        raise BuildError(start, None, "expected a checkout of the nwlab repository here, found no pyproject.toml of it")

    @property
    def notebooks(self) -> Path:
        return self.root / "notebooks"

    @property
    def exercises(self) -> Path:
        return self.root / "exercises"

    @property
    def solutions(self) -> Path:
        return self.root / "solutions"

    @property
    def readme(self) -> Path:
        return self.root / "README.md"

    def relative(self, path: Path) -> Path:
        """Return ``path`` as messages name it: from the root of the checkout."""
        path = Path(path)
        return path.relative_to(self.root) if path.is_relative_to(self.root) else path

    @cached_property
    def address(self) -> str:
        """The public address, which stands once: ``[project.urls] Repository`` in pyproject.toml."""
        path = self.root / "pyproject.toml"
        address = _read(path)["project"].get("urls", {}).get("Repository")
        if not isinstance(address, str) or not re.fullmatch(r"https://[\w.-]+/\S+", address):
            raise BuildError(path, None, f"[project.urls] Repository should be an https address, got {address!r}")
        return address.removesuffix("/").removesuffix(".git")

    @property
    def is_placeholder(self) -> bool:
        """Whether nobody has written the real address yet."""
        return "OWNER" in urlsplit(self.address).path.split("/")

    def binder(self, notebook: str) -> str:
        """Return the address that opens a notebook, named from the root without its ``.ipynb``, in JupyterLab on Binder."""
        parts = urlsplit(self.address)
        repository = parts.path.strip("/")
        if parts.netloc == "github.com":
            provider = f"gh/{repository}"
        elif parts.netloc == "gitlab.com":
            provider = f"gl/{quote(repository, safe='')}"
        else:
            provider = f"git/{quote(self.address, safe='')}"
        return f"{BINDER}/{provider}/HEAD?urlpath=lab/tree/{notebook}.ipynb"

    def badge(self, notebook: str, folder: Path) -> str:
        """Return a badge as Markdown, seen from `folder`, linked to that notebook on Binder.

        The picture is our own: the page needs no other host for it, and it is there without a network.
        """
        picture = Path(os.path.relpath(self.notebooks / BADGE, folder)).as_posix()
        return f"[![Open on Binder]({picture})]({self.binder(notebook)})"


def _read(path: Path) -> dict:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise BuildError(path, None, f"is not valid TOML: {error}") from error


def _names_nwlab(path: Path) -> bool:
    return path.is_file() and _read(path).get("project", {}).get("name") == "nwlab"
