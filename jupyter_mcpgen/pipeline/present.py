"""Hop 7: the card and the candidate, from everything that the hops before it found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, assert_never

from jupyter_mcpgen.data.references import how_read, snapshot_notes
from jupyter_mcpgen.model.candidate import ToolCandidate, ToolStatus
from jupyter_mcpgen.model.card import Card, Chip, StageTime
from jupyter_mcpgen.model.confirmation import Confirmation, Confirms
from jupyter_mcpgen.model.diff import Diff
from jupyter_mcpgen.model.file_preview import ReadFile
from jupyter_mcpgen.model.intent import Intent, ReadBy
from jupyter_mcpgen.model.package import GOLDEN, code_hash, fingerprint, spec_hash
from jupyter_mcpgen.model.request import DataKind, DataRef, Request
from jupyter_mcpgen.model.run import RunArtifacts
from jupyter_mcpgen.model.spec import DATA_PARAMETERS, ToolSpec
from jupyter_mcpgen.model.tool import annotations_for
from jupyter_mcpgen.model.validation import TWO_WAYS, Evidence, Place, Severity, ValidationReport, Verdict, is_sound
from jupyter_mcpgen.model.written import Understood
from jupyter_mcpgen.pipeline.again import alternatives_of
from jupyter_mcpgen.pipeline.charts import kinds_that_fit
from jupyter_mcpgen.pipeline.diff import diff_to
from jupyter_mcpgen.pipeline.draft import Computed, Reused, Trial
from jupyter_mcpgen.pipeline.files import may_be_read_otherwise
from jupyter_mcpgen.pipeline.output_format import as_text
from jupyter_mcpgen.pipeline.parts import shown_parts
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.plan.adding import adds_up
from jupyter_mcpgen.plan.columns import used_columns
from jupyter_mcpgen.plan.explain import has_rows_behind
from jupyter_mcpgen.registry.versions import FIRST
from jupyter_mcpgen.sandbox.capabilities import granted, sentences
from jupyter_mcpgen.sandbox.service import Sandbox
from jupyter_mcpgen.wording import in_milliseconds, typed_option

LEVELS = {
    0: "not confined (asked for by name)",
    1: "level 1: namespaces, Landlock, seccomp",
    2: "level 2: Landlock, seccomp, no network",
}
_ORDER = ("two_ways", "rows")
"""What the line of evidence says first."""


def keep(computed: Computed, report: ValidationReport | None, times: Sequence[StageTime], services: Services) -> Card:
    """Store an answer with what its gates found, or as a draft before they ran; returns its card."""
    candidate = make_candidate(computed, report, services)
    diff = diff_to(computed, candidate, services) if candidate.status is ToolStatus.STAGED else None
    card = make_card(computed, candidate, tuple(times), services, diff)
    services.registry.stage(candidate, computed.draft.package, card)
    return card


def make_candidate(computed: Computed, report: ValidationReport | None, services: Services) -> ToolCandidate:
    """Return the candidate of an answer: a draft before its gates ran, then staged, or rejected by them."""
    contract, package, tool_id = computed.draft.contract, computed.draft.package, computed.tool_id
    version = FIRST if computed.follows is None else services.registry.next_version(contract.spec)
    annotations = annotations_for(contract.capabilities).model_dump()
    return ToolCandidate(
        tool_id=tool_id,
        version=version,
        spec=contract.spec,
        package_path=f"staging/candidates/{tool_id}_{version}",
        code_hash=code_hash(package),
        spec_hash=spec_hash(contract.spec),
        fingerprint=fingerprint(
            contract.spec, version, package, annotations, contract.dependencies, contract.capabilities
        ),
        status=_status(computed.trial, report),
        validation_report=report,
        run_artifacts=_artifacts(computed),
        created_at=computed.request.asked_at,
        created_by=services.author.name,
        dependencies=contract.dependencies,
        capabilities=contract.capabilities,
    )


def _artifacts(computed: Computed) -> RunArtifacts:
    """Return what the run left, with what the answer assumes and does not cover beside the facts about the run."""
    ran = computed.trial.artifacts
    told = {"assumptions": list(_assumptions(computed)), "limitations": list(computed.draft.contract.limitations)}
    return ran.replace(metadata={**ran.metadata, **told})


def _assumptions(computed: Computed) -> tuple[str, ...]:
    return (*computed.intent.assumptions, *_notes(computed.request, computed.intent))


def make_card(
    computed: Computed,
    candidate: ToolCandidate,
    stages: tuple[StageTime, ...],
    services: Services,
    diff: Diff | None = None,
) -> Card:
    """Return what a person sees: before deciding, or, of a draft, while the gates are still at work."""
    report, trial, intent = candidate.validation_report, computed.trial, computed.intent
    evidence = report.evidence if report is not None else trial.evidence
    spec, package = candidate.spec, computed.draft.package
    return Card(
        card_id=candidate.tool_id,
        tool_name=spec.tool_name,
        version=candidate.version,
        fingerprint=candidate.fingerprint,
        question=computed.request.question,
        data_name=computed.request.data.name,
        reading=intent.reading,
        chips=chips_of(intent),
        parts=shown_parts(intent),
        status=candidate.status,
        sound=candidate.status is ToolStatus.STAGED,
        table=trial.table,
        text=as_text(trial.table, intent.output_format),
        ran=_ran_over(trial),
        chart=trial.chart,
        drawable=() if trial.result is None else kinds_that_fit(trial.result),
        adds_up=isinstance(intent, Intent) and adds_up(intent.plan),
        figures=trial.figures,
        explains=isinstance(intent, Intent) and has_rows_behind(intent.plan),
        evidence_sentence=evidence_sentence(evidence),
        read_by=read_by(intent),
        confirmations=tuple(_confirmations(intent, evidence)),
        evidence=evidence,
        findings=report.findings if report is not None else computed.findings,
        assumptions=_assumptions(computed),
        files=read_files(computed.material.refs),
        limitations=computed.draft.contract.limitations,
        code=package.code,
        signature=signature(candidate),
        parameters=spec.parameters,
        capabilities=candidate.capabilities,
        permissions=sentences(granted(candidate.capabilities)),
        sandbox=confined_by(services.sandbox),
        verify=_verify_command(computed, candidate) if GOLDEN in package.files else "",
        stages=stages,
        is_named=computed.request.tool_name is not None,
        diff=diff,
        created_at=candidate.created_at,
    )


def _verify_command(computed: Computed, candidate: ToolCandidate) -> str:
    material = computed.material
    tables = [("data", material.ref.name), *([("with", material.other.ref.name)] if material.other else [])]
    options = " ".join(typed_option(option, name) for option, name in tables)
    return f"mcpgen verify {candidate.tool_id} {options}"


def make_reused_card(reused: Reused, services: Services) -> Card:
    """Return the card of an answer that a tool of the person's gave; it is shown and kept nowhere."""
    tool, intent, trial, request = reused.reuse.tool, reused.intent, reused.trial, reused.request
    package = services.registry.load_package(tool)
    return Card(
        card_id=f"{tool.name}-{request.request_id[:8]}",
        tool_name=tool.name,
        version=tool.version,
        fingerprint=tool.fingerprint,
        question=request.question,
        data_name=request.data.name,
        reading=intent.reading,
        chips=chips_of(intent),
        parts=shown_parts(intent),
        status=ToolStatus.PROMOTED,
        sound=_ran(trial),
        table=trial.table,
        text=as_text(trial.table, intent.output_format),
        ran=_ran_over(trial),
        chart=trial.chart,
        drawable=() if trial.result is None else kinds_that_fit(trial.result),
        adds_up=adds_up(intent.plan),
        figures=trial.figures,
        explains=has_rows_behind(intent.plan),
        evidence_sentence=evidence_sentence(trial.evidence),
        read_by=read_by(intent),
        evidence=trial.evidence,
        assumptions=(*intent.assumptions, *_notes(request, intent)),
        files=read_files([each for each in (request.data, request.other) if each is not None]),
        code=package.code,
        signature=call_of(tool.name, tool.spec, reused.reuse.arguments),
        parameters=tool.spec.parameters,
        capabilities=tool.capabilities,
        permissions=sentences(granted(tool.capabilities)),
        sandbox=confined_by(services.sandbox),
        stages=reused.times,
        reused=True,
        created_at=request.asked_at,
    )


def read_by(intent: Understood) -> str:
    """Say who read the question; that every word of it was read is no proof that it is meant so.

    What a person wrote as SQL was read by nobody.
    """
    match intent.read_by:
        case ReadBy.PLANNER | ReadBy.MODEL:
            return f"Read by the {intent.read_by}: is this what you meant?"
        case ReadBy.PERSON:
            return "A person picked this reading."
        case ReadBy.BOTH:
            return "Read the same way by two readers, the planner and the model."
        case ReadBy.SQL:
            return "Asked in SQL, so nobody had to interpret it."
        case _:
            assert_never(intent.read_by)


def _confirmations(intent: Understood, evidence: tuple[Evidence, ...]) -> Iterator[Confirmation]:
    """Yield what an approval has to confirm: a reading that only a model made, a result that nothing else computed."""
    if intent.read_by is ReadBy.MODEL:
        yield Confirmation(
            confirms=Confirms.AS_READ,
            sentence=f"The model alone read the question, as “{intent.reading}”. Is this what you meant?",
            yes="Yes, this is what I meant",
        )
    if any(item.check == TWO_WAYS and item.verdict is Verdict.NOT_APPLICABLE for item in evidence):
        yield Confirmation(
            confirms=Confirms.UNCHECKED,
            sentence="Nothing computed the result a second time. Did you check it yourself?",
            yes="Yes, I checked it",
        )


def chips_of(intent: Understood) -> tuple[Chip, ...]:
    """Return the other readings to switch to."""
    return tuple(Chip(label=other.label, reading=other.reading) for other in alternatives_of(intent))


def _notes(request: Request, intent: Understood) -> tuple[str, ...]:
    """Return what was changed, of what the plan uses or shows, when variables were written as snapshots."""
    if isinstance(intent, Intent) and intent.plan.second is None:
        plan = intent.plan
        return snapshot_notes(request.data, used_columns(plan).union(plan.result_schema.names))
    others = (request.other,) if request.other is not None else ()
    return tuple(note for ref in (request.data, *others) for note in snapshot_notes(ref))


def read_files(refs: Sequence[DataRef]) -> tuple[ReadFile, ...]:
    """Return the files of which a person can say how they are read: texts, and files of which a table was chosen."""
    return tuple(
        ReadFile(name=ref.name, note=note, is_other=place > 0)
        for place, ref in enumerate(refs)
        if ref.kind is DataKind.FILE and (note := how_read(ref)) is not None and may_be_read_otherwise(ref)
    )


def evidence_sentence(evidence: tuple[Evidence, ...]) -> str:
    """Sum the evidence up in one line; where a check failed or could not run, the line says just that."""
    bad = [item.sentence for item in evidence if not item.is_good]
    if bad:
        return " ".join(bad)
    line = [item for item in evidence if item.place is Place.LINE]
    return " ".join(item.sentence for item in sorted(line, key=_rank))


def _rank(item: Evidence) -> int:
    return next((place for place, check in enumerate(_ORDER) if item.check.startswith(check)), len(_ORDER))


def signature(candidate: ToolCandidate) -> str:
    """Return how to call the tool from Python."""
    defaults = {p.name: p.default for p in candidate.spec.parameters if not p.required}
    return call_of(candidate.spec.tool_name, candidate.spec, defaults)


def call_of(name: str, spec: ToolSpec, arguments: Mapping[str, Any]) -> str:
    """Return a call of a tool from Python with these arguments."""
    files = [p.name for p in spec.parameters if p.name in DATA_PARAMETERS]
    open_ = [p.name for p in spec.parameters if p.required and p.name not in (*files, *arguments)]
    parts = [*["data", "other"][: len(files)], *(f"{name}=…" for name in open_)]
    return f"tools.{name}({', '.join([*parts, *(f'{key}={value!r}' for key, value in arguments.items())])})"


def _ran_over(trial: Trial) -> str:
    """Say over how many rows the code ran, and how long (seed 000, step 6); nothing where it gave no result."""
    ran = trial.artifacts
    if ran.rows_processed is None or not ran.result:
        return ""
    rows = f"{ran.rows_processed:,} {'row' if ran.rows_processed == 1 else 'rows'}"
    return f"Ran over {rows} in {in_milliseconds(ran.execution_time_ms)}."


def confined_by(sandbox: Sandbox) -> str:
    """Say how strongly a tool is confined."""
    level = int(sandbox.level)
    return LEVELS.get(level, f"level {level}: {sandbox.backend.name}")


def _status(trial: Trial, report: ValidationReport | None) -> ToolStatus:
    if report is None:
        return ToolStatus.DRAFT
    return ToolStatus.STAGED if report.passed and _ran(trial) else ToolStatus.REJECTED


def _ran(trial: Trial) -> bool:
    return bool(trial.evidence) and is_sound(trial.evidence) and bool(trial.table.columns)


def blocking(card: Card) -> tuple[str, ...]:
    """Return why a card cannot be approved, in sentences."""
    failed = [item.sentence for item in card.evidence if not item.is_good]
    return (*failed, *(finding.message for finding in card.findings if finding.severity is Severity.ERROR))
