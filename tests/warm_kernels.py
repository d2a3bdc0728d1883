"""Kernels that are forks of one process, which has imported what is slow to import and nothing of nwlab.

To start a kernel and to import torch and Matplotlib in it takes some four seconds of processor time, for each of two
dozen notebooks. A fork has what was imported and nothing else: its names, its folder and its environment are its own.
"""
import contextlib
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from functools import cache
from unittest.mock import patch

import psutil

SLOW_TO_IMPORT = ("ipykernel.kernelapp", "torch", "torch._dynamo", "array_api_compat.torch", "matplotlib.figure",
                  "matplotlib.backends.backend_agg", "ipywidgets", "anywidget")


def use() -> None:
    """From now on the kernels that nbval and nbclient start are forks. Not where numerical libraries may begin threads,
    which no fork has.
    """
    import jupyter_client
    import nbval.kernel

    if sys.platform == "linux" and os.environ.get("OMP_NUM_THREADS") == "1":
        nbval.kernel.KernelManager = warm(jupyter_client.KernelManager)
        jupyter_client.AsyncKernelManager = warm(jupyter_client.AsyncKernelManager)      # where nbclient looks it up


def warm(manager: type) -> type:
    """The same manager of kernels, whose kernels are forks."""
    from jupyter_client.provisioning import local_provisioner

    class Warm(manager):
        async def _async_launch_kernel(self, *command, **settings):
            with patch.object(local_provisioner, "launch_kernel", Fork):
                await super()._async_launch_kernel(*command, **settings)

    return Warm


@cache
def warm_process() -> tuple[subprocess.Popen, socket.socket]:
    """The process that forks, and the socket for requests to it; it ends with this one."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        started = subprocess.Popen([sys.executable, __file__, str(theirs.fileno())], pass_fds=[theirs.fileno()],
                                   **dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL))
    return started, ours


class Fork:
    """What jupyter_client needs of a process that it has started."""

    stdin = stdout = stderr = None

    def __init__(self, command, env, cwd=None, **_):
        _, requests = warm_process()
        arguments = command[command.index("ipykernel_launcher"):]
        requests.send(json.dumps([arguments, dict(env), cwd or os.getcwd()]).encode())
        self.pid = int(requests.recv(100) or 0)
        assert self.pid, f"what is to be imported before the first kernel cannot be: {', '.join(SLOW_TO_IMPORT)}"

    def poll(self) -> int | None:
        return None if psutil.pid_exists(self.pid) else 0

    def wait(self) -> int:
        while self.poll() is None:
            time.sleep(0.01)
        return 0

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)


def serve(requests: socket.socket) -> None:
    """Fork a kernel for each request, until the other side closes."""
    del sys.path[0]                                         # this folder
    os.environ["JPY_PARENT_PID"] = str(os.getpid())         # a kernel ends when this process does
    os.environ.setdefault("MPLBACKEND", "module://matplotlib_inline.backend_inline")        # as a kernel does
    for name in SLOW_TO_IMPORT:
        importlib.import_module(name)
    signal.signal(signal.SIGCHLD, lambda *_: reap())
    while message := requests.recv(1 << 20):
        if not os.fork():
            os.setsid()                                     # before a signal is sent to its group
            requests.send(str(os.getpid()).encode())
            requests.close()
            become_kernel(*json.loads(message))


def reap() -> None:
    """Wait for the kernels that have ended: only then is their processor time counted."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def become_kernel(command: list[str], environment: dict[str, str], folder: str) -> None:
    import numpy as np
    from ipykernel.kernelapp import launch_new_instance

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    np.random.seed()                                        # no two kernels begin with the same random numbers
    sys.argv = command
    launch_new_instance()
    os._exit(0)


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
