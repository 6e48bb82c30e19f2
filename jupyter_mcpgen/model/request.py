"""What a person asked, and of which data."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal

from pydantic import Field, ValidationError

from jupyter_mcpgen.errors import DataError, WrongType
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.plan.date_formats import DateWriting
from jupyter_mcpgen.plan.plan import Plan

DAY_FIRST, MONTH_FIRST = "day first", "month first"


class DataKind(StrEnum):
    """Where a table lives."""

    FILE = "file"
    FRAME = "frame"


class ReadOptions(Record):
    """What a person says of how a text file is written; what is not said is found in it.

    `header` is the line of the names, from 1, or 0 where there are none. `skip` lines at the start and `footer` rows at
    the end are left out, and `missing` are words that stand for a missing value. `decimal` and `thousands` are the
    marks in numbers, `dates` is the order of day and month, or a format as `strptime` names its parts.
    """

    delimiter: str | None = Field(default=None, min_length=1, max_length=1)
    encoding: str | None = None
    skip: int = Field(default=0, ge=0)
    header: int | None = Field(default=None, ge=0)
    footer: int | None = Field(default=None, ge=0)
    missing: tuple[str, ...] = ()
    decimal: Literal[".", ","] | None = None
    thousands: Literal[",", ".", " ", "'"] | None = None
    dates: str | None = None

    @property
    def mark(self) -> Literal[".", ","] | None:
        """The mark before decimals: what is said, or what thousands leave for it."""
        match self.thousands:
            case "." | "," if self.decimal is None:
                return "," if self.thousands == "." else "."
            case _:
                return self.decimal

    def require_usable(self) -> None:
        """Raise `DataError` for what says nothing that a text can be read by, as a person may type it."""
        if self.decimal is not None and self.decimal == self.thousands:
            raise DataError(f"`{self.decimal}` cannot stand before decimals and between thousands. Name another mark.")
        if self.dates not in (None, DAY_FIRST, MONTH_FIRST):
            try:
                DateWriting(format=self.dates)
            except WrongType as error:
                raise DataError(f"{error} Or say `{DAY_FIRST}` or `{MONTH_FIRST}`.") from error

    @classmethod
    def of(cls, said: Mapping[str, object]) -> ReadOptions:
        """Return what is said by name; raises `DataError` for what is none of these, or no value of it."""
        try:
            return cls.model_validate(said)
        except ValidationError as error:
            wrong = ", ".join(f"`{problem['loc'][0]}`" for problem in error.errors() if problem["loc"])
            raise DataError(
                f"`read` cannot be used: {wrong}. It takes `delimiter` (one sign), `encoding`, `header` (a line, 0 for "
                "none), `skip` (lines), `footer` (rows), `missing` (a list of words), `decimal` and `thousands` "
                f"(marks), and `dates` (`{DAY_FIRST}`, `{MONTH_FIRST}` or a format such as `%d/%m/%Y`)."
            ) from error

    def over(self, other: ReadOptions) -> ReadOptions:
        """Return what is said here, and where nothing is, what is said there."""
        nothing = dict(ReadOptions())
        return other.replace(**{name: value for name, value in dict(self).items() if value != nothing[name]})

    @property
    def says_nothing(self) -> bool:
        """Tell whether everything is to be found in the file."""
        return self == ReadOptions()


class Packed(Record):
    """The file that a table was unpacked from, the sheet, member or table in it, and what was done, in sentences."""

    path: str
    sheet: str | None = None
    notes: tuple[str, ...] = ()
    read: ReadOptions = ReadOptions()
    """What a person said of how a text file is written."""


class DataRef(Record):
    """A table by reference: a file, or a notebook variable with the snapshot that was taken of it.

    `path` is what a sandbox may read. For a frame it is the Parquet snapshot; the frame itself is never handed over.
    For a workbook, an archive, a database or a folder it is the table that was made of it, and `packed` says of what.
    """

    kind: DataKind
    name: str
    path: str
    packed: Packed | None = None

    @property
    def origin(self) -> str:
        """The path of the file that a person named."""
        return self.path if self.packed is None else self.packed.path

    @property
    def typed(self) -> str:
        """What a person types to mean this table: a variable's name, or a file with the sheet in it."""
        if self.kind is DataKind.FRAME:
            return self.name
        sheet = None if self.packed is None else self.packed.sheet
        return self.origin if sheet is None else f"{self.origin}#{sheet}"


class Earlier(Record):
    """The question before, and what it was understood to ask: what a follow-up changes.

    `before` is the one that this question itself followed.
    """

    question: str
    plan: Plan
    read_by_model: bool = False
    """Whether only a model read it, so that what follows it rests on that reading."""
    other: DataRef | None = None
    """The second table that the plan worked on, if it did."""
    before: Earlier | None = None


class Request(Record):
    """One question in plain words about one table, with the one before it, if it was about the same table.

    `other` is a second table that the question names; whether it is needed is seen when the question is read.
    `tool_name` is what the person calls the tool; the name of a tool of theirs asks for its next version.
    """

    request_id: str
    question: str
    data: DataRef
    other: DataRef | None = None
    asked_at: str
    session: str = "local"
    tool_name: str | None = None
    earlier: Earlier | None = None
