"""The process that runs a tool: a supervisor that stays outside, and the job that confines itself.

Started as `python -I -S -c START <folder of jupyter_mcpgen> <result> <status> <hold> <pid of the host> <libraries>`.
It imports the libraries, says that it is ready and waits; one byte on `hold` means that standard input now has two JSON
documents: how to be confined, and what to call. It serves that one job and ends, and it ends with its host.
Nothing here imports anything but the standard library and its siblings `kernel`, `syscalls`, `landlock`, `seccomp`,
`program_calls`, `confinement` and `calling`, by relative name, because the package is loaded as `sandbox` without the
rest of jupyter_mcpgen. The supervisor alone says how the job ended and what it used.
"""

from __future__ import annotations

import fcntl
import gc
import json
import os
import select
import sys
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any, BinaryIO, NoReturn

from .calling import perform
from .confinement import Confinement, confine

START = "import sys; sys.path.insert(0, sys.argv[1]); from sandbox.worker import main; del sys.path[0]; main()"

READY = b'{"ready": true}\n'
RESULT = 3
_KILL = 9
_SETUP_FAILED = 70
_LENGTH_BYTES = 8
_FIRST_PRIVATE = 10
_SEEDED = ("random", "numpy.random")


def main() -> NoReturn:
    """Get ready, wait for the job, fork it, wait for its end, and report on the status pipe."""
    result, status, hold = (_moved_away(int(argument)) for argument in sys.argv[2:5])
    host = _opened(int(sys.argv[5]))
    _load(**json.loads(sys.argv[6]))
    os.write(status, READY)
    if not _has_a_job(hold, host):
        os._exit(0)
    confinement = Confinement.from_json(read_document(sys.stdin.buffer))
    supervisor = os.getpid()
    job = os.fork()  # so that the time and the limits of the job begin at nothing
    if job == 0:
        _run_job(confinement, supervisor, result, status)
    os.close(result)
    _report(status, _supervise(job, hold, host, confinement.wall_seconds))
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


def _opened(host: int) -> int:
    """Return a descriptor that is readable once the host is dead, whoever else holds its pipes."""
    descriptor = os.pidfd_open(host)
    if os.getppid() != host:
        raise ProcessLookupError("the host died before the worker started")
    return descriptor


def _load(libraries: Iterable[str], paths: Iterable[str]) -> None:
    """Import libraries before there is a job; raises when this leaves anything that a fork would not survive."""
    sys.path += paths
    for name in libraries:
        try:
            import_module(name)
        except ModuleNotFoundError as error:
            if error.name != name.partition(".")[0]:
                raise
            # It is not installed; a tool that needs it will say so.
    if libraries:
        gc.collect()
        gc.freeze()  # so that no collection copies the pages that the job shares
        if len(os.listdir("/proc/self/task")) != 1:
            raise RuntimeError("a library started a thread when it was imported")


def _has_a_job(hold: int, host: int) -> bool:
    """Wait for the job; return whether there will be one, which is false once the host let go or died."""
    poll = select.poll()
    poll.register(hold, select.POLLIN)
    poll.register(host, select.POLLIN)
    ready = {descriptor for descriptor, _ in poll.poll()}
    return host not in ready and os.read(hold, 1) != b""


def _memory_in_use() -> int:
    with open("/proc/self/statm", encoding="ascii") as sizes:
        return int(sizes.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _run_job(confinement: Confinement, supervisor: int, result: int, status: int) -> NoReturn:
    try:
        inherited = _memory_in_use()  # told now, while the job is nobody's but ours
        os.dup2(result, RESULT)
        os.environ |= {"HOME": confinement.scratch, "TMPDIR": confinement.scratch}
        confine(confinement, supervisor, keep=(RESULT, status))
        _report(status, {"confined": True, "inherited_memory_bytes": inherited})
    except BaseException as error:
        _report(status, {"confined": False, "reason": f"{type(error).__name__}: {error}"})
        os._exit(_SETUP_FAILED)
    os.close(status)
    work = read_document(sys.stdin.buffer)
    _empty_standard_input()
    _seed()
    code = perform(work, RESULT)
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is not None and not stream.closed:  # a tool may have closed them
            stream.flush()
    os._exit(code)


def _supervise(job: int, hold: int, host: int, wall_seconds: float) -> dict[str, object]:
    """Wait until the job ends, its time is up, or the host dies or lets go of `hold`."""
    process = os.pidfd_open(job)
    poll = select.poll()
    poll.register(process, select.POLLIN)
    poll.register(hold, select.POLLHUP)
    poll.register(host, select.POLLIN)
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


def _seed() -> None:
    for name in _SEEDED:
        if name in sys.modules:
            sys.modules[name].seed()


def _moved_away(descriptor: int) -> int:
    # The host's numbers are arbitrary and may be 3, which the job uses for its result.
    return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _FIRST_PRIVATE)


def _empty_standard_input() -> None:
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)


def _report(status: int, document: dict[str, object]) -> None:
    os.write(status, json.dumps(document).encode() + b"\n")
