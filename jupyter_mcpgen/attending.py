"""Carries work out in a thread of its own while the caller waits, shows how far it is, and can stop it at any moment.

An interrupt never stops the work in the middle of something. Like every other way to stop, it is noted, and the work
looks for that note only where nothing is half done. The caller goes on a moment later, whether the work has ended by
then or not: work that ends after that saves nothing either.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextvars import copy_context
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Generic, NoReturn, TypeVar

from jupyter_mcpgen.errors import QuestionStopped
from jupyter_mcpgen.model.event import Event
from jupyter_mcpgen.pipeline.course import Course
from jupyter_mcpgen.sandbox.cancellation import Cancellation

Result = TypeVar("Result")
Hear = Callable[[Sequence[Event]], None]

PATIENCE = 0.08
"""For how many seconds somebody who stopped the work usually waits for it to end by itself."""
TO_THE_END = 5.0
"""For how many seconds somebody who came too late to stop the work waits for its result."""
BETWEEN = 0.05
"""How many seconds there are at least between two pieces of news, so that a page is not flooded."""
_LOOK = 0.5
"""How many seconds a wait lasts at most, where an interrupt does not end one."""


@dataclass(frozen=True)
class _Ended(Generic[Result]):
    """The work is over: with a result, or with what it raised."""

    give: Callable[[], Result]


@dataclass(frozen=True)
class _Wish:
    """Somebody wants the work to stop."""


def attend(work: Callable[[Course], Result], hear: Hear, stop: Cancellation, patience: float = PATIENCE) -> Result:
    """Return the result of the work. `hear` gets its events in this thread, at most every `BETWEEN` seconds.

    Raises what the work raises, and `QuestionStopped` if `stop` was cancelled or this thread was interrupted in time:
    then nothing of the work is saved. If it was too late to stop, the result is returned. A second interrupt is raised
    as it is. After a stop, this waits up to `patience` seconds for the work to end.
    """
    news: SimpleQueue[Event | _Ended[Result] | _Wish] = SimpleQueue()
    with stop.calling(lambda: news.put(_Wish())):
        try:
            _begin(work, Course(news.put, stop), news.put)
            return _heard(news, hear, patience)
        except KeyboardInterrupt:
            stop.cancel()
            if stop.is_cancelled:
                return _last(news, patience, QuestionStopped)
            return _last(news, TO_THE_END, KeyboardInterrupt)


def _begin(work: Callable[[Course], Result], course: Course, put: Callable[[_Ended[Result]], None]) -> None:
    def carry_out() -> None:
        try:
            result = work(course)
        except BaseException as error:
            raised = error
            put(_Ended(lambda: _raise(raised)))
        else:
            put(_Ended(lambda: result))

    # what the work displays belongs to the cell that runs
    Thread(target=copy_context().run, args=(carry_out,), name="mcpgen-question", daemon=True).start()


def _heard(news: SimpleQueue[Event | _Ended[Result] | _Wish], hear: Hear, patience: float) -> Result:
    told: list[Event] = []
    due = 0.0
    while True:
        wait = _LOOK if not told else max(0.0, due - time.monotonic())
        try:
            one = news.get(timeout=wait)
        except Empty:
            if told:
                hear(told)
                told, due = [], time.monotonic() + BETWEEN
            continue
        if isinstance(one, _Wish):
            return _last(news, patience, QuestionStopped)
        if isinstance(one, _Ended):
            if told:
                hear(told)
            return one.give()
        told.append(one)


def _last(news: SimpleQueue[Event | _Ended[Result] | _Wish], seconds: float, otherwise: type[BaseException]) -> Result:
    """Return what work gave that was done before it met the wish; raises `otherwise` for any other."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        try:
            one = news.get(timeout=left)
        except Empty:
            break
        if isinstance(one, _Ended):
            try:
                return one.give()
            except Exception as error:
                raise otherwise from error
    raise otherwise


def _raise(error: BaseException) -> NoReturn:
    raise error
