"""A notebook in a browser tab, without a server: Python is Pyodide there, with neither threads nor PyTorch."""
import sys


def in_browser() -> bool:
    """Whether this Python runs in a browser tab."""
    return sys.platform == "emscripten"
