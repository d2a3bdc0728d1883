"""What runs in the sandbox: a warm process that forks a child for each notebook. It imports nothing that judges.

The warm process (`serve`) is the first of its process namespace: nothing in there can kill it or read its memory, and
it never sees a submission. A child gets one socket. On it come the cells and the problems of the checks, and plain
answers go back. Whatever a child sends is a stranger's word: `nwlab.grading.wire` reads it outside.
"""
import contextlib
import ctypes
import importlib
import json
import os
import resource
import select
import shutil
import signal
import socket
import struct
import sys
import time
import types

WARM = ("numpy", "torch", "torch.nn.functional", "matplotlib.pyplot", "IPython.core.interactiveshell", "nwlab",
        "nwlab.attention", "nwlab.training", "nwlab.checks.run", "nwlab.lesson", "nwlab.exercises")
PATCHABLE = ("builtins", "json", "math", "copy", "inspect", "linecache", "traceback", "numpy", "torch", "nwlab")
TICKET = 16                              # bytes before each message, the same for question and answer
BEAT = 0.05                              # seconds between two looks at memory and processes


def serve(control: socket.socket) -> None:
    """Fork a child for each "fork" on the control socket, kill and wipe for each "end"; until the socket closes."""
    ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)                  # PR_SET_DUMPABLE: no child may trace this process
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)                 # PR_SET_CHILD_SUBREAPER: what they leave behind comes here
    shell = warm()
    undo = undoing()
    limits, child = {}, None
    control.send(b"ready")
    while True:
        ready, _, _ = select.select([control], [], [], BEAT if child else None)
        if ready:
            message, received, _, _ = socket.recv_fds(control, 4096, 2)
            if not message:
                return
            if message == b"end":
                clear(limits.get("wipe", ()))
                child = None
                control.send(b"clean")
                continue
            limits = json.loads(message)
            child = os.fork()
            if not child:
                control.close()
                try:
                    work(socket.socket(fileno=received[0]), received[1], limits, shell, undo)
                finally:
                    os._exit(0)
            for number in received:
                os.close(number)
        elif child:
            held = below()
            memory = sum(held.values()) > limits["memory"] and sum(map(own, held)) > limits["memory"]
            if memory or len(held) > limits["processes"]:
                kill_all()
                control.send(b"memory" if memory else b"processes")
                child = None
            elif os.waitpid(child, os.WNOHANG)[0]:
                control.send(b"died")
                child = None


def warm():
    """Everything slow is imported before the first fork; no thread may run yet."""
    for name in WARM:
        importlib.import_module(name)
    import torch
    from IPython.core.history import HistoryManager
    from IPython.core.interactiveshell import InteractiveShell

    torch.set_num_threads(1)
    HistoryManager.enabled = False
    shell = InteractiveShell.instance(colors="NoColor")
    shell.showtraceback = shell.showsyntaxerror = lambda *_, **__: None      # nobody reads them here
    return shell


def work(channel, output: int, limits: dict, shell, undo) -> None:
    """The child: run each cell that comes, or check a function, and send what it came to; until nothing comes."""
    from nwlab.checks import quiet, run

    quiet.Heard.beyond = os.fdopen(os.dup(output), "w", errors="replace")        # so that a flood is seen outside
    run, dumps = run.run, json.dumps
    ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)                  # unlike the warm process it may be looked at (`own`)
    os.setsid()
    quiet = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((quiet, 0), (output, 1), (output, 2)):
        os.dup2(source, target)
    os.environ["HOME"] = os.environ["TMPDIR"] = limits["scratch"]
    os.chdir(limits["scratch"])
    limit(limits)
    run_cell = type(shell).run_cell
    while True:
        ticket, cell = receive(channel)
        if "source" in cell:
            try:
                result = run_cell(shell, cell["source"], store_history=False)
                error = result.error_before_exec or result.error_in_exec
            except BaseException as raised:
                error = raised
            undo()
            send(channel, ticket, {"error": error and [type(error).__name__[:100], text_of(error)]}, dumps)
            continue
        item = types.SimpleNamespace(**cell["item"])
        item.given = {name: getattr(importlib.import_module(module), maker)
                      for name, (module, maker) in item.given.items()}
        problems = [types.SimpleNamespace(inputs={name: made(x) for name, x in problem.items()})
                    for problem in cell["problems"]]
        answers = run(item, shell.user_ns.get(cell["function"]), problems)
        undo()
        send(channel, ticket, {"answers": [answer.to_dict() for answer in answers]}, dumps)


def undoing():
    """A function that puts back what a cell may have patched: what stands in modules, and how JSON is written.

    It calls nothing that can be patched itself.
    """
    modules = [(name, module) for name, module in sys.modules.items() if isinstance(module, types.ModuleType)]
    changes = [(sys.modules.update, dict(modules))]
    changes += [(vars(module).update, dict(vars(module))) for name, module in modules
                if name.partition(".")[0] in PATCHABLE]
    methods = [(kind, name, value) for kind in (json.JSONEncoder, json.JSONDecoder)
               for name, value in vars(kind).items() if callable(value)]

    def undo(put=type.__setattr__):
        for update, content in changes:
            update(content)
        for kind, name, value in methods:
            put(kind, name, value)

    return undo


def text_of(error: BaseException) -> str:
    try:
        return str(error)[:400]
    except BaseException:
        return ""


def limit(limits: dict) -> None:
    """Hard limits of this process and all it starts; memory is counted from what a warm process has already."""
    with open("/proc/self/statm") as file:
        mapped = int(file.read().split()[0]) * resource.getpagesize()
    for name, value in ((resource.RLIMIT_AS, mapped + limits["memory"]), (resource.RLIMIT_CORE, 0),
                        (resource.RLIMIT_FSIZE, limits["disk"]), (resource.RLIMIT_NPROC, limits["processes"]),
                        (resource.RLIMIT_NOFILE, 256)):
        resource.setrlimit(name, (value, value))


def below() -> dict[int, int]:
    """The processes that descend from this one, {pid: bytes each holds for itself}."""
    parents, memory = {}, {}
    for name in filter(str.isdecimal, os.listdir("/proc")):
        with contextlib.suppress(OSError, ValueError, IndexError):
            with open(f"/proc/{name}/stat") as file:
                parents[int(name)] = int(file.read().rpartition(")")[2].split()[1])
            with open(f"/proc/{name}/statm") as file:
                _, resident, shared, *_ = map(int, file.read().split())
                memory[int(name)] = (resident - shared) * resource.getpagesize()
    found, new = set(), {os.getpid()}
    while new:
        new = {pid for pid, parent in parents.items() if parent in new} - found
        found |= new
    return {pid: memory.get(pid, 0) for pid in found}


def own(pid: int) -> int:
    """Bytes that a process holds, its share of what it has in common with others counted once: exact, and slower."""
    with contextlib.suppress(OSError, ValueError), open(f"/proc/{pid}/smaps_rollup") as file:
        return sum(int(line.split()[1]) << 10 for line in file if line.startswith(("Pss_Anon:", "Pss_Shmem:")))
    return 0


def kill_all() -> None:
    """Kill and reap every process that descends from this one."""
    while left := below():
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(0.001)


def clear(folders: list[str]) -> None:
    """Leave no process and no file of the last submission."""
    kill_all()
    for folder in folders:
        for entry in os.scandir(folder):
            shutil.rmtree(entry.path, ignore_errors=True) if entry.is_dir(follow_symlinks=False) else os.unlink(entry)


def send(channel, ticket: bytes, message: dict, dumps) -> None:
    data = ticket + dumps(message).encode()
    channel.sendall(struct.pack("!I", len(data)) + data)


def receive(channel) -> tuple[bytes, dict]:
    """A request: its ticket, which the answer has to show, and what is asked."""
    size, = struct.unpack("!I", exactly(channel, 4))
    data = exactly(channel, size)
    return data[:TICKET], json.loads(data[TICKET:])


def exactly(channel, size: int) -> bytes:
    data = b""
    while len(data) < size:
        part = channel.recv(min(size - len(data), 1 << 20))
        if not part:
            raise EOFError
        data += part
    return data


def made(stored: dict):
    """An input of a problem, as `nwlab.grading.wire.problems` described it."""
    import numpy as np
    from nwlab.checks.values import Value

    value = Value.from_dict(stored["value"])
    if stored["as"] == "plain":
        return value.data.item() if value.numeric else value.plain()
    array = np.asarray(value.data.astype(value.dtype))
    return array if stored["as"] == "array" else array[()]


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
