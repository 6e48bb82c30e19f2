"""Processor time is counted once, by whoever has it in the end, and not forgotten where that is nobody."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.sandbox.inside.processor_time import ProcessorTime
from jupyter_mcpgen.sandbox.inside.tasks import Task

BEGIN, PAUSE = 1000.0, 20
PARENT, CHILD, OTHER = 10, 11, 12


def task(pid: int, ticks: int, waited_for: int = 0, began: int = 0) -> Task:
    return Task(pid, 1, threads=1, memory=0, ticks=ticks, all_ticks=ticks + waited_for, began=began)


def spent(*looks: list[Task], buried: tuple[float, ...] = (0.0,)) -> float:
    """Return the ticks that are counted when the last of these looks was made three times."""
    time = ProcessorTime()
    for number in range(len(looks) + 2):
        tasks, ours = looks[min(number, len(looks) - 1)], buried[min(number, len(buried) - 1)]
        time.look(tasks, ours, now=BEGIN + PAUSE * number)
    return time.spent


def test_what_is_there_counts_with_all_it_waited_for() -> None:
    assert spent([task(PARENT, 5, waited_for=30), task(CHILD, 7)]) == 42


def test_a_child_for_which_its_parent_waited_counts_once() -> None:
    assert spent([task(PARENT, 5), task(CHILD, 30)], [task(PARENT, 5, waited_for=34)]) == 39


def test_a_child_for_which_nobody_waited_is_not_forgotten() -> None:
    """It had worked for 30 of 300 ticks, so it is taken to have gone on like that for half of the pause."""
    child = task(CHILD, 30, began=int(BEGIN) - 300)

    assert spent([task(PARENT, 5), child], [task(PARENT, 5)]) == 5 + 30 + PAUSE / 2 / 10


def test_a_short_child_for_which_nobody_waited_stands_for_those_that_no_look_saw() -> None:
    children = [[task(PARENT, 5), task(CHILD + n, 4, began=int(BEGIN) + PAUSE * n - 4)] for n in range(10)]

    assert spent(*children, [task(PARENT, 5)]) == 5 + 10 * PAUSE


def test_an_orphan_that_was_reaped_here_counts_once() -> None:
    assert spent([task(PARENT, 5), task(CHILD, 30)], [task(PARENT, 5)], buried=(0.0, 31.0)) == 36


def test_it_does_not_matter_which_of_two_looks_saw_that_somebody_waited() -> None:
    before, gone = [task(PARENT, 5), task(CHILD, 30)], [task(PARENT, 5)]
    told = [task(PARENT, 5, waited_for=30)]

    assert spent(before, gone, told) == 35
    assert spent(before, [*told, task(CHILD, 30)], told) == 65  # a moment long it was in both
    assert spent([task(PARENT, 5), task(CHILD, 30)], told, [*told, task(OTHER, 0)]) == 35


def test_a_process_with_the_id_of_another_one_is_not_the_other_one() -> None:
    first, second = task(CHILD, 30, began=100), task(CHILD, 3, began=int(BEGIN))

    assert spent([task(PARENT, 5), first], [task(PARENT, 5), second]) > 5 + 30 + 3


@pytest.mark.parametrize("waited_for", [0, 10, 20, 30, 40])
def test_never_is_more_forgotten_than_was_waited_for(waited_for: int) -> None:
    """Who waits for as much as it hides hides half of it at most."""
    hidden, seen = 30, 5
    counted = spent([task(PARENT, seen), task(CHILD, hidden)], [task(PARENT, seen, waited_for=waited_for)])

    assert counted >= seen + max(waited_for, hidden)
