"""Shows on a terminal how far a question is: its reading and its steps, as lines of text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from rich.console import Console
from rich.text import Text

from jupyter_mcpgen.asking_text import FIRST, strip_of
from jupyter_mcpgen.attending import TO_THE_END, attend
from jupyter_mcpgen.card_text import plain_table
from jupyter_mcpgen.model.asking import Asking, Step, StepState
from jupyter_mcpgen.model.event import Event
from jupyter_mcpgen.pipeline.course import Course
from jupyter_mcpgen.plan.visible import unobeyed
from jupyter_mcpgen.sandbox.cancellation import Cancellation

Result = TypeVar("Result")


class AskingLines:
    """Writes to standard error, and only where that is a terminal: what is piped on is the answer alone."""

    def __init__(self, question: str) -> None:
        self._console = Console(stderr=True)
        self._status = self._console.status("")
        self._asking = Asking(asking_id="", question=question)

    def attend(self, work: Callable[[Course], Result]) -> Result:
        """Return what the work gives, and show its steps until then; raises as `attending.attend` does.

        Whoever interrupts it waits for it to end, because the process may end next.
        """
        try:
            return attend(work, self._hear, Cancellation(), TO_THE_END)
        finally:
            self._status.stop()

    def _hear(self, events: Sequence[Event]) -> None:
        before = self._asking
        for event in events:
            self._asking = self._asking.after(event)
        if not self._console.is_terminal or self._asking == before:
            return
        if self._asking.reading != before.reading:
            self._print(f"Read as: {self._asking.reading}")
        if self._asking.first is not None and before.first is None:
            self._print(f"{FIRST}\n{plain_table(self._asking.first)}")
        if _has_run(self._asking) and not _has_run(before):
            self._print(strip_of(self._asking))
        self._status.update(Text(unobeyed(f"{self._line()}  (Ctrl-C stops it)")))
        self._status.start()

    def _line(self) -> str:
        """Return what is done now: a model is asked, a step, or the tests of the code."""
        if self._asking.gates:
            return f"test {len(self._asking.ticks)} of {self._asking.gates}"
        return self._asking.doing or strip_of(self._asking)

    def _print(self, text: str) -> None:
        self._console.print(Text(unobeyed(text)))


def _has_run(asking: Asking) -> bool:
    return any(each.step is Step.RUN and each.state is StepState.DONE for each in asking.steps)
