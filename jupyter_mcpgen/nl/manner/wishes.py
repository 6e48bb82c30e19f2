"""How an answer is to be shown, as a question says it."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.plan.ops import ChartKind

Named = m.Column | m.Measured | m.GroupKey
"""What a few words may name alone."""
Target = m.Axis | Named
"""What an order may be of."""


@dataclass(frozen=True)
class Wish:
    """An order that was asked for: of what, and whether the largest come first (None: not said)."""

    target: Target
    descending: bool | None
    axis: m.Axis | None = None
    """The axis that the words may stand for as well: "names" are a column's name, or the labels of the chart."""


@dataclass(frozen=True)
class Manner:
    """How an answer is to be shown."""

    chart: ChartKind | None = None
    purpose: ChartKind | None = None
    """The chart that suits what the answer is for, where none is named."""
    order: Wish | None = None
    key: m.GroupKey | None = None
    """The bins of a date that were asked for."""

    @property
    def is_plain(self) -> bool:
        """True when nothing was said about how to show the answer."""
        return self == PLAIN


PLAIN = Manner()
"""Nothing was said about how to show the answer."""
