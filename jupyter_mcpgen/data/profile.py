"""What is known about a table before a question is read: types, roles, values, ranges and units."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pandas as pd

from jupyter_mcpgen.data.date_formats import is_day_first, order_of_days
from jupyter_mcpgen.data.headers import (
    counted_beside_shares,
    is_calendar_part,
    is_code,
    is_identifier,
    names_a_place,
    names_a_thing,
    numbers_one_of_several,
    numbers_one_thing,
    numbers_runs,
    unit_in,
)
from jupyter_mcpgen.data.hindrances import find_hindrance
from jupyter_mcpgen.data.kinds import kind_of
from jupyter_mcpgen.data.large import MANY_ROWS, counted, sample_of
from jupyter_mcpgen.data.parquet_tables import ParquetTable, Rows, names_of
from jupyter_mcpgen.data.reshaping import MOST_PLACES, reshaped
from jupyter_mcpgen.data.said_writings import require_format, settled
from jupyter_mcpgen.data.scales import ordered
from jupyter_mcpgen.data.stand_ins import find_stand_ins
from jupyter_mcpgen.data.totals import find_totals
from jupyter_mcpgen.data.units import ORDINALS
from jupyter_mcpgen.data.writings import find_writings, read_words
from jupyter_mcpgen.data.written_moments import find_counted
from jupyter_mcpgen.data.written_numbers import bare, decimal_mark
from jupyter_mcpgen.errors import DataError, EmptyData
from jupyter_mcpgen.model.profile import FIRST_PLACE, ColumnProfile, Kind, OddCell, Profile, Role, Totals, Written
from jupyter_mcpgen.model.request import ReadOptions
from jupyter_mcpgen.plan.date_formats import DateWriting
from jupyter_mcpgen.plan.missing_words import words_for_nothing
from jupyter_mcpgen.plan.moments import ClockWriting
from jupyter_mcpgen.plan.number_writing import NumberWriting
from jupyter_mcpgen.plan.schema import ColumnType, Field, Schema
from jupyter_mcpgen.plan.writings import Writing
from jupyter_mcpgen.toolkit.columns import plain_types

MOST_VALUES = 1_000
"""How many distinct words of a text column are kept."""
MOST_NUMBERS = 50
"""How many distinct numbers a column may have for them to be kept."""
MOST_MORE = 20_000
"""How many further values of a column are kept for questions that name one; their letters stay below the surrogates."""
NOTHING_SAID = ReadOptions()
LONGEST_VALUE = 80
"""Longer texts are sentences, not values that a question names."""

_FEW_VALUES = 50
_LONG_TEXT = 40
_SEQUENCE_ROWS = 20
_FEWEST_NUMBERED = 4
"""In fewer rows, the numbers 1, 2 and 3 may be anything."""
_MOST_NAMED = 3
_LOOKED_AT = 100
"""So many rows of a column say how a table marks decimals."""

_DATE_TEXT = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(\D.*)?$")


def profile(
    name: str,
    rows: Rows,
    orders: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    said: ReadOptions = NOTHING_SAID,
) -> Profile:
    """Profile a table, a large one by a sample and counts over all rows.

    `orders` gives the values of columns from the lowest to the highest, where the table's owner has said so; `said` is
    what a person said of how numbers and dates are written in its texts.
    Raises `DataError` for a repeated column name, or for texts that contradict what is said, and `EmptyData` for a
    table without columns.
    """
    names = list(names_of(rows))
    if not names:
        raise EmptyData(name)
    repeated = sorted({column for column in names if names.count(column) > 1}) if len(set(names)) < len(names) else []
    if repeated:
        raise DataError(f"`{name}` has two columns named `{repeated[0]}`. Rename one of them first.")
    plain = rows if isinstance(rows, ParquetTable) else plain_types(rows)
    if not isinstance(plain, ParquetTable) and len(plain) < MANY_ROWS:
        seen = plain
        known = _profiled(name, names, seen, orders, said)
    else:
        seen = sample_of(plain)
        known = counted(plain, _profiled(name, names, seen, orders, said), LONGEST_VALUE)
    return known.replace(reshaped=reshaped(known, seen, _column))


def _profiled(
    name: str, names: list[str], plain: pd.DataFrame, orders: Mapping[str, tuple[str, ...]], said: ReadOptions
) -> Profile:
    cells = [column for _, column in plain.items()]
    fields = tuple(Field(name=n, type=column_type(column)) for n, column in zip(names, cells, strict=True))
    mark = said.mark or _decimal_mark(fields, cells)
    found = [
        _column(field, column, orders.get(field.name, ()), mark, said)
        for field, column in zip(fields, cells, strict=True)
    ]
    require_format(name, found, plain, said)
    columns = _with_order_of_days(cells, found)
    if _numbers_the_rows(columns[0], cells[0]):
        columns = (columns[0].replace(role=Role.IDENTIFIER), *columns[1:])
    counts = counted_beside_shares(names)
    named = (c.role is Role.IDENTIFIER and c.name in counts for c in columns)
    columns = tuple(c.replace(role=Role.MEASURE) if is_ else c for c, is_ in zip(columns, named, strict=True))
    totals = _totals(cells, columns) if len(plain) < MANY_ROWS else None
    if totals is not None:
        columns = tuple(_in_order_without(totals, column) for column in columns)
    return Profile(name=name, schema_=Schema(fields=fields), rows=len(plain), columns=columns, totals=totals)


def _with_order_of_days(cells: list[pd.Series], columns: list[ColumnProfile]) -> tuple[ColumnProfile, ...]:
    """Return profiles in which dates whose day and month could be either have the order of the table's other dates."""
    dated = [any(isinstance(one.writing, DateWriting) for one in column.written) for column in columns]
    unsure = [is_ and len(column.written) > 1 for is_, column in zip(dated, columns, strict=True)]
    if not any(unsure):
        return tuple(columns)
    texts = [cells[i].dropna().unique().tolist() for i, is_ in enumerate(dated) if is_ and not unsure[i]]
    day_first = order_of_days(texts)
    if day_first is None:
        return tuple(columns)
    return tuple(
        column.replace(written=tuple(way for way in column.written if _has_order(way.writing, day_first=day_first)))
        if unsure[place]
        else column
        for place, column in enumerate(columns)
    )


def _has_order(writing: Writing, *, day_first: bool) -> bool:
    return not isinstance(writing, DateWriting) or is_day_first(writing) in (day_first, None)


def _numbers_the_rows(first: ColumnProfile, column: pd.Series) -> bool:
    """Tell whether the first column counts the rows from 1 on and is called after what a row is: `trip`."""
    if (
        not pd.api.types.is_integer_dtype(column.dtype)
        or len(column) < _FEWEST_NUMBERED
        or not names_a_thing(first.name)
    ):
        return False
    return bool((column.to_numpy() == range(1, len(column) + 1)).all())


def _in_order_without(totals: Totals, column: ColumnProfile) -> ColumnProfile:
    """Return the profile of a column whose words have an order once the names of totals are not among them."""
    words = [value for value in column.values if value not in totals.labels]
    order = column.order or (ordered(words) if column.name == totals.column else ())
    return column.replace(order=order, kind=Kind.ORDERED) if order != column.order else column


def _decimal_mark(fields: tuple[Field, ...], cells: list[pd.Series]) -> str | None:
    """Return the mark before decimals in a table; numbers that are no texts were read with a point."""
    columns: list[list[str]] = []
    for field, column in zip(fields, cells, strict=True):
        if field.type is ColumnType.TEXT:
            columns.append(column.dropna().head(_LOOKED_AT).tolist())
        elif field.type is ColumnType.REAL and (column.dropna().head(_LOOKED_AT) % 1 != 0).any():
            columns.append(["0.5"])
    return decimal_mark(columns)


def _totals(cells: list[pd.Series], columns: tuple[ColumnProfile, ...]) -> Totals | None:
    """Return the rows that add up the others, in numbers as they are or as texts write them."""
    texts: dict[str, pd.Series] = {}
    numbers: dict[str, pd.Series] = {}
    for known, column in zip(columns, cells, strict=True):
        writing = known.written[0].writing if known.written else None
        if isinstance(writing, NumberWriting):
            words = pd.Series(column.dropna().unique(), dtype="str")
            numbers[known.name] = _each(read_words(words, writing), words, column)
        elif column_type(column) is ColumnType.TEXT:
            texts[known.name] = column
        elif known.role is Role.MEASURE:
            numbers[known.name] = column.astype("float64")
        elif known.role is Role.IDENTIFIER:
            texts[known.name] = column.astype("str").where(column.notna())
    return find_totals(texts, numbers)


def column_type(column: pd.Series) -> ColumnType:
    """Return the plan's type of a column that has a plain type."""
    dtype = column.dtype
    if pd.api.types.is_bool_dtype(dtype):
        return ColumnType.BOOLEAN
    if pd.api.types.is_integer_dtype(dtype):
        return ColumnType.INTEGER
    if pd.api.types.is_float_dtype(dtype):
        return ColumnType.REAL
    return ColumnType.DATE if pd.api.types.is_datetime64_any_dtype(dtype) else ColumnType.TEXT


def _column(
    field: Field,
    column: pd.Series,
    given: tuple[str, ...] = (),
    mark: str | None = None,
    said: ReadOptions = NOTHING_SAID,
) -> ColumnProfile:
    counts = column.value_counts()
    ranked = counts.sort_index().sort_values(ascending=False, kind="stable")
    values, complete = _values(field.type, ranked)
    more = _more(field.type, ranked, values)
    ranged = field.type.is_number or field.type is ColumnType.DATE
    written = (
        _written(field, column, counts, mark, said)
        if field.type is ColumnType.TEXT
        else _counted(field, column, counts)
    )
    counted = bool(written) and field.type.is_number
    kind, order = kind_of(field, values, len(counts), written, given)
    return ColumnProfile(
        name=field.name,
        role=_role(field, column, counts, bool(written)) if not counted else Role.IDENTIFIER,
        nulls=int(column.isna().sum()),
        distinct=len(counts),
        values=values,
        complete=complete,
        more=more,
        places=_places(column, (*values, *more)),
        minimum=_scalar(counts.index.min()) if ranged and len(counts) else None,
        maximum=_scalar(counts.index.max()) if ranged and len(counts) else None,
        unit=unit_in(field.name) if field.type.is_number else None,
        stand_ins=find_stand_ins(counts) if field.type.is_number else (),
        kind=kind,
        order=order,
        hindrance=find_hindrance(counts.index.tolist()) if field.type is ColumnType.TEXT and not written else None,
        written=written,
    )


def _written(
    field: Field, column: pd.Series, counts: pd.Series, mark: str | None, said: ReadOptions
) -> tuple[Written, ...]:
    """Return what the texts of a column write; a column that is named as an identifier writes nothing but names."""
    if counts.empty or is_identifier(field.name):
        return ()
    words = pd.Series(counts.index, dtype="str")
    ways = settled(find_writings(words.tolist(), mark, field.name, _repeated(counts)), field.name, column, said)
    return tuple(_read_as(writing, field, words, column, counts) for writing in ways)


def _repeated(counts: pd.Series) -> frozenset[str]:
    """Return the texts that stand in several rows."""
    return frozenset(str(word) for word in counts.index[counts.to_numpy() > 1])


def _counted(field: Field, column: pd.Series, counts: pd.Series) -> tuple[Written, ...]:
    """Return which moments the numbers of a column write; a column that is named as an identifier writes none."""
    if not field.type.is_number or is_identifier(field.name):
        return ()
    found = find_counted(field.name, counts.index)
    return tuple(_read_as(writing, field, counts.index.to_series(), column, counts) for writing in found)


def _read_as(writing: Writing, field: Field, words: pd.Series, column: pd.Series, counts: pd.Series) -> Written:
    read = read_words(words, writing)
    unread = read.isna().to_numpy()
    texts = words.astype("str")
    nothing = words_for_nothing(texts[unread], _repeated(counts))
    spelled = texts.isin(nothing).to_numpy()
    odd = column.astype("str").isin(texts[unread & ~spelled]).to_numpy()
    first = [OddCell(row=int(place) + 1, text=str(column.iloc[place])) for place in odd.nonzero()[0][:_MOST_NAMED]]
    type_ = column_type(read)
    values = _column(Field(name=field.name, type=type_), _each(read, words, column))
    affixes = (*writing.prefixes, *writing.suffixes) if isinstance(writing, NumberWriting) else ()
    if affixes and affixes[0] not in ORDINALS and values.unit is None:
        values = values.replace(unit=affixes[0])
    if isinstance(writing, ClockWriting):
        values = values.replace(unit="seconds", role=Role.MEASURE)
    return Written(
        writing=writing,
        type=type_,
        missing=int(counts[unread & spelled].sum()),
        unreadable=int(counts[unread & ~spelled].sum()),
        spelled=tuple(texts[unread & spelled].head(_MOST_NAMED)),
        odd=tuple(first),
        bare=int(counts[bare(texts).to_numpy(dtype=bool) & ~unread].sum()) if affixes else 0,
        values=values,
    )


def _each(read: pd.Series, words: pd.Series, column: pd.Series) -> pd.Series:
    """Return what was read from the distinct words for every row."""
    cells = column.astype("str") if column_type(column) is ColumnType.TEXT else column
    places = pd.Index(words).get_indexer(pd.Index(cells))
    return pd.Series(read.array.take(places, allow_fill=True))


def _values(kind: ColumnType, ranked: pd.Series) -> tuple[tuple[Any, ...], bool]:
    """Return the values to keep, most frequent first and then in order, and whether these are all."""
    if kind is ColumnType.DATE or (kind.is_number and len(ranked) > MOST_NUMBERS):
        return (), False
    words = [_scalar(value) for value in ranked.index[: MOST_VALUES * 2].tolist()]
    kept = [word for word in words if not isinstance(word, str) or len(word) <= LONGEST_VALUE][:MOST_VALUES]
    return tuple(kept), len(kept) == len(ranked)


def _more(kind: ColumnType, ranked: pd.Series, kept: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return further values, most frequent first, so that a question may name a rare one."""
    if kind is ColumnType.BOOLEAN or len(ranked) <= len(kept):
        return ()
    known = set(kept)
    words = [_scalar(value) for value in ranked.index[: MOST_MORE + len(kept)].tolist()]
    return tuple(w for w in words if w not in known and not (isinstance(w, str) and len(w) > LONGEST_VALUE))[:MOST_MORE]


def _places(column: pd.Series, values: tuple[Any, ...]) -> str:
    """Return a letter for each row: `FIRST_PLACE` for a value that is missing or not kept, then one per kept value."""
    if len(column) > MOST_PLACES or not values:
        return ""
    kept = pd.Index(_moments(values) if pd.api.types.is_datetime64_any_dtype(column.dtype) else values)
    codes = kept.get_indexer(pd.Index(column)) + 1 + FIRST_PLACE
    return codes.astype("<u4").tobytes().decode("utf-32-le")


def _moments(values: tuple[Any, ...]) -> pd.DatetimeIndex:
    """Return moments, of which some may have fractions of seconds, from the texts they are kept as."""
    return pd.to_datetime(list(values), format="ISO8601")


def _scalar(value: Any) -> Any:
    if isinstance(value, pd.Timestamp):
        return value.isoformat()
    return value.item() if hasattr(value, "item") else value


def _role(field: Field, column: pd.Series, counts: pd.Series, written: bool) -> Role:
    match field.type:
        case ColumnType.DATE:
            return Role.TIME
        case ColumnType.BOOLEAN:
            return Role.CATEGORY
        case ColumnType.TEXT:
            return _text_role(field.name, column, counts, written)
        case ColumnType.INTEGER | ColumnType.REAL:
            return _number_role(field, column, counts)


def _number_role(field: Field, column: pd.Series, counts: pd.Series) -> Role:
    if is_identifier(field.name) or is_code(field.name):
        return Role.IDENTIFIER
    whole = field.type is ColumnType.INTEGER
    if is_calendar_part(field.name) or (whole and numbers_runs(field.name)):
        return Role.CATEGORY
    with_gaps = not whole and column.hasnans and all(float(number).is_integer() for number in counts.index)
    if (whole or with_gaps) and names_a_place(field.name) and len(counts) * 2 <= len(column):
        return Role.CATEGORY
    if whole and len(counts) == len(column) > 1 and numbers_one_thing(field.name):
        return Role.IDENTIFIER
    if (whole or with_gaps) and numbers_one_of_several(field.name):
        return Role.IDENTIFIER
    numbered = (
        whole
        and len(column) >= _SEQUENCE_ROWS
        and len(counts) * 20 >= len(column) * 19  # a few rows may stand there twice
        and counts.index.max() - counts.index.min() + 1 == len(counts)
    )
    return Role.IDENTIFIER if numbered else Role.MEASURE


def _text_role(name: str, column: pd.Series, counts: pd.Series, written: bool) -> Role:
    if counts.empty:
        return Role.TEXT
    words = counts.index[:200].to_series().astype("str")
    if is_identifier(name):
        return Role.IDENTIFIER
    if words.str.match(_DATE_TEXT).all():
        return Role.TEXT  # a date that can be read two ways is not turned into one
    unique = len(counts) == len(column) > 1 and (len(column) >= _SEQUENCE_ROWS or numbers_one_thing(name))
    if unique and not written and words.str.fullmatch(r"\S*\d\S*").all():
        return Role.IDENTIFIER
    short = words.str.len().mean() <= _LONG_TEXT
    few = len(counts) <= _FEW_VALUES or (len(counts) <= MOST_VALUES and len(counts) * 2 <= len(column))
    return Role.CATEGORY if short and few else Role.TEXT
