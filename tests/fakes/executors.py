"""Executors that run nothing: one whose program ended as it was told, and one that goes on until it is cancelled."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace

from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.execution.record import STATUS_OF, Execution, Reason, setup_error


@dataclass
class Ended:
    """Ends each program at once without having run it; `programs` are those that it was to run."""

    reason: Reason = Reason.FINISHED
    message: str | None = None
    exit_code: int = 0
    stdout: str = ""
    programs: list[str] = field(default_factory=list)

    def execute(
        self,
        language: str,
        code: str | None,
        *,
        timeout: float | None = None,
        cancellation: Cancellation | None = None,
    ) -> Execution:
        """Return the record."""
        self.programs.append(code or "")
        ended = setup_error(language, self.reason, self.message or "")
        status = STATUS_OF[self.reason]
        return replace(ended, status=status, exit_code=self.exit_code, stdout=self.stdout, error_message=self.message)


@dataclass
class Endless:
    """Goes on until somebody cancels."""

    began: threading.Event = field(default_factory=threading.Event)

    def execute(
        self,
        language: str,
        code: str | None,
        *,
        timeout: float | None = None,
        cancellation: Cancellation | None = None,
    ) -> Execution:
        """Wait, and return the record of a program that somebody ended."""
        over = threading.Event()
        self.began.set()
        with (cancellation or Cancellation()).calling(over.set):
            over.wait()
        ended = setup_error(language, Reason.CANCELLED, "The run was cancelled.")
        return replace(ended, status=STATUS_OF[Reason.CANCELLED], exit_code=137)
