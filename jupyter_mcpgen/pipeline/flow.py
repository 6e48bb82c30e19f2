"""The whole product in three transactions: `compute` an answer, `stage` it as a tool, `decide` about it.

`ask` is the first two. Neither waits for a person, and the third does nothing without one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from jupyter_mcpgen.errors import AlreadyDecided, McpgenError, QuestionStopped, UnsoundApproval
from jupyter_mcpgen.model.card import Card, StageTime, failed_gates
from jupyter_mcpgen.model.event import (
    CardRejected,
    ReadingFound,
    Stage,
    StageFinished,
    StageStarted,
    ToolCalled,
    ToolGenerated,
)
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.model.validation import is_sound
from jupyter_mcpgen.model.written import Understood
from jupyter_mcpgen.pipeline.beside import beside
from jupyter_mcpgen.pipeline.code import was_written, write_code
from jupyter_mcpgen.pipeline.draft import Computed, Reuse, Reused, Staged
from jupyter_mcpgen.pipeline.feedback import Approve, Choice, Reject, Undecided
from jupyter_mcpgen.pipeline.gap import find_tool, find_waiting
from jupyter_mcpgen.pipeline.golden import with_golden
from jupyter_mcpgen.pipeline.held import hold_to_query
from jupyter_mcpgen.pipeline.intent import extract_intent, keep_first_rows
from jupyter_mcpgen.pipeline.material import Material, load_all
from jupyter_mcpgen.pipeline.near import with_near
from jupyter_mcpgen.pipeline.nothing import refuse_nothing
from jupyter_mcpgen.pipeline.own_tests import own_tests, with_tests
from jupyter_mcpgen.pipeline.present import blocking, chips_of, keep, read_by
from jupyter_mcpgen.pipeline.promote import promote
from jupyter_mcpgen.pipeline.reject import reject
from jupyter_mcpgen.pipeline.repair import Round, best_of, repaired
from jupyter_mcpgen.pipeline.reuse import use_again
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.spec import write_contract
from jupyter_mcpgen.pipeline.trial import try_on_data
from jupyter_mcpgen.pipeline.validate import look_late, screen, validate


def ask(request: Request, services: Services) -> Staged | Reused:
    """Answer a question: by an existing tool, or by a new one that is staged with its evidence."""
    computed = compute(request, services)
    return computed if isinstance(computed, Reused) else stage(computed, services)


def compute(request: Request, services: Services) -> Computed | Reused:
    """Compute the answer on the person's data in both ways and account for it; nothing is kept yet.

    Where the person named a tool of theirs, the answer is the draft of its next version.
    Raises a `McpgenError` that says what to do, among them `AskedBack` for a question of several readings, and
    `FoundNothing` where no row meets the conditions.
    """
    clock = _Stages(request.request_id, services)
    with clock.stage(Stage.LOAD):
        material = load_all(request, services)
    with clock.stage(Stage.INTENT):
        intent = extract_intent(request, material, services)
        intent = hold_to_query(intent, request, material, services)
        material = material.arranged(intent)
        intent = keep_first_rows(intent, material, services.limits)
    clock.tell_reading(intent)
    with clock.stage(Stage.GAP):
        found = find_tool(intent, request.tool_name, services, request.question, material.readings)
    if isinstance(found, Reuse):
        with clock.stage(Stage.TRIAL):
            trial = use_again(found, material, services)
            spent, failed = trial.artifacts.execution_time_ms, not is_sound(trial.evidence)
            services.announce(ToolCalled(tool_name=found.tool.name, milliseconds=spent, failed=failed))
            refuse_nothing(request, intent, trial, material, services)
        return Reused(request, material, found, trial, tuple(clock.times))
    computed = _compute(request, intent, material, request.tool_name, clock, services)
    return computed if found is None else replace(computed, trial=with_near(computed.trial, found))


def compute_as(request: Request, intent: Understood, services: Services, kept: str | None = None) -> Computed:
    """Compute the answer in a reading that a person picked, or under a name that they chose.

    `kept` is what it is called where they chose none.
    """
    clock = _Stages(request.request_id, services)
    with clock.stage(Stage.LOAD):
        material = load_all(request, services)
        intent = hold_to_query(intent, request, material, services)
        material = material.arranged(intent)
    clock.tell_reading(intent)
    return _compute(request, intent, material, request.tool_name or kept, clock, services)


def _compute(
    request: Request, intent: Understood, material: Material, name: str | None, clock: _Stages, services: Services
) -> Computed:
    intent = intent.replace(tables=material.refs)
    with clock.stage(Stage.SPEC):
        contract = write_contract(intent, name, services, material.readings)
        follows = services.registry.predecessor(contract.spec.tool_name) if request.tool_name is not None else None
    with clock.stage(Stage.CODE):
        draft = write_code(intent, contract, services)
    with clock.stage(Stage.SCREEN):
        findings = screen(draft, material, services)
    with clock.stage(Stage.TRIAL):
        trial = try_on_data(draft, findings, material, services)
        refuse_nothing(request, intent, trial, material, services)
    tool_id = f"{contract.spec.tool_name}-{services.new_id()[:8]}"
    return Computed(request, material, draft, findings, trial, tool_id, tuple(clock.times), follows)


def stage(computed: Computed, services: Services) -> Staged:
    """Keep an answer as a draft, run the gates over its code, and keep it as a card that waits for a decision.

    The same question over the same data gives the card that waits already. What the gates reject goes to the archive.
    Of an answer that was stopped nothing is kept.
    """
    waiting = find_waiting(computed, services)
    if waiting is not None:
        return Staged(waiting, computed)
    try:
        return _staged(computed, services)
    except QuestionStopped:
        services.registry.discard_draft(computed.tool_id)
        raise


def _staged(computed: Computed, services: Services) -> Staged:
    clock = _Stages(computed.request.request_id, services, list(computed.times))
    services.go_on()
    keep(computed, None, clock.times, services)
    with clock.stage(Stage.VALIDATE):
        rounds = [_looked_at(computed, services)]
        while not rounds[-1].report.passed and len(rounds) <= services.most_repairs:
            intent = repaired(rounds, services)
            if intent is None:
                break
            rounds.append(_looked_at(_in_its_place(computed, intent, clock, services), services))
        best = best_of(rounds)
        tool, report = with_golden(best.computed, best.report, services), best.report
    with clock.stage(Stage.PRESENT):
        services.go_beyond_stopping()
        card = keep(tool, report, clock.times, services)
    services.announce(
        ToolGenerated(
            request_id=computed.request.request_id,
            tool_name=card.tool_name,
            milliseconds=round(sum(each.milliseconds for each in clock.times), 1),
            passed=report.passed,
        )
    )
    return Staged(card, tool)


def _looked_at(computed: Computed, services: Services) -> Round:
    """Run the gates over an answer's code, and beside them the tests that will travel with it."""
    with beside(lambda: own_tests(computed, services)) as tested:
        report = validate(computed, services)
    return Round(*with_tests(computed, tested.result(), report))


def _in_its_place(first: Computed, intent: Understood, clock: _Stages, services: Services) -> Computed:
    """Compute an answer by repaired code, under the id and the name of the first one."""
    name = first.draft.contract.spec.tool_name
    return replace(_compute(first.request, intent, first.material, name, clock, services), tool_id=first.tool_id)


def look_late_at(card_id: str, services: Services) -> Card:
    """Run the gates that no decision waits for over a card's code, and return the card with what they found.

    A card that was looked at already, or that nobody can decide about any more, stays as it is.
    """
    candidate = services.registry.candidate(card_id)
    card, report = services.registry.card(card_id), candidate.validation_report
    if report is None or not card.status.waits:
        return card
    looked = look_late(report, services.registry.package(card_id), services)
    if looked == report:
        return card
    return services.registry.record_report(card.card_id, looked)


def decide(card_id: str, choice: Choice, services: Services) -> Card:
    """Carry out a decision about a staged card and return the card as it stands afterwards."""
    card = services.registry.card(card_id)
    if failed_gates(card) and isinstance(choice, Approve):
        raise UnsoundApproval(card.tool_name, blocking(card))
    if not card.status.waits:
        raise AlreadyDecided(card.tool_name, card.status.value)
    match choice:
        case Approve():
            if was_written(services.registry.package(card.card_id)):
                card = look_late_at(card.card_id, services)
            promote(card, choice, services)
        case Reject():
            reject(card, choice, services)
            services.announce(CardRejected(tool_name=card.tool_name))
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
        self.services.go_on()
        self.services.announce(StageStarted(request_id=self.request_id, stage=stage))
        start = self.services.seconds()
        try:
            yield
        except McpgenError:
            self.services.go_on()  # what was stopped fails in many ways
            raise
        spent = round((self.services.seconds() - start) * 1000, 1)
        self.times.append(StageTime(stage=stage.value, milliseconds=spent))
        self.services.announce(StageFinished(request_id=self.request_id, stage=stage, milliseconds=spent))
        self.services.go_on()

    def tell_reading(self, intent: Understood) -> None:
        """Announce how the question is understood."""
        self.services.announce(
            ReadingFound(
                request_id=self.request_id, reading=intent.reading, chips=chips_of(intent), read_by=read_by(intent)
            )
        )
