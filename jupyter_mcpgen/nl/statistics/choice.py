"""One way to answer with a statistic."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.plan.expressions import Col, Predicate
from jupyter_mcpgen.plan.ops import Chart, Step

OTHER = 0.25
"""What the other test costs that suits the same question."""


@dataclass(frozen=True)
class Choice:
    """One way to answer: the steps after the conditions, what was assumed, and what it costs."""

    steps: tuple[Step, ...]
    chart: Chart | None = None
    notes: tuple[str, ...] = ()
    cost: float = 0.0
    conditions: tuple[Predicate, ...] = ()


def col(name: str) -> Col:
    """Return a column as an expression."""
    return Col(name=name)
