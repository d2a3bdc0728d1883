"""A forked kernel is to a notebook what a started one is: it knows no name of another, can be interrupted, and ends."""
import psutil
import pytest
import warm_kernels

LOOKED = """import os, sys
print(os.getcwd(), "torch" in sys.modules, "nwlab" in sys.modules, "seen" in globals(), os.getpgid(0) == os.getpid())
seen = True"""


@pytest.fixture
def start(tmp_path):
    nbval = pytest.importorskip("nbval.kernel")
    if nbval.KernelManager.__module__ != warm_kernels.__name__:
        pytest.skip("nbval's kernels are started here, not forked")
    started = []
    yield lambda: started.append(nbval.RunningKernel(nbval.CURRENT_ENV_KERNEL_NAME, cwd=str(tmp_path))) or started[-1]
    for kernel in started:
        process = psutil.Process(kernel.km.provisioner.pid)
        kernel.stop()
        assert not process.is_running()


def printed(kernel, source: str) -> str:
    """What a cell prints, or the name of its error."""
    words = []
    kernel.kc.execute_interactive(source, timeout=60, output_hook=lambda message: words.extend(
        message["content"].get(part, "") for part in ("text", "ename")))
    return "".join(words)


def test_one_after_the_other_has_what_was_imported_and_nothing_else(start, tmp_path):
    for _ in range(2):
        assert printed(start(), LOOKED) == f"{tmp_path} True False False True\n"


def test_it_is_interrupted_alone(start):
    kernel, other = start(), start()
    kernel.execute_cell_input("import time\nprint('begun', flush=True)\ntime.sleep(600)")
    while kernel.get_message("iopub", timeout=60)["content"].get("text") != "begun\n":
        pass
    kernel.interrupt()
    while kernel.get_message("iopub", timeout=60)["content"].get("ename") != "KeyboardInterrupt":
        pass
    assert printed(kernel, "print(1)") == printed(other, "print(1)") == "1\n"
