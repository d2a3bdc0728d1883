"""Peak resident memory of this process, in bytes."""
import re
import sys
from pathlib import Path


def peak_memory() -> int:
    """The most that was resident since this program started. On Linux not from getrusage, which counts the peak of the
    parent process too.
    """
    if (status := Path("/proc/self/status")).exists():
        return int(re.search(r"VmHWM:\s+(\d+) kB", status.read_text())[1]) * 1024
    import resource                                         # not on Windows

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
