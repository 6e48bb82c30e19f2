"""What a person asked, and of which data."""

from __future__ import annotations

from enum import StrEnum

from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.plan.plan import Plan


class DataKind(StrEnum):
    """Where a table lives."""

    FILE = "file"
    FRAME = "frame"


class Packed(Record):
    """The file that a table was unpacked from, the sheet, member or table in it, and what was done, in sentences."""

    path: str
    sheet: str | None = None
    notes: tuple[str, ...] = ()


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
