"""Find the installed Chromium or Chrome that the browser tests and benchmarks drive; nothing is downloaded."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

_COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_MAC = ("Chromium.app/Contents/MacOS/Chromium", "Google Chrome.app/Contents/MacOS/Google Chrome")
_WINDOWS = ("Google/Chrome/Application/chrome.exe", "Chromium/Application/chrome.exe")

MISSING = (
    "no Chromium or Chrome found; install one (Debian and Ubuntu: sudo apt-get install chromium, macOS and Windows: "
    "Chrome), or set NWLAB_BROWSER to its path"
)


def find_browser() -> str | None:
    """Return the path of a browser, or None: NWLAB_BROWSER first, then the usual commands, then the usual places.

    Raises FileNotFoundError where NWLAB_BROWSER is set to something that is not there.
    """
    asked = os.environ.get("NWLAB_BROWSER")
    if asked:
        found = shutil.which(asked)
        if found is None:
            raise FileNotFoundError(f"NWLAB_BROWSER is {asked!r}, which is no program on this machine")
        return found
    for command in _COMMANDS:
        if found := shutil.which(command):
            return found
    return next((str(place) for place in _usual_places() if place.is_file()), None)


def browser_for_tests() -> str:
    """Return the path of a browser; without one skip the test, or fail it where NWLAB_REQUIRE_BROWSER=1."""
    path = find_browser()
    if path is None:
        required = os.environ.get("NWLAB_REQUIRE_BROWSER", "") not in ("", "0")
        (pytest.fail if required else pytest.skip)(MISSING)
    return path


def _usual_places():
    for folder in (Path("/Applications"), Path.home() / "Applications"):
        yield from (folder / name for name in _MAC)
    for variable in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"):
        if folder := os.environ.get(variable):
            yield from (Path(folder) / name for name in _WINDOWS)
