"""Finds what a table says in the names of its columns and in lists, and profiles the rows that it is made of there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import pandas as pd

from jupyter_mcpgen.model.profile import ColumnProfile, Profile, Reshaped, Role
from jupyter_mcpgen.plan.expressions import Col
from jupyter_mcpgen.plan.period_names import PeriodForm, PeriodNames, period_names
from jupyter_mcpgen.plan.reshaping import MEMBER, Members, Unpivot, schema_after_reshaping
from jupyter_mcpgen.plan.schema import ColumnType, Field, Schema

VALUE = "value"
"""What the cells are called where the names of their columns say no more than their periods."""
MOST_PLACES = 20_000
"""In a longer table it is not kept which row has which value."""
_FEWEST_PERIODS = 3
_MOST_CELLS = 200_000
"""Of more cells a sample is looked at."""
_SEPARATORS = (";", "|", ",")
_MOST_LISTS = 20_000
"""Of more rows a sample says whether they are lists."""
_LONGEST_MEMBER = 60
_FEWEST_LISTS = 3
_USES = 2.0
"""In so many different lists a member stands on average: words that stand in one alone are no members, but phrases."""

_DTYPES = {ColumnType.INTEGER: "int64", ColumnType.TEXT: "str", ColumnType.DATE: "datetime64[us]"}

Profiled = Callable[[Field, pd.Series], ColumnProfile]
"""Profiles one column."""


def reshaped(known: Profile, plain: pd.DataFrame, profiled: Profiled) -> tuple[Reshaped, ...]:
    """Return the ways in which other rows of a table can be asked about, each with their profile and the reason.

    `plain` are the rows of the table, or of a large one some.
    """
    wide = (_below_each_other(step, known, plain, profiled) for step in wide_columns(known.schema_))
    return (*wide, *_lists(known, plain, profiled))


def wide_columns(schema: Schema) -> tuple[Unpivot, ...]:
    """Return the steps that take columns for rows: at least three of one type whose names are a row of periods."""
    return tuple(filter(None, (_unpivot(way, schema) for way in period_names(schema.names, _FEWEST_PERIODS))))


def _unpivot(way: PeriodNames, schema: Schema) -> Unpivot | None:
    types = {schema.type_of(name) for name in way.among(schema.names)}
    if len(types) > 1 and not all(type_.is_number for type_ in types):
        return None
    name = _free(way.form.unit, schema.names)
    says_more = len(way.words) > len("FY") and way.words.casefold() not in (way.form.unit, "fiscal year")
    return Unpivot(names=way, name=name, value=_free(way.words if says_more else VALUE, (*schema.names, name)))


def _free(name: str, taken: Sequence[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _below_each_other(step: Unpivot, known: Profile, plain: pd.DataFrame, profiled: Profiled) -> Reshaped:
    taken = step.columns(known.schema_)
    schema = schema_after_reshaping(step, known.schema_)
    rows = plain.iloc[:: max(1, len(plain) * len(taken) // _MOST_CELLS)]
    cells = pd.concat([rows.iloc[:, known.schema_.names.index(name)] for name in taken], ignore_index=True)
    if schema.type_of(step.value) is ColumnType.REAL:
        cells = cells.astype("float64")
    form = step.names.form
    periods = pd.Series([step.names.period(name) for name in taken], dtype=_DTYPES[form.type])
    value = profiled(Field(name=step.value, type=schema.type_of(step.value)), cells.rename(step.value))
    period = profiled(Field(name=step.name, type=form.type), periods.repeat(max(1, len(rows))).reset_index(drop=True))
    made = (
        period.replace(order=_whole_order(form, period.order)),
        value if len(rows) == known.rows else _of_all(value, [known.column(name) for name in taken]),
    )
    every = [*range(len(plain))] * len(taken)
    others = (_in_rows(column, every) for column in known.columns if column.name not in taken)
    number = known.rows * len(taken)
    profile = Profile(name=known.name, schema_=schema, rows=number, columns=(*others, *made), totals=known.totals)
    reason = f"`{taken[0]}` to `{taken[-1]}` are called by {form.unit}s, so a row has a value for each {form.unit}."
    return Reshaped(step=step, profile=profile, reason=reason)


def _whole_order(form: PeriodForm, order: tuple[str, ...]) -> tuple[str, ...]:
    """Return the order of a whole year where that of some months is written so: another file may have others."""
    return form.in_order if order and set(order) <= set(form.in_order) else order


def _of_all(sampled: ColumnProfile, columns: Sequence[ColumnProfile]) -> ColumnProfile:
    """Return the profile of a sample of cells with what is known of all of them."""
    ends = [end for column in columns for end in (column.minimum, column.maximum) if end is not None]
    return sampled.replace(
        nulls=sum(column.nulls for column in columns),
        minimum=min(ends, default=None),
        maximum=max(ends, default=None),
        complete=False,
    )


def _in_rows(column: ColumnProfile, rows: Sequence[int]) -> ColumnProfile:
    """Return the profile of a column whose values stand in other rows: for each the place of the row it is from."""
    kept = column.places and len(rows) <= MOST_PLACES
    return column.replace(places="".join(column.places[row] for row in rows) if kept else "")


def _lists(known: Profile, plain: pd.DataFrame, profiled: Profiled) -> Iterator[Reshaped]:
    for place, column in enumerate(known.columns):
        if known.schema_.fields[place].type is not ColumnType.TEXT or column.role is Role.IDENTIFIER or column.written:
            continue
        sample = plain.iloc[:: max(1, len(plain) // _MOST_LISTS), place].dropna()
        step = _members(column.name, sample.unique().tolist())
        if step is None:
            continue
        cells = plain.iloc[:: max(1, len(plain) // _MOST_CELLS), place].reset_index(drop=True).dropna()
        in_rows = zip(cells.index.tolist(), cells, strict=True)
        found = [(row, member) for row, cell in in_rows for member in _members_in(cell, step)]
        members = pd.Series([member for _, member in found], dtype="str", name=column.name)
        of_members = profiled(Field(name=column.name, type=ColumnType.TEXT), members)
        rows = [row for row, _ in found]
        others = (_in_rows(other, rows) if other is not column else of_members for other in known.columns)
        number = len(members) * known.rows // max(1, len(plain))
        profile = Profile(name=known.name, schema_=known.schema_, rows=number, columns=tuple(others))
        how = "lists" if step.separator is None else f"lists, separated by `{step.separator}`"
        reason = f"The cells of `{column.name}` are {how}: a row counts once for each of its members."
        yield Reshaped(step=step, profile=profile, reason=reason)


def _members(name: str, cells: list[str]) -> Members | None:
    """Return how the cells of a column are lists: of different lengths, of short members that stand in several."""
    ways = [Members(column=Col(name=name), separator=separator) for separator in _SEPARATORS]
    if cells and all(_is_json_list(cell) for cell in cells):
        ways = [Members(column=Col(name=name))]
    return next((way for way in ways if _are_lists([_members_in(cell, way) for cell in cells], way)), None)


def _is_json_list(cell: str) -> bool:
    """Tell whether a text is a list of texts in JSON, none of which holds a sign that JSON writes otherwise."""
    return re.fullmatch(rf"\[({MEMBER}(, ?{MEMBER})*)?\]", cell) is not None and "\\" not in cell


def _are_lists(lists: list[list[str]], way: Members) -> bool:
    counts = Counter(member for members in lists for member in members)
    if not counts or len(lists) < _FEWEST_LISTS or max(map(len, counts)) > _LONGEST_MEMBER:
        return False
    if way.separator is None:
        return True
    lengths = {len(members) for members in lists}
    return len(lengths) > 1 and max(lengths) > 1 and counts.total() / len(counts) >= _USES


def _members_in(cell: str, step: Members) -> list[str]:
    parts = re.findall(MEMBER, cell) if step.separator is None else cell.split(step.separator)
    return [part for part in dict.fromkeys(part.strip() for part in parts) if part]
