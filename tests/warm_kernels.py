"""Kernels that are forks of one process, which has imported what is slow to import and nothing of nwlab.

To start a kernel and to import torch and Matplotlib in it takes some four seconds of processor time, for each of two
dozen notebooks. A fork has what was imported and nothing else: its names, its folder and its environment are its own.
"""
import multiprocessing
import os
import sys
import tempfile
import uuid
from unittest.mock import patch

SLOW_TO_IMPORT = ["ipykernel.kernelapp", "torch", "torch._dynamo", "array_api_compat.torch", "matplotlib.figure",
                  "matplotlib.backends.backend_agg", "ipywidgets", "anywidget"]


def use() -> None:
    """From now on the kernels that nbval and nbclient start are forks. Only with OMP_NUM_THREADS=1: a fork would lack
    the threads of numerical libraries.
    """
    import jupyter_client
    import nbval.kernel

    if sys.platform == "linux" and os.environ.get("OMP_NUM_THREADS") == "1":
        nbval.kernel.KernelManager = warm(jupyter_client.KernelManager)
        jupyter_client.AsyncKernelManager = warm(jupyter_client.AsyncKernelManager)      # where nbclient looks it up


def warm(manager: type) -> type:
    """The same manager of kernels, whose kernels are forks. They need no ports, which somebody else may take."""
    from jupyter_client.provisioning import local_provisioner
    from traitlets import default

    class Warm(manager):
        @default("transport")
        def _sockets(self) -> str:
            return "ipc"

        @default("connection_file")
        def _beside_the_sockets(self) -> str:           # whose paths must be short
            return os.path.join(tempfile.gettempdir(), f"kernel-{uuid.uuid4()}.json")

        async def _async_launch_kernel(self, *command, **settings):
            with patch.object(local_provisioner, "launch_kernel", Fork):
                await super()._async_launch_kernel(*command, **settings)

    return Warm


class Fork:
    """What jupyter_client needs of a process that it has started."""

    stdin = stdout = stderr = None

    def __init__(self, command, env, cwd=None, stderr=None, **_):
        forks = multiprocessing.get_context("forkserver")
        forks.set_forkserver_preload(SLOW_TO_IMPORT)
        ours, theirs = forks.Pipe(duplex=False)
        arguments = command[command.index("ipykernel_launcher"):]
        self.process = forks.Process(target=become_kernel, daemon=True, args=(
            theirs, arguments, dict(env), cwd or os.getcwd(), getattr(stderr, "name", os.devnull)))
        # Matplotlib reads this once, when the fork server imports it.
        with patch.dict(os.environ, {"MPLBACKEND": env.get("MPLBACKEND", "module://matplotlib_inline.backend_inline")}):
            self.process.start()
        theirs.close()
        ours.recv()
        self.pid, self.kill, self.terminate = self.process.pid, self.process.kill, self.process.terminate

    def poll(self) -> int | None:
        return self.process.exitcode

    def wait(self) -> int:
        self.process.join()
        return self.poll()

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)


def become_kernel(ready, arguments: list[str], environment: dict[str, str], folder: str, stderr: str) -> None:
    """In the fork: be the kernel until it is stopped. stderr: the file to which it writes its own messages."""
    import numpy as np
    from ipykernel.kernelapp import launch_new_instance

    os.setsid()                                             # before a signal is sent to its group
    ready.send("it is a group of its own")
    for stream, path in ((1, os.devnull), (2, stderr)):
        with open(path, "a") as file:
            os.dup2(file.fileno(), stream)
    sys.path.remove(os.path.dirname(__file__))
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment, JPY_PARENT_PID=str(os.getppid()))        # it ends when the process that forks does
    multiprocessing.current_process().daemon = False
    np.random.seed()                                        # no two kernels begin with the same random numbers
    sys.argv = arguments
    launch_new_instance()
    os._exit(0)
