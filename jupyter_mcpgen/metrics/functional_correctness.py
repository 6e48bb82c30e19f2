"""Whether a tool gives what a reference gives, and one score of that and of the cases it passed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jupyter_mcpgen.metrics.outputs import difference_of
from jupyter_mcpgen.model.validation import FunctionalCorrectnessMetrics, TestResult

OF_TESTS, OF_REFERENCE = 0.6, 0.4
"""How much the cases and the reference count in the score (seed 000 §4.4.3)."""


@dataclass(frozen=True)
class Comparison:
    """What came of one input; `message` says how the tool differed from the reference."""

    message: str | None = None

    @property
    def matched(self) -> bool:
        """True where both gave the same."""
        return self.message is None


def validate_against_reference(
    generated_tool: Callable[..., object],
    reference_tool: Callable[..., object],
    test_inputs: Sequence[Mapping[str, Any]],
    ordered_by: Sequence[str] | None = None,
) -> float | None:
    """Return the share of inputs for which a tool gives what the reference gives; None without an input.

    Both are called in this process, so never with code that nobody has checked. `ordered_by` are the columns that a
    result is sorted by: rows that are equal in them may stand in any order.
    """
    found = compare_with_reference(generated_tool, reference_tool, test_inputs, ordered_by)
    return sum(each.matched for each in found) / len(found) if found else None


def compare_with_reference(
    generated_tool: Callable[..., object],
    reference_tool: Callable[..., object],
    test_inputs: Sequence[Mapping[str, Any]],
    ordered_by: Sequence[str] | None = None,
) -> tuple[Comparison, ...]:
    """Return for each input how a tool differs from the reference; what the reference refuses must be refused."""
    return tuple(_compare(generated_tool, reference_tool, given, ordered_by) for given in test_inputs)


def _compare(
    generated: Callable[..., object],
    reference: Callable[..., object],
    given: Mapping[str, Any],
    ordered_by: Sequence[str] | None,
) -> Comparison:
    expected, refused = _called(reference, given)
    result, failed = _called(generated, given)
    if refused is not None or failed is not None:
        if refused is not None and failed is not None:
            return Comparison()
        return Comparison(f"it failed: {failed}" if failed is not None else f"it did not refuse the input: {refused}")
    return Comparison(difference_of(result, expected, ordered_by))


def _called(tool: Callable[..., object], given: Mapping[str, Any]) -> tuple[object, str | None]:
    """Return what a tool gives, or its error in words: an error is a result here, whatever its type."""
    try:
        return tool(**given), None
    except Exception as error:
        return None, f"{type(error).__name__}: {error}"


def calculate_correctness_score(reference_similarity: float | None, test_pass_rate: float | None) -> float | None:
    """Return 60 % of the cases and 40 % of the reference, or the one of them that there is."""
    if reference_similarity is None:
        return test_pass_rate
    if test_pass_rate is None:
        return reference_similarity
    return OF_TESTS * test_pass_rate + OF_REFERENCE * reference_similarity


def measure_correctness(
    results: Sequence[TestResult], compared: Sequence[TestResult] = ()
) -> FunctionalCorrectnessMetrics:
    """Return what at least one case shows; `compared` are those that were held against a reference.

    Without one there is no score: it would be the pass rate once more, under another name.
    """
    passed = sum(result.passed for result in results)
    rate = passed / len(results)
    similarity = sum(result.passed for result in compared) / len(compared) if compared else None
    return FunctionalCorrectnessMetrics(
        reference_solution_similarity=similarity,
        test_cases_passed=passed,
        test_cases_total=len(results),
        test_case_pass_rate=rate,
        correctness_score=None if similarity is None else calculate_correctness_score(similarity, rate),
        test_results=tuple(results),
    )
