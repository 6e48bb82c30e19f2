"""What a hostile program or job writes is counted also where no name leads to it any more."""

from __future__ import annotations

import ctypes
import mmap
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_mcpgen.sandbox.inside.disk_use import deleted_bytes, used_bytes
from jupyter_mcpgen.sandbox.inside.program_report import Stop
from jupyter_mcpgen.sandbox.job import Call, Job, Outcome
from jupyter_mcpgen.sandbox.jobs.layers import Layer
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.policy import Limits, Policy
from jupyter_mcpgen.sandbox.programs.languages import LANGUAGES, find_toolchain
from jupyter_mcpgen.sandbox.programs.program import MEGABYTE, Bounds, Ending, Program
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox

ENOUGH = 1024 * MEGABYTE

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="it is looked at in `/proc`"),
    pytest.mark.every_run(layers=["level 1"]),
]


@pytest.fixture
def deleted(tmp_path: Path) -> Iterator[int]:
    """Give a file of one megabyte, open and without a name."""
    file = os.open(tmp_path / "file", os.O_CREAT | os.O_RDWR)
    os.write(file, bytes(MEGABYTE))
    os.unlink(tmp_path / "file")
    yield file
    os.close(file)


def test_a_deleted_file_that_is_open_is_seen_by_its_holder_and_not_by_its_folder(tmp_path: Path, deleted: int) -> None:
    assert used_bytes(tmp_path, ENOUGH) == 0
    assert deleted_bytes([os.getpid()], [str(tmp_path)], ENOUGH) >= MEGABYTE


def test_a_file_that_two_processes_hold_is_counted_once(tmp_path: Path, deleted: int) -> None:
    twice = os.dup(deleted)
    once = deleted_bytes([os.getpid()], [str(tmp_path)], ENOUGH)
    os.close(twice)

    assert deleted_bytes([os.getpid()], [str(tmp_path)], ENOUGH) == once


def test_a_deleted_file_that_is_only_mapped_is_seen_or_counts_as_too_much(tmp_path: Path) -> None:
    before = deleted_bytes([os.getpid()], [str(tmp_path)], ENOUGH)
    file = os.open(tmp_path / "file", os.O_CREAT | os.O_RDWR)
    os.write(file, bytes(MEGABYTE))
    # One page of it, through a mapping that keeps no descriptor as `mmap.mmap` does.
    place = _mapped(file)
    os.unlink(tmp_path / "file")
    os.close(file)

    held = deleted_bytes([os.getpid()], [str(tmp_path)], ENOUGH)
    _unmap(place)

    assert held >= MEGABYTE
    assert deleted_bytes([os.getpid()], [str(tmp_path)], ENOUGH) == before


def test_nothing_is_counted_of_a_process_that_is_gone(tmp_path: Path) -> None:
    assert deleted_bytes([2**22 + 1], [str(tmp_path)], ENOUGH) == 0


WRITE = """
import ctypes, os, time
def write(name):
    file = os.open(name, os.O_CREAT | os.O_RDWR)
    os.write(file, bytes(2 << 20))
    return file
def by_descriptor():
    for n in range(8): write(str(n)); os.unlink(str(n))
def by_child():
    if os.fork() == 0: by_descriptor(); time.sleep(600)
def by_mapping():
    libc = ctypes.CDLL(None)
    for n in range(8):
        file = write(str(n))
        libc.mmap(None, ctypes.c_size_t(4096), 1, 1, file, ctypes.c_long(0)); os.unlink(str(n)); os.close(file)
def by_orphan():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0: by_descriptor(); time.sleep(600)
        os._exit(0)
def by_name():
    for n in range(8): os.close(write(str(n)))
def one_after_another():
    for n in range(8): os.close(write("same")); os.unlink("same")
"""


def run(sandbox: ProgramSandbox, how: str, quota: int, tenths: int = 16) -> Ending:
    python = find_toolchain(LANGUAGES["python"])
    user = sandbox.identity((*python.read, *python.run)).user
    with sandbox.scratch(user) as scratch:
        program = Program(
            # What works is looked at; what sleeps holds what it held.
            arguments=(
                python.tools["python"],
                "-I",
                "-c",
                f"{WRITE}\n{how}()\nfor _ in range({tenths}): time.sleep(0.1)",
            ),
            folder=scratch,
            environment={},
            read=python.read,
            run=python.run,
            links=python.links,
            bounds=Bounds(wall_seconds=30, scratch_bytes=quota),
        )
        return sandbox.run(program, scratch, user)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("how", ["by_descriptor", "by_child", "by_mapping", "by_orphan", "by_name"])
def test_a_program_is_stopped_that_holds_more_than_its_quota_in_whatever_way(
    layers: frozenset[Layer], how: str
) -> None:
    assert run(ProgramSandbox(layers=layers), how, 4 * MEGABYTE, tenths=250).stop is Stop.SCRATCH_EXCEEDED


@pytest.mark.every_run("by_name")
@pytest.mark.parametrize("how", ["by_descriptor", "by_child", "by_orphan", "by_name"])
def test_the_same_program_comes_to_its_end_within_a_larger_quota(layers: frozenset[Layer], how: str) -> None:
    ending = run(ProgramSandbox(layers=layers), how, 64 * MEGABYTE)

    assert (ending.stop, ending.status, ending.stderr) == (Stop.EXITED, 0, b"")


@pytest.mark.soak
def test_what_was_deleted_and_closed_does_not_count(layers: frozenset[Layer]) -> None:
    ending = run(ProgramSandbox(layers=layers), "one_after_another", 4 * MEGABYTE)

    assert (ending.stop, ending.status) == (Stop.EXITED, 0)


JOB = """
import os, time
def hold(pieces):
    for n in range(pieces):
        file = os.open(str(n), os.O_CREAT | os.O_RDWR)
        os.unlink(str(n))
        os.write(file, bytes(2 << 20))
    time.sleep(2 if pieces <= 4 else 25)
    return "held"
"""


@pytest.mark.every_run(spares=[1])
@pytest.mark.parametrize("spares", [0, 1])
def test_a_job_is_stopped_that_holds_more_deleted_files_than_its_quota(
    tmp_path: Path, layers: frozenset[Layer], spares: int
) -> None:
    (tmp_path / "tool.py").write_text(JOB, encoding="utf-8")
    tmp_path.chmod(0o755)
    backend = ProcessBackend(layers=layers, spares=spares)
    policy = Policy(limits=Limits(scratch_bytes=8 * MEGABYTE, memory_mb=1024))

    within, beyond = (backend.run(Job(tmp_path, "hold", (Call({"pieces": pieces}),)), policy) for pieces in (2, 8))
    backend.close()

    assert within.outcome is Outcome.COMPLETED
    # In a scratch folder of fixed size the kernel refuses the piece that is too much.
    refused = "No space left" if Layer.NAMESPACES in layers else "it filled its scratch folder beyond 8,388,608 bytes"
    assert refused in f"{beyond.reason} {beyond.answers}"


FOLDERS = """
import os, time
def make(folders):
    for n in range(folders):
        os.mkdir(str(n))
    time.sleep(2 if folders <= 500 else 25)
    return "made"
"""


def test_a_job_is_stopped_that_makes_more_folders_than_its_quota_of_files(
    tmp_path: Path, layers: frozenset[Layer]
) -> None:
    (tmp_path / "tool.py").write_text(FOLDERS, encoding="utf-8")
    tmp_path.chmod(0o755)
    backend = ProcessBackend(layers=layers, spares=0)
    policy = Policy(limits=Limits(scratch_entries=500, memory_mb=1024))

    within, beyond = (backend.run(Job(tmp_path, "make", (Call({"folders": made}),)), policy) for made in (400, 700))
    backend.close()

    assert within.outcome is Outcome.COMPLETED
    # They take no space worth mentioning, and whoever wipes the folder afterwards has to remove each of them.
    refused = "No space left" if Layer.NAMESPACES in layers else "bytes, 500 files or"
    assert refused in f"{beyond.reason} {beyond.answers}"


def _mapped(file: int) -> int:
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    place = libc.mmap(None, ctypes.c_size_t(mmap.PAGESIZE), mmap.PROT_READ, mmap.MAP_SHARED, file, ctypes.c_long(0))
    assert isinstance(place, int)
    return place


def _unmap(place: int) -> None:
    ctypes.CDLL(None).munmap(ctypes.c_void_p(place), ctypes.c_size_t(mmap.PAGESIZE))
