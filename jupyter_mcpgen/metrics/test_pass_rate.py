"""How many generated cases a tool passed, in all and by category."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from jupyter_mcpgen.model.validation import PassRates, TestResult


def calculate_test_pass_rate(test_results: Sequence[TestResult]) -> PassRates:
    """Count the cases that passed; without a case there is no rate."""
    total = len(test_results)
    passed = sum(result.passed for result in test_results)
    in_category = Counter(result.category for result in test_results)
    passed_in = Counter(result.category for result in test_results if result.passed)
    return PassRates(
        overall_pass_rate=passed / total if total else None,
        total_tests=total,
        passed_tests=passed,
        failed_tests=total - passed,
        category_pass_rates={category: passed_in[category] / number for category, number in in_category.items()},
    )
