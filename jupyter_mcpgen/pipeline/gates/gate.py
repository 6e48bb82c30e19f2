"""What a gate is: its name, what it looks at, how much it costs, whether it blocks, and a function to what it found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from jupyter_mcpgen.model.validation import Evidence, Finding, Severity, TestResult, Verdict
from jupyter_mcpgen.pipeline.gates.subject import Files

Seen = TypeVar("Seen", bound=Files, contravariant=True)


class Needs(StrEnum):
    """What must be there before a gate can look."""

    FILES = "files"
    """The text of the package, which nobody runs."""
    RUNS = "runs"
    """Runs in the sandbox on generated tables; not for code that a gate before refused."""
    ANSWER = "answer"
    """What was found with the answer on the person's data, also where the code was refused."""


class Cost(StrEnum):
    """When a gate runs."""

    CHEAP = "cheap"
    """Before the answer is shown: milliseconds."""
    DEAR = "dear"
    """While a person reads the answer."""


@dataclass(frozen=True)
class Found:
    """What a gate found; what it says of the generated tables one by one are `results`."""

    findings: tuple[Finding, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    results: tuple[TestResult, ...] = ()
    looked: bool = True
    """False where there was nothing to look at."""

    def verdict(self, *, blocking: bool) -> Verdict:
        """Return how the gate ended: passed only where it checked something, and nothing of it failed.

        A gate that does not block fails by its warnings.
        """
        if any(finding.severity is Severity.ERROR or not blocking for finding in self.findings):
            return Verdict.FAILED
        if any(result.blocks for result in self.results):
            return Verdict.FAILED
        verdicts = {item.verdict for item in self.evidence}
        for worst in (Verdict.FAILED, Verdict.NOT_RUN):
            if worst in verdicts:
                return worst
        has_nothing = not self.looked or verdicts == {Verdict.NOT_APPLICABLE}
        return Verdict.NOT_APPLICABLE if has_nothing else Verdict.PASSED


@dataclass(frozen=True)
class Gate(Generic[Seen]):
    """One gate. A failed gate that is `blocking` rejects the tool; `seconds` is its time box."""

    name: str
    needs: Needs
    cost: Cost
    blocking: bool
    seconds: float
    check: Callable[[Seen, float], Found]
