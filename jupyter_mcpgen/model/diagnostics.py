"""What the checks found wrong with a draft, and what a round of repair changed (seed 000 §4.9)."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.model.record import Record


class Diagnostics(Record):
    """What the gates found wrong. `functional_correctness` and `test_pass_rate` are shares, 1 where nothing is wrong.

    `runtime_errors` and `differences` quote values of the data, the rest says nothing of them.
    """

    schema_errors: tuple[str, ...] = ()
    runtime_errors: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()
    failed_tests: tuple[str, ...] = ()
    functional_correctness: float | None = None
    test_pass_rate: float | None = None
    suggestions: tuple[str, ...] = ()

    def sentences(self, *, shows_values: bool) -> Iterator[str]:
        """Yield what to repair, in words; without values of the data unless they may be shown."""
        yield from self.schema_errors
        if shows_values:
            yield from (*self.runtime_errors, *self.differences)
        elif self.runtime_errors or self.differences:
            yield "It fails, or gives another result than it should, on the analyst's table."
        if self.failed_tests:
            yield f"It fails on the generated tables {', '.join(self.failed_tests)}."
        yield from self.suggestions


class Change(Record):
    """A figure before and after a round of repair; None where it was not measured."""

    before: float | None
    after: float | None

    @property
    def delta(self) -> float | None:
        """What was gained."""
        return None if self.before is None or self.after is None else round(self.after - self.before, 6)


class Improvement(Record):
    """What one round of repair changed; `iteration` counts from 1."""

    iteration: int
    correctness: Change
    test_pass_rate: Change
    failed_gates: tuple[str, ...]
    """The gates that fail after it."""
