"""Reads two tables put below each other."""

from __future__ import annotations

from jupyter_mcpgen.plan.expressions import Col
from jupyter_mcpgen.plan.from_sql.rows import Rows
from jupyter_mcpgen.plan.from_sql.scope import Relation
from jupyter_mcpgen.plan.from_sql.unread import CannotHold
from jupyter_mcpgen.plan.ops import Filter
from jupyter_mcpgen.plan.sources import Union


def stacked(first: Relation, second: Relation, *, by_name: bool) -> Relation:
    """Return the rows of two relations below each other; a plan matches columns by name, SQL by place."""
    one, other = first.rows, second.rows
    if one.second is not None or other.second is not None:
        raise CannotHold("Tables that are joined are put below others, which a plan does not.")
    if one.steps != other.steps or not all(isinstance(step, Filter) for step in one.steps):
        raise CannotHold("Rows are put below each other that differ in more than their table.")
    mine, theirs = _columns(first), _columns(second)
    if by_name:
        names = list(dict.fromkeys([*mine, *theirs]))
    elif list(mine.items()) == [(name, column) for name, column in zip(mine, theirs.values(), strict=False)] and len(
        mine
    ) == len(theirs):
        names = list(mine)
    else:
        raise CannotHold("Columns of different names are put below each other; a plan matches them by name.")
    union = Union(other=other.source, first_schema=one.first, other_schema=other.first)
    rows = Rows(source=one.source, first=union.schema_, second=union, counter=one.counter)
    rows.present = one.present & other.present
    for step in one.steps:
        if isinstance(step, Filter):
            rows.filter(step.predicate)
    called = {**theirs, **mine}
    for name in names:
        both = one.first.names, other.first.names
        if any(called[name] in schema for schema in both) and not all(
            (name in shown) == (called[name] in schema) for shown, schema in zip((mine, theirs), both, strict=True)
        ):
            raise CannotHold(f"`{name}` is shown of one table alone, and both have it.")
    return Relation(rows, tuple((name, Col(name=called[name])) for name in names))


def _columns(relation: Relation) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, symbol in relation.columns:
        if not isinstance(symbol, Col) or symbol.name != name:
            raise CannotHold("Columns that are computed or renamed are put below each other.")
        found[name] = symbol.name
    return found
