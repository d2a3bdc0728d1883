"""Which calls to the system are refused to a submission, by name. libseccomp makes a filter of them.

Namespaces keep a submission away from files, from networks and from the processes of others, and rlimits bound what
one process takes. So a submission is one process: it may start threads, but no other process. The other calls go around
the walls: memory that belongs to no process is counted nowhere, keys and queues outlive the process that made them, and
any process of a user may change limits and priorities of that user's others, the warm process among them.
"""
import ctypes
import struct
from collections.abc import Callable
from errno import ENOSYS, EPERM

LIBRARY = "libseccomp.so.2"                 # on every Debian and Ubuntu, as apt needs it
REFUSED = (
    "fork", "vfork", "memfd_create", "memfd_secret", "shmget", "semget", "msgget", "mq_open",
    "add_key", "request_key", "keyctl",
    "setpriority", "ioprio_set",
    "sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr",
)
CLONE_THREAD = 0x00010000
ALLOW, REFUSE = 0x7FFF0000, 0x00050000      # SCMP_ACT_ALLOW; SCMP_ACT_ERRNO, plus a number of errno
ANY, NOT_EQUAL, MASKED = 0, 1, 7            # how libseccomp's scmp_arg_cmp compares
RULES = [                                   # (name, number of errno, (how the first argument is compared, with what))
    *((name, EPERM, (ANY, 0, 0)) for name in REFUSED),
    ("prlimit64", EPERM, (NOT_EQUAL, 0, 0)),                        # of any process but itself
    ("clone", EPERM, (MASKED, CLONE_THREAD, 0)),
    ("clone3", ENOSYS, (ANY, 0, 0)),                                # its flags cannot be seen; then clone is tried
]


def filter_of_calls() -> Callable[[], None]:
    """A function that refuses these calls to its process for good. OSError without libseccomp, SystemExit if old."""
    library = ctypes.CDLL(LIBRARY)
    library.seccomp_init.restype = ctypes.c_void_p
    rules = ctypes.c_void_p(library.seccomp_init(ALLOW))
    for name, error, comparison in RULES:
        number = library.seccomp_syscall_resolve_name(name.encode())
        first = struct.pack("IiQQ", 0, *comparison)
        if library.seccomp_rule_add_array(rules, REFUSE + error, number, comparison[0] != ANY, first):
            raise SystemExit(f"{LIBRARY} does not know the system call {name}: a newer version is needed")

    def refuse() -> None:
        if library.seccomp_load(rules):
            raise OSError(f"{LIBRARY} cannot load the filter")

    return refuse
