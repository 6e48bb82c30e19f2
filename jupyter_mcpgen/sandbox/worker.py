"""The process that runs a tool: a supervisor that stays outside, and the job that confines itself.

Started as `python -I -S -c START <folder of jupyter_mcpgen> <result> <status> <hold>`, with two JSON documents on
standard input: how to be confined, and what to call. Nothing here imports anything but the standard library and its
siblings `kernel`, `syscalls`, `landlock`, `seccomp`, `confinement` and `calling`, by relative name, because the package
is loaded as `sandbox` without the rest of jupyter_mcpgen. The supervisor alone says how the job ended and what it used.
"""

from __future__ import annotations

import fcntl
import json
import os
import select
import sys
from collections.abc import Mapping
from typing import Any, BinaryIO, NoReturn

from .calling import perform
from .confinement import Confinement, confine

START = "import sys; sys.path.insert(0, sys.argv[1]); from sandbox.worker import main; del sys.path[0]; main()"

RESULT = 3
_KILL = 9
_SETUP_FAILED = 70
_LENGTH_BYTES = 8
_FIRST_PRIVATE = 10


def main() -> NoReturn:
    """Fork the job, wait for it, and report on the status pipe."""
    result, status, hold = (_moved_away(int(argument)) for argument in sys.argv[2:5])
    confinement = Confinement.from_json(read_document(sys.stdin.buffer))
    supervisor = os.getpid()
    job = os.fork()
    if job == 0:
        _run_job(confinement, supervisor, result, status)
    os.close(result)
    _report(status, _supervise(job, hold, confinement.wall_seconds))
    os._exit(0)


def framed(document: Mapping[str, Any]) -> bytes:
    """Return one JSON object with its length before it, as `read_document` takes it."""
    encoded = json.dumps(document).encode()
    return len(encoded).to_bytes(_LENGTH_BYTES, "big") + encoded


def read_document(stream: BinaryIO) -> dict[str, Any]:
    """Read one JSON object with its length before it."""
    length = int.from_bytes(stream.read(_LENGTH_BYTES), "big")
    document: dict[str, Any] = json.loads(stream.read(length))
    return document


def _run_job(confinement: Confinement, supervisor: int, result: int, status: int) -> NoReturn:
    try:
        os.dup2(result, RESULT)
        confine(confinement, supervisor, keep=(RESULT, status))
        _report(status, {"confined": True})
    except BaseException as error:
        _report(status, {"confined": False, "reason": f"{type(error).__name__}: {error}"})
        os._exit(_SETUP_FAILED)
    os.close(status)
    work = read_document(sys.stdin.buffer)
    _empty_standard_input()
    code = perform(work, RESULT)
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is not None and not stream.closed:  # a tool may have closed them
            stream.flush()
    os._exit(code)


def _supervise(job: int, hold: int, wall_seconds: float) -> dict[str, object]:
    """Wait until the job ends, its time is up, or the host lets go of `hold`."""
    process = os.pidfd_open(job)
    poll = select.poll()
    poll.register(process, select.POLLIN)
    poll.register(hold, select.POLLHUP)
    ready = {descriptor for descriptor, _ in poll.poll(wall_seconds * 1000)}
    if process not in ready:
        os.kill(job, _KILL)  # its id cannot be another process's: it has not been waited for
    _, status, usage = os.wait4(job, 0)
    return {
        "status": status,
        "timed_out": not ready,
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
        "peak_memory_bytes": usage.ru_maxrss * 1024,
    }


def _moved_away(descriptor: int) -> int:
    # The host's numbers are arbitrary and may be 3, which the job uses for its result.
    return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _FIRST_PRIVATE)


def _empty_standard_input() -> None:
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)


def _report(status: int, document: dict[str, object]) -> None:
    os.write(status, json.dumps(document).encode() + b"\n")
