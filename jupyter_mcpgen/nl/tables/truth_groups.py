"""Groups by a column that says yes and no in several spellings: read as truth, as conditions on it are.

By its texts `Y`, `yes` and `Yes` would be three groups of the same rows.
"""

from __future__ import annotations

from collections.abc import Mapping

from jupyter_mcpgen.model.profile import ColumnProfile, Profile, Written
from jupyter_mcpgen.plan.ops import Aggregate
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.writings import TruthWriting

TWO = 2
"""How many spellings yes and no need."""


def groups_of_mixed_truth(plan: Plan, way: Mapping[str, Written], profile: Profile) -> frozenset[str]:
    """Return the columns of yes and no in mixed spellings that a plan groups rows of its source by."""
    first = next((step for step in plan.steps if isinstance(step, Aggregate)), None)
    keys = first.by.names if first is not None else ()
    return frozenset(name for name in keys if name in way and _is_mixed(profile.column(name), way[name]))


def _is_mixed(column: ColumnProfile, written: Written) -> bool:
    """Tell whether yes or no stands in the column in more than one spelling, capitals counted."""
    writing = written.writing
    if not isinstance(writing, TruthWriting):
        return False
    spelled = {value for value in column.values if isinstance(value, str)}
    known = {value for value in spelled if value.strip().casefold() in {*writing.true, *writing.false}}
    return len(known) > TWO
