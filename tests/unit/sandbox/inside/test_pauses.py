"""A program is looked at the sooner the faster its memory grows towards its bound."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.sandbox.inside.pauses import USUAL_SECONDS, Pauses, soonest

MOST = 1000


@pytest.mark.parametrize(
    ("memory", "seconds"),
    [
        (100, USUAL_SECONDS),  # nine times as much is left, for 1.8 s
        (800, pytest.approx(0.2 * 200 / 800 / 2, abs=0.02)),
        (999, 0.04),
        (5000, 0.04),
    ],
)
def test_the_next_look_comes_before_the_bound_is_reached(memory: int, seconds: float) -> None:
    assert Pauses(0.0).after(0.2, memory, MOST, has_worked=True) == seconds


def test_what_grows_no_more_is_looked_at_as_usual_however_much_it_is() -> None:
    pauses = Pauses(0.0)
    pauses.after(0.2, 900, MOST, has_worked=True)

    assert pauses.after(0.3, 900, MOST, has_worked=True) == USUAL_SECONDS
    assert pauses.after(0.4, 500, MOST, has_worked=True) == USUAL_SECONDS


def test_what_waits_is_looked_at_less_and_less_often_and_never_less_than_each_second() -> None:
    pauses = Pauses(0.0)

    waits = [pauses.after(at, 0, MOST, has_worked=False) for at in range(4)]

    assert waits == [0.4, 0.8, 1.0, 1.0]
    assert pauses.after(5, 0, MOST, has_worked=True) == USUAL_SECONDS


def test_what_may_work_for_so_long_is_looked_at_when_all_processors_could_have_done_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 4)

    assert (soonest(8), soonest(0.4), soonest(0), soonest(-3)) == (2, 0.1, 0.04, 0.04)


def test_memory_that_doubles_at_each_look_is_seen_before_it_is_twice_the_bound() -> None:
    """It grows by as much in each second as it may have, and looks cost no time."""
    pauses, now, memory = Pauses(0.0), 0.2, 0
    while memory <= MOST:
        memory = int(now * 4 * MOST)
        now += pauses.after(now, memory, MOST, has_worked=True)

    assert memory < 1.2 * MOST
