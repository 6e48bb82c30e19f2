"""What a SELECT was read as. Apart from the reader, which takes long to load and which most answers do without."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.plan.ops import SortKey
from jupyter_mcpgen.plan.plan import Plan

SETTINGS = {"ieee_floating_point_ops": "false", "error_on_division_by_zero": "false"}
"""How a connection is set for a SELECT to mean what its plan means: a division by zero gives NULL."""


@dataclass(frozen=True)
class Reading:
    """The plan that a SELECT is."""

    plan: Plan
    ordered_by: tuple[SortKey, ...]
    """What its ORDER BY names, by the columns that the plan's rows have before the last ones are chosen and renamed."""
