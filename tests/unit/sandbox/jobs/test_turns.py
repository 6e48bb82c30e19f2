"""The line before the sandbox: first come first served, bounded, and left at once by who is cancelled."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from jupyter_mcpgen.errors import SandboxBusy
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.jobs.turns import Turns


def test_no_more_than_so_many_have_their_turn_at_once() -> None:
    turns, lock, now, most = Turns(2, 100), threading.Lock(), [0], [0]

    def work(_: int) -> None:
        with turns.turn(Cancellation()) as begins:
            assert begins
            with lock:
                now[0] += 1
                most[0] = max(most[0], now[0])
            threading.Event().wait(0.01)
            with lock:
                now[0] -= 1

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(30)))

    assert most == [2]


def test_who_comes_when_the_line_is_full_is_told_to_come_back() -> None:
    turns = Turns(1, 0)

    with turns.turn(Cancellation()), pytest.raises(SandboxBusy, match="was not started"), turns.turn(Cancellation()):
        raise AssertionError("there was no room")

    with turns.turn(Cancellation()) as begins:
        assert begins


def test_who_is_cancelled_in_the_line_leaves_it_and_takes_no_turn() -> None:
    turns, cancel = Turns(1, 10), Cancellation()
    begun: list[bool] = []

    def wait() -> None:
        with turns.turn(cancel) as begins:
            begun.append(begins)

    with turns.turn(Cancellation()):
        waiting = threading.Thread(target=wait)
        waiting.start()
        cancel.cancel()
        waiting.join()

    with turns.turn(Cancellation()) as begins:
        assert (begun, begins) == ([False], True)


def test_a_turn_is_passed_on_also_after_a_failure() -> None:
    turns = Turns(1, 0)

    with pytest.raises(ZeroDivisionError), turns.turn(Cancellation()):
        raise ZeroDivisionError

    with turns.turn(Cancellation()) as begins:
        assert begins
