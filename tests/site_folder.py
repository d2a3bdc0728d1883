"""Reads a site as a reader's browser does: which pages there are, and where their links lead."""
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """links: (attribute, address) of all that leads or loads; ids: what a link may point at."""

    def __init__(self, path: Path):
        super().__init__()
        self.path, self.links, self.ids = path, [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src", "data-recording") and value:
                self.links.append((f"{tag} {name}", value))
            elif name in ("id", "name"):
                self.ids.add(value)

    def lost(self) -> list[str]:
        """Links that lead nowhere in the site."""
        inside = [link for link in self.links if not urlsplit(link[1]).scheme]
        return [address for kind, address in inside if not self._found(kind, address)]

    def _found(self, kind: str, address: str) -> bool:
        parts = urlsplit(address)
        path = (self.path.parent / unquote(parts.path)).resolve() if parts.path else self.path
        if kind.endswith("data-recording"):
            return all(path.with_name(f"{path.name}-{size}.js").is_file() for size in ("wide", "narrow"))
        known = {""} | (Page(path).ids if parts.fragment and path.suffix == ".html" else set())
        return path.is_file() and (not parts.fragment or unquote(parts.fragment) in known)
