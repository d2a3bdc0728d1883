"""The recorded figures of a site, each under a name that says what it was made from."""
import hashlib
import json
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path

from workbook import course, language
from workbook.figures import scripts
from workbook.files import write
from workbook.site import page, recording

SIZES = {"wide": (836, 1400), "narrow": (page.NARROW, 500)}   # for a desk and a phone: pixels, states to record


class Shelf:
    """The folder `cache` keeps recordings from one site to the next, for as long as `wants` gives them the same key.
    states: how many to record, at most; a test needs few. kept: which of SIZES are wanted; slides are wide."""

    def __init__(self, cache: Path, states: int = 10**6, kept: tuple[str, ...] = tuple(SIZES)):
        self.cache, self.states, self.kept = cache, states, kept
        self.wanted: dict[Path, tuple] = {}

    def wants(self, name: str, positional: list, named: dict) -> str:
        """The key of the recording of `explore.NAME(...)`, which lies on the shelf after `fill`: it changes with the
        code of the figure and of what it may import, the arguments, the versions of Matplotlib, NumPy and Pillow."""
        share = 3 if positional else 1                          # its own data make a figure larger
        sizes = {size: (width, min(states // share, self.states)) for size, (width, states) in SIZES.items()}
        call = json.dumps([name, positional, named, sizes, *map(version, ("matplotlib", "numpy", "pillow"))])
        digest = hashlib.sha256(call.encode())
        for path in _sources(name):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
        key = f"{name}-{digest.hexdigest()[:12]}"
        for size in self.kept:
            self.wanted[self.cache / f"{key}-{size}.js"] = name, positional, named, *sizes[size]
        return key

    def fill(self, say: Callable[[str], None] = print) -> None:
        """Record what is wanted and not there yet."""
        missing = {path: job for path, job in self.wanted.items() if not path.is_file()}
        if not missing:
            return
        say(f"recording {', '.join(sorted({name for name, *_ in missing.values()}))}: this takes a few minutes, once")
        os.environ.setdefault("OMP_NUM_THREADS", "1")           # two processes with two threads each are slower
        with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
            for done in [pool.submit(_record, path, *job) for path, job in missing.items()]:
                done.result()

    def empty_into(self, folder: Path) -> None:
        """Copy all that is wanted into the folder of the site."""
        for path in self.wanted:
            write(folder / path.name, path.read_bytes())


def _record(path: Path, name: str, positional: list, named: dict, width: int, states: int) -> None:
    """Write a recording as a script: a page that is opened as a file can load scripts, but not data."""
    _, recording = page.record(name, width, states, *positional, **named)
    write(path, f'figureRecorded("{path.stem}", "{recording}");\n')


def _sources(name: str) -> list[Path]:
    """The files a live figure may depend on: nwlab, what figures share, the engine, letters, and translated words."""
    explore, *_ = folders = [course.FOLDER / part for part in ("explore", "labs", "letters")]
    others = {explore / f"{other}.py" for other in course.module("explore").__all__ if other != name}
    files = [path for folder in (course.PACKAGES[0], *folders, scripts.HERE) for path in folder.rglob("*")]
    files += [*course.FOLDER.glob("*.py"), Path(page.__file__), Path(recording.__file__)]
    files += [course.FOLDER / language.language() / words for words in ("workbook.mo", "letters.otf")]
    return sorted(path for path in files if path.is_file() and path not in others and "__pycache__" not in path.parts)
