"""The columns of a question by what they can be in a statistic."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from jupyter_mcpgen.nl.assembling.parts import Parts
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.plan.expressions import Col, Columns, IsIn, Lit, Predicate
from jupyter_mcpgen.plan.schema import ColumnType


@dataclass(frozen=True)
class Named:
    """The columns of a question by what they can be in a statistic, and the two groups that are set side by side."""

    numbers: tuple[str, ...]
    labels: tuple[str, ...]
    sides: tuple[str, Lit, Lit] | None
    conditions: tuple[Predicate, ...]
    context: Context = field(repr=False)
    keys: tuple[str, ...] = ()
    """Those of the labels that are said to be groups."""


def named_in(parts: Parts, context: Context) -> Named | None:
    """Return the columns that a question names; None when it asks for more than a statistic has a place for."""
    fine = (
        "columns",
        "enumerated",
        "keys",
        "each",
        "measures",
        "functions",
        "pair",
        "contrasted",
        "relation",
        "varies",
    )
    if not parts.has_only(*fine, "names_rows", "lists_rows", "listed", "overview") or any(k.unit for k in parts.keys):
        return None
    measured = [measure.column for measure in parts.measures if measure.column is not None]
    pair = (parts.pair.up, parts.pair.across) if parts.pair is not None else ()
    columns = tuple(dict.fromkeys((*measured, *pair, *parts.columns, *parts.listed)))
    keys = tuple(key.column for key in parts.keys)
    sides, conditions = _sides(parts.conditions, context)
    labels = tuple(dict.fromkeys((*(c for c in columns if not context.is_measure(c)), *keys)))
    numbers = tuple(c for c in columns if context.is_measure(c) and c not in keys)
    return Named(numbers, labels, sides, conditions, context, keys)


def _sides(
    conditions: tuple[Predicate, ...], context: Context
) -> tuple[tuple[str, Lit, Lit] | None, tuple[Predicate, ...]]:
    """Take the condition that names two values of one column out of the others."""
    for condition in conditions:
        if isinstance(condition, IsIn) and not condition.negated and len(condition.values) == 2:
            first, second = condition.values
            rest = tuple(other for other in conditions if other is not condition)
            return (condition.operand.name, first, second), rest
    return None, conditions


def with_listed_groups(named: Named) -> Named:
    """Return the column of groups that are listed, "between phone, chat and video", as a label; the list stays."""
    if named.labels:
        return without_other_sides(named)
    if named.sides is not None:
        conditions = (*conditions_of_sides(named), *named.conditions)
        return replace(named, labels=(named.sides[0],), sides=None, conditions=conditions)
    lists = [one for one in named.conditions if isinstance(one, IsIn) and not one.negated and len(one.values) > 1]
    return replace(named, labels=(lists[0].operand.name,)) if len(lists) == 1 else named


def without_other_sides(named: Named) -> Named:
    """Return two values as a condition where the groups are those of other columns: "by team for phone and chat"."""
    if named.sides is None or not named.labels or named.sides[0] in named.labels:
        return named
    return replace(named, sides=None, conditions=(*conditions_of_sides(named), *named.conditions))


def conditions_of_sides(named: Named) -> tuple[Predicate, ...]:
    """Return the condition that two groups are, where they are not set side by side."""
    if named.sides is None:
        return ()
    group, first, second = named.sides
    return (IsIn(operand=Col(name=group), values=(first, second)),)


def groups_of(named: Named) -> Columns:
    """Return the columns of groups that are named, in the order of the table, and those that a step makes."""
    names = named.context.profile.schema_.names
    known = tuple(name for name in names if name in named.labels)
    return Columns(names=(*known, *(name for name in named.labels if name not in names)))


def values_of(name: str, context: Context) -> tuple[Lit, ...]:
    """Return the values of a column of groups, in order; none when they are too many to be known."""
    column, type_ = context.column(name), context.type_of(name)
    if type_ is ColumnType.BOOLEAN:
        return Lit(value=False, type=type_), Lit(value=True, type=type_)
    if not column.complete:
        return ()
    return tuple(Lit(value=value, type=type_) for value in sorted(column.values))
