"""Peak resident memory of this process, in bytes."""
import re
import sys
from pathlib import Path


def peak_memory() -> int:
    """The most that was ever resident since this program started.

    Not getrusage on Linux: there the peak of the parent that started the process is counted too.
    """
    status = Path("/proc/self/status")
    if status.exists():
        return int(re.search(r"VmHWM:\s+(\d+) kB", status.read_text()).group(1)) * 1024
    import resource  # not on Windows

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
