"""The sandbox around `inside.py`: started once, it runs one submission after the other and keeps nothing of any.

With bubblewrap the processes in it have their own user, process, network and ipc namespaces. They see the Python
environment (read-only), the guest's copy of the course (`guest`), and a scratch folder in memory. Without it (`off`)
they are ordinary processes: limits of time, memory and output hold, but nothing keeps them from your files.
"""
import contextlib
import json
import os
import secrets
import selectors
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from workbook.course import Course
from workbook.grading import guest, inside

ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "MPLBACKEND": "agg", "PYTHONHASHSEED": "0",
               **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")}
START = 120                            # seconds for the imports of the first start, on a busy machine
MEGABYTE = 1 << 20
WRITABLE = ("/scratch", "/tmp", "/dev/shm")
FRAME = 8 * MEGABYTE                  # the longest message that is read


@dataclass(frozen=True)
class Limits:
    """What one submission may use. Seconds and bytes."""

    cell: float = 30.0
    notebook: float = 300.0
    memory: int = 2048 * MEGABYTE
    output: int = MEGABYTE
    disk: int = 64 * MEGABYTE
    processes: int = 32


SAID = {b"memory": "out of memory", b"processes": "too many processes"}


class Ended(Exception):
    """What ended a child: timed out, out of memory, too many processes, process died, output flood, unreadable."""


class NoSandbox(RuntimeError):
    """The sandbox does not start, and what it said."""


class Sandbox:
    """A warm process behind walls. After `close` it is gone."""

    def __init__(self, course: Course, walls: bool = True, limits: Limits = Limits()):
        self.course, self.walls, self.limits, self.process = course, walls, limits, None
        self.folder = tempfile.TemporaryDirectory(prefix="grade-")
        self.copy = Path(self.folder.name) / "guest"
        guest.write(self.copy, course)
        (Path(self.folder.name) / "scratch").mkdir()

    def start(self) -> None:
        """Start the warm process, if it does not run. NoSandbox where it does not start."""
        if self.process and self.process.poll() is None:
            return
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.said = tempfile.TemporaryFile()
        with theirs:
            self.process = subprocess.Popen(
                [*self._wrapped(), sys.executable, "-sPB", f"{self._seen('guest')}/inside.py", str(theirs.fileno()),
                 self.course.package, *(WRITABLE if self.walls else [self._seen("scratch")])],
                env=ENVIRONMENT | {"PYTHONPATH": self._seen("guest"), "HOME": self._seen("scratch")},
                cwd=self.folder.name, stdin=subprocess.DEVNULL, stdout=self.said, stderr=self.said,
                pass_fds=[theirs.fileno()], start_new_session=True)
        self.control.settimeout(START)
        with contextlib.suppress(OSError):
            if self.control.recv(100) == b"ready":
                return
        self.close()
        self.said.seek(0)
        raise NoSandbox(f"the sandbox does not start: {self.said.read()[-2000:].decode(errors='replace').strip()}")

    def close(self) -> None:
        if self.process:
            self.control.close()                              # it ends by itself, and all in its namespace with it
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process = None

    def _seen(self, name: str) -> str:
        return f"/{name}" if self.walls else str(Path(self.folder.name) / name)

    def _wrapped(self) -> list[str]:
        """bubblewrap's command line; nothing without walls."""
        if not self.walls:
            return []
        command = [shutil.which("bwrap") or "bwrap", "--unshare-all", "--die-with-parent", "--new-session",
                   "--as-pid-1", "--disable-userns", "--unshare-user", "--uid", "65534",
                   "--gid", "65534", "--hostname", "grading", "--cap-drop", "ALL"]
        for folder in ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"):
            if os.path.islink(folder):
                command += ["--symlink", os.readlink(folder), folder]
            elif os.path.isdir(folder):
                command += ["--ro-bind", folder, folder]
        command += ["--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache", "--dev", "/dev"]
        for folder in WRITABLE:                             # before the environment, which may lie below one of them
            command += ["--size", str(self.limits.disk), "--tmpfs", folder]
        for prefix in dict.fromkeys((sys.base_prefix, sys.prefix)):
            if not prefix.startswith("/usr/"):
                command += ["--ro-bind", prefix, prefix]
        for own in (self.course.folder, guest.CHECKED.parent):
            if own.is_relative_to(sys.prefix):
                command += ["--tmpfs", str(own)]                # an installed course has the oracles in it
        return [*command, "--proc", "/proc", "--remount-ro", "/proc", "--ro-bind", str(self.copy), "/guest",
                "--remount-ro", "/", "--chdir", "/scratch"]

    @contextlib.contextmanager
    def child(self, sources: Iterable[str] = ()):
        """A Child, forked from the warm process. When done with, it and all that it left behind are gone.

        sources: the texts of the cells that will be run. NoSandbox where no child comes to be.
        """
        self.start()
        text = "\n".join(sources)
        ours, theirs = socket.socketpair()
        read, write = os.pipe()
        limits = {name: getattr(self.limits, name) for name in ("memory", "disk", "processes")} | {
            "scratch": self._seen("scratch"),
            "modules": [name for word, names in self.course.slow.items() if word in text for name in names]}
        socket.send_fds(self.control, [json.dumps(limits).encode()], [theirs.fileno(), write])
        theirs.close()
        os.close(write)
        try:
            self.control.settimeout(START)
            if self.control.recv(100) != b"forking":
                raise NoSandbox("the sandbox ended by itself")
            with ours:
                yield Child(ours, read, self.control, self.limits)
        finally:
            os.close(read)
            self._clear()

    def _clear(self) -> None:
        """Have the warm process kill and wipe; if it does not answer, the next child gets a new one."""
        try:
            self.control.settimeout(30)
            self.control.send(b"end")
            while (said := self.control.recv(100)) != b"clean":
                if not said:
                    raise OSError
        except OSError:
            self.process.kill()
            self.close()


class Child:
    """The process that runs one submission, seen from outside."""

    def __init__(self, channel, output, control, limits: Limits):
        self.channel, self.output, self.control, self.limits = channel, output, control, limits
        self.printed = 0
        channel.setblocking(False)
        os.set_blocking(output, False)

    def ask(self, cell: dict, until: float) -> bytes:
        """Send a cell, and return what it came to: bytes, unread; or Ended. until: on time.monotonic()'s clock."""
        ticket = secrets.token_bytes(inside.TICKET)
        data = ticket + json.dumps(cell).encode()
        unsent, came, size = memoryview(struct.pack("!I", len(data)) + data), bytearray(), None
        with selectors.DefaultSelector() as selector:
            selector.register(self.channel, selectors.EVENT_READ | selectors.EVENT_WRITE)
            selector.register(self.output, selectors.EVENT_READ)
            selector.register(self.control, selectors.EVENT_READ)
            while size is None or len(came) < size:
                left = min(until, time.monotonic() + 1) - time.monotonic()
                for key, events in selector.select(max(left, 0)):
                    if key.fileobj == self.output:
                        self._drain(selector)
                    elif key.fileobj is self.control:
                        said = self.control.recv(100)
                        raise Ended(SAID.get(said, "process died"))
                    elif events & selectors.EVENT_WRITE:
                        with contextlib.suppress(BlockingIOError, BrokenPipeError, ConnectionResetError):
                            unsent = unsent[self.channel.send(unsent):]
                        if not unsent:
                            selector.modify(self.channel, selectors.EVENT_READ)
                    else:
                        with contextlib.suppress(BlockingIOError, ConnectionResetError):
                            part = self.channel.recv(1 << 20)
                            if not part:
                                selector.unregister(self.channel)       # the warm process says what became of it
                            came += part
                        if size is None and len(came) >= 4:
                            size, = struct.unpack_from("!I", came)
                            del came[:4]
                            if size > FRAME:
                                raise Ended("unreadable")
                if time.monotonic() >= until:
                    raise Ended("timed out")
        if came[:inside.TICKET] != ticket:                      # written by somebody else than `inside.work`
            raise Ended("unreadable")
        return bytes(came[inside.TICKET:size])

    def _drain(self, selector) -> None:
        part = os.read(self.output, 1 << 16)
        self.printed += len(part)
        if not part:
            selector.unregister(self.output)
        elif self.printed > self.limits.output:
            raise Ended("output flood")
