"""What processes have mapped is read to an end: of the program's time, or of what anybody needs."""

from __future__ import annotations

import mmap
import os
import sys
import time
from pathlib import Path

import pytest

from jupyter_mcpgen.sandbox.inside import mappings
from jupyter_mcpgen.sandbox.inside.disk_use import deleted_bytes
from jupyter_mcpgen.sandbox.inside.mappings import Effort, TimeIsUp, TooManyMappings, kernel_bytes, mappings_of
from jupyter_mcpgen.sandbox.inside.queues import queued_bytes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it is looked at in `/proc`")
ENOUGH = 1 << 30


def test_every_piece_is_read_and_counted_once() -> None:
    effort = Effort()
    lines = [line for some in mappings_of(os.getpid(), effort) for line in some]

    assert effort.mappings == len(lines) > 10
    assert any(line.endswith(b"[stack]\n") for line in lines)
    assert not effort.is_too_much


def test_more_pieces_are_read_where_more_are_mapped() -> None:
    before, after = Effort(), Effort()
    deleted_bytes([os.getpid()], (), ENOUGH, effort=before)
    # Neighbours of different rights are never one piece.
    held = [mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | (n & 1) * mmap.PROT_WRITE) for n in range(200)]
    deleted_bytes([os.getpid()], (), ENOUGH, effort=after)

    assert after.mappings - before.mappings >= len(held) / 2


def test_a_process_that_is_gone_has_nothing_mapped() -> None:
    assert list(mappings_of(2**22 + 1, Effort())) == []
    assert kernel_bytes([2**22 + 1], 0) == 0


def test_the_memory_of_the_kernel_is_that_of_the_pieces_and_of_the_tables_of_pages() -> None:
    tables = kernel_bytes([os.getpid()], 0)

    assert tables >= mmap.PAGESIZE
    assert kernel_bytes([os.getpid()], 1000) - tables >= 200 * 1000 / 2


def test_too_many_pieces_and_too_many_letters_are_too_much() -> None:
    for read in ((mappings.MOST_MAPPINGS + 1, 0), (0, mappings.MOST_LETTERS + 1)):
        effort = Effort()
        effort.read(mappings.MOST_MAPPINGS // 2, mappings.MOST_LETTERS // 2)
        with pytest.raises(TooManyMappings):
            effort.read(*read)
        assert effort.is_too_much


def test_what_is_too_much_to_look_at_counts_as_more_than_enough(tmp_path: Path) -> None:
    almost, nothing = Effort(), Effort()
    almost.read(mappings.MOST_MAPPINGS, 0)

    assert deleted_bytes([os.getpid()], [str(tmp_path)], ENOUGH, effort=almost) > ENOUGH
    assert deleted_bytes([os.getpid()], [str(tmp_path)], ENOUGH, effort=nothing) < ENOUGH


def test_no_look_goes_on_when_the_time_of_the_program_is_up() -> None:
    over, enough = Effort(until=time.monotonic()), Effort(until=time.monotonic() + 600)

    for effort in (over, enough):
        if effort is over:
            with pytest.raises(TimeIsUp):
                deleted_bytes([os.getpid()], (), ENOUGH, effort=effort)
            with pytest.raises(TimeIsUp):
                queued_bytes([os.getpid()], effort)
        else:
            assert deleted_bytes([os.getpid()], (), ENOUGH, effort=effort) < ENOUGH
            assert queued_bytes([os.getpid()], effort) >= 0


def test_all_are_told_to_stand_still_once_in_a_look_that_takes_long() -> None:
    told: list[str] = []
    effort = Effort(when_long=lambda: told.append("stand"))

    effort.go_on()
    short = [*told]
    end = time.process_time() + 0.1
    while time.process_time() < end:
        effort.go_on()

    assert (short, told) == ([], ["stand"])
