"""Quality gates compare what was measured with thresholds, and never pass what was not measured."""

from __future__ import annotations

from typing import Any

import pytest

from jupyter_mcpgen.coding.gates import check_gates, limits_of
from jupyter_mcpgen.errors import AnalysisError, ConfigurationError
from jupyter_mcpgen.model.analysis import GateLimits, GateResult, ProjectAnalysis, ProjectMetrics, Unchecked
from jupyter_mcpgen.model.validation import Severity


def analysis(complexity: float | None = 4.5, maintainability: float | None = 70, errors: int = 0) -> ProjectAnalysis:
    return ProjectAnalysis(
        path="nursery",
        files_analyzed=3,
        total_issues=errors + 50,
        issue_summary={Severity.ERROR: errors, Severity.WARNING: 50, Severity.INFO: 0},
        quality_score=80,
        metrics=ProjectMetrics(total_loc=900, avg_complexity=complexity, avg_maintainability=maintainability),
        top_issues=(),
        files_with_issues=(),
        languages={"python": 3},
        checkers=("ruff",),
    )


def test_the_defaults_are_the_seeds() -> None:
    assert limits_of({}) == GateLimits(max_complexity=10, min_maintainability=50, max_errors=0, max_warnings=50)


def test_a_figure_at_its_threshold_passes_and_the_margin_is_the_distance() -> None:
    report = check_gates(analysis(), limits_of({}))

    assert (report.success, report.overall_status, report.gates_checked, report.gates_passed) == (True, "pass", 4, 4)
    assert report.results == (
        GateResult(gate="max_complexity", passed=True, threshold=10, actual=4.5, margin=5.5),
        GateResult(gate="min_maintainability", passed=True, threshold=50, actual=70, margin=20),
        GateResult(gate="max_errors", passed=True, threshold=0, actual=0, margin=0),
        GateResult(gate="max_warnings", passed=True, threshold=50, actual=50, margin=0),
    )


@pytest.mark.parametrize(("fails", "status", "success"), [(True, "fail", False), (False, "warn", True)])
def test_a_violation_fails_or_warns(fails: bool, status: str, success: bool) -> None:
    report = check_gates(analysis(errors=2), limits_of({"min_maintainability": 70.5}), fail_on_violation=fails)

    assert (report.overall_status, report.success, report.gates_passed) == (status, success, 2)
    assert [(one.gate, one.margin) for one in report.results if not one.passed] == [
        ("min_maintainability", -0.5),
        ("max_errors", -2),
    ]


def test_what_nothing_measures_is_not_passed() -> None:
    report = check_gates(analysis(maintainability=None), limits_of({}))

    assert (report.gates_checked, report.not_measured) == (3, ("min_maintainability",))
    with pytest.raises(AnalysisError, match="`min_maintainability`"):
        check_gates(analysis(maintainability=None), limits_of({}), asked=("min_maintainability",))


def test_what_could_not_be_checked_is_a_warning_and_no_pass() -> None:
    lacking = analysis().replace(unchecked=(Unchecked(file="a.c", checker="gcc", why="`sow.h` is not installed here"),))

    report = check_gates(lacking, limits_of({}))

    assert (report.success, report.overall_status, report.unchecked) == (True, "warn", lacking.unchecked)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"max_complexty": 3}, r"no gate `max_complexty`.*`max_complexity`"),
        ({"max_errors": -1}, "`max_errors` cannot be -1"),
        ({"min_maintainability": 101}, "`min_maintainability` cannot be 101"),
        ({"max_warnings": "few"}, "`max_warnings` cannot be 'few'"),
    ],
)
def test_thresholds_that_mean_nothing_are_refused(given: dict[str, Any], told: str) -> None:
    with pytest.raises(ConfigurationError, match=told):
        limits_of(given)
