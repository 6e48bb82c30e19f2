"""How the product is used: what was generated, decided and called, in the seed's words for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from pydantic import Field

from jupyter_mcpgen.model.event import ProgramRan
from jupyter_mcpgen.model.guidance import ErrorType
from jupyter_mcpgen.model.record import Record


class ToolUse(Record):
    """The calls of one tool, how many of them failed, and when the last one was, in UTC."""

    calls: int = 0
    errors: int = 0
    last_used: str = ""


class ProgramUse(Record):
    """The runs of code that clients sent, how many failed, and of how many failures a rule knew the cause."""

    runs: int = 0
    failures: int = 0
    classified: int = 0
    classified_rate: float | None = None
    """The share of the failures that were classified; none where nothing failed."""
    out_of_fuel_rate: float = 0.0
    """The share of the runs that used up their fuel."""
    error_types: Mapping[str, int] = Field(default_factory=dict)

    def after(self, ran: ProgramRan) -> ProgramUse:
        """Return the counts after one more run."""
        runs, failures = self.runs + 1, self.failures + ran.failed
        classified = self.classified + ran.is_classified
        types = Counter(self.error_types) + Counter([] if ran.advice is None else [ran.advice.value])
        return ProgramUse(
            runs=runs,
            failures=failures,
            classified=classified,
            classified_rate=round(classified / failures, 4) if failures else None,
            out_of_fuel_rate=round(types[ErrorType.OUT_OF_FUEL.value] / runs, 4),
            error_types=dict(types.most_common()),
        )


class Metrics(Record):
    """`metrics.json`: the seed's fields, then what they are computed from.

    `approved` and `rejected` are decisions of people; what the gates reject counts as a validation failure.
    """

    total_generated: int = 0
    approved: int = 0
    rejected: int = 0
    avg_generation_time_ms: float = 0.0
    validation_failure_rate: float = 0.0
    common_rejection_reasons: tuple[str, ...] = ()
    """The codes of the reasons, the most frequent first."""
    rejection_reasons: Mapping[str, int] = Field(default_factory=dict)
    generation_ms: float = 0.0
    validation_failures: int = 0
    tools: Mapping[str, ToolUse] = Field(default_factory=dict)
    programs: ProgramUse = ProgramUse()

    def generated(self, milliseconds: float, passed: bool) -> Metrics:
        """Return the metrics after one more answer was generated and went through the gates."""
        total, spent = self.total_generated + 1, self.generation_ms + milliseconds
        failures = self.validation_failures + (not passed)
        return self.replace(
            total_generated=total,
            generation_ms=round(spent, 1),
            avg_generation_time_ms=round(spent / total, 1),
            validation_failures=failures,
            validation_failure_rate=round(failures / total, 4),
        )

    def called(self, tool_name: str, failed: bool, at: str) -> Metrics:
        """Return the metrics after one more call of a tool."""
        before = self.tools.get(tool_name, ToolUse())
        use = ToolUse(calls=before.calls + 1, errors=before.errors + failed, last_used=at)
        return self.replace(tools={**self.tools, tool_name: use})
