"""What a job has used, as the kernel tells its supervisor, who sees it in `/proc`.

Standard library only, loaded as `inside` without the rest of jupyter_mcpgen.
"""

from __future__ import annotations

import os
import resource
import time

from .job_report import JobEnded

_IS_EXITING = 0x4
_MOST_TOLD = 16384
_PEAK = b"\nVmHWM:"
_CPU_CLOCK_OF_PROCESS = 2


def is_exiting(job: int, processes: int) -> bool:
    """Return whether the kernel closed the result because the job dies, and not the job because it is done."""
    fields = _read(f"{job}/stat", processes).rpartition(b")")[2].split()
    return bool(int(fields[6]) & _IS_EXITING)


def of_the_living(job: int, processes: int) -> JobEnded | None:
    """Return what a job that is done has used; `None` where only its end would tell."""
    try:
        # The job chose its own name, which stands there as well, but on one line: the kernel spells out its ends.
        _, _, told = _read(f"{job}/status", processes).partition(_PEAK)
        seconds = time.clock_gettime((~job << 3) | _CPU_CLOCK_OF_PROCESS)
        peak = int(told.split(None, 1)[0]) * 1024
        return JobEnded(0, False, seconds, peak, *_bytes_moved(job, processes))
    except (OSError, LookupError, ValueError):
        return None


def of_the_dead(job: int, processes: int, *, was_done: bool) -> JobEnded:
    """Wait for the end of a job, bury it, and return how it ended and what it has used."""
    os.waitid(os.P_PID, job, os.WEXITED | os.WNOWAIT)
    moved = _bytes_moved(job, processes)
    _, status, usage = os.wait4(job, 0)
    seconds, peak = usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024
    return JobEnded(0 if was_done else status, False, seconds, peak, *moved)


def own_memory(processes: int) -> int:
    """Return how much memory the calling process has in use."""
    return int(_read("self/statm", processes).split()[1]) * resource.getpagesize()


def _bytes_moved(job: int, processes: int) -> tuple[int, int] | tuple[()]:
    """Return what a process read and wrote; nothing where the kernel does not tell us."""
    try:
        counted = dict(line.split(b": ") for line in _read(f"{job}/io", processes).splitlines())
    except OSError:
        return ()
    return int(counted[b"rchar"]), int(counted[b"wchar"])


def _read(name: str, processes: int) -> bytes:
    """Return what the kernel tells in one piece: each of these is made whole by one call."""
    told = os.open(name, os.O_RDONLY | os.O_CLOEXEC, dir_fd=processes)
    try:
        return os.read(told, _MOST_TOLD)
    finally:
        os.close(told)
