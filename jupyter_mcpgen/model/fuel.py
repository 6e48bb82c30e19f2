"""How much of its fuel an execution used, in words and figures a caller can act on."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from jupyter_mcpgen.model.record import Record

MOST_FUEL = 10**15
"""More than any budget is worth, in every unit; it fits into what each runtime counts with."""


class FuelUnit(StrEnum):
    """What fuel counts.

    `INSTRUCTIONS` are WebAssembly instructions, `EVENTS` are jumps and function starts of Python, `LINES` are lines of
    Python run, `CPU_MS` are milliseconds of processor time. Only the last is not reproducible.
    """

    INSTRUCTIONS = "instructions"
    EVENTS = "events"
    LINES = "lines"
    CPU_MS = "cpu_ms"


class FuelStatus(StrEnum):
    """How full the budget is; each begins at its lower bound: 50, 75, 90 and 100 per cent."""

    EFFICIENT = "efficient"
    MODERATE = "moderate"
    WARNING = "warning"
    CRITICAL = "critical"
    EXHAUSTED = "exhausted"
    UNKNOWN = "unknown"


class FuelAnalysis(Record):
    """The fuel of one execution; `consumed` is `None` where nothing was measured, and then nothing is recommended.

    `utilization_percent` is rounded down to two decimals, so it never shows a bound that was not reached.
    """

    consumed: int | None
    budget: int
    utilization_percent: float = Field(ge=0)
    status: FuelStatus
    unit: FuelUnit
    recommendation: str
    likely_causes: tuple[str, ...] = ()
