"""What a run of a tool left behind."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from jupyter_mcpgen.model.record import Record


class Table(Record):
    """A result table ready to show: at most `len(rows)` of `total_rows` rows, JSON values only.

    A whole number beyond 2**53 is a text of digits, because a float would round it. `titles` is what people read
    above the columns, empty where they are called by their names; the types `month`, `weekday` and `year` are whole
    numbers that stand for names.
    """

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    total_rows: int
    titles: tuple[str, ...] = ()

    @property
    def headers(self) -> tuple[str, ...]:
        """What stands above each column."""
        return self.titles or self.columns


class RunArtifacts(Record):
    """The result of a staged run, with the seed's fields.

    `result` is the structured result, `execution_time_ms` wall-clock milliseconds of the run inside the sandbox.
    `artifacts` are the files that it left, as it named them, and `files` where they are kept until the session ends.
    Of an answer, `metadata` has the `assumptions` and `limitations` of its card beside the facts about the run.
    """

    result: dict[str, Any]
    outputs: dict[str, Any] = Field(default_factory=dict)
    summary_markdown: str | None = None
    files: tuple[str, ...] = ()
    sample_rows: tuple[dict[str, Any], ...] | None = None
    artifacts: tuple[str, ...] = ()
    execution_time_ms: float
    rows_processed: int | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)
