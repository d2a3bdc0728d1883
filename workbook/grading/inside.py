"""What runs in the sandbox: a warm process that forks a child for each notebook. Nothing here judges an answer.

The warm process (`serve`) is the first of its process namespace, so nothing in there can kill it or read its memory,
and it never runs a submission itself. A child has a socket, a file in memory for what it prints, and memory that it
shares with the grader: there it finds a request (a cell, or problems for a function), pickled, and leaves its answer as
JSON, which ends with a zero byte. What a child writes cannot be trusted: `workbook.grading.wire` reads it outside.
"""
import contextlib
import ctypes
import gc
import importlib
import json
import mmap
import os
import pickle
import resource
import select
import shutil
import signal
import socket
import sys
import time
import types

import psutil

IMPORTED = ("numpy", "numpy.random", "array_api_compat.numpy", "IPython.core.interactiveshell", "workbook.checks.run")
STOOD_IN = ("lesson", "explore", "exercises")    # of the course's package: what a notebook calls beside its answers
TICKET = 16                              # bytes that announce a request, and then its answer
LONGEST = 8 << 20                        # bytes of the shared memory. What is longer loses its end: nobody can read it
LOOK = 0.05                              # seconds between two looks at memory, processes and files
FILES = 20_000                           # in the folders that are in memory: empty files take memory, too
DUMPABLE, SUBREAPER = 4, 36              # for prctl


class StandIn(types.ModuleType):
    """In the place of a module that a notebook calls beside its answers: whatever is called in it does nothing."""

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *arguments, **options: None


def serve(control: socket.socket, package: str, exercises: list[str], folders: list[str]) -> None:
    """Fork a child for each request, watch it, and clean up at "end", until the control socket is closed.

    package, exercises: the course's; folders: those that children may write to.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)            # the one signal of a child that would reach this process
    prctl(DUMPABLE, 0)                                      # no child may trace it
    prctl(SUBREAPER, 1)                                     # it inherits the processes that children leave behind
    shell, undo = warm(package, exercises), None
    clear(folders)
    control.send(b"ready")
    while True:
        request, files, _, _ = socket.recv_fds(control, 4096, 3)
        if not request:
            os._exit(0)                                     # the interpreter's own end takes half a second
        limits = json.loads(request)
        if load(limits["modules"]) or not undo:
            undo, before = undoing(package), memory_of([psutil.Process()])
        control.send(b"forking")
        child = os.fork()
        if not child:
            control.close()
            try:
                work(*files, limits, shell, undo)
            finally:
                os._exit(0)
        for file in files:
            os.close(file)
        while not select.select([control], [], [], LOOK)[0]:
            if reason := ending(child, limits, before, folders):
                control.send(reason)                        # before the child's socket closes, which says less
                kill_all()
                break
        control.recv(100)
        clear(folders)
        control.send(b"clean")


def prctl(option: int, value: int) -> None:
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def warm(package: str, exercises: list[str]):
    """Import all that is slow and that any notebook needs, before the first fork. No thread may run yet."""
    load((*IMPORTED, package))
    folder = sys.modules[package].__path__[0]
    for name in (*STOOD_IN, *(f"exercises.{exercise}" for exercise in exercises)):
        module = StandIn(f"{package}.{name}")
        module.__path__ = [os.path.join(folder, *name.split("."))]          # where a given.py may be
        sys.modules[module.__name__] = module
        parent, _, own_name = module.__name__.rpartition(".")
        setattr(sys.modules[parent], own_name, module)
    from IPython.core.history import HistoryManager
    from IPython.core.interactiveshell import InteractiveShell

    HistoryManager.enabled = False
    shell = InteractiveShell.instance(colors="NoColor")
    shell.showtraceback = shell.showsyntaxerror = lambda *_, **__: None      # nobody reads them here
    shell.run_cell("pass", store_history=False)
    return shell


def load(names) -> bool:
    """Import modules for all children to come. Whether there were new ones."""
    new = [name for name in names if name not in sys.modules]
    for name in new:
        importlib.import_module(name)
    if "torch" in new:
        sys.modules["torch"].set_num_threads(1)
    if new:
        gc.collect()
        gc.freeze()                                         # a child that collects garbage copies none of this
    return bool(new)


def work(channel: int, messages: int, output: int, limits: dict, shell, undo) -> None:
    """The child: answer requests until there are no more. The first three are open files, by number."""
    from workbook.checks import quiet, run

    quiet.Heard.beyond = os.fdopen(os.dup(output), "w", errors="replace")        # so that a flood is seen outside
    guard_tracing(run.Watch, run, quiet)
    prctl(DUMPABLE, 1)                                      # its memory may be looked at, unlike the warm process's
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(source, target)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    limit(limits)
    run_check, run_cell, space = run.run, type(shell).run_cell, shell.user_ns
    loads, dumps, messages = pickle.loads, json.dumps, mmap.mmap(messages, LONGEST)
    with socket.socket(fileno=channel) as channel:
        while ticket := channel.recv(TICKET):
            request = loads(messages)
            messages.seek(0)
            if "source" in request:
                answer = {"error": error_of(run_cell, shell, request["source"])}
                undo()
            else:
                answers = checked(request, space.get(request["function"]), run_check)
                undo()
                answer = {"answers": [each.to_dict() for each in answers]}
            messages.write((dumps(answer).encode() + b"\0")[:LONGEST])
            channel.send(ticket)


def error_of(run_cell, shell, source: str) -> list[str] | None:
    """Run a cell: the type and the message of what it raised, or None where it ended well."""
    try:
        result = run_cell(shell, source, store_history=False)
        error = result.error_before_exec or result.error_in_exec
    except BaseException as raised:
        error = raised
    return error and described(error)


def checked(request: dict, function, run_check) -> list:
    """An Answer of the function for each problem of the request."""
    from workbook.checks.answer import Answer

    problems = request["problems"]
    try:
        return run_check(request["item"], function, problems)
    except BaseException as raised:                         # KeyboardInterrupt, or an object that lies about itself
        name, message = described(raised)
        return [Answer(error={"type": name, "message": message})] * len(problems)


def described(error: BaseException) -> list[str]:
    """The type and the message of an exception, "" where that cannot be had."""
    try:
        return [type(error).__name__[:100], str(error)[:400]]
    except BaseException:
        return [type(error).__name__[:100], ""]


def guard_tracing(watch: type, *modules) -> None:
    """From now on only these modules can end a watch's count of steps: an answer cannot hide its loops from it."""
    ours = {id(vars(module)) for module in modules}

    def hook(event, _):
        if event == "sys.settrace" and isinstance(sys.gettrace(), watch) and id(sys._getframe(1).f_globals) not in ours:
            raise RuntimeError("sys.settrace is not for answers: it is how steps in Python are counted")

    sys.addaudithook(hook)


def undoing(package: str):
    """A function that puts back what a cell may have patched: what stands in modules, and methods of our classes.

    It calls nothing that can be patched itself.
    """
    modules = {name: module for name, module in sys.modules.items() if isinstance(module, types.ModuleType)}
    tops = {*sys.stdlib_module_names, "numpy", "workbook", package}
    contents = [(sys.modules, modules)] + [
        (vars(module), dict(vars(module))) for name, module in modules.items()
        if name.partition(".")[0] in tops or name.partition(".")[0] == "torch" and name.count(".") < 2]
    classes = {json.JSONEncoder} | {
        each for name, module in modules.items() if name.startswith("workbook.checks.")
        for each in vars(module).values() if isinstance(each, type) and each.__module__.startswith("workbook")}
    methods = [(each, name, value) for each in classes for name, value in vars(each).items()
               if callable(value) or isinstance(value, (property, classmethod))]

    def undo(put=type.__setattr__):
        for now, before in contents:
            now.update(before)
        for each, name, value in methods:
            put(each, name, value)

    return undo


def limit(limits: dict) -> None:
    """Hard limits of this process and all it starts; memory is counted from what the warm process has already."""
    mapped = psutil.Process().memory_info().vms
    for name, value in ((resource.RLIMIT_AS, mapped + limits["memory"]), (resource.RLIMIT_CORE, 0),
                        (resource.RLIMIT_FSIZE, limits["disk"]), (resource.RLIMIT_NPROC, limits["processes"]),
                        (resource.RLIMIT_NOFILE, 256)):
        resource.setrlimit(name, (value, value))


def ending(child: int, limits: dict, before: int, folders: list[str]) -> bytes:
    """Why a child must end, or has ended: a status as `mark` names it; b"" while it may go on.

    before: the bytes that this process holds without any child, which do not count.
    """
    processes = psutil.Process().children(recursive=True)
    if len(processes) > limits["processes"]:                # before anything that takes longer the more there are
        return b"too many processes"
    states = map(os.statvfs, filter(os.path.ismount, folders))
    most = limits["memory"]
    if (sum(state.f_files - state.f_ffree for state in states) > FILES or memory_of(processes, shared=False) > most
            and memory_of([psutil.Process(), *processes]) - before > most):
        return b"out of memory"
    return b"process died" if os.waitpid(child, os.WNOHANG)[0] else b""


def memory_of(processes: list[psutil.Process], shared: bool = True) -> int:
    """Bytes that processes hold. shared: what they have in common counts once, which takes longer to find out."""
    total = 0
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            try:
                total += process.memory_full_info().pss if shared else process.memory_info().rss
            except psutil.AccessDenied:                     # a process may hide what it shares: then all of it counts
                total += process.memory_info().rss
    return total


def kill_all() -> None:
    """Kill and reap every process that descends from this one."""
    while left := psutil.Process().children(recursive=True):
        for pid in [-1] if os.getpid() == 1 else [process.pid for process in left]:     # from -1 none can fork away
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(0.001)


def clear(folders: list[str]) -> None:
    """Leave no process and no file of the last submission.

    OSError or RecursionError where a file stays: this process ends with it, and the next one gets fresh folders.
    """
    kill_all()
    for folder in folders:
        for entry in os.scandir(folder):
            shutil.rmtree(entry.path) if entry.is_dir(follow_symlinks=False) else os.unlink(entry)


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])), *json.loads(sys.argv[2]))
