"""`metrics.json` beside the tools: written from the events of every process and from the log of decisions."""

from __future__ import annotations

import fcntl
import logging
import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pydantic import ValidationError

from jupyter_mcpgen.errors import RegistryError
from jupyter_mcpgen.model.event import CardRejected, Event, ProgramRan, RegistryChanged, ToolCalled, ToolGenerated
from jupyter_mcpgen.model.feedback import REPLACED
from jupyter_mcpgen.model.usage import Metrics
from jupyter_mcpgen.registry.audit import Action, AuditLog
from jupyter_mcpgen.registry.contents import as_json
from jupyter_mcpgen.registry.layout import Layout

log = logging.getLogger(__name__)

_APPROVED = frozenset({Action.APPROVED, Action.PROMOTED, Action.DUPLICATE})
BY_GATES = "gates"
"""Who rejects what the gates reject, in the log."""


class Monitor:
    """Listens to the events of one process and counts them in the file that all processes of a registry share."""

    def __init__(self, layout: Layout, clock: Callable[[], str]) -> None:
        self._layout = layout
        self._folder = layout.folder
        self._audit = AuditLog(layout)
        self._clock = clock

    def listen(self, event: Event) -> None:
        """Count an event; a folder that cannot be written is no reason to fail an answer, and is logged."""
        change = self._change_by(event)
        if change is None:
            return
        try:
            with self._held():
                self._folder.replace(self._layout.metrics, as_json(change(self._stored())))
        except (OSError, RegistryError) as error:
            log.warning("`%s` was not written: %s", self._layout.metrics, error)

    def read(self) -> Metrics:
        """Return the metrics as they are now; nothing is created."""
        return self._with_decisions(self._stored())

    def _change_by(self, event: Event) -> Callable[[Metrics], Metrics] | None:
        match event:
            case ToolGenerated(milliseconds=spent, passed=passed):
                return lambda metrics: metrics.generated(spent, passed)
            case ToolCalled(tool_name=name, failed=failed):
                return lambda metrics: metrics.called(name, failed, self._clock())
            case ProgramRan() as ran:
                return lambda metrics: metrics.replace(programs=metrics.programs.after(ran))
            case CardRejected() | RegistryChanged():
                return self._with_decisions
            case _:
                return None

    def _with_decisions(self, metrics: Metrics) -> Metrics:
        """Return the metrics with what the log says was decided; what was taken back and decided again counts once."""
        approved: set[str] = set()
        rejected: set[str] = set()
        reasons: Counter[str] = Counter()
        for entry in self._audit.entries():
            if entry.action in _APPROVED:
                approved.add(entry.tool_id)
            elif entry.action is Action.REJECTED and entry.by not in (BY_GATES, REPLACED):
                rejected.add(entry.tool_id)
                reasons.update(reason.value for reason in entry.reasons)
        return metrics.replace(
            approved=len(approved),
            rejected=len(rejected),
            rejection_reasons=dict(reasons.most_common()),
            common_rejection_reasons=tuple(reason for reason, _ in reasons.most_common()),
        )

    def _stored(self) -> Metrics:
        try:
            return Metrics.model_validate_json(self._folder.read(self._layout.metrics))
        except (FileNotFoundError, NotADirectoryError):
            return Metrics()
        except ValidationError:
            log.warning("`%s` cannot be read, so its counts begin anew.", self._layout.metrics)
            return Metrics()

    @contextmanager
    def _held(self) -> Iterator[None]:
        """Keep other processes and threads from writing between a reading and the writing after it."""
        self._folder.make(self._layout.root)
        descriptor = self._folder.open_own(self._layout.metrics_lock)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)  # and with it the lock
