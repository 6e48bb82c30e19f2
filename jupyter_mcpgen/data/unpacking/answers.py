"""What the sandbox answers about a packed file, read as records."""

from __future__ import annotations

from pydantic import TypeAdapter

from jupyter_mcpgen.model.record import Record


class Choice(Record):
    """A table in a container: its name, and its size in words where that is known."""

    name: str
    size: str = ""


class UnpackedTable(Record):
    """One table of a file: where it lies, how the reader takes it, what was done, and which one it is of several."""

    file: str
    suffix: str
    notes: tuple[str, ...] = ()
    sheet: str | None = None


class OneTable(Record):
    """The file holds a table, or the one that was wanted."""

    table: UnpackedTable
    digest: str


class Several(Record):
    """The file holds several tables, and none was named, or one that is `missing`."""

    what: str
    choices: tuple[Choice, ...]
    missing: str | None = None
    digest: str


class NoTable(Record):
    """The file holds no table that can be had, for this reason."""

    refused: str
    digest: str


Unpacking = OneTable | Several | NoTable
ANSWER: TypeAdapter[Unpacking] = TypeAdapter(Unpacking)
