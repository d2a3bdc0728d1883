"""Which calls to the system are refused in the sandbox, by name. libseccomp makes of them what bubblewrap loads.

Namespaces keep a submission away from files, from networks and from the processes of others, and rlimits bound what
one process takes. These calls go around both: memory that belongs to no process is counted nowhere, keys and queues
outlive the process that made them, and any process of a user may change limits and priorities of that user's others,
the warm process among them.
"""
import ctypes
import struct
from typing import BinaryIO

LIBRARY = "libseccomp.so.2"                 # on every Debian and Ubuntu, as apt needs it
REFUSED = (
    "memfd_create", "memfd_secret", "shmget", "semget", "msgget", "mq_open",
    "add_key", "request_key", "keyctl",
    "setpriority", "ioprio_set",
    "sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr",
)
OTHERS_LIMITS = "prlimit64"                 # refused unless its first argument is 0, the process itself
NOT_ITSELF = struct.pack("IiQQ", 0, 1, 0, 0)            # libseccomp's scmp_arg_cmp: argument 0 is not equal to 0
ALLOW, REFUSE = 0x7FFF0000, 0x00050001      # SCMP_ACT_ALLOW and SCMP_ACT_ERRNO(EPERM)


class NoSandbox(RuntimeError):
    """The sandbox does not start, and why."""


def write_filter(file: BinaryIO) -> None:
    """Write the filter for bubblewrap's --seccomp to an open file. NoSandbox where libseccomp is missing or too old."""
    try:
        library = ctypes.CDLL(LIBRARY)
    except OSError:
        raise NoSandbox(f"{LIBRARY} is not installed here (Debian, Ubuntu: apt install libseccomp2)") from None
    library.seccomp_init.restype = ctypes.c_void_p
    rules = ctypes.c_void_p(library.seccomp_init(ALLOW))
    try:
        for name in (*REFUSED, OTHERS_LIMITS):
            number = library.seccomp_syscall_resolve_name(name.encode())
            if library.seccomp_rule_add_array(rules, REFUSE, number, name == OTHERS_LIMITS, NOT_ITSELF):
                raise NoSandbox(f"{LIBRARY} does not know {name}: a newer one is needed")
        if library.seccomp_export_bpf(rules, file.fileno()):
            raise NoSandbox(f"{LIBRARY} cannot write the filter")
    finally:
        library.seccomp_release(rules)
    file.seek(0)
