"""Reads how two tables become one: by equal keys, with the figures of a second one, or by a match alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from jupyter_mcpgen.plan.expressions import Col, Predicate
from jupyter_mcpgen.plan.from_sql.changing import renamed
from jupyter_mcpgen.plan.from_sql.presence import COUNTS
from jupyter_mcpgen.plan.from_sql.rows import MARK, Rows
from jupyter_mcpgen.plan.from_sql.scope import Relation
from jupyter_mcpgen.plan.from_sql.symbols import VALUES, Numbered, Refused, Symbol, Unmatched
from jupyter_mcpgen.plan.from_sql.unread import CannotHold
from jupyter_mcpgen.plan.ops import ZERO_WHEN_EMPTY, Aggregate, Filter, Measure
from jupyter_mcpgen.plan.sources import Join, JoinKind, KeyPair, Summary

Named = tuple[tuple[str, Symbol], ...]


@dataclass(frozen=True)
class Pairing:
    """Which columns of two relations must be equal, as their rows call them."""

    keys: tuple[tuple[str, str], ...]


def joined(first: Relation, second: Relation, pairing: Pairing, how: JoinKind) -> tuple[Rows, Named, Named]:
    """Return the rows of two relations joined, and what their columns became."""
    if how is JoinKind.LEFT and _is_grouped(second, pairing):
        return _with_figures(first, second, pairing)
    if second.rows.steps and how is not JoinKind.INNER:
        raise CannotHold("The second table is filtered before it is joined, and rows without a match are kept.")
    if first.rows.steps and how is JoinKind.OUTER:
        raise CannotHold("The first table is filtered before all rows of both are joined.")
    join = Join(
        other=second.rows.source,
        first_schema=first.rows.first,
        other_schema=second.rows.first,
        keys=_pairs(pairing),
        how=how,
    )
    called = _called(join)
    rows = Rows(source=first.rows.source, first=join.schema_, second=join, counter=first.rows.counter)
    rows.present = _present(join, first.rows, second.rows, called)
    for condition in _conditions(first):
        rows.filter(condition)
    for condition in _conditions(second):
        rows.filter(renamed(condition, called))
    own = _beside(first.columns, {}, 1, join)
    return rows, own, _beside(second.columns, called, 2, join)


def _conditions(relation: Relation) -> list[Predicate]:
    """Return the conditions that a relation's rows meet; raises `CannotHold` for anything else done with them."""
    found = []
    for step in relation.rows.steps:
        if not isinstance(step, Filter):
            raise CannotHold("A table that is joined is more than filtered before it, which a plan does only after it.")
        found.append(step.predicate)
    if relation.rows.second is not None:
        raise CannotHold("More than two tables are joined; a plan joins two.")
    return found


def _pairs(pairing: Pairing) -> tuple[KeyPair, ...]:
    for name in (name for pair in pairing.keys for name in pair):
        if name.startswith(MARK):
            raise CannotHold("The tables are joined by a computed value; a plan joins them by columns.")
    return tuple(KeyPair(first=Col(name=one), second=Col(name=other)) for one, other in pairing.keys)


def _called(join: Join) -> dict[str, str]:
    """Return what the columns of the second table are called in the joined one."""
    merged = {pair.second.name: pair.first.name for pair in join.keys if pair.is_one_column}
    return {**join.taken, **merged}


def _present(join: Join, first: Rows, second: Rows, called: dict[str, str]) -> frozenset[str]:
    if join.how is JoinKind.OUTER:
        return frozenset()
    found = set(first.present)
    if join.how is JoinKind.INNER:
        found |= {called[name] for name in second.present if name in called}
        found |= {pair.first.name for pair in join.keys} | {called[pair.second.name] for pair in join.keys}
    return frozenset(found)


def _beside(columns: Named, called: dict[str, str], side: int, join: Join) -> Named:
    """Return what the columns of one side are in the joined table."""
    merged = {pair.second.name for pair in join.keys if pair.is_one_column}
    hidden = merged if side == 2 and join.how is not JoinKind.INNER else set()
    if side == 1 and join.how is JoinKind.OUTER:
        hidden = merged
    return tuple((name, _moved(symbol, called, side, hidden)) for name, symbol in columns)


def _moved(symbol: Symbol, called: dict[str, str], side: int, hidden: Iterable[str]) -> Symbol:
    match symbol:
        case Numbered() if not symbol.by and not symbol.keys:
            return Numbered((), (), 0, side)
        case Col() if symbol.name in hidden:
            return Refused(f"`{symbol.name}` of one of the tables alone is no column of the two joined.")
        case _ if isinstance(symbol, VALUES):
            return renamed(symbol, called)
        case _:
            return Refused("A column that is computed before the tables are joined cannot be used after it.")


def _is_grouped(relation: Relation, pairing: Pairing) -> bool:
    steps = relation.rows.steps
    return (
        len(steps) == 1
        and isinstance(steps[0], Aggregate)
        and set(steps[0].by.names) == {other for _, other in pairing.keys}
        and relation.rows.second is None
    )


def _with_figures(first: Relation, second: Relation, pairing: Pairing) -> tuple[Rows, Named, Named]:
    """Read a left join with groups of the second table as the figures of its rows."""
    step = second.rows.steps[0]
    if not isinstance(step, Aggregate):
        raise CannotHold("The second table is not grouped by the keys of the join.")
    conditions = _conditions(first)
    measures = step.measures
    summary = Summary(
        other=second.rows.source,
        first_schema=first.rows.first,
        other_schema=second.rows.first,
        keys=_pairs(pairing),
        measures=measures,
    )
    rows = Rows(source=first.rows.source, first=summary.schema_, second=summary, counter=first.rows.counter)
    rows.present = first.rows.present | {m.name for m in measures if m.function in COUNTS}
    for condition in conditions:
        rows.filter(condition)
    zero = {m.name for m in measures if m.function in ZERO_WHEN_EMPTY}
    return rows, first.columns, tuple((name, _figure(symbol, zero, measures)) for name, symbol in second.columns)


def _figure(symbol: Symbol, zero: set[str], measures: Sequence[Measure]) -> Symbol:
    match symbol:
        case Col() if symbol.name in zero:
            return Unmatched(symbol)
        case Col() if symbol.name in {m.name for m in measures}:
            return symbol
        case _:
            return Refused("Only the figures of the second table, as they are, can stand beside the rows of the first.")


def matched(rows: Rows, other: Relation, pairing: Pairing, *, kept: bool) -> Rows:
    """Return the rows that have a match in another table, or those that have none."""
    if rows.steps or rows.second is not None or other.rows.steps or other.rows.second is not None:
        raise CannotHold("A match in a second table is asked for after something else was done with one of the two.")
    join = Join(
        other=other.rows.source,
        first_schema=rows.first,
        other_schema=other.rows.first,
        keys=_pairs(pairing),
        how=JoinKind.SEMI if kept else JoinKind.ANTI,
    )
    result = Rows(source=rows.source, first=join.schema_, second=join, present=rows.present, counter=rows.counter)
    if kept:
        result.present |= {pair.first.name for pair in join.keys}
    return result


def key_of(symbol: Symbol) -> str | None:
    """Return the column that a side of a key is."""
    return symbol.name if isinstance(symbol, Col) else None
