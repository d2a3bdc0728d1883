"""Modules compiled ahead: a browser tab keeps nothing that it compiles, and would spend seconds on it at each start."""
import io
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

DATE = (1980, 1, 1, 0, 0, 0)            # the same content gives the same bytes
WHOLE = "IPython"                       # of which a kernel imports more than we do here


def with_compiled(archive: bytes, python: str, place: str) -> bytes:
    """A zip archive of modules, with those compiled that a tab imports: those imported here, and packages that are not.

    place: where the tab has these files, as tracebacks name it: a folder, or the zip archive of the standard library,
    from which Python imports only what stands beside its source. python: the command of a Python of the tab's version.
    """
    zipped, file = place.endswith(".zip"), io.BytesIO(archive)

    def is_imported(path: Path) -> bool:
        parts = path.with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        return name in sys.modules or not zipped and (parts[0] == WHOLE or parts[0] not in sys.modules)

    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as files:
        files.extractall(folder)
        modules = [path for path in Path(folder).rglob("*.py") if is_imported(path.relative_to(folder))]
        if modules:
            options = ["-q", "--invalidation-mode", "unchecked-hash", "-s", folder, "-p", place]
            where = ["-b"] if zipped else []
            subprocess.run([python, "-I", "-m", "compileall", *options, *where, *modules])
        for path in sorted(Path(folder).rglob("*.pyc")):
            name = zipfile.ZipInfo(path.relative_to(folder).as_posix(), DATE)
            files.writestr(name, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return file.getvalue()
