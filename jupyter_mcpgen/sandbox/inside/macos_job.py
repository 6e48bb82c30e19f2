"""The process that runs a tool on macOS: under its profile from the first instruction, it bounds itself and calls.

Started with one JSON document on standard input. It may not fork, so nothing of ours watches it from inside; the host
does. Standard library only, and its siblings.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from contextlib import suppress
from typing import Any, NoReturn

from .calling import perform
from .fields import Fields
from .job_work import JobWork


def main() -> NoReturn:
    """Take the document, set the limits, run the job, and end."""
    document: dict[str, Any] = json.load(sys.stdin.buffer)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    for name, limit in document["limits"].items():
        # macOS has no bound of address space on some versions; the host watches the memory as well.
        with suppress(ValueError, OSError):
            resource.setrlimit(getattr(resource, name), tuple(limit))
    os.chdir(document["scratch"])
    code = perform(JobWork.from_fields(Fields(document).below("work")), document["result"])
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is not None and not stream.closed:  # a tool may have closed them
            stream.flush()
    os._exit(code)
