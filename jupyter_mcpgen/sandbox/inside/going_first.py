"""Which process the kernel ends once it must end one: a job or a program, and not the person's notebook.

Standard library only, loaded as `inside` without the rest of jupyter_mcpgen.
"""

from __future__ import annotations

import os

_FIRST_TO_GO = b"1000"


def go_first_when_memory_is_short(processes: int | None = None) -> None:
    """Have this process, and all it forks from now on, ended first; `processes` is `/proc` where that has no name."""
    try:
        path = "/proc/self/oom_score_adj" if processes is None else "self/oom_score_adj"
        place = os.open(path, os.O_WRONLY | os.O_CLOEXEC, dir_fd=processes)
    except OSError:
        return  # a container may have it read-only; the bound on memory holds as before
    try:
        os.write(place, _FIRST_TO_GO)
    finally:
        os.close(place)
