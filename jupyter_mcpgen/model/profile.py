"""What is known about a table before a question is read."""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property
from typing import Any

from pydantic import ConfigDict

from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.plan.reshaping import Reshaping
from jupyter_mcpgen.plan.schema import ColumnType, Schema
from jupyter_mcpgen.plan.writings import Writing


class Role(StrEnum):
    """What a column is good for in a question, beyond its type."""

    MEASURE = "measure"
    """A number that can be summed or averaged."""
    CATEGORY = "category"
    """Few distinct values; good to group by."""
    IDENTIFIER = "identifier"
    """Names a row; counting makes sense, adding up does not."""
    TIME = "time"
    """A date or timestamp."""
    TEXT = "text"
    """Free text with many distinct values."""


class Kind(StrEnum):
    """What the values of a column are about, where that can be told beyond their type."""

    MONEY = "money"
    PERCENT = "percent"
    QUANTITY = "quantity"
    """A number with a unit."""
    ORDINAL = "ordinal"
    """First, second, third."""
    TRUTH = "truth"
    """Yes or no."""
    YEAR = "year"
    PLACE = "place"
    """A state, a city or a coordinate."""
    COUNTRY = "country"
    """Names or codes of countries, whatever the column is called."""
    ORDERED = "ordered"
    """Words with an order of their own, such as low, medium and high."""
    DURATION = "duration"
    """How long something took, which is averaged rather than added up."""
    PERIOD = "period"
    """Months, quarters or weeks written so that letters order them, such as 2024-03 or 2024Q1."""
    LONG_TEXT = "long_text"


FIRST_PLACE = 0x100
"""In `places` the letter of no kept value; the letters of `values` and then of `more` follow it, in order."""
_FIELDS_HASHED = 64
"""So many columns mostly tell tables apart; a table may have thousands, and is hashed once for each of them."""


class ColumnProfile(Record):
    """One column: counts over all rows, and values to link words of a question to.

    `values` holds the distinct values of a column, most frequent first, when there are few enough to keep
    (see `data.profile`), otherwise a sample; `complete` says which.
    """

    name: str
    role: Role
    nulls: int
    distinct: int
    values: tuple[Any, ...] = ()
    complete: bool = False
    more: tuple[Any, ...] = ()
    """Further values, least frequent last, that only a question which names one needs."""
    places: str = ""
    """For each row of a table that is not too long, a letter that says which value it has (see `FIRST_PLACE`)."""
    minimum: Any = None
    maximum: Any = None
    unit: str | None = None
    kind: Kind | None = None
    order: tuple[str, ...] = ()
    """The values of an ordered category, lowest first."""
    adds_up: bool | None = None
    """Whether the numbers of a computed column add up over rows; of others, their names tell."""
    stand_ins: tuple[StandIn, ...] = ()
    """Numbers that may stand for a missing value; a person has to say."""
    hindrance: Hindrance | None = None
    """Why nothing is computed with the texts of the column, though they hold figures."""
    written: tuple[Written, ...] = ()
    """What its texts write, or its numbers where they count moments; two ways when a person has to say which."""


class Hindrance(Record):
    """Why nothing is computed with a column: what it does, what a person can do, and the words for what is `inside`."""

    reason: str
    remedy: str
    inside: tuple[str, ...] = ()


class StandIn(Record):
    """A number such as -999 that lies far from the other values of its column, and in how many rows it stands."""

    value: float
    rows: int


class Totals(Record):
    """Rows that add up the other rows: those with one of the `labels` in a column, or with nothing in it."""

    column: str
    labels: tuple[str, ...]
    rows: int


class OddCell(Record):
    """A cell that is not written as the others of its column: its row, counted from 1 where that is known, and text."""

    row: int | None
    text: str


class Written(Record):
    """A way to read a column of texts: how, as what type, and the profile of the values read.

    `missing` counts the cells that spell a missing value, `unreadable` those that are not written so; in a large table
    both are `estimated` from a sample.
    """

    writing: Writing
    type: ColumnType
    missing: int
    unreadable: int
    estimated: bool = False
    spelled: tuple[str, ...] = ()
    """The words that spell a missing value, the most frequent first."""
    odd: tuple[OddCell, ...] = ()
    """The first of the cells that cannot be read."""
    bare: int = 0
    """The cells that have no sign of the currency or unit that the others have."""
    values: ColumnProfile


class Profile(Record):
    """A table's schema with a profile per column, in the schema's order."""

    model_config = ConfigDict(ignored_types=(cached_property,))

    name: str
    schema_: Schema
    rows: int
    columns: tuple[ColumnProfile, ...]
    totals: Totals | None = None
    reshaped: tuple[Reshaped, ...] = ()
    """Other rows that the table can be asked about."""

    def __hash__(self) -> int:
        """Hash what mostly tells tables apart: one of all their values costs more than reading a question."""
        fields = self.schema_.fields
        return hash((self.name, self.rows, len(fields), *(field.type for field in fields[:_FIELDS_HASHED])))

    def column(self, name: str) -> ColumnProfile:
        """Return one column's profile; raises `KeyError` for a name that the schema does not have."""
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> dict[str, ColumnProfile]:
        return {column.name: column for column in self.columns}


class Reshaped(Record):
    """Other rows of a table: the step that makes them, their profile, and what a card has to say about them."""

    step: Reshaping
    profile: Profile
    reason: str


ColumnProfile.model_rebuild()
Profile.model_rebuild()
