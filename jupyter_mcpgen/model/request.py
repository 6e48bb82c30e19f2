"""What a person asked, and of which data."""

from __future__ import annotations

from enum import StrEnum

from jupyter_mcpgen.model.record import Record


class DataKind(StrEnum):
    """Where a table lives."""

    FILE = "file"
    FRAME = "frame"


class DataRef(Record):
    """A table by reference: a file, or a notebook variable with the snapshot that was taken of it.

    `path` is what a sandbox may read. For a frame it is the Parquet snapshot; the frame itself is never handed over.
    """

    kind: DataKind
    name: str
    path: str


class Request(Record):
    """One question in plain words about one table."""

    request_id: str
    question: str
    data: DataRef
    asked_at: str
    session: str = "local"
