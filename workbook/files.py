"""Files that are there whole, or as they were before."""
import io
import os
import zipfile
from pathlib import Path


def write(path: Path, text: str | bytes) -> bool:
    """Write bytes, or a text in UTF-8, in one step, line ends as they are. Returns whether anything changed."""
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    if path.is_file() and path.read_bytes() == data:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        part.write_bytes(data)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
    return True


def packed(content: dict[str, bytes], programs: tuple[str, ...] = ()) -> bytes:
    """A zip archive of files by name, the same bytes each time. programs: those that can be run."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in content.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (0o755 if name in programs else 0o644) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return file.getvalue()
