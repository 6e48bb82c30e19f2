"""What runs inside a container that runs a tool: a supervisor that forks the job and passes on what it writes.

Started with the folder of its package on the import path. A container has two streams and a job writes three, so each
piece goes out as a frame: the number of the stream (1 byte), its length (4 bytes), its bytes. Everything it says is the
container's word: the host believes the engine, and these frames only where they speak against the job.
What the job leaves in its folder is sent when it is over, a file to a frame: the length of its path (4 bytes), the
path, the content. Standard library only, and its siblings `calling` and `left_behind`.
"""

from __future__ import annotations

import json
import os
import resource
import select
import sys
import time
from typing import Any, NoReturn

from .calling import perform
from .fields import Fields
from .job_work import JobWork
from .left_behind import plain_files

START = "import sys; sys.path.insert(0, sys.argv[1]); from worker.container_worker import main; del sys.path[0]; main()"

STDOUT, STDERR, RESULT, STATUS, FILE, LEFT_OUT = 1, 2, 3, 4, 5, 6
LENGTH_BYTES = 4
_CHUNK = 65536
_KILL = 9
_WAIT_MS = 20
_MOST_LEFT = 64  # a pipe holds no more, and what lives on must not keep this one alive


def main() -> NoReturn:
    """Run the job of the document that was put beside the package, and end with it."""
    with open(sys.argv[2], encoding="utf-8") as stream:
        document: dict[str, Any] = json.load(stream)
    pipes = {number: os.pipe() for number in (STDOUT, STDERR, RESULT)}
    job = os.fork()
    if job == 0:
        _run(document, {number: writer for number, (_, writer) in pipes.items()})
    for _, writer in pipes.values():
        os.close(writer)
    passing = _Passing({reader: number for number, (reader, _) in pipes.items()}, document["caps"])
    timed_out, status, used = passing.until_the_end_of(job, document["wall_seconds"])
    report = {
        "status": status,
        "overflow": passing.overflow,
        "timed_out": timed_out,
        "cpu_seconds": used.ru_utime + used.ru_stime,
        "peak_memory_bytes": used.ru_maxrss * 1024,
    }
    if document["keeps"] is not None:
        _send_files(*document["keeps"])
    _send(STATUS, json.dumps(report).encode())
    os._exit(0)


def _send_files(most_files: int, most_bytes: int) -> None:
    folder, left_out = os.open(".", os.O_RDONLY | os.O_DIRECTORY), list[str]()
    for path, content in plain_files(folder, most_files, most_bytes, left_out):
        name = path.encode()
        _send(FILE, len(name).to_bytes(LENGTH_BYTES, "big") + name + content)
    for line in left_out:
        _send(LEFT_OUT, line.encode("utf-8", "replace"))


def _run(document: dict[str, Any], writers: dict[int, int]) -> NoReturn:
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    for number, writer in writers.items():
        os.dup2(writer, writer + 100)
        writers[number] = writer + 100
    for number, writer in writers.items():
        os.dup2(writer, number)
    os.closerange(RESULT + 1, 512)
    for name, (soft, hard) in document["limits"].items():
        resource.setrlimit(getattr(resource, name), (soft, hard))
    code = perform(JobWork.from_fields(Fields(document).below("work")), RESULT)
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is not None and not stream.closed:
            stream.flush()
    os._exit(code)


class _Passing:
    """Passes on what the job writes; a stream beyond its cap ends the job."""

    def __init__(self, readers: dict[int, int], caps: dict[str, int]) -> None:
        self.overflow: str | None = None
        self._readers = readers
        self._caps = {number: caps[str(number)] for number in readers.values()}
        self._room = dict(self._caps)
        self._poll = select.poll()
        for reader in readers:
            os.set_blocking(reader, False)
            self._poll.register(reader, select.POLLIN)

    def until_the_end_of(self, job: int, seconds: float) -> tuple[bool, int, resource.struct_rusage]:
        """Pass on until the job ended or its time was up, and then what is left; others may still hold its streams."""
        deadline, timed_out = time.monotonic() + seconds, False
        while True:
            ended, status, used = os.wait4(job, os.WNOHANG)
            if ended:
                break
            if not timed_out and time.monotonic() > deadline:
                timed_out = True
                os.kill(job, _KILL)
            self._move(job)
        for _ in range(_MOST_LEFT):
            if not self._move(None):
                break
        return timed_out, status, used

    def _move(self, job: int | None) -> bool:
        moved = False
        for reader, _ in self._poll.poll(0 if job is None else _WAIT_MS):
            chunk = os.read(reader, _CHUNK)
            if not chunk:
                self._poll.unregister(reader)
                continue
            moved = True
            self._take(self._readers[reader], chunk, job)
        return moved

    def _take(self, number: int, chunk: bytes, job: int | None) -> None:
        _send(number, chunk[: self._room[number]])
        if len(chunk) > self._room[number] and self.overflow is None:
            what = "result" if number == RESULT else "output"
            self.overflow = f"it wrote more than {self._caps[number]:,} bytes of {what}"
            if job is not None:
                os.kill(job, _KILL)
        self._room[number] = max(0, self._room[number] - len(chunk))


def _send(number: int, content: bytes) -> None:
    rest = memoryview(bytes([number]) + len(content).to_bytes(LENGTH_BYTES, "big") + content)
    while rest:
        rest = rest[os.write(1, rest) :]
