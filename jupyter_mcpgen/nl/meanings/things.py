"""What words name: columns, values, numbers, dates and the rows themselves."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.plan.expressions import DateUnit


@dataclass(frozen=True)
class Column:
    """A column of the data."""

    name: str


@dataclass(frozen=True)
class Value:
    """A value found in a text column of the data."""

    column: str
    value: str


@dataclass(frozen=True)
class Number:
    """A number."""

    value: int | float


@dataclass(frozen=True)
class Ordinal:
    """A place in an order, such as the 2 of "second"."""

    number: int


@dataclass(frozen=True)
class Scale:
    """Stands for "thousand", "million"."""

    factor: int


@dataclass(frozen=True)
class Span:
    """A stretch of time from `start` to before `end`, in ISO 8601; open where there is no date."""

    start: str | None
    end: str | None
    joined: bool = False
    """True for a stretch made of two: nothing lies "since" it."""
    guessed: bool = False
    """True for a bare number that may be a year."""


@dataclass(frozen=True)
class PartValue:
    """A named part of the calendar, such as January or Monday."""

    unit: DateUnit
    number: int


@dataclass(frozen=True)
class PartChoice:
    """Several named parts of the calendar, of which one may apply."""

    unit: DateUnit
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class Quote:
    """A text in quotation marks."""

    text: str


@dataclass(frozen=True)
class Truth:
    """Stands for "true", "yes", "false", "no"."""

    value: bool


@dataclass(frozen=True)
class RowNoun:
    """A noun that stands for one row of the table; `assumed` when only its place in the question says so."""

    noun: str
    assumed: bool = False
    amount: bool = False
    """True for a noun like "sales", that names the table and may as well mean a sum of money."""
    pronoun: bool = False
    """True for "who", which points back where something stands before it."""
    each: bool = False
    """True for "each order": what is asked for is asked of every row by itself."""


@dataclass(frozen=True)
class TableNoun:
    """Stands for "data", "table"."""


@dataclass(frozen=True)
class ColumnNoun:
    """Stands for "column", "field", beside a column's name."""


@dataclass(frozen=True)
class Letter:
    """A letter or short text that stands as a word of its own."""

    text: str


@dataclass(frozen=True)
class Describing:
    """A participle that says of the rows what the table is about anyway, such as the "held" in "courses held"."""

    word: str
    deals: bool = False
    """True for a verb like "sold", which may be about pieces rather than rows."""


@dataclass(frozen=True)
class NamedTable:
    """A description of the whole table, such as "this traffic accident dataset"."""

    words: str
