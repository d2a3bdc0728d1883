"""A notebook in a browser tab, without a server: Python is Pyodide there, with neither threads nor PyTorch."""
import sys
from importlib.util import find_spec


def in_browser() -> bool:
    """Whether this Python runs in a browser tab."""
    return sys.platform == "emscripten"


def lacks(package: str) -> bool:
    """Whether a package cannot be imported here."""
    return find_spec(package) is None
