"""Hop 5: the gates of a tool, run in the order of their registry and summed up in a report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from jupyter_mcpgen.metrics.quality import measure
from jupyter_mcpgen.model.event import GateFinished
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.model.validation import (
    CodeMetrics,
    Evidence,
    Finding,
    GateResult,
    Severity,
    TestResult,
    ValidationReport,
    Verdict,
)
from jupyter_mcpgen.model.written import Understood
from jupyter_mcpgen.pipeline.draft import Computed, Draft
from jupyter_mcpgen.pipeline.gates.gate import Cost, Found, Gate, Needs
from jupyter_mcpgen.pipeline.gates.registry import GATES, LATE
from jupyter_mcpgen.pipeline.gates.subject import Files, Subject
from jupyter_mcpgen.pipeline.material import Material
from jupyter_mcpgen.pipeline.scoring import compared_cases, pass_at_k, quality_evidence
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.scales import Scales

Seen = TypeVar("Seen", bound=Files)


def screen(draft: Draft, material: Material, services: Services) -> tuple[Finding, ...]:
    """Return what the gates find that must be known before the code runs at all."""
    subject = Subject(draft.package, services, draft, material, ())
    first = (gate for gate in GATES if (gate.needs, gate.cost) == (Needs.FILES, Cost.CHEAP))
    return tuple(finding for gate in first for finding in gate.check(subject, gate.seconds).findings)


def validate(computed: Computed, services: Services) -> ValidationReport:
    """Run the gates that a decision waits for; a gate that cannot run is a failed gate."""
    draft = computed.draft
    subject = Subject(draft.package, services, draft, computed.material, computed.trial.evidence)

    def tell(result: GateResult, number: int) -> None:
        told = GateFinished(
            request_id=computed.request.request_id,
            gate=result.gate,
            verdict=result.verdict,
            number=number,
            total=len(GATES),
        )
        services.announce(told)

    return _report(_run(GATES, subject, tell), computed.intent, services.scales)


def look_late(report: ValidationReport, package: Package, services: Services) -> ValidationReport:
    """Run the gates that no decision waited for, unless they ran; they add to a report and never change its verdict."""
    ran = {result.gate for result in report.gates}
    missing = tuple(gate for gate in LATE if gate.name not in ran)
    if not missing:
        return report
    looked = _run(missing, Files(package, services))
    return report.replace(
        findings=(*report.findings, *looked.findings),
        evidence=(*report.evidence, *looked.evidence),
        gates=(*report.gates, *looked.results),
    )


@dataclass
class _Looked:
    """What the gates found so far."""

    found: dict[str, Found] = field(default_factory=dict)
    results: list[GateResult] = field(default_factory=list)

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(finding for found in self.found.values() for finding in found.findings)

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        return tuple(item for found in self.found.values() for item in found.evidence)

    @property
    def cases(self) -> tuple[TestResult, ...]:
        return tuple(result for found in self.found.values() for result in found.results)

    @property
    def is_refused(self) -> bool:
        """Whether the code must not be run, or could not be."""
        return any(finding.severity is Severity.ERROR for finding in self.findings)


def _nobody(result: GateResult, number: int) -> None:
    """Tell nobody how far the gates are."""


def _run(gates: Sequence[Gate[Seen]], subject: Seen, tell: Callable[[GateResult, int], None] = _nobody) -> _Looked:
    looked = _Looked()
    seconds = subject.services.seconds
    for number, gate in enumerate(gates, 1):
        subject.services.go_on()
        begin = seconds()
        if gate.needs is not Needs.RUNS or not looked.is_refused:
            looked.found[gate.name] = gate.check(subject, gate.seconds)
        found = looked.found.get(gate.name)
        verdict = Verdict.NOT_RUN if found is None else found.verdict(blocking=gate.blocking)
        spent = round((seconds() - begin) * 1000, 1)
        looked.results.append(GateResult(gate=gate.name, verdict=verdict, blocking=gate.blocking, milliseconds=spent))
        tell(looked.results[-1], number)
    return looked


def _report(looked: _Looked, intent: Understood, scales: Scales) -> ValidationReport:
    cases = looked.cases
    metrics = _metrics(looked, intent, scales)
    failed = [case for case in cases if case.blocks]
    verdicts = {result.gate: result.verdict for result in looked.results}
    return ValidationReport(
        schema_ok=verdicts["contract"] is not Verdict.FAILED,
        tests_ok=bool(cases) and not failed,
        sandbox_ok=verdicts["sandbox_run"] is Verdict.PASSED,
        logs=tuple(f"{case.test_id}: {'passed' if case.passed else 'failed'}" for case in cases),
        errors=tuple(f"{case.test_id}: {case.error}" for case in failed) or None,
        code_metrics=metrics,
        findings=looked.findings,
        evidence=(*looked.evidence, *quality_evidence(metrics)),
        gates=tuple(looked.results),
    )


def _metrics(looked: _Looked, intent: Understood, scales: Scales) -> CodeMetrics | None:
    """Return what was measured; a tool that a gate blocks is poor whatever its figures."""
    bad = (Verdict.FAILED, Verdict.NOT_RUN)
    failed = any(result.blocking and result.verdict in bad for result in looked.results)
    compared, candidates = compared_cases(looked.cases, looked.evidence), pass_at_k(intent, failed=failed)
    return measure(looked.cases, scales, compared=compared, pass_at_k=candidates, failed=failed)
