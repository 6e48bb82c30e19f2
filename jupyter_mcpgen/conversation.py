"""What was asked in this process, by table: a question may follow up on the one before it."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field

from jupyter_mcpgen.model.intent import ReadBy
from jupyter_mcpgen.model.request import DataRef, Earlier, Request
from jupyter_mcpgen.model.written import Understood, WrittenIntent


@dataclass(frozen=True)
class Conversation:
    """The latest question of each table, the latest table last."""

    clock: Callable[[], str]
    latest: dict[str, Earlier] = field(default_factory=dict)

    def request(
        self,
        question: str,
        data: DataRef,
        other: DataRef | None = None,
        *,
        follow: bool = False,
        tool_name: str | None = None,
    ) -> Request:
        """Return what is asked now; with `follow` it may be a change of what was asked of the table before."""
        earlier = self.about(data) if follow else None
        return Request(
            request_id=uuid.uuid4().hex,
            question=question,
            data=data,
            other=other,
            asked_at=self.clock(),
            earlier=earlier,
            tool_name=tool_name,
        )

    def about(self, data: DataRef) -> Earlier | None:
        """Return the latest question of a table that was answered."""
        return self.latest.get(told_by(data))

    def remember(self, table: str, question: str, intent: Understood, other: DataRef | None = None) -> None:
        """Keep a question that was answered; the one before it stays known for `why`.

        Written code has no plan that a follow-up could change, so nothing can follow it.
        """
        last = self.latest.pop(table, None)
        if isinstance(intent, WrittenIntent):
            return
        plan = intent.plan
        before = last.model_copy(update={"before": None}) if last is not None else None
        used = other if plan.second is not None else None
        by_model = intent.read_by is ReadBy.MODEL
        self.latest[table] = Earlier(question=question, plan=plan, read_by_model=by_model, other=used, before=before)

    def clear(self) -> None:
        """Forget all questions."""
        self.latest.clear()

    @property
    def table(self) -> str | None:
        """The variable or the file that the latest answered question was about."""
        return next(reversed(self.latest), None)

    @property
    def other_table(self) -> str | None:
        """The second table that the latest answered question was about, if it was about two."""
        latest = next(reversed(self.latest.values()), None)
        return told_by(latest.other) if latest is not None and latest.other is not None else None


def told_by(data: DataRef) -> str:
    """Return what a person would write to mean this table: the variable's name, or the file's path."""
    return data.typed
