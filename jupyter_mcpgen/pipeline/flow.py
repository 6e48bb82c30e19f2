"""The whole product in two transactions: `ask` ends with a staged card, `decide` carries out a person's decision.

The first never waits for a person; the second does nothing without one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jupyter_mcpgen.errors import AlreadyDecided
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.card import Card, StageTime
from jupyter_mcpgen.model.event import Stage, StageFinished, StageStarted
from jupyter_mcpgen.model.intent import Intent
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.pipeline.code import write_code
from jupyter_mcpgen.pipeline.draft import Trial
from jupyter_mcpgen.pipeline.feedback import Approve, Choice, Reject, Undecided
from jupyter_mcpgen.pipeline.gap import Reuse, find_tool, find_waiting
from jupyter_mcpgen.pipeline.intent import extract_intent
from jupyter_mcpgen.pipeline.material import Material, load_all
from jupyter_mcpgen.pipeline.present import make_candidate, make_card
from jupyter_mcpgen.pipeline.promote import promote
from jupyter_mcpgen.pipeline.reject import reject
from jupyter_mcpgen.pipeline.reuse import run_waiting, use_again
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.spec import write_contract
from jupyter_mcpgen.pipeline.trial import try_on_data
from jupyter_mcpgen.pipeline.validate import validate
from jupyter_mcpgen.plan.plan import Plan

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Staged:
    """A new tool waits for a decision."""

    card: Card
    plan: Plan
    result: pd.DataFrame | None = None
    """All rows of the result, of which the card shows the first; none where the tool gave no result."""


@dataclass(frozen=True)
class Reused:
    """A tool that exists already gave the answer."""

    reuse: Reuse
    plan: Plan
    trial: Trial


def ask(request: Request, services: Services, name: str | None = None) -> Staged | Reused:
    """Answer a question: by an existing tool, or by a new one that is staged with its evidence.

    The same question over the same data gives the card that waits already.
    """
    clock = _Stages(request.request_id, services)
    material = load_all(request, services)
    with clock.stage(Stage.INTENT):
        intent = extract_intent(request, material, services)
        material = material.arranged(intent.plan)
    with clock.stage(Stage.GAP):
        reuse = find_tool(intent, services) if name is None else None
    if reuse is not None:
        with clock.stage(Stage.TRIAL):
            return Reused(reuse, intent.plan, use_again(reuse, material, services))
    waiting = find_waiting(request, intent, material, services) if name is None else None
    if waiting is not None:
        with clock.stage(Stage.TRIAL):
            return Staged(waiting, intent.plan, run_waiting(waiting, intent, material, services).result)
    return _make(request, intent, material, name, clock, services)


def ask_again(request: Request, intent: Intent, services: Services) -> Staged:
    """Answer a question in a reading that a person picked."""
    material = load_all(request, services).arranged(intent.plan)
    return _make(request, intent, material, None, _Stages(request.request_id, services), services)


def _make(
    request: Request, intent: Intent, material: Material, name: str | None, clock: _Stages, services: Services
) -> Staged:
    with clock.stage(Stage.SPEC):
        contract = write_contract(intent, name, services)
    with clock.stage(Stage.CODE):
        draft = write_code(intent, contract, services)
    with clock.stage(Stage.VALIDATE):
        report = validate(draft, material, services)
    with clock.stage(Stage.TRIAL):
        trial = try_on_data(draft, report, material, services)
    with clock.stage(Stage.PRESENT):
        candidate = make_candidate(request, draft, report, trial, services)
        card = make_card(request, draft, candidate, trial, tuple(clock.times), services)
        services.registry.stage(candidate, draft.package, card)
    return Staged(card, intent.plan, trial.result)


def decide(card_id: str, choice: Choice, services: Services) -> Card:
    """Carry out a decision about a staged card and return the card as it stands afterwards."""
    card = services.registry.card(card_id)
    if card.status is not ToolStatus.STAGED:
        raise AlreadyDecided(card.tool_name, card.status.value)
    match choice:
        case Approve():
            promote(card, choice, services)
        case Reject():
            reject(card, choice, services)
        case Undecided(feedback):
            services.registry.record_feedback(card.card_id, feedback)
    return services.registry.card(card.card_id)


@dataclass
class _Stages:
    """Announces each hop and keeps its time."""

    request_id: str
    services: Services
    times: list[StageTime] = field(default_factory=list)

    @contextmanager
    def stage(self, stage: Stage) -> Iterator[None]:
        self.services.announce(StageStarted(request_id=self.request_id, stage=stage))
        start = self.services.seconds()
        yield
        spent = round((self.services.seconds() - start) * 1000, 1)
        self.times.append(StageTime(stage=stage.value, milliseconds=spent))
        self.services.announce(StageFinished(request_id=self.request_id, stage=stage, milliseconds=spent))
