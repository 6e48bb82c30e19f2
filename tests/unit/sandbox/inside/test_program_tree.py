"""How the processes of a program are found and told apart while they come, go and stand still."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from ctypes import CDLL
from pathlib import Path
from threading import Thread

import pytest

from jupyter_mcpgen.sandbox.inside.program_tree import REST, go_on, granted_seconds
from jupyter_mcpgen.sandbox.inside.standing import stood_still_before
from jupyter_mcpgen.sandbox.inside.syscalls import MACHINE
from jupyter_mcpgen.sandbox.inside.tasks import Task, below, is_crowd, is_ending, look, with_heirs

EXIT_THREAD = 60 if MACHINE == "x86_64" else 93


@pytest.mark.parametrize(
    ("wish", "seconds"),
    [
        (go_on(), None),
        (go_on(1.5), 1.5),
        (go_on(0.0001), 0.001),
        (go_on(2) + REST, None),
        (REST + go_on(0.25), 0.25),
        (go_on(2) + REST + go_on(), None),
        (b"", None),
    ],
)
def test_the_last_word_of_the_host_says_how_long_a_tree_may_work(wish: bytes, seconds: float | None) -> None:
    assert granted_seconds(wish) == seconds


def task(pid: int, parent: int) -> Task:
    return Task(pid, parent, threads=1, memory=0, ticks=0, all_ticks=0)


def test_all_descendants_are_found_and_nobody_else() -> None:
    tasks = [task(2, 1), task(3, 2), task(4, 3), task(5, 1), task(7, 6), task(8, 7)]

    assert sorted(one.pid for one in below(2, tasks)) == [3, 4]
    assert sorted(one.pid for one in below(1, tasks)) == [2, 3, 4, 5]


def test_parents_come_before_their_children_whatever_their_ids() -> None:
    found = below(1, [task(9, 1), task(2, 9), task(8, 2), task(3, 8)])

    assert [one.pid for one in found] == [9, 2, 8, 3]


def test_a_child_whose_parent_ended_during_the_look_is_found_below_its_heir() -> None:
    """Its parent was there when it was read, and gone when the parent was."""
    seen = {9: task(9, 8), 10: task(10, 9), 2: task(2, 1)}

    found = with_heirs(seen, {8}, lambda pid: task(pid, 2))

    assert sorted(one.pid for one in below(2, found)) == [9, 10]
    assert [one.pid for one in below(2, seen.values())] == []


def test_a_child_that_ended_with_its_parent_is_gone() -> None:
    found = with_heirs({9: task(9, 8), 2: task(2, 1)}, {8}, lambda _: None)

    assert [one.pid for one in found] == [2]


def test_a_neighbour_that_ends_during_a_look_hides_nothing_when_it_was_seen_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ended = os.fork()
    if ended == 0:
        os._exit(0)
    os.waitpid(ended, 0)
    there = os.listdir
    known = [str(os.getpid()), str(os.getppid()), str(ended)]  # another one might end during the look
    monkeypatch.setattr(os, "listdir", lambda path: known if path == "/proc" else there(path))

    assert not look(others={ended}).has_missed
    assert look().has_missed
    assert ended not in look().others
    assert os.getppid() in look().others


@pytest.fixture
def started() -> Iterator[Callable[[], int]]:
    """Start processes that wait, and end them."""
    children: list[int] = []

    def start() -> int:
        child = os.fork()
        if child == 0:
            while True:
                time.sleep(60)
        children.append(child)
        return child

    yield start
    for child in children:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def test_a_crowd_is_one_of_the_own_processes_only(started: Callable[[], int]) -> None:
    alone = started()
    started()

    assert not is_crowd(alone, 0)
    assert is_crowd(os.getpid(), 1)
    assert not is_crowd(os.getpid(), 1000)


def stopped(pid: int) -> None:
    """Stop a process and wait until it stands."""
    os.kill(pid, signal.SIGSTOP)
    os.waitpid(pid, os.WUNTRACED)


def test_what_stood_still_before_is_told_from_what_was_stopped_now(started: Callable[[], int]) -> None:
    before, now = started(), started()
    stopped(before)

    os.kill(before, signal.SIGSTOP)
    stopped(now)

    assert stood_still_before(before)
    assert not stood_still_before(now)


def test_what_was_set_going_stands_still_no_more(started: Callable[[], int]) -> None:
    child = started()
    stopped(child)
    os.kill(child, signal.SIGSTOP)

    os.kill(child, signal.SIGCONT)
    os.waitpid(child, os.WCONTINUED)

    assert not stood_still_before(child)


def test_a_process_that_is_gone_does_not_stand_still() -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)

    assert not stood_still_before(child)
    assert is_ending(child, child)


def test_a_thread_that_left_is_told_from_those_that_stay() -> None:
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        Thread(target=lambda: (os.write(theirs, b"%d" % threading.get_native_id()), time.sleep(60))).start()
        CDLL(None).syscall(EXIT_THREAD, 0)
    other = int(os.read(ours, 20))
    while Path(f"/proc/{child}/stat").read_bytes().rpartition(b")")[2].split()[0] != b"Z":
        time.sleep(0.01)

    left, stays = is_ending(child, child), not is_ending(child, other)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)

    assert (left, stays) == (True, True)
