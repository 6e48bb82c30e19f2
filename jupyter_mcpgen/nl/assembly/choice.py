"""An answer that a question may have, with what it costs in certainty."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.nl.assembly.answers import Answer

IMPLIED = 0.05
"""What the usual function costs where none was named."""
SECOND = 0.3
"""What a reading costs that is possible, but not the usual one."""
BESIDE = 0.35
"""What a label costs that stands beside a figure without "by"."""


@dataclass(frozen=True)
class Choice:
    """An answer, what it costs beside its cover, and what was assumed."""

    answer: Answer
    cost: float = 0.0
    notes: tuple[str, ...] = ()
