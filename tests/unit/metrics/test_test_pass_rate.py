"""Cases are counted in all and by category."""

from __future__ import annotations

from jupyter_mcpgen.metrics.test_pass_rate import calculate_test_pass_rate
from jupyter_mcpgen.model.validation import CaseEnd, PassRates, TestResult


def test_cases_are_counted_in_all_and_by_category() -> None:
    results = [
        TestResult(test_id="empty", category="edge", passed=True),
        TestResult(test_id="nulls", category="edge", passed=False, error="KeyError"),
        TestResult(test_id="typical", category="normal", passed=True),
        TestResult(test_id="large", category="stress", passed=False, ended=CaseEnd.TIMEOUT),
    ]

    assert calculate_test_pass_rate(results) == PassRates(
        overall_pass_rate=0.5,
        total_tests=4,
        passed_tests=2,
        failed_tests=2,
        category_pass_rates={"edge": 0.5, "normal": 1.0, "stress": 0.0},
    )


def test_without_a_case_there_is_no_rate() -> None:
    assert calculate_test_pass_rate([]) == PassRates(
        overall_pass_rate=None, total_tests=0, passed_tests=0, failed_tests=0, category_pass_rates={}
    )
