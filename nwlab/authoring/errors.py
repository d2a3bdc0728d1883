"""What stops a build: always with the file, and with the line where there is one."""

from __future__ import annotations

from pathlib import Path


class BuildError(Exception):
    """Something an author has to mend; its text is ``file:line: what is wrong``."""

    def __init__(self, path: Path | str, line: int | None, message: str):
        self.path, self.line, self.message = Path(path), line, message
        shown = self.path.relative_to(Path.cwd()) if self.path.is_relative_to(Path.cwd()) else self.path
        super().__init__(f"{shown.as_posix()}{'' if line is None else f':{line}'}: {message}")
