"""Counts what Python code does, inside the job, and stops it when a budget is passed; standard library only.

The count is for advice, never a security limit: it is blind to the inside of C functions, and code in the same process
can switch it off (then the figure is unknown). It is reproducible: the same code with the same data and hash seed in a
fresh process gives the same figure. From Python 3.12 `sys.monitoring` counts jumps and function starts (`events`), and
a run takes 1.03 to 4 times as long as an unmetered one. Before that `sys.settrace` can count lines (`lines`), at five
times as long or more, and only when asked for.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import FrameType
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

EVENTS, LINES = "events", "lines"


class OutOfFuel(BaseException):
    """The code passed its budget; not an `Exception`, so that `except Exception` does not hide it."""

    def __init__(self, budget: int, unit: str) -> None:
        super().__init__(f"out of fuel: all of {budget:,} {unit} used")
        self.budget = budget
        self.unit = unit


@dataclass(frozen=True)
class Reading:
    """What a meter counted; `consumed` is `None` where it could not count, and `note` says why."""

    consumed: int | None
    budget: int | None
    unit: str
    ran_out: bool = False
    note: str | None = None


@dataclass(frozen=True)
class _Counter:
    """One way to be called at every event of the code that runs.

    The first three are functions in C: a Python function would be counted itself, and the budget could end within it.
    `release` gives everything back and tells whether it was still ours.
    """

    start: Callable[[], object]
    state: Callable[[], object]
    stop: Callable[[], object]
    running: object
    release: Callable[[], bool]


class Meter:
    """Counts the events of calls made through it, all together, up to a budget; without one it only counts."""

    def __init__(self, budget: int | None = None, *, lines: bool = False) -> None:
        self.budget = budget
        self.unit = LINES if lines and not has_monitoring() else EVENTS
        self._used = 0
        self._stopped: OutOfFuel | None = None
        self._note: str | None = "nothing was metered yet"

    def call(self, function: Callable[P, T], /, *arguments: P.args, **options: P.kwargs) -> T:
        """Return what the function returns; raise `OutOfFuel` when it passes the budget, even if it hides that."""
        counter = self._counter()
        if isinstance(counter, str):
            self._note = counter
            return function(*arguments, **options)
        self._note = None
        state, stop = counter.state, counter.stop
        counter.start()
        try:
            return function(*arguments, **options)
        finally:
            found = None
            try:
                found = state()
                stop()
            except ValueError:  # the code gave the tool away, which is noticed just below
                pass
            self._finish(counter, found)

    def reading(self) -> Reading:
        """Return the count so far."""
        if self._note is not None:
            return Reading(None, self.budget, self.unit, note=self._note)
        if self._stopped is not None:
            return Reading(self.budget, self.budget, self.unit, ran_out=True)
        return Reading(self._used, self.budget, self.unit)

    def _counter(self) -> _Counter | str:
        """Return a counter, or why there is none."""
        return _lines(self._tick()) if self.unit == LINES else _events(self._tick())

    def _tick(self) -> Callable[..., object]:
        """Return the function called at each event."""
        budget = sys.maxsize if self.budget is None else self.budget

        def tick(*_: object) -> None:
            self._used += 1
            if self._used > budget:
                stopped = OutOfFuel(budget, self.unit)
                self._stopped = self._stopped or stopped
                raise stopped

        return tick

    def _finish(self, counter: _Counter, found: object) -> None:
        ours = counter.release()
        if self._stopped is not None:
            raise self._stopped from None
        if not ours or found != counter.running:
            self._note = "the code switched the meter off"


def has_monitoring() -> bool:
    """Return whether this interpreter can count events."""
    return sys.version_info >= (3, 12)


def _lines(tick: Callable[..., object]) -> _Counter:
    def trace(_frame: FrameType, event: str, _argument: object) -> Any:
        if event == "line":
            tick()
        return trace

    before = sys.gettrace()
    return _Counter(
        start=partial(sys.settrace, trace),
        state=sys.gettrace,
        stop=partial(sys.settrace, before),
        running=trace,
        release=lambda: True,
    )


if sys.version_info >= (3, 12):
    _TOOL_NAME = "mcpgen fuel"
    _TOOL_IDS = (3, 4, sys.monitoring.PROFILER_ID)  # two that belong to nobody, then the profiler's
    _COUNTED = (sys.monitoring.events.JUMP, sys.monitoring.events.PY_START)

    def _events(tick: Callable[..., object]) -> _Counter | str:
        tool = next((number for number in _TOOL_IDS if sys.monitoring.get_tool(number) is None), None)
        if tool is None:
            return "every place for a monitoring tool is taken"
        sys.monitoring.use_tool_id(tool, _TOOL_NAME)
        for event in _COUNTED:
            sys.monitoring.register_callback(tool, event, tick)
        return _Counter(
            start=partial(sys.monitoring.set_events, tool, sum(_COUNTED)),
            state=partial(sys.monitoring.get_events, tool),
            stop=partial(sys.monitoring.set_events, tool, 0),
            running=sum(_COUNTED),
            release=partial(_release, tool),
        )

    def _release(tool: int) -> bool:
        if sys.monitoring.get_tool(tool) != _TOOL_NAME:
            return False
        for event in _COUNTED:
            sys.monitoring.register_callback(tool, event, None)
        sys.monitoring.free_tool_id(tool)
        return True

else:

    def _events(tick: Callable[..., object]) -> _Counter | str:
        return "Python before 3.12 counts only when lines are asked for"
