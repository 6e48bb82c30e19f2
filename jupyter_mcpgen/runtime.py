"""The only place that puts the parts together, and what the faces ask of the result."""

from __future__ import annotations

import atexit
import getpass
import shutil
import tempfile
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal

from jupyter_mcpgen.authors.embedded import EmbeddedAuthor
from jupyter_mcpgen.data.references import file_ref, frame_ref
from jupyter_mcpgen.errors import AlreadyDecided, DecisionError, ToolFailed, UnknownData
from jupyter_mcpgen.model.answer import ToolAnswer
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.event import Event, Listener, RegistryChanged
from jupyter_mcpgen.model.feedback import Decision, OutputVerdict, UserFeedback
from jupyter_mcpgen.model.intent import Intent
from jupyter_mcpgen.model.request import DataKind, DataRef, Request
from jupyter_mcpgen.model.tool import PromotedTool
from jupyter_mcpgen.pipeline import flow
from jupyter_mcpgen.pipeline.code import INTENT_FILE
from jupyter_mcpgen.pipeline.feedback import Question, Reject, read_answer
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.trial import table_of
from jupyter_mcpgen.pipeline.workbench import call_all, unpacked, what_went_wrong
from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.sandbox.job import Answer
from jupyter_mcpgen.sandbox.policy import Level, Limits
from jupyter_mcpgen.sandbox.service import Sandbox
from jupyter_mcpgen.sandbox.tables import read_table
from jupyter_mcpgen.settings import Settings, jupyter_folder, load_settings

if TYPE_CHECKING:
    import pandas as pd

_ONE_BUILDER = Lock()
MOST_ROWS = 1_000
"""How many rows of a result go over the wire as structured content."""


@dataclass(frozen=True)
class Runtime:
    """One configured product: ask, decide, call. Safe to use from several threads."""

    settings: Settings
    registry: Registry
    workspace: Path
    listeners: list[Listener] = field(default_factory=list)

    @cached_property
    def sandbox(self) -> Sandbox:
        """The sandbox, warming up; raises `SandboxUnavailable` when nothing here enforces the configured level."""
        sandbox = Sandbox(Level(self.settings.sandbox.minimum_level))
        sandbox.warm()
        return sandbox

    @cached_property
    def services(self) -> Services:
        """What the transactions work with."""
        return Services(
            registry=self.registry,
            sandbox=self.sandbox,
            author=EmbeddedAuthor(),
            workspace=self.workspace,
            limits=self.limits,
            most_rows=self.settings.sandbox.max_rows,
            most_columns=self.settings.sandbox.max_columns,
            clock=now,
            seconds=time.perf_counter,
            new_id=lambda: uuid.uuid4().hex,
            announce=self._announce,
        )

    @property
    def limits(self) -> Limits:
        """The bounds of one run."""
        seconds = self.settings.validation.sandbox_timeout_seconds
        return Limits(wall_seconds=seconds, cpu_seconds=max(1, int(seconds)), memory_mb=self.settings.sandbox.memory_mb)

    def reference(self, name: str, data: object = None) -> DataRef:
        """Refer to a variable's snapshot, or with no variable to the file of that name."""
        return file_ref(name) if data is None else frame_ref(name, data, self.workspace / "snapshots")

    def ask(self, question: str, data: DataRef, name: str | None = None) -> flow.Staged | flow.Reused:
        """Answer a question; ends with a staged card, or with the answer of a tool that exists."""
        return flow.ask(self._request(question, data), self.services, name)

    def card(self, card_id: str) -> Card:
        """Return a card as it stands now."""
        return self.registry.card(card_id)

    def answer(
        self, card_id: str, fingerprint: str, step: Literal["output", "registration"], answer: str, notes: str | None
    ) -> Card:
        """Record a person's answer to one of the two questions, and return the card after it."""
        candidate = self.registry.candidate(card_id)
        choice = read_answer(
            Question(step), answer, notes, candidate.user_feedback, fingerprint, self.services, getpass.getuser()
        )
        return flow.decide(candidate.tool_id, choice, self.services)

    def undo(self, card_id: str) -> Card:
        """Take back the promotion of a card's tool."""
        card = self.registry.card(card_id)
        tool = self.registry.tool(card.tool_name)
        if tool.tool_id != card.card_id:
            raise DecisionError(
                f"`{card.tool_name}` was promoted again since, as version {tool.version}. Undo that version first."
            )
        self.registry.undo(card.tool_name, getpass.getuser())
        self._announce(RegistryChanged(tool_name=card.tool_name, change="removed"))
        return self.registry.card(card_id)

    def pick(self, card_id: str, chip: str) -> Card:
        """Answer a card's question in another of its readings; the card that it replaces is archived."""
        card = self.registry.card(card_id)
        if card.status is not ToolStatus.STAGED:
            raise AlreadyDecided(card.tool_name, card.status.value)
        intent = Intent.model_validate_json(self.registry.package(card_id).files[INTENT_FILE])
        chosen = next((other for other in intent.alternatives if chip in (other.label, other.reading)), None)
        if chosen is None:
            offered = ", ".join(f"`{other.label}`" for other in intent.alternatives) or "none"
            raise DecisionError(f"`{chip}` is no reading of this card. Readings to pick: {offered}.")
        if not Path(intent.input).exists():
            raise UnknownData(card.data_name)
        data = DataRef(kind=DataKind.FILE, name=card.data_name, path=intent.input)
        staged = flow.ask_again(self._request(card.question, data), intent.picked(chosen), self.services)
        notes = f"Another reading was picked: {chosen.reading}."
        withdrawn = UserFeedback(output=OutputVerdict.PENDING, decision=Decision.REJECTED, notes=notes, timestamp=now())
        flow.decide(card_id, Reject(withdrawn), self.services)
        return staged.card

    def active(self) -> tuple[PromotedTool, ...]:
        """Return the active tools, by name."""
        return self.registry.active()

    def call_tool(self, name: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        """Call an active tool in the sandbox, after comparing its files with the approval."""
        answer, wrong = self._called(self.registry.tool(name), arguments)
        if answer is None or answer.table is None or wrong is not None:
            text = answer.text if answer is not None and answer.text else f"`{name}` gave no result: {wrong}."
            return ToolAnswer(text=text, failed=True)
        table = table_of(read_table(answer.table), MOST_ROWS)
        return ToolAnswer(
            text=answer.text or "",
            structured={
                "columns": list(table.columns),
                "rows": [dict(zip(table.columns, row, strict=True)) for row in table.rows],
                "row_count": table.total_rows,
                "rows_in": rows_in if isinstance(rows_in := answer.details.get("rows_in"), int) else 0,
                "truncated": table.total_rows > len(table.rows),
                "result": answer.text or "",
            },
        )

    def run_tool(self, name: str, data: DataRef, arguments: Mapping[str, Any]) -> pd.DataFrame:
        """Call an active tool on a table and return its result as a frame; raises `ToolFailed` with the reason.

        The frame's `attrs["mcpgen"]` says which version computed it.
        """
        tool = self.registry.tool(name)
        answer, wrong = self._called(tool, {"file_path": data.path, **arguments})
        if answer is None or answer.table is None or wrong is not None:
            raise ToolFailed(f"`{name}` gave no result on `{data.name}`: {wrong}")
        frame = read_table(answer.table)
        frame.attrs["mcpgen"] = {"tool": tool.name, "version": tool.version, "fingerprint": tool.fingerprint}
        return frame

    def _called(self, tool: PromotedTool, arguments: Mapping[str, Any]) -> tuple[Answer | None, str | None]:
        """Call a tool once; returns its answer, and in words what went wrong if anything did."""
        with unpacked(self.registry.load_package(tool), self.workspace) as folder:
            run = call_all(self.sandbox, folder, tool.name, (arguments,), self.limits)
        answer = run.answers[0] if run.answers else None
        return answer, what_went_wrong(run, answer)

    def _request(self, question: str, data: DataRef) -> Request:
        return Request(request_id=uuid.uuid4().hex, question=question, data=data, asked_at=now())

    def _announce(self, event: Event) -> None:
        for listener in tuple(self.listeners):
            listener(event)


def build(settings: Settings) -> Runtime:
    """Put the product together from its settings; opens nothing yet."""
    workspace = Path(tempfile.mkdtemp(prefix="mcpgen-"))
    atexit.register(shutil.rmtree, workspace, ignore_errors=True)
    return Runtime(settings=settings, registry=Registry(settings.registry_path), workspace=workspace)


def current() -> Runtime:
    """Return the runtime of this process, built from its settings on first use."""
    # a cell and the card channel may ask at the same moment
    with _ONE_BUILDER:
        return _built()


@lru_cache(maxsize=1)
def _built() -> Runtime:
    return build(load_settings().values)


def state_folder() -> Path:
    """Return the folder for the server's state and the sandbox's proof: Jupyter's data folder, outside the registry."""
    return jupyter_folder("data") / "mcpgen"


def now() -> str:
    """Return the present moment in UTC, ISO 8601 to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
