"""The sandbox around `inside.py`: started once, it runs one submission after the other and keeps nothing of them.

With bubblewrap its processes have their own user, process, network and ipc namespaces. They can read the system, the
Python environment and the two packages, except the exercises, of which only each `given.py` is there; they
can write to one folder in memory. Without it ("off") they are ordinary processes: limits of time and memory hold, but
they can reach your files and the answers.
"""
import contextlib
import functools
import json
import math
import os
import pickle
import select
import shutil
import socket
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from workbook import course

ENVIRONMENT = {
    "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "MPLBACKEND": "agg", "PYTHONHASHSEED": "0",
    "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "TORCHDYNAMO_DISABLE": "1",
}
ALONE = ("--unshare-all", "--die-with-parent", "--new-session", "--as-pid-1", "--disable-userns", "--unshare-user",
         "--uid", "65534", "--gid", "65534", "--hostname", "grading", "--cap-drop", "ALL")
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache")
SCRATCH = "/scratch"                   # where a submission runs, and may write
START, CLEAN = 120, 30                 # seconds: for the first imports on a busy machine; for a child to be gone
MEGABYTE = 1 << 20
LONGEST = 8 * MEGABYTE                 # bytes of an answer


@dataclass(frozen=True)
class Limits:
    """What one submission may use, in seconds and bytes.

    memory: beside what Python and the packages hold before it. walls: whether bubblewrap is used. user: without walls,
    the number of the one who runs it, None for oneself; only root can name another.
    """

    cell: float = 30.0
    notebook: float = 300.0
    memory: int = 2048 * MEGABYTE
    disk: int = 64 * MEGABYTE
    walls: bool = True
    user: int | None = None


class Ended(Exception):
    """Why a child ended: "timed out", "out of memory", "process died" or "unreadable"."""


class NoSandbox(RuntimeError):
    """Why the sandbox does not start."""


def obstacle() -> str:
    """Why there can be no sandbox on this machine; "" if there can."""
    try:
        trial = subprocess.run(["bwrap", *ALONE, "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev",
                                "--size", "1000", "--tmpfs", "/tmp", "true"], capture_output=True, text=True)
    except FileNotFoundError:
        return "bubblewrap (bwrap) is not installed here"
    return f"bubblewrap (bwrap) may not be used here: {trial.stderr.strip()}" if trial.returncode else ""


def mounts(disk: int) -> list[str]:
    """bubblewrap's options for what can be seen in the sandbox. A folder is mounted after those that contain it."""
    exercises = course.FOLDER / "exercises"
    hidden = [str(exercises), *_checkouts()]
    seen = {"/dev": ["--dev"], "/proc": ["--proc"]} | dict.fromkeys(hidden, ["--tmpfs"])
    seen[SCRATCH] = ["--size", str(disk), "--tmpfs"]
    for place in (*SYSTEM, sys.base_prefix, sys.prefix, *course.PACKAGES, *exercises.glob("*/given.py")):
        seen[str(place)] = ["--ro-bind-try", str(place)]
    order = sorted(seen, key=lambda place: len(Path(place).parts))
    options = [option for place in order for option in (*seen[place], place)]
    return options + [option for place in ("/", "/dev", "/proc", *hidden) for option in ("--remount-ro", place)]


def _checkouts() -> list[str]:
    """The folders of those of our packages that are not where pip puts them, among all the others."""
    installed = sysconfig.get_path("purelib"), sysconfig.get_path("platlib")
    return [*{str(package.parent): None for package in course.PACKAGES if str(package.parent) not in installed}]


class Sandbox:
    """A warm process. After `close` it is gone."""

    def __init__(self, limits: Limits = Limits()):
        self.limits, self.process = limits, None
        self.folder = tempfile.TemporaryDirectory(prefix="grade-")
        if limits.user is not None:
            os.chown(self.folder.name, limits.user, limits.user)
        self.scratch = SCRATCH if limits.walls else self.folder.name

    def start(self) -> None:
        """Start the warm process, if it does not run. NoSandbox where it does not start."""
        if self.process and self.process.poll() is None:
            return
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [sys.executable, "-sPB", "-m", "workbook.grading.inside", str(theirs.fileno()), self.scratch]
        with theirs, tempfile.TemporaryFile() as errors:
            if self.limits.walls:
                command = [shutil.which("bwrap") or "bwrap", *ALONE, *mounts(self.limits.disk),
                           "--chdir", self.scratch, *command]
            self.process = subprocess.Popen(
                command, env=ENVIRONMENT | {"PYTHONPATH": os.pathsep.join(_checkouts()), "HOME": self.scratch},
                cwd=self.folder.name, stdin=subprocess.DEVNULL, stdout=errors, stderr=errors,
                pass_fds=[theirs.fileno()], start_new_session=True,
                user=self.limits.user, group=self.limits.user, extra_groups=None if self.limits.user is None else [])
            theirs.close()
            self.control.settimeout(START)
            with contextlib.suppress(OSError):
                if self.control.recv(100) == b"ready":
                    return
            self.close()
            errors.seek(0)
            raise NoSandbox("the sandbox does not start: " + errors.read()[-2000:].decode(errors="replace").strip())

    def close(self) -> None:
        if self.process:
            self.control.close()
            self.process.kill()                               # which ends all processes in its namespace
            self.process.wait()
            self.process = None

    @contextlib.contextmanager
    def child(self, sources: Iterable[str] = (), until: float = math.inf):
        """A function that asks a child to run cells with these sources: `_ask` with a request.

        until: when the notebook's time ends, on the clock of time.monotonic(). Afterwards the child is ended and its
        files are deleted. NoSandbox where there is none.
        """
        self.start()
        text = "\n".join(sources)
        request = asdict(self.limits) | {
            "modules": [name for word, names in course.SLOW.items() if word in text for name in names]}
        ours, theirs = socket.socketpair()
        try:
            socket.send_fds(self.control, [json.dumps(request).encode()], [theirs.fileno()])
            theirs.close()
            self.control.settimeout(START)
            if self.control.recv(100) != b"forking":
                raise NoSandbox("the sandbox ended by itself")
            with ours:
                yield functools.partial(self._ask, ours, until)
        finally:
            try:                                              # the warm process ends the child and deletes its files
                self.control.settimeout(CLEAN)
                self.control.send(b"end")
                while (answer := self.control.recv(100)) != b"clean":       # another answer: why the child ended
                    if not answer:
                        raise OSError
            except OSError:                                   # or is ended, too
                self.close()

    def _ask(self, channel: socket.socket, until: float, request: dict) -> bytes:
        """Send a request and return the answer, unread. Raises Ended."""
        answer, until = b"", min(until, time.monotonic() + self.limits.cell)
        try:
            channel.settimeout(max(until - time.monotonic(), 0.001))
            channel.sendall(pickle.dumps(request))
            while not answer.endswith(b"\n"):
                channel.settimeout(max(until - time.monotonic(), 0.001))
                if not (part := channel.recv(MEGABYTE)):
                    raise ConnectionResetError
                answer += part
                if len(answer) > LONGEST:
                    raise Ended("unreadable")
        except TimeoutError:
            raise Ended("timed out") from None
        except (BrokenPipeError, ConnectionResetError):
            killed, *_ = select.select([self.control], [], [], 0)       # if the warm process did that, it says why
            raise Ended(killed and self.control.recv(100).decode() or "process died") from None
        return answer
