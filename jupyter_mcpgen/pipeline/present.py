"""Hop 7: the card and the candidate, from everything that the hops before it found."""

from __future__ import annotations

from jupyter_mcpgen.data.references import snapshot_notes
from jupyter_mcpgen.model.candidate import ToolCandidate, ToolStatus
from jupyter_mcpgen.model.card import Card, Chip, StageTime
from jupyter_mcpgen.model.intent import Intent
from jupyter_mcpgen.model.package import code_hash, fingerprint, spec_hash
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.model.spec import DATA_PARAMETERS
from jupyter_mcpgen.model.tool import annotations_for
from jupyter_mcpgen.model.validation import Evidence, Severity, ValidationReport, Verdict, is_sound
from jupyter_mcpgen.pipeline.draft import Draft, Trial
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.plan.columns import used_columns
from jupyter_mcpgen.plan.explain import has_rows_behind
from jupyter_mcpgen.sandbox.capabilities import granted, sentences
from jupyter_mcpgen.sandbox.service import Sandbox

LEVELS = {
    0: "not confined (asked for by name)",
    1: "level 1: namespaces, Landlock, seccomp",
    2: "level 2: Landlock, seccomp, no network",
}
_ORDER = ("ties", "total", "counted_once", "joined", "rows", "two_ways", "unchanged")


def make_candidate(
    request: Request, draft: Draft, report: ValidationReport, trial: Trial, services: Services
) -> ToolCandidate:
    """Return the staged candidate of a draft."""
    contract, package = draft.contract, draft.package
    version = services.registry.next_version(contract.spec)
    annotations = annotations_for(contract.capabilities).model_dump()
    tool_id = f"{contract.spec.tool_name}-{services.new_id()[:8]}"
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
        status=ToolStatus.STAGED,
        validation_report=report.replace(evidence=(*report.evidence, *trial.evidence)),
        run_artifacts=trial.artifacts,
        created_at=request.asked_at,
        created_by=services.author.name,
        dependencies=contract.dependencies,
        capabilities=contract.capabilities,
    )


def make_card(
    request: Request,
    draft: Draft,
    candidate: ToolCandidate,
    trial: Trial,
    stages: tuple[StageTime, ...],
    services: Services,
) -> Card:
    """Return what a person sees before deciding."""
    report = candidate.validation_report
    evidence = report.evidence if report is not None else ()
    spec, intent = draft.contract.spec, draft.intent
    return Card(
        card_id=candidate.tool_id,
        tool_name=spec.tool_name,
        version=candidate.version,
        fingerprint=candidate.fingerprint,
        question=request.question,
        data_name=request.data.name,
        reading=intent.reading,
        chips=tuple(Chip(label=other.label, reading=other.reading) for other in intent.alternatives),
        status=candidate.status,
        sound=report is not None and report.passed and _ran(trial),
        table=trial.table,
        chart=trial.chart,
        explains=has_rows_behind(intent.plan),
        evidence_sentence=evidence_sentence(trial.evidence),
        evidence=evidence,
        findings=report.findings if report is not None else (),
        assumptions=(*intent.assumptions, *_notes(request, intent)),
        limitations=draft.contract.limitations,
        code=draft.package.code,
        signature=signature(candidate),
        parameters=spec.parameters,
        capabilities=candidate.capabilities,
        permissions=sentences(granted(candidate.capabilities)),
        sandbox=_confined_by(services.sandbox),
        stages=stages,
        created_at=candidate.created_at,
    )


def _notes(request: Request, intent: Intent) -> tuple[str, ...]:
    """Return what was changed, of what the plan uses or shows, when variables were written as snapshots."""
    plan = intent.plan
    if plan.second is None:
        return snapshot_notes(request.data, used_columns(plan).union(plan.result_schema.names))
    others = (request.other,) if request.other is not None else ()
    return tuple(note for ref in (request.data, *others) for note in snapshot_notes(ref))


def evidence_sentence(evidence: tuple[Evidence, ...]) -> str:
    """Say the evidence on the person's own data in one line; what failed comes first."""
    failed = [item.sentence for item in evidence if item.verdict in (Verdict.FAILED, Verdict.NOT_RUN)]
    if failed:
        return " ".join(failed)
    ranked = sorted(
        evidence, key=lambda item: next((i for i, key in enumerate(_ORDER) if item.check.startswith(key)), 9)
    )
    return " ".join(item.sentence for item in ranked)


def signature(candidate: ToolCandidate) -> str:
    """Return how to call the tool from Python."""
    files = [p.name for p in candidate.spec.parameters if p.name in DATA_PARAMETERS]
    parts = ["data", "other"][: len(files)]
    parts += [f"{p.name}={p.default!r}" for p in candidate.spec.parameters if not p.required]
    return f"tools.{candidate.spec.tool_name}({', '.join(parts)})"


def _confined_by(sandbox: Sandbox) -> str:
    level = int(sandbox.level)
    return LEVELS.get(level, f"level {level}: {sandbox.backend.name}")


def _ran(trial: Trial) -> bool:
    return bool(trial.evidence) and is_sound(trial.evidence) and bool(trial.table.columns)


def blocking(card: Card) -> tuple[str, ...]:
    """Return why a card cannot be approved, in sentences."""
    failed = [item.sentence for item in card.evidence if item.verdict in (Verdict.FAILED, Verdict.NOT_RUN)]
    return (*failed, *(finding.message for finding in card.findings if finding.severity is Severity.ERROR))
