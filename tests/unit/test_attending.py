"""Work in a thread of its own is heard of, can be stopped at any moment, and an interrupt never lands in it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

import pytest

from jupyter_mcpgen.attending import attend
from jupyter_mcpgen.errors import QuestionStopped, UnknownTool
from jupyter_mcpgen.model.event import Event, Progress
from jupyter_mcpgen.pipeline.course import Course
from jupyter_mcpgen.sandbox.cancellation import Cancellation

SOON = 60


def unheard(events: Sequence[Event]) -> None:
    """Hear nothing."""


def interrupted(events: Sequence[Event]) -> None:
    """Stand for the interrupt that reaches whoever waits."""
    raise KeyboardInterrupt


class Work:
    """Says that it has begun, then waits until it may go on."""

    def __init__(self) -> None:
        self.may_go_on = threading.Event()
        self.over = threading.Event()
        self.threads: list[threading.Thread] = []

    def __call__(self, course: Course) -> str:
        """Work until it may end."""
        self.threads.append(threading.current_thread())
        course.tell(Progress(text="begun"))
        self.may_go_on.wait(SOON)
        self.over.set()
        return "done"


@pytest.fixture
def work() -> Iterator[Work]:
    work = Work()
    yield work
    work.may_go_on.set()


def test_the_result_comes_after_all_that_was_told() -> None:
    heard: list[Event] = []

    def work(course: Course) -> int:
        for number in range(5):
            course.tell(Progress(text=str(number)))
        return 7

    assert attend(work, heard.extend, Cancellation()) == 7
    assert [event.text for event in heard if isinstance(event, Progress)] == ["0", "1", "2", "3", "4"]


def test_what_the_work_raises_is_raised_where_somebody_waits() -> None:
    def work(course: Course) -> None:
        raise UnknownTool("mean_price", ())

    with pytest.raises(UnknownTool, match="mean_price"):
        attend(work, unheard, Cancellation())


def test_an_interrupt_is_a_wish_to_the_work_and_never_lands_in_it(work: Work) -> None:
    stop = Cancellation()

    with pytest.raises(QuestionStopped):
        attend(work, interrupted, stop)

    assert stop.is_cancelled
    assert work.threads[0] is not threading.current_thread()
    assert not work.over.is_set()  # it is left alone, and nobody waited for it
    work.may_go_on.set()
    assert work.over.wait(SOON)


def test_a_wish_of_another_thread_ends_the_waiting(work: Work) -> None:
    stop = Cancellation()

    def hear(events: Sequence[Event]) -> None:
        threading.Thread(target=stop.cancel).start()

    with pytest.raises(QuestionStopped):
        attend(work, hear, stop)


def test_a_wish_that_was_there_before_ends_it_at_once(work: Work) -> None:
    stop = Cancellation()
    stop.cancel()

    with pytest.raises(QuestionStopped):
        attend(work, unheard, stop)


def test_work_that_is_done_by_then_gives_its_result() -> None:
    stop = Cancellation()

    def work(course: Course) -> str:
        course.tell(Progress(text="begun"))
        told.wait(SOON)
        return "done"

    told = threading.Event()

    def hear(events: Sequence[Event]) -> None:
        told.set()
        raise KeyboardInterrupt

    assert attend(work, hear, stop, SOON) == "done"


def test_whoever_comes_too_late_waits_for_the_result() -> None:
    stop = Cancellation()
    told = threading.Event()

    def work(course: Course) -> str:
        assert course.stop.seal()
        course.tell(Progress(text="it is being kept"))
        told.wait(SOON)
        return "kept"

    def hear(events: Sequence[Event]) -> None:
        told.set()
        raise KeyboardInterrupt

    assert attend(work, hear, stop) == "kept"
    assert not stop.is_cancelled


def test_what_stopped_work_raises_is_a_stop() -> None:
    def work(course: Course) -> None:
        course.tell(Progress(text="begun"))
        with course.stop.calling(cancelled.set):
            cancelled.wait(SOON)
        raise UnknownTool("mean_price", ())

    cancelled = threading.Event()

    with pytest.raises(QuestionStopped):
        attend(work, interrupted, Cancellation(), SOON)
