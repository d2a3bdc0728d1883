"""What runs in the sandbox: a warm process that forks a child for each notebook. Nothing here judges an answer.

The warm process (`serve`) is the first of its process namespace, so nothing in there can kill it or read its memory,
and it never runs a submission itself. A child has a socket, a file in memory for what it prints, and one that it shares
with the grader, for requests (cells, and problems for functions) and their answers. What a child writes is a stranger's
word: `workbook.grading.wire` reads it outside.
"""
import contextlib
import ctypes
import gc
import importlib
import json
import mmap
import os
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
LONGEST, SIZE = 8 << 20, 8               # bytes of a message, and of the number before it that says how long it is
LOOK = 0.05                              # seconds between two looks at memory, processes and files
FILES = 20_000                           # in the folders that are in memory: empty files take memory, too
DUMPABLE, SUBREAPER = 4, 36              # for prctl


class StandIn(types.ModuleType):
    """In the place of a module that a notebook calls beside its answers: whatever is called in it does nothing."""

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *arguments, **options: None


class Messages:
    """Memory that the grader and a child share, for one message at a time. file: by number, LONGEST bytes long."""

    def __init__(self, file: int):
        self.memory = mmap.mmap(file, LONGEST)

    def write(self, message: bytes) -> None:
        """Nobody can read a message that is too long: its end is missing."""
        message = message[:LONGEST - SIZE]
        self.memory[:SIZE + len(message)] = len(message).to_bytes(SIZE) + message

    def read(self) -> bytes:
        return self.memory[SIZE:SIZE + int.from_bytes(self.memory[:SIZE])]


def serve(control: socket.socket, package: str, exercises: list[str], folders: list[str]) -> None:
    """Fork a child for each request, and clean up at each "end", until the control socket is closed.

    package, exercises: the course's; folders: those that children may write to.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)            # the one signal of a child that would reach this process
    prctl(DUMPABLE, 0)                                      # no child may trace it
    prctl(SUBREAPER, 1)                                     # it inherits the processes that children leave behind
    shell = warm(package, exercises)
    clear(folders)
    child, undo, limits, before = None, None, {}, 0
    control.send(b"ready")
    while True:
        if not select.select([control], [], [], LOOK if child else None)[0]:
            if reason := ending(child, limits, before, folders):
                kill_all()
                child = None
                control.send(reason)
            continue
        message, files, _, _ = socket.recv_fds(control, 4096, 3)
        if not message:
            kill_all()
            os._exit(0)                                     # the interpreter's own end takes half a second
        if message == b"end":
            clear(folders)
            child = None
            control.send(b"clean")
            continue
        limits = json.loads(message)
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
    run_check, run_cell, space, dumps = run.run, type(shell).run_cell, shell.user_ns, json.dumps
    messages = Messages(messages)
    with socket.socket(fileno=channel) as channel:
        while ticket := channel.recv(TICKET):
            request = json.loads(messages.read())
            if "source" in request:
                answer = {"error": error_of(run_cell, shell, request["source"])}
                undo()
            else:
                answers = checked(request, space.get(request["function"]), run_check)
                undo()
                answer = {"answers": [each.to_dict() for each in answers]}
            messages.write(dumps(answer).encode())
            channel.send(ticket)


def error_of(run_cell, shell, source: str) -> list[str] | None:
    """Run a cell: the type and the message of what it raised, or None where it ended well."""
    try:
        result = run_cell(shell, source, store_history=False)
        error = result.error_before_exec or result.error_in_exec
    except BaseException as raised:
        error = raised
    return error and [type(error).__name__[:100], text_of(error)]


def checked(request: dict, function, run_check) -> list:
    """An Answer of the function for each problem of the request."""
    from workbook.checks.answer import Answer

    item = types.SimpleNamespace(**request["item"])
    item.given = {name: getattr(importlib.import_module(module), maker)
                  for name, (module, maker) in item.given.items()}
    problems = [types.SimpleNamespace(inputs={name: made(x) for name, x in problem.items()})
                for problem in request["problems"]]
    try:
        return run_check(item, function, problems)
    except BaseException as raised:                         # KeyboardInterrupt, or an object that lies about itself
        return [Answer(error={"type": type(raised).__name__[:100], "message": text_of(raised)})] * len(problems)


def text_of(error: BaseException) -> str:
    try:
        return str(error)[:400]
    except BaseException:
        return ""


def made(stored: dict):
    """An input of a problem, as `workbook.grading.wire.request` described it."""
    import numpy as np
    from workbook.checks.values import Value

    value = Value.from_dict(stored["value"])
    if stored["as"] == "plain":
        return value.data.item() if value.numeric else value.plain()
    array = np.asarray(value.data.astype(value.dtype))
    return array if stored["as"] == "array" else array[()]


def guard_tracing(watch: type, *modules) -> None:
    """From now on only these modules can end a watch's count of steps: an answer cannot hide its loops from it."""
    ours = {id(vars(module)) for module in modules}

    def hook(event, _):
        if event == "sys.settrace" and isinstance(sys.gettrace(), watch) and id(sys._getframe(1).f_globals) not in ours:
            raise RuntimeError("sys.settrace is not for answers: it is how steps in Python are counted")

    sys.addaudithook(hook)


def undoing(package: str):
    """A function that puts back what a cell may have patched: what stands in modules, and how JSON is written.

    It calls nothing that can be patched itself.
    """
    modules = {name: module for name, module in sys.modules.items() if isinstance(module, types.ModuleType)}
    changes = [(sys.modules.update, modules)]
    whole = {*sys.stdlib_module_names, "numpy", "workbook", package}
    kinds = {json.JSONEncoder, json.JSONDecoder}
    for name, module in modules.items():
        top = name.partition(".")[0]
        if top in whole or top == "torch" and name.count(".") < 2:
            changes.append((vars(module).update, dict(vars(module))))
        if name.startswith("workbook.checks."):
            kinds.update(kind for kind in vars(module).values()
                         if isinstance(kind, type) and kind.__module__.startswith("workbook"))
    methods = [(kind, name, value) for kind in kinds for name, value in vars(kind).items()
               if callable(value) or isinstance(value, (property, classmethod))]

    def undo(put=type.__setattr__):
        for update, content in changes:
            update(content)
        for kind, name, value in methods:
            put(kind, name, value)

    return undo


def limit(limits: dict) -> None:
    """Hard limits of this process and all it starts; memory is counted from what the warm process has already."""
    mapped = psutil.Process().memory_info().vms
    for name, value in ((resource.RLIMIT_AS, mapped + limits["memory"]), (resource.RLIMIT_CORE, 0),
                        (resource.RLIMIT_FSIZE, limits["disk"]), (resource.RLIMIT_NPROC, limits["processes"]),
                        (resource.RLIMIT_NOFILE, 256)):
        resource.setrlimit(name, (value, value))


def ending(child: int, limits: dict, before: int, folders: list[str]) -> bytes:
    """Why a child must end, or has ended: b"processes", b"memory" or b"died"; b"" while it may go on.

    before: the bytes that this process holds without any child, which do not count.
    """
    processes = psutil.Process().children(recursive=True)
    if len(processes) > limits["processes"]:                # before anything that takes longer the more there are
        return b"processes"
    states = map(os.statvfs, filter(os.path.ismount, folders))
    if sum(state.f_files - state.f_ffree for state in states) > FILES:
        return b"memory"
    most = limits["memory"]
    if memory_of(processes, shared=False) > most and memory_of([psutil.Process(), *processes]) - before > most:
        return b"memory"
    return b"died" if os.waitpid(child, os.WNOHANG)[0] else b""


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
