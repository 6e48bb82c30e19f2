"""One question on its way: who is told how far it is, and the wish to stop it."""

from __future__ import annotations

from dataclasses import dataclass, field

from jupyter_mcpgen.errors import QuestionStopped
from jupyter_mcpgen.model.event import Event, Listener
from jupyter_mcpgen.sandbox.cancellation import Cancellation


def _tell_nobody(event: Event) -> None:
    """Listen to nothing."""


@dataclass(frozen=True)
class Course:
    """Whoever watches a question hears each step of it through `tell`, and ends it by cancelling `stop`."""

    tell: Listener = _tell_nobody
    stop: Cancellation = field(default_factory=Cancellation)

    def go_on(self) -> None:
        """Raise `QuestionStopped` if somebody wants the question to end."""
        if self.stop.is_cancelled:
            raise QuestionStopped
