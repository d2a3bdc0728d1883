"""What runs in the sandbox: a warm process that forks a child for each notebook. Nothing here judges an answer.

The warm process (`serve`) is the first of its process namespace, so nothing in there can kill it or read its memory,
and it never runs a submission itself. A child has a socket: through it come requests (a cell, or problems for a
function), pickled, and each is answered with a line of JSON. What a child writes cannot be trusted:
`workbook.grading.wire` reads it outside.
"""
import ctypes
import gc
import importlib
import json
import os
import pickle
import resource
import select
import shutil
import signal
import socket
import sys
import types

from workbook import course
from workbook.grading.system_calls import filter_of_calls

IMPORTED = ("numpy", "numpy.random", "array_api_compat.numpy", "nwlab",
            "IPython.core.inputtransformer2", "workbook.checks.run", "workbook.checks.rerun", "workbook.grading.same")
STOOD_IN = ("lesson", "explore", "exercises")    # of the workbook, which a StandIn replaces
LOOK = 0.05                              # seconds between two looks at memory and files
FILES = 20_000                           # in the folder in memory: empty files take memory, too
THREADS = 32


class StandIn(types.ModuleType):
    """Replaces a module that a notebook uses beside its answers: each function called in it does nothing."""

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *arguments, **options: None


def serve(control: socket.socket, folder: str) -> None:
    """Fork a child for each request, and clean up its folder at "end", until the control socket is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)            # the only signal of a child that would reach this process
    ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)                  # PR_SET_DUMPABLE: no child may trace it
    warm()
    refuse_calls = filter_of_calls()
    clear(folder)
    control.send(b"ready")
    while True:
        request, files, _, _ = socket.recv_fds(control, 4096, 1)
        if not request:
            os._exit(0)                                     # the interpreter's own end takes half a second
        limits = json.loads(request)
        load(limits["modules"])
        control.send(b"forking")
        before = memory_of(os.getpid())[1]
        child = os.fork()
        if not child:
            control.close()
            try:
                work(*files, limits, refuse_calls)
            finally:
                os._exit(0)
        for file in files:
            os.close(file)
        while not select.select([control], [], [], LOOK)[0]:
            if files_in(folder) > FILES or memory_of(child)[1] - before > limits["memory"]:
                control.send(b"out of memory")              # before the child's socket closes, which says less
                os.kill(child, signal.SIGKILL)
                break
        control.recv(100)
        os.kill(child, signal.SIGKILL)                      # until waitpid, no other process can have its number
        os.waitpid(child, 0)
        clear(folder)
        control.send(b"clean")


def warm() -> None:
    """Import slow modules that any notebook needs, before the first fork and any thread."""
    load(IMPORTED)
    for name in (*STOOD_IN, *(f"exercises.{exercise}" for exercise in course.EXERCISES)):
        module = StandIn(f"workbook.{name}")
        module.__path__ = [str(course.FOLDER.joinpath(*name.split(".")))]   # where a given.py may be
        sys.modules[module.__name__] = module
        parent, _, own_name = module.__name__.rpartition(".")
        setattr(sys.modules[parent], own_name, module)


def load(names) -> None:
    """Import modules for all children to come."""
    new = [name for name in names if name not in sys.modules]
    for name in new:
        importlib.import_module(name)
    if new:
        gc.collect()
        gc.freeze()                                         # a child that collects garbage copies none of this


def work(channel: int, limits: dict, refuse_calls) -> None:
    """The child: answer requests until there are no more. channel: its socket, as the number of an open file.

    An exception here ends the child: `execute` and `run` catch all that an honest cell or function raises.
    """
    from workbook.checks import rerun, run
    from workbook.grading import same

    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in range(3):                                 # what a cell prints goes nowhere
        os.dup2(nothing, number)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    limit(limits)
    refuse_calls()
    sys.modules["__main__"] = types.ModuleType("__main__")
    run_check, execute, space = run.run, rerun.execute, vars(sys.modules["__main__"])
    space.update(rerun.fresh())
    load, dumps, stream = pickle.load, json.dumps, socket.socket(fileno=channel).makefile("rwb")
    while True:
        request = load(stream)                              # EOFError when there are no more
        if "study" in request:
            answer = rerun.study(request["study"])[1:]
        elif "shape" in request:
            answer = same.shape(request["shape"])
        elif "right" in request:
            right = rerun.fresh()
            for source in request["right"]:
                execute(source, right)
            space.update((name, right[name]) for name in request["names"])
            answer = {}
        elif "source" in request:
            error = execute(request["source"], space)
            answer = {"error": error and [type(error).__name__[:100], str(error)[:400]]}
        else:
            answers = run_check(request["item"], space.get(request["function"]), request["problems"])
            answer = {"answers": [each.to_dict() for each in answers]}
        stream.write(dumps(answer).encode() + b"\n")
        stream.flush()


def limit(limits: dict) -> None:
    """Set hard limits for this process. It may reserve twice the memory that it may use."""
    most = memory_of(os.getpid())[0] + 2 * limits["memory"]
    for name, value in ((resource.RLIMIT_AS, most), (resource.RLIMIT_CORE, 0), (resource.RLIMIT_NOFILE, 256),
                        (resource.RLIMIT_FSIZE, limits["disk"]), (resource.RLIMIT_NPROC, THREADS)):
        resource.setrlimit(name, (value, value))


def memory_of(process: int) -> list[int]:
    """[bytes that a process has reserved, bytes that it uses]."""
    with open(f"/proc/{process}/statm") as file:
        return [int(pages) * resource.getpagesize() for pages in file.read().split()[:2]]


def files_in(folder: str) -> int:
    """How many files are in the folder, if it is in memory."""
    state = os.statvfs(folder)
    return state.f_files - state.f_ffree if os.path.ismount(folder) else 0


def clear(folder: str) -> None:
    """Delete all files and marks of the last submission. An error ends this process; the next has a fresh folder."""
    for entry in os.scandir(folder):
        delete = shutil.rmtree if entry.is_dir(follow_symlinks=False) else os.unlink
        delete(entry.path)
    for name in os.listxattr(folder):
        os.removexattr(folder, name)
    os.chmod(folder, 0o700)
    os.utime(folder, (0, 0))


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])), sys.argv[2])
