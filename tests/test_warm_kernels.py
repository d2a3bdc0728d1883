"""A forked kernel is to a notebook what a started one is: it knows no name of another, can be interrupted, and ends."""
import psutil
import pytest
import warm_kernels

LOOKED = """import os, sys
print(os.getcwd(), "torch" in sys.modules, "nwlab" in sys.modules, "seen" in globals(), os.getpgid(0) == os.getpid())
seen = True"""


def said(kernel, part: str) -> str:
    """The next text that a cell prints, or the name of its error."""
    while not (found := kernel.get_message("iopub", timeout=60)["content"].get(part)):
        pass
    return found


def test_each_has_what_was_imported_and_nothing_else_and_is_interrupted_alone(tmp_path):
    nbval = pytest.importorskip("nbval.kernel")
    if nbval.KernelManager.__module__ != warm_kernels.__name__:
        pytest.skip("nbval's kernels are started here, not forked")
    both = [nbval.RunningKernel(nbval.CURRENT_ENV_KERNEL_NAME, cwd=str(tmp_path)) for _ in range(2)]
    for kernel in both:
        kernel.execute_cell_input(LOOKED)
        assert said(kernel, "text") == f"{tmp_path} True False False True\n"
        kernel.execute_cell_input("import time\nprint('begun', flush=True)\ntime.sleep(600)")
        assert said(kernel, "text") == "begun\n"
        kernel.interrupt()
        assert said(kernel, "ename") == "KeyboardInterrupt"
    both[1].execute_cell_input("print(1)")
    assert said(both[1], "text") == "1\n"
    processes = [psutil.Process(kernel.km.provisioner.pid) for kernel in both]
    for kernel in both:
        kernel.stop()
    assert not any(process.is_running() for process in processes)
