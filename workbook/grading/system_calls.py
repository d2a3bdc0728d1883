"""Which calls to the system are refused in the sandbox, by name. libseccomp makes of them what bubblewrap loads.

Namespaces keep a submission away from files, from networks and from the processes of others, and rlimits bound what
one process takes. These calls go around both: memory that belongs to no process is counted nowhere, keys and queues
outlive the process that made them, and any process of a user may change limits and priorities of that user's others,
the warm process among them.
"""
import ctypes
import tempfile
from typing import BinaryIO

LIBRARY = "libseccomp.so.2"                 # on every Debian and Ubuntu, as apt needs it
REFUSED = (
    "memfd_create", "memfd_secret", "shmget", "semget", "msgget", "mq_open",
    "add_key", "request_key", "keyctl",
    "setpriority", "ioprio_set",
    "sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr",
)
OTHERS_LIMITS = "prlimit64"                 # refused unless its first argument is 0, the process itself
ALLOW, REFUSE = 0x7FFF0000, 0x00050001      # SCMP_ACT_ALLOW and SCMP_ACT_ERRNO(EPERM)
NOT_EQUAL = 1                               # SCMP_CMP_NE


class NoFilter(RuntimeError):
    """No filter can be made here, and why."""


class Comparison(ctypes.Structure):
    """libseccomp's `struct scmp_arg_cmp`."""

    _fields_ = [("argument", ctypes.c_uint), ("operator", ctypes.c_int),
                ("first", ctypes.c_uint64), ("second", ctypes.c_uint64)]


def program() -> BinaryIO:
    """An open file with the filter, for bubblewrap's --seccomp. NoFilter where libseccomp is missing or too old."""
    try:
        library = ctypes.CDLL(LIBRARY)
    except OSError:
        raise NoFilter(f"{LIBRARY} is not installed here (Debian, Ubuntu: apt install libseccomp2)") from None
    library.seccomp_init.restype = ctypes.c_void_p
    rules = ctypes.c_void_p(library.seccomp_init(ALLOW))
    file = tempfile.TemporaryFile()
    try:
        for name in (*REFUSED, OTHERS_LIMITS):
            number = library.seccomp_syscall_resolve_name(name.encode())
            conditions = [Comparison(0, NOT_EQUAL, 0)] if name == OTHERS_LIMITS else []
            array = (Comparison * len(conditions))(*conditions)
            if library.seccomp_rule_add_array(rules, REFUSE, number, len(array), array):
                raise NoFilter(f"{LIBRARY} does not know {name}: a newer one is needed")
        if library.seccomp_export_bpf(rules, file.fileno()):
            raise NoFilter(f"{LIBRARY} cannot write the filter")
    finally:
        library.seccomp_release(rules)
    file.seek(0)
    return file
