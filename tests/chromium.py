"""Find the installed Chromium or Chrome that the browser tests and benchmarks drive; nothing is downloaded."""
import os
import shutil

_COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_PLACES = (*(f"{folder}/{name}" for folder in ("/Applications", "~/Applications") for name in (
    "Chromium.app/Contents/MacOS/Chromium", "Google Chrome.app/Contents/MacOS/Google Chrome")),
    *(f"${{{variable}}}/Google/Chrome/Application/chrome.exe" for variable in
      ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")))

MISSING = (
    "no Chromium or Chrome found; install one (Debian and Ubuntu: sudo apt-get install chromium, macOS and Windows: "
    "Chrome), or set NWLAB_BROWSER to its path"
)


def find_browser() -> str | None:
    """Return the path of a browser, or None: NWLAB_BROWSER first, then the usual commands, then the usual places.

    Raises FileNotFoundError if NWLAB_BROWSER is set, but names no program.
    """
    named = os.environ.get("NWLAB_BROWSER")
    if named:
        found = shutil.which(named)
        if found is None:
            raise FileNotFoundError(f"NWLAB_BROWSER is {named!r}, which is no program on this machine")
        return found
    places = (os.path.expandvars(os.path.expanduser(place)) for place in _PLACES)
    return next(filter(None, map(shutil.which, (*_COMMANDS, *places))), None)
