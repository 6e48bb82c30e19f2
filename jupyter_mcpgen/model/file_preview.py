"""How a file is read, as a page shows it to a person who may say otherwise."""

from __future__ import annotations

from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.model.request import ReadOptions


class ReadFile(Record):
    """A file that an answer is about: its name, and the sentence that says how it was read.

    `is_other` tells the second of two files.
    """

    name: str
    note: str
    is_other: bool = False


class FilePreview(Record):
    """The beginning of a file, read in a way that a person may change before they ask again.

    `lines` are those of the text as they are written, `rows` the first ones of the table, `sheets` the tables of a file
    that has several. `refused` says why it cannot be read so.
    """

    name: str
    is_other: bool = False
    options: ReadOptions = ReadOptions()
    sheet: str | None = None
    sheets: tuple[str, ...] = ()
    note: str = ""
    lines: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    refused: str = ""
