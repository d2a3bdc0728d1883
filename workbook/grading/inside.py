"""What runs in the sandbox: a warm process that forks a child for each notebook. It imports nothing that judges.

The warm process (`serve`) is the first of its process namespace: nothing in there can kill it or read its memory, and
it never sees a submission. A child gets one socket. On it come the cells and the problems of the checks, and plain
answers go back. Whatever a child sends is a stranger's word: `workbook.grading.wire` reads it outside.
"""
import contextlib
import ctypes
import gc
import importlib
import json
import os
import platform
import re
import resource
import select
import shutil
import signal
import socket
import struct
import sys
import time
import types

WARM = ("numpy", "numpy.random", "array_api_compat.numpy", "IPython.core.interactiveshell", "workbook.checks.run")
TICKET = 16                              # bytes before each message, the same for question and answer
BEAT = 0.05                              # seconds between two looks at memory, processes, files; fewer near a limit
FASTEST = 16 << 30                       # bytes a second that all processes of a child together can fill
FILES = 20_000                           # in a folder that lies in memory: empty ones take memory, too
# By machine: its number in a filter, that of prlimit64, and those of shmget, semget, msgget, mq_open, add_key,
# request_key, keyctl, memfd_create, memfd_secret, setpriority, ioprio_set, sched_set(affinity, scheduler, param, attr).
CALLS = {"x86_64": (0xC000003E, 302, (29, 64, 68, 240, 248, 249, 250, 319, 447, 141, 251, 203, 144, 142, 314)),
         "aarch64": (0xC00000B7, 261, (194, 190, 186, 180, 217, 218, 219, 279, 447, 140, 30, 122, 119, 118, 274))}


def serve(control: socket.socket, course: str, folders: list[str]) -> None:
    """Fork a child for each "fork" on the control socket, kill and wipe for each "end"; until the socket closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)            # the one signal of a child that would reach it
    ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)                  # PR_SET_DUMPABLE: no child may trace this process
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)                 # PR_SET_CHILD_SUBREAPER: what they leave behind comes here
    there = {folder: set(os.listdir(folder)) for folder in folders}       # the environment may lie below /tmp
    shell = warm(course)
    clear(there)
    limits, child, beat, undo, born = {}, None, BEAT, None, 0
    control.send(b"ready")
    while True:
        ready, _, _ = select.select([control], [], [], beat if child else None)
        if ready:
            message, received, _, _ = socket.recv_fds(control, 4096, 2)
            if not message:
                kill_all()
                os._exit(0)                                 # the interpreter's own end takes half a second
            if message == b"end":
                clear(there)
                child = None
                control.send(b"clean")
                continue
            limits = json.loads(message)
            if load(limits["modules"]) or not undo:
                undo, born = undoing(course), held(os.getpid())
            control.send(b"forking")
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
            found, ended = below(), b""
            if len(found) > limits["processes"]:            # before anything that takes longer the more there are
                ended = b"processes"
            else:
                files, stored = filled(folders)
                room = limits["memory"] - stored
                room -= taken(found, born)
                beat = min(max(room / FASTEST, 0.001), BEAT / max(len(found), 1))
                ended = b"memory" * (files > FILES or room < 0)
            if ended:
                kill_all()
                control.send(ended)
                child = None
            elif os.waitpid(child, os.WNOHANG)[0]:
                control.send(b"died")
                child = None


def warm(course: str):
    """Everything slow that any notebook needs is imported before the first fork; no thread may run yet."""
    load((*WARM, course, f"{course}.lesson", f"{course}.exercises"))
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


def work(channel, output: int, limits: dict, shell, undo) -> None:
    """The child: run each cell that comes, or check a function, and send what it came to; until nothing comes."""
    from workbook.checks import quiet, run
    from workbook.checks.answer import Answer

    quiet.Heard.beyond = os.fdopen(os.dup(output), "w", errors="replace")        # so that a flood is seen outside
    keep_count(run.Watch, run, quiet)
    run, dumps = run.run, json.dumps
    ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)                  # unlike the warm process it may be looked at (`own`)
    os.setsid()
    quiet = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((quiet, 0), (output, 1), (output, 2)):
        os.dup2(source, target)
    os.environ["HOME"] = os.environ["TMPDIR"] = limits["scratch"]
    os.chdir(limits["scratch"])
    signal.signal(signal.SIGINT, signal.default_int_handler)
    limit(limits)
    forbid()
    run_cell, space = type(shell).run_cell, shell.user_ns
    while True:
        ticket, cell = receive(channel)
        if "source" in cell:
            try:
                result = run_cell(shell, cell["source"], store_history=False)
                error = result.error_before_exec or result.error_in_exec
            except BaseException as raised:
                error = raised
            if cell["undo"]:
                undo()
            send(channel, ticket, {"error": error and [type(error).__name__[:100], text_of(error)]}, dumps)
            continue
        item = types.SimpleNamespace(**cell["item"])
        item.given = {name: getattr(importlib.import_module(module), maker)
                      for name, (module, maker) in item.given.items()}
        problems = [types.SimpleNamespace(inputs={name: made(x) for name, x in problem.items()})
                    for problem in cell["problems"]]
        try:
            answers = run(item, space.get(cell["function"]), problems)
        except BaseException as raised:                     # KeyboardInterrupt, or an object that lies about itself
            error = {"type": type(raised).__name__[:100], "message": text_of(raised)}
            answers = [Answer(error=error)] * len(problems)
        undo()
        send(channel, ticket, {"answers": [answer.to_dict() for answer in answers]}, dumps)


def keep_count(watch: type, *modules) -> None:
    """From now on nobody but these modules can end a watch's count of steps, which would hide loops from it."""
    ours = {id(vars(module)) for module in modules}

    def heard(event, _):
        if event == "sys.settrace" and isinstance(sys.gettrace(), watch) and id(sys._getframe(1).f_globals) not in ours:
            raise RuntimeError("sys.settrace is not for answers: it is how steps in Python are counted")

    sys.addaudithook(heard)


def undoing(course: str):
    """A function that puts back what a cell may have patched: what stands in modules, and how JSON is written.

    It calls nothing that can be patched itself.
    """
    patchable = re.compile(rf"({'|'.join(sys.stdlib_module_names)}|numpy|workbook|{course})(\..*)?|torch(\.\w+)?")
    modules = [(name, module) for name, module in sys.modules.items() if isinstance(module, types.ModuleType)]
    changes = [(sys.modules.update, dict(modules))]
    changes += [(vars(module).update, dict(vars(module))) for name, module in modules
                if patchable.fullmatch(name)]
    checks = (module for name, module in modules if name.startswith("workbook.checks."))
    kinds = {kind for module in checks for kind in vars(module).values() if isinstance(kind, type)}
    methods = [(kind, name, value) for kind in (json.JSONEncoder, json.JSONDecoder, *kinds)
               if kind.__module__.startswith(("json", "workbook")) for name, value in vars(kind).items()
               if callable(value) or isinstance(value, (property, classmethod))]

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


def forbid() -> None:
    """Refuse this process what would reach the warm one, or outlive its child: limits and priorities of others, keys,
    and memory that belongs to no process. Nothing is refused on a machine that is not in CALLS."""
    if platform.machine() not in CALLS:
        return
    machine, prlimit, numbers = CALLS[platform.machine()]
    load, equal, at_least, answer, refuse = 0x20, 0x15, 0x35, 0x06, (0x06, 0, 0, 0x00050001)              # EPERM
    rows = [(load, 0, 0, 4), (equal, 1, 0, machine), refuse, (load, 0, 0, 0), (at_least, 0, 1, 1 << 30), refuse]
    for number in numbers:
        rows += [(equal, 0, 1, number), refuse]
    rows += [(equal, 0, 3, prlimit), (load, 0, 0, 16), (equal, 1, 0, 0), refuse, (answer, 0, 0, 0x7FFF0000)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *row) for row in rows))
    program = struct.pack("HP", len(rows), ctypes.addressof(code))
    prctl = ctypes.CDLL(None).prctl
    prctl(38, 1, 0, 0, 0)                                   # PR_SET_NO_NEW_PRIVS
    prctl(22, 2, program, 0, 0)                             # PR_SET_SECCOMP


def below() -> set[int]:
    """The processes that descend from this one."""
    parents = {}
    for name in filter(str.isdecimal, os.listdir("/proc")):
        with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{name}/stat") as file:
            parents[int(name)] = int(file.read().rpartition(")")[2].split()[1])
    found, new = set(), {os.getpid()}
    while new:
        new = {pid for pid, parent in parents.items() if parent in new} - found
        found |= new
    return found


def taken(found: set[int], born: int) -> int:
    """Bytes that these processes hold: what the first was born with, and of each what is new or was written over.

    The latter by its page faults. The exact figure would have to wait for processes that fork.
    """
    total = born
    for pid in found:
        new = max(held(pid) - born, 0)
        total += new + min(max(faults(pid) * resource.getpagesize() - new, 0), born)
    return total


def faults(pid: int) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/stat") as file:
        return int(file.read().rpartition(")")[2].split()[7])
    return 0


def held(pid: int) -> int:
    """Bytes that a process holds, with all that it has in common with others."""
    return added(f"/proc/{pid}/status", "RssAnon:", "RssShmem:")


def own(pid: int) -> int:
    """Bytes that a process holds, its share of what it has in common with others counted once: exact, and slower."""
    return added(f"/proc/{pid}/smaps_rollup", "Pss_Anon:", "Pss_Shmem:")


def added(path: str, *names: str) -> int:
    with contextlib.suppress(OSError, ValueError), open(path) as file:
        return sum(int(line.split()[1]) << 10 for line in file if line.startswith(names))
    return 0


def filled(folders: list[str]) -> tuple[int, int]:
    """How many files are in those of the folders that lie in memory, and their bytes."""
    states = [*map(os.statvfs, filter(os.path.ismount, folders))]
    return (sum(state.f_files - state.f_ffree for state in states),
            sum((state.f_blocks - state.f_bfree) * state.f_frsize for state in states))


def kill_all() -> None:
    """Kill and reap every process that descends from this one."""
    while left := below():
        for pid in [-1] if os.getpid() == 1 else left:      # all in a namespace of its own, so that none can fork away
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(0.001)


def clear(there: dict[str, set[str]]) -> None:
    """Leave no process and no file of the last submission. there: by folder, what was in it before the first.

    OSError or RecursionError where a file stays: this process ends with it, and the next one gets fresh folders.
    """
    kill_all()
    for folder, names in there.items():
        for entry in os.scandir(folder):
            if entry.name not in names:
                is_folder = entry.is_dir(follow_symlinks=False)
                shutil.rmtree(entry.path) if is_folder else os.unlink(entry)


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
    """An input of a problem, as `workbook.grading.wire.problems` described it."""
    import numpy as np
    from workbook.checks.values import Value

    value = Value.from_dict(stored["value"])
    if stored["as"] == "plain":
        return value.data.item() if value.numeric else value.plain()
    array = np.asarray(value.data.astype(value.dtype))
    return array if stored["as"] == "array" else array[()]


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])), sys.argv[2], sys.argv[3:])
