"""Quality gates: the figures of an analysis held against thresholds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import ValidationError

from jupyter_mcpgen.errors import AnalysisError, ConfigurationError, did_you_mean
from jupyter_mcpgen.model.analysis import GateLimits, GateReport, GateResult, ProjectAnalysis
from jupyter_mcpgen.model.validation import Severity


def limits_of(given: Mapping[str, object]) -> GateLimits:
    """Return thresholds, with the defaults for those that are not given; raises `ConfigurationError`."""
    known = tuple(GateLimits.model_fields)
    unknown = next((name for name in given if name not in known), None)
    if unknown is not None:
        listed = ", ".join(f"`{name}`" for name in known)
        raise ConfigurationError(f"There is no gate `{unknown}`.{did_you_mean(unknown, known)} The gates: {listed}.")
    try:
        return GateLimits.model_validate(dict(given))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = ".".join(map(str, first["loc"]))
        raise ConfigurationError(f"The gate `{name}` cannot be {first['input']!r}: {first['msg']}.") from error


def check_gates(
    analysis: ProjectAnalysis, limits: GateLimits, *, asked: tuple[str, ...] = (), fail_on_violation: bool = True
) -> GateReport:
    """Return how each gate ended; raises `AnalysisError` where a gate was `asked` for and nothing measures it."""
    measured: dict[str, float | None] = {
        "max_complexity": analysis.metrics.avg_complexity,
        "min_maintainability": analysis.metrics.avg_maintainability,
        "max_errors": analysis.issue_summary[Severity.ERROR],
        "max_warnings": analysis.issue_summary[Severity.WARNING],
    }
    missing = tuple(name for name, actual in measured.items() if actual is None)
    wanted = next((name for name in asked if name in missing), None)
    if wanted is not None:
        raise AnalysisError(f"No checker measures `{wanted}` for {', '.join(sorted(analysis.languages))}.")
    results = tuple(
        _result(name, getattr(limits, name), actual) for name, actual in measured.items() if actual is not None
    )
    passed = sum(result.passed for result in results)
    fits = passed == len(results)
    status: Literal["pass", "fail", "warn"] = (
        "pass" if fits and not (analysis.unchecked or analysis.skipped) else "warn"
    )
    return GateReport(
        success=fits or not fail_on_violation,
        gates_checked=len(results),
        gates_passed=passed,
        results=results,
        overall_status="fail" if fail_on_violation and not fits else status,
        not_measured=missing,
        unchecked=analysis.unchecked,
        skipped=analysis.skipped,
    )


def _result(gate: str, threshold: float, actual: float) -> GateResult:
    margin = actual - threshold if gate.startswith("min_") else threshold - actual
    return GateResult(gate=gate, passed=margin >= 0, threshold=threshold, actual=actual, margin=round(margin, 4))
