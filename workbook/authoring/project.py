"""The checkout: its folders, its public address, and the links that follow from that address."""
import contextlib
import re
import shutil
import tempfile
import tomllib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from urllib.parse import quote, urlencode, urlsplit

from workbook import course

MADE = "workbook-site.txt"              # marks a folder that may be overwritten


class BuildError(Exception):
    """Something that an author has to mend. Its text is `file:line: what is wrong`; line: None where there is none."""

    def __init__(self, path: Path | str, line: int | None, message: str):
        self.path, self.line, self.message = Path(path), line, message
        shown = self.path.relative_to(Path.cwd()) if self.path.is_relative_to(Path.cwd()) else self.path
        super().__init__(f"{shown.as_posix()}{'' if line is None else f':{line}'}: {message}")

    def __reduce__(self):
        return BuildError, (self.path, self.line, self.message)        # so that another process may raise it


@contextlib.contextmanager
def made_anew(out: Path) -> Iterator[Path]:
    """A folder to fill, which then takes the place of `out`. BuildError where that holds something else."""
    if out.is_dir() and any(out.iterdir()) and not (out / MADE).is_file():
        raise BuildError(out, None, "is a folder with other files: name a new one, or empty it")
    with tempfile.TemporaryDirectory() as scratch:
        made = Path(scratch, "made")
        yield made
        (made / MADE).write_text("made by the workbook, which may write this folder anew\n", encoding="utf-8")
        if out.is_dir():
            shutil.rmtree(out)
        shutil.copytree(made, out)


def address_of(repository: str, where: str) -> str:
    """The https address of a repository: of OWNER/NAME on GitHub, or as a browser or git shows it. Or BuildError, which
    says where the repository was named."""
    found = re.fullmatch(r"(?:(?:\w+://)?(?:\w+@)?([\w-]+(?:\.[\w-]+)+(?::\d+(?=/))?)[/:])?([\w.-]+(?:/[\w.-]+)+?)/?"
                         r"(?:/(?:-/)?(?:tree|blob)/.*)?", repository.strip())
    if not found:
        raise BuildError(where, None, f"got {repository!r}, expected OWNER/NAME or an address such as "
                                      "https://github.com/OWNER/NAME")
    return f"https://{found[1] or 'github.com'}/{found[2].removesuffix('.git')}"


def project_in(folder: Path) -> dict:
    """The table `project` of a folder's pyproject.toml; empty if there is no such file or it cannot be read."""
    try:
        return tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8")).get("project", {})
    except (OSError, tomllib.TOMLDecodeError):
        return {}


class Project:
    """A checkout, found by its pyproject.toml."""

    def __init__(self, root: Path):
        self.root, self.readme = root, root / "README.md"
        self.notebooks, self.exercises, self.solutions = root / "notebooks", root / "exercises", root / "solutions"
        self.folders = self.notebooks, self.exercises, self.solutions

    @classmethod
    def find(cls) -> "Project":
        """The checkout around the working directory, or else the one that this package is imported from. BuildError
        where there is neither, as after a plain `pip install`."""
        here = Path.cwd()
        for folder in (here, *here.parents, *course.FOLDER.resolve().parents):
            if project_in(folder).get("name") == course.DISTRIBUTION:
                return cls(folder)
        raise BuildError(here, None, f"expected a checkout of {course.DISTRIBUTION} here, found no such pyproject.toml")

    @property
    def pages(self) -> list[Path]:
        """The texts that stand by themselves: the README, and the pages beside the lessons."""
        return [self.readme, *sorted(self.notebooks.glob("*.md"))]

    def relative(self, path: Path) -> str:
        """A path as messages name it: from the root of the checkout."""
        return (path.relative_to(self.root) if path.is_relative_to(self.root) else path).as_posix()

    @cached_property
    def address(self) -> str:
        """The public address, `[project.urls] Repository` in pyproject.toml. BuildError where there is none."""
        address = project_in(self.root).get("urls", {}).get("Repository", "")
        return address_of(address, "pyproject.toml, Repository")

    @property
    def is_placeholder(self) -> bool:
        """Whether the address is still the one with OWNER that a new repository begins with."""
        return "OWNER" in self.address.split("/")

    def tab(self, notebook: str) -> str:
        """Where a notebook ("notebooks/01_averages") opens in what `lite` writes; "" where it does not run there."""
        runs = notebook.rpartition("/")[2] not in course.NEEDS_MACHINE
        return f"notebooks/index.html?path={quote(notebook)}.ipynb" if runs else ""

    def launches(self, notebook: str, hub: str = "") -> dict[str, str]:
        """The addresses that open a notebook, none without a public address: in a browser tab alone, from the pages of
        GitHub or GitLab, where `site --lite` was put; on Binder; on Colab, which reads GitHub only; and with
        nbgitpuller on the JupyterHub whose address is `hub`."""
        if self.is_placeholder:
            return {}
        parts = urlsplit(self.address)
        repository, found = parts.path.strip("/"), {}
        owner, _, name = repository.partition("/")
        pages = {"github.com": "github.io", "gitlab.com": "gitlab.io"}.get(parts.netloc)
        if pages and self.tab(notebook):
            found["JupyterLite"] = f"https://{owner.lower()}.{pages}/{name}/lite/{self.tab(notebook)}"
        kinds = {"github.com": f"gh/{repository}", "gitlab.com": f"gl/{quote(repository, safe='')}"}
        kind = kinds.get(parts.netloc, f"git/{quote(self.address, safe='')}")
        found["Binder"] = f"https://mybinder.org/v2/{kind}/HEAD?urlpath=lab/tree/{notebook}.ipynb"
        if parts.netloc == "github.com":
            found["Colab"] = f"https://colab.research.google.com/github/{repository}/blob/HEAD/{notebook}.ipynb"
        if hub:
            folder = repository.rpartition("/")[2]
            query = urlencode({"repo": self.address, "urlpath": f"lab/tree/{folder}/{notebook}.ipynb"})
            home = hub.rstrip("/").removesuffix("/hub")
            found["JupyterHub"] = f"{home}/hub/user-redirect/git-pull?{query}"
        return found
