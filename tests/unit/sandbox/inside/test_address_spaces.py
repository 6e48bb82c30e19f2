"""An address space of several processes is counted once, and nothing that is hidden is left out."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from jupyter_mcpgen.sandbox.inside import kernel
from jupyter_mcpgen.sandbox.inside.address_spaces import Held, compared, held_together, without_copies
from jupyter_mcpgen.sandbox.inside.program_start import close_all_but
from jupyter_mcpgen.sandbox.inside.syscalls import MACHINE

needs_linux = pytest.mark.skipif(MACHINE not in ("x86_64", "aarch64"), reason="only Linux compares address spaces")
SPACES = {10: 1, 11: 2, 12: 1, 13: 3, 14: 1}


def by_table(one: int, other: int) -> int:
    return SPACES.get(one, one) - SPACES.get(other, other)


def test_what_several_processes_share_is_counted_once() -> None:
    held = [Held(10, 200), Held(11, 30), Held(12, 210), Held(13, 4), Held(14, 190)]

    assert held_together(held, by_table) == 210 + 30 + 4


def test_what_cannot_be_told_apart_is_counted_each() -> None:
    held = [Held(10, 200), Held(12, 210)]

    assert held_together(held, lambda one, other: one - other) == 410


def test_nothing_holds_nothing() -> None:
    assert held_together([], by_table) == 0


@pytest.fixture
def forked() -> Iterator[Callable[[Callable[[], None]], int]]:
    """Fork processes that do something and then wait, and end them."""
    children: list[int] = []

    def fork(act: Callable[[], None]) -> int:
        ready, telling = os.pipe()
        child = os.fork()
        if child == 0:
            close_all_but(telling)
            act()
            os.close(telling)
            while True:
                time.sleep(60)
        os.close(telling)
        children.append(child)
        os.read(ready, 1)
        os.close(ready)
        return child

    yield fork
    for child in children:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


@needs_linux
def test_threads_have_one_address_space_and_processes_have_their_own(
    forked: Callable[[Callable[[], None]], int],
) -> None:
    first, second = forked(lambda: None), forked(lambda: None)
    over = threading.Event()
    thread = threading.Thread(target=over.wait)
    thread.start()
    own, beside = os.getpid(), thread.native_id
    assert beside is not None

    try:
        assert compared(own, beside) == 0
        assert compared(first, second) == -compared(second, first) != 0
        assert held_together([Held(own, 5), Held(beside, 5), Held(first, 3), Held(second, 3)]) == 5 + 3 + 3
    finally:
        over.set()
        thread.join()


@needs_linux
def test_processes_that_have_no_memory_any_more_are_not_taken_for_one() -> None:
    """To the kernel they are the same: both have none. What they held when they were looked at is counted for each."""
    ended = []
    for _ in range(2):
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
        ended.append(child)

    try:
        assert kernel.system_call("kcmp", 312 if MACHINE == "x86_64" else 272, *ended, 1, 0, 0) == 0
        assert held_together([Held(child, 100) for child in ended]) == 200
    finally:
        for child in ended:
            os.waitpid(child, 0)


@pytest.mark.soak
@needs_linux
def test_what_forks_have_in_common_counts_once_until_one_of_them_writes(
    forked: Callable[[Callable[[], None]], int],
) -> None:
    table = bytearray(b"x") * (64 << 20)

    def write() -> None:
        table[:] = bytes(len(table))

    def added(children: list[int]) -> int:
        """Return what the processes have, this one among them, with everything they share counted once."""
        return held_together(without_copies(Held(pid, 1 << 30) for pid in (os.getpid(), *children)))

    alone = added([])
    reading = [forked(lambda: None) for _ in range(3)]
    copied = added(reading) - alone
    written = added([*reading, *(forked(write) for _ in range(3))]) - alone

    assert copied < len(table)
    assert written > 2.5 * len(table)


def test_what_the_kernel_does_not_tell_about_keeps_all_it_has() -> None:
    gone = Held(2**22 + 1, 700)

    assert list(without_copies([gone])) == [gone]
