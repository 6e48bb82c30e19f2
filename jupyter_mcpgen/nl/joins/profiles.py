"""The profile of the table that two tables become, put together from theirs."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import ColumnProfile, Profile, Role
from jupyter_mcpgen.plan.ops import ZERO_WHEN_EMPTY, AggregateFunction, Measure
from jupyter_mcpgen.plan.sources import Join, JoinKind, Second, Summary, Union


def profile_of_both(first: Profile, second: Profile, way: Second) -> Profile:
    """Return what is known of the joined or stacked table; it is called by the name of the first."""
    if isinstance(way, Summary):
        columns = (*first.columns, *(_figure(figure, first, second, way) for figure in way.figures))
        return Profile(name=first.name, schema_=way.schema_, rows=first.rows, columns=columns)
    columns = _joined(first, second, way) if isinstance(way, Join) else _stacked(first, second, way)
    longer = isinstance(way, Union) or way.how is JoinKind.OUTER
    rows = first.rows + second.rows if longer else first.rows
    return Profile(name=first.name, schema_=way.schema_, rows=rows, columns=columns)


def _figure(figure: Measure, first: Profile, second: Profile, way: Summary) -> ColumnProfile:
    """Return what is known of a figure of the second table: one of the values that it has, or a number."""
    if figure.column is not None and figure.function in (AggregateFunction.MIN, AggregateFunction.MAX):
        known = second.column(figure.column.name)
        return known.replace(name=figure.name, places="", nulls=known.nulls + 1)
    filled = figure.function in ZERO_WHEN_EMPTY
    role = Role.MEASURE if way.schema_.type_of(figure.name).is_number else Role.TEXT
    return ColumnProfile(
        name=figure.name, role=role, nulls=0 if filled else 1, distinct=max(2, first.rows // 2), adds_up=filled
    )


def _joined(first: Profile, second: Profile, join: Join) -> tuple[ColumnProfile, ...]:
    outer = join.how is JoinKind.OUTER
    gap = 1 if join.how is JoinKind.LEFT else 0  # a row without a match has gaps; how many is counted later
    alone, lost = (second.rows, first.rows) if outer else (0, gap)  # each row of the two may stand alone
    merged = {pair.first.name for pair in join.keys if pair.is_one_column} if outer else set()
    own = tuple(
        _both(column.name, first, second)
        if column.name in merged
        else column.replace(places="", nulls=column.nulls + alone)
        for column in first.columns
    )
    others = tuple(
        second.column(old).replace(name=new, places="", nulls=second.column(old).nulls + lost)
        for old, new in join.taken.items()
    )
    return (*own, *others)


def _stacked(first: Profile, second: Profile, union: Union) -> tuple[ColumnProfile, ...]:
    return tuple(_both(name, first, second) for name in union.schema_.names)


def _both(name: str, first: Profile, second: Profile) -> ColumnProfile:
    known = [(table, table.column(name)) for table in (first, second) if name in table.schema_.names]
    column = known[0][1].replace(places="")
    if len(known) == 1:
        other = second if known[0][0] is first else first
        return column.replace(nulls=column.nulls + other.rows)
    more = known[1][1]
    values = tuple(dict.fromkeys((*column.values, *more.values)))
    lows = [each.minimum for each in (column, more) if each.minimum is not None]
    highs = [each.maximum for each in (column, more) if each.maximum is not None]
    return column.replace(
        nulls=column.nulls + more.nulls,
        distinct=max(column.distinct, more.distinct, len(values)),
        values=values,
        complete=column.complete and more.complete,
        more=tuple(dict.fromkeys((*column.more, *more.more))),
        minimum=min(lows, default=None),
        maximum=max(highs, default=None),
        written=column.written if column.written == more.written else (),
    )
