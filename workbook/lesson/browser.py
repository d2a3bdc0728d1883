"""A notebook in a browser tab, without a server: Python is Pyodide there, with neither threads nor PyTorch."""
import sys
from importlib.util import find_spec


def in_browser() -> bool:
    """Whether this Python runs in a browser tab."""
    return sys.platform == "emscripten"


def lacks(package: str) -> bool:
    """Whether a package cannot be imported here."""
    return find_spec(package) is None


def explain(sentences: dict[str, str]) -> None:
    """Where an import of one of these packages fails, the notebook shows its sentence in place of a traceback.

    A browser tab calls this before the first cell. Other errors, such as a name mistyped, keep their traceback.
    """
    from IPython import get_ipython

    def handle(shell, kind, error, trace, tb_offset=None):
        sentence = sentences.get((error.name or "").partition(".")[0])
        if sentence:
            error._render_traceback_ = lambda: [sentence]       # IPython shows these lines and nothing else
        shell.showtraceback((kind, error, trace), tb_offset=tb_offset)

    get_ipython().set_custom_exc((ModuleNotFoundError,), handle)
